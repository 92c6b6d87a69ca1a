// Values of the pixel under the pointer, as text.

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

/// One text for each view on the screen.
export function probeTexts(tile, studio, point) {
  const views = studio.pictures.views;
  return views.map(view => {
    const plane = tile.plane(view);
    if (!plane) return "";
    const index = sample(plane, tile.rectangle(plane, view), point);
    const value = index === null ? "outside" : text(tile.tap, plane, index);
    return views.length > 1 ? `${view.toUpperCase()} ${value}` : value;
  });
}
