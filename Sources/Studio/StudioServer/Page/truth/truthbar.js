// The bar of brushes while truth is painted: its controls, the frame's state, and what painted frames are good for.

import { LARGEST_SIZE } from "./brushchoice.js";
import { announce, byId, el, iconButton } from "../parts/dom.js";

const BRUSHES = [
  ["person", "Person", "p", "Paint what is the person; Alt or the right button paints background"],
  ["background", "Background", "b", "Paint what is background; Alt or the right button paints the person"],
  ["ignore", "Not judged", "n", "Leave out of all scores what is undecidable; Alt or the right button judges it again"],
];
const SHAPES = [
  ["disc", "Disc", "d", "Everything within the circle"],
  ["edges", "Edges", "e", "Within the circle only what is connected with its middle and has a similar colour"],
  ["lasso", "Lasso", "l", "Everything inside a line drawn around it"],
];
const JUDGED = ["iou", "boundary-f"];

function button(text, title, onclick, props = {}) {
  return el("button", { type: "button", title, onclick, ...props }, text);
}

function group(label, ...buttons) {
  return el("div", { class: "segments", role: "group", "aria-label": label }, buttons);
}

function slider(label, min, max, step, take) {
  const input = el("input", { type: "range", min, max, step, "aria-label": label });
  input.addEventListener("input", () => take(Number(input.value)));
  return input;
}

function setSlider(input, value) {
  input.value = value;
  input.style.setProperty("--at", `${(100 * (input.value - input.min)) / (input.max - input.min)}%`);
}

/// As a shell takes it.
function quoted(text) {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export class TruthBar {
  #studio;
  #mode;

  constructor(studio) {
    this.#studio = studio;
    this.#mode = studio.truthMode;
    const mode = this.#mode;
    const { store, painter } = studio;
    const all = () => painter.refresh(mode.paper?.whole);
    this.act = {
      undo: () => painter.refresh(mode.undo(-1)), redo: () => painter.refresh(mode.undo(1)), save: () => mode.save(),
      copy: async () => { await mode.copyIgnored(); all(); },
      again: () => { mode.beginAgain(); all(); },
      remove: () => { mode.remove(); all(); },
    };
    this.#makeBrushes();
    this.#makeSheetButtons();
    this.#lay(byId("truth-bar"));
    byId("truth-mode").addEventListener("click", () => mode.toggle());
    mode.on(() => this.tell());
    store.on(["isPainting", "brush", "tint", "shownScores"], () => this.tell());
    this.tell();
  }

  #makeBrushes() {
    const { brush, store } = this.#studio;
    this.brushes = BRUSHES.map(([kind, name, key, title]) => button(
      [el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), name], `${title} (${key.toUpperCase()})`,
      () => brush.set({ kind }), { "aria-keyshortcuts": key, "data-kind": kind }));
    this.shapes = SHAPES.map(([shape, name, key, title]) => button(
      name, `${title} (${key.toUpperCase()})`,
      () => brush.set({ shape }), { "aria-keyshortcuts": key, "data-shape": shape }));
    // Sizes grow by ratios, so that small ones are as easy to set as large ones.
    this.size = slider("Brush size", 0, 100, 1, value => brush.set({ size: Math.round(LARGEST_SIZE ** (value / 100)) }));
    this.sizeNumber = el("input", {
      type: "number", class: "number", min: 1, max: LARGEST_SIZE, "aria-label": "Brush size in pixels",
    });
    this.sizeNumber.addEventListener("change", () => {
      const size = Math.round(Number(this.sizeNumber.value));
      if (size >= 1 && size <= LARGEST_SIZE) brush.set({ size });
      else {
        announce(`A brush is 1 to ${LARGEST_SIZE} pixels wide.`, true);
        this.sizeNumber.value = store.state.brush.size;
      }
    });
    this.tolerance = slider("Largest difference of colour", 4, 96, 1, tolerance => brush.set({ tolerance }));
    this.tint = slider("Strength of the tint", 0, 100, 5, value => store.set({ tint: value / 100 }));
    this.undo = iconButton("undo", "Undo stroke", this.act.undo, { title: "Undo stroke (Ctrl+Z)" });
    this.redo = iconButton("redo", "Paint stroke again", this.act.redo, { title: "Paint stroke again (Ctrl+Shift+Z)" });
  }

  #makeSheetButtons() {
    const [mode, { store }] = [this.#mode, this.#studio];
    this.again = button("From matte", "Begin again from the matte of the setting that is shown", this.act.again);
    const copyTitle = "Leave out what the nearest painted frame leaves out, such as corners (Shift+N)";
    this.copy = button("Copy left-out", copyTitle, this.act.copy);
    const saveTitle = "Save this frame's truth as it is (Ctrl+S); going on to another frame saves it too";
    this.save = button("Save", saveTitle, this.act.save, { class: "primary" });
    this.remove = button("Remove", "Remove this frame's truth; undo brings it back", this.act.remove);
    this.state = el("output", { id: "truth-state" });
    const go = direction => () => mode.goToPainted(direction);
    this.previous = iconButton("previous", "Previous painted frame", go(-1), { title: "Previous painted frame (,)" });
    this.next = iconButton("next", "Next painted frame", go(1), { title: "Next painted frame (.)" });
    this.count = el("span", { class: "quiet count" });
    this.command = el("code");
    this.judge = button("Show scores", "Score the shown setting by these frames", () => {
      store.set({ shownScores: [...new Set([...store.state.shownScores, ...JUDGED])] });
      byId("scores").open = true;
    }, { class: "link", id: "truth-judge" });
  }

  #lay(bar) {
    const row = (...parts) => el("div", { class: "truth-row" }, parts);
    this.sizeLabel = el("label", {}, "Size", this.size, this.sizeNumber, el("span", { class: "quiet" }, "px"));
    this.toleranceLabel = el("label", {}, "Tolerance", this.tolerance);
    bar.append(
      row(group("Brush", ...this.brushes), group("Shape of the brush", ...this.shapes), this.sizeLabel,
        this.toleranceLabel),
      row(group("Strokes", this.undo, this.redo), this.again, this.copy, group("Truth of this frame", this.save, this.remove), this.state,
        group("Painted frames", this.previous, this.next), this.count,
        el("label", { title: "The tint lies over the background (Y)" }, "Tint", this.tint),
        el("p", { id: "truth-use" }, "Judge a sweep by them:", this.command,
          button("Copy", "Copy the command's beginning", () => this.#copyCommand(), { class: "link" }), this.judge)));
  }

  async #copyCommand() {
    const text = `retake sweep ${quoted(this.#studio.session.recording.path)} --truth ${quoted(this.#mode.truth.path)}`;
    try {
      await navigator.clipboard.writeText(text);
      announce("The command's beginning was copied; add --scan or --list with what to try.");
    } catch {
      announce(text);
    }
  }

  tell() {
    const { isPainting, brush, tint, shownScores } = this.#studio.store.state;
    byId("truth-mode").setAttribute("aria-pressed", String(isPainting));
    document.body.classList.toggle("painting", isPainting);
    byId("truth-bar").hidden = !isPainting;
    if (!isPainting) return;
    for (const each of this.brushes) each.setAttribute("aria-pressed", String(each.dataset.kind === brush.kind));
    for (const each of this.shapes) each.setAttribute("aria-pressed", String(each.dataset.shape === brush.shape));
    setSlider(this.size, Math.round((100 * Math.log(brush.size)) / Math.log(LARGEST_SIZE)));
    if (document.activeElement !== this.sizeNumber) this.sizeNumber.value = brush.size;
    // They keep their places, so that the picture stays where it is.
    this.sizeLabel.style.visibility = brush.shape === "lasso" ? "hidden" : "visible";
    this.toleranceLabel.style.visibility = brush.shape === "edges" ? "visible" : "hidden";
    setSlider(this.tolerance, brush.tolerance);
    setSlider(this.tint, Math.round(tint * 100));
    this.judge.hidden = JUDGED.every(name => shownScores.includes(name));
    this.#tellSheet();
  }

  /// The sheet's state, and in words.
  #stateTexts(paper, frame) {
    if (!paper) return ["waiting", this.#mode.isOn ? "waiting for the picture" : "paused while playing"];
    if (this.#mode.truth.isSaving(frame)) return ["unsaved", "saving"];
    if (paper.hasUnsaved) return ["unsaved", "not saved yet"];
    if (paper.isStored) return ["saved", "saved"];
    return ["new", paper.isBlank ? "new, all background" : "new, from the matte"];
  }

  #tellSheet() {
    const { paper, truth } = this.#mode;
    const { frame } = this.#studio.store.state;
    const [before, after] = [truth.neighbour(frame, -1), truth.neighbour(frame, 1)];
    this.undo.disabled = !paper?.canUndo;
    this.redo.disabled = !paper?.canRedo;
    this.save.disabled = this.again.disabled = !paper;
    this.copy.disabled = !paper || (before ?? after) === null;
    this.remove.disabled = !paper || !(paper.isStored || paper.hasUnsaved);
    this.remove.textContent = paper && !paper.isStored && paper.hasUnsaved ? "Discard" : "Remove";
    const [state, text] = this.#stateTexts(paper, frame);
    this.state.dataset.state = state;
    this.state.title = state !== "new" ? ""
      : "Where nothing is painted, this setting's matte becomes the truth, which favours the setting.";
    if (this.state.textContent !== text) this.state.textContent = text;
    const { length } = truth.frames;
    this.count.textContent = length === 1 ? "1 frame painted" : `${length || "no"} frames painted`;
    this.previous.disabled = before === null;
    this.next.disabled = after === null;
    const name = path => quoted(path.split("/").at(-1));
    this.command.textContent = `retake sweep ${name(this.#studio.session.recording.path)} --truth ${name(truth.path)} …`;
    this.command.title = truth.path;
  }
}
