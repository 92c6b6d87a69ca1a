// What is shown: the current picture of each view, fetched when the frame or a setting changes, and refined until exact.

import { api } from "../parts/api.js";
import { Channel } from "../parts/channel.js";
import { checked, parseAnswer, PlaneShelf } from "./planes.js";
import { wire } from "../parts/setting.js";

const REST_MILLISECONDS = 80;
const TAPS = ["original", "depth", "mask", "matte", "composite"];

function isSameSetting(one, other) {
  const pairs = Object.entries(one.values);
  return one.preset === other.preset && pairs.length === Object.keys(other.values).length
    && pairs.every(([name, value]) => other.values[name] === value);
}

export class Pictures {
  current = { a: null, b: null };
  /// Digests that were compared, and those that differed.
  counts = { checked: 0, wrong: 0 };
  /// What requests have besides.
  more = {};
  #store;
  #wanted;
  #listeners = [];
  #checkListeners = [];
  #shelves = { a: new PlaneShelf(), b: new PlaneShelf() };
  #runs = { a: 0, b: 0 };
  /// The run whose picture is on the screen.
  #shown = { a: -1, b: -1 };
  #channels;
  #exactChannels;
  #first = Promise.withResolvers();
  #unasked;

  /// - Parameters:
  ///   - wanted: gives the taps that are on the screen.
  ///   - unasked: a promise of the answer that the program expects to be asked for first, or of null.
  constructor(store, wanted, unasked) {
    [this.#store, this.#wanted, this.#unasked] = [store, wanted, unasked];
    const send = async request => parseAnswer(await api.frame(request));
    this.#channels = { a: new Channel(send), b: new Channel(send) };
    // A request for an exact picture waits, and a change does not wait for it.
    this.#exactChannels = { a: new Channel(send), b: new Channel(send) };
  }

  /// Calls `callback(view, picture)` after each change of a view's picture, its progress or its error.
  on(callback) {
    this.#listeners.push(callback);
  }

  /// Calls `callback` when digests were compared after a picture was shown.
  onCheck(callback) {
    this.#checkListeners.push(callback);
  }

  get views() {
    const { compare, active, isFlipped } = this.#store.state;
    return compare === "off" && !isFlipped ? [active] : ["a", "b"];
  }

  refresh() {
    for (const view of this.views) this.#settle(view);
  }

  /// The pictures of a frame for all views, to be shown by `show`; null if something newer was wanted.
  async fetch(frame) {
    const views = this.views;
    const runs = views.map(view => ++this.#runs[view]);
    const answers = await Promise.all(views.map(view => this.#ask(view, frame, false)));
    // Before their time comes.
    for (const answer of answers) this.#check(answer?.planes ?? []);
    return answers.includes(null) || runs.some((run, i) => run !== this.#runs[views[i]]) ? null : { views, answers };
  }

  /// Resolves with the first picture or error. What a page can do without waits for it.
  get first() {
    return this.#first.promise;
  }

  /// Makes what is under way void.
  invalidate() {
    for (const view of ["a", "b"]) this.#runs[view] += 1;
  }

  show({ views, answers }) {
    views.forEach((view, i) => {
      this.#shown[view] = this.#runs[view];
      this.#take(view, answers[i]);
    });
  }

  /// Whether the pictures on the screen are those of the newest request, if not yet exact.
  get isCurrent() {
    return this.views.every(view => this.#shown[view] === this.#runs[view] && this.current[view]);
  }

  async #settle(view) {
    const run = ++this.#runs[view];
    const frame = this.#store.state.frame;
    try {
      let answer = (await this.#takeUnasked(view, frame)) ?? (await this.#ask(view, frame, false));
      if (answer && run === this.#runs[view]) {
        this.#shown[view] = run;
        this.#take(view, answer);
      }
      // Not while a slider moves.
      if (answer && !answer.exact) await new Promise(resolve => setTimeout(resolve, REST_MILLISECONDS));
      while (answer && !answer.exact && run === this.#runs[view]) {
        answer = await this.#ask(view, frame, true);
        if (!answer || run !== this.#runs[view]) return;
        if (answer.exact) this.#take(view, answer);
        else this.#tellProgress(view, answer);
        // Without progress, no exact picture will come.
        if (!answer.history) return;
      }
    } catch (error) {
      if (run !== this.#runs[view]) return;
      this.#shown[view] = run;
      this.current[view] = { ...(this.current[view] ?? { planes: {} }), error };
      this.#tell(view);
    }
  }

  /// Null if that is another picture.
  async #takeUnasked(view, frame) {
    const buffer = view === "a" && this.#unasked ? await this.#unasked : null;
    this.#unasked = null;
    if (!buffer) return null;
    const answer = parseAnswer(buffer);
    const { from, to, a } = this.#store.state;
    const isSame = answer.frame === frame && answer.from === from && answer.to === to && isSameSetting(answer.setting, a);
    return isSame && answer.planes.every(plane => this.#complete(view, plane)) ? answer : null;
  }

  async #ask(view, frame, exact) {
    const make = withHave => () => {
      const { from, to } = this.#store.state;
      const taps = TAPS.filter(tap => this.#wanted().has(tap));
      return {
        ...this.more, view, frame, from, to, setting: wire(this.#store.state[view]), taps, exact,
        have: withHave ? this.#have(view, taps, frame) : {},
      };
    };
    const channel = (exact ? this.#exactChannels : this.#channels)[view];
    const answer = await channel.ask(make(true));
    if (!answer) return null;
    const isProgress = exact && !answer.exact;
    const isWhole = isProgress || answer.planes.every(plane => this.#complete(view, plane));
    return isWhole ? answer : channel.ask(make(false)).then(again => {
      again?.planes.forEach(plane => this.#complete(view, plane));
      return again;
    });
  }

  /// Both views have the same original, so the first one fetched serves both.
  #have(view, taps, frame) {
    const other = view === "a" ? "b" : "a";
    const pairs = taps.map(tap => {
      const isShared = tap === "original" && this.current[other]?.frame === frame;
      return [tap, this.#shelves[isShared ? other : view].newest(tap)?.digest];
    });
    return Object.fromEntries(pairs.filter(([, digest]) => digest));
  }

  /// Puts a plane's bytes in its place. False if the page no longer has what the program left out.
  #complete(view, plane) {
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

  #take(view, answer) {
    const planes = Object.fromEntries(answer.planes.filter(plane => plane.bytes).map(plane => [plane.tap, plane]));
    this.current[view] = { ...answer, planes, error: null };
    this.#tell(view);
    if (this.#areChecked(view)) return;
    // The picture is painted first: the check takes as long as that.
    requestAnimationFrame(() => setTimeout(() => {
      if (this.current[view].planes !== planes) return;
      this.#check(answer.planes);
      for (const callback of this.#checkListeners) callback();
    }));
  }

  #check(planes) {
    for (const plane of planes) {
      if (!plane.bytes || plane.isSound !== undefined) continue;
      plane.isSound = checked(plane);
      if (plane.isSound !== null) this.counts.checked += 1;
      if (plane.isSound === false) this.counts.wrong += 1;
    }
  }

  #areChecked(view) {
    return Object.values(this.current[view]?.planes ?? {}).every(plane => plane.isSound !== undefined);
  }

  /// Whether the digests of all planes on the screen were compared.
  get areChecked() {
    return this.views.every(view => this.#areChecked(view));
  }

  #tellProgress(view, { why, history }) {
    this.current[view] = { ...this.current[view], why, history };
    this.#tell(view);
  }

  #tell(view) {
    this.#first.resolve();
    for (const callback of this.#listeners) callback(view, this.current[view]);
  }
}
