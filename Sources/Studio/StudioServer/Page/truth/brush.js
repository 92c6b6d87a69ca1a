// Strokes of a brush on a frame's truth: a matte of 0 to 255, and 255 for each pixel that is not judged.

/// What a brush makes of a pixel, and what its opposite does.
export const KINDS = {
  person: { matte: 255, ignored: 0, opposite: "background" },
  background: { matte: 0, ignored: 0, opposite: "person" },
  ignore: { matte: null, ignored: 255, opposite: "judge" },
  judge: { matte: null, ignored: 0, opposite: "ignore" },
};

/// A rectangle of pixels; `right` and `bottom` are exclusive.
export function union(one, two) {
  if (!one || !two) return one ?? two;
  return {
    left: Math.min(one.left, two.left), top: Math.min(one.top, two.top),
    right: Math.max(one.right, two.right), bottom: Math.max(one.bottom, two.bottom),
  };
}

/// The pixels of a size that a stroke from one point to another can touch; null outside the picture.
function bounds({ width, height }, from, to, radius) {
  const rectangle = {
    left: Math.max(0, Math.floor(Math.min(from.x, to.x) - radius)),
    top: Math.max(0, Math.floor(Math.min(from.y, to.y) - radius)),
    right: Math.min(width, Math.ceil(Math.max(from.x, to.x) + radius)),
    bottom: Math.min(height, Math.ceil(Math.max(from.y, to.y) + radius)),
  };
  return rectangle.left < rectangle.right && rectangle.top < rectangle.bottom ? rectangle : null;
}

function mark(planes, index, { matte, ignored }) {
  if (matte !== null) planes.matte[index] = matte;
  planes.ignored[index] = ignored;
}

/// Marks the pixels whose centres are within `radius` of the line between two points, and the pixel under the second.
/// - Parameter planes: `width`, `height`, and the planes `matte` and `ignored`.
/// - Returns: the rectangle that may have changed; null for none.
export function paintLine(planes, from, to, radius, kind) {
  const area = bounds(planes, from, to, Math.max(radius, 1));
  if (!area) return null;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const limit = radius * radius;
  const { width } = planes;
  const value = KINDS[kind];
  for (let y = area.top; y < area.bottom; y++) {
    const py = y + 0.5 - from.y;
    for (let x = area.left; x < area.right; x++) {
      const px = x + 0.5 - from.x;
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
      const [ex, ey] = [px - along * dx, py - along * dy];
      if (ex * ex + ey * ey <= limit) mark(planes, y * width + x, value);
    }
  }
  const [x, y] = [Math.floor(to.x), Math.floor(to.y)];
  if (x >= 0 && y >= 0 && x < width && y < planes.height) mark(planes, y * width + x, value);
  return area;
}

/// Marks the pixels of a disc that are connected with its centre and have a colour like the centre's.
/// - Parameters:
///   - colors: the video picture, three bytes a pixel.
///   - tolerance: the largest difference of a channel from the centre's mean colour, 0 to 255.
export function paintSimilar(planes, colors, at, radius, kind, tolerance) {
  const area = bounds(planes, at, at, Math.max(radius, 1));
  const { width, height } = planes;
  const [cx, cy] = [Math.floor(at.x), Math.floor(at.y)];
  if (!area || cx < 0 || cy < 0 || cx >= width || cy >= height) return null;
  const mean = meanColor(colors, width, height, cx, cy);
  const value = KINDS[kind];
  const isLike = index => {
    for (let c = 0; c < 3; c++) if (Math.abs(colors[3 * index + c] - mean[c]) > tolerance) return false;
    return true;
  };
  const across = area.right - area.left;
  const isSeen = new Uint8Array(across * (area.bottom - area.top));
  const waiting = [cy * width + cx];
  isSeen[(cy - area.top) * across + cx - area.left] = 1;
  const visit = (x, y) => {
    if (x < area.left || y < area.top || x >= area.right || y >= area.bottom) return;
    const place = (y - area.top) * across + x - area.left;
    if (isSeen[place]) return;
    isSeen[place] = 1;
    const [ex, ey] = [x + 0.5 - at.x, y + 0.5 - at.y];
    if (ex * ex + ey * ey <= radius * radius && isLike(y * width + x)) waiting.push(y * width + x);
  };
  while (waiting.length > 0) {
    const index = waiting.pop();
    mark(planes, index, value);
    const [x, y] = [index % width, Math.floor(index / width)];
    visit(x - 1, y);
    visit(x + 1, y);
    visit(x, y - 1);
    visit(x, y + 1);
  }
  return area;
}

/// Of 3 x 3 pixels, so that noise does not decide.
function meanColor(colors, width, height, cx, cy) {
  const sum = [0, 0, 0];
  let count = 0;
  for (let y = Math.max(0, cy - 1); y <= Math.min(height - 1, cy + 1); y++) {
    for (let x = Math.max(0, cx - 1); x <= Math.min(width - 1, cx + 1); x++) {
      for (let c = 0; c < 3; c++) sum[c] += colors[3 * (y * width + x) + c];
      count += 1;
    }
  }
  return sum.map(each => each / count);
}

/// Marks the pixels whose centres are inside a closed line, by the even-odd rule.
export function paintInside(planes, points, kind) {
  if (points.length < 3) return null;
  const corner = choose => points.reduce((one, two) => ({ x: choose(one.x, two.x), y: choose(one.y, two.y) }));
  const area = bounds(planes, corner(Math.min), corner(Math.max), 0);
  if (!area) return null;
  const value = KINDS[kind];
  for (let y = area.top; y < area.bottom; y++) {
    const [crossings, middle] = [[], y + 0.5];
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [one, two] = [points[i], points[j]];
      if ((one.y > middle) === (two.y > middle)) continue;
      crossings.push(one.x + ((middle - one.y) / (two.y - one.y)) * (two.x - one.x));
    }
    crossings.sort((one, two) => one - two);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.max(area.left, Math.ceil(crossings[k] - 0.5));
      const to = Math.min(area.right, Math.ceil(crossings[k + 1] - 0.5));
      for (let x = from; x < to; x++) mark(planes, y * planes.width + x, value);
    }
  }
  return area;
}
