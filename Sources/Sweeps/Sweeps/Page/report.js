"use strict";
// Sorting, paging, copying, and values at points. Everything else works without a script.
(() => {
  const source = document.getElementById("data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const pageSize = 50;
  const roleNames = ["best", "worst", "current"];
  const front = new Set(data.front);
  // Rows are in the order of their ranks; the key is the setting's index in the sweep.
  const rows = new Map(data.rows.map((row) => [row.i, row]));
  const order = data.rows.map((row) => row.i);
  const ranks = new Map(order.map((setting, place) => [setting, place + 1]));

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made && key !== "list") made[key] = value; else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  // Rounds half away from zero, as the Swift code does.
  function fixed(value, decimals) {
    if (value === null || value === undefined) return "–";
    const power = 10 ** decimals;
    const scaled = Math.round(Math.abs(value) * power);
    if (scaled >= 9e15) return String(value);
    const digits = String(scaled).padStart(decimals + 1, "0");
    const sign = value < 0 && scaled > 0 ? "−" : "";
    return sign + (decimals ? digits.slice(0, -decimals) + "." + digits.slice(-decimals) : digits);
  }

  function number(text) {
    const parts = text.split("/").map(Number);
    return parts.length === 2 ? parts[0] / parts[1] : parts[0];
  }

  function rolesOf(setting) { return roleNames.filter((role) => data.roles[role] === setting); }

  function commands(setting) {
    const row = rows.get(setting);
    return data.before.map((before, place) =>
      `${before}${row.c}${data.spans[place]} --output sheet:setting-${row.n}${data.after[place]}`).join("\n");
  }

  // MARK: Copying

  async function copy(text, button) {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      // A page opened from a file may lack the clipboard API; execCommand copies selected text.
      const area = element("textarea", { value: text, readOnly: true, className: "hidden" });
      document.body.append(area);
      area.select();
      try { done = document.execCommand("copy"); } catch { done = false; }
      area.remove();
      button.focus();
    }
    const words = button.dataset.words ?? button.textContent;
    button.dataset.words = words;
    button.textContent = done ? "Copied" : "Select it by hand";
    setTimeout(() => { button.textContent = words; }, 1600);
  }

  function copyButton(text, label) {
    const button = element("button", { type: "button", className: "button small", textContent: "Copy", "aria-label": label });
    button.addEventListener("click", () => copy(text(), button));
    return button;
  }

  const made = document.getElementById("sweep-command");
  if (made) made.parentElement.append(copyButton(() => made.textContent, "Copy the command of the sweep"));

  // MARK: Pictures

  // Both pictures of a setting grow together, to the width of the page.
  for (const figure of document.querySelectorAll(".picture")) {
    for (const image of figure.querySelectorAll("img")) {
      const button = element("button", { type: "button", title: "Larger or smaller", "aria-expanded": "false" });
      image.replaceWith(button);
      button.append(image);
      button.addEventListener("click", () => {
        const isLarge = String(figure.classList.toggle("large"));
        for (const each of figure.querySelectorAll("button")) each.setAttribute("aria-expanded", isLarge);
      });
    }
  }

  // MARK: The table

  const table = document.getElementById("settings-table");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const status = document.getElementById("table-status");
  const end = document.getElementById("table-end");
  const templates = new Map();
  for (const badge of document.querySelectorAll(".badge")) {
    const role = roleNames.find((name) => badge.classList.contains(name));
    if (role && !templates.has(role)) templates.set(role, badge);
  }
  const state = { column: 0, isDescending: false, page: 0, recording: -1, words: [], found: null };
  let shown = order.slice();

  const triedStart = 2;
  const scoreStart = triedStart + data.tried.length;

  function values(row) {
    if (state.recording < 0) return row.s === 0 ? row.m : [];
    return row.r[state.recording];
  }

  function key(setting, column) {
    const row = rows.get(setting);
    if (column === 0) return ranks.get(setting);
    if (column === 1) return row.n;
    if (column < scoreStart) {
      const text = row.t[column - triedStart];
      return data.numeric[column - triedStart] ? number(text) : text;
    }
    return values(row)[column - scoreStart] ?? null;
  }

  function cell(text, name = "number") { return element("td", { className: name, textContent: text }); }

  function rowOf(setting) {
    const row = rows.get(setting);
    const own = rolesOf(setting);
    const made = element("tr", { className: [own[0] ?? "", state.found === setting ? "found" : ""].join(" ").trim() });
    made.dataset.setting = setting;
    const head = element("th", { scope: "row" }, String(row.n));
    for (const role of own) {
      const badge = templates.get(role);
      head.append(" ", badge ? badge.cloneNode(true) : role);
    }
    if (front.has(setting)) head.append(" ", element("span", { className: "badge front", textContent: "front" }));
    made.append(cell(String(ranks.get(setting))), head);
    for (const text of row.t) made.append(cell(text));
    const scores = values(row);
    if (scores.length) {
      data.columns.forEach((column, place) => made.append(cell(fixed(scores[place], column.decimals))));
    } else {
      const problem = element("td", { className: `problem ${row.s === 1 ? "failed" : "missing"}`, colSpan: Math.max(1, data.columns.length) });
      problem.append(element("div", {}, element("strong", { textContent: row.s === 1 ? "Failed." : "Not complete." }), " " + row.e));
      made.append(problem);
    }
    const last = element("td", { className: "command" });
    last.append(copyButton(() => commands(setting), `Copy the command of setting ${row.n}`), " ", showButton(made, setting, row.n));
    made.append(last);
    return made;
  }

  // Shows the command in a row of its own, so that it hides no score.
  function showButton(made, setting, number) {
    const button = element("button", {
      type: "button", className: "button small", textContent: "Show", "aria-expanded": "false",
      "aria-label": `Show the command of setting ${number}`,
    });
    let shownRow = null;
    button.addEventListener("click", () => {
      if (shownRow) {
        shownRow.remove();
        shownRow = null;
      } else {
        const cell = element("td", { colSpan: heads.length, className: "shown" });
        cell.append(element("pre", {}, element("code", { textContent: commands(setting) })));
        shownRow = element("tr", {}, cell);
        made.after(shownRow);
      }
      button.setAttribute("aria-expanded", String(shownRow !== null));
      button.textContent = shownRow ? "Hide" : "Show";
    });
    return button;
  }

  function isWanted(setting) {
    if (!state.words.length) return true;
    const row = rows.get(setting);
    const text = [
      `setting=${row.n}`, ...data.tried.map((name, place) => `${name}=${row.t[place]}`), ...rolesOf(setting),
      front.has(setting) ? "front" : "", ["done", "failed", "missing"][row.s],
    ];
    return state.words.every((word) => text.some((part) =>
      word.includes("=") ? part.toLowerCase() === word || part.toLowerCase().endsWith("." + word) : part.toLowerCase().includes(word)));
  }

  function render() {
    shown = order.filter(isWanted);
    const { column, isDescending } = state;
    const keys = new Map(shown.map((setting) => [setting, key(setting, column)]));
    shown.sort((a, b) => {
      const [first, second] = [keys.get(a), keys.get(b)];
      if (first === second) return ranks.get(a) - ranks.get(b);
      // Rows without a value come last in either direction.
      if (first === null) return 1;
      if (second === null) return -1;
      return (first < second ? -1 : 1) * (isDescending ? -1 : 1);
    });
    const pageCount = Math.max(1, Math.ceil(shown.length / pageSize));
    state.page = Math.min(Math.max(0, state.page), pageCount - 1);
    const start = state.page * pageSize;
    body.replaceChildren(...shown.slice(start, start + pageSize).map(rowOf));
    heads.forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    previous.disabled = state.page === 0;
    next.disabled = state.page === pageCount - 1;
    where.textContent = `Page ${state.page + 1} of ${pageCount}`;
    pages.hidden = pageCount === 1;
    const last = Math.min(start + pageSize, shown.length);
    status.textContent = shown.length
      ? `Settings ${start + 1} to ${last} of ${shown.length}, by ${names[column]}, ${isDescending ? "descending" : "ascending"}.`
      : "No setting is like that.";
  }

  const names = heads.map((head, place) =>
    place < triedStart ? ["rank", "setting"][place]
      : place < scoreStart ? data.tried[place - triedStart] : data.columns[place - scoreStart]?.name ?? "");
  heads.slice(0, scoreStart + data.columns.length).forEach((head, place) => {
    const button = element("button", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const better = place < scoreStart ? -1 : data.columns[place - scoreStart].better;
      if (state.column === place) state.isDescending = !state.isDescending;
      else [state.column, state.isDescending] = [place, better > 0];
      state.page = 0;
      render();
    });
  });

  const controls = document.getElementById("table-controls");
  const search = element("input", { type: "search", placeholder: data.tried.length ? `${data.tried[0]}=${data.rows[0]?.t[0] ?? ""}` : "front" });
  search.addEventListener("input", () => {
    state.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    state.page = 0;
    render();
  });
  controls.append(element("label", {}, "Show only (name=value, best, front, failed)", search));
  if (data.recordings.length) {
    const choice = element("select", {});
    choice.append(element("option", { value: "-1", textContent: "Mean of all" }));
    data.recordings.forEach((path, place) => choice.append(element("option", { value: String(place), textContent: path })));
    choice.addEventListener("change", () => {
      state.recording = Number(choice.value);
      render();
    });
    controls.append(element("label", {}, "Scores over", choice));
  }
  const previous = element("button", { type: "button", className: "button", textContent: "Previous" });
  const next = element("button", { type: "button", className: "button", textContent: "Next" });
  const where = element("span", {});
  const pages = element("div", { className: "pages" }, previous, where, next);
  for (const [button, step] of [[previous, -1], [next, 1]]) {
    button.addEventListener("click", () => {
      state.page += step;
      render();
      table.parentElement.scrollTop = 0;
    });
  }
  controls.append(pages);
  controls.hidden = false;
  if (end) end.hidden = true;
  render();

  function find(setting) {
    if (!rows.has(setting)) return;
    state.words = [];
    search.value = "";
    state.found = setting;
    render();
    state.page = Math.floor(shown.indexOf(setting) / pageSize);
    render();
    const row = body.querySelector(`[data-setting="${setting}"]`);
    row?.scrollIntoView({ block: "center" });
    row?.querySelector("button")?.focus({ preventScroll: true });
  }

  // MARK: Points

  const tip = document.getElementById("tip");

  function list(pairs) {
    const made = element("dl", {});
    for (const [name, value] of pairs) made.append(element("dt", { textContent: name }), element("dd", { textContent: value }));
    return made;
  }

  // Places the tip beside a point of the window, inside the window.
  function near(x, y) {
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${x + 16 + width < innerWidth ? x + 16 : Math.max(4, x - 16 - width)}px`;
    tip.style.top = `${Math.min(Math.max(4, y - height / 2), Math.max(4, innerHeight - height - 4))}px`;
  }

  function tell(setting, x, y) {
    const row = rows.get(setting);
    if (!row) return;
    const own = rolesOf(setting);
    tip.replaceChildren(
      element("strong", { textContent: `Setting ${row.n}${own.length ? " · " + own.join(", ") : ""}` }),
      list(data.tried.map((name, place) => [name, row.t[place]])),
      list(data.columns.map((column, place) => [`${column.name}${column.unit ? ", " + column.unit : ""}`, fixed(row.m[place], column.decimals)])));
    near(x, y);
  }

  function tellOf(point) {
    const box = point.getBoundingClientRect();
    tell(Number(point.dataset.setting), box.right - 8, box.top + box.height / 2);
  }

  function hush() { tip.hidden = true; }

  // A plot's dots as [setting, x, y], parsed on first use.
  const dotsOf = new WeakMap();
  function dots(plot) {
    let found = dotsOf.get(plot);
    if (!found) {
      found = [];
      for (const path of plot.querySelectorAll("path[data-settings]")) {
        const settings = path.dataset.settings.split(" ").flatMap((span) => {
          const [first, last] = span.split("-").map(Number);
          return Array.from({ length: (last ?? first) - first + 1 }, (_, place) => first + place);
        });
        path.getAttribute("d").split("M").slice(1).forEach((text, place) => {
          const [x, y] = text.replace("h0", "").split(" ").map(Number);
          found.push([settings[place], x, y]);
        });
      }
      dotsOf.set(plot, found);
    }
    return found;
  }

  function nearest(plot, event) {
    const matrix = plot.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let best = null;
    let least = 12 ** 2;
    for (const [setting, x, y] of dots(plot)) {
      const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
      if (distance < least) [best, least] = [setting, distance];
    }
    return best;
  }

  for (const plot of document.querySelectorAll("svg.scatter, svg.effects")) {
    // The browser's own tips say less, and would cover those of the script.
    plot.querySelectorAll(".point > title").forEach((title) => title.remove());
    plot.addEventListener("pointermove", (event) => {
      const setting = nearest(plot, event);
      if (setting === null) hush(); else tell(setting, event.clientX, event.clientY);
    });
    plot.addEventListener("pointerleave", hush);
    plot.addEventListener("click", (event) => {
      const setting = nearest(plot, event);
      if (setting !== null) {
        hush();
        find(setting);
      }
    });
    const points = [...plot.querySelectorAll(".point")];
    points.forEach((point, place) => {
      // One tab stop for all points; arrow keys move between them.
      point.setAttribute("tabindex", place === 0 ? "0" : "-1");
      point.addEventListener("focus", () => tellOf(point));
      point.addEventListener("blur", hush);
      point.addEventListener("keydown", (event) => {
        const steps = { ArrowRight: place + 1, ArrowUp: place + 1, ArrowLeft: place - 1, ArrowDown: place - 1, Home: 0, End: points.length - 1 };
        if (event.key in steps) {
          const to = points[(steps[event.key] + points.length) % points.length];
          point.setAttribute("tabindex", "-1");
          to.setAttribute("tabindex", "0");
          to.focus();
          event.preventDefault();
        } else if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          hush();
          find(Number(point.dataset.setting));
        }
      });
    });
  }
  // MARK: Curves

  // The points of a curve as [x, y], parsed on first use.
  const placesOf = new WeakMap();
  function places(path) {
    if (!placesOf.has(path)) {
      placesOf.set(path, path.getAttribute("d").split(/[ML]/).slice(1).map((text) => text.replace("h0", "").split(" ").map(Number)));
    }
    return placesOf.get(path);
  }

  for (const plot of document.querySelectorAll("svg.curves")) {
    const [left, top, width, height, first, last, low, high, decimals] = plot.dataset.axes.split(" ").map(Number);
    const hair = document.createElementNS("http://www.w3.org/2000/svg", "path");
    hair.setAttribute("class", "crosshair");
    const leave = () => {
      hair.remove();
      hush();
    };
    plot.addEventListener("pointermove", (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.getScreenCTM().inverse());
      const frame = Math.round(first + (at.x - left) / width * (last - first));
      if (!(frame >= first && frame <= last)) return leave();
      const x = left + (last > first ? (frame - first) / (last - first) * width : 0);
      const reach = Math.max(0.1, last > first ? width / (last - first) * 0.5 : 1);
      const pairs = [...plot.querySelectorAll(".curve")].reverse().map((path) => {
        const place = places(path).find((point) => Math.abs(point[0] - x) <= reach);
        const name = roleNames.filter((role) => path.classList.contains(role)).join();
        return [name, place ? fixed(low + (top + height - place[1]) / height * (high - low), decimals) : "–"];
      });
      hair.setAttribute("d", `M${x} ${top}v${height}`);
      plot.append(hair);
      tip.replaceChildren(element("strong", { textContent: `Frame ${frame}` }), list(pairs));
      near(event.clientX, event.clientY);
    });
    plot.addEventListener("pointerleave", leave);
  }

  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hush(); });
  addEventListener("scroll", () => {
    if (tip.hidden) return;
    // A focused point scrolls into view; its tip follows it.
    const point = document.activeElement?.closest(".point");
    if (point) tellOf(point); else hush();
  }, { passive: true });
})();
