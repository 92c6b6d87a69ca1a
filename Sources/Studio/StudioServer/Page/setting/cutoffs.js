// The distances of a setting that a histogram of depth can show: cut-offs, the disparity in focus and the pass band.

const SHARP_SLOPE = 10;

const meters = value => `${value.toFixed(2)} m`;

function inMeters(name, value) {
  return { name, value, millimeters: value * 1000, valueAt: mm => mm / 1000 };
}

function kinds(declarations, setting) {
  return [declarations.value(setting, "mask.kind"), declarations.value(setting, "mask.second")];
}

/// Handles: the parameter's `name`, its `value`, where it is in `millimeters`, and `valueAt` for another place.
export function handlesOf(declarations, setting, picture) {
  const value = name => Number(declarations.value(setting, name));
  const used = kinds(declarations, setting);
  const handles = [];
  if (declarations.value(setting, "composite.kind") === "filter") return handles;
  if (used.includes("face")) {
    const [offset, start] = [value("mask.offset"), value("mask.start")];
    const cut = picture?.cutoffMillimeters;
    const hasFace = picture?.faces?.length > 0;
    // Until the first face, mask.start cuts; later, without a face, perhaps what is nearest, which nothing here moves.
    const isFixed = !hasFace && declarations.value(setting, "mask.without-face") === "nearest";
    // The empty room decides, or everybody has left.
    const isWithoutCut = cut === 0 && start > 0 && !picture.missing;
    if (!hasFace && !isWithoutCut && (!cut || cut === Math.round(start * 1000))) {
      handles.push({ ...inMeters("mask.start", start), isCut: true, label: `start ${meters(start)}` });
    } else if (cut) {
      handles.push({
        name: "mask.offset", value: offset, millimeters: cut, isCut: true, isFixed,
        label: `cut-off ${meters(cut / 1000)}${isFixed ? ", without a face" : ""}`,
        valueAt: mm => (isFixed ? offset : offset + (mm - cut) / 1000),
      });
    }
  }
  if (used.includes("cutoff")) {
    const cut = value("mask.cutoff");
    handles.push({ ...inMeters("mask.cutoff", cut), isCut: true, label: `cut-off ${meters(cut)}` });
  }
  if (used.some(kind => kind.endsWith("-pass"))) {
    const focus = value("mask.focus");
    handles.push({
      name: "mask.focus", value: focus, millimeters: focus > 0 ? 1000 / focus : 65535, label: `focus ${focus.toFixed(2)} /m`,
      valueAt: mm => (mm > 0 ? 1000 / mm : 1.5),
    });
  }
  return handles;
}

/// The soft mask of a pass kind by millimetres, 0 to 1; null for other kinds.
export function passCurve(declarations, setting) {
  const kind = kinds(declarations, setting).find(each => each.endsWith("-pass"));
  if (!kind) return null;
  const focus = Number(declarations.value(setting, "mask.focus"));
  const slope = kind === "sharp-high-pass" ? SHARP_SLOPE : Number(declarations.value(setting, "mask.slope"));
  const half = (2 / slope + 0.1) / 2;
  const clamp = number => Math.min(1, Math.max(0, number));
  return mm => {
    const disparity = mm > 0 ? clamp(1000 / mm) : 1;
    const high = clamp(slope * (disparity - focus + half));
    return kind === "band-pass" ? Math.min(high, clamp(-slope * (disparity - focus - half))) : high;
  };
}
