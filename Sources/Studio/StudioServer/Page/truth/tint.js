// A frame's truth over the picture: a tint on the background, hatching where nothing is judged, and the person's outline.

import { transform } from "../parts/geometry.js";
import { union } from "./brush.js";

const BACKGROUND = [20, 70, 255], IGNORED = [255, 176, 0], BETWEEN = [60, 44, 0];
/// A matte's value from which on a pixel counts as the person.
const PERSON = 128;
const LIGHT = "rgba(255,255,255,0.95)", DARK = "rgba(0,0,0,0.75)";

const pack = ([red, green, blue], alpha) => ((Math.round(alpha) << 24) | (blue << 16) | (green << 8) | red) >>> 0;

export class Tint {
  /// 0 to 1.
  opacity = 0.55;
  #canvas = document.createElement("canvas");
  #image = null;
  #pixels = null;

  /// Converts a rectangle of a sheet's planes.
  update(paper, { left, top, right, bottom }) {
    const { width, height, matte, ignored } = paper;
    if (this.#image?.width !== width || this.#image?.height !== height) {
      [this.#canvas.width, this.#canvas.height] = [width, height];
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
    const { opacity } = this;
    const tints = Uint32Array.from({ length: 256 }, (_, value) => pack(BACKGROUND, (255 - value) * opacity));
    const hatch = [pack(IGNORED, opacity ? 70 + 150 * opacity : 0), pack(BETWEEN, 200 * opacity)];
    const period = Math.max(4, Math.round(width / 80));
    for (let y = top; y < bottom; y++) {
      for (let x = left, i = y * width + left; x < right; x++, i++) {
        this.#pixels[i] = ignored[i] ? hatch[(x + y) % period < period / 2 ? 0 : 1] : tints[matte[i]];
      }
    }
    this.#canvas.getContext("2d").putImageData(this.#image, 0, 0, left, top, right - left, bottom - top);
  }

  /// Draws a rectangle of the picture, and no pixel of the canvas outside it.
  draw(context, box, video, zoom, paper, area) {
    const place = transform(box, video, zoom);
    const { scale, x, y } = place;
    const seen = {
      left: Math.max(0, area.left, Math.floor((box.x - x) / scale)),
      top: Math.max(0, area.top, Math.floor((box.y - y) / scale)),
      right: Math.min(video.width, area.right, Math.ceil((box.x + box.width - x) / scale)),
      bottom: Math.min(video.height, area.bottom, Math.ceil((box.y + box.height - y) / scale)),
    };
    if (seen.left >= seen.right || seen.top >= seen.bottom) return;
    // Smoothing and lines reach over a pixel's edge.
    const reach = 2 + 3 / scale;
    // Whole pixels of the screen, so that no seams stay.
    const ratio = context.getTransform().a;
    const before = value => Math.floor(value * ratio) / ratio, after = value => Math.ceil(value * ratio) / ratio;
    const [left, top] = [before(x + (seen.left - reach) * scale), before(y + (seen.top - reach) * scale)];
    const [right, bottom] = [after(x + (seen.right + reach) * scale), after(y + (seen.bottom + reach) * scale)];
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    context.clearRect(left, top, right - left, bottom - top);
    context.imageSmoothingEnabled = scale < 2;
    context.drawImage(this.#canvas, x, y, video.width * scale, video.height * scale);
    const wider = Math.ceil(reach + 3 / scale) + 1;
    const lines = outline(paper, union(seen, {
      left: Math.max(0, seen.left - wider), top: Math.max(0, seen.top - wider),
      right: Math.min(video.width, seen.right + wider), bottom: Math.min(video.height, seen.bottom + wider),
    }), place);
    context.lineCap = "square";
    for (const [style, thick] of [[DARK, 3], [LIGHT, 1.25]]) {
      context.strokeStyle = style;
      context.lineWidth = thick;
      context.stroke(lines);
    }
    context.restore();
  }
}

/// The borders between pixels of the person and others, within a rectangle.
function outline({ width, matte, ignored }, { left, top, right, bottom }, { scale, x, y }) {
  const path = new Path2D();
  const isPerson = (px, py) => matte[py * width + px] >= PERSON && !ignored[py * width + px];
  // Edges in one direction: runs of pixels along it whose neighbours across it differ.
  const trace = (first, end, from, to, differs, line) => {
    for (let across = first + 1; across < end; across++) {
      for (let along = from, start = -1; along <= to; along++) {
        const does = along < to && differs(across, along);
        if (does && start < 0) start = along;
        else if (!does && start >= 0) {
          line(across, start, along);
          start = -1;
        }
      }
    }
  };
  trace(top, bottom, left, right, (py, px) => isPerson(px, py) !== isPerson(px, py - 1), (py, from, to) => {
    path.moveTo(x + from * scale, y + py * scale);
    path.lineTo(x + to * scale, y + py * scale);
  });
  trace(left, right, top, bottom, (px, py) => isPerson(px, py) !== isPerson(px - 1, py), (px, from, to) => {
    path.moveTo(x + px * scale, y + from * scale);
    path.lineTo(x + px * scale, y + to * scale);
  });
  return path;
}
