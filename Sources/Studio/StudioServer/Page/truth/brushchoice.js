// Which brush paints: its kind, shape, size and tolerance, and how strong the truth's tint is.

import { KINDS } from "./brush.js";

/// The part of the page's state that belongs to painting. `size` is the brush's diameter in pixels of the video.
export const PAINTING = Object.freeze({
  isPainting: false, brush: Object.freeze({ kind: "person", shape: "disc", size: 24, tolerance: 24 }), tint: 0.55,
});
export const LARGEST_SIZE = 300;

export class BrushChoice {
  #store;

  constructor(store) {
    this.#store = store;
  }

  set(patch) {
    this.#store.set({ brush: { ...this.#store.state.brush, ...patch } });
  }

  /// A larger or smaller size, by one pixel at least.
  resize(ratio) {
    const { size } = this.#store.state.brush;
    const next = Math.round(size * ratio);
    const other = next === size ? size + Math.sign(ratio - 1) : next;
    this.set({ size: Math.min(LARGEST_SIZE, Math.max(1, other)) });
  }

  /// The chosen kind, or its opposite.
  kind(isOpposite) {
    const { kind } = this.#store.state.brush;
    return isOpposite ? KINDS[kind].opposite : kind;
  }

  toggleTint() {
    this.#store.set({ tint: this.#store.state.tint > 0 ? 0 : PAINTING.tint });
  }
}
