// How a slider's way maps to a parameter's values: even, or finer where values are used.

const WIDE = 100;

/// A step of 1, 2 or 5 times a power of ten that divides `span` into about `count`.
export function niceStep(span, count) {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
}

/// A curve from 0...1 to the range and back. `hints`: the default and the presets' values, of which the smallest tells where
/// values are used.
export function curve(parameter, hints) {
  const { min, max } = parameter;
  const span = max - min;
  if (min > 0 && max / min >= WIDE) {
    const ratio = Math.log(max / min);
    return { value: t => min * Math.exp(t * ratio), place: value => Math.log(value / min) / ratio };
  }
  const used = hints.map(Number).map(value => Math.abs(value - Math.max(0, min))).filter(value => value > 0);
  const share = used.length > 0 ? Math.min(...used) / span : span > 20 ? 0.1 : 1;
  const power = min < 0 && min !== -1 ? 1 : share < 0.12 ? Math.min(6, Math.log(share) / Math.log(0.35)) : 1;
  return { value: t => min + span * t ** power, place: value => Math.max(0, (value - min) / span) ** (1 / power) };
}

/// The step that one position of the slider, of `positions`, makes at a value.
export function stepAt(parameter, shape, value, positions) {
  const t = shape.place(value);
  const next = Math.abs(shape.value(Math.min(1, t + 1 / positions)) - shape.value(Math.max(0, t - 1 / positions))) / 2;
  const step = niceStep(Math.max(next, 1e-9) * 0.7, 1);
  return parameter.kind === "integer" ? Math.max(1, Math.round(step)) : step;
}

/// A value rounded to a step and kept in range, as text for the program.
export function rounded(parameter, value, step) {
  const kept = Math.min(parameter.max, Math.max(parameter.min, Math.round(value / step) * step));
  if (parameter.kind === "integer") return String(Math.round(kept));
  return String(Number(kept.toFixed(Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))))));
}

export const FRACTIONS = [
  "1/30", "1/15", "1/10", "1/8", "1/6", "1/5", "1/4", "1/3", "2/5", "1/2", "3/5", "2/3", "3/4", "4/5", "9/10", "1/1",
];

export function fractionValue(text) {
  const [p, q = "1"] = text.split("/");
  return Number(p) / Number(q);
}

export function fractionPlace(text) {
  const value = fractionValue(text);
  let best = 0;
  FRACTIONS.forEach((each, i) => {
    if (Math.abs(fractionValue(each) - value) < Math.abs(fractionValue(FRACTIONS[best]) - value)) best = i;
  });
  return best;
}
