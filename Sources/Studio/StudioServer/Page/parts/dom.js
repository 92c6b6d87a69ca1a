// Building blocks for the page: elements, icons, and announcements to screen readers.

const SVG = "http://www.w3.org/2000/svg";

/// 16 x 16 outlines.
const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  next: "M3 2.5v11l7-5.5zM11 2.5h2v11h-2z",
  previous: "M13 2.5v11L6 8zM3 2.5h2v11H3z",
  loop: "M11 1l3 2.6L11 6.2V4.5H5A2.5 2.5 0 0 0 2.5 7v1H1V7a4 4 0 0 1 4-4h6zM5 15l-3-2.6L5 9.8v1.7h6A2.5 2.5 0 0 0 13.5 9V8H15v1a4 4 0 0 1-4 4H5z",
  undo: "M6 2L2 5.5 6 9V6.5h3.5a2.75 2.75 0 0 1 0 5.5H5v1.6h4.5a4.35 4.35 0 0 0 0-8.7H6z",
  redo: "M10 2l4 3.5L10 9V6.5H6.5a2.75 2.75 0 0 0 0 5.5H11v1.6H6.5a4.35 4.35 0 0 1 0-8.7H10z",
  reset: "M8 3a5 5 0 1 1-4.9 6h1.65A3.4 3.4 0 1 0 8 4.6V7L4.2 3.8 8 .6z",
  focus: "M1.5 2.5h9v11h-9zM12 2.5h2.5v3H12zM12 6.5h2.5v3H12zM12 10.5h2.5v3H12z",
  grid: "M1.5 2.5h6v5h-6zM8.5 2.5h6v5h-6zM1.5 8.5h6v5h-6zM8.5 8.5h6v5h-6z",
  single: "M1.5 2.5h13v11h-13z",
  swap: "M5 1.5L1.5 5 5 8.5v-2.7h9.5V4.2H5zM11 7.5v2.7H1.5v1.6H11v2.7l3.5-3.5z",
  close: "M3.5 2.4L8 6.9l4.5-4.5 1.1 1.1L9.1 8l4.5 4.5-1.1 1.1L8 9.1l-4.5 4.5-1.1-1.1L6.9 8 2.4 3.5z",
  down: "M3.5 5.5h9L8 11z",
  search: "M6.7 1.7a5 5 0 0 1 4 8l3.7 3.7-1.1 1.1-3.7-3.7a5 5 0 1 1-2.9-9.1zm0 1.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8z",
};

/// `props`: attributes; `class`, `text`, and `on…` handlers by their names. Children are nodes, text or null.
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/// A short line as a sample of one that is drawn elsewhere.
export function line(dashes, name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 22 8", class: "line-sample", "aria-hidden": "true" })) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ d: "M0 4h22", stroke: `var(--${name})`, "stroke-width": 1.5, "stroke-dasharray": dashes.join(" ") || "none" })) {
    path.setAttribute(key, value);
  }
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick, props = {}) {
  return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...props }, icon(name));
}

export function byId(id) {
  return document.getElementById(id);
}

/// A polite message for screen readers, and for everybody in the line at the bottom.
/// - Parameter actions: what can be done about it: a button's title, its key if it has one, and `act`.
export function announce(text, isProblem = false, milliseconds = isProblem ? 12_000 : 5000, ...actions) {
  const line = byId("notice");
  line.textContent = text;
  const end = () => { line.textContent = ""; line.classList.remove("problem"); };
  for (const { title, key, act } of actions.filter(Boolean)) {
    const onclick = () => { end(); act(); };
    line.append(" ", el("button", { type: "button", onclick }, title, key ? " " : null, key ? el("kbd", {}, key) : null));
  }
  line.classList.toggle("problem", isProblem);
  clearTimeout(announce.timer);
  announce.timer = setTimeout(end, milliseconds);
}

/// A colour of the style sheet, for canvases; read again after the theme changes.
export function color(name) {
  color.cache ??= new Map();
  if (!color.cache.has(name)) {
    const probe = el("span");
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    color.cache.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return color.cache.get(name);
}

/// Calls back after a change of theme, contrast or forced colours.
export function onTheme(callback) {
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"]) {
    matchMedia(query).addEventListener("change", () => {
      color.cache?.clear();
      callback();
    });
  }
}

/// At most one call for an animation frame.
export function eachFrame(callback) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; callback(); });
  };
}

/// A canvas that fills its box, in device pixels. Returns its width and height in CSS pixels.
export function fitCanvas(canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height, ratio };
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied to the clipboard.");
  } catch {
    announce("The browser does not allow copying. Select the text, and press Ctrl+C.", true);
  }
}

const PRESSED = "button, summary, a, [role=slider]:not(#timeline)";

/// What the pointer pressed last. It keeps the focus, but the next space is not meant for it. A dialog gives the focus back
/// to what opened it, whatever happens in it.
let clicked = null;
const isOutside = () => !document.querySelector("dialog[open]");
addEventListener("pointerdown", event => { if (isOutside()) clicked = event.target.closest?.(PRESSED) ?? null; }, true);
addEventListener("keydown", event => { if (event.key === "Tab" && isOutside()) clicked = null; }, true);

/// Whether a key is space or Enter and presses what has the focus.
export function presses(event) {
  const pressed = event.target.closest?.(PRESSED);
  return Boolean(pressed) && (event.key === "Enter" || (event.key === " " && pressed !== clicked));
}
