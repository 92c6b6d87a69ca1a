// Marks on the timeline: to go to, to set at the frame that is shown, to rename and to remove. The program keeps changes beside
// the recording's frames.

import { api } from "../parts/api.js";
import { announce, byId, el } from "../parts/dom.js";
import { clock } from "../parts/time.js";

const UNDO_MILLISECONDS = 15_000;
/// Rows of labels that lie below each other where they would meet.
const ROWS = 2;

const named = ({ label, frame }) => (label ? `'${label}'` : `the mark at frame ${frame}`);
const upper = text => `${text[0].toUpperCase()}${text.slice(1)}`;
const placeOf = ({ label, time }) => ({ label, time });

export class Marks {
  #studio;
  #root;
  #changed;
  /// Marks and their buttons.
  #shown = [];
  /// How marks are placed: the timeline's function, and its width.
  #placing = null;
  /// The mark that the dialog is about; null for a new one.
  #mark = null;
  /// What undoes the last change.
  #inverse = null;

  /// - Parameter changed: called after the marks have changed.
  constructor(studio, root, changed) {
    [this.#studio, this.#root, this.#changed] = [studio, root, changed];
    this.#show(studio.session.recording.marks);
    addEventListener("focus", () => this.#catchUp());
    byId("mark-here").addEventListener("click", () => this.edit());
    byId("mark-remove").addEventListener("click", () => this.#guarded(() => this.#remove(this.#mark)));
    byId("mark-form").addEventListener("submit", event => {
      event.preventDefault();
      this.#guarded(() => this.#save(byId("mark-text").value.trim()));
    });
  }

  get list() {
    return this.#shown.map(({ mark }) => mark);
  }

  place(xOf, width) {
    this.#placing = [xOf, width];
    for (const each of this.#shown) {
      each.x = xOf(each.mark.frame);
      each.element.hidden = each.x < 0 || each.x > width;
      each.element.style.maxWidth = "";
    }
    const seen = this.#shown.filter(({ element }) => !element.hidden);
    for (const each of seen) each.width ||= each.element.offsetWidth;
    const rows = Array.from({ length: ROWS }, () => null);
    for (const each of seen.sort((a, b) => a.x - b.x)) {
      // One at the right edge has its label to the left.
      each.isTurned = each.x + each.width > width;
      each.left = each.isTurned ? Math.max(0, each.x - each.width + 2) : each.x;
      const end = row => (rows[row] ? rows[row].left + rows[row].width : 0);
      const free = rows.findIndex((_, row) => end(row) <= each.left);
      const row = free >= 0 ? free : end(0) <= end(1) ? 0 : 1;
      const before = rows[row];
      if (free < 0) before.element.style.maxWidth = `${Math.max(6, each.left - before.left - 1)}px`;
      rows[row] = each;
      each.element.classList.toggle("turned", each.isTurned);
      each.element.style.left = `${each.left}px`;
      each.element.style.top = `${3 + row * 18}px`;
    }
  }

  #show(marks) {
    for (const { element } of this.#shown) element.remove();
    this.#shown = marks.map(mark => ({ mark, element: this.#button(mark) }));
    this.#root.append(...this.#shown.map(({ element }) => element));
    if (this.#placing) this.place(...this.#placing);
  }

  /// Another page may have changed them. An error is told by other requests.
  async #catchUp() {
    const { marks } = await api.marks().catch(() => ({ marks: this.list }));
    // The press that gave the page its focus may be on one of them.
    while (this.#root.querySelector(".mark:active")) await new Promise(requestAnimationFrame);
    if (JSON.stringify(marks) !== JSON.stringify(this.list)) this.#take(marks);
  }

  #take(marks) {
    const hadFocus = this.#root.contains(document.activeElement);
    this.#show(marks);
    this.#changed();
    if (hadFocus) this.#root.focus();
  }

  #button(mark) {
    const title = `Mark${mark.label ? ` '${mark.label}'` : ""}, frame ${mark.frame}. Double-click or F2 renames it, Delete removes it.`;
    const button = el("button", { type: "button", class: "mark", title, "aria-keyshortcuts": "F2 Delete" }, mark.label || "mark");
    button.addEventListener("pointerdown", event => event.stopPropagation());
    button.addEventListener("click", () => this.#studio.transport.goTo(mark.frame));
    button.addEventListener("dblclick", event => { event.stopPropagation(); this.edit(mark); });
    button.addEventListener("contextmenu", event => { event.preventDefault(); this.edit(mark); });
    button.addEventListener("keydown", event => {
      if (!["F2", "Delete"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "F2") this.edit(mark);
      else this.#remove(mark).catch(error => announce(error.text ?? error.message, true));
    });
    return button;
  }

  /// Opens the dialog for a mark, by default the one at the frame that is shown; without one there, for a new one.
  edit(mark = this.list.find(each => each.frame === this.#studio.store.state.frame) ?? null) {
    this.#studio.transport.pause();
    this.#mark = mark;
    const { firstNumber, framesPerSecond } = this.#studio.session.recording;
    const frame = mark?.frame ?? this.#studio.store.state.frame;
    byId("mark-title").textContent = mark ? "Mark" : "New mark";
    byId("mark-place").textContent = `At frame ${frame}, ${clock((frame - firstNumber) / framesPerSecond)}.`;
    byId("mark-text").value = mark?.label ?? "";
    byId("mark-save").textContent = mark ? "Rename" : "Set the mark";
    byId("mark-remove").hidden = !mark;
    byId("mark-problem").hidden = true;
    byId("mark-dialog").showModal();
    byId("mark-text").focus();
    byId("mark-text").select();
  }

  async #guarded(act) {
    try {
      await act();
      byId("mark-dialog").close();
    } catch (error) {
      byId("mark-problem").textContent = error.text ?? error.message;
      byId("mark-problem").hidden = false;
    }
  }

  async #save(label) {
    const mark = this.#mark;
    if (!mark) {
      const known = this.list;
      const { frame } = this.#studio.store.state;
      await this.#change({ new: { label, frame } });
      // One that was set a second time is no news.
      const set = this.list.find(each => each.frame === frame && each.label === label
        && known.every(other => other.time !== each.time || other.label !== label));
      return this.#tell(label ? `Set the mark '${label}' at frame ${frame}.` : `Set a mark at frame ${frame}.`, set && { old: placeOf(set) });
    }
    if (label === mark.label) return undefined;
    await this.#change({ old: placeOf(mark), new: { label, time: mark.time } });
    return this.#tell(label ? `${upper(named(mark))} is '${label}' now.` : `${upper(named(mark))} has no label now.`, {
      old: { label, time: mark.time }, new: placeOf(mark),
    });
  }

  async #remove(mark) {
    await this.#change({ old: placeOf(mark) });
    this.#tell(`Removed ${named(mark)}.`, { new: placeOf(mark) });
  }

  async #change(change) {
    this.#take((await api.changeMark(change)).marks);
  }

  #tell(text, inverse) {
    this.#inverse = inverse ?? null;
    announce(text, false, UNDO_MILLISECONDS, inverse && { title: "Undo", key: "Shift N", act: () => this.undo() });
  }

  /// Undoes the last change of a mark.
  async undo() {
    const inverse = this.#inverse;
    this.#inverse = null;
    if (!inverse) return announce("There is no change of a mark to undo.");
    try {
      await this.#change(inverse);
      announce("The last change of a mark was undone.");
    } catch (error) {
      announce(error.text ?? error.message, true);
    }
    return undefined;
  }
}
