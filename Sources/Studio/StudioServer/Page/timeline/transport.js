// Going from frame to frame: playing, stepping, looping, and the range that is played.

import { Ahead } from "./ahead.js";
import { announce, byId, el, icon } from "../parts/dom.js";
import { clock, frameRange } from "../parts/time.js";

export class Transport {
  #studio;
  /// While playing.
  #ahead = null;
  #shownAt = [];

  constructor(studio) {
    this.#studio = studio;
    const { store } = studio;
    const buttons = {
      "step-back": () => this.step(-1), play: () => this.toggle(), "step-on": () => this.step(1),
      loop: () => store.set({ loops: !store.state.loops }),
    };
    for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
    byId("step-back").append(icon("previous"));
    byId("step-on").append(icon("next"));
    byId("loop").append(icon("loop"));
    // What is no number, such a field calls empty.
    byId("frame").addEventListener("change", event => this.goTo(event.target.value === "" ? NaN : Number(event.target.value)));
    byId("range-in").addEventListener("click", () => this.setRange(store.state.frame, null));
    byId("range-out").addEventListener("click", () => this.setRange(null, store.state.frame + 1));
    byId("range-clear").addEventListener("click", () => this.setRange(...this.#whole));
    studio.pictures.whilePlaying = () => this.refetch();
    byId("frame").style.width = `${Math.max(5, String(this.#whole[1]).length) + 3}ch`;
    store.on(["frame", "from", "to", "loops", "isPlaying"], () => this.tell());
    this.tell();
  }

  get #whole() {
    const { firstNumber, frameCount } = this.#studio.session.recording;
    return [firstNumber, firstNumber + frameCount];
  }

  /// Goes to a frame of the range that is played.
  goTo(frame) {
    const { store } = this.#studio;
    const { from, to } = store.state;
    if (!Number.isFinite(frame)) return this.tell();
    const kept = Math.min(to - 1, Math.max(from, Math.round(frame)));
    if (kept !== Math.round(frame)) {
      const [first, end] = this.#whole;
      const isWhole = from === first && to === end;
      announce(isWhole ? `The recording has only ${frameRange(from, to)}.`
        : `Only ${frameRange(from, to)} of the recording ${to - from === 1 ? "is" : "are"} played. Clear the range to go beyond.`);
    }
    store.set({ frame: kept });
    if (this.#ahead) this.refetch();
    this.tell();
  }

  step(count) {
    this.pause();
    const { frame, from, to } = this.#studio.store.state;
    this.#studio.store.set({ frame: Math.min(to - 1, Math.max(from, frame + count)) });
  }

  setRange(from, to) {
    const { store } = this.#studio;
    const [first, end] = this.#whole;
    // An end that is moved stops at the other one.
    const range = {
      from: from === null ? store.state.from : Math.max(first, Math.min(from, (to ?? store.state.to) - 1)),
      to: to === null ? store.state.to : Math.min(end, Math.max(to, (from ?? store.state.from) + 1)),
    };
    store.set({ ...range, frame: Math.min(range.to - 1, Math.max(range.from, store.state.frame)) });
  }

  toggle() {
    if (this.#ahead) this.pause();
    else this.play();
  }

  pause() {
    if (!this.#ahead) return;
    this.#ahead.end();
    this.#ahead = null;
    this.#studio.store.set({ isPlaying: false });
    this.#studio.pictures.refresh();
  }

  #next(frame) {
    const { from, to, loops } = this.#studio.store.state;
    return frame + 1 < to ? frame + 1 : loops ? from : null;
  }

  /// Shows every frame, at the recording's rate or slower.
  async play() {
    const { store, pictures, session } = this.#studio;
    if (this.#next(store.state.frame) === null) store.set({ frame: store.state.from });
    pictures.invalidate();
    const ahead = new Ahead(store.state.frame, frame => pictures.fetch(frame), frame => this.#next(frame));
    this.#ahead = ahead;
    this.#shownAt = [];
    store.set({ isPlaying: true });
    const interval = 1000 / session.recording.framesPerSecond;
    let due = performance.now() + interval;
    while (this.#ahead === ahead) {
      const next = await ahead.take();
      if (next?.error) announce(next.error.text ?? next.error.message, true);
      if (!next || next.error) break;
      await this.#until(due);
      // A change came while this frame waited for its time.
      if (this.#ahead !== ahead || next.turn !== ahead.turn) continue;
      const now = performance.now();
      due = Math.max(due + interval, now - interval);
      pictures.show(next.pictured);
      store.set({ frame: next.frame });
      this.#countFrame(now);
    }
    if (this.#ahead === ahead) this.pause();
  }

  /// After a change of the setting, the range or the place, fetches again what was fetched ahead.
  refetch() {
    this.#studio.pictures.invalidate();
    this.#ahead?.restart(this.#studio.store.state.frame);
  }

  /// Waits for the animation frame nearest to a time.
  #until(due) {
    return new Promise(resolve => {
      const look = now => (now >= due - 6 || !this.#ahead ? resolve() : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });
  }

  #countFrame(now) {
    this.#shownAt.push(now);
    if (this.#shownAt.length > 31) this.#shownAt.shift();
    if (this.#shownAt.length > 5) {
      const rate = ((this.#shownAt.length - 1) * 1000) / (now - this.#shownAt[0]);
      byId("rate").textContent = `${rate.toFixed(1)} fps`;
    }
  }

  tell() {
    const { state } = this.#studio.store;
    const { recording } = this.#studio.session;
    const [first, end] = this.#whole;
    byId("frame").value = state.frame;
    byId("frame").min = first;
    byId("frame").max = end - 1;
    byId("frame-count").textContent = `/ ${end - 1}`;
    byId("time").textContent = clock((state.frame - first) / recording.framesPerSecond);
    const isWhole = state.from === first && state.to === end;
    const count = state.to - state.from;
    byId("range").replaceChildren(...(isWhole ? [] : count === 1 ? [`only frame ${state.from}`]
      : [`${state.from} to ${state.to - 1}`, el("span", {}, `, ${count} frames`)]));
    byId("range-clear").disabled = isWhole;
    byId("loop").setAttribute("aria-pressed", String(state.loops));
    const [play, label] = [byId("play"), state.isPlaying ? "Pause" : "Play"];
    if (play.getAttribute("aria-label") !== label) {
      play.replaceChildren(icon(label.toLowerCase()));
      play.setAttribute("aria-label", label);
    }
    if (!state.isPlaying) byId("rate").textContent = "";
  }
}
