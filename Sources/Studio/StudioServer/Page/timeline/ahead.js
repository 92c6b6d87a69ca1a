// Frames fetched ahead of the one that is shown, so that a slow answer does not stop the picture.

const COUNT = 3;

export class Ahead {
  #fetch;
  #next;
  /// { frame, before, result }, the next one first.
  #queue = [];
  /// Until the program begins to answer. The next frame is asked for then, while the last one's planes are on their way.
  #asking = null;
  #isEnded = false;
  #last;
  /// Counts restarts; frames of an earlier turn are void.
  turn = 0;

  /// - Parameters:
  ///   - fetch: resolves with a promise of a frame's pictures, as `pictured`, when they begin to come. That promise resolves
  ///     with null if something newer was asked for, and rejects if there are none.
  ///   - next: the frame after another one; null at the end.
  constructor(frame, fetch, next) {
    [this.#last, this.#fetch, this.#next] = [frame, fetch, next];
    this.#run();
  }

  /// The next frame with its pictures or an error; null at the end.
  async take() {
    while (this.#queue.length > 0 || this.#asking) {
      const [first] = this.#queue;
      const { pictured, error } = (await (first?.result ?? this.#asking)) ?? {};
      if (!first || this.#queue[0] !== first) continue;
      if (!pictured && !error) {
        this.restart(first.before);
        continue;
      }
      this.#queue.shift();
      this.#run();
      return { frame: first.frame, pictured, error, turn: this.turn };
    }
    return null;
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
  }

  async #run() {
    if (this.#asking) return;
    while (!this.#isEnded && this.#queue.length < COUNT) {
      const frame = this.#next(this.#last);
      if (frame === null) break;
      const begun = this.#fetch(frame);
      const result = begun.then(({ pictured }) => pictured).then(pictured => ({ pictured }), error => ({ error }));
      this.#queue.push({ frame, before: this.#last, result });
      this.#last = frame;
      this.#asking = begun.then(() => {}, () => {});
      await this.#asking;
      this.#asking = null;
    }
  }
}
