// The parameters: groups in the pipeline's order, a search box, presets and profiles, and the help of what is touched.

import { api } from "../parts/api.js";
import { Channel } from "../parts/channel.js";
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

  /// Controls are made when they are wanted: most parameters have no effect with the chosen kinds, or are in a closed group.
  control(name) {
    return this.#controls.get(name) ?? this.#make(name);
  }

  #make(name) {
    const { byName } = this.#studio.declarations;
    const group = this.#groups.get(byName.get(name).group);
    const control = new Control(byName.get(name), this.#studio);
    control.element.hidden = true;
    this.#controls.set(name, control);
    const names = group.parameters.map(each => each.name);
    const next = names.slice(names.indexOf(name)).find(each => each !== name && this.#controls.has(each));
    (this.#controls.get(next)?.element ?? group.rest).before(control.element);
    this.#update(control);
    return control;
  }

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
    this.#groups.set(name, { details, parameters, count, rest, reset });
    details.addEventListener("toggle", () => {
      if (details.open) this.#filter();
    });
    byId("groups").append(details);
  }

  #update(control) {
    control.update();
    control.setCondition(this.#condition(control.parameter.name));
  }

  #condition(name) {
    return missingCondition(this.#studio.declarations, this.#studio.store.setting, name);
  }

  #fillChoices() {
    const { declarations, store } = this.#studio;
    const preset = byId("preset"), profile = byId("profile");
    const options = list => list.map(({ name, help }) => el("option", { value: name, title: help }, name));
    preset.append(...options(declarations.presets));
    profile.append(el("option", { value: "" }, "apply…"), ...options(declarations.profiles));
    preset.addEventListener("change", () => {
      this.#begin(preset.value);
      announce(`${preset.value}: ${declarations.presets.find(each => each.name === preset.value).help}.`);
    });
    const resolved = new Channel(api.resolve);
    profile.addEventListener("change", async () => {
      const { active } = store.state;
      const name = profile.value;
      if (!name) return;
      try {
        // Its values win, and nothing of another camera stays.
        const ofCameras = new Set(declarations.profiles.flatMap(each => Object.keys(each.values)));
        let all;
        const answer = await resolved.ask(() => {
          const { values, ...rest } = wire(store.setting);
          all = values;
          const own = Object.fromEntries(Object.entries(values).filter(([key]) => !ofCameras.has(key)));
          return { ...rest, values: own, profile: name, yaml: null };
        });
        // Another one was chosen meanwhile.
        if (!answer || resolved.hasWaiting) return;
        const { preset: base, values } = answer;
        const { name: own, named } = store.state[active];
        store.edit({ [active]: { ...declarations.setting(base, values, own), named } });
        const profileOf = declarations.profiles.find(each => each.name === name);
        const dropped = Object.keys(all).filter(key => ofCameras.has(key) && !(key in profileOf.values));
        announce(`${name}: ${profileOf.help}.${dropped.length > 0 ? ` Reset: ${dropped.join(", ")}.` : ""}`);
      } catch (error) {
        announce(error.text ?? error.message, true);
      }
    });
    // Not before, so that arrow keys go through the list.
    profile.addEventListener("blur", () => { profile.value = ""; });
    byId("reset-all").append(icon("reset"));
    byId("reset-all").addEventListener("click", () => {
      this.#begin(store.setting.preset);
    });
  }

  /// The background stays: it belongs to the recording rather than to the preset.
  #begin(preset) {
    const { declarations, store } = this.#studio;
    const background = declarations.value(store.setting, "composite.background");
    const bare = { ...store.setting, preset, values: {} };
    store.edit({ [store.state.active]: declarations.with(bare, "composite.background", background) });
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
    byId("reset-all").disabled = Object.keys(setting.values).every(name => name === "composite.background");
    for (const [name, group] of this.#groups) {
      const count = declarations.changedCount(setting, name);
      group.count.textContent = count ? `${count} changed` : "";
      group.reset.disabled = count === 0;
    }
    for (const control of this.#controls.values()) this.#update(control);
    this.#filter();
    if (this.#explained) this.explain(this.#explained);
  }

  #filter() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isOnlyChanged = byId("only-changed").checked;
    const { values } = this.#studio.store.setting;
    let found = 0;
    for (const { details, parameters, rest } of this.#groups.values()) {
      const matching = parameters.filter(({ name, help }) => (!isOnlyChanged || name in values)
        && words.every(word => name.includes(word) || help.toLowerCase().includes(word)));
      const idle = words.length > 0 ? [] : matching.filter(({ name }) => !(name in values) && this.#condition(name));
      found += matching.length;
      details.hidden = matching.length === 0;
      rest.hidden = idle.length === 0;
      const isAll = details.classList.contains("all");
      rest.textContent = isAll ? `Fold away ${idle.length} without effect` : `${idle.length} without effect here`;
      if (words.length > 0 || isOnlyChanged) {
        details.dataset.wasOpen ??= String(details.open);
        details.open = matching.length > 0;
      } else if (details.dataset.wasOpen) {
        details.open = details.dataset.wasOpen === "true";
        delete details.dataset.wasOpen;
      }
      const shown = new Set(isAll ? matching : matching.filter(parameter => !idle.includes(parameter)));
      for (const parameter of parameters) {
        const control = shown.has(parameter) && details.open ? this.control(parameter.name) : this.#controls.get(parameter.name);
        if (control) control.element.hidden = !shown.has(parameter);
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
    const { name, help, unit, range, fixed, kind } = control.parameter;
    const { declarations, store } = this.#studio;
    const { preset } = store.setting;
    const [own, standard] = [declarations.presetValue(preset, name), declarations.defaultValue(name)];
    const value = text => (text === "" ? "none" : text);
    byId("help-name").textContent = name;
    const way = name === "composite.background" ? "--background FILE" : `--set ${name}=FILE`;
    const naming = kind === "path" ? ` Files are named with ${way} when retake studio is started.` : "";
    byId("help-text").textContent = `${help}.${naming}${fixed ? " Changing it computes the past again." : ""}`;
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
