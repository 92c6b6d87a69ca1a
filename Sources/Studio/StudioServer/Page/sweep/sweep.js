// Sweep from here: many settings of some parameters, their scores as they come, and the way back to the controls.

import { api } from "../parts/api.js";
import { announce, byId, el, iconButton } from "../parts/dom.js";
import { duration } from "../parts/time.js";
import { SweepResults } from "./sweepresults.js";
import { SweepSetup } from "./sweepsetup.js";

const POLL_MILLISECONDS = 400;

export class Sweep {
  setup = null;
  results = null;
  #studio;
  #shown = "setup";
  /// Of the latest sweep.
  #phase = "none";
  #revision = 0;
  #number = null;
  #poller = 0;

  constructor(studio) {
    this.#studio = studio;
    byId("sweep-mode").addEventListener("click", () => this.toggle());
    // A reload of the page finds the sweep that runs.
    studio.pictures.first.then(() => this.#poll());
  }

  /// Makes the parts that are seen when the sweep is opened.
  #build() {
    if (this.results) return;
    this.results = new SweepResults(this.#studio);
    this.setup = new SweepSetup(this.#studio, () => this.run());
    const box = byId("sweep");
    const choice = (name, title) => el("button", { type: "button", id: `sweep-show-${name}`, onclick: () => this.show(name) }, title);
    this.state = el("span", { id: "sweep-state", role: "status" });
    this.bar = el("progress", { id: "sweep-progress", "aria-label": "Frames of the sweep", hidden: true });
    this.stop = el("button", { type: "button", id: "sweep-stop", hidden: true, onclick: () => this.#stop() }, "Stop");
    box.append(
      el("header", { class: "sweep-head" }, el("h2", {}, "Sweep"),
        el("div", { class: "segments", role: "group", "aria-label": "Part of the sweep" }, choice("setup", "Set up"), choice("results", "Results")),
        this.setup.start, this.state, this.bar, this.stop, el("span", { class: "spacer" }),
        iconButton("close", "Close the sweep", () => this.toggle(false))),
      this.setup.element, this.results.element);
    box.addEventListener("keydown", event => {
      if (event.key !== "Escape" || event.target.closest("input, select, textarea")) return;
      this.toggle(false);
      byId("sweep-mode").focus();
    });
    this.show("setup");
  }

  get isOpen() { return !byId("sweep").hidden; }

  toggle(isOpen = !this.isOpen) {
    if (isOpen) this.#build();
    if (isOpen) this.#studio.store.set({ isPainting: false });
    byId("sweep").hidden = !isOpen;
    document.body.classList.toggle("sweeping", isOpen);
    byId("sweep-mode").setAttribute("aria-pressed", String(isOpen));
    if (isOpen) this.setup.begin();
  }

  show(name) {
    this.#shown = name;
    document.body.dataset.sweep = name;
    for (const each of ["setup", "results"]) byId(`sweep-show-${each}`).setAttribute("aria-pressed", String(each === name));
    this.setup.element.hidden = name !== "setup";
    this.results.element.hidden = name !== "results";
    this.#placeRun();
    if (name === "results") this.results.draw();
  }

  /// Beside results, Run is there only to go on with a stopped sweep.
  #placeRun() {
    this.setup.start.hidden = this.#phase === "running" || (this.#shown === "results" && this.#phase !== "stopped");
  }

  async run() {
    try {
      const answer = await api.sweepRun(this.setup.wish);
      [this.#number, this.#revision] = [null, 0];
      this.#take(answer);
      this.show("results");
    } catch (error) {
      announce(error.text ?? error.message, true);
    }
  }

  async #stop() {
    this.stop.disabled = true;
    try {
      await api.sweepStop();
    } catch (error) {
      announce(error.text ?? error.message, true);
    }
  }

  async #poll() {
    try {
      this.#take(await api.sweep(this.#revision));
    } catch (error) {
      if (this.state) this.state.textContent = error.message;
    }
  }

  #take(answer) {
    clearTimeout(this.#poller);
    if (answer.phase === "none") return;
    this.#build();
    const isFound = this.#number === null;
    if (answer.number !== this.#number) {
      [this.#number, this.#revision] = [answer.number, 0];
      this.results.begin(answer);
      // Another page of the same program began it: its rows from the first.
      if (answer.revision > 0 && answer.rows[0] === undefined) return void this.#poll();
    }
    this.#revision = answer.revision;
    const isRunning = answer.phase === "running" || answer.phase === "stopping";
    this.results.add(answer, isRunning);
    this.#tell(answer, isRunning);
    if (isFound && isRunning && !this.isOpen) {
      this.toggle(true);
      this.show("results");
    }
    if (answer.latest > answer.revision) this.#poller = setTimeout(() => this.#poll(), 0);
    else if (isRunning) this.#poller = setTimeout(() => this.#poll(), POLL_MILLISECONDS);
  }

  #tell(answer, isRunning) {
    const { done, total, seconds, phase } = answer;
    Object.assign(this.bar, { max: Math.max(1, total), value: done });
    this.bar.hidden = this.stop.hidden = !isRunning;
    this.stop.disabled = phase === "stopping";
    this.#phase = isRunning ? "running" : phase;
    this.setup.setRunning(isRunning, phase === "stopped" ? answer.path : null);
    this.#placeRun();
    const left = done > 0 && total > done ? (seconds / done) * (total - done) : null;
    const count = this.results.count;
    const { partialCount } = this.results;
    const settings = `${count} ${count === 1 ? "setting" : "settings"}${partialCount > 0 ? `, ${count - partialCount} of them on all frames` : ""}`;
    this.state.textContent = {
      running: `${settings} scored${left !== null ? `, about ${duration(left)} left` : ""}`,
      stopping: "stopping after this frame", done: `done: ${settings}, ${duration(seconds)}`,
      stopped: `stopped: ${settings} kept`, failed: "failed",
    }[phase];
    byId("sweep-mode").dataset.running = String(isRunning);
  }
}
