// Settings of a sweep with their scores, for tables and plots.

/// A parameter's value as a number; NaN if it is none. "1/2" is one.
export function numberOf(text) {
  const parts = String(text).split("/").map(part => (part.trim() === "" ? NaN : Number(part)));
  return parts.length === 2 ? parts[0] / parts[1] : parts.length === 1 ? parts[0] : NaN;
}

/// With so many decimals that settings differ by about two digits.
export function decimalsFor(values) {
  const known = values.filter(Number.isFinite);
  if (known.length === 0 || known.every(Number.isInteger)) return 0;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const size = high > low ? high - low : Math.abs(high);
  return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
}

export function figureOf(value, decimals) {
  return Number.isFinite(value) ? value.toFixed(decimals).replace("-", "−") : "–";
}

/// Rows: `i` index, `n` number, `t` texts of the varied parameters, `m` scores, `s` state: 0 done, 1 failed, 2 missing,
/// 3 scored on some frames; `e` its error, `f` frames.
export class SweepData {
  rows = new Map();

  constructor({ tried, columns }) {
    this.tried = tried;
    this.columns = columns;
  }

  merge(rows) {
    for (const row of rows) this.rows.set(row.i, row);
  }

  get list() { return [...this.rows.values()]; }

  /// Columns with a value in any row.
  get filled() {
    const rows = this.list;
    return this.columns.map((column, place) => ({ ...column, place })).filter(({ place }) => rows.some(row => Number.isFinite(row.m[place])));
  }

  decimals(place) {
    return decimalsFor(this.list.map(row => row.m[place]));
  }

  isNumeric(place) {
    return this.list.every(row => Number.isFinite(numberOf(row.t[place])));
  }

  /// Settings that no other is better than in one of two scores and as good in the other, by the first.
  front(x, y) {
    const [a, b] = [this.columns[x]?.better, this.columns[y]?.better];
    if (!a || !b) return [];
    const points = this.list.filter(row => row.s === 0 && Number.isFinite(row.m[x]) && Number.isFinite(row.m[y]))
      .sort((p, q) => (q.m[x] - p.m[x]) * a || (q.m[y] - p.m[y]) * b || p.i - q.i);
    let best = -Infinity;
    return points.filter(row => {
      const value = row.m[y] * b;
      if (value <= best) return false;
      best = value;
      return true;
    });
  }

  /// - Parameter key: "n", "t0" for the first varied parameter, or "m0" for the first score.
  sorted(key, isDescending) {
    const place = Number(key.slice(1));
    const numeric = key[0] === "t" && this.isNumeric(place);
    const valueOf = row => (key === "n" ? row.n : key[0] === "m" ? row.m[place] ?? null : numeric ? numberOf(row.t[place]) : row.t[place]);
    // Scores of different frames do not compare.
    const isPartial = row => key[0] === "m" && row.s === 3;
    return this.list.sort((p, q) => {
      if (isPartial(p) !== isPartial(q)) return isPartial(p) ? 1 : -1;
      const [a, b] = [valueOf(p), valueOf(q)];
      if (a === b) return p.n - q.n;
      // Rows without a value come last in either direction.
      if (a === null) return 1;
      if (b === null) return -1;
      return (a < b ? -1 : 1) * (isDescending ? -1 : 1);
    });
  }
}

/// A colour of the style sheet, as canvases take it.
export function plotColor(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/// A canvas that fills its box; returns its context in CSS pixels.
export function plotCanvas(canvas) {
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}
