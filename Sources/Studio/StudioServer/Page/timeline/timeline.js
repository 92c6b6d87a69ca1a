// The timeline: ruler, marks, losses, faces, deliveries of depth and scores by frame, and the range that is played.

import { api } from "../parts/api.js";
import { byId, color, eachFrame, el, fitCanvas, onTheme } from "../parts/dom.js";
import { niceStep } from "../parts/scale.js";
import { wire } from "../parts/setting.js";
import { DASHES, scoreColor, scoreLine } from "../pictures/overlay.js";
import { drawGaps, gapText } from "./gaps.js";
import { Marks } from "./marks.js";
import { Thumbnails } from "./thumbnails.js";
import { clock } from "../parts/time.js";
import { figure } from "../setting/scores.js";

const RULER = 16, LANE = 6, GAP = 3, SCORES = 34, LEGEND = 13;
/// Frames of one request; the program refuses more.
const LONGEST_DELIVERY = 2000;

export class Timeline {
  #studio;
  #root = byId("timeline");
  #canvas = byId("track");
  #faces = [];
  #gaps = [];
  /// Frames that could not be read when they were shown, as gaps, by frame.
  #damaged = new Map();
  #delivery = [];
  #deliveryKey = "";
  #window;
  /// Of the timeline, in CSS pixels. Asking for it would lay the page out for each frame that is played.
  #width = 0;
  #drag = null;

  constructor(studio) {
    this.#studio = studio;
    this.#window = this.#whole;
    this.thumbnails = new Thumbnails(
      byId("thumbnails"), studio.pictures.first, (frame, reason) => this.#noteDamage(frame, { isDamage: true, reason }));
    this.draw = eachFrame(() => this.#draw());
    const { store } = studio;
    store.on(["from", "to", "shownScores"], () => this.draw());
    store.on(["a", "b", "active", "from", "to"], () => this.#loadDelivery());
    store.on(["frame"], () => this.#place());
    new ResizeObserver(() => this.#layOut()).observe(this.#root);
    onTheme(() => this.draw());
    studio.truthMode.on(() => this.draw());
    studio.pictures.on((_, { frame, missing }) => this.#noteDamage(frame, missing));
    this.#listen();
    this.marks = new Marks(studio, this.#root, () => this.draw());
    studio.pictures.first.then(() => {
      this.#loadFaces();
      this.#loadDelivery();
    });
  }

  get #whole() {
    const { firstNumber, frameCount } = this.#studio.session.recording;
    return [firstNumber, firstNumber + frameCount];
  }

  get gaps() { return [...this.#gaps, ...this.#damaged.values()].sort((a, b) => a.frame - b.frame); }

  #noteDamage(frame, missing) {
    if (!missing?.isDamage || this.#damaged.has(frame)) return;
    const damage = missing.reason.endsWith(".") ? missing.reason : `${missing.reason}.`;
    this.#damaged.set(frame, { frame, frames: 1, seconds: 0, isWanted: false, damage });
    byId("damaged").hidden = false;
    byId("damaged").title = [...this.#damaged.values()].slice(0, 10).map(each => each.damage).join("\n");
    this.draw();
  }

  x(frame) {
    const [first, end] = this.#window;
    return ((frame - first) / (end - first)) * this.#width;
  }

  frameAt(clientX) {
    const box = this.#root.getBoundingClientRect();
    const [first, end] = this.#window;
    return Math.floor(first + ((clientX - box.left) / box.width) * (end - first));
  }

  #layOut() {
    this.#width = this.#root.clientWidth;
    this.thumbnails.show(this.#window, this.#width, this.#studio.video);
    this.draw();
  }

  async #loadFaces() {
    const [from, to] = this.#window;
    const buckets = Math.min(to - from, 1200);
    try {
      ({ faces: this.#faces, gaps: this.#gaps } = await api.timeline(from, to, buckets));
      this.draw();
    } catch { /* The lane stays empty; the next request tells the cause. */ }
  }

  #loadDelivery() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const { store, session } = this.#studio;
      const { from, to } = store.state;
      const setting = wire(store.setting);
      const timing = Object.entries(setting.values).filter(([name]) => /^(depth\.(rate|phase|latency|look)|throttle|fault)/.test(name));
      const key = JSON.stringify([from, to, setting.preset, timing]);
      if (key === this.#deliveryKey || !session.recording.depth) return;
      this.#deliveryKey = key;
      let frames = [];
      try {
        for (let at = from; at < to; at += LONGEST_DELIVERY) {
          const { depthNew } = await api.delivery({ from: at, to: Math.min(to, at + LONGEST_DELIVERY), setting });
          if (key !== this.#deliveryKey) return;
          this.#delivery = frames = frames.concat(depthNew);
          this.draw();
        }
      } catch {
        if (key === this.#deliveryKey) [this.#delivery, this.#deliveryKey] = [[], ""];
        this.draw();
      }
    }, 150);
  }

  #draw() {
    const hasScores = this.#studio.store.state.shownScores.length > 0;
    const { truth } = this.#studio.truthMode;
    const hasTruth = this.#studio.store.state.isPainting || truth.frames.length > 0;
    this.#canvas.style.height = `${RULER + (hasTruth ? 3 : 2) * (GAP + LANE) + GAP + (hasScores ? LEGEND + SCORES + GAP : 0)}px`;
    byId("scores-lane").hidden = !hasScores;
    byId("truth-lane").hidden = !hasTruth;
    const { context, width, height } = fitCanvas(this.#canvas);
    if (!width) return;
    context.clearRect(0, 0, width, height);
    this.#drawRuler(context, width);
    let y = RULER + GAP;
    this.#drawFaces(context, width, y);
    y += LANE + GAP;
    this.#drawDelivery(context, y);
    y += LANE + GAP;
    if (hasTruth) {
      this.#drawTruth(context, width, y, truth);
      y += LANE + GAP;
    }
    this.#drawScores(context, y);
    drawGaps(context, this.gaps, frame => Math.round(this.x(frame)), { width, height, top: RULER - 2 });
    const { from, to } = this.#studio.store.state;
    byId("before-range").hidden = this.x(from) < 0;
    byId("before-range").style.width = `${this.x(from)}px`;
    byId("after-range").hidden = this.x(to) > width + 1;
    byId("after-range").style.left = `${this.x(to)}px`;
    this.marks.place(frame => this.x(frame), width);
    this.#place();
  }

  #drawRuler(context, width) {
    const [first, end] = this.#window;
    const step = Math.max(1, niceStep(end - first, width / 70));
    context.font = "10px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = color("quiet");
    const minor = step >= 5 ? step / 5 : 1;
    for (let frame = Math.ceil(first / minor) * minor; frame < end; frame += minor) {
      const isMajor = Math.abs(frame / step - Math.round(frame / step)) < 1e-9;
      const x = Math.round(this.x(frame));
      context.fillRect(x, isMajor ? 0 : RULER - 4, 1, isMajor ? RULER : 4);
      if (isMajor && x < width - 20) context.fillText(String(frame), x + 4, RULER / 2 - 1);
    }
  }

  #drawFaces(context, width, y) {
    context.fillStyle = color("lane");
    context.fillRect(0, y, width, LANE);
    context.fillStyle = color("bar");
    const { firstNumber, frameCount } = this.#studio.session.recording;
    const count = this.#faces.length;
    for (let i = 0; i < count; i++) {
      if (!(this.#faces[i] > 0)) continue;
      const [left, right] = [this.x(firstNumber + (i * frameCount) / count), this.x(firstNumber + ((i + 1) * frameCount) / count)];
      context.globalAlpha = Math.max(0.3, Number(this.#faces[i]));
      context.fillRect(left, y, right - left + 0.5, LANE);
    }
    context.globalAlpha = 1;
  }

  #drawDelivery(context, y) {
    context.fillStyle = color("lane");
    context.fillRect(0, y, this.#width, LANE);
    context.fillStyle = color("quiet");
    const cell = this.x(this.#window[0] + 1) - this.x(this.#window[0]);
    const width = Math.max(1, Math.min(3, cell * 0.5));
    const places = new Set(this.#delivery.map(frame => Math.round(this.x(frame + 0.5) - width / 2)));
    for (const x of places) context.fillRect(x, y, width, LANE);
  }

  /// Frames with painted truth, and those with unsaved strokes.
  #drawTruth(context, width, y, truth) {
    context.fillStyle = color("lane");
    context.fillRect(0, y, width, LANE);
    const unsaved = truth.unsavedFrames;
    for (const frame of [...truth.frames, ...unsaved]) {
      const [left, right] = [this.x(frame), this.x(frame + 1)];
      context.fillStyle = color(unsaved.includes(frame) ? "rough" : "accent");
      context.fillRect(Math.round(left), y, Math.max(3, Math.round(right - left)), LANE);
    }
  }

  /// The gap under the pointer, in words, and over the lines of scores those of the frame.
  #tellGap(event) {
    const near = this.gaps.filter(({ frame }) => Math.abs(event.clientX - this.#root.getBoundingClientRect().left - this.x(frame)) < 5);
    const words = near.map(gap => gapText(gap, this.#whole[1]));
    const { hidden, style } = byId("scores-legend");
    const isOverScores = !hidden && event.clientY - this.#root.getBoundingClientRect().top >= parseFloat(style.top);
    const frame = this.frameAt(event.clientX);
    const scores = isOverScores ? this.#studio.scores.lines().map(({ name, frames }) => [name, frames.find(([each]) => each === frame)?.[1]]) : [];
    const known = scores.filter(([, value]) => Number.isFinite(value)).map(([name, value]) => `${name} ${figure(value)}`);
    if (known.length > 0) words.push(`Frame ${frame}: ${known.join(", ")}`);
    this.#root.title = words.join("\n");
  }

  #drawScores(context, y) {
    const lines = this.#studio.scores?.lines() ?? [];
    this.#tellLegend(lines, y);
    y += LEGEND;
    lines.forEach(({ frames }, place) => {
      const values = frames.map(([, value]) => value).filter(Number.isFinite);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      const isSparse = frames.length < frames.at(-1)[0] - frames[0][0] + 1;
      context.beginPath();
      for (const [frame, value] of frames) {
        if (!Number.isFinite(value)) continue;
        const [px, py] = [this.x(frame + 0.5), y + SCORES - 2 - ((value - least) / (most - least || 1)) * (SCORES - 4)];
        context.lineTo(px, py);
        // Between frames that are far apart nothing was measured.
        if (isSparse) context.rect(px - 1.5, py - 1.5, 3, 3);
        context.moveTo(px, py);
      }
      context.setLineDash(DASHES[place]);
      context.lineWidth = 1.25;
      context.strokeStyle = color(scoreColor(place));
      context.stroke();
    });
    context.setLineDash([]);
  }

  /// Names of the lines, and of whose scores they are, over what dims frames outside of the range.
  #tellLegend(lines, y) {
    const legend = byId("scores-legend");
    legend.hidden = lines.length === 0;
    legend.style.top = `${this.#canvas.offsetTop + y}px`;
    const views = this.#studio.pictures.views.length > 1 ? [`of ${this.#studio.shownView.toUpperCase()}`] : [];
    const texts = lines.map(({ name, frames }) => {
      const values = frames.map(([, value]) => value).filter(Number.isFinite);
      return values.length > 0 ? `${name} ${figure(Math.min(...values))} to ${figure(Math.max(...values))}` : name;
    });
    const all = [...views, ...texts].join();
    if (legend.dataset.texts === all) return;
    legend.dataset.texts = all;
    legend.replaceChildren(...views, ...texts.map((text, place) => el("span", {}, scoreLine(place), text)));
  }

  #place() {
    const { frame, from, to } = this.#studio.store.state;
    const [left, right] = [this.x(frame), this.x(frame + 1)];
    const playhead = byId("playhead");
    playhead.style.left = `${left}px`;
    playhead.style.width = `${Math.max(2, right - left)}px`;
    const { framesPerSecond, firstNumber } = this.#studio.session.recording;
    const valuetext = `frame ${frame}, ${clock((frame - firstNumber) / framesPerSecond)}`;
    for (const [name, value] of Object.entries({ valuemin: from, valuemax: to - 1, valuenow: frame, valuetext })) {
      this.#root.setAttribute(`aria-${name}`, value);
    }
  }

  #listen() {
    const { transport, store } = this.#studio;
    const isNear = (event, frame) => Math.abs(event.clientX - this.#root.getBoundingClientRect().left - this.x(frame)) < 6;
    this.#root.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      const { from, to } = store.state;
      const [first, end] = this.#whole;
      const isOnFrom = isNear(event, from) && (event.shiftKey || from > first);
      const isOnTo = isNear(event, to) && (event.shiftKey || to < end);
      this.#drag = isOnFrom ? "from" : isOnTo ? "to" : "frame";
      this.#root.setPointerCapture(event.pointerId);
      this.#move(event);
    });
    this.#root.addEventListener("pointermove", event => this.#move(event));
    const stop = () => { this.#drag = null; };
    this.#root.addEventListener("pointerup", stop);
    this.#root.addEventListener("pointercancel", stop);
    this.#root.addEventListener("wheel", event => {
      event.preventDefault();
      const at = this.frameAt(event.clientX);
      this.#zoom(at, Math.exp(event.deltaY * 0.002));
    }, { passive: false });
    this.#root.addEventListener("dblclick", () => {
      this.#window = this.#whole;
      this.#layOut();
    });
    this.#root.addEventListener("keydown", event => {
      const one = event.shiftKey ? 10 : 1;
      const step = { ArrowLeft: -one, ArrowRight: one, ArrowDown: -one, ArrowUp: one, PageUp: 10, PageDown: -10 }[event.key];
      const end = { Home: store.state.from, End: store.state.to - 1 }[event.key];
      if (step === undefined && end === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (step) transport.step(step);
      else transport.goTo(end);
    });
  }

  #move(event) {
    const { transport } = this.#studio;
    const frame = this.frameAt(event.clientX);
    if (!this.#drag) return this.#tellGap(event);
    if (this.#drag === "frame") { transport.pause(); transport.goTo(frame); }
    else if (this.#drag === "from") transport.setRange(frame, null);
    else if (this.#drag === "to") transport.setRange(null, frame + 1);
  }

  /// Shows fewer or more frames around one.
  #zoom(at, ratio) {
    const { firstNumber, frameCount } = this.#studio.session.recording;
    const [first, end] = this.#window;
    const span = Math.min(frameCount, Math.max(10, (end - first) * ratio));
    const start = at - ((at - first) / (end - first)) * span;
    const kept = Math.max(firstNumber, Math.min(firstNumber + frameCount - span, start));
    this.#window = [kept, kept + span];
    this.#layOut();
  }
}
