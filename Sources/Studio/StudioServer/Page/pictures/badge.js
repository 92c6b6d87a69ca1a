// Says whether what is shown is exactly what `retake replay` gives, and shouts when a digest differs.

import { announce, byId } from "../parts/dom.js";
import { missingText } from "./tile.js";

const PATIENCE_MILLISECONDS = 200;

export class Badge {
  #studio;

  constructor(studio) {
    this.#studio = studio;
    studio.pictures.on(() => this.tell());
    studio.pictures.onCheck(() => this.tell());
    studio.store.on(["active", "compare", "isFlipped"], () => this.tell());
    // A picture that comes soon is no news.
    studio.store.on(["a", "b", "frame", "from", "to", "active", "compare"], () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.tell(), PATIENCE_MILLISECONDS);
    });
  }

  #wrong() {
    const { pictures } = this.#studio;
    for (const view of pictures.views) {
      for (const plane of Object.values(pictures.current[view]?.planes ?? {})) {
        if (plane.isSound === false) return `${plane.tap} of frame ${pictures.current[view].frame}`;
      }
    }
    return null;
  }

  tell() {
    const { pictures } = this.#studio;
    const shown = pictures.views.map(view => [view, pictures.current[view]]).filter(([, picture]) => picture);
    const wrong = this.#wrong();
    const rough = shown.find(([, picture]) => !picture.exact);
    const failed = shown.find(([, picture]) => picture.error);
    const badge = byId("badge");
    const set = (state, text, title) => {
      if (badge.dataset.state !== state) badge.dataset.state = state;
      byId("badge-text").textContent = text;
      badge.title = title;
    };
    const alarm = byId("alarm");
    alarm.hidden = !wrong;
    if (wrong) {
      byId("alarm-text").textContent = `The bytes of ${wrong} do not have the digest that the program named. `
        + "Do not trust this picture, and please report it with a bundle.";
      return set("wrong", "digest differs", "");
    }
    if (failed) return set("failed", "not up to date", failed[1].error.text ?? failed[1].error.message);
    const { session, store } = this.#studio;
    if (session.live && shown.length > 0) return set("live", store.state.isPlaying ? "live" : "held", shown[0][1].why);
    if (rough && pictures.isCurrent) {
      const [view, { why, history }] = rough;
      // It stays so, and a tooltip is not seen by everybody.
      if (/^Frame \d+ cannot be read/.test(why) && this.told !== why) announce(why, true);
      this.told = why;
      const share = history?.total ? `, ${Math.floor((100 * history.done) / history.total)} %` : "";
      return set("rough", `${shown.length > 1 ? `${view.toUpperCase()} ` : ""}approximate${share}`, why);
    }
    if (shown.length === 0) return set("none", "waiting", "");
    if (!pictures.isCurrent && !this.#studio.store.state.isPlaying) {
      return set("rough", "being computed", "The picture is still that of the last setting or frame.");
    }
    // What it said of the last picture holds until this one is checked.
    if (!pictures.areChecked) return undefined;
    const without = shown.find(([, picture]) => picture.missing);
    if (without) {
      const [view, { missing }] = without;
      return set("none", shown.length > 1 ? `${view.toUpperCase()} has no picture` : "no picture", missingText(missing));
    }
    const { checked } = pictures.counts;
    set("exact", "exact", `Same bytes as 'retake replay'. The XXH3-128 digests of ${checked} planes were checked.`);
    const costs = shown.map(([, picture]) => picture.milliseconds.toFixed(1));
    const isKept = costs.every(cost => cost === "0.0");
    byId("cost").textContent = isKept ? "kept" : `${costs.join(" + ")} ms`;
    byId("cost").title = isKept ? "The program had this picture already" : "Time that the program took for this picture";
  }
}
