// The keyboard, and the overlay that lists it.

import { byId, el } from "./dom.js";
import { TAPS } from "./stage.js";

export class Keys {
  #table;

  constructor(studio) {
    const { transport, stage, store, compare, panel, files } = studio;
    const step = count => () => transport.step(count);
    this.#table = [
      ["Go", [
        ["Space", " ", "play or pause", () => transport.toggle()],
        ["← →", "ArrowLeft", "one frame back or on", step(-1)], ["", "ArrowRight", "", step(1)],
        ["Shift ← →", "Shift+ArrowLeft", "ten frames", step(-10)], ["", "Shift+ArrowRight", "", step(10)],
        ["Home End", "Home", "first or last frame of the range", () => transport.goTo(store.state.from)], ["", "End", "", () => transport.goTo(store.state.to - 1)],
        ["G", "g", "type a frame's number", () => { byId("frame").focus(); byId("frame").select(); }],
        ["I O X", "i", "begin, end or clear the range", () => byId("range-in").click()], ["", "o", "", () => byId("range-out").click()], ["", "x", "", () => byId("range-clear").click()],
        ["L", "l", "loop", () => byId("loop").click()],
      ]],
      ["See", [
        ["1 to 5", "1", "original, depth, mask, matte, composite large", () => stage.choose(TAPS[0])],
        ...TAPS.slice(1).map((tap, i) => ["", String(i + 2), "", () => stage.choose(tap)]),
        ["V", "v", "large, grid or single", () => store.set({ layout: { focus: "grid", grid: "single", single: "focus" }[store.state.layout] })],
        ["+ − 0", "+", "zoom in, out, fit", () => stage.zoomBy(1.25)], ["", "=", "", () => stage.zoomBy(1.25)], ["", "-", "", () => stage.zoomBy(0.8)], ["", "0", "", () => stage.fit()],
        ["Alt arrows", "Alt+ArrowLeft", "pan", () => stage.panBy(-1, 0)], ["", "Alt+ArrowRight", "", () => stage.panBy(1, 0)], ["", "Alt+ArrowUp", "", () => stage.panBy(0, -1)], ["", "Alt+ArrowDown", "", () => stage.panBy(0, 1)],
        ["J K U M", "j", "move the pointer's cross: left, right, up, down", () => stage.movePointer(-1, 0)], ["", "k", "", () => stage.movePointer(1, 0)], ["", "u", "", () => stage.movePointer(0, -1)], ["", "m", "", () => stage.movePointer(0, 1)],
        ["", "Shift+J", "", () => stage.movePointer(-16, 0)], ["", "Shift+K", "", () => stage.movePointer(16, 0)], ["", "Shift+U", "", () => stage.movePointer(0, -16)], ["", "Shift+M", "", () => stage.movePointer(0, 16)],
        ["H", "h", "depth histogram", () => { byId("histogram").open = !byId("histogram").open; }],
      ]],
      ["Compare", [
        ["A B", "a", "work on A or on B", () => compare.choose("a")], ["", "b", "", () => compare.choose("b")],
        ["hold F", "f", "flip to the other", () => compare.flip(true)],
        ["C", "c", "off, wipe, side by side, difference", () => compare.cycle()],
        ["[ ]", "[", "move the wipe", () => store.set({ wipe: Math.max(0, store.state.wipe - 0.05) })], ["", "]", "", () => store.set({ wipe: Math.min(1, store.state.wipe + 0.05) })],
        ["Shift C", "Shift+C", "copy to the other", () => compare.copy()], ["Shift X", "Shift+X", "swap", () => compare.swap()],
      ]],
      ["Change", [
        ["/", "/", "search parameters", () => panel.focusSearch()],
        ["↑ ↓ on a slider", null, "one step; Shift: ten; Alt: a tenth"],
        ["Ctrl Z", "Ctrl+z", "undo", () => store.undo()], ["Ctrl Shift Z", "Ctrl+Shift+Z", "redo", () => store.redo()], ["", "Ctrl+y", "", () => store.redo()],
        ["Ctrl S", "Ctrl+s", "save YAML", () => byId("save-yaml").click()], ["Ctrl O", "Ctrl+o", "load YAML", () => files.openLoad()],
        ["?", "?", "this list", () => byId("help-dialog").showModal()],
      ]],
    ];
    this.#fill();
    const actions = new Map(this.#table.flatMap(([, keys]) => keys).filter(([, key]) => key).map(([, key, , act]) => [key, act]));
    addEventListener("keydown", event => this.#press(event, actions));
    addEventListener("keyup", event => { if (event.key.toLowerCase() === "f") compare.flip(false); });
    addEventListener("blur", () => compare.flip(false));
    byId("help").addEventListener("click", () => byId("help-dialog").showModal());
    for (const [id, act] of Object.entries({ undo: () => store.undo(), redo: () => store.redo() })) byId(id).addEventListener("click", act);
  }

  #press(event, actions) {
    if (document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const typed = event.target.closest?.("input, select, textarea");
    const isText = typed && !["range", "checkbox", "color"].includes(typed.type);
    // Keys that an input takes itself: text, and for sliders and choices the arrows.
    if (isText && !(isCommand && ["s", "o"].includes(event.key))) {
      if (event.key === "Escape") typed.blur();
      return;
    }
    if (typed && (/^(Arrow|Page|Home|End)/.test(event.key) || event.key === " ") && !event.altKey) return;
    if (event.key === " " && event.target.closest?.("button, summary, a, [role=slider]:not(#timeline)")) return;
    const isShifted = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
    const letter = event.key.length === 1 && !isShifted ? event.key.toLowerCase() : event.key.length === 1 && isShifted ? event.key.toUpperCase() : event.key;
    const name = `${isCommand ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${isShifted ? "Shift+" : ""}${letter}`;
    const act = actions.get(name);
    if (!act || (event.repeat && name === "f")) return;
    event.preventDefault();
    act();
  }

  #fill() {
    byId("key-list").append(...this.#table.map(([title, keys]) => el("section", {}, el("h3", {}, title),
      el("dl", {}, keys.filter(([shown]) => shown).map(([shown, , text]) => el("div", {}, el("dt", {}, el("kbd", {}, shown)), el("dd", {}, text)))))));
  }
}
