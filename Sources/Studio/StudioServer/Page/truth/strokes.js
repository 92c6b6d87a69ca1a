// A frame's truth with the undo history of its strokes. Each stroke keeps the rectangle that it changed.

const MOST_STROKES = 300;
const MOST_BYTES = 24 << 20;
const PLANES = ["matte", "ignored"];

export class Paper {
  /// Whether the program has a truth of this frame.
  isStored = false;
  /// Digest of the truth that the program had when it last gave or took this one.
  base = "none";
  #strokes = [];
  /// How many of the strokes are applied.
  #place = 0;
  /// States are named by their last stroke: the state before all kept strokes, and the saved one.
  #base = 0;
  #saved = 0;
  #newest = 0;
  #before = null;

  /// - Parameter matte, ignored: planes of the video's size, kept and painted on: 0 background to 255 person, and 255
  ///   where the frame is not to be judged.
  constructor(frame, { width, height }, matte, ignored) {
    Object.assign(this, { frame, width, height, matte, ignored });
  }

  get hasUnsaved() { return this.state !== this.#saved; }
  get canUndo() { return this.#place > 0; }
  get canRedo() { return this.#place < this.#strokes.length; }
  /// No strokes yet, not even undone ones.
  get isUntouched() { return this.#newest === 0; }
  get whole() { return { left: 0, top: 0, right: this.width, bottom: this.height }; }

  /// The name of what is painted now.
  get state() { return this.#place > 0 ? this.#strokes[this.#place - 1].name : this.#base; }

  /// Call before planes change.
  begin() {
    this.#before = Object.fromEntries(PLANES.map(name => [name, this[name].slice()]));
  }

  /// Keeps what changed within a rectangle since `begin` as one stroke.
  /// - Returns: whether anything did.
  end(area) {
    const before = this.#before;
    this.#before = null;
    if (!before || !area) return false;
    const [old, now] = [this.#cut(before, area), this.#cut(this, area)];
    if (PLANES.every(name => isEqual(old[name], now[name]))) return false;
    this.#strokes.length = this.#place;
    this.#strokes.push({ name: ++this.#newest, area, old, now });
    this.#place += 1;
    while (this.#strokes.length > MOST_STROKES || (this.#strokes.length > 1 && this.#byteCount > MOST_BYTES)) {
      this.#base = this.#strokes.shift().name;
      this.#place -= 1;
    }
    return true;
  }

  /// - Returns: the rectangle that changed; null if there is nothing to undo.
  undo() {
    if (!this.canUndo) return null;
    const { area, old } = this.#strokes[--this.#place];
    return this.#paste(old, area);
  }

  redo() {
    if (!this.canRedo) return null;
    const { area, now } = this.#strokes[this.#place++];
    return this.#paste(now, area);
  }

  /// What the program takes, and the state's name for `tellSaved`.
  snapshot() {
    const body = new Uint8Array(this.matte.length * 2);
    body.set(this.matte);
    body.set(this.ignored, this.matte.length);
    return { body, state: this.state };
  }

  /// - Parameter state: of the snapshot that was saved. There may be newer strokes.
  /// - Parameter digest: of the snapshot's body.
  tellSaved(state, digest) {
    this.isStored = true;
    [this.#saved, this.base] = [state, digest];
  }

  /// The program no longer has it. Undoing the removal is then something to save.
  tellRemoved() {
    this.isStored = false;
    [this.#saved, this.base] = [this.state, "none"];
  }

  get #byteCount() {
    return this.#strokes.reduce((sum, { old }) => sum + 4 * old.matte.length, 0);
  }

  #cut(planes, area) {
    return Object.fromEntries(PLANES.map(name => [name, cut(planes[name], this.width, area)]));
  }

  #paste(planes, area) {
    const across = area.right - area.left;
    for (let y = area.top, at = 0; y < area.bottom; y++, at += across) {
      for (const name of PLANES) this[name].set(planes[name].subarray(at, at + across), y * this.width + area.left);
    }
    return area;
  }
}

function cut(plane, width, { left, top, right, bottom }) {
  const across = right - left;
  const result = new Uint8Array(across * (bottom - top));
  for (let y = top; y < bottom; y++) result.set(plane.subarray(y * width + left, y * width + right), (y - top) * across);
  return result;
}

function isEqual(one, two) {
  for (let i = 0; i < one.length; i++) if (one[i] !== two[i]) return false;
  return true;
}
