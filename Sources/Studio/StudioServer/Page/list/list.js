// The recordings of a folder. Each opens with the setting that the address has, so that one setting is seen over several.

import { api, takeToken, token } from "../parts/api.js";
import { byId, el } from "../parts/dom.js";

const THUMBNAIL_WIDTH = 192, FIND_DELAY = 250;
/// What was sought, for the way back from a recording.
const KEPT = "retake-find";

const seconds = value => (value >= 60 ? `${Math.floor(value / 60)}:${(value % 60).toFixed(1).padStart(4, "0")}` : `${value.toFixed(1)} s`);
const bytes = value => (value >= 1e9 ? `${(value / 1e9).toFixed(1)} GB` : `${(value / 1e6).toFixed(1)} MB`);
const stream = ({ name, format, width, height }) => `${name} ${width} × ${height} ${format}`;

/// In local time, as people write it to sort it.
function moment(seconds) {
  const date = new Date(seconds * 1000);
  const two = value => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/// Fetched when the row comes into sight: a folder may have a thousand recordings.
const sight = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    const { number, frame } = target.dataset;
    api.thumbnail(frame, THUMBNAIL_WIDTH, `r/${number}/`).then(blob => { target.src = URL.createObjectURL(blob); }, () => {});
  }
}, { rootMargin: "200px" });

function row(recording, folder, address) {
  const base = `${folder.replace(/\/+$/, "")}/`;
  const name = recording.path.startsWith(base) ? recording.path.slice(base.length) : recording.path;
  // A new tab has no token of its own.
  const rest = address ? `&${address}` : "";
  const href = `r/${recording.number}/#token=${token()}${rest}`;
  const { state, problem } = recording;
  const remark = state === "whole" && !problem ? null : el("span", { class: "problem" }, ` ${state}${problem ? `: ${problem}` : ""}`);
  if (recording.frameCount === undefined) {
    const step = el("span", { class: "quiet" }, " 'retake verify' with this recording says what helps.");
    return el("tr", {}, el("td"), el("td", { colspan: 9 }, name, remark, step));
  }
  const image = el("img", { alt: "", "data-number": recording.number, "data-frame": recording.firstNumber });
  if (recording.frameCount > 0) sight.observe(image);
  const loss = recording.lossCount > 0 ? "number loss" : "number";
  return el("tr", {},
    el("td", { class: "picture" }, image),
    el("td", {}, el("a", { href }, name), remark,
      recording.tags.length > 0 ? el("div", { class: "tags" }, recording.tags.map(tag => el("span", { class: "tag" }, tag))) : null,
      recording.note ? el("div", { class: "note" }, recording.note) : null),
    el("td", { class: "time" }, recording.startSeconds ? moment(recording.startSeconds) : ""),
    el("td", { class: "number" }, seconds(recording.durationSeconds)), el("td", { class: "number" }, String(recording.frameCount)),
    el("td", {}, recording.streams.map(stream).join(", ")), el("td", { class: loss }, String(recording.lossCount)),
    el("td", { class: "number", title: recording.marks.join("\n") }, String(recording.markCount)), el("td", { class: "number" }, String(recording.faceFrameCount)),
    el("td", { class: "number" }, bytes(recording.byteCount)));
}

function begin({ folder, name, recordings }, address) {
  byId("folder").textContent = name;
  byId("folder").title = folder;
  const rows = recordings.map(recording => ({ recording, element: row(recording, folder, address) }));
  let order = { key: "path", isDescending: false };
  const search = byId("search");
  /// Numbers of the recordings that the program found for a query.
  let found = { query: "", numbers: new Set() };
  let shown = rows;
  const show = () => {
    const query = search.value.trim();
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const isFound = number => found.query === query && found.numbers.has(number);
    const matching = rows.filter(({ recording }) =>
      isFound(recording.number) || words.every(word => recording.path.toLowerCase().includes(word)));
    // What was shown stays until the program has understood the query.
    if (matching.length > 0 || (found.query === query && !found.isRefused)) shown = matching;
    const value = ({ recording }) => recording[order.key] ?? -1;
    shown = shown.toSorted((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.recording.number - b.recording.number));
    if (order.isDescending) shown.reverse();
    byId("rows").replaceChildren(...shown.map(({ element }) => element));
    byId("nothing-found").hidden = shown.length > 0;
    const noun = rows.length === 1 ? "recording" : "recordings";
    byId("facts").textContent = shown.length === rows.length ? `${rows.length} ${noun}` : `${shown.length} of ${rows.length} ${noun}`;
    for (const button of document.querySelectorAll("th button")) {
      const isOrder = button.dataset.key === order.key;
      if (isOrder) button.parentElement.setAttribute("aria-sort", order.isDescending ? "descending" : "ascending");
      else button.parentElement.removeAttribute("aria-sort");
    }
  };
  for (const button of document.querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const { key } = button.dataset;
      // Numbers are sought from the largest, names from the first.
      order = { key, isDescending: order.key === key ? !order.isDescending : key !== "path" };
      show();
    });
  }
  const tell = text => {
    byId("find-problem").textContent = text;
    byId("find-problem").hidden = !text;
  };
  const find = async () => {
    const query = search.value.trim();
    let [numbers, problem] = [[], ""];
    try {
      if (query) ({ found: numbers } = await api.find(query));
    } catch (error) {
      problem = error.text ?? error.message;
    }
    // Something else was typed meanwhile.
    if (query !== search.value.trim()) return;
    found = { query, numbers: new Set(numbers), isRefused: Boolean(problem) };
    tell(problem);
    show();
  };
  addEventListener("keydown", event => {
    if (event.key !== "/" || event.target === search) return;
    event.preventDefault();
    search.focus();
  });
  let timer = 0;
  search.value = sessionStorage.getItem(KEPT) ?? "";
  search.addEventListener("input", () => {
    sessionStorage.setItem(KEPT, search.value);
    clearTimeout(timer);
    timer = setTimeout(find, search.value.trim() ? FIND_DELAY : 0);
    show();
  });
  show();
  find();
  byId("list").hidden = false;
  document.body.classList.add("ready");
}

async function main() {
  const { address, keep } = takeToken();
  try {
    const list = api.list();
    keep();
    begin(await list, address);
  } catch (error) {
    byId("refused").hidden = false;
    byId("refused-text").textContent = error.text ?? error.message;
    if (error.status === undefined) throw error;
  }
}

main();
