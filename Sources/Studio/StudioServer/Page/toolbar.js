// The bar over the pictures: layout, which taps are shown, zoom, and the recording's facts.

import { byId, el, icon } from "./parts/dom.js";
import { TAPS } from "./pictures/stage.js";
import { TITLES } from "./pictures/tile.js";

const LAYOUTS = { focus: "One large, the others small", grid: "All alike", single: "Only the large one" };

export class Toolbar {
  constructor(studio) {
    const { store, stage, session } = studio;
    const layouts = Object.entries(LAYOUTS).map(([layout, title]) => {
      const button = el("button", { type: "button", title, "aria-label": title, onclick: () => store.set({ layout }) }, icon(layout));
      store.on(["layout"], state => button.setAttribute("aria-pressed", String(state.layout === layout)));
      button.setAttribute("aria-pressed", String(store.state.layout === layout));
      return button;
    });
    byId("layouts").append(...layouts);
    const taps = TAPS.map((tap, i) => {
      const title = `Show or hide ${TITLES[tap].toLowerCase()}; key ${i + 1} makes it large`;
      const button = el("button", { type: "button", title }, TITLES[tap]);
      button.addEventListener("click", () => {
        const { taps: shown, main } = store.state;
        const isShown = shown.includes(tap);
        if (isShown && shown.length === 1) return;
        const next = isShown ? shown.filter(each => each !== tap) : TAPS.filter(each => each === tap || shown.includes(each));
        store.set({ taps: next, main: next.includes(main) ? main : next.at(-1) });
      });
      const tell = () => button.setAttribute("aria-pressed", String(store.state.taps.includes(tap)));
      store.on(["taps"], tell);
      tell();
      return button;
    });
    byId("taps").append(...taps);
    byId("zoom-in").addEventListener("click", () => stage.zoomBy(1.25));
    byId("zoom-out").addEventListener("click", () => stage.zoomBy(0.8));
    byId("zoom-fit").addEventListener("click", () => stage.fit());
    const tellZoom = () => {
      const { factor } = store.state.zoom;
      byId("zoom-fit").textContent = factor === 1 ? "Fit" : `${factor.toFixed(factor < 10 ? 1 : 0)} ×`;
    };
    store.on(["zoom"], tellZoom);
    tellZoom();
    byId("undo").append(icon("undo"));
    byId("redo").append(icon("redo"));
    const tellUndo = () => { byId("undo").disabled = !store.canUndo; byId("redo").disabled = !store.canRedo; };
    store.on(["undoable"], tellUndo);
    tellUndo();
    this.#facts(session);
  }

  #facts({ recording, version, commit }) {
    const size = stream => (stream ? `${stream.width} × ${stream.height}` : "none");
    const isNotKept = ({ reason }) => reason === "not-kept";
    const losses = recording.losses.filter(loss => loss.isLoss);
    // A ring and --on-mark let go of the same moments of each stream, on purpose.
    const notKept = Math.max(0, ...recording.losses.filter(isNotKept).map(loss => loss.count));
    document.title = `${recording.name} – Retake Studio`;
    byId("recording").textContent = recording.name;
    byId("recording").title = `${recording.path}\nretake ${version} ${commit}`;
    const rate = Number(recording.framesPerSecond.toFixed(2));
    byId("facts").textContent = `color ${size(recording.color)}, depth ${size(recording.depth)}, ${rate} fps`;
    byId("losses").hidden = losses.length === 0;
    // A moment that is lost counts in each stream.
    const streamCount = new Set(losses.map(({ stream }) => stream)).size;
    const names = streamCount === 1 ? losses[0].stream : `${streamCount} streams`;
    byId("losses").textContent = `${recording.lossCount} ${recording.lossCount === 1 ? "frame" : "frames"} of ${names} lost`;
    const line = ({ stream, stage, reason, count }) => `stream ${stream}, ${stage}: ${count}, ${reason}`;
    byId("losses").title = losses.map(line).join("\n");
    byId("damaged").hidden = !recording.problem;
    byId("damaged").title = recording.problem ?? "";
    byId("not-kept").hidden = notKept === 0;
    byId("not-kept").textContent = `${notKept} not kept`;
    byId("not-kept").title = "Frames away from marks, which a ring removed or --on-mark left out. The timeline shows where.";
  }
}
