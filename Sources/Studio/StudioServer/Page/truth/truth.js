// Painted truth: which frames have one, the sheets that are being painted, and their way to and from the program.

import { api } from "../parts/api.js";
import { xxh3 } from "../parts/xxh3.js";
import { Paper } from "./strokes.js";

/// Sheets without unsaved strokes that are kept, so that their strokes can be undone after another frame.
const KEPT = 6;

/// A grey plane at a size, by the nearest pixel.
export function planeAt({ width, height }, plane) {
  if (plane.width === width && plane.height === height) return plane.bytes.slice();
  const bytes = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor((y * plane.height) / height) * plane.width;
    for (let x = 0; x < width; x++, i++) bytes[i] = plane.bytes[row + Math.floor((x * plane.width) / width)];
  }
  return bytes;
}

export class Truth {
  /// Frames that the program has a truth of, in order.
  frames = [];
  /// Where the program keeps it.
  path = "";
  #video;
  #papers = new Map();
  /// By frame: the last request under way, and the state that it saves.
  #saving = new Map();
  #listeners = [];

  constructor(video) {
    this.#video = video;
  }

  /// Calls back after the frames or a sheet's state changed.
  on(callback) {
    this.#listeners.push(callback);
  }

  #tell() {
    for (const callback of this.#listeners) callback();
  }

  async load() {
    const { path, frames } = await api.truth();
    Object.assign(this, { path, frames });
    this.#tell();
  }

  paper(frame) {
    return this.#papers.get(frame) ?? null;
  }

  get unsavedFrames() {
    return [...this.#papers.values()].filter(paper => paper.hasUnsaved).map(paper => paper.frame);
  }

  /// Sheets with strokes that are neither saved nor on their way.
  get waiting() {
    const isOnItsWay = paper => this.#saving.get(paper.frame)?.state === paper.state;
    return [...this.#papers.values()].filter(paper => paper.hasUnsaved && !isOnItsWay(paper));
  }

  isSaving(frame) {
    return this.#saving.has(frame);
  }

  /// The stored truth of a frame as a sheet; null without one.
  async stored(frame) {
    if (!this.frames.includes(frame)) return null;
    const planes = await this.#planes(frame);
    if (!planes) return null;
    const paper = new Paper(frame, this.#video, planes.matte, planes.ignored);
    paper.tellSaved(paper.state, planes.digest);
    return this.#keep(paper);
  }

  async #planes(frame) {
    const bytes = await api.truthPlanes(frame);
    const count = this.#video.width * this.#video.height;
    if (bytes?.length !== 2 * count) return null;
    return { matte: bytes.slice(0, count), ignored: bytes.slice(count), digest: xxh3(bytes) };
  }

  /// Shows what the program has of a sheet's frame now. What was painted can be brought back by undo.
  async reload(paper) {
    const planes = await this.#planes(paper.frame);
    if (planes) {
      paper.begin();
      paper.matte.set(planes.matte);
      paper.ignored.set(planes.ignored);
      paper.end(paper.whole);
      paper.tellSaved(paper.state, planes.digest);
    } else paper.tellRemoved();
    this.#setStored(paper.frame, Boolean(planes));
    this.#tell();
  }

  /// A sheet that begins from a plane of the video's size, or replaces one that nobody painted on.
  begin(frame, matte) {
    const { width, height } = this.#video;
    return this.#keep(new Paper(frame, this.#video, matte, new Uint8Array(width * height)));
  }

  #keep(paper) {
    this.#papers.delete(paper.frame);
    this.#papers.set(paper.frame, paper);
    const isIdle = each => !each.hasUnsaved && each !== paper && !this.isSaving(each.frame);
    const idle = [...this.#papers.values()].filter(isIdle);
    for (const each of idle.slice(0, Math.max(0, idle.length - KEPT))) this.#papers.delete(each.frame);
    return paper;
  }

  /// Saves a sheet as it is now. One request for a frame at a time, in order.
  /// - Parameter replaces: also what another page has saved meanwhile.
  async save(paper, replaces = false) {
    const before = this.#saving.get(paper.frame)?.turn;
    const { body, state } = paper.snapshot();
    const turn = (async () => {
      await before?.catch(() => {});
      await api.saveTruth(paper.frame, replaces ? null : paper.base, body);
      paper.tellSaved(state, xxh3(body));
      this.#setStored(paper.frame, true);
    })();
    await this.#wait(paper.frame, { turn, state });
  }

  async remove(frame) {
    const before = this.#saving.get(frame)?.turn;
    const turn = (async () => {
      await before?.catch(() => {});
      await api.removeTruth(frame, this.paper(frame)?.base ?? null);
      this.paper(frame)?.tellRemoved();
      this.#setStored(frame, false);
    })();
    await this.#wait(frame, { turn, state: null });
  }

  async #wait(frame, request) {
    this.#saving.set(frame, request);
    this.#tell();
    try {
      await request.turn;
    } finally {
      if (this.#saving.get(frame) === request) this.#saving.delete(frame);
      this.#tell();
    }
  }

  #setStored(frame, isStored) {
    const others = this.frames.filter(each => each !== frame);
    this.frames = isStored ? [...others, frame].sort((one, two) => one - two) : others;
  }

  /// The next painted frame in a direction, 1 or -1; null without one.
  neighbour(frame, direction) {
    const all = [...new Set([...this.frames, ...this.unsavedFrames])].sort((one, two) => one - two);
    return (direction > 0 ? all.find(each => each > frame) : all.findLast(each => each < frame)) ?? null;
  }
}
