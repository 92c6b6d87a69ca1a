// The pointer as a brush on the large picture, and the truth's layer there. Only what a stroke touched is drawn again.

import { announce, eachFrame, el, fitCanvas, presses } from "../parts/dom.js";
import { paintInside, paintLine, paintSimilar, union } from "./brush.js";
import { transform } from "../parts/geometry.js";
import { drawLasso, drawRing } from "../pictures/overlay.js";
import { Tint } from "./tint.js";

const RINGS = { person: "#ffffff", background: "#6f9bff", ignore: "#ffb000", judge: "#ffffff" };

export class Painter {
  #studio;
  #mode;
  #layer = el("canvas", { class: "truth-layer", "aria-hidden": "true" });
  #tint = new Tint();
  /// The sheet that the layer shows, and what of it is to be shown again.
  #shown = null;
  #due = null;
  /// What else the layer depends on.
  #content = "";
  #stroke = null;
  #last = null;
  #isOpposite = false;
  #isHand = false;
  #show = eachFrame(() => this.#drawDue());

  constructor(studio, mode) {
    this.#studio = studio;
    this.#mode = mode;
    mode.finish = () => this.#finish();
    const { store, stage } = studio;
    mode.on(() => { if (mode.paper !== this.#shown) this.#drawAll(); });
    store.on(["isPainting", "main"], () => this.#drawAll());
    store.on(["brush"], () => stage.drawOverlays());
    store.on(["tint"], () => { this.#shown = null; this.#drawAll(); });
    store.on(["frame", "isPainting", "isPlaying"], () => { this.#last = null; });
    for (const tile of stage.tiles.values()) this.#listen(tile);
    this.#listenToKeys();
  }

  get #tile() { return this.#studio.stage.tiles.get(this.#studio.store.state.main); }

  /// Shows a rectangle of the sheet again, before the next animation frame.
  refresh(area) {
    if (!area) return;
    this.#due = union(this.#due, area);
    this.#show();
  }

  #drawAll() {
    this.#due = null;
    this.draw(this.#tile);
    this.#studio.stage.drawOverlays();
  }

  /// After the tile was drawn at another size, zoom or picture.
  draw(tile) {
    if (tile.tap !== this.#studio.store.state.main) return;
    const { paper } = this.#mode;
    if (this.#layer.parentElement !== tile.view) tile.view.insertBefore(this.#layer, tile.overlay);
    this.#layer.hidden = !paper;
    const content = JSON.stringify([tile.boxes(), this.#studio.zoom, devicePixelRatio, tile.tap]);
    if (paper === this.#shown && content === this.#content) return;
    this.#content = content;
    if (paper && paper !== this.#shown) {
      this.#tint.opacity = this.#studio.store.state.tint;
      this.#tint.update(paper, paper.whole);
    }
    this.#shown = paper;
    if (!paper) return;
    const { context, width, height } = fitCanvas(this.#layer);
    context.clearRect(0, 0, width, height);
    this.#drawPart(context, paper, paper.whole);
  }

  #drawDue() {
    const [area, paper] = [this.#due, this.#mode.paper];
    this.#due = null;
    if (!area || !paper) return;
    if (paper !== this.#shown || this.#layer.parentElement !== this.#tile.view) return this.#drawAll();
    this.#tint.update(paper, area);
    this.#drawPart(fitCanvas(this.#layer).context, paper, area);
    this.#studio.stage.tell();
  }

  #drawPart(context, paper, area) {
    const { video, zoom } = this.#studio;
    this.#tint.draw(context, this.#tile.boxes()[0], video, zoom, paper, area);
  }

  /// The brush around the pointer, instead of the cross. False where it does not paint.
  drawBrush(tile, context, point, place) {
    const { main, brush } = this.#studio.store.state;
    if (tile.tap !== main || !this.#mode.paper || this.#isHand) return false;
    const kind = this.#stroke?.kind ?? this.#studio.brush.kind(this.#isOpposite);
    if (brush.shape === "lasso") drawLasso(context, this.#stroke?.points ?? [], point, place, RINGS[kind]);
    else drawRing(context, point, brush.size / 2, place, RINGS[kind], brush.shape === "edges");
    return true;
  }

  /// A dab at the pointer's cross, for the keyboard.
  dab(isOpposite) {
    const point = this.#studio.pointer;
    if (!point) return announce("J, K, U and M move the cross that Enter paints at.");
    this.refresh(this.#mode.stroke(paper => this.#paint(paper, point, point, this.#studio.brush.kind(isOpposite))));
  }

  #paint(paper, from, to, kind) {
    const { store, pictures, shownView } = this.#studio;
    const { size, shape, tolerance } = store.state.brush;
    const original = pictures.current[shownView]?.planes.original;
    const hasColors = original?.width === paper.width && original.height === paper.height;
    if (shape !== "edges" || !hasColors) return paintLine(paper, from, to, size / 2, kind);
    const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / Math.max(1, size / 6)));
    let area = null;
    for (let i = from === to ? count : 1; i <= count; i++) {
      const at = { x: from.x + ((to.x - from.x) * i) / count, y: from.y + ((to.y - from.y) * i) / count };
      area = union(area, paintSimilar(paper, original.bytes, at, size / 2, kind, tolerance));
    }
    return area;
  }

  /// The point of the video under the pointer, also outside the picture.
  #point(tile, event) {
    const box = tile.view.getBoundingClientRect();
    const { video, zoom } = this.#studio;
    const { scale, x, y } = transform(tile.boxes()[0], video, zoom);
    return { x: (event.clientX - box.left - x) / scale, y: (event.clientY - box.top - y) / scale };
  }

  #listen(tile) {
    const { view } = tile;
    const isMine = () => this.#mode.isOn && tile.tap === this.#studio.store.state.main;
    // Captured before the stage takes the pointer to pan.
    view.addEventListener("pointerdown", event => {
      if (!isMine() || event.button === 1 || this.#isHand) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      // So that keys go to the picture, and not to the last button.
      document.activeElement?.blur();
      if (event.button !== 0 && event.button !== 2) return;
      this.#finish();
      const { paper } = this.#mode;
      if (!paper) return;
      view.setPointerCapture(event.pointerId);
      const point = this.#point(tile, event);
      paper.begin();
      const kind = this.#studio.brush.kind(event.button === 2 || event.altKey);
      this.#stroke = { paper, pointer: event.pointerId, kind, point, area: null };
      if (this.#studio.store.state.brush.shape === "lasso") this.#stroke.points = [point];
      else this.#extend(event.shiftKey && this.#last ? this.#last : point, point);
    }, { capture: true });
    view.addEventListener("pointermove", event => {
      if (this.#stroke?.pointer !== event.pointerId) return;
      const events = event.getCoalescedEvents?.() ?? [];
      for (const each of events.length > 0 ? events : [event]) {
        const point = this.#point(tile, each);
        if (this.#stroke.points) this.#stroke.points.push(point);
        else this.#extend(this.#stroke.point, point);
      }
    }, { capture: true });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      view.addEventListener(name, () => this.#finish(), { capture: true });
    }
    view.addEventListener("contextmenu", event => { if (isMine()) event.preventDefault(); });
    view.addEventListener("dblclick", event => { if (isMine()) event.stopImmediatePropagation(); }, { capture: true });
    view.addEventListener("wheel", event => {
      if (!isMine() || !event.shiftKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.#studio.brush.resize(event.deltaY + event.deltaX > 0 ? 0.87 : 1.15);
    }, { capture: true, passive: false });
  }

  #extend(from, to) {
    const stroke = this.#stroke;
    const area = this.#paint(stroke.paper, from, to, stroke.kind);
    stroke.point = to;
    stroke.area = union(stroke.area, area);
    this.refresh(area);
  }

  #finish() {
    const stroke = this.#stroke;
    if (!stroke) return;
    this.#stroke = null;
    this.#last = stroke.point;
    if (stroke.points) {
      stroke.area = paintInside(stroke.paper, stroke.points, stroke.kind);
      this.refresh(stroke.area);
      this.#studio.stage.drawOverlays();
    }
    stroke.paper.end(stroke.area);
    this.#mode.tell();
  }

  #listenToKeys() {
    const hold = (event, isDown) => {
      if (event.key === "Alt" && this.#mode.isOn) event.preventDefault();
      const isOpposite = event.altKey;
      const isHand = event.key === " " ? isDown && this.#mode.isOn && !this.#isTaken(event) : this.#isHand;
      if (event.key === " " && this.#isHand) event.preventDefault();
      if (isOpposite === this.#isOpposite && isHand === this.#isHand) return;
      [this.#isOpposite, this.#isHand] = [isOpposite, isHand];
      for (const tile of this.#studio.stage.tiles.values()) tile.view.classList.toggle("hand", isHand);
      if (this.#mode.isOn) this.#studio.stage.drawOverlays();
    };
    addEventListener("keydown", event => hold(event, true), { capture: true });
    addEventListener("keyup", event => hold(event, false), { capture: true });
    addEventListener("blur", () => { this.#isHand = this.#isOpposite = false; this.#finish(); });
  }

  /// Whether the space key belongs to what has the focus.
  #isTaken(event) {
    return presses(event) || Boolean(event.target.closest?.("input:not([type=range]), textarea, select, dialog"));
  }
}
