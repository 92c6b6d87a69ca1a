// Frame answers: the header, the raw planes behind it, and the check of a plane's digest.

import { xxh3 } from "../parts/xxh3.js";

const BYTES = { rgb24: 3, gray8: 1, depth16: 2 };

/// A plane's `bytes` are a part of the answer, which lives as long as the plane. `isSound` is undefined until it is checked.
/// Where `step` is more than 1, they have one of so many pixels each way, and nothing can be checked.
export function parseAnswer(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  const planes = header.planes.map(({ tap, width, height, format, step, bytes, digest, omitted }) => {
    if (omitted) return { tap, width, height, format, step, digest, bytes: null };
    if (bytes !== Math.floor(width / step) * Math.floor(height / step) * BYTES[format] || offset + bytes > buffer.byteLength) {
      throw new Error(`The answer's plane '${tap}' has a wrong size.`);
    }
    const start = offset;
    offset += bytes;
    const plane = { tap, width, height, format, step, digest, bytes: new Uint8Array(buffer, start, bytes) };
    if (format === "depth16") {
      plane.millimeters = start % 2 === 0
        ? new Uint16Array(buffer, start, bytes / 2) : new Uint16Array(buffer.slice(start, start + bytes));
    }
    return plane;
  });
  return { ...header, planes, byteCount: buffer.byteLength };
}

/// Whether the bytes have the digest; null for a plane that is too small for one, or thinned.
export function checked(plane) {
  if (plane.step > 1) return null;
  const digest = xxh3(plane.bytes);
  return digest === null ? null : digest === plane.digest;
}

/// The latest planes of each tap, so that the program can leave out what the page has.
export class PlaneShelf {
  #planes = new Map();
  static #depth = 3;

  newest(tap) {
    return this.#planes.get(tap)?.[0];
  }

  put(plane) {
    const planes = this.#planes.get(plane.tap) ?? [];
    this.#planes.set(plane.tap, [plane, ...planes.filter(each => each.digest !== plane.digest)].slice(0, PlaneShelf.#depth));
  }

  find(tap, digest) {
    return this.#planes.get(tap)?.find(plane => plane.digest === digest);
  }
}
