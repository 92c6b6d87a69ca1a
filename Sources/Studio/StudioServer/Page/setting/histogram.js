// The depth histogram of the frame that is shown, with the distances of the setting drawn in as handles to drag.

import { announce, byId, color, eachFrame, el, fitCanvas, onTheme } from "../parts/dom.js";
import { depthPaint, strip } from "../pictures/overlay.js";
import { handlesOf, passCurve } from "./cutoffs.js";
import { niceStep } from "../parts/scale.js";

const BINS = 128;
const AXIS = 26;
/// Of a frame's pixels, nearer than a range that was fitted.
const NEARER_SHARE = 0.01;
/// While it plays, pictures come first.
const PLAYING_MILLISECONDS = 150;

export class Histogram {
  #studio;
  #canvas = byId("histogram-canvas");
  #root = byId("histogram-plot");
  #counts = new Uint32Array(BINS);
  #digest = "";
  #drawnAt = 0;
  #handles = new Map();

  constructor(studio) {
    this.#studio = studio;
    this.draw = eachFrame(() => this.#draw());
    const { store, pictures } = studio;
    pictures.on(view => {
      if (view !== studio.shownView || (store.state.isPlaying && performance.now() - this.#drawnAt < PLAYING_MILLISECONDS)) return;
      this.#drawnAt = performance.now();
      this.draw();
    });
    store.on(["a", "b", "active", "depthNear", "depthFar", "isFlipped"], () => this.draw());
    for (const [id, key] of [["depth-near", "depthNear"], ["depth-far", "depthFar"]]) {
      byId(id).addEventListener("change", event => this.#setRange(key, event.target.value.trim().replace(",", ".")));
    }
    byId("depth-auto").addEventListener("click", () => this.fitRange());
    byId("histogram").addEventListener("toggle", () => { studio.pictures.refresh(); this.draw(); });
    new ResizeObserver(() => this.draw()).observe(this.#root);
    onTheme(() => this.draw());
  }

  get isOpen() {
    return byId("histogram").open;
  }

  /// What is said in place of the share of holes.
  get #without() {
    const { pictures, session, shownView } = this.#studio;
    if (!session.recording.depth) return "no depth";
    const picture = pictures.current[shownView];
    // It comes, or is thinned while it plays.
    if (!pictures.isCurrent || !picture || picture.planes.depth) return "";
    return picture.missing || picture.error ? "no depth in this picture" : "not needed by this setting";
  }

  get #plane() {
    const plane = this.#studio.pictures.current[this.#studio.shownView]?.planes.depth;
    return plane?.step === 1 ? plane : undefined;
  }

  /// - Parameter text: metres.
  #setRange(key, text) {
    const { store } = this.#studio;
    const { depthNear, depthFar } = store.state;
    const range = { depthNear, depthFar, [key]: Math.round(Number(text || NaN) * 1000) };
    if (range.depthNear >= 0 && range.depthFar <= 65535 && range.depthFar - range.depthNear >= 10) store.set({ ...range, isRangeFitted: false });
    else announce(`'${text}' cannot be: colors are from 0 to 65.5 m, and end at least 1 cm after they begin.`, true);
    this.draw();
  }

  /// Fits the range of colours to nearly all depth of the frame, in whole tenths of a metre.
  /// - Parameter isWider: whether what it has stays.
  fitRange(isWider = false) {
    const plane = this.#plane;
    if (!plane) return;
    const sorted = plane.millimeters.filter(value => value > 0).sort();
    if (sorted.length === 0) return;
    const at = share => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    const { state } = this.#studio.store;
    const depthNear = Math.min(isWider ? state.depthNear : Infinity, Math.floor(at(0.005) / 100) * 100);
    const depthFar = Math.max(isWider ? state.depthFar : 0, Math.ceil(at(0.995) / 100) * 100, depthNear + 100);
    this.#studio.store.set({ depthNear, depthFar, isRangeFitted: true });
  }

  #count() {
    const { depthNear, depthFar } = this.#studio.store.state;
    const plane = this.#plane;
    const content = `${plane?.digest} ${depthNear} ${depthFar}`;
    if (content === this.#digest) return;
    this.#digest = content;
    const counts = this.#counts.fill(0);
    [this.holes, this.nearer] = [0, 0];
    if (!plane) return;
    const ratio = BINS / (depthFar - depthNear);
    const { millimeters } = plane;
    for (let i = 0; i < millimeters.length; i++) {
      const value = millimeters[i];
      if (value === 0) this.holes += 1;
      else if (value < depthNear) this.nearer += 1;
      else if (value >= depthNear && value < depthFar) counts[Math.floor((value - depthNear) * ratio)] += 1;
    }
    this.holes /= millimeters.length;
    this.nearer /= millimeters.length;
  }

  #draw() {
    const { store } = this.#studio;
    const { state } = store;
    byId("depth-near").value = (state.depthNear / 1000).toFixed(2);
    byId("depth-far").value = (state.depthFar / 1000).toFixed(2);
    if (!this.isOpen || !this.#canvas.clientWidth) return;
    this.#count();
    // Somebody comes nearer than all that the range was fitted to.
    if (state.isRangeFitted && this.nearer > NEARER_SHARE) return this.fitRange(true);
    byId("holes").textContent = this.#plane ? `${(this.holes * 100).toFixed(1)} % holes` : this.#without;
    const { context, width, height } = fitCanvas(this.#canvas);
    context.clearRect(0, 0, width, height);
    const floor = height - AXIS;
    const handles = this.#placeHandles(width);
    const cut = handles.find(handle => handle.isCut);
    this.#drawBins(context, width, floor, cut);
    this.#drawPass(context, width, floor);
    this.#drawAxis(context, width, floor);
  }

  #drawBins(context, width, floor, cut) {
    const largest = Math.sqrt(Math.max(1, ...this.#counts));
    const { depthNear, depthFar } = this.#studio.store.state;
    const bin = (depthFar - depthNear) / BINS;
    for (let i = 0; i < BINS; i++) {
      if (this.#counts[i] === 0) continue;
      const isPerson = cut && depthNear + (i + 0.5) * bin <= cut.millimeters;
      context.fillStyle = color(isPerson ? "accent" : "bar");
      const top = Math.max(1, (Math.sqrt(this.#counts[i]) / largest) * (floor - 18));
      const [left, right] = [Math.round((i * width) / BINS), Math.round(((i + 1) * width) / BINS)];
      context.fillRect(left, floor - top, right - left, top);
    }
  }

  #drawPass(context, width, floor) {
    const curve = passCurve(this.#studio.declarations, this.#studio.store.state[this.#studio.shownView]);
    if (!curve) return;
    const { depthNear, depthFar } = this.#studio.store.state;
    context.beginPath();
    context.moveTo(0, floor);
    for (let x = 0; x <= width; x++) context.lineTo(x, floor - curve(depthNear + (x / width) * (depthFar - depthNear)) * (floor - 18));
    context.lineTo(width, floor);
    context.globalAlpha = 0.18;
    context.fillStyle = color("accent");
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = color("accent");
    context.lineWidth = 1.5;
    context.stroke();
  }

  #drawAxis(context, width, floor) {
    const { depthNear, depthFar } = this.#studio.store.state;
    const span = depthFar - depthNear;
    context.drawImage(strip(depthPaint({ depthNear, depthFar })), 0, floor + 1, width, 5);
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "top";
    context.fillStyle = color("quiet");
    const step = niceStep(span, 6);
    for (let mm = Math.ceil(depthNear / step) * step; mm <= depthFar; mm += step) {
      const x = ((mm - depthNear) / span) * width;
      context.textAlign = x < 12 ? "left" : x > width - 16 ? "right" : "center";
      context.fillText(String(Number((mm / 1000).toFixed(3))), Math.round(x), floor + 11);
    }
    context.textAlign = "left";
  }

  /// Handles are elements, for the keyboard and for screen readers; they are kept while their parameter matters.
  #placeHandles(width) {
    const { store, declarations, pictures, shownView } = this.#studio;
    const { depthNear, depthFar } = store.state;
    const handles = handlesOf(declarations, store.state[shownView], pictures.current[shownView]);
    for (const [name, element] of this.#handles) {
      if (!handles.some(handle => handle.name === name)) { element.remove(); this.#handles.delete(name); }
    }
    let edge = -Infinity;
    for (const handle of [...handles].sort((one, two) => one.millimeters - two.millimeters)) {
      const element = this.#handles.get(handle.name) ?? this.#addHandle(handle.name);
      element.handle = handle;
      const x = Math.min(1, Math.max(0, (handle.millimeters - depthNear) / (depthFar - depthNear))) * width;
      element.style.left = `${x}px`;
      element.classList.toggle("right", x > width - 110);
      element.classList.toggle("low", x - edge < 100);
      edge = x;
      element.classList.toggle("fixed", Boolean(handle.isFixed));
      element.setAttribute("aria-disabled", String(Boolean(handle.isFixed)));
      element.classList.toggle("outside", handle.millimeters < depthNear || handle.millimeters > depthFar);
      element.firstChild.textContent = handle.label;
      const { min, max } = declarations.byName.get(handle.name);
      for (const [attribute, value] of Object.entries({ valuemin: min, valuemax: max, valuenow: handle.value, valuetext: handle.label })) {
        element.setAttribute(`aria-${attribute}`, value);
      }
    }
    return handles;
  }

  #addHandle(name) {
    const props = { class: "handle", role: "slider", tabindex: 0, "aria-label": name, title: `Drag to set ${name}` };
    const element = el("div", props, el("span"));
    let drag = null;
    element.addEventListener("pointerdown", event => {
      event.preventDefault();
      element.focus();
      element.setPointerCapture(event.pointerId);
      drag = element.handle;
    });
    element.addEventListener("pointermove", event => {
      if (!drag) return;
      const box = this.#canvas.getBoundingClientRect();
      const { depthNear, depthFar } = this.#studio.store.state;
      const mm = depthNear + ((event.clientX - box.left) / box.width) * (depthFar - depthNear);
      this.#set(name, drag.valueAt(mm), `${name} handle`);
    });
    const end = () => { drag = null; this.#studio.store.endGesture(); };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    element.addEventListener("keydown", event => {
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const { handle } = element;
      this.#set(name, handle.valueAt(handle.millimeters + way * (event.shiftKey ? 100 : 10)), `${name} keys`);
    });
    element.addEventListener("focus", () => this.#studio.panel.explain(this.#studio.panel.control(name)));
    this.#root.append(element);
    this.#handles.set(name, element);
    return element;
  }

  #set(name, value, gesture) {
    const { store, declarations, shownView } = this.#studio;
    const { min, max } = declarations.byName.get(name);
    const kept = Math.min(max, Math.max(min, value));
    store.edit({ [shownView]: declarations.with(store.state[shownView], name, String(Number(kept.toFixed(3)))) }, gesture);
  }
}
