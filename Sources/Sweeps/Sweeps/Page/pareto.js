// Two scores against each other, with the settings that are on the Pareto front.

import { figureOf, plotCanvas, plotColor } from "./sweepdata.js";

const NAME = 18, RIGHT = 14, TOP = 12, BOTTOM = 34, REACH = 14;

export class ParetoPlot {
  #canvas = document.createElement("canvas");
  #data = null;
  #marked = new Map();
  #filter = () => true;
  #focus = null;
  /// Room for the figures of the axis upwards.
  #left = 0;

  /// - Parameters:
  ///   - choices: two select elements, of the scores to the right and upwards.
  ///   - hooks: `hover(index or null)`, `choose(index)`.
  constructor(box, [xChoice, yChoice], hooks) {
    Object.assign(this, { box, xChoice, yChoice, hooks });
    box.append(this.#canvas);
    this.#canvas.setAttribute("role", "application");
    this.#canvas.tabIndex = 0;
    for (const choice of [xChoice, yChoice]) choice.addEventListener("change", () => { choice.dataset.isChosen = "1"; this.draw(); });
    this.#canvas.addEventListener("pointermove", event => hooks.hover(this.#nearest(event)));
    this.#canvas.addEventListener("pointerleave", () => hooks.hover(null));
    this.#canvas.addEventListener("click", event => {
      const index = this.#nearest(event);
      if (index !== null) hooks.choose(index);
    });
    this.#canvas.addEventListener("keydown", event => this.#key(event));
    this.#canvas.addEventListener("blur", () => { this.#focus = null; hooks.hover(null); });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  get x() { return Number(this.xChoice.value); }
  get y() { return Number(this.yChoice.value); }
  get front() { return this.#data ? this.#data.front(this.x, this.y) : []; }

  show(data) {
    this.#data = data;
    const filled = data.filled.filter(({ better }) => better !== 0);
    for (const [choice, standard] of [[this.xChoice, filled.find(each => each.name === "cost") ?? filled[1]], [this.yChoice, filled[0]]]) {
      if (filled.some(({ place }) => ![...choice.options].some(option => option.value === String(place)))) {
        const before = choice.value;
        choice.replaceChildren(...filled.map(({ name, place }) => new Option(name, String(place))));
        const isKept = choice.dataset.isChosen && filled.some(({ place }) => String(place) === before);
        choice.value = isKept ? before : String(standard?.place ?? filled[0]?.place ?? "");
      }
    }
    this.draw();
  }

  /// - Parameter filter: rows that are not kept are dimmed.
  filter(filter) {
    this.#filter = filter;
    this.draw();
  }

  mark(marked) {
    this.#marked = marked;
    this.draw();
  }

  /// A score's axis: the share of its length at which a value is, and the values that it names, which are those of points.
  #axis(place) {
    const values = this.#points.map(row => row.m[place]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = (high - low || Math.abs(high) || 1) * 0.05;
    const share = value => (value - low + margin) / (high - low + 2 * margin);
    const decimals = this.#data.decimals(place);
    const named = high > low ? [low, (low + high) / 2, high] : [low];
    return { share, ticks: named.map(value => [figureOf(value, decimals), share(value)]) };
  }

  #scales(width, height) {
    const { x, y } = this;
    const axes = [this.#axis(x), this.#axis(y)];
    const right = share => this.#left + share * (width - this.#left - RIGHT);
    const up = share => height - BOTTOM - share * (height - TOP - BOTTOM);
    return { axes, right, up, at: row => [right(axes[0].share(row.m[x])), up(axes[1].share(row.m[y]))] };
  }

  /// The figures of both axes.
  get figures() { return [this.x, this.y].map(place => this.#axis(place).ticks.map(([text]) => text)); }

  get #points() {
    return (this.#data?.list ?? []).filter(row => row.s !== 1 && Number.isFinite(row.m[this.x]) && Number.isFinite(row.m[this.y]));
  }

  draw() {
    if (!this.#data || this.box.clientWidth === 0) return;
    const { context, width, height } = plotCanvas(this.#canvas);
    const rows = this.#points;
    const [column, row] = [this.#data.columns[this.x], this.#data.columns[this.y]];
    if (rows.length === 0 || !column || !row) return;
    const [text, quiet, line] = ["text", "quiet", "line"].map(plotColor);
    context.font = `10px ${getComputedStyle(this.box).fontFamily}`;
    const { axes: [across, upwards], right, up, at } = this.#scales(width, height);
    const widths = upwards.ticks.map(([figure]) => context.measureText(figure).width);
    this.#left = NAME + Math.ceil(Math.max(...widths)) + 5;
    context.strokeStyle = line;
    context.strokeRect(this.#left, TOP, width - this.#left - RIGHT, height - TOP - BOTTOM);
    context.fillStyle = quiet;
    context.textAlign = "center";
    for (const [figure, share] of across.ticks) context.fillText(figure, right(share), height - BOTTOM + 13);
    context.textAlign = "right";
    for (const [figure, share] of upwards.ticks) context.fillText(figure, this.#left - 5, up(share) + 3);
    const named = ({ name, unit, better }) => `${name}${unit ? `, ${unit}` : ""}, ${better > 0 ? "higher" : "lower"} is better`;
    context.fillStyle = text;
    context.textAlign = "center";
    context.fillText(named(column), this.#left + (width - this.#left - RIGHT) / 2, height - 5);
    context.save();
    context.translate(10, TOP + (height - TOP - BOTTOM) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(named(row), 0, 0);
    context.restore();
    this.#drawFront(context, at);
    const dot = plotColor("quiet");
    for (const each of rows) {
      const [px, py] = at(each);
      context.globalAlpha = this.#filter(each) ? 0.75 : 0.15;
      context.beginPath();
      context.arc(px, py, each.s === 3 ? 2 : 3, 0, 2 * Math.PI);
      context.fillStyle = context.strokeStyle = dot;
      if (each.s === 3) context.stroke(); else context.fill();
    }
    context.globalAlpha = 1;
    const front = plotColor("front");
    for (const each of this.front) this.#dot(context, at(each), 4, front);
    for (const [index, style] of this.#marked) {
      const each = this.#data.rows.get(index);
      if (each && rows.includes(each)) this.#dot(context, at(each), 6, plotColor(style));
    }
    this.#canvas.setAttribute("aria-label", `${row.name} against ${column.name} of ${rows.length} settings, `
      + `${this.front.length} on the front. Arrow keys move between settings, Enter opens one.`);
  }

  #dot(context, [x, y], size, style) {
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fillStyle = style;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = plotColor("surface");
    context.stroke();
    context.lineWidth = 1;
  }

  #drawFront(context, at) {
    const points = this.front.map(at);
    context.strokeStyle = plotColor("front");
    context.lineWidth = 1.6;
    context.beginPath();
    points.forEach(([x, y], place) => {
      if (place === 0) return context.moveTo(x, y);
      // What is reached between two settings of the front is the worse of both.
      context.lineTo(points[place - 1][0], y);
      context.lineTo(x, y);
    });
    context.stroke();
    context.lineWidth = 1;
  }

  #nearest(event) {
    const box = this.#canvas.getBoundingClientRect();
    const rows = this.#points;
    if (rows.length === 0) return null;
    const { at } = this.#scales(box.width, box.height);
    let [best, least] = [null, REACH];
    for (const row of rows) {
      const [x, y] = at(row);
      const distance = Math.hypot(x - (event.clientX - box.left), y - (event.clientY - box.top));
      if (distance < least) [best, least] = [row.i, distance];
    }
    return best;
  }

  #key(event) {
    const rows = this.#points.sort((p, q) => p.m[this.x] - q.m[this.x] || p.i - q.i);
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    if (rows.length === 0) return;
    if (event.key in steps) {
      const place = rows.findIndex(row => row.i === this.#focus);
      const next = rows[(place + steps[event.key] + rows.length + (place < 0 && steps[event.key] < 0 ? 1 : 0)) % rows.length];
      this.#focus = next.i;
      this.hooks.hover(next.i);
    } else if (event.key === "Enter" && this.#focus !== null) {
      this.hooks.choose(this.#focus);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
