// The cameras' own controls, such as exposure: read from the device, and set while it runs.

import { api } from "../parts/api.js";
import { byId, el, iconButton } from "../parts/dom.js";

/// A slider that moves sends at most one request at a time.
export class CameraControls {
  #devices = [];
  #busy = false;
  #next = null;

  constructor() {
    this.list = el("div", { class: "camera-list" });
    this.details = el("details", { id: "camera-controls" }, el("summary", {}, el("h2", {}, "Camera"), el("span", { class: "quiet" })), this.list);
    byId("readouts").append(this.details);
    this.details.addEventListener("toggle", () => { if (this.details.open) this.load(); });
    this.load();
  }

  async load() {
    try {
      ({ devices: this.#devices } = await api.cameraControls());
    } catch (error) {
      this.#devices = [{ device: 0, name: "", controls: [], problem: error.text ?? error.message }];
    }
    this.#draw();
  }

  #draw() {
    const count = this.#devices.reduce((sum, device) => sum + device.controls.length, 0);
    const hasProblem = this.#devices.some(device => device.problem);
    this.details.querySelector("summary .quiet").textContent = hasProblem ? "not readable" : count ? `${count} controls` : "no controls";
    this.list.replaceChildren(...this.#devices.map(device => this.#group(device)));
  }

  #group({ device, name, controls, problem }) {
    const rows = controls.map(control => this.#row(device, control));
    const nothing = problem ?? `${name} has no controls that can be set while it runs.`;
    return el("fieldset", {}, el("legend", {}, name), rows.length ? rows : el("p", { class: problem ? "control-problem" : "quiet" }, nothing));
  }

  #row(device, control) {
    const { name, title, kind, isWritable, isLocked, values, default: standard } = control;
    const id = `camera-${device}-${name}`;
    const problem = el("p", { class: "control-problem", role: "alert", hidden: true });
    const isFixed = !isWritable || isLocked;
    const set = value => this.#set({ device, name, value: String(value) }, problem);
    const note = isLocked ? "Locked: an automatic mode or the stream holds it" : isWritable ? `${values}; default ${standard}` : "Only the camera sets it";
    const row = el("div", { class: "camera-control", title: note }, el("label", { for: id }, title), el("div", { class: "inputs" }, ...this.#inputs(id, control, set)));
    for (const input of row.querySelectorAll("input, select, button")) input.disabled = isFixed;
    const canReset = !isFixed && kind !== "button" && control.value !== undefined;
    const reset = iconButton("reset", `Reset ${title}`, () => set(standard), { class: "icon-button reset" });
    reset.disabled = !canReset || control.value === standard;
    row.append(reset, problem);
    return row;
  }

  #inputs(id, { kind, title, min, max, step, value, menu }, set) {
    if (kind === "button") return [el("button", { type: "button", id, onclick: () => set(1) }, "Press")];
    if (kind === "boolean") {
      const box = el("input", { type: "checkbox", role: "switch", id, checked: value === "1" });
      box.addEventListener("change", () => set(box.checked ? 1 : 0));
      return [box];
    }
    if (kind === "menu" || kind === "integer-menu") {
      const select = el("select", { id }, menu.map(item => el("option", { value: item.value, selected: item.value === value }, item.name)));
      select.addEventListener("change", () => set(select.value));
      return [select];
    }
    const number = el("input", { type: "text", id, class: "number", inputmode: "numeric", autocomplete: "off", value: value ?? "" });
    number.addEventListener("change", () => set(number.value.trim()));
    const [low, high] = [Number(min), Number(max)];
    const canSlide = kind === "integer" && Number.isSafeInteger(low) && Number.isSafeInteger(high);
    if (!canSlide) return [number];
    const slider = el("input", { type: "range", min, max, step, value: value ?? min, "aria-label": title });
    const place = () => slider.style.setProperty("--at", `${high > low ? ((Number(slider.value) - low) / (high - low)) * 100 : 0}%`);
    slider.addEventListener("input", () => { number.value = slider.value; place(); set(slider.value); });
    place();
    return [slider, number];
  }

  async #set(question, problem) {
    this.#next = { question, problem };
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next) {
      const { question: asked, problem: line } = this.#next;
      this.#next = null;
      try {
        const answer = await api.setCameraControl(asked);
        this.#devices = this.#devices.map(device => (device.device === answer.device ? answer : device));
        line.hidden = true;
        // A row that is being dragged stays; the others may have changed with it.
        if (!this.#next) this.#redraw();
      } catch (error) {
        line.textContent = error.text ?? error.message;
        line.hidden = false;
      }
    }
    this.#busy = false;
  }

  /// Keeps the focus where it was.
  #redraw() {
    const { id } = document.activeElement ?? {};
    if (this.list.querySelector("input[type=range]:active")) return;
    this.#draw();
    if (id) byId(id)?.focus();
  }
}
