// The parameters: groups in the pipeline's order, a search box, presets and profiles, and the help of what is touched.

import { api } from "../parts/api.js";
import { announce, byId, el, icon, iconButton } from "../parts/dom.js";
import { Control } from "./control.js";
import { missingCondition } from "./relevance.js";
import { wire } from "../parts/setting.js";

const TITLES = {
  depth: "Depth", faces: "Faces", throttle: "Throttling", fault: "Faults", mask: "Mask", matte: "Matte", composite: "Composite",
};
const FIRST_OPEN = ["mask", "matte", "composite"];

export class Panel {
  #studio;
  #controls = new Map();
  #groups = new Map();
  #search = byId("search");

  constructor(studio) {
    this.#studio = studio;
    const { declarations, store } = studio;
    for (const group of declarations.groups) this.#addGroup(group);
    this.#fillChoices();
    this.#search.addEventListener("input", () => this.#filter());
    this.#search.addEventListener("keydown", event => {
      if (event.key === "Escape" && this.#search.value) {
        event.stopPropagation();
        this.#search.value = "";
        this.#filter();
      }
    });
    byId("only-changed").addEventListener("change", () => this.#filter());
    store.on(["a", "b", "active"], () => this.update());
    this.update();
  }

  control(name) {
    this.#build(this.#groups.get(this.#studio.declarations.byName.get(name).group));
    return this.#controls.get(name);
  }

  /// The controls of a group are made when it is opened or searched.
  #addGroup({ name, parameters }) {
    const count = el("span", { class: "count" });
    const rest = el("button", { type: "button", class: "more", "aria-expanded": "false" });
    const reset = iconButton("reset", `Reset all of ${TITLES[name] ?? name}`, event => {
      event.preventDefault();
      this.#resetGroup(name);
    }, { class: "icon-button reset" });
    const details = el("details", { class: "group", open: FIRST_OPEN.includes(name) },
      el("summary", {}, icon("down"), el("h3", {}, TITLES[name] ?? name), count, reset), rest);
    rest.addEventListener("click", () => {
      rest.setAttribute("aria-expanded", String(details.classList.toggle("all")));
      this.#filter();
    });
    const group = { details, parameters, controls: [], count, rest, reset };
    this.#groups.set(name, group);
    if (details.open) this.#build(group);
    details.addEventListener("toggle", () => {
      if (details.open && this.#build(group)) this.#filter();
    });
    byId("groups").append(details);
  }

  /// False if it was built.
  #build(group) {
    if (group.controls.length > 0) return false;
    group.controls = group.parameters.map(parameter => new Control(parameter, this.#studio));
    for (const control of group.controls) this.#controls.set(control.parameter.name, control);
    group.rest.before(...group.controls.map(control => control.element));
    this.#update(group);
    return true;
  }

  #update(group) {
    const { store, declarations } = this.#studio;
    for (const control of group.controls) {
      control.update();
      control.setCondition(missingCondition(declarations, store.setting, control.parameter.name));
    }
  }

  #fillChoices() {
    const { declarations, store } = this.#studio;
    const preset = byId("preset"), profile = byId("profile");
    const options = list => list.map(({ name, help }) => el("option", { value: name, title: help }, name));
    preset.append(...options(declarations.presets));
    profile.append(el("option", { value: "" }, "apply…"), ...options(declarations.profiles));
    preset.addEventListener("change", () => {
      const { active } = store.state;
      // The background belongs to the recording rather than to the preset.
      const background = declarations.value(store.setting, "composite.background");
      const bare = { ...store.setting, preset: preset.value, values: {} };
      store.edit({ [active]: declarations.with(bare, "composite.background", background) });
      announce(`${preset.value}: ${declarations.presets.find(each => each.name === preset.value).help}.`);
    });
    profile.addEventListener("change", async () => {
      const { active } = store.state;
      const name = profile.value;
      profile.value = "";
      try {
        const { preset: base, values } = await api.resolve({ ...wire(store.setting), profile: name, yaml: null });
        store.edit({ [active]: declarations.setting(base, values, store.state[active].name) });
        announce(`${name}: ${declarations.profiles.find(each => each.name === name).help}.`);
      } catch (error) {
        announce(error.text ?? error.message, true);
      }
    });
    byId("reset-all").append(icon("reset"));
    byId("reset-all").addEventListener("click", () => {
      const { active } = store.state;
      store.edit({ [active]: { ...store.setting, values: {} } });
    });
  }

  #resetGroup(name) {
    const { store, declarations } = this.#studio;
    const kept = Object.entries(store.setting.values).filter(([key]) => declarations.byName.get(key).group !== name);
    const values = Object.fromEntries(kept);
    store.edit({ [store.state.active]: { ...store.setting, values } });
  }

  update() {
    const { store, declarations } = this.#studio;
    const { setting } = store;
    byId("preset").value = setting.preset;
    const total = declarations.changedCount(setting);
    byId("changed-count").textContent = total === 0 ? "only changed" : `only ${total} changed`;
    byId("reset-all").disabled = total === 0;
    for (const [name, group] of this.#groups) {
      const count = declarations.changedCount(setting, name);
      group.count.textContent = count ? `${count} changed` : "";
      group.reset.disabled = count === 0;
      this.#update(group);
    }
    this.#filter();
    if (this.#explained) this.explain(this.#explained);
  }

  #filter() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isOnlyChanged = byId("only-changed").checked;
    const { values } = this.#studio.store.setting;
    let found = 0;
    for (const group of this.#groups.values()) {
      if (words.length > 0 || isOnlyChanged) this.#build(group);
      let [shown, idle] = [group.controls.length > 0 ? 0 : group.parameters.length, 0];
      for (const control of group.controls) {
        const { name, help } = control.parameter;
        const isIdle = control.element.classList.contains("idle");
        const hasWords = words.every(word => name.includes(word) || help.toLowerCase().includes(word));
        const matches = hasWords && (!isOnlyChanged || name in values);
        const isFolded = isIdle && words.length === 0 && !(name in values) && !group.details.classList.contains("all");
        control.element.hidden = !matches || isFolded;
        if (matches && isIdle && words.length === 0 && !(name in values)) idle += 1;
        if (matches) shown += 1;
      }
      found += shown;
      group.details.hidden = shown === 0;
      group.rest.hidden = idle === 0;
      const isAll = group.details.classList.contains("all");
      group.rest.textContent = isAll ? `Fold away ${idle} without effect` : `${idle} without effect here`;
      if (words.length > 0 || isOnlyChanged) {
        group.details.dataset.wasOpen ??= String(group.details.open);
        group.details.open = shown > 0;
      } else if (group.details.dataset.wasOpen) {
        group.details.open = group.details.dataset.wasOpen === "true";
        delete group.details.dataset.wasOpen;
      }
    }
    byId("nothing-found").hidden = found > 0;
    byId("nothing-found").textContent = words.length > 0 ? "No parameter has these words in its name or help." : "No parameter is changed.";
  }

  #explained = null;
  /// The parameter whose value the program refused.
  #refused = null;

  /// Shows a parameter's help at the panel's foot, so that nothing else moves.
  explain(control) {
    this.#explained = control;
    const { name, help, unit, range, fixed } = control.parameter;
    const { declarations, store } = this.#studio;
    const { preset } = store.setting;
    const [own, standard] = [declarations.presetValue(preset, name), declarations.defaultValue(name)];
    const value = text => (text === "" ? "none" : text);
    byId("help-name").textContent = name;
    byId("help-text").textContent = `${help}.${fixed ? " Changing it computes the past again." : ""}`;
    byId("help-facts").textContent = [
      `${range}${unit ? ` ${unit}` : ""}`, `default ${value(standard)}`, own === standard ? "" : `${preset} ${value(own)}`,
    ].filter(Boolean).join("  ·  ");
  }

  /// Shows an error at the control that its message names. False if it names none.
  showProblem(error) {
    const name = error?.message.match(/[a-z]+\.[a-z-]+/g)?.find(each => this.#studio.declarations.byName.has(each));
    if (this.#refused && this.#refused !== name) this.#controls.get(this.#refused).showProblem(null);
    this.#refused = name ?? null;
    if (name) this.reveal(name).showProblem(error);
    return Boolean(name);
  }

  reveal(name) {
    const control = this.control(name);
    const group = this.#groups.get(control.parameter.group);
    group.details.open = true;
    control.element.hidden = false;
    control.element.scrollIntoView({ block: "nearest" });
    return control;
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }
}
