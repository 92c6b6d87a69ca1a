// Values of the pixel under the pointer, as text.

import { el } from "../parts/dom.js";
import { TITLES } from "./tile.js";

function sample(plane, place, point) {
  const x = Math.floor((point.x - place.x) / place.width * plane.width);
  const y = Math.floor((point.y - place.y) / place.height * plane.height);
  return x < 0 || y < 0 || x >= plane.width || y >= plane.height ? null : y * plane.width + x;
}

const wide = (value, count) => String(value).padStart(count, "\u2007");

function text(tap, plane, index) {
  if (plane.format === "depth16") {
    const value = plane.millimeters[index];
    return value === 0 ? "hole" : `${wide(value, 5)} mm`;
  }
  if (plane.format === "rgb24") return [0, 1, 2].map(channel => wide(plane.bytes[3 * index + channel], 3)).join(" ");
  const value = plane.bytes[index];
  return tap === "matte" ? `α ${(value / 255).toFixed(3)}` : wide(value, 3);
}

function valueText(tile, view, point) {
  const plane = tile.plane(view);
  if (!plane || plane.step > 1) return "";
  const index = sample(plane, tile.rectangle(plane, view), point);
  return index === null ? "outside" : text(tile.tap, plane, index);
}

/// One text for each view on the screen.
export function probeTexts(tile, studio, point) {
  const { views } = studio.pictures;
  return views.map(view => `${views.length > 1 ? `${view.toUpperCase()} ` : ""}${valueText(tile, view, point)}`);
}

/// The values of all taps and views below each other.
export function valueTable(tiles, studio) {
  const { pointer } = studio;
  if (!pointer) return el("p", { class: "quiet" }, "Point at a picture to read its values here. J, K, U and M move the cross.");
  const { views } = studio.pictures;
  return el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, `x ${Math.floor(pointer.x)}  y ${Math.floor(pointer.y)}`),
      views.map(view => el("th", { scope: "col" }, views.length > 1 ? view.toUpperCase() : "")))),
    el("tbody", {}, tiles.map(tile => el("tr", {}, el("th", { scope: "row" }, TITLES[tile.tap]),
      views.map(view => el("td", {}, valueText(tile, view, pointer)))))));
}
