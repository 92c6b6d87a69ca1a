// A table of settings that is sorted by its heads.

import { figureOf } from "./sweepdata.js";

const STEP = 100;

export class SettingsTable {
  #data = null;
  #key = null;
  #isDescending = false;
  #filter = () => true;
  #marked = new Map();
  #limit = STEP;
  #isPressed = false;
  /// Whether it was to be drawn while it was pressed.
  #isDue = false;

  /// - Parameters:
  ///   - table: an empty table element.
  ///   - hooks: `hover(index or null)`; `cells(row)` gives nodes for a last cell of each row; `state(row)` a word, or nothing.
  constructor(table, hooks) {
    this.table = table;
    this.hooks = hooks;
    table.append(document.createElement("thead"), document.createElement("tbody"));
    table.tBodies[0].addEventListener("pointerover", event => hooks.hover(indexOf(event.target)));
    table.tBodies[0].addEventListener("focusin", event => hooks.hover(indexOf(event.target)));
    table.addEventListener("pointerleave", () => hooks.hover(null));
    // A row that was replaced during a press would not get the click.
    table.addEventListener("pointerdown", event => { this.#isPressed = event.button === 0; });
    for (const kind of ["pointerup", "pointercancel"]) {
      addEventListener(kind, () => setTimeout(() => {
        if (!this.#isPressed) return;
        this.#isPressed = false;
        if (this.#isDue) this.draw();
      }));
    }
  }

  show(data) {
    this.#data = data;
    if (this.#key === null || (this.#key[0] === "m" && !data.columns[Number(this.#key.slice(1))])) {
      // The best by the first score come first.
      const first = data.columns.findIndex(column => column.better !== 0);
      [this.#key, this.#isDescending] = first < 0 ? ["n", false] : [`m${first}`, data.columns[first].better > 0];
    }
    this.draw();
  }

  filter(filter) {
    this.#filter = filter;
    this.draw();
  }

  mark(marked) {
    this.#marked = marked;
    for (const row of this.table.tBodies[0].rows) this.#markRow(row);
  }

  #markRow(row) {
    const style = this.#marked.get(Number(row.dataset.index));
    if (style) row.dataset.marked = style;
    else delete row.dataset.marked;
  }

  draw() {
    const data = this.#data;
    this.#isDue = this.#isPressed;
    if (!data || this.#isPressed) return;
    const columns = data.filled;
    const heads = [["n", "Setting", "", 0], ...data.tried.map((name, place) => [`t${place}`, name, "", 0]),
      ...columns.map(({ name, unit, better, place }) => [`m${place}`, name, unit, better])];
    const focused = document.activeElement?.closest?.("[data-head], tr[data-index]");
    const button = document.activeElement?.dataset?.act;
    const [headKey, index] = [focused?.dataset.head, focused?.dataset.index];
    const top = make("tr");
    for (const [key, name, unit, better] of heads) {
      const head = make("th", { scope: "col" });
      if (key === this.#key) head.setAttribute("aria-sort", this.#isDescending ? "descending" : "ascending");
      const sort = make("button", { type: "button", "data-head": key }, `${name}${better > 0 ? " ↑" : better < 0 ? " ↓" : ""}`);
      // A narrow table breaks names of parameters after their group.
      const dot = name.indexOf(".") + 1;
      if (dot > 0) sort.firstChild.splitText(dot).before(make("wbr"));
      sort.addEventListener("click", () => this.#sort(key, better));
      head.append(sort);
      if (unit) head.append(make("span", { class: "quiet" }, unit));
      top.append(head);
    }
    top.append(make("th", { scope: "col" }, make("span", { class: "visually-hidden" }, "Open")));
    this.table.tHead.replaceChildren(top);
    const rows = data.sorted(this.#key, this.#isDescending).filter(this.#filter);
    const decimals = new Map(columns.map(({ place }) => [place, data.decimals(place)]));
    this.table.tBodies[0].replaceChildren(...rows.slice(0, this.#limit).map(row => this.#row(row, columns, decimals)));
    if (rows.length > this.#limit) {
      const more = make("button", { type: "button" }, `Show ${Math.min(STEP, rows.length - this.#limit)} more of ${rows.length}`);
      more.addEventListener("click", () => { this.#limit += STEP; this.draw(); });
      this.table.tBodies[0].append(make("tr", {}, make("td", { colspan: heads.length + 1 }, more)));
    }
    const selector = headKey ? `[data-head="${headKey}"]` : index && button ? `tr[data-index="${index}"] [data-act="${button}"]` : null;
    if (selector) this.table.querySelector(selector)?.focus();
  }

  #sort(key, better) {
    if (this.#key === key) this.#isDescending = !this.#isDescending;
    else [this.#key, this.#isDescending] = [key, better > 0];
    this.draw();
  }

  #row(row, columns, decimals) {
    const element = make("tr", { "data-index": row.i });
    element.append(make("th", { scope: "row" }, String(row.n), ...[this.hooks.state?.(row)].filter(Boolean)));
    for (const text of row.t) element.append(make("td", { class: "number" }, text === "" ? "none" : text));
    if (row.s === 1) element.append(make("td", { class: "failed", colspan: Math.max(1, columns.length) }, `Failed. ${row.e ?? ""}`));
    else for (const { place } of columns) element.append(make("td", { class: "number" }, figureOf(row.m[place], decimals.get(place))));
    element.append(make("td", { class: "acts" }, ...this.hooks.cells(row)));
    this.#markRow(element);
    return element;
  }
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function indexOf(target) {
  const row = target.closest?.("tr[data-index]");
  return row ? Number(row.dataset.index) : null;
}
