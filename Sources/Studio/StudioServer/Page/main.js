// Begins: takes the token, asks for the session, and puts the parts together.

import { Badge } from "./pictures/badge.js";
import { BrushChoice, PAINTING } from "./truth/brushchoice.js";
import { Compare } from "./pictures/compare.js";
import { announce, byId, onTheme } from "./parts/dom.js";
import { Files } from "./setting/files.js";
import { firstAnswers } from "./parts/first.js";
import { linkToFolder } from "./list/folder.js";
import { NO_ZOOM } from "./parts/geometry.js";
import { Histogram } from "./setting/histogram.js";
import { Keys } from "./keys.js";
import { Live } from "./live/live.js";
import { Painter } from "./truth/painter.js";
import { Panel } from "./setting/panel.js";
import { persist, restored } from "./persist.js";
import { painted, Pictures } from "./pictures/pictures.js";
import { Scores } from "./setting/scores.js";
import { Declarations } from "./parts/setting.js";
import { Stage, TAPS } from "./pictures/stage.js";
import { Store } from "./parts/store.js";
import { Sweep } from "./sweep/sweep.js";
import { Timeline } from "./timeline/timeline.js";
import { Toolbar } from "./toolbar.js";
import { Transport } from "./timeline/transport.js";
import { TruthBar } from "./truth/truthbar.js";
import { TruthMode } from "./truth/truthmode.js";

function initialState(session, declarations) {
  const { firstNumber, frameCount } = session.recording;
  const start = declarations.setting(session.start.preset, session.start.values, session.start.name);
  return {
    a: start, b: session.start.b ? declarations.setting(session.start.b.preset, session.start.b.values, session.start.b.name) : start, active: "a", isFlipped: false, compare: "off", wipe: 0.5, gain: 4,
    layout: "focus", main: "composite", taps: session.recording.depth ? TAPS : TAPS.filter(tap => tap !== "depth"), zoom: NO_ZOOM,
    frame: firstNumber, from: firstNumber, to: firstNumber + frameCount, loops: true, isPlaying: false,
    depthNear: 400, depthFar: 4000, isRangeFitted: false, shownScores: [], undoable: 0, ...PAINTING,
  };
}

function begin(session, address, picture) {
  const declarations = new Declarations(session);
  const initial = initialState(session, declarations);
  const { state, over, words, kept, offer } = restored(address, initial, session, declarations);
  const store = new Store(state);
  store.edit(over);
  const { color } = session.recording;
  const studio = {
    session, declarations, store, video: { width: color.width, height: color.height }, pointer: null,
    get zoom() { return store.state.zoom; },
    get shownView() {
      const { active, isFlipped } = store.state;
      return isFlipped ? (active === "a" ? "b" : "a") : active;
    },
  };
  const wanted = view => {
    const steps = studio.stage.steps(view);
    if (studio.histogram.isOpen && session.recording.depth) steps.set("depth", 1);
    if (store.state.isPainting) steps.set("original", 1).set("matte", 1);
    return steps;
  };
  studio.pictures = new Pictures(store, wanted, { answer: picture, isEnough: planes => studio.stage.isEnough(planes, "a") });
  studio.histogram = new Histogram(studio);
  studio.stage = new Stage(studio);
  // The program sends the first picture while the page builds its controls.
  if (!session.live) studio.pictures.refresh();
  studio.live = session.live ? new Live(studio) : null;
  studio.transport = studio.live?.transport ?? new Transport(studio);
  studio.panel = new Panel(studio);
  studio.brush = new BrushChoice(store);
  studio.truthMode = studio.live?.truthMode ?? new TruthMode(studio);
  if (!studio.live) {
    studio.painter = new Painter(studio, studio.truthMode);
    studio.timeline = new Timeline(studio);
    studio.scores = new Scores(studio);
  }
  studio.compare = new Compare(studio);
  studio.files = new Files(studio);
  studio.badge = new Badge(studio);
  // The sweep needs a recording.
  studio.sweep = studio.live ? null : new Sweep(studio);
  new Toolbar(studio);
  studio.truthBar = studio.live?.truthBar ?? new TruthBar(studio);
  new Keys(studio);
  studio.address = persist(store, session, kept);
  connect(studio, state.depthNear === initial.depthNear && state.depthFar === initial.depthFar);
  linkToFolder(session.home, studio.address);
  studio.live?.begin();
  // Tools/bench reads these.
  performance.mark("built");
  studio.pictures.first.then(() => performance.mark("ready")).then(painted).then(() => performance.mark("painted"));
  const { note, b } = session.start;
  for (const [view, text] of [["A", note], ["B", b?.note]]) if (text) words.push(`${view}: ${text}`);
  if (offer) words.unshift("This recording has settings of its own.");
  const action = kept ? { title: "Undo", key: "Ctrl Z", act: () => store.undo() }
    : offer ? { title: "Use the other recording's", act: () => store.edit(offer) } : null;
  if (words.length > 0) announce(words.join(" "), false, 15_000, action);
  // For tests, and for the curious.
  window.studio = studio;
}

function connect({ store, pictures, stage, histogram, panel }, hasFirstRange) {
  store.on(["frame"], () => { if (!store.state.isPlaying) pictures.refresh(); });
  store.on(["a", "b", "from", "to", "active", "compare", "isFlipped"], () => pictures.refresh());
  let needsRange = hasFirstRange;
  pictures.on((view, picture) => {
    if (needsRange && picture.planes.depth) {
      needsRange = false;
      histogram.fitRange();
    }
    if (!picture.error) panel.showProblem(null);
    else if (!panel.showProblem(picture.error)) announce(picture.error.text ?? picture.error.message, true);
    stage.draw();
  });
  onTheme(() => stage.draw());
  for (const part of document.querySelectorAll("main, #panel")) part.hidden = false;
  document.body.classList.add("ready");
}

async function main() {
  performance.mark("modules");
  const { address, session: answer, picture } = firstAnswers();
  try {
    const session = await answer;
    performance.mark("session");
    begin(session, address, picture);
  } catch (error) {
    byId("refused").hidden = false;
    byId("refused-text").textContent = error.status === 401
      ? "This address lacks the program's token. Open the whole address that 'retake studio' printed, with what is behind the #."
      : error.text ?? error.message;
    document.querySelector("#top .actions").hidden = true;
    linkToFolder(null, () => address);
    // The program's refusal is told; all else is a mistake of the page.
    if (error.status === undefined) throw error;
  }
}

main();
