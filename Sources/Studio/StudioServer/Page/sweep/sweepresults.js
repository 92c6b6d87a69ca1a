// A sweep's settings as they are scored: table, parallel coordinates and Pareto front, and the way of a setting to A or B.

import { StudioError } from "../parts/api.js";
import { announce, copyText, el, onTheme } from "../parts/dom.js";
import { named } from "../parts/setting.js";
import { ParallelPlot } from "../shared/parallel.js";
import { ParetoPlot } from "../shared/pareto.js";
import { SettingsTable } from "../shared/settingstable.js";
import { SweepData } from "../shared/sweepdata.js";

export class SweepResults {
  #studio;
  #data = null;
  #setting = null;
  #hovered = null;
  #opened = { a: null, b: null };
  #title = "";

  constructor(studio) {
    this.#studio = studio;
    this.problem = el("p", { class: "control-problem", role: "alert", hidden: true });
    this.notes = el("div", { class: "sweep-notes quiet" });
    this.where = el("p", { class: "sweep-where" });
    this.lines = el("div", { class: "parallel-plot" });
    this.points = el("div", { class: "pareto-plot" });
    const x = el("select", { "aria-label": "Score to the right" }), y = el("select", { "aria-label": "Score upwards" });
    this.table = el("table", { id: "sweep-table", class: "settings" });
    this.clear = el("button", { type: "button", class: "link", hidden: true, onclick: () => this.parallel.clear() }, "Show all settings");
    this.element = el("div", { class: "sweep-results empty" }, this.problem,
      el("p", { class: "sweep-none" }, "No setting is scored yet. A setting is shown when it has played the whole span."),
      el("div", { class: "sweep-plots" },
        el("figure", {}, el("figcaption", {}, "Drag along an axis to keep settings; click a line to open it as B. ", this.clear), el("div", { class: "plot-scroll" }, this.lines)),
        el("figure", {}, el("figcaption", {}, el("label", {}, y), " against ", el("label", {}, x)), this.points)),
      el("div", { class: "sweep-scroll", tabindex: "0", role: "region", "aria-label": "Settings of the sweep" }, this.table), this.where, this.notes);
    const hooks = { hover: index => this.#hover(index), choose: index => this.open(index, "b"), brush: () => this.#brush() };
    this.parallel = new ParallelPlot(this.lines, hooks);
    this.pareto = new ParetoPlot(this.points, [x, y], hooks);
    this.list = new SettingsTable(this.table, { hover: hooks.hover, cells: row => this.#cells(row), state: row => this.#state(row) });
    studio.store.on(["a", "b"], () => this.#mark());
    onTheme(() => this.draw());
  }

  get count() { return this.#data?.rows.size ?? 0; }

  /// Settings that a search has scored on some frames only.
  get partialCount() { return this.#data?.list.filter(row => row.s === 3).length ?? 0; }

  begin(answer) {
    this.#data = new SweepData(answer);
    this.#setting = answer.setting;
    this.#title = answer.path?.split("/").at(-1).replace(/\.sqlite$/, "") || "sweep";
    this.#opened = { a: null, b: null };
    this.draw();
    // Those of another sweep would hide settings of this one.
    if (this.parallel.hasBrush) this.parallel.clear();
  }

  add(answer, isRunning) {
    this.#data.merge(answer.rows);
    this.problem.hidden = !answer.error;
    this.problem.textContent = answer.error ? new StudioError(0, answer.error).text : "";
    this.element.classList.toggle("failed", Boolean(answer.error));
    this.notes.replaceChildren(...(answer.notes ?? []).map(note => el("p", {}, note)));
    const code = (title, text) => [el("button", { type: "button", class: "link", onclick: () => copyText(text), title: text }, title), " "];
    this.where.replaceChildren(...(answer.path ? [
      "Results: ", el("code", { id: "sweep-path" }, answer.path), " ",
      ...(answer.command ? code(isRunning || answer.phase === "done" ? "Copy the command line" : "Copy the command line that goes on", answer.command) : []),
      ...(answer.report ? code("Copy that of a report", answer.report) : []),
    ] : []));
    if (answer.rows.length > 0) this.draw();
  }

  draw() {
    if (!this.#data || this.element.hidden) return;
    this.element.classList.toggle("empty", this.count === 0);
    this.parallel.show(this.#data);
    this.pareto.show(this.#data);
    this.list.show(this.#data);
    this.#mark();
  }

  #state(row) {
    if (row.s === 3) return el("span", { class: "quiet" }, ` ${row.f} ${row.f === 1 ? "frame" : "frames"}`);
    return this.pareto.front.some(each => each.i === row.i) ? el("span", { class: "front-mark" }, " front") : null;
  }

  #cells(row) {
    return ["a", "b"].map(view => el("button", {
      type: "button", "data-act": view, "aria-label": `Open setting ${row.n} as ${view.toUpperCase()}`, title: `Open setting ${row.n} as ${view.toUpperCase()}`,
      onclick: () => this.open(row.i, view),
    }, view.toUpperCase()));
  }

  /// Makes a setting A or B, and shows it beside the other.
  open(index, view) {
    const { store, declarations, session } = this.#studio;
    const row = this.#data.rows.get(index);
    const values = { ...this.#setting.values };
    this.#data.tried.forEach((name, place) => { values[name] = row.t[place]; });
    // Only files that the program was started with can be shown.
    const { path: files } = { path: session.backgrounds.map(each => each.path) };
    if (values["composite.background"] && !files.includes(values["composite.background"])) {
      values["composite.background"] = declarations.value(store.setting, "composite.background");
    }
    store.edit({ [view]: named(declarations.setting(this.#setting.preset, values, `${this.#title} ${row.n}`)) });
    this.#opened[view] = { index, setting: store.state[view] };
    store.set({ active: view, ...(store.state.compare === "off" && view === "b" ? { compare: "wipe" } : {}) });
    this.#mark();
    const tried = this.#data.tried.map((name, place) => `${name} ${row.t[place] || "none"}`).join(", ");
    announce(`Setting ${row.n} is ${view.toUpperCase()}: ${tried}.`, false, undefined, { title: "Undo", key: "Ctrl Z", act: () => store.undo() });
  }

  #hover(index) {
    if (this.#hovered === index) return;
    this.#hovered = index;
    this.#mark();
  }

  #brush() {
    this.clear.hidden = !this.parallel.hasBrush;
    const keeps = row => this.parallel.keeps(row);
    this.list.filter(keeps);
    this.pareto.filter(keeps);
  }

  #mark() {
    if (!this.#data || this.element.hidden) return;
    const marked = new Map();
    for (const [view, style] of [["a", "view-a"], ["b", "view-b"]]) {
      const opened = this.#opened[view];
      if (opened && this.#studio.store.state[view] === opened.setting) marked.set(opened.index, style);
    }
    if (this.#hovered !== null) marked.set(this.#hovered, "text");
    this.parallel.mark(marked);
    this.pareto.mark(marked);
    this.list.mark(marked);
  }
}
