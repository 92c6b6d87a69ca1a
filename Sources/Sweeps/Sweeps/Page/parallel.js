// Parallel coordinates: a line for each setting, an axis for each varied parameter and score. Dragging along an axis keeps
// only the settings that pass there.

import { figureOf, numberOf, plotCanvas, plotColor } from "./sweepdata.js";

const TOP = 40, BOTTOM = 20, SIDE = 46, REACH = 14;
/// The least width of an axis, for its figures. A plot with more axes than fit is scrolled.
const LEAST_ROOM = 74;

export class ParallelPlot {
  #canvas = document.createElement("canvas");
  #above = document.createElement("canvas");
  #data = null;
  #axes = [];
  #brushes = new Map();
  #drag = null;
  #marked = new Map();

  /// - Parameter hooks: `hover(index or null)`, `choose(index)`, `brush()` after the kept settings changed.
  constructor(box, hooks) {
    this.box = box;
    this.hooks = hooks;
    this.#above.className = "above";
    this.#canvas.setAttribute("role", "img");
    this.#above.setAttribute("aria-hidden", "true");
    box.append(this.#canvas, this.#above);
    this.#above.addEventListener("pointermove", event => this.#move(event));
    this.#above.addEventListener("pointerdown", event => this.#press(event));
    this.#above.addEventListener("pointerup", event => this.#release(event));
    this.#above.addEventListener("pointerleave", () => { if (!this.#drag) this.hooks.hover(null); });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  get hasBrush() { return this.#brushes.size > 0; }

  clear() {
    this.#brushes.clear();
    this.draw();
    this.hooks.brush();
  }

  /// Whether a setting passes through all that is kept.
  keeps(row) {
    return this.#axes.every(axis => {
      const brush = this.#brushes.get(axis.name);
      const at = brush ? axis.place(row) : null;
      return !brush || (at !== null && at >= brush[0] && at <= brush[1]);
    });
  }

  show(data) {
    this.#data = data;
    const rows = data.list.filter(row => row.s !== 1);
    const varied = data.tried.map((name, place) => textAxis(name, rows.map(row => row.t[place]), row => row.t[place]));
    const scores = data.filled.map(({ name, unit, better, place }) =>
      numberAxis(name, unit, better, rows.map(row => row.m[place]), row => row.m[place], data.decimals(place)));
    this.#axes = [...varied, ...scores];
    this.box.style.minWidth = `${2 * SIDE + LEAST_ROOM * (this.#axes.length - 1)}px`;
    this.#canvas.setAttribute("aria-label",
      `Parallel coordinates of ${rows.length} settings: ${this.#axes.map(axis => axis.name).join(", ")}. The table has the same values.`);
    this.draw();
  }

  /// - Parameter marked: colours by index; their lines are drawn above the others.
  mark(marked) {
    this.#marked = marked;
    this.#drawAbove();
  }

  #x(place, width) {
    return this.#axes.length < 2 ? width / 2 : SIDE + (width - 2 * SIDE) * place / (this.#axes.length - 1);
  }

  draw() {
    if (!this.#data || this.box.clientWidth === 0) return;
    const { context, width, height } = plotCanvas(this.#canvas);
    const rows = this.#data.list.filter(row => row.s !== 1);
    const [line, dim] = [plotColor("accent"), plotColor("line")];
    const kept = [], left = [];
    for (const row of rows) (this.keeps(row) ? kept : left).push(row);
    context.lineWidth = 1;
    context.strokeStyle = dim;
    context.globalAlpha = 0.6;
    for (const row of left) this.#line(context, row, width, height);
    context.strokeStyle = line;
    context.globalAlpha = Math.max(0.12, Math.min(0.8, 14 / Math.max(1, kept.length)));
    for (const row of kept) this.#line(context, row, width, height);
    context.globalAlpha = 1;
    this.#drawAxes(context, width, height);
    this.#drawAbove();
  }

  #line(context, row, width, height) {
    context.setLineDash(row.s === 3 ? [3, 3] : []);
    context.beginPath();
    let isDown = false;
    this.#axes.forEach((axis, place) => {
      const at = axis.place(row);
      if (at === null) { isDown = false; return; }
      const [x, y] = [this.#x(place, width), TOP + (1 - at) * (height - TOP - BOTTOM)];
      if (isDown) context.lineTo(x, y); else context.moveTo(x, y);
      isDown = true;
    });
    context.stroke();
    context.setLineDash([]);
  }

  #drawAxes(context, width, height) {
    const [text, quiet, surface] = [plotColor("text"), plotColor("quiet"), plotColor("surface")];
    const font = getComputedStyle(this.box).fontFamily;
    const room = (width - 2 * SIDE) / Math.max(1, this.#axes.length - 1);
    this.#axes.forEach((axis, place) => {
      const x = this.#x(place, width);
      context.strokeStyle = quiet;
      context.beginPath();
      context.moveTo(x, TOP);
      context.lineTo(x, height - BOTTOM);
      context.stroke();
      const brush = this.#brushes.get(axis.name);
      if (brush) {
        const [high, low] = [brush[1], brush[0]].map(at => TOP + (1 - at) * (height - TOP - BOTTOM));
        context.fillStyle = plotColor("accent");
        context.globalAlpha = 0.35;
        context.fillRect(x - 5, high, 10, Math.max(2, low - high));
        context.globalAlpha = 1;
      }
      context.textAlign = place === 0 ? "left" : place === this.#axes.length - 1 ? "right" : "center";
      const at = place === 0 ? x - SIDE + 4 : place === this.#axes.length - 1 ? x + SIDE - 4 : x;
      const label = (name, y, style, width, weight = "") => {
        context.font = `${weight} 11px ${font}`;
        context.fillStyle = style;
        context.fillText(shortened(context, name, width), at, y);
      };
      // Names that would touch take turns in two lines.
      const takesTurns = room < 110;
      label(axis.title, takesTurns && place % 2 ? 24 : 12, text, (takesTurns ? 2 * room : room) - 8, "600");
      context.textAlign = "left";
      for (const [value, y] of axis.ticks.map(([name, share]) => [name, TOP + (1 - share) * (height - TOP - BOTTOM)])) {
        context.font = `10px ${font}`;
        context.lineWidth = 3;
        context.strokeStyle = surface;
        const isLast = place === this.#axes.length - 1;
        context.textAlign = isLast ? "right" : "left";
        const from = isLast ? x - 5 : x + 5;
        const words = shortened(context, value, Math.max(26, room - 12));
        context.strokeText(words, from, y + 3);
        context.fillStyle = quiet;
        context.fillText(words, from, y + 3);
        context.lineWidth = 1;
      }
      context.textAlign = place === 0 ? "left" : place === this.#axes.length - 1 ? "right" : "center";
      if (axis.note) label(axis.note, height - 4, quiet, room - 8);
    });
  }

  #drawAbove() {
    if (!this.#data || this.box.clientWidth === 0) return;
    const { context, width, height } = plotCanvas(this.#above);
    for (const [index, style] of this.#marked) {
      const row = this.#data.rows.get(index);
      if (!row || row.s === 1) continue;
      context.strokeStyle = plotColor(style);
      context.lineWidth = 2.5;
      this.#line(context, row, width, height);
    }
  }

  #place(event) {
    const box = this.#above.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const share = Math.min(1, Math.max(0, 1 - (y - TOP) / (box.height - TOP - BOTTOM)));
    const axis = this.#axes.findIndex((_, place) => Math.abs(this.#x(place, box.width) - x) <= REACH);
    return { x, y, share, axis, width: box.width, height: box.height };
  }

  #press(event) {
    const { axis, share } = this.#place(event);
    if (axis < 0) {
      const index = this.#nearest(event);
      if (index !== null) this.hooks.choose(index);
      return;
    }
    this.#above.setPointerCapture(event.pointerId);
    this.#drag = { axis, from: share, hasMoved: false };
  }

  #move(event) {
    if (!this.#drag) {
      this.#above.style.cursor = this.#place(event).axis < 0 ? "default" : "crosshair";
      return this.hooks.hover(this.#nearest(event));
    }
    const { share } = this.#place(event);
    this.#drag.hasMoved ||= Math.abs(share - this.#drag.from) > 0.02;
    if (!this.#drag.hasMoved) return;
    this.#brushes.set(this.#axes[this.#drag.axis].name, [Math.min(share, this.#drag.from), Math.max(share, this.#drag.from)]);
    this.draw();
    this.hooks.brush();
  }

  #release() {
    if (this.#drag && !this.#drag.hasMoved) {
      this.#brushes.delete(this.#axes[this.#drag.axis].name);
      this.draw();
      this.hooks.brush();
    }
    this.#drag = null;
  }

  /// The setting whose line passes nearest, within a few pixels.
  #nearest(event) {
    const { x, y, width, height } = this.#place(event);
    let [best, least] = [null, 6];
    for (const row of this.#data?.list ?? []) {
      if (row.s === 1 || !this.keeps(row)) continue;
      for (let place = 0; place + 1 < this.#axes.length; place++) {
        const [left, right] = [this.#x(place, width), this.#x(place + 1, width)];
        if (x < left || x > right) continue;
        const [a, b] = [this.#axes[place].place(row), this.#axes[place + 1].place(row)];
        if (a === null || b === null) continue;
        const at = a + (b - a) * (x - left) / (right - left);
        const distance = Math.abs(TOP + (1 - at) * (height - TOP - BOTTOM) - y);
        if (distance < least) [best, least] = [row.i, distance];
      }
    }
    return best;
  }
}

function shortened(context, text, room) {
  let words = text;
  while (words.length > 3 && context.measureText(words).width > room) words = `${words.slice(0, -2)}…`;
  return words;
}

function textAxis(name, texts, valueOf) {
  const title = name.includes(".") ? name.slice(name.indexOf(".") + 1) : name;
  const numbers = texts.map(numberOf);
  if (texts.length > 0 && numbers.every(Number.isFinite)) {
    const words = new Map(texts.map((text, place) => [numbers[place], text]));
    const axis = numberAxis(name, "", 0, numbers, row => numberOf(valueOf(row)), 3);
    const known = [...words].sort((a, b) => a[0] - b[0]);
    const ticks = known.length <= 7 ? known : [known[0], known.at(-1)];
    return { ...axis, title, note: "", ticks: ticks.map(([number, text]) => [text, axis.share(number)]) };
  }
  const all = [...new Set(texts)].sort();
  const share = text => (all.length < 2 ? 0.5 : all.indexOf(text) / (all.length - 1));
  return {
    name, title, note: "", place: row => (all.includes(valueOf(row)) ? share(valueOf(row)) : null),
    ticks: all.slice(0, 12).map(text => [text === "" ? "none" : text.split("/").at(-1), share(text)]),
  };
}

function numberAxis(name, unit, better, values, valueOf, decimals) {
  const known = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const share = value => (high > low ? (value - low) / (high - low) : 0.5);
  return {
    name, title: name, share, note: [unit, better > 0 ? "↑" : better < 0 ? "↓" : ""].filter(Boolean).join(" "),
    place: row => { const value = valueOf(row); return Number.isFinite(value) ? share(value) : null; },
    ticks: known.length === 0 ? [] : high > low ? [[figureOf(low, decimals), 0], [figureOf(high, decimals), 1]] : [[figureOf(low, decimals), 0.5]],
  };
}
