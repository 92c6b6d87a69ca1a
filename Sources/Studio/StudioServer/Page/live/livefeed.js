// Pictures of running cameras: one request at a time, always for the newest frame, with the setting as it is by then.

import { announce, byId } from "../parts/dom.js";

const ERROR_PAUSE = 700;
const RATE_FRAMES = 31;

export class LiveFeed {
  #studio;
  #newest = -1;
  #wake = () => {};
  #shownAt = [];
  #refresh;
  /// Mean of the latest pictures, in milliseconds: from a frame's arrival at the computer to the program's answer.
  latency = null;

  constructor(studio) {
    this.#studio = studio;
    const { store, pictures } = studio;
    this.#refresh = pictures.refresh.bind(pictures);
    // While the cameras are shown, the next request has what changed.
    pictures.refresh = () => { if (this.isHeld) this.#refresh(); else this.#wake(); };
    pictures.requests.more = { client: crypto.getRandomValues(new Uint32Array(2)).join("-"), holds: false };
    store.set({ isPlaying: true });
    addEventListener("visibilitychange", () => this.#wake());
  }

  get isHeld() {
    return !this.#studio.store.state.isPlaying;
  }

  /// Keeps the frame that is shown, or goes on with the newest.
  hold(isHeld = !this.isHeld) {
    const { store, pictures } = this.#studio;
    if (isHeld === this.isHeld || (isHeld && this.#newest < 0)) return;
    pictures.requests.more.holds = isHeld;
    pictures.invalidate();
    store.set(isHeld ? { isPlaying: false, frame: this.#newest } : { isPlaying: true });
    if (isHeld) this.#refresh();
    else this.#wake();
    announce(isHeld ? "Held. Changes show on this frame; the cameras go on." : "Live.");
  }

  /// Goes on for as long as the page is there.
  async run() {
    for (;;) {
      if (this.isHeld || document.hidden) {
        await this.#rest(2000);
        continue;
      }
      try {
        const pictured = await (await this.#studio.pictures.fetch(this.#newest)).pictured;
        if (pictured && !this.isHeld) this.#show(pictured);
      } catch {
        // Tells the error where it belongs.
        this.#refresh();
        await this.#rest(ERROR_PAUSE);
      }
    }
  }

  wake() {
    this.#wake();
  }

  #show(pictured) {
    const [answer] = pictured.answers;
    if (!answer.isNews) return;
    if (answer.frame <= this.#newest) return;
    this.#newest = answer.frame;
    // Look-ahead has no picture yet.
    if (answer.skipped === undefined) return;
    this.#studio.pictures.show(pictured);
    this.latency = this.latency === null ? answer.latency : 0.85 * this.latency + 0.15 * answer.latency;
    this.#count(performance.now());
  }

  #count(now) {
    this.#shownAt.push(now);
    if (this.#shownAt.length > RATE_FRAMES) this.#shownAt.shift();
  }

  /// Pictures shown a second, over the latest ones.
  get rate() {
    const [first, last] = [this.#shownAt[0], this.#shownAt.at(-1)];
    if (this.#shownAt.length < 5 || performance.now() - last > 2000) return 0;
    return ((this.#shownAt.length - 1) * 1000) / (last - first);
  }

  #rest(milliseconds) {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => { clearTimeout(timer); resolve(); };
    });
  }
}
