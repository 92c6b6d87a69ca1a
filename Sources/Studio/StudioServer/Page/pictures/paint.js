// Planes as canvases. A plane is converted when its digest or its colours change, into memory that is kept.

import { depthColors, heatColors } from "../parts/palette.js";

/// Of a tap: what is shown, and what may be shown next.
const KEPT = 2;
/// By view and tap, the one that was used last first.
const pictures = new Map();

/// The canvas that has a content, or one for it in the place of the oldest.
function picture(key, width, height, content) {
  const entries = pictures.get(key) ?? [];
  const isOfSize = ({ canvas }) => canvas.width === width && canvas.height === height;
  let entry = entries.find(each => each.content === content && isOfSize(each));
  if (!entry && entries.length === KEPT && isOfSize(entries.at(-1))) entry = entries.at(-1);
  if (!entry) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    const image = context.createImageData(width, height);
    entry = { canvas, context, image, pixels: new Uint32Array(image.data.buffer), content: "" };
  }
  pictures.set(key, [entry, ...entries.filter(each => each !== entry)].slice(0, KEPT));
  return entry;
}

/// - Returns: a canvas of the plane's size, or of its `step`th part, valid until the next but one call with the same view and tap.
export function planeCanvas(view, plane, { depthNear, depthFar }) {
  const content = plane.format === "depth16" ? `${plane.digest} ${depthNear} ${depthFar}` : plane.digest;
  const entry = picture(view + plane.tap, Math.floor(plane.width / plane.step), Math.floor(plane.height / plane.step), content);
  if (entry.content === content) return entry.canvas;
  entry.content = content;
  const { pixels } = entry;
  const { bytes, millimeters, format } = plane;
  const colors = format === "depth16" ? depthColors(depthNear, depthFar) : null;
  const count = pixels.length;
  if (format === "depth16") {
    for (let i = 0; i < count; i++) pixels[i] = colors[millimeters[i]];
  } else if (format === "gray8") {
    for (let i = 0; i < count; i++) pixels[i] = 0xff000000 | (bytes[i] * 0x010101);
  } else {
    for (let i = 0, j = 0; i < count; i++, j += 3) pixels[i] = 0xff000000 | (bytes[j + 2] << 16) | (bytes[j + 1] << 8) | bytes[j];
  }
  entry.context.putImageData(entry.image, 0, 0);
  return entry.canvas;
}

/// The scale of a difference, in millimetres for depth, otherwise in steps of an 8-bit sample.
export function differenceScale(plane, gain) {
  return (plane.format === "depth16" ? 1024 : 256) / gain;
}

/// The difference of two planes: its canvas, largest value and share of pixels; null if their sizes differ, or one
/// is thinned.
export function differenceCanvas(first, second, gain) {
  if (first.width !== second.width || first.height !== second.height || first.format !== second.format || first.step > 1 || second.step > 1) return null;
  const content = `${first.digest} ${second.digest} ${gain}`;
  const entry = picture(`difference ${first.tap}`, first.width, first.height, content);
  if (entry.content === content) return entry;
  entry.content = content;
  const { pixels } = entry;
  const colors = heatColors(differenceScale(first, gain));
  let [largest, count] = [0, 0];
  const samples = [first, second].map(plane => plane.millimeters ?? plane.bytes);
  const [one, two] = samples;
  const channels = first.format === "rgb24" ? 3 : 1;
  for (let i = 0, j = 0; i < pixels.length; i++, j += channels) {
    let value = Math.abs(one[j] - two[j]);
    if (channels === 3) value = Math.max(value, Math.abs(one[j + 1] - two[j + 1]), Math.abs(one[j + 2] - two[j + 2]));
    if (value > 0) count += 1;
    if (value > largest) largest = value;
    pixels[i] = colors[value];
  }
  entry.context.putImageData(entry.image, 0, 0);
  return Object.assign(entry, { largest, share: count / pixels.length });
}
