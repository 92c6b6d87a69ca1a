// The tiles: their layout, and the pointer's zoom, pan, wipe and values, shared by all of them.

import { byId, eachFrame, el } from "../parts/dom.js";
import { panned, zoomed, NO_ZOOM } from "../parts/geometry.js";
import { planeCanvas } from "./paint.js";
import { probeTexts, valueTable } from "./probe.js";
import { Tile } from "./tile.js";
import { arrangement } from "./arrangement.js";

const narrow = matchMedia("(max-width: 1099px)");
export const TAPS = ["original", "depth", "mask", "matte", "composite"];

/// Pixels of the screen, each way, for one of a picture's that is soon replaced.
const COARSEST = 3;

export class Stage {
  #studio;
  #root = byId("tiles");
  #drag = null;

  constructor(studio) {
    this.#studio = studio;
    this.tiles = new Map(TAPS.map(tap => [tap, new Tile(tap, studio)]));
    for (const [tap, tile] of this.tiles) {
      tile.title.addEventListener("click", () => this.choose(tap));
      this.#listen(tile);
    }
    this.values = el("section", { class: "tile values", "aria-label": "Values under the pointer" });
    this.draw = eachFrame(() => this.#draw());
    this.drawOverlays = eachFrame(() => this.#drawOverlays());
    const { store } = studio;
    studio.pictures.prepare = (view, plane) => {
      if (this.visible.includes(plane.tap) && store.state.compare !== "difference") planeCanvas(view, plane, store.state);
    };
    store.on(["layout", "main", "taps"], () => { this.arrange(); studio.pictures.refresh(); });
    store.on(["compare"], () => this.#setShape());
    store.on(["zoom", "compare", "wipe", "gain", "depthNear", "depthFar", "isFlipped", "active"], () => this.draw());
    narrow.addEventListener("change", () => this.#placeGain());
    new ResizeObserver(() => { this.#setShape(); this.draw(); }).observe(this.#root);
    this.arrange();
  }

  get visible() {
    const { layout, main, taps } = this.#studio.store.state;
    return layout === "single" ? [main] : TAPS.filter(tap => tap === main || taps.includes(tap));
  }

  /// Of the visible taps: of how many pixels each way one is asked for. More than 1 only while frames are played and nothing
  /// needs the others.
  steps(view) {
    const { isPlaying, compare } = this.#studio.store.state;
    const isThin = isPlaying && compare !== "difference" && !this.#studio.pointer;
    return new Map(this.visible.map(tap => {
      const tile = this.tiles.get(tap);
      return [tap, isThin ? tile.step(tile.plane(view), view) : 1];
    }));
  }

  /// Whether a thinned picture has enough pixels to be shown until the whole one comes.
  isEnough(planes, view) {
    return planes.every(plane => !this.visible.includes(plane.tap) || plane.step <= COARSEST * this.tiles.get(plane.tap).step(plane, view));
  }

  /// Makes a tap the large one; in a grid, a second time shows it alone.
  choose(tap) {
    const { store } = this.#studio;
    const { layout, main, taps } = store.state;
    const isSame = main === tap;
    store.set({
      main: tap, taps: taps.includes(tap) ? taps : TAPS.filter(each => each === tap || taps.includes(each)),
      layout: layout === "grid" ? (isSame ? "focus" : "grid") : isSame ? (layout === "focus" ? "single" : "focus") : layout,
    });
  }

  arrange() {
    const { layout, main } = this.#studio.store.state;
    const visible = this.visible;
    this.#root.dataset.layout = visible.length === 1 ? "single" : layout;
    this.#root.dataset.count = visible.length;
    const order = layout === "focus" ? [main, ...visible.filter(tap => tap !== main)] : visible;
    const elements = order.map(tap => this.tiles.get(tap).element);
    // The cell that five pictures leave free in a grid shows their values together.
    if (layout === "grid" && visible.length === 5) elements.push(this.values);
    for (const tile of this.tiles.values()) {
      tile.element.classList.toggle("main", tile.tap === main);
      tile.title.setAttribute("aria-pressed", String(tile.tap === main));
    }
    // Moving focused elements would lose the focus.
    const focused = document.activeElement;
    this.#root.replaceChildren(...elements);
    this.#placeGain();
    if (this.#root.contains(focused)) focused.focus();
    this.#setShape();
    this.draw();
  }

  /// The gain of the difference is in the large picture's head where the bar has no room for it.
  #placeGain() {
    if (narrow.matches) this.tiles.get(this.#studio.store.state.main).element.firstChild.append(byId("gain"));
    else byId("truth-mode").before(byId("gain"));
  }

  #setShape() {
    const { clientWidth: width, clientHeight: height } = this.#root;
    const { video, store } = this.#studio;
    // Two pictures side by side are one of twice the width.
    const ratio = (video.width / video.height) * (store.state.compare === "side" ? 2 : 1);
    const shape = arrangement(width - 20, height, this.visible.length, ratio);
    for (const [name, value] of Object.entries(shape.properties)) this.#root.style.setProperty(`--${name}`, value);
    this.#root.classList.toggle("beside", shape.isBeside);
  }

  #draw() {
    for (const tap of this.visible) this.tiles.get(tap).draw();
    this.tell();
  }

  #drawOverlays() {
    for (const tap of this.visible) this.tiles.get(tap).drawOverlay();
    this.tell();
  }

  /// The values under the pointer, in every tile at once.
  tell() {
    const { pointer } = this.#studio;
    for (const tap of this.visible) {
      const tile = this.tiles.get(tap);
      const place = tap === this.#studio.store.state.main && pointer ? [`x ${Math.floor(pointer.x)}  y ${Math.floor(pointer.y)}  ${this.#studio.truthMode?.textAt(pointer) ?? ""}`] : [];
      const texts = pointer ? [...place, ...probeTexts(tile, this.#studio, pointer)] : [];
      tile.value.replaceChildren(...texts.flatMap((text, i) => [i > 0 ? "  " : "", el("span", {}, text)]));
    }
    if (this.values.isConnected) this.values.replaceChildren(valueTable(this.visible.map(tap => this.tiles.get(tap)), this.#studio));
  }

  zoomBy(ratio) {
    const { store, pointer, video } = this.#studio;
    const at = pointer ? [pointer.x / video.width, pointer.y / video.height] : [];
    store.set({ zoom: zoomed(store.state.zoom, ratio, ...at) });
  }

  panBy(u, v) {
    const { store } = this.#studio;
    const step = 0.1 / store.state.zoom.factor;
    store.set({ zoom: panned(store.state.zoom, u * step, v * step) });
  }

  /// Moves the pointer by pixels, for the keyboard.
  movePointer(dx, dy) {
    const { video } = this.#studio;
    const old = this.#studio.pointer ?? { x: video.width / 2, y: video.height / 2 };
    const clamp = (value, length) => Math.min(length - 1, Math.max(0, Math.floor(value))) + 0.5;
    this.#studio.pointer = { x: clamp(old.x + dx, video.width), y: clamp(old.y + dy, video.height) };
    this.drawOverlays();
  }

  fit() {
    this.#studio.store.set({ zoom: NO_ZOOM });
  }

  #listen(tile) {
    const { view } = tile;
    const { store, video } = this.#studio;
    const place = event => {
      const box = view.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    view.addEventListener("wheel", event => {
      event.preventDefault();
      const point = tile.videoPoint(...place(event));
      const ratio = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016));
      store.set({ zoom: zoomed(store.state.zoom, ratio, ...(point ? [point.x / video.width, point.y / video.height] : [])) });
    }, { passive: false });
    view.addEventListener("pointerdown", event => {
      if (event.button > 1) return;
      const [x, y] = place(event);
      const { compare, wipe, zoom } = store.state;
      const isOnWipe = compare === "wipe" && (Math.abs(x - wipe * view.clientWidth) < 12 || zoom.factor === 1);
      this.#drag = { isOnWipe, x, y, zoom, box: view.getBoundingClientRect() };
      view.setPointerCapture(event.pointerId);
      if (isOnWipe) store.set({ wipe: Math.min(1, Math.max(0, x / view.clientWidth)) });
    });
    view.addEventListener("pointermove", event => {
      const [x, y] = place(event);
      if (this.#drag?.isOnWipe) store.set({ wipe: Math.min(1, Math.max(0, x / view.clientWidth)) });
      else if (this.#drag) this.#pan(tile, x, y);
      const near = store.state.compare === "wipe" && Math.abs(x - store.state.wipe * view.clientWidth) < 12;
      view.classList.toggle("on-wipe", near || Boolean(this.#drag?.isOnWipe));
      this.#studio.pointer = tile.videoPoint(x, y);
      this.drawOverlays();
    });
    const end = () => { this.#drag = null; };
    view.addEventListener("pointerup", end);
    view.addEventListener("pointercancel", end);
    view.addEventListener("pointerleave", () => { this.#studio.pointer = null; this.drawOverlays(); });
    view.addEventListener("dblclick", () => this.choose(tile.tap));
  }

  #pan(tile, x, y) {
    const { store, video } = this.#studio;
    const [box] = tile.boxes();
    const scale = Math.min(box.width / video.width, box.height / video.height) * this.#drag.zoom.factor;
    const [u, v] = [(this.#drag.x - x) / (video.width * scale), (this.#drag.y - y) / (video.height * scale)];
    store.set({ zoom: panned(this.#drag.zoom, u, v) });
  }
}
