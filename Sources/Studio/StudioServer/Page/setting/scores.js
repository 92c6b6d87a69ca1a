// Scores of the setting over the played range, computed beside the work, shown as they come.

import { api } from "../parts/api.js";
import { byId, el } from "../parts/dom.js";
import { DASHES, scoreLine } from "../pictures/overlay.js";
import { wire } from "../parts/setting.js";

const POLL_MILLISECONDS = 500;

export class Scores {
  #studio;
  #answers = { a: null, b: null };
  #run = 0;

  constructor(studio) {
    this.#studio = studio;
    const { store, session } = studio;
    byId("score-choices").append(...session.scores.map(({ name, help }) => {
      const box = el("input", { type: "checkbox", value: name });
      box.addEventListener("change", () => this.#choose(name, box.checked));
      return el("label", { title: help }, box, name);
    }));
    const tell = () => {
      for (const box of byId("score-choices").querySelectorAll("input")) box.checked = store.state.shownScores.includes(box.value);
    };
    store.on(["shownScores"], tell);
    tell();
    byId("score-choose").open = store.state.shownScores.length === 0;
    store.on(["a", "b", "active", "from", "to", "shownScores", "compare"], () => this.#restart());
    this.#restart();
  }

  #choose(name, isChosen) {
    const { store } = this.#studio;
    const others = store.state.shownScores.filter(each => each !== name);
    store.set({ shownScores: isChosen ? [...others, name] : others });
  }

  /// The lines of the timeline: the first chosen scores of the setting that is shown.
  lines() {
    return (this.#answers[this.#studio.shownView]?.scores ?? []).filter(score => score.frames.length > 1).slice(0, DASHES.length);
  }

  /// Scores anew, after the truth changed.
  refresh() {
    this.#restart();
  }

  #restart() {
    const run = ++this.#run;
    clearTimeout(this.timer);
    if (this.#studio.store.state.shownScores.length === 0) {
      this.#answers = { a: null, b: null };
      this.#show();
      return;
    }
    // Not while a slider moves.
    this.timer = setTimeout(() => this.#poll(run), 400);
  }

  async #poll(run) {
    const { store, pictures } = this.#studio;
    const { from, to, shownScores } = store.state;
    let isDone = true;
    for (const view of pictures.views) {
      try {
        const answer = await api.scores({ view, from, to, setting: wire(store.state[view]), scores: shownScores });
        if (run !== this.#run) return;
        this.#answers[view] = answer;
        isDone &&= Boolean(answer.error) || answer.done >= answer.total;
      } catch (error) {
        if (run !== this.#run) return;
        this.#answers[view] = { done: 0, total: 0, scores: [], error: { message: error.text ?? error.message } };
      }
    }
    this.#show();
    if (!isDone) this.timer = setTimeout(() => this.#poll(run), POLL_MILLISECONDS);
  }

  #show() {
    const { store, pictures, timeline } = this.#studio;
    const views = pictures.views.filter(view => this.#answers[view]);
    const main = this.#answers[views.find(view => view === store.state.active) ?? views[0]];
    const status = !main ? "none chosen" : main.error ? main.error.message ?? main.error
      : main.done < main.total ? `${main.done} of ${main.total} frames` : main.total === 1 ? "1 frame" : `all ${main.total} frames`;
    const { from, to } = store.state;
    const all = this.#studio.truthMode?.truth.frames ?? [];
    const painted = all.filter(frame => frame >= from && frame < to).length;
    const truth = painted > 0 ? `, truth of ${painted} painted` : all.length > 0 ? ", none of them painted" : "";
    byId("score-status").textContent = main?.error ? "failed" : main ? status + truth : status;
    byId("score-status").title = all.length > 0 && painted === 0
      ? "Scores here compare with the recording's own alpha, or do without truth." : "";
    byId("score-problem").textContent = main?.error ? status : "";
    byId("score-problem").hidden = !main?.error;
    const bar = byId("score-progress");
    bar.hidden = !main || Boolean(main.error) || main.done >= main.total;
    if (main) Object.assign(bar, { max: Math.max(1, main.total), value: main.done });
    const shown = store.state.active.toUpperCase();
    const heads = ["Score", ...(views.length > 1 ? views.map(view => view.toUpperCase()) : ["Mean"]), views.length > 1 ? `Worst of ${shown}` : "Worst frame"];
    const rows = (main?.scores ?? []).map(score => this.#row(score, views, main)).concat(
      (main?.absent ?? []).map(({ name, reason }) => el("tr", {}, el("th", { scope: "row" }, name),
        el("td", { class: "quiet", colspan: views.length + 1 }, reason))));
    byId("score-table").hidden = rows.length === 0;
    const table = byId("score-table");
    const focused = document.activeElement?.dataset?.score;
    table.replaceChildren(el("thead", {}, el("tr", {}, heads.map(head => el("th", { scope: "col" }, head)))), el("tbody", {}, rows));
    if (focused) table.querySelector(`[data-score="${focused}"]`)?.focus();
    timeline?.draw();
  }

  #row(score, views, main) {
    const { transport } = this.#studio;
    const better = { lower: "lower is better", higher: "higher is better" }[score.better] ?? "";
    const means = views.map(view => this.#answers[view].scores.find(each => each.name === score.name));
    const worst = worstFrame(score);
    const isDone = main.total > 0 && main.done >= main.total;
    const place = this.lines().findIndex(each => each.name === score.name);
    // As its line on the timeline.
    const sample = place < 0 ? null : scoreLine(place);
    return el("tr", {},
      el("th", { scope: "row" }, sample, score.name, el("span", { class: "quiet" }, [score.unit, better].filter(Boolean).join(", "))),
      means.map((each, place) => {
        const { done, total, error } = this.#answers[views[place]];
        const title = `Mean of ${done} of ${total} frames so far`;
        return el("td", { class: "number" }, figure(each?.mean), done < total && !error ? el("span", { class: "quiet", title }, " …") : null);
      }),
      el("td", {}, worst === null ? el("span", { class: "quiet", title: this.#studio.session.scores.find(each => each.name === score.name)?.help }, isDone && !Number.isFinite(score.mean) ? "no value here" : "") : el("button", {
        type: "button", class: "link", "data-score": score.name, onclick: () => transport.goTo(worst[0]), title: `Go to frame ${worst[0]}`,
      }, `${worst[0]}`, el("span", { class: "quiet" }, ` ${figure(worst[1])}`))));
  }
}

export function figure(value) {
  return Number.isFinite(value) ? (Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(3)) : "–";
}

function worstFrame({ frames, better }) {
  const known = frames.filter(([, value]) => Number.isFinite(value));
  if (known.length === 0 || !["lower", "higher"].includes(better)) return null;
  return known.reduce((worst, each) => ((better === "lower" ? each[1] > worst[1] : each[1] < worst[1]) ? each : worst));
}
