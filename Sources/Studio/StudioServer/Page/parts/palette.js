// Colours of depth and of differences.

/// Google's Turbo: distinct steps over the whole range, and the same order of brightness at both ends as in other viewers.
const TURBO = [
  [0.13572138, 4.6153926, -42.66032258, 132.13108234, -152.94239396, 59.28637943],
  [0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604],
  [0.1066733, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973],
];
const HOLE = [38, 38, 38];
const OUTSIDE = 0.12;

function pack(red, green, blue) {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

function turbo(t) {
  return TURBO.map(c => {
    const value = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
    return Math.round(255 * Math.min(1, Math.max(0, value)));
  });
}

/// Near is warm, far is cold; the scale is even in metres.
export function depthColor(millimeters, near, far) {
  if (millimeters === 0) return HOLE;
  const t = (millimeters - near) / (far - near);
  const inside = turbo(1 - Math.min(1, Math.max(0, t)) * (1 - OUTSIDE) - OUTSIDE / 2);
  return t < 0 || t > 1 ? inside.map(channel => channel >> 1) : inside;
}

const depthTable = { near: 0, far: 0, colors: new Uint32Array(65536) };

export function depthColors(near, far) {
  if (depthTable.near !== near || depthTable.far !== far) {
    Object.assign(depthTable, { near, far });
    // Below and above the range, all values have one colour.
    const { colors } = depthTable;
    colors.fill(pack(...depthColor(near - 1, near, far)), 0, near);
    for (let mm = near; mm <= Math.min(far, 65535); mm++) colors[mm] = pack(...depthColor(mm, near, far));
    colors.fill(pack(...depthColor(far + 1, near, far)), far + 1);
    colors[0] = pack(...HOLE);
  }
  return depthTable.colors;
}

/// Black over orange to white, for 0 to 1.
export function heatColor(t) {
  return [t * 2.2, t * 1.6 - 0.35, t * 2.4 - 1.4].map(channel => Math.round(255 * Math.min(1, Math.max(0, channel))));
}

const heatTable = { scale: 0, colors: new Uint32Array(65536) };

/// Colours for differences from 0 to `scale`, which and more are white.
export function heatColors(scale) {
  if (heatTable.scale !== scale) {
    heatTable.scale = scale;
    for (let value = 0; value < 65536; value++) heatTable.colors[value] = pack(...heatColor(value / scale));
  }
  return heatTable.colors;
}
