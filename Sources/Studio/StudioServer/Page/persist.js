// The state in the address, so that a link reproduces the view, and in the program's file beside the recording.

import { api } from "./parts/api.js";
import { announce } from "./parts/dom.js";
import { leave } from "./parts/first.js";

/// Keys of the state that outlive the page, apart from the two settings.
const VIEW_KEYS = [
  "frame", "from", "to", "loops", "active", "compare", "wipe", "gain", "layout", "main", "taps", "zoom", "depthNear", "depthFar",
  "isRangeFitted", "shownScores",
];
const VERSION = 1;
const BACKGROUND = "composite.background";
const LINK_WORDS = "A and B came with the page's address. Undo brings back those that are kept beside the recording.";
const ADDRESS_DELAY = 250, SAVE_DELAY = 800;

/// "a=desk,matte.blur=3&frame=12": readable, and what differs from `base` only.
function addressOf(saved) {
  const parts = [];
  for (const view of ["a", "b"]) {
    const { name, preset, values } = saved[view];
    const pairs = Object.entries(values).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    parts.push(`${view}=${[`${encodeURIComponent(name)}:${preset}`, ...pairs].join(",")}`);
  }
  for (const key of VIEW_KEYS) parts.push(`${key}=${encodeURIComponent(JSON.stringify(saved[key]))}`);
  return parts.join("&");
}

function fromAddress(text) {
  const saved = {};
  const read = (key, value) => {
    if (key === "a" || key === "b") {
      const [head, ...pairs] = value.split(",");
      const [name, preset] = head.split(":");
      saved[key] = { name: decodeURIComponent(name), preset, values: Object.fromEntries(pairs.map(pair => {
        const middle = pair.indexOf("=");
        return [pair.slice(0, middle), decodeURIComponent(pair.slice(middle + 1))];
      })) };
    } else if (VIEW_KEYS.includes(key)) saved[key] = JSON.parse(decodeURIComponent(value));
  };
  for (const part of text.split("&")) {
    const at = part.indexOf("=");
    try { read(part.slice(0, at), part.slice(at + 1)); } catch { /* What was cut off or mistyped does not take the rest away. */ }
  }
  return saved;
}

/// What of an old state, or of somebody else's link, makes sense for this recording.
function sound(saved, initial, session, declarations) {
  const { firstNumber, frameCount } = session.recording;
  const result = { ...initial };
  const take = (key, test) => { if (test(saved[key])) result[key] = saved[key]; };
  const isFrame = value => Number.isInteger(value) && value >= firstNumber && value <= firstNumber + frameCount;
  const isIn = (...values) => value => values.includes(value);
  for (const view of ["a", "b"]) {
    const given = saved[view];
    if (given && typeof given.values === "object" && given.values !== null) {
      const setting = declarations.setting(given.preset, given.values, String(given.name ?? "").slice(0, 60));
      result[view] = typeof given.named === "string" ? { ...setting, named: given.named } : setting;
    }
  }
  for (const key of ["frame", "from", "to"]) take(key, isFrame);
  if (result.to <= result.from) Object.assign(result, { from: initial.from, to: initial.to });
  result.frame = Math.min(result.to - 1, Math.max(result.from, result.frame));
  take("active", isIn("a", "b"));
  take("compare", isIn("off", "wipe", "side", "difference"));
  take("layout", isIn("focus", "grid", "single"));
  const taps = ["original", "depth", "mask", "matte", "composite"];
  take("main", isIn(...taps));
  take("taps", value => Array.isArray(value) && value.every(tap => taps.includes(tap)));
  take("shownScores", value => Array.isArray(value) && value.every(name => session.scores.some(score => score.name === name)));
  const isShare = value => Number.isFinite(value) && value >= 0 && value <= 1;
  take("zoom", value => value && isShare(value.x) && isShare(value.y) && value.factor >= 1 && value.factor <= 64);
  for (const key of ["loops", "isRangeFitted"]) take(key, value => typeof value === "boolean");
  take("wipe", value => typeof value === "number" && value >= 0 && value <= 1);
  take("gain", isIn(1, 4, 16, 64));
  const { depthNear, depthFar } = saved;
  const isRange = Number.isInteger(depthNear) && Number.isInteger(depthFar) && depthNear >= 0 && depthFar <= 65535;
  if (isRange && depthFar - depthNear >= 10) Object.assign(result, { depthNear, depthFar });
  return result;
}

/// Where another start of the program asks for other values, those take the place of the kept ones. What a person changed
/// stays when an option is left out. Null if the command line names another preset or file than the kept or the last
/// one, which is another setting.
function laidOver(kept, before, start, declarations) {
  if (before?.preset !== start.preset || before.name !== start.name || (start.hasPreset && kept.preset !== start.preset)) return null;
  return declarations.list.reduce((setting, { name }) => {
    const [was, is] = [before.values[name] ?? "", start.values[name]];
    const isLeftOut = declarations.isSame(name, is, declarations.presetValue(start.preset, name));
    const isKept = declarations.isSame(name, was, is) || (isLeftOut && !declarations.isSame(name, declarations.value(kept, name), was));
    return isKept ? setting : declarations.with(setting, name, is);
  }, kept);
}

/// Sentences about files that settings had and may not have now.
function missingFiles(saved, state, declarations) {
  const missing = new Map();
  for (const view of ["a", "b"]) {
    for (const { name } of declarations.list.filter(({ kind }) => kind === "path")) {
      const file = saved[view]?.values?.[name];
      if (file && !declarations.value(state[view], name)) missing.set(file, [...(missing.get(file) ?? []), view.toUpperCase()]);
    }
  }
  return [...missing].map(([file, views]) =>
    `${views.join(" and ")} ${views.length > 1 ? "are" : "is"} without ${file.split("/").at(-1)}, which the command line did not name.`);
}

const settings = ({ a, b }) => ({ a, b });
const areSame = (one, other) => JSON.stringify(settings(one)) === JSON.stringify(settings(other));

/// Sentences about what an address asked for and cannot be.
function leftOut(saved, state, declarations) {
  return ["a", "b"].flatMap(view => {
    const { preset, values = {} } = saved[view] ?? {};
    const cannotBe = ([name, value]) => {
      const kind = declarations.byName.get(name)?.kind;
      return kind !== "path" && (!kind || !declarations.isSame(name, String(value), declarations.value(state[view], name)));
    };
    const wrong = Object.entries(values).filter(cannotBe).map(([name, value]) => `${name}=${value}`);
    if (preset && preset !== state[view].preset) wrong.unshift(`preset ${preset}`);
    return wrong.length > 0 ? [`${view.toUpperCase()} is without ${wrong.slice(0, 5).join(", ")}, which cannot be.`] : [];
  });
}

/// The state to begin with, and settings that are put over it, which undo takes back: a link's, or the command line's.
/// - Returns: also `words` to say; `kept`, settings that stay in the file until others are changed here, if any; and `offer`,
///   settings of another recording, where this one has its own.
export function restored(address, initial, session, declarations) {
  const { state: saved } = session;
  const kept = saved?.version === VERSION ? sound(saved, initial, session, declarations) : null;
  const own = kept && saved.isOwn !== false ? kept : null;
  let offer = null;
  const given = fromAddress(address);
  if (Object.keys(given).length > 0) {
    // An A or B that cannot be read stays as it is.
    const state = sound({ ...(own ? settings(own) : {}), ...given }, initial, session, declarations);
    const words = [...leftOut(given, state, declarations), ...missingFiles(given, state, declarations)];
    if (!own || areSame(state, own)) return { state, over: {}, words };
    // What another page hands on says nothing of frames.
    if (/(^|&)frame=/.test(address) || session.live) {
      return { state: { ...state, ...settings(own) }, over: settings(state), kept: settings(own), words: [LINK_WORDS, ...words] };
    }
    offer = settings(state);
  }
  return { ...restart(kept, initial, session, declarations), offer };
}

/// What was kept, with the command line's options over it.
function restart(state, initial, { start, state: saved }, declarations) {
  if (!state) return { state: initial, over: {}, words: [] };
  if (saved.start === JSON.stringify(start)) return { state, over: {}, words: [] };
  let before = null;
  try { before = JSON.parse(saved.start); } catch { /* It is another start then. */ }
  const a = laidOver(state.a, before, start, declarations);
  const hasOtherB = start.b && JSON.stringify(start.b) !== JSON.stringify(before?.b);
  const background = start.values[BACKGROUND];
  // Both have it, so that they can be compared.
  const hasOtherBackground = background && background !== before?.values[BACKGROUND];
  const b = hasOtherB ? initial.b : hasOtherBackground ? declarations.with(state.b, BACKGROUND, background) : state.b;
  const over = { a: a ?? initial.a, b };
  const words = missingFiles(saved, { ...state, ...over }, declarations);
  if (a) return { state, over, words };
  return { state: { ...state, active: "a" }, over, words: ["A is what the command line names. Undo brings back the setting of the last time.", ...words] };
}

/// Nothing is written until something changes.
/// - Parameter kept: see `restored`.
/// - Returns: gives the address of the state as it is.
export function persist(store, session, kept) {
  const start = JSON.stringify(session.start);
  const timers = {};
  const begun = settings(store.state);
  let isOwn = session.state?.version === VERSION && session.state.isOwn !== false;
  const view = () => Object.fromEntries(VIEW_KEYS.map(key => [key, store.state[key]]));
  const address = () => addressOf({ ...settings(store.state), ...view() });
  let [href, shown] = [location.href, address()];
  const tellAddress = () => {
    shown = address();
    history.replaceState(null, "", `#${shown}`);
    href = location.href;
  };
  const saved = () => {
    const isChanged = store.state.a !== begun.a || store.state.b !== begun.b;
    isOwn ||= isChanged;
    return { version: VERSION, start, ...(isChanged ? settings(store.state) : kept ?? begun), isOwn, ...view() };
  };
  let text = JSON.stringify(saved()), isWarned = false;
  // Without an answer the program has ended, which other requests say.
  const warn = error => {
    if (isWarned || !error.status) return;
    isWarned = true;
    announce(`Settings of this page are not kept: ${error.message}`, true);
  };
  const save = () => {
    const next = JSON.stringify(saved());
    if (next === text) return;
    text = next;
    api.saveState(saved()).catch(warn);
  };
  const later = () => {
    // Running cameras play all the time, and change nothing that is kept.
    if (store.state.isPlaying && !session.live) return;
    clearTimeout(timers.address);
    timers.address = setTimeout(tellAddress, ADDRESS_DELAY);
    clearTimeout(timers.save);
    timers.save = setTimeout(save, SAVE_DELAY);
  };
  store.on(["a", "b", "isPlaying", ...VIEW_KEYS], later);
  addEventListener("pagehide", () => {
    save();
    // Another address, such as a link that was pasted, is what the next page is to show.
    const isBehind = location.href === href && address() !== shown;
    leave(isBehind ? href : null, address());
  });
  return address;
}
