// Frames fetched ahead of the one that is shown, so that a slow answer does not stop the picture.

const COUNT = 3;

export class Ahead {
  #fetch;
  #next;
  #queue = [];
  #waiting = null;
  #isBusy = false;
  #isEnded = false;
  #last;
  /// Counts restarts; frames of an earlier turn are void.
  turn = 0;

  /// - Parameters:
  ///   - fetch: the pictures of a frame, or null if something newer was asked for; rejects if there are none.
  ///   - next: the frame after another one; null at the end.
  constructor(frame, fetch, next) {
    [this.#last, this.#fetch, this.#next] = [frame, fetch, next];
    this.#run();
  }

  /// The next frame with its pictures or an error; null at the end.
  async take() {
    while (this.#queue.length === 0) {
      if (!this.#isBusy) return null;
      await new Promise(resolve => { this.#waiting = resolve; });
    }
    const first = this.#queue.shift();
    this.#run();
    return first;
  }

  /// Forgets what was fetched, and begins again after a frame.
  restart(frame) {
    this.#queue.length = 0;
    this.#last = frame;
    this.turn += 1;
    this.#run();
  }

  end() {
    this.#isEnded = true;
    this.#queue.length = 0;
    this.#wake();
  }

  #wake() {
    this.#waiting?.();
    this.#waiting = null;
  }

  async #run() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (!this.#isEnded && this.#queue.length < COUNT) {
      const frame = this.#next(this.#last);
      if (frame === null) break;
      const { turn } = this;
      let pictured = null, error = null;
      try {
        pictured = await this.#fetch(frame);
      } catch (problem) {
        error = problem;
      }
      if (this.turn !== turn || (!pictured && !error)) continue;
      this.#last = frame;
      this.#queue.push({ frame, pictured, error, turn });
      this.#wake();
      if (error) break;
    }
    this.#isBusy = false;
    if (this.#queue.length === 0) this.#wake();
  }
}
