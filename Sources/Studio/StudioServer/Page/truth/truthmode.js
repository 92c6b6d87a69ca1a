// The mode in which truth is painted: opens a frame's sheet, saves it before another frame is shown, and removes it.

import { announce } from "../parts/dom.js";
import { planeAt, Truth } from "./truth.js";

const CHOICE_MILLISECONDS = 60_000, SAVED_MILLISECONDS = 10_000;

export class TruthMode {
  /// Ends the stroke of a pressed pointer before something else happens to the sheet.
  finish = () => {};
  #studio;
  #before = null;
  #listeners = [];
  #loading = new Set();
  #loaded;

  constructor(studio) {
    this.#studio = studio;
    const { store, pictures } = studio;
    this.truth = new Truth(studio.video);
    this.#loadList();
    store.on(["isPainting"], () => (store.state.isPainting ? this.#enter() : this.#leave()));
    store.on(["frame"], () => {
      this.finish();
      this.#saveWaiting(store.state.frame);
      this.#follow();
    });
    store.on(["isPlaying"], () => { if (store.state.isPainting) this.tell(); });
    store.on(["compare"], () => { if (store.state.isPainting) store.set({ compare: "off" }); });
    pictures.on(() => this.#follow());
    this.truth.on(() => this.tell());
    addEventListener("visibilitychange", () => { if (document.hidden) this.#saveWaiting(); else this.#catchUp(); });
    addEventListener("beforeunload", event => {
      if (this.truth.unsavedFrames.length === 0) return;
      this.#saveWaiting();
      event.preventDefault();
    });
  }

  #loadList() {
    this.#loaded = this.truth.load().then(() => true, error => {
      this.error = error;
      return false;
    });
  }

  /// After another frame or picture; not while playing, which has no time for it.
  #follow() {
    if (!this.isOn) return;
    this.#open();
    this.tell();
  }

  /// Calls back after a change of the sheet, its state, or the painted frames.
  on(callback) {
    this.#listeners.push(callback);
  }

  tell() {
    for (const callback of this.#listeners) callback();
  }

  get isOn() { return this.#studio.store.state.isPainting && !this.#studio.store.state.isPlaying; }

  /// The sheet of the picture on the screen; null while there is none to paint on.
  get paper() {
    const { store, pictures, shownView } = this.#studio;
    const { frame } = store.state;
    return this.isOn && pictures.current[shownView]?.frame === frame ? this.truth.paper(frame) : null;
  }

  toggle() {
    const { store } = this.#studio;
    store.set({ isPainting: !store.state.isPainting });
  }

  async #enter() {
    const { store, transport, pictures } = this.#studio;
    const { main, layout, compare } = store.state;
    this.#before = { main, layout, compare };
    transport.pause();
    // Both would leave no room for the picture.
    this.#studio.sweep?.toggle(false);
    store.set({ compare: "off", main: "original", layout: layout === "grid" ? "focus" : layout });
    pictures.refresh();
    this.tell();
    if (!(await this.#loaded)) {
      store.set({ isPainting: false });
      this.#loadList();
      return announce(`Truth cannot be painted: ${this.error.text ?? this.error.message}`, true);
    }
    this.#follow();
  }

  #leave() {
    this.finish();
    this.#saveWaiting();
    if (this.#before) this.#studio.store.set(this.#before);
    this.#before = null;
    this.tell();
    this.#studio.stage.draw();
  }

  /// The current setting's matte, at the video's size; null if it is not on the page.
  #matte() {
    const { pictures, store, shownView, video } = this.#studio;
    const picture = pictures.current[shownView];
    if (picture?.frame !== store.state.frame || picture.error) return null;
    const plane = picture.planes.matte;
    if (plane) return { bytes: planeAt(video, plane), digest: plane.digest, isBlank: false };
    return picture.skipped ? { bytes: new Uint8Array(video.width * video.height), digest: "none", isBlank: true } : null;
  }

  /// Takes the stored truth of the frame, or begins from the setting's matte and follows it until something is painted.
  async #open() {
    const { frame } = this.#studio.store.state;
    if (!this.isOn || this.#loading.has(frame)) return;
    const known = this.truth.paper(frame);
    if (known && (known.isStored || !known.isUntouched)) return;
    if (!known && !(await this.#loaded)) return;
    if (this.truth.frames.includes(frame)) return this.#load(frame);
    const matte = this.#matte();
    if (frame !== this.#studio.store.state.frame || !matte || known?.digest === matte.digest) return;
    Object.assign(this.truth.begin(frame, matte.bytes), { digest: matte.digest, isBlank: matte.isBlank });
    this.tell();
  }

  async #load(frame) {
    if (this.#loading.has(frame)) return;
    this.#loading.add(frame);
    try {
      if (!(await this.truth.stored(frame))) await this.truth.load();
    } catch (error) {
      announce(`The truth of frame ${frame} cannot be read: ${error.text ?? error.message}`, true);
    }
    this.#loading.delete(frame);
    // Removed meanwhile, by another page.
    if (!this.truth.frames.includes(frame)) this.#open();
    this.tell();
  }

  /// A stroke as a whole: `change` paints on the sheet, and returns the rectangle that it may have changed.
  stroke(change) {
    this.finish();
    const { paper } = this;
    if (!paper) return null;
    paper.begin();
    const area = change(paper);
    paper.end(area);
    this.tell();
    return area;
  }

  /// - Parameter direction: -1 undoes, 1 does again.
  undo(direction) {
    this.finish();
    const { paper } = this;
    const area = direction < 0 ? paper?.undo() : paper?.redo();
    if (paper && !area) announce(`No stroke to ${direction < 0 ? "undo" : "paint again"} in this frame.`);
    this.tell();
    return area ?? null;
  }

  beginAgain() {
    const matte = this.#matte();
    if (!matte) return announce("The setting's matte of this frame is not here yet.");
    this.stroke(paper => { paper.matte.set(matte.bytes); paper.ignored.fill(0); return paper.whole; });
  }

  /// Shows what another page has saved meanwhile.
  async #catchUp() {
    const { paper } = this;
    if (!this.isOn) return;
    await this.truth.load().catch(() => {});
    if (paper?.isStored && !paper.hasUnsaved) await this.#reload(paper);
    this.#follow();
  }

  async #reload(paper) {
    try {
      await this.truth.reload(paper);
      this.#studio.painter.refresh(paper.whole);
      this.#studio.scores.refresh();
    } catch (error) {
      announce(`The truth of frame ${paper.frame} cannot be read: ${error.text ?? error.message}`, true);
    }
  }

  /// - Parameters:
  ///   - replaces: see `Truth.save`.
  ///   - isMeant: also a matte that nobody painted on.
  async save(paper = this.paper, replaces = false, isMeant = false) {
    if (!paper) return;
    this.finish();
    if (paper.isUntouched && !paper.isStored && !isMeant) {
      return announce(`Nothing is painted on frame ${paper.frame}: its truth would be this setting's own matte, and scores would find no fault in it.`,
        true, CHOICE_MILLISECONDS, { title: "Save it all the same", act: () => this.save(paper, replaces, true) });
    }
    try {
      await this.truth.save(paper, replaces);
      this.#studio.scores.refresh();
      const count = this.truth.frames.length;
      announce(`The truth of frame ${paper.frame} was saved. Scores here compare with ${count === 1 ? "this painted frame" : `the ${count} painted frames`} only.`,
        false, SAVED_MILLISECONDS, { title: "Remove it", act: () => this.#removeStored(paper.frame) });
    } catch (error) {
      if (error.status === 409) {
        return announce(`The truth of frame ${paper.frame} was not saved: ${error.message}`, true, CHOICE_MILLISECONDS,
          { title: "Load the other", act: () => this.#reload(paper) }, { title: "Replace it", act: () => this.save(paper, true, isMeant) });
      }
      const cause = error.text ?? error.message;
      announce(`The truth of frame ${paper.frame} was not saved: ${cause} It stays on this page; Save tries again.`, true);
    }
  }

  /// Saves all sheets with unsaved strokes, but that of one frame.
  #saveWaiting(except = null) {
    for (const paper of this.truth.waiting) if (paper.frame !== except) this.save(paper);
  }

  /// Removes the stored truth, and what was painted. Undo brings the painting back.
  async remove() {
    const { paper } = this;
    if (!paper) return;
    const { frame, isStored } = paper;
    this.beginAgain();
    if (isStored) return this.#removeStored(frame);
    paper.tellRemoved();
    announce(`Frame ${frame} has no truth any more. Undo brings the painting back.`);
    this.tell();
  }

  async #removeStored(frame) {
    try {
      await this.truth.remove(frame);
      this.#studio.scores.refresh();
      announce(`Frame ${frame} has no truth any more. Undo brings the painting back.`);
    } catch (error) {
      announce(`The truth of frame ${frame} was not removed: ${error.text ?? error.message}`, true);
    }
    this.tell();
  }

  /// Leaves out what the nearest painted frame leaves out, such as the picture's corners.
  async copyIgnored() {
    const { frame } = this.#studio.store.state;
    const other = this.truth.neighbour(frame, -1) ?? this.truth.neighbour(frame, 1);
    if (other === null) return announce("No other frame is painted.");
    try {
      const ignored = this.truth.paper(other)?.ignored ?? (await this.truth.stored(other))?.ignored;
      if (!ignored?.some(Boolean)) return announce(`Frame ${other} leaves nothing out.`);
      if (frame !== this.#studio.store.state.frame) return;
      this.stroke(paper => {
        for (let i = 0; i < ignored.length; i++) paper.ignored[i] |= ignored[i];
        return paper.whole;
      });
      announce(`What frame ${other} leaves out is left out here too.`);
    } catch (error) {
      announce(error.text ?? error.message, true);
    }
  }

  /// What the truth says of a pixel; empty without a sheet.
  textAt(point) {
    const { paper } = this;
    if (!paper) return "";
    const index = Math.floor(point.y) * paper.width + Math.floor(point.x);
    const value = paper.matte[index];
    if (paper.ignored[index]) return "not judged";
    return { 0: "background", 255: "person" }[value] ?? `truth ${(value / 255).toFixed(3)}`;
  }

  goToPainted(direction) {
    const { store, transport } = this.#studio;
    const frame = this.truth.neighbour(store.state.frame, direction);
    if (frame === null) return announce(`No frame ${direction > 0 ? "after" : "before"} this one is painted.`);
    transport.pause();
    transport.goTo(frame);
  }
}
