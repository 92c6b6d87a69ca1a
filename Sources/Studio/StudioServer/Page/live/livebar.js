// Recording from running cameras: buttons, what is lost and where, the state of each camera, and the recordings made here.

import { api } from "../parts/api.js";
import { announce, byId, el, icon } from "../parts/dom.js";
import { kept } from "../list/folder.js";
import { clock } from "../parts/time.js";

const POLL_MILLISECONDS = 400;
const GOING = new Set(["recording"]);

const bytes = count => (count >= 1e9 ? `${(count / 1e9).toFixed(1)} GB` : `${(count / 1e6).toFixed(1)} MB`);

export class LiveBar {
  #studio;
  #feed;
  #controls;
  #state = null;
  #isBusy = false;
  #lastMessage = 0;
  /// When a moment was marked whose label is being typed; otherwise null.
  #momentOfKey = null;
  #marked = Promise.resolve();
  #away = new Set();

  constructor(studio, feed, controls) {
    this.#studio = studio;
    this.#feed = feed;
    this.#controls = controls;
    const { live } = studio.session;
    const preroll = live.prerollSeconds ? ` The ${live.prerollSeconds} s before are kept too.` : "";
    const button = (id, text, title, act) => el("button", { type: "button", id, title, onclick: act }, text);
    this.record = button("record", "", `Record into ${live.place} (R).${preroll}`, () => this.toggle());
    this.dot = el("span", { class: "dot", "aria-hidden": "true" });
    this.recordText = el("span", {}, "Record");
    this.record.append(this.dot, this.recordText);
    this.label = el("input", { type: "text", id: "mark-label", maxlength: 80, placeholder: "mark's label", "aria-label": "Label of the mark", autocomplete: "off" });
    this.label.addEventListener("keydown", event => {
      if (event.key !== "Enter") return;
      // Before it blurs, so that it is not marked twice.
      const isOfKey = this.#momentOfKey !== null;
      this.mark();
      if (isOfKey) this.label.blur();
    });
    // A moment that was marked by its key is marked, with a label or without.
    this.label.addEventListener("blur", () => { if (this.#momentOfKey !== null) this.mark(); });
    addEventListener("pagehide", () => { if (this.#momentOfKey !== null) this.mark(); });
    this.marker = button("mark", "Mark", "Mark this moment in the recording (N)", () => this.mark());
    this.holder = button("hold", "", "Hold the frame that is shown, or go on (space)", () => feed.hold());
    this.time = el("output", { class: "time", id: "record-time", "aria-label": "Time recorded" });
    this.told = el("output", { id: "record-facts", class: "quiet" });
    this.bar = el("div", { id: "live-bar" }, this.record, this.time, el("div", { class: "mark-field" }, this.label, this.marker), this.holder, this.told);
    byId("transport").prepend(this.bar);
    this.cameras = el("ul", { id: "live-cameras", "aria-label": "Cameras" });
    this.made = el("div", { id: "live-made", "aria-label": "Recordings made here" });
    this.message = el("p", { id: "live-message", role: "status" });
    this.row = el("section", { id: "live-row", "aria-label": "Cameras and recordings" }, this.cameras, this.made, this.message);
    byId("timeline-row").after(this.row);
    studio.store.on(["isPlaying"], () => this.#tellHold());
    this.#tellHold();
    this.#tell();
  }

  #tellHold() {
    const isHeld = this.#feed.isHeld;
    this.holder.replaceChildren(icon(isHeld ? "play" : "pause"), el("span", {}, isHeld ? "Go on" : "Hold"));
    this.holder.setAttribute("aria-pressed", String(isHeld));
  }

  /// Asks for the cameras' state a few times a second, for as long as the page is there.
  async run() {
    for (;;) {
      if (!document.hidden) await this.#poll();
      await new Promise(resolve => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  async #poll() {
    try {
      const before = this.#state;
      this.#state = await api.live();
      this.#state.before = before && { ...before, before: null };
      this.isGone = false;
    } catch (error) {
      if (!this.isGone) announce(error.text ?? error.message, true);
      this.isGone = true;
    }
    this.#tell();
  }

  get isRecording() {
    return GOING.has(this.#state?.phase);
  }

  toggle() {
    if (this.isRecording) this.stop();
    else this.start();
  }

  async start() {
    await this.#act(async () => {
      const { path } = await api.record();
      announce(`Recording into ${path}.`);
    });
  }

  #hasRecording() {
    if (!this.isRecording) announce("A mark needs a recording: press Record first.");
    return this.isRecording;
  }

  /// Marks this moment with the label that is typed next.
  labelMark() {
    if (!this.#hasRecording()) return;
    this.#momentOfKey = performance.now();
    this.label.focus();
    announce("Type a label for this moment, and press Enter.");
  }

  mark() {
    const seconds = this.#momentOfKey === null ? 0 : (performance.now() - this.#momentOfKey) / 1000;
    this.#momentOfKey = null;
    if (!this.#hasRecording()) return;
    const label = this.label.value.trim();
    this.label.value = "";
    this.#marked = api.mark(label, seconds).then(
      () => announce(label ? `Mark '${label}' set.` : "Mark set."), error => announce(error.text ?? error.message, true));
  }

  /// Ends the recording, and goes on with it on its own page.
  async stop() {
    await this.#act(async () => {
      await this.#marked;
      const { number } = await api.stopRecording();
      location.href = this.#addressOf(number);
    });
  }

  #addressOf(number) {
    return `r/${number}/#${kept(this.#studio.address())}`;
  }

  async #act(action) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#tell();
    try {
      await action();
    } catch (error) {
      announce(error.text ?? error.message, true);
    }
    this.#isBusy = false;
    await this.#poll();
  }

  #tell() {
    const state = this.#state;
    const isRecording = this.isRecording;
    document.body.classList.toggle("recording", isRecording);
    this.recordText.textContent = isRecording ? "Stop" : state?.phase === "finishing" ? "Finishing" : "Record";
    this.record.disabled = this.#isBusy || !state || this.isGone || state.haveEnded || ["finishing", "closed"].includes(state.phase);
    this.marker.disabled = this.label.disabled = !isRecording || this.isGone;
    this.time.textContent = isRecording ? clock(state.recorder.seconds).replace(/\d\d$/, "") : "";
    this.#tellFacts(state);
    const { rate, latency } = this.#feed;
    byId("rate").textContent = rate && !this.#feed.isHeld ? `${rate.toFixed(1)} fps` : "";
    byId("rate").title = "Frames shown a second";
    byId("cost").textContent = latency === null || this.#feed.isHeld ? "" : `${latency.toFixed(0)} ms`;
    byId("cost").title = "Latency: from a frame's arrival at this computer to the program's answer";
    if (!state) return;
    this.#tellCameras(state);
    this.#tellMade(state);
    this.#tellMessages(state);
  }

  #tellFacts(state) {
    const recorder = state?.recorder;
    if (this.isGone && recorder) {
      this.told.textContent = `The program does not answer; the recording is ${recorder.path}.`;
      this.told.title = this.told.textContent;
      return;
    }
    if (!recorder) {
      const { place, prerollSeconds } = this.#studio.session.live;
      const preroll = state?.phase === "armed" ? `, with ${prerollSeconds} s before` : "";
      this.told.textContent = state?.haveEnded ? "The cameras have ended." : `into ${place}${preroll}`;
      this.told.classList.remove("problem");
      this.told.title = "";
      return;
    }
    const stages = Object.entries(recorder.lostByStage).map(([stage, count]) => `${count} at ${stage}`).join(", ");
    const lost = `${recorder.lost} lost${stages ? ` (${stages})` : ""}`;
    const free = recorder.freeByteCount === undefined ? "" : `, ${bytes(recorder.freeByteCount)} free`;
    const marks = recorder.marks ? `, ${recorder.marks} mark${recorder.marks > 1 ? "s" : ""}` : "";
    this.told.textContent = `${lost}${marks}, ${bytes(recorder.byteCount)}${free}`;
    this.told.title = `${this.told.textContent}\n${recorder.path}\nqueue ${Math.round(recorder.load * 100)} % full`;
    this.told.classList.toggle("problem", recorder.lost > 0);
  }

  /// Each camera's streams: frames a second since the last answer, and losses.
  #tellCameras({ devices, streams, nanoseconds, before }) {
    const isAway = devices.filter(device => device.isAway);
    const seconds = before ? (nanoseconds - before.nanoseconds) / 1e9 : 0;
    const items = streams.map((stream, i) => {
      const frames = stream.frames - (before?.streams[i].frames ?? stream.frames);
      this.rates ??= [];
      if (seconds > 0) this.rates[i] = 0.7 * (this.rates[i] ?? frames / seconds) + 0.3 * (frames / seconds);
      const rate = this.rates[i] === undefined ? "" : `${this.rates[i].toFixed(1)} of ${Number(stream.rate.toFixed(2))} fps`;
      return el("li", {}, el("b", {}, stream.name), ` ${rate}`, el("span", { class: stream.lost ? "problem" : "quiet", title: "Since the program was started; beside Record stands what the recording lost" }, ` ${stream.lost} lost${stream.lost && this.isRecording ? " since the start" : ""}`));
    });
    for (const device of isAway) {
      items.unshift(el("li", { class: "problem" }, el("b", {}, device.name), ` away for ${device.awaySeconds.toFixed(0)} s; it is used again when it returns`));
    }
    this.cameras.replaceChildren(...items);
    const away = new Set(isAway.map(device => device.name));
    // A camera that returned has its controls anew.
    if ([...this.#away].some(name => !away.has(name))) this.#controls.load();
    this.#away = away;
  }

  #tellMade({ recordings }) {
    const key = JSON.stringify([recordings, this.#studio.address()]);
    if (key === this.madeKey) return;
    this.madeKey = key;
    this.made.hidden = recordings.length === 0;
    const links = recordings.toReversed().map(({ number, name, path, frames, lost, problem }) =>
      el("a", { href: this.#addressOf(number), title: `${path}\n${frames} frames, ${lost} lost${problem ? `\n${problem}` : ""}`, class: lost || problem ? "problem" : null }, name));
    this.made.replaceChildren(el("span", { class: "quiet" }, "Recorded: "), ...links);
  }

  #tellMessages({ messages }) {
    const latest = messages.at(-1);
    if (!latest || latest.number === this.#lastMessage) return;
    this.#lastMessage = latest.number;
    this.message.textContent = latest.text;
    this.message.title = messages.map(message => message.text).join("\n");
  }
}
