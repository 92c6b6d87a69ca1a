// One tap's tile: its picture on one canvas, and what lies over it on another, so that the pointer repaints only the latter.

import { el, fitCanvas } from "../parts/dom.js";
import { planeRectangle, transform } from "../parts/geometry.js";
import { differenceCanvas, differenceScale, planeCanvas } from "./paint.js";
import { drawCrosshair, drawDepthScale, drawFaces, drawHeatScale, drawLabel, drawWipe } from "./overlay.js";

export const TITLES = { original: "Original", depth: "Depth", mask: "Mask", matte: "Matte", composite: "Composite" };

/// Narrower tiles, in pixels, have no room for more than a sentence.
const SMALL = 300;
/// The program thins pictures no further.
const LARGEST_STEP = 256;

const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`;

/// Why a frame has no mask, matte or composite, and what to do.
export function missingText({ reason, hint }) {
  return `This frame gives no picture: ${reason}.${hint ? ` ${sentence(hint)}` : ""}`;
}

export class Tile {
  constructor(tap, studio) {
    this.tap = tap;
    this.studio = studio;
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.overlay = el("canvas", { class: "overlay", "aria-hidden": "true" });
    this.value = el("output", { class: "tile-value" });
    this.title = el("button", { type: "button", class: "tile-title", title: `Show ${TITLES[tap].toLowerCase()} large` }, TITLES[tap]);
    this.view = el("div", { class: "tile-view", role: "img", "aria-label": TITLES[tap] }, this.canvas, this.overlay);
    this.message = el("p", { class: "tile-message", hidden: true });
    this.element = el("section", { class: "tile", "data-tap": tap, "aria-label": TITLES[tap] },
      el("header", {}, this.title, this.value), this.view, this.message);
  }

  /// The boxes that pictures are fitted into: one, or two side by side.
  boxes() {
    const width = this.view.clientWidth, height = this.view.clientHeight;
    const { compare } = this.studio.store.state;
    if (compare !== "side") return [{ x: 0, y: 0, width, height, view: this.studio.shownView }];
    const { width: videoWidth, height: videoHeight } = this.studio.video;
    const fit = (w, h) => Math.min(w / videoWidth, h / videoHeight);
    const isTall = fit(width, height / 2) > fit(width / 2, height);
    const [w, h] = isTall ? [width, (height - 2) / 2] : [(width - 2) / 2, height];
    const size = { width: w, height: h };
    return [{ x: 0, y: 0, ...size, view: "a" }, { x: isTall ? 0 : w + 2, y: isTall ? h + 2 : 0, ...size, view: "b" }];
  }

  /// Pixels of a plane for each one of the screen, rounded down; at least 1.
  step(plane, view) {
    const box = this.boxes().find(each => each.view === view);
    if (!plane || !box?.width) return 1;
    const { video, zoom } = this.studio;
    const pixel = transform(box, video, zoom).scale * this.rectangle(plane, view).width / plane.width * devicePixelRatio;
    // A window may leave no room for the picture.
    return pixel > 1 / LARGEST_STEP ? Math.max(1, Math.floor(1 / pixel)) : LARGEST_STEP;
  }

  plane(view) {
    return this.studio.pictures.current[view]?.planes[this.tap];
  }

  draw() {
    if (!this.view.clientWidth) return;
    const boxes = this.boxes();
    const content = this.#content(boxes);
    if (content !== this.content) {
      this.content = content;
      this.#paint(boxes);
    }
    this.#tellMissing(boxes);
    this.studio.painter?.draw(this);
    const still = this.#stillOverlay(boxes);
    if (still === null || still !== this.overlaid) this.drawOverlay();
    this.overlaid = still;
  }

  /// All that the overlay depends on while frames are played and nothing points at it; null if that changes with the frame.
  #stillOverlay(boxes) {
    const { store, pointer } = this.studio;
    const { isPlaying, compare, isFlipped, zoom, depthNear, depthFar } = store.state;
    if (!isPlaying || pointer || isFlipped || compare !== "off" || this.tap === "original") return null;
    return JSON.stringify([boxes, zoom, depthNear, depthFar, devicePixelRatio]);
  }

  /// All that the picture depends on, so that a tile is painted again only if that changed.
  #content(boxes) {
    const { state } = this.studio.store;
    const { zoom, compare, wipe, gain, isFlipped, isPlaying, depthNear, depthFar } = state;
    const planes = ["a", "b"].map(view => {
      const plane = this.plane(view);
      return plane && [plane.digest, plane.width, plane.step, this.rectangle(plane, view)];
    });
    return JSON.stringify([
      boxes, planes, zoom, compare, isFlipped, isPlaying, devicePixelRatio,
      compare === "wipe" ? wipe : 0, compare === "difference" ? gain : 0, this.tap === "depth" ? [depthNear, depthFar] : 0,
    ]);
  }

  #paint(boxes) {
    const { context, width, height } = fitCanvas(this.canvas);
    context.clearRect(0, 0, width, height);
    const { compare, wipe, isFlipped } = this.studio.store.state;
    if (compare === "difference" && !isFlipped) this.#drawDifference(context, boxes[0]);
    else if (compare === "wipe" && !isFlipped) {
      const cut = Math.round(width * wipe);
      this.#drawView(context, { ...boxes[0], view: "a" }, [0, 0, cut, height]);
      this.#drawView(context, { ...boxes[0], view: "b" }, [cut, 0, width - cut, height]);
    } else for (const box of boxes) this.#drawView(context, box, [box.x, box.y, box.width, box.height]);
  }

  #drawView(context, box, clip) {
    const plane = this.plane(box.view);
    if (!plane) return;
    this.#drawPlane(context, box, clip, planeCanvas(box.view, plane, this.studio.store.state), plane, box.view);
  }

  #drawPlane(context, box, clip, canvas, plane, view) {
    const { video, zoom } = this.studio;
    const { scale, x, y } = transform(box, video, zoom);
    const place = this.rectangle(plane, view);
    context.save();
    context.beginPath();
    context.rect(...clip);
    context.clip();
    const pixel = scale * place.width / plane.width;
    context.imageSmoothingEnabled = pixel < 2;
    context.imageSmoothingQuality = pixel < 1 && !this.studio.store.state.isPlaying ? "high" : "low";
    context.drawImage(canvas, x + place.x * scale, y + place.y * scale, place.width * scale, place.height * scale);
    context.restore();
  }

  rectangle(plane, view) {
    const { store, declarations, pictures, video } = this.studio;
    const depth = pictures.current[view]?.planes.depth;
    return planeRectangle(plane, video, depth, declarations.value(store.state[view], "depth.scale-by"));
  }

  #drawDifference(context, box) {
    const [first, second] = [this.plane("a"), this.plane("b")];
    this.difference = first && second ? differenceCanvas(first, second, this.studio.store.state.gain) : null;
    if (this.difference) this.#drawPlane(context, box, [box.x, box.y, box.width, box.height], this.difference.canvas, first, "a");
    this.isIncomparable = Boolean(first?.step === 1 && second?.step === 1 && !this.difference);
  }

  /// Names the one of A and B that has no picture, where the other one is shown beside it.
  #labelMissing(context, width, height) {
    const { compare, wipe, isFlipped } = this.studio.store.state;
    const { a, b } = this.studio.pictures.current;
    if (!a || !b || isFlipped || Boolean(this.plane("a")) === Boolean(this.plane("b"))) return;
    const view = this.plane("a") ? "b" : "a";
    const half = compare === "wipe" ? { a: [0, width * wipe], b: [width * wipe, width] }[view] : null;
    const box = compare === "side" ? this.boxes().find(each => each.view === view) : null;
    const [x, y] = half ? [(half[0] + half[1]) / 2, height / 2] : box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
    if (x !== undefined) drawLabel(context, `${view.toUpperCase()}: no ${this.tap}`, x, Math.round(y) + (half ? 14 : 0), "center");
  }

  #tellMissing(boxes) {
    const picture = this.studio.pictures.current[boxes[0].view];
    let text = "";
    const isSmall = this.view.clientWidth < SMALL;
    const { compare } = this.studio.store.state;
    const { a, b } = this.studio.pictures.current;
    if (compare === "difference" && this.isIncomparable) {
      text = "A and B differ in size here, so there is no difference to show.";
    } else if (compare === "difference" && a && b && Boolean(this.plane("a")) !== Boolean(this.plane("b"))) {
      text = `${this.plane("a") ? "B" : "A"} has no ${this.tap}, so there is no difference to show.`;
    } else if (compare !== "off" && (this.plane("a") || this.plane("b"))) {
      text = "";
    } else if (picture?.error && !this.plane(boxes[0].view)) text = picture.error.message;
    else if (!picture) text = "Waiting for the picture";
    else if (!this.plane(boxes[0].view)) {
      if (this.tap === "depth" && !this.studio.session.recording.depth) text = `${this.studio.session.live ? "These cameras deliver" : "This recording has"} no depth.`;
      else if (picture.missing) text = missingText(isSmall ? { reason: picture.missing.reason } : picture.missing);
      else text = `This setting needs no ${this.tap}.`;
    }
    this.message.textContent = text;
    this.message.classList.toggle("small", isSmall);
    this.message.hidden = !text;
  }

  drawOverlay() {
    this.overlaid = null;
    if (!this.view.clientWidth) return;
    const { context, width, height } = fitCanvas(this.overlay);
    context.clearRect(0, 0, width, height);
    const { store, pictures, video, zoom, pointer } = this.studio;
    const { state } = store;
    for (const box of this.boxes()) {
      const place = transform(box, video, zoom);
      const picture = pictures.current[box.view];
      const hasFaces = this.tap === "original" && state.compare !== "difference" && !(state.isPainting && this.tap === state.main);
      if (hasFaces && picture?.faces && this.plane(box.view)) drawFaces(context, picture.faces, place, box);
      if (pointer && !this.studio.painter?.drawBrush(this, context, pointer, place)) drawCrosshair(context, pointer, place, box);
      if (this.tap === "depth" && state.compare !== "difference" && this.plane(box.view)) drawDepthScale(context, box, state);
      if (state.compare === "side") drawLabel(context, box.view.toUpperCase(), box.x + 6, box.y + 6);
    }
    this.#labelMissing(context, width, height);
    if (state.compare === "wipe" && !state.isFlipped) drawWipe(context, Math.round(width * state.wipe), width, height);
    if (state.isFlipped) drawLabel(context, this.studio.shownView.toUpperCase(), 6, 6);
    const first = this.plane("a");
    if (state.compare === "difference" && !state.isFlipped && this.difference && first) {
      const unit = first.format === "depth16" ? "mm" : "of 255";
      drawHeatScale(context, { width, height }, differenceScale(first, state.gain), unit, this.difference);
    }
  }

  /// The picture as it is seen, on a canvas of its own. Where it has A and B, each is named.
  snapshot() {
    const { width, height } = this.canvas;
    const copy = el("canvas", { width, height });
    const context = copy.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    const { state } = this.studio.store;
    if (state.compare === "off" || state.isFlipped) return copy;
    context.scale(width / this.view.clientWidth, height / this.view.clientHeight);
    const name = view => `${view.toUpperCase()}: ${state[view].name || state[view].preset}`;
    if (state.compare === "side") for (const box of this.boxes()) drawLabel(context, name(box.view), box.x + 6, box.y + 6);
    else if (state.compare === "difference") drawLabel(context, `${name("a")}, ${name("b")}: difference × ${state.gain}`, 6, 6);
    else {
      const cut = this.view.clientWidth * state.wipe;
      if (cut > 30) drawLabel(context, name("a"), cut - 8, 6, "right");
      if (this.view.clientWidth - cut > 30) drawLabel(context, name("b"), cut + 9, 6);
    }
    return copy;
  }

  /// The video's pixel under a point of the tile; null outside the video.
  videoPoint(x, y) {
    const box = this.boxes().find(each => x >= each.x && x < each.x + each.width && y >= each.y && y < each.y + each.height);
    if (!box) return null;
    const { video, zoom } = this.studio;
    const place = transform(box, video, zoom);
    const point = { x: (x - place.x) / place.scale, y: (y - place.y) / place.scale };
    return point.x >= 0 && point.y >= 0 && point.x < video.width && point.y < video.height ? point : null;
  }
}
