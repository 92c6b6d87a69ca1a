// Which parameters have an effect with the chosen kinds. The others are folded away, and say what they need.

const anyKind = (...kinds) => value => kinds.some(kind => value("mask.kind") === kind || value("mask.second") === kind);
const isOn = name => value => Number(value(name)) > 0;
const isFrom = name => value => Number(value(name)) >= 0;
const is = (name, ...values) => value => values.includes(value(name));
const isNot = (name, other) => value => value(name) !== other;

const face = [anyKind("face"), "mask.kind=face"];
const plate = [anyKind("plate"), "mask.kind=plate"];
const network = [anyKind("segmentation"), "mask.kind=segmentation"];
const refine = [is("matte.refine", "color"), "matte.refine=color"];
/// Where colours decide everywhere, the softened mask is not used.
const plain = [
  value => value("matte.refine") !== "color" || Number(value("matte.refine-doubt")) < 1,
  "matte.refine=none or matte.refine-doubt below 1",
];
const hasBars = value => value("composite.background") === "" || ["fit", "crop"].includes(value("composite.fit"));
const CHANCES = [
  "color-drop", "color-duplicate", "color-swap", "depth-drop", "depth-duplicate", "depth-swap", "depth-jitter", "depth-noise",
];
const backdrop = [is("composite.kind", "backdrop"), "composite.kind=backdrop"];

/// Name: its condition, and the condition in words.
const CONDITIONS = {
  "throttle.rate": [isFrom("throttle.from"), "throttle.from"],
  "fault.seed": [value => CHANCES.some(name => Number(value(`fault.${name}`)) > 0), "a fault by chance"],
  "fault.color-burst": [isOn("fault.color-drop"), "fault.color-drop"],
  "fault.depth-burst": [isOn("fault.depth-drop"), "fault.depth-drop"],
  "fault.stuck-frames": [isFrom("fault.stuck-from"), "fault.stuck-from"],
  "fault.faces-lost-frames": [isFrom("fault.faces-lost-from"), "fault.faces-lost-from"],
  "depth.spatial-alpha": [isOn("depth.spatial-passes"), "depth.spatial-passes above 0"],
  "depth.spatial-delta": [isOn("depth.spatial-passes"), "depth.spatial-passes above 0"],
  "depth.temporal-alpha": [is("depth.temporal", "smooth"), "depth.temporal=smooth"],
  "depth.temporal-delta": [is("depth.temporal", "smooth"), "depth.temporal=smooth"],
  "mask.combine": [isNot("mask.second", "none"), "mask.second"],
  "mask.face-sample": face, "mask.offset": face, "mask.start": face, "mask.without-face": face, "mask.movement": face,
  "mask.cutoff": [anyKind("cutoff"), "mask.kind=cutoff"],
  "mask.focus": [anyKind("high-pass", "sharp-high-pass", "band-pass"), "mask.kind=high-pass or band-pass"],
  "mask.slope": [anyKind("high-pass", "band-pass"), "mask.kind=high-pass or band-pass"],
  "mask.plate-frames": plate, "mask.plate-margin": plate, "mask.plate-holes": plate, "mask.plate-outliers": plate,
  "mask.plate-doubt": plate, "mask.plate-color": plate, "mask.plate-renew": plate,
  "mask.model": network, "mask.label": network, "mask.soft": network, "mask.threshold": network, "mask.every": network,
  "mask.quality": network,
  "mask.smallest-piece": [isNot("mask.pieces", "all"), "mask.pieces other than all"],
  "matte.open": plain, "matte.close": plain, "matte.grow": plain, "matte.blur": plain, "matte.feather": plain, "matte.gamma": plain,
  "matte.temporal": plain, "matte.scale": plain,
  "matte.temporal-weight": [value => plain[0](value) && value("matte.temporal") !== "none", "matte.temporal"],
  "matte.guided-radius": [isNot("matte.refine", "color"), "matte.refine=none"],
  "matte.guided-epsilon": [
    value => Number(value("matte.guided-radius")) > 0 && value("matte.refine") !== "color", "matte.guided-radius above 0",
  ],
  "matte.refine-inside": refine, "matte.refine-outside": refine, "matte.refine-holes": refine, "matte.refine-doubt": refine,
  "composite.background": backdrop, "composite.fit": [value => backdrop[0](value) && value("composite.background") !== "", "a background"],
  "composite.color": [value => backdrop[0](value) && hasBars(value), "composite.kind=backdrop and no background, or bars beside it"],
  "composite.without-background": [value => backdrop[0](value) && value("composite.background") === "", "no background"],
  "composite.blur-radius": [is("composite.kind", "blur"), "composite.kind=blur"],
  "composite.despill": [isNot("composite.kind", "filter"), "composite.kind other than filter"],
  "composite.despill-amount": [isNot("composite.despill", "none"), "composite.despill"],
  "composite.light-wrap": [value => !["filter", "blur"].includes(value("composite.kind")), "composite.kind other than blur and filter"],
  "composite.light-wrap-radius": [isOn("composite.light-wrap"), "composite.light-wrap above 0"],
};

const MATTELESS = new Set(["mask", "matte"]);

/// Null if the parameter has an effect, otherwise what it needs.
export function missingCondition(declarations, setting, name) {
  const value = other => declarations.value(setting, other);
  if (MATTELESS.has(declarations.byName.get(name)?.group) && value("composite.kind") === "filter") {
    return "composite.kind other than filter";
  }
  // A rule may speak of a parameter that this version of the program does not declare.
  const rule = CONDITIONS[name];
  if (!rule) return null;
  try {
    return rule[0](value) ? null : rule[1];
  } catch {
    return null;
  }
}
