// One parameter's row: a mark, name, slider or choice, number, unit and reset, made from its declaration.

import { el, iconButton } from "../parts/dom.js";
import { curve, fractionPlace, FRACTIONS, fractionValue, rounded, stepAt } from "../parts/scale.js";

const POSITIONS = 1000;
const FORMS = {
  color: { test: text => /^#?[0-9a-f]{6}$/i.test(text), text: "red, green and blue in hexadecimal, such as #00ff00" },
  fraction: {
    test: text => /^\d{1,9}\/\d{1,9}$/.test(text) && fractionValue(text) > 0 && fractionValue(text) <= 1,
    text: "a fraction above 0 and at most 1, such as 1/2",
  },
};
/// About the pixels of a slider's way.
const STEPS = 160;

export class Control {
  /// The setting that stood when a value was refused.
  #refusedBy = null;

  constructor(parameter, studio) {
    this.parameter = parameter;
    this.studio = studio;
    const { name, group } = parameter;
    this.id = `p-${name.replace(".", "-")}`;
    const short = name.slice(group.length + 1);
    this.label = el("label", { for: this.id, class: "name", title: name }, short);
    this.help = el("span", { id: `${this.id}-help`, class: "visually-hidden" },
      `${parameter.help}. Range ${parameter.range}${parameter.unit ? ` ${parameter.unit}` : ""}, default ${studio.declarations.defaultValue(name) || "none"}.`);
    this.note = el("p", { class: "control-note", hidden: true });
    this.problem = el("p", { class: "control-problem", role: "alert", hidden: true });
    this.reset = iconButton("reset", `Reset ${name}`, () => this.#set(this.#presetValue), { class: "icon-button reset" });
    this.element = el("div", { class: "control", "data-name": name, "data-kind": parameter.kind },
      this.label, el("div", { class: "inputs" }, ...this.#inputs()), this.reset, this.help, this.note, this.problem);
    for (const kind of ["pointerenter", "focusin"]) this.element.addEventListener(kind, () => studio.panel?.explain(this));
  }

  get #presetValue() {
    return this.studio.declarations.presetValue(this.studio.store.setting.preset, this.parameter.name);
  }

  #set(value, gesture = null) {
    const { store, declarations } = this.studio;
    const { active } = store.state;
    this.showProblem(null);
    store.edit({ [active]: declarations.with(store.setting, this.parameter.name, value) }, gesture);
  }

  /// Numbers are checked here, so that a slip of the finger does not take the picture away; the program checks everything.
  #take(text) {
    const { kind, name, range, unit, min, max } = this.parameter;
    const isNumber = kind === "integer" || kind === "real";
    const value = Number(text.replace(",", "."));
    const isWhole = kind !== "integer" || Number.isInteger(value);
    if (isNumber && !(text !== "" && value >= min && value <= max && isWhole)) {
      const hint = isWhole ? "" : "a whole number, ";
      return this.showProblem({ text: `'${text}' is not a value for ${name}. Type ${hint}${range}${unit ? ` ${unit}` : ""}.` });
    }
    const form = FORMS[kind];
    if (form && !form.test(text)) return this.showProblem({ text: `'${text}' is not a value for ${name}. Type ${form.text}.` });
    this.#set(isNumber ? String(value) : text);
  }

  /// What every input has.
  #props(isMain) {
    return { ...(isMain ? { id: this.id } : { "aria-label": this.parameter.name }), "aria-describedby": `${this.id}-help` };
  }

  #inputs() {
    const { parameter } = this;
    switch (parameter.kind) {
      case "integer": case "real": return this.#numberInputs();
      case "fraction": return this.#fractionInputs();
      case "flag": return this.#flagInput();
      case "choice": return this.#choiceInput(parameter.choices.map(choice => [choice, choice]));
      case "color": return this.#colorInputs();
      case "path": return this.#choiceInput(this.#files());
    }
    return [this.#textInput()];
  }

  /// Those that the program was started with; it gives no others.
  #files() {
    const { backgrounds, start } = this.studio.session;
    if (this.parameter.name === "composite.background") return [["", "none"], ...backgrounds.map(({ path, name }) => [path, name])];
    const file = start.values[this.parameter.name];
    return [["", "none"], ...(file ? [[file, file.split("/").at(-1)]] : [])];
  }

  #textInput(props = {}) {
    this.text = el("input", { type: "text", spellcheck: "false", autocomplete: "off", ...this.#props(true), ...props });
    this.text.addEventListener("change", () => this.#take(this.text.value.trim()));
    this.text.addEventListener("keydown", event => {
      if (event.key !== "Escape" || this.problem.hidden) return;
      event.stopPropagation();
      this.showProblem(null);
      this.update();
    });
    return this.text;
  }

  #choiceInput(choices) {
    this.select = el("select", this.#props(true), choices.map(([value, title]) => el("option", { value }, title)));
    this.select.addEventListener("change", () => this.#set(this.select.value));
    return [this.select];
  }

  #flagInput() {
    this.flag = el("input", { type: "checkbox", role: "switch", ...this.#props(true) });
    this.flag.addEventListener("change", () => this.#set(String(this.flag.checked)));
    return [this.flag];
  }

  #colorInputs() {
    this.color = el("input", { type: "color", ...this.#props(false) });
    this.color.addEventListener("input", () => this.#set(this.color.value, this.parameter.name));
    this.color.addEventListener("change", () => this.studio.store.endGesture());
    return [this.color, this.#textInput({ class: "number" })];
  }

  #slider(max, aria) {
    this.slider = el("input", { type: "range", min: 0, max, step: "any", ...this.#props(false), ...aria });
    this.slider.addEventListener("change", () => this.studio.store.endGesture());
    return this.slider;
  }

  #numberInputs() {
    const { parameter } = this;
    const { declarations } = this.studio;
    const hints = [parameter.default, ...declarations.presets.map(preset => preset.values[parameter.name]).filter(Boolean)];
    this.curve = curve(parameter, hints);
    const slider = this.#slider(POSITIONS, {});
    slider.addEventListener("input", () => {
      const value = this.curve.value(Number(slider.value) / POSITIONS);
      this.#set(rounded(parameter, value, stepAt(parameter, this.curve, value, STEPS)), parameter.name);
    });
    const byKeys = event => {
      const large = event.shiftKey ? 10 : 1;
      const sideways = event.target === slider ? { ArrowRight: large, ArrowLeft: -large } : {};
      const way = { ArrowUp: large, ArrowDown: -large, PageUp: 10, PageDown: -10, ...sideways }[event.key];
      if (way === undefined || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const value = Number(this.#value);
      const finer = stepAt(parameter, this.curve, value, STEPS) / (event.altKey ? 10 : 1);
      const step = parameter.kind === "integer" ? Math.max(1, finer) : finer;
      this.#set(rounded(parameter, value + way * step, step), `${parameter.name} keys`);
    };
    slider.addEventListener("keydown", byKeys);
    const number = this.#textInput({ class: "number", inputmode: "decimal" });
    number.addEventListener("keydown", byKeys);
    number.addEventListener("blur", () => this.studio.store.endGesture());
    return [slider, number, el("span", { class: "unit" }, parameter.unit)];
  }

  #fractionInputs() {
    const slider = this.#slider(FRACTIONS.length - 1, {});
    slider.step = 1;
    slider.addEventListener("input", () => this.#set(FRACTIONS[Math.round(Number(slider.value))], this.parameter.name));
    return [slider, this.#textInput({ class: "number" }), el("span", { class: "unit" })];
  }

  get #value() {
    return this.studio.declarations.value(this.studio.store.setting, this.parameter.name);
  }

  /// Shows the setting's value.
  update() {
    const { parameter } = this;
    const value = this.#value;
    // What was refused is gone with the setting that it was typed for.
    if (!this.problem.hidden && this.studio.store.setting !== this.#refusedBy) this.showProblem(null);
    const isChanged = parameter.name in this.studio.store.setting.values;
    this.element.classList.toggle("changed", isChanged);
    this.reset.disabled = !isChanged;
    if (this.text && this.text.value !== value && this.problem.hidden) this.text.value = value;
    if (this.text) this.text.defaultValue = value;
    if (this.flag) this.flag.checked = value === "true";
    if (this.color && /^#[0-9a-f]{6}$/i.test(value)) this.color.value = value;
    if (this.select) this.#selectValue(value);
    if (this.slider && parameter.kind === "fraction") this.slider.value = fractionPlace(value);
    else if (this.slider) this.slider.value = this.curve.place(Number(value)) * POSITIONS;
    if (this.slider) {
      this.slider.style.setProperty("--at", `${(Number(this.slider.value) / Number(this.slider.max)) * 100}%`);
      this.slider.setAttribute("aria-valuetext", parameter.unit ? `${value} ${parameter.unit}` : value);
    }
  }

  #selectValue(value) {
    if (![...this.select.options].some(option => option.value === value)) this.select.append(el("option", { value }, value));
    this.select.value = value;
  }

  /// - Parameter condition: what the parameter needs to have an effect, or null.
  setCondition(condition) {
    this.element.classList.toggle("idle", condition !== null);
    this.note.textContent = condition ? `No effect without ${condition}.` : "";
    this.note.hidden = !condition;
  }

  showProblem(error) {
    this.#refusedBy = error ? this.studio.store.setting : null;
    this.problem.textContent = error?.text ?? "";
    this.problem.hidden = !error;
    const input = this.text ?? this.select ?? this.flag;
    if (error) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  }

  focus() {
    (this.slider ?? this.select ?? this.flag ?? this.text).focus();
  }
}
