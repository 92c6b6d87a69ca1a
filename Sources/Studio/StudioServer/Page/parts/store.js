// The page's state, its listeners, and the undo history of the two settings.

const LIMIT = 500;

export class Store {
  #listeners = [];
  #history = [];
  #place = 0;
  #gesture = null;

  constructor(state) {
    this.state = state;
    this.#history = [this.#settings()];
  }

  /// Calls `callback` after any of the keys changed.
  on(keys, callback) {
    this.#listeners.push({ keys: new Set(keys), callback });
  }

  set(patch) {
    const changed = Object.keys(patch).filter(key => this.state[key] !== patch[key]);
    if (changed.length === 0) return;
    Object.assign(this.state, patch);
    for (const { keys, callback } of this.#listeners) {
      if (changed.some(key => keys.has(key))) callback(this.state, changed);
    }
  }

  /// The setting that the controls show.
  get setting() {
    return this.state[this.state.active];
  }

  /// Replaces settings. Edits of one gesture, such as a drag, are undone together.
  edit(patch, gesture = null) {
    const before = this.#settings();
    this.set(Object.fromEntries(Object.entries(patch).map(([view, setting]) => [view, this.#renamed(setting, before[view])])));
    if (before.a === this.state.a && before.b === this.state.b) return;
    const joins = gesture !== null && gesture === this.#gesture && this.#place > 0;
    this.#history.length = this.#place + 1;
    if (joins) this.#history[this.#place] = this.#settings();
    else this.#history.push(this.#settings());
    if (this.#history.length > LIMIT) this.#history.shift();
    this.#place = this.#history.length - 1;
    this.#gesture = gesture;
    this.set({ undoable: this.#place });
  }

  /// A name that came with a setting's values, such as those of a sweep, does not stand for others.
  #renamed(setting, before) {
    const isSame = setting.preset === before.preset && JSON.stringify(setting.values) === JSON.stringify(before.values);
    if (!setting.named || setting.named !== before.named || isSame) return setting;
    return { ...setting, name: `${setting.name}, changed`, named: null };
  }

  endGesture() {
    this.#gesture = null;
  }

  get canUndo() { return this.#place > 0; }
  get canRedo() { return this.#place < this.#history.length - 1; }
  undo() { this.#go(-1); }
  redo() { this.#go(1); }

  #go(step) {
    const place = this.#place + step;
    if (place < 0 || place >= this.#history.length) return;
    this.#gesture = null;
    this.#place = place;
    this.set({ ...this.#history[place], undoable: place });
  }

  #settings() {
    return { a: this.state.a, b: this.state.b };
  }
}
