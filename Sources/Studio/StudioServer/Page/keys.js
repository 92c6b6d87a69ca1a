// The keyboard, and the overlay that lists it.

import { byId, el, presses } from "./parts/dom.js";
import { TAPS } from "./pictures/stage.js";
import { paintingKeys, truthKeys } from "./truth/truthkeys.js";

const NEXT_LAYOUT = { focus: "grid", grid: "single", single: "focus" };

function click(id) {
  return () => byId(id).click();
}

/// Titles, and under each: keys as people read them, what they do, and an action for each key.
function keyTable(studio) {
  const { transport, stage, store, compare, panel, files } = studio;
  const step = count => () => transport.step(count);
  const pan = (u, v) => () => stage.panBy(u, v);
  const point = (dx, dy) => () => stage.movePointer(dx, dy);
  const wipe = change => () => store.set({ wipe: Math.min(1, Math.max(0, store.state.wipe + change)) });
  const typeFrame = () => {
    byId("frame").focus();
    byId("frame").select();
  };
  return {
    Go: studio.live?.keys ?? [
      ["Space", "play or pause", { " ": () => transport.toggle() }],
      ["← →", "one frame back or on", { ArrowLeft: step(-1), ArrowRight: step(1) }],
      ["Shift ← →", "ten frames", { "Shift+ArrowLeft": step(-10), "Shift+ArrowRight": step(10) }],
      ["Home End", "first or last frame of the range", {
        Home: () => transport.goTo(store.state.from), End: () => transport.goTo(store.state.to - 1),
      }],
      ["G", "type a frame's number", { g: typeFrame }],
      ["I O X", "begin, end or clear the range", { i: click("range-in"), o: click("range-out"), x: click("range-clear") }],
      ["L", "loop", { l: click("loop") }],
      ["N", "set a mark at this frame, or change the one here", { n: click("mark-here") }],
      ["Shift N", "undo the last change of a mark", { "Shift+N": () => studio.timeline.marks.undo() }],
    ],
    See: [
      ["1 to 5", "original, depth, mask, matte, composite large",
        Object.fromEntries(TAPS.map((tap, i) => [String(i + 1), () => stage.choose(tap)]))],
      ["V", "large, grid or single", { v: () => store.set({ layout: NEXT_LAYOUT[store.state.layout] }) }],
      ["+ − 0", "zoom in, out, fit", {
        "+": () => stage.zoomBy(1.25), "=": () => stage.zoomBy(1.25), "-": () => stage.zoomBy(0.8), 0: () => stage.fit(),
      }],
      ["Alt arrows", "pan", {
        "Alt+ArrowLeft": pan(-1, 0), "Alt+ArrowRight": pan(1, 0), "Alt+ArrowUp": pan(0, -1), "Alt+ArrowDown": pan(0, 1),
      }],
      ["J K U M", "move the pointer's cross: left, right, up, down; Shift: further", {
        j: point(-1, 0), k: point(1, 0), u: point(0, -1), m: point(0, 1),
        "Shift+J": point(-16, 0), "Shift+K": point(16, 0), "Shift+U": point(0, -16), "Shift+M": point(0, 16),
      }],
      ["H", "depth histogram", { h: () => { byId("histogram").open = !byId("histogram").open; } }],
    ],
    Compare: [
      ["A B", "work on A or on B", { a: () => compare.choose("a"), b: () => compare.choose("b") }],
      ["hold F", "flip to the other", { f: () => compare.flip(true) }],
      ["C", "off, wipe, side by side, difference", { c: () => compare.cycle() }],
      ["[ ]", "move the wipe", { "[": wipe(-0.05), "]": wipe(0.05) }],
      ["Shift C", "copy to the other", { "Shift+C": () => compare.copy() }],
      ["Shift X", "swap", { "Shift+X": () => compare.swap() }],
    ],
    Change: [
      ["/", "search parameters", { "/": () => panel.focusSearch() }],
      ["↑ ↓ on a slider", "one step; Shift: ten; Alt: a tenth", {}],
      ["Ctrl Z", "undo", { "Ctrl+z": () => store.undo() }],
      ["Ctrl Shift Z", "redo", { "Ctrl+Shift+Z": () => store.redo(), "Ctrl+y": () => store.redo() }],
      ...(studio.live ? [] : [["S", "sweep: try many settings", { s: click("sweep-mode") }]]),
      ["Ctrl S", "save YAML", { "Ctrl+s": click("save-yaml") }],
      ["Ctrl O", "load a setting", { "Ctrl+o": () => files.loading.open() }],
      ["?", "this list", { "?": () => byId("help-dialog").showModal() }],
    ],
    ...(studio.live ? {} : { Truth: truthKeys(studio) }),
  };
}

/// "Ctrl+Shift+Z", "a", "?".
function nameOf(event) {
  const isLetter = /^[a-z]$/i.test(event.key);
  const isShifted = event.shiftKey && (event.key.length > 1 || isLetter);
  const key = !isLetter ? event.key : isShifted ? event.key.toUpperCase() : event.key.toLowerCase();
  const modifiers = [[event.ctrlKey || event.metaKey, "Ctrl"], [event.altKey, "Alt"], [isShifted, "Shift"]];
  return [...modifiers.filter(([isDown]) => isDown).map(([, name]) => name), key].join("+");
}

/// Whether what has the focus takes the key itself: text, arrows on sliders and choices, Enter on buttons, space on those
/// that were not clicked.
function isTaken(event) {
  const input = event.target.closest?.("input, select, textarea");
  const isText = input && !["range", "checkbox", "color"].includes(input.type);
  // Undo is the browser's only where something was typed since the value was taken.
  const isUndoable = input?.matches("select") || (input?.matches(".control input") && input.value === input.defaultValue);
  const commands = isUndoable ? ["s", "o", "z", "y"] : ["s", "o"];
  if (isText) return !((event.ctrlKey || event.metaKey) && commands.includes(event.key.toLowerCase()));
  if (input && !event.altKey && (/^(Arrow|Page|Home|End)/.test(event.key) || event.key === " ")) return true;
  return presses(event);
}

/// The field whose text was typed and is not taken yet, what it showed before, and what it shows now. A search takes each letter.
let typed = null;
addEventListener("beforeinput", ({ target }) => {
  if (target.type === "search") return;
  if (typed?.field !== target || typed.text !== target.value) typed = { field: target, shown: target.value };
}, true);
addEventListener("input", ({ target }) => { if (typed?.field === target) typed.text = target.value; }, true);
addEventListener("change", () => { typed = null; }, true);

/// Takes what was typed, as leaving the field does.
function commit() {
  const { field } = typed;
  field.blur();
  field.focus({ preventScroll: true });
}

/// Leaves a field with the text that it had before anything was typed.
function giveUp(field) {
  if (typed?.field === field && typed.text === field.value) {
    field.value = typed.shown;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.blur();
}

export class Keys {
  constructor(studio) {
    const { store, compare } = studio;
    const table = keyTable(studio);
    const ofPainting = paintingKeys(studio);
    const actions = Object.assign({}, ...Object.values(table).flat().map(([, , keys]) => keys));
    const painting = Object.assign({}, actions, ...ofPainting.map(([, , keys]) => keys));
    let isSpaceUsed = false;
    addEventListener("keydown", event => {
      if (event.key === " ") isSpaceUsed = false;
      if (document.querySelector("dialog[open]")) return;
      if (isTaken(event)) {
        if (event.key === "Escape") giveUp(event.target);
        return;
      }
      const act = (studio.truthMode.isOn ? painting : actions)[nameOf(event)];
      if (!act || (event.repeat && event.key === "f")) return;
      event.preventDefault();
      isSpaceUsed = event.key === " ";
      if (typed?.field === event.target) commit();
      act();
    });
    addEventListener("keyup", event => {
      // Some browsers press a button when the space is released.
      if (event.key === " " && isSpaceUsed) event.preventDefault();
      if (event.key.toLowerCase() === "f") compare.flip(false);
    });
    addEventListener("blur", () => compare.flip(false));
    byId("help").addEventListener("click", () => byId("help-dialog").showModal());
    byId("undo").addEventListener("click", () => store.undo());
    byId("redo").addEventListener("click", () => store.redo());
    byId("key-list").append(...Object.entries(studio.live ? table : { ...table, "While truth is painted": ofPainting }).map(([title, keys]) => el("section", {}, el("h3", {}, title),
      el("dl", {}, keys.map(([shown, text]) => el("div", {}, el("dt", {}, el("kbd", {}, shown)), el("dd", {}, text)))))));
  }
}
