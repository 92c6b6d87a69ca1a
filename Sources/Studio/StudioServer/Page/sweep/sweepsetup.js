// What a sweep tries: parameters and their values, scores, and how much; and what that will cost.

import { api } from "../parts/api.js";
import { Channel } from "../parts/channel.js";
import { announce, copyText, el, iconButton } from "../parts/dom.js";
import { curve, stepAt } from "../parts/scale.js";
import { wire } from "../parts/setting.js";
import { duration } from "../parts/time.js";

const WAIT_MILLISECONDS = 500, BUSY_MILLISECONDS = 2000;

export class SweepSetup {
  #studio;
  #terms = [];
  #scores;
  #isRunning = false;
  /// The results of the latest sweep, if it was stopped.
  #stopped = null;
  #forecasts = new Channel(api.sweepForecast);
  #timer = 0;
  /// What the forecast, or the problem, is of.
  #told = "";

  constructor(studio, run) {
    this.#studio = studio;
    const { declarations, session, store } = studio;
    this.kept = `retake-sweep-${session.recording.id}`;
    this.#scores = new Set(session.scores.filter(score => score.standard).map(score => score.name));
    this.choice = el("select", { id: "sweep-add", "aria-label": "Add a parameter to vary" }, el("option", { value: "" }, "Add a parameter"),
      declarations.groups.map(({ name, parameters }) =>
        el("optgroup", { label: name }, parameters.map(parameter => el("option", { value: parameter.name }, parameter.name)))));
    this.choice.addEventListener("change", () => {
      const name = this.choice.value;
      this.choice.value = "";
      this.add(name);
      this.list.querySelector(`[data-term="${name}"] input`)?.focus();
    });
    this.list = el("div", { class: "sweep-terms" });
    this.none = el("p", { class: "quiet" }, "Add a parameter here, or press ", el("b", {}, "⇿"), " at a control.");
    this.best = el("select", { id: "sweep-best", "aria-label": "Search for the best" }, session.scores
      .filter(score => score.better !== "none").map(({ name, better }) => el("option", { value: name }, `${better === "higher" ? "highest" : "lowest"} ${name}`)));
    this.limits = el("input", { type: "text", id: "sweep-limits", placeholder: "flicker<1", spellcheck: "false", autocomplete: "off", "aria-label": "Limits that the best must keep" });
    this.budget = el("input", { type: "text", id: "sweep-budget", placeholder: "3%", spellcheck: "false", autocomplete: "off", "aria-label": "Budget: a share of all settings, or a number of frames" });
    const way = (value, title) => el("label", {}, el("input", { type: "radio", name: "sweep-way", value, checked: value === "grid" }), title);
    this.ways = el("div", { class: "sweep-ways", role: "radiogroup", "aria-label": "How much" },
      way("grid", "Every combination"), way("search", "Search with a budget"));
    this.searching = el("div", { class: "sweep-search" }, el("label", {}, "for the ", this.best), el("label", {}, "within ", this.limits), el("label", {}, "budget ", this.budget));
    this.boxes = el("div", { class: "sweep-scores", role: "group", "aria-label": "Scores of the sweep" }, session.scores.map(({ name, help }) =>
      el("label", { title: help }, el("input", { type: "checkbox", value: name }), name)));
    const some = (title, names) => el("button", { type: "button", class: "link", onclick: () => { this.#scores = new Set(names()); this.#changed(); } }, title);
    this.summary = el("div", { id: "sweep-forecast", role: "status" });
    this.problem = el("p", { id: "sweep-problem", class: "control-problem", role: "alert", hidden: true });
    this.start = el("button", { type: "button", id: "sweep-run", class: "primary", disabled: true, onclick: run }, "Run");
    this.element = el("div", { class: "sweep-setup" },
      el("div", {}, el("h3", {}, "Parameters"), this.list, this.none, this.choice),
      el("div", {}, el("h3", {}, "How much"), this.ways, this.searching,
        el("h3", {}, "Scores ", some("usual", () => session.scores.filter(score => score.standard).map(score => score.name)), some("none", () => []),
          some("those of the timeline", () => store.state.shownScores)), this.boxes),
      el("div", { class: "sweep-cost" }, el("h3", {}, "Forecast"), this.summary, this.problem));
    this.element.addEventListener("input", event => this.#read(event));
    this.element.addEventListener("change", event => this.#read(event));
    for (const parameter of declarations.list) this.#mark(parameter);
    this.#restore();
    store.on(["a", "b", "active", "from", "to"], () => this.#changed(false));
  }

  // MARK: Ranges on controls

  #mark(parameter) {
    const control = this.#studio.panel.control(parameter.name);
    const button = el("button", { type: "button", class: "vary", "aria-pressed": "false", title: `Vary ${parameter.name} in the sweep`, "aria-label": `Vary ${parameter.name} in the sweep` }, "⇿");
    button.addEventListener("click", () => {
      if (this.#terms.some(term => term.name === parameter.name)) this.remove(parameter.name);
      else this.add(parameter.name);
    });
    const note = el("p", { class: "control-note vary-note", hidden: true });
    control.element.append(button, note);
    control.vary = { button, note };
  }

  add(name) {
    if (!name || this.#terms.some(term => term.name === name)) return;
    const { declarations, store } = this.#studio;
    const parameter = declarations.byName.get(name);
    const value = declarations.value(store.setting, name);
    const hasNetwork = declarations.value(store.setting, "mask.model") !== "";
    this.#terms.push({ name, ...firstValues(parameter, value, hasNetwork, declarations, this.#studio.session) });
    this.#changed();
    announce(`${name} is varied.`);
  }

  remove(name) {
    this.#terms = this.#terms.filter(term => term.name !== name);
    this.#changed();
  }

  // MARK: Reading

  #read(event) {
    const row = event.target.closest("[data-term]");
    if (row) {
      const term = this.#terms.find(each => each.name === row.dataset.term);
      const field = event.target.dataset.field;
      if (field) term[field] = event.target.value.trim();
      if (field === "kind") return this.#changed();
    } else if (event.target.type === "checkbox") {
      if (event.target.checked) this.#scores.add(event.target.value);
      else this.#scores.delete(event.target.value);
    } else if (event.target === this.choice) return;
    this.#changed(event.target.type === "radio");
  }

  get #isSearch() { return this.ways.querySelector("input:checked").value === "search"; }

  get wish() {
    const { store, session } = this.#studio;
    const limits = this.limits.value.split(",").map(text => text.trim()).filter(Boolean);
    return {
      from: store.state.from, to: store.state.to, setting: wire(store.setting),
      terms: this.#terms.map(term => ({ name: term.name, kind: term.kind, values: valuesOf(term) })),
      scores: session.scores.map(score => score.name).filter(name => this.#scores.has(name)),
      ...(this.#isSearch ? { best: [...limits, this.best.value].join(","), budget: this.budget.value.trim() } : {}),
    };
  }

  // MARK: Showing

  #changed(isDrawn = true) {
    if (isDrawn) this.#draw();
    this.searching.hidden = !this.#isSearch;
    for (const box of this.boxes.querySelectorAll("input")) box.checked = this.#scores.has(box.value);
    for (const parameter of this.#studio.declarations.list) {
      const term = this.#terms.find(each => each.name === parameter.name);
      const { element, vary } = this.#studio.panel.control(parameter.name);
      element.classList.toggle("varied", Boolean(term));
      vary.button.setAttribute("aria-pressed", String(Boolean(term)));
      vary.note.hidden = !term;
      vary.note.textContent = term ? `In the sweep: ${words(term)}` : "";
    }
    this.#keep();
    this.#ask();
  }

  #draw() {
    const focused = document.activeElement?.closest("[data-term]")?.dataset.term;
    const field = document.activeElement?.dataset?.field;
    this.none.hidden = this.#terms.length > 0;
    for (const option of this.choice.querySelectorAll("option")) option.disabled = this.#terms.some(term => term.name === option.value);
    this.list.replaceChildren(...this.#terms.map(term => this.#row(term)));
    if (focused && field) this.list.querySelector(`[data-term="${focused}"] [data-field="${field}"]`)?.focus();
  }

  #row(term) {
    const parameter = this.#studio.declarations.byName.get(term.name);
    const isNumber = parameter.kind === "integer" || parameter.kind === "real";
    const text = (field, label, className = "number") => el("input", {
      type: "text", class: className, value: term[field], "data-field": field, "aria-label": `${term.name} ${label}`, spellcheck: "false", autocomplete: "off",
      ...(field === "list" ? {} : { inputmode: "decimal" }),
    });
    const kinds = [["scan", "steps"], ["list", "values"], ["range", "range"]].filter(([kind]) => isNumber || kind === "list");
    const kind = el("select", { "data-field": "kind", "aria-label": `${term.name} kind of values` },
      kinds.map(([value, title]) => el("option", { value, selected: value === term.kind }, title)));
    const inputs = term.kind === "list" ? [text("list", "values, separated by commas", "list")]
      : [text("low", "from"), "to", text("high", "to"), ...(term.kind === "scan" ? ["by", text("step", "step")] : [])];
    return el("div", { class: "sweep-term", "data-term": term.name },
      el("span", { class: "name", title: `${parameter.help}. ${parameter.range} ${parameter.unit}` }, term.name), kinds.length > 1 ? kind : null,
      el("span", { class: "values" }, inputs, el("span", { class: "quiet" }, parameter.unit)),
      iconButton("close", `Do not vary ${term.name}`, () => this.remove(term.name), { class: "icon-button reset" }));
  }

  begin() {
    this.#told = "";
    this.#changed();
  }

  /// - Parameter stopped: the results of the latest sweep, if it was stopped.
  setRunning(isRunning, stopped) {
    this.#stopped = stopped;
    if (stopped) this.start.textContent = "Go on";
    if (this.#isRunning === isRunning) return;
    this.#isRunning = isRunning;
    // What the forecast told is of before the sweep.
    this.#told = "";
    if (isRunning) this.start.disabled = true;
    else this.#ask();
  }

  // MARK: The forecast

  #ask() {
    const { wish } = this;
    const text = JSON.stringify([wish, this.#isRunning, document.getElementById("sweep").hidden]);
    // A field that is left tells its change again, perhaps by the press on Run.
    if (text === this.#told) return;
    this.#told = text;
    clearTimeout(this.#timer);
    this.start.disabled = true;
    this.problem.hidden = true;
    if (document.getElementById("sweep").hidden) return;
    if (this.#isRunning) return this.#tell("A sweep is running. Its end, or Stop, makes room for another.");
    if (this.#terms.length === 0) return this.#tell("Nothing is varied yet.");
    if (this.#tellWrong()) return;
    this.#tell("Playing a few frames…");
    this.#timer = setTimeout(() => this.#forecast(), WAIT_MILLISECONDS);
  }

  /// Marks the first field whose number its parameter does not take, and says why. The program checks the rest.
  #tellWrong() {
    const { byName } = this.#studio.declarations;
    for (const input of this.list.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    for (const term of this.#terms) {
      const wrong = wrongField(term, byName.get(term.name));
      if (!wrong) continue;
      this.#tell("");
      this.list.querySelector(`[data-term="${term.name}"] [data-field="${wrong.field}"]`)?.setAttribute("aria-invalid", "true");
      this.problem.textContent = `${term.name}: ${wrong.text}.`;
      this.problem.hidden = false;
      return true;
    }
    return false;
  }

  async #forecast() {
    if (document.getElementById("sweep").hidden) return;
    const told = this.#told;
    try {
      const forecast = await this.#forecasts.ask(() => this.wish);
      if (!forecast || told !== this.#told) return;
      this.problem.hidden = true;
      this.#show(forecast);
      this.start.disabled = false;
    } catch (error) {
      if (told !== this.#told) return;
      this.#tell("");
      this.problem.textContent = error.text ?? error.message;
      this.problem.hidden = false;
      // Another page's sweep ends some time.
      if (error.code === "busy") this.#timer = setTimeout(() => this.#forecast(), BUSY_MILLISECONDS);
    }
  }

  #tell(text) {
    this.summary.replaceChildren(el("p", { class: "quiet" }, text));
  }

  #show({ settings, hasRange, done, frames, bytes, seconds, searched, isWhole, finalists, path, command, notes }) {
    const isDone = seconds === undefined || seconds === null;
    const time = isDone ? "none: all settings are done" : `about ${duration(seconds)}`;
    const touched = isWhole ? `all ${searched} on all frames` : `about ${searched} of ${hasRange ? "a range" : settings}, ${finalists} on all frames`;
    const rows = [
      ["Settings", searched === undefined ? String(settings) : touched],
      ...(done ? [["Done already", String(done)]] : []),
      ["Time", time], ["Frames", frames.toLocaleString("en")], ["Memory", `about ${Math.max(1, Math.round(bytes / 1e6))} MB`],
      ["Results", path],
    ];
    const copy = el("button", { type: "button", class: "link", onclick: () => copyText(command) }, "Copy");
    this.start.textContent = isDone ? "Show" : done || path === this.#stopped ? "Go on" : "Run";
    this.summary.replaceChildren(
      el("dl", {}, rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      ...notes.map(note => el("p", { class: "quiet" }, note)),
      el("details", {}, el("summary", {}, "Command line"), el("p", {}, el("code", { id: "sweep-command" }, command), " ", copy)));
  }

  // MARK: Kept while the tab lives

  #keep() {
    const text = JSON.stringify({
      terms: this.#terms, scores: [...this.#scores], isSearch: this.#isSearch, best: this.best.value, limits: this.limits.value, budget: this.budget.value,
    });
    try { sessionStorage.setItem(this.kept, text); } catch { /* Only this tab's convenience. */ }
  }

  #restore() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.kept) ?? "null");
      if (!kept) return;
      this.#terms = kept.terms.filter(term => this.#studio.declarations.byName.has(term.name));
      this.#scores = new Set(kept.scores);
      this.ways.querySelector(`[value="${kept.isSearch ? "search" : "grid"}"]`).checked = true;
      Object.assign(this.best, { value: kept.best });
      [this.limits.value, this.budget.value] = [kept.limits, kept.budget];
    } catch { /* What cannot be read is not kept. */ } finally { this.#changed(); }
  }
}

/// - Returns: a field of a term of numbers, and what is wrong with it; null for none.
export function wrongField(term, { kind, min, max, range, unit }) {
  if (term.kind === "list") return null;
  for (const field of ["low", "high", ...(term.kind === "scan" ? ["step"] : [])]) {
    const value = Number(term[field] || NaN);
    if (Number.isNaN(value)) return { field, text: `'${term[field]}' is not a number` };
    if (kind === "integer" && !Number.isInteger(value)) return { field, text: `'${term[field]}' is not a whole number` };
    if (field === "step" && value <= 0) return { field, text: "the step must be above 0" };
    if (field !== "step" && (value < min || value > max)) return { field, text: `it takes ${range}${unit ? ` ${unit}` : ""}` };
  }
  const span = clean(Number(term.high) - Number(term.low));
  if (span < 0) return { field: "high", text: "the range ends before it begins" };
  if (term.kind === "scan" && span > 0 && Number(term.step) > span) return { field: "step", text: "the step is longer than the range, so it would have one value" };
  return null;
}

function valuesOf({ kind, low, high, step, list }) {
  return kind === "list" ? list : kind === "scan" ? `${low}..${high}:${step}` : `${low}..${high}`;
}

function words({ kind, low, high, step, list }) {
  return kind === "list" ? list.split(",").join(", ") : `${low} to ${high}${kind === "scan" ? ` by ${step}` : ""}`;
}

/// The present value and others around it: five steps of a number, or all of a choice.
export function firstValues(parameter, value, hasNetwork, declarations, session) {
  const { kind, min, max } = parameter;
  if (kind === "integer" || kind === "real") {
    const number = Number(value) || 0;
    const hints = [parameter.default, ...declarations.presets.map(preset => preset.values[parameter.name]).filter(Boolean)];
    const by = stepAt(parameter, curve(parameter, hints), number, 30);
    const before = Math.min(2, Math.max(0, Math.floor((number - min) / by + 1e-9)));
    const from = clean(number - before * by);
    return { kind: "scan", low: String(from), high: String(clean(Math.min(max, from + 4 * by))), step: String(clean(by)), list: value };
  }
  const choices = parameter.choices?.filter(each => each !== "segmentation" || each === value || hasNetwork);
  const list = kind === "flag" ? ["false", "true"] : kind === "choice" ? choices : kind === "fraction" ? [...new Set(["1/4", "1/2", "1/1", value])]
    : parameter.name === "composite.background" ? ["", ...session.backgrounds.map(each => each.path)] : [value];
  return { kind: "list", list: list.join(","), low: "", high: "", step: "" };
}

/// Without the digits of binary fractions.
function clean(number) {
  return Number(number.toPrecision(10));
}
