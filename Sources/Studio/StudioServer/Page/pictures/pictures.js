// What is shown: the current picture of each view, fetched when the frame or a setting changes, and refined until exact.

import { api } from "../parts/api.js";
import { Channel } from "../parts/channel.js";
import { Neighbours } from "./neighbours.js";
import { checked, parseAnswer } from "./planes.js";
import { Requests } from "./requests.js";

const REST_MILLISECONDS = 80;

function isSameSetting(one, other) {
  const pairs = Object.entries(one.values);
  return one.preset === other.preset && pairs.length === Object.keys(other.values).length
    && pairs.every(([name, value]) => other.values[name] === value);
}

/// Resolves when what was drawn has been given to the screen.
export const painted = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));

export class Pictures {
  current = { a: null, b: null };
  /// Digests that were compared, and those that differed.
  counts = { checked: 0, wrong: 0 };
  requests;
  /// Takes the place of a refresh while frames are played.
  whilePlaying = null;
  /// Prepares a plane of a frame that may be shown next.
  prepare = () => {};
  #store;
  #listeners = [];
  #checkListeners = [];
  #runs = { a: 0, b: 0 };
  /// The run whose picture is on the screen.
  #shown = { a: -1, b: -1 };
  #channels;
  #exactChannels;
  #neighbours;
  #first = Promise.withResolvers();
  #unasked;

  /// - Parameters:
  ///   - wanted: gives the taps of a view that are on the screen, each with the step of pixels that is asked for.
  ///   - unasked: `answer`, a promise of what the program expects to be asked for first, or of null; and `isEnough`, which
  ///     tells whether planes that were thinned beforehand have all pixels that are seen.
  constructor(store, wanted, unasked) {
    [this.#store, this.#unasked] = [store, unasked];
    this.requests = new Requests(store, wanted, this.current);
    const send = async request => parseAnswer(await api.frame(request));
    this.#channels = { a: new Channel(send), b: new Channel(send) };
    // A request for an exact picture waits, and a change does not wait for it.
    this.#exactChannels = { a: new Channel(send), b: new Channel(send) };
    this.#neighbours = new Neighbours((view, frame, signal) => this.#fetchNext(view, frame, signal));
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
    if (this.#store.state.isPlaying && this.whilePlaying) return this.whilePlaying();
    for (const view of this.views) this.#settle(view);
  }

  /// Resolves when the pictures of a frame begin to come for all views, with a promise of them as `pictured`, to be shown by
  /// `show`; of null if something newer was wanted.
  async fetch(frame) {
    const views = this.views;
    const runs = views.map(view => this.#runs[view]);
    const begun = await Promise.all(views.map(async view => {
      const response = await api.frameBegun(this.requests.make(view, frame));
      return this.#finish(view, frame, response);
    }));
    return { pictured: this.#pictured(begun, views, runs) };
  }

  async #pictured(begun, views, runs) {
    const answers = await Promise.all(begun.map(each => each.answer));
    if (runs.some((run, i) => run !== this.#runs[views[i]])) return null;
    // Before their time comes.
    for (const answer of answers) this.#check(answer.planes);
    return { views, answers };
  }

  /// Within an object, so that waiting for that does not wait for the answer.
  #finish(view, frame, response) {
    const again = async () => parseAnswer(await api.frame(this.requests.make(view, frame, { withHave: false })));
    return { answer: response.arrayBuffer().then(parseAnswer).then(answer => this.requests.whole(view, answer, again)) };
  }

  async #fetchNext(view, frame, signal) {
    const buffer = await api.frame({ ...this.requests.make(view, frame), next: true }, signal);
    if (buffer.byteLength === 0) return null;
    const answer = await this.requests.whole(view, parseAnswer(buffer), () => null);
    if (!answer) return null;
    this.#check(answer.planes);
    this.#prepare(view, answer.planes, signal);
    return answer;
  }

  /// One plane after the other, so that what a person does meanwhile waits for one at most.
  async #prepare(view, planes, signal) {
    for (const plane of planes) {
      await new Promise(resolve => setTimeout(resolve));
      if (signal.aborted) return;
      this.prepare(view, plane);
    }
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
    const { frame } = this.#store.state;
    const key = this.requests.key(view, frame);
    const way = this.current[view] ? Neighbours.way(this.current[view].frame, frame) : 0;
    const kept = this.#neighbours.find(view, key);
    if (!kept && way === 0) this.#neighbours.drop(view);
    try {
      let answer = kept ? await kept : null;
      if (run !== this.#runs[view]) return;
      const early = answer ? null : await this.#takeUnasked(view, frame);
      if (early && run === this.#runs[view]) {
        this.#shown[view] = run;
        this.#take(view, early);
        await painted();
      }
      answer ??= early?.planes.every(plane => plane.step === 1) ? early : await this.#ask(view, frame, false);
      if (answer && answer !== early && run === this.#runs[view]) {
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
        if (!answer.history) break;
      }
      if (answer?.exact) await this.#fetchNeighbour(view, run, key, answer, way);
    } catch (error) {
      if (run !== this.#runs[view]) return;
      this.#shown[view] = run;
      this.current[view] = { ...(this.current[view] ?? { planes: {} }), error };
      this.#tell(view);
    }
  }

  /// After a step, fetches the frame that the next one leads to: once the picture is painted, and only while nothing else is
  /// wanted. Without a step before it, the program stays at the frame, where a change costs least.
  async #fetchNeighbour(view, run, key, answer, way) {
    this.#neighbours.keep(view, key, answer);
    const { from, to } = this.#store.state;
    const next = answer.frame + way;
    if (way === 0 || next < from || next >= to || this.requests.more.client) return;
    await painted();
    if (run === this.#runs[view]) await this.#neighbours.fetch(view, this.requests.key(view, next), next);
  }

  /// Null if that is another picture.
  async #takeUnasked(view, frame) {
    const { answer: buffered, isEnough } = this.#unasked ?? {};
    const buffer = view === "a" ? await buffered : null;
    this.#unasked = null;
    if (!buffer) return null;
    const answer = parseAnswer(buffer);
    const { from, to, a } = this.#store.state;
    const isSame = answer.frame === frame && answer.from === from && answer.to === to && isSameSetting(answer.setting, a);
    return isSame && isEnough(answer.planes) && answer.planes.every(plane => this.requests.complete(view, plane)) ? answer : null;
  }

  async #ask(view, frame, exact) {
    const channel = (exact ? this.#exactChannels : this.#channels)[view];
    const answer = await channel.ask(() => this.requests.make(view, frame, { exact }));
    if (!answer) return null;
    return this.requests.whole(view, answer, () => channel.ask(() => this.requests.make(view, frame, { exact, withHave: false })));
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
