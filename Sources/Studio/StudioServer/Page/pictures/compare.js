// A and B: two settings, which one the controls show, and how both are shown against each other.

import { announce, byId, icon } from "../parts/dom.js";

const MODES = ["off", "wipe", "side", "difference"];
const GAINS = [1, 4, 16, 64];

export class Compare {
  #studio;

  constructor(studio) {
    this.#studio = studio;
    const { store, declarations } = studio;
    for (const view of ["a", "b"]) {
      byId(`view-${view}`).addEventListener("click", () => this.choose(view));
    }
    byId("name").addEventListener("change", event => {
      const { active } = store.state;
      store.edit({ [active]: { ...store.setting, name: event.target.value.trim().slice(0, 60), named: null } });
    });
    byId("copy").addEventListener("click", () => this.copy());
    byId("swap").append(icon("swap"));
    byId("swap").addEventListener("click", () => this.swap());
    for (const mode of MODES) byId(`compare-${mode}`).addEventListener("click", () => store.set({ compare: mode }));
    byId("gain").addEventListener("change", event => store.set({ gain: Number(event.target.value) }));
    byId("gain").append(...GAINS.map(gain => new Option(`× ${gain}`, gain)));
    this.differences = () => declarations.differences(store.state.a, store.state.b);
    store.on(["a", "b", "active", "compare", "gain", "isFlipped"], () => this.tell());
    this.tell();
  }

  choose(view) {
    this.#studio.store.set({ active: view });
  }

  get other() {
    return this.#studio.store.state.active === "a" ? "b" : "a";
  }

  copy() {
    const { store } = this.#studio;
    const { active } = store.state;
    const { name, named } = store.state[this.other];
    store.edit({ [this.other]: { ...store.state[active], name, named } });
    announce(`${active.toUpperCase()} was copied to ${this.other.toUpperCase()}.`);
  }

  swap() {
    const { store } = this.#studio;
    store.edit({ a: store.state.b, b: store.state.a });
    announce("A and B were swapped.");
  }

  /// Shows the other setting as long as a key is held.
  flip(isFlipped) {
    this.#studio.store.set({ isFlipped });
  }

  cycle() {
    const { store } = this.#studio;
    store.set({ compare: MODES[(MODES.indexOf(store.state.compare) + 1) % MODES.length] });
  }

  tell() {
    const { state } = this.#studio.store;
    for (const view of ["a", "b"]) {
      byId(`view-${view}`).setAttribute("aria-pressed", String(state.active === view));
      const { name } = state[view];
      byId(`name-${view}`).textContent = name;
      byId(`view-${view}`).title = `Work on ${view.toUpperCase()} (${view.toUpperCase()})${name ? `: ${name}` : ""}`;
    }
    byId("name").value = state[state.active].name;
    byId("name").placeholder = `Name of ${state.active.toUpperCase()}`;
    byId("copy").textContent = `${state.active.toUpperCase()} → ${this.other.toUpperCase()}`;
    byId("copy").setAttribute("aria-label", `Copy ${state.active.toUpperCase()} to ${this.other.toUpperCase()}`);
    for (const mode of MODES) byId(`compare-${mode}`).setAttribute("aria-pressed", String(state.compare === mode));
    byId("gain").hidden = state.compare !== "difference";
    byId("gain").value = state.gain;
    const names = this.differences();
    const line = byId("differences");
    line.textContent = names.length === 0 ? "A = B" : `${names.length} differ${names.length === 1 ? "s" : ""}`;
    line.title = names.map(name => `${name}: A ${this.#value("a", name)}, B ${this.#value("b", name)}`).join("\n");
  }

  #value(view, name) {
    return this.#studio.declarations.value(this.#studio.store.state[view], name) || "none";
  }
}
