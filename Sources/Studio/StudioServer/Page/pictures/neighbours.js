// Pictures of frames beside the one that is shown, so that a step shows them at once: the one that the last step left, and
// the one that another step in its direction leads to.

/// Of a view, beside the frame that is shown.
const MOST = 2;
/// Frames that a step skips where steps come faster than pictures.
const LARGEST_STEP = 3;

export class Neighbours {
  #fetch;
  /// By view: { key, answer } with a promise, the newest first.
  #kept = { a: [], b: [] };
  #fetching = { a: null, b: null };

  /// - Parameter fetch: resolves with an answer, or null if it would cost what is shown; takes a signal that ends it.
  constructor(fetch) {
    this.#fetch = fetch;
  }

  /// -1 or 1 from a frame to one near it, else 0.
  static way(from, to) {
    return Math.abs(to - from) <= LARGEST_STEP ? Math.sign(to - from) : 0;
  }

  /// A promise of what a key asks for, or of null; undefined if that was not fetched. What is fetched for another key ends.
  find(view, key) {
    if (this.#fetching[view]?.key !== key) this.#fetching[view]?.end.abort();
    return this.#kept[view].find(each => each.key === key)?.answer;
  }

  keep(view, key, answer) {
    const others = this.#kept[view].filter(each => each.key !== key);
    this.#kept[view] = [{ key, answer: Promise.resolve(answer) }, ...others].slice(0, MOST + 1);
  }

  drop(view) {
    this.#kept[view] = [];
  }

  async fetch(view, key, frame) {
    if (this.#kept[view].some(each => each.key === key)) return;
    const fetching = { key, end: new AbortController() };
    this.#fetching[view] = fetching;
    // A picture that comes with a later one's request is asked for again.
    const answer = this.#fetch(view, frame, fetching.end.signal).catch(() => null);
    this.keep(view, key, answer);
    if (!(await answer)?.exact) this.#kept[view] = this.#kept[view].filter(each => each.key !== key);
    if (this.#fetching[view] === fetching) this.#fetching[view] = null;
  }
}
