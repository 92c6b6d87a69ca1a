// A strip of small pictures over the timeline: as many as fit, fetched one after another, and kept.

import { api } from "../parts/api.js";
import { el } from "../parts/dom.js";

const HEIGHT = 40;
const LIMIT = 200;

export class Thumbnails {
  #root;
  #urls = new Map();
  #run = 0;
  #begin;
  #onDamage;
  #missing = new Set();

  /// - Parameters:
  ///   - begin: a promise that is awaited before any is fetched.
  ///   - onDamage: called with a frame that has none, and why.
  constructor(root, begin, onDamage) {
    [this.#root, this.#begin, this.#onDamage] = [root, begin, onDamage];
  }

  async show([first, end], width, video) {
    const run = ++this.#run;
    if (!width) return;
    const count = Math.max(1, Math.floor(width / (HEIGHT * (video.width / video.height))));
    const frameAt = share => Math.min(Math.ceil(end) - 1, Math.floor(first + share * (end - first)));
    const frames = Array.from({ length: count }, (_, i) => frameAt((i + 0.5) / count));
    const pictures = frames.map(frame => el("img", { alt: "", draggable: "false", src: this.#urls.get(frame) }));
    this.#root.replaceChildren(...pictures);
    await this.#begin;
    // Zooming and resizing call often; only what lasts is fetched.
    await new Promise(resolve => setTimeout(resolve, 120));
    for (const [i, frame] of frames.entries()) {
      if (run !== this.#run) return;
      if (this.#missing.has(frame)) continue;
      try {
        if (!this.#urls.has(frame)) this.#keep(frame, await api.thumbnail(frame, 96));
      } catch (error) {
        // Without the program there are no more.
        if (!error.status) return;
        this.#missing.add(frame);
        this.#onDamage(frame, error.message);
        continue;
      }
      pictures[i].src ||= this.#urls.get(frame);
    }
  }

  #keep(frame, blob) {
    if (this.#urls.size >= LIMIT) {
      const [oldest, url] = this.#urls.entries().next().value;
      URL.revokeObjectURL(url);
      this.#urls.delete(oldest);
    }
    this.#urls.set(frame, URL.createObjectURL(blob));
  }
}
