// What the page asks for, and the planes that it has already, which the program leaves out.

import { page } from "../parts/api.js";
import { PlaneShelf } from "./planes.js";
import { wire } from "../parts/setting.js";

const TAPS = ["original", "depth", "mask", "matte", "composite"];

const tapsIn = wanted => TAPS.filter(tap => wanted.has(tap));

export class Requests {
  /// What requests have besides.
  more = {};
  #store;
  #wanted;
  #shown;
  #shelves = { a: new PlaneShelf(), b: new PlaneShelf() };

  /// - Parameters:
  ///   - wanted: gives the taps of a view that are on the screen, each with the step of pixels that is asked for.
  ///   - shown: the current pictures, by view.
  constructor(store, wanted, shown) {
    [this.#store, this.#wanted, this.#shown] = [store, wanted, shown];
  }

  /// - Parameters:
  ///   - exact: whether to wait for an exact picture.
  ///   - withHave: whether the program may leave out what the page has.
  make(view, frame, { exact = false, withHave = true } = {}) {
    const { from, to } = this.#store.state;
    const wanted = this.#wanted(view);
    const taps = tapsIn(wanted);
    return {
      ...this.more, page, view, frame, from, to, setting: wire(this.#store.state[view]), taps, exact,
      steps: Object.fromEntries(taps.map(tap => [tap, wanted.get(tap)]).filter(([, step]) => step > 1)),
      have: withHave ? this.#have(view, taps, frame) : {},
    };
  }

  /// What tells a picture from others.
  key(view, frame) {
    const { from, to } = this.#store.state;
    return JSON.stringify([frame, from, to, tapsIn(this.#wanted(view)), wire(this.#store.state[view])]);
  }

  /// The answer with the bytes of all planes. `again` asks for those that the program left out and the page has no longer.
  async whole(view, answer, again) {
    if (answer.planes.every(plane => this.complete(view, plane))) return answer;
    const other = await again();
    other?.planes.forEach(plane => this.complete(view, plane));
    return other;
  }

  /// Both views have the same original, so the first one fetched serves both.
  #have(view, taps, frame) {
    const other = view === "a" ? "b" : "a";
    const pairs = taps.map(tap => {
      const isShared = tap === "original" && this.#shown[other]?.frame === frame;
      return [tap, this.#shelves[isShared ? other : view].newest(tap)?.digest];
    });
    return Object.fromEntries(pairs.filter(([, digest]) => digest));
  }

  /// Puts a plane's bytes in its place. False if the page no longer has what the program left out.
  complete(view, plane) {
    if (plane.step > 1) return true;
    if (plane.bytes) {
      this.#shelves[view].put(plane);
      return true;
    }
    const known = this.#shelves[view].find(plane.tap, plane.digest)
      ?? this.#shelves[view === "a" ? "b" : "a"].find(plane.tap, plane.digest);
    if (!known) return false;
    Object.assign(plane, { bytes: known.bytes, millimeters: known.millimeters, isSound: known.isSound });
    this.#shelves[view].put(plane);
    return true;
  }
}
