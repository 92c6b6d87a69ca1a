// What is drawn over pictures. Lines are light with a dark edge, so that they show on any picture.

import { line } from "../parts/dom.js";
import { depthColor, heatColor } from "../parts/palette.js";
import { niceStep } from "../parts/scale.js";

const LIGHT = "rgba(255,255,255,0.92)", DARK = "rgba(0,0,0,0.72)";
const FONT = "11px system-ui, 'DejaVu Sans', sans-serif";

function twice(context, draw) {
  for (const [style, width] of [[DARK, 3], [LIGHT, 1]]) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.beginPath();
    draw();
    context.stroke();
  }
}

export function drawLabel(context, text, x, y, align = "left") {
  context.font = FONT;
  context.textBaseline = "top";
  const width = Math.ceil(context.measureText(text).width) + 10;
  const left = align === "right" ? x - width : align === "center" ? Math.round(x - width / 2) : x;
  context.fillStyle = DARK;
  context.fillRect(left, y, width, 18);
  context.fillStyle = LIGHT;
  context.fillText(text, left + 5, y + 4);
}

/// A gap in the middle leaves the pixel itself free.
export function drawCrosshair(context, point, { scale, x, y }, box) {
  const px = Math.round(x + (Math.floor(point.x) + 0.5) * scale) + 0.5, py = Math.round(y + (Math.floor(point.y) + 0.5) * scale) + 0.5;
  if (px < box.x || py < box.y || px > box.x + box.width || py > box.y + box.height) return;
  const gap = Math.max(3, scale / 2 + 1), arm = gap + 8;
  twice(context, () => {
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      context.moveTo(px + dx * gap, py + dy * gap);
      context.lineTo(px + dx * arm, py + dy * arm);
    }
    if (scale >= 6) context.rect(px - scale / 2, py - scale / 2, scale, scale);
  });
}

export function drawFaces(context, faces, { scale, x, y }, box) {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  for (const face of faces) {
    const [left, top, width, height] = [x + face.x * scale, y + face.y * scale, face.width * scale, face.height * scale].map(Math.round);
    twice(context, () => context.rect(left + 0.5, top + 0.5, width, height));
  }
  context.restore();
}

export function drawWipe(context, cut, width, height) {
  twice(context, () => { context.moveTo(cut + 0.5, 0); context.lineTo(cut + 0.5, height); });
  context.beginPath();
  context.arc(cut + 0.5, height / 2, 9, 0, 2 * Math.PI);
  context.fillStyle = DARK;
  context.fill();
  context.strokeStyle = LIGHT;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = LIGHT;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(cut + 0.5 + side * 6, height / 2);
    context.lineTo(cut + 0.5 + side * 2, height / 2 - 3.5);
    context.lineTo(cut + 0.5 + side * 2, height / 2 + 3.5);
    context.fill();
  }
  if (cut > 30) drawLabel(context, "A", cut - 8, 6, "right");
  if (width - cut > 30) drawLabel(context, "B", cut + 9, 6);
}

/// A brush: its circle, dashed where it follows colours, and its middle.
export function drawRing(context, point, radius, { scale, x, y }, style, isDashed) {
  const [px, py, r] = [x + point.x * scale, y + point.y * scale, Math.max(1.5, radius * scale)];
  for (const [stroke, width] of [[DARK, 3.5], [style, 1.5]]) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.beginPath();
    context.arc(px, py, r, 0, 2 * Math.PI);
    context.setLineDash(isDashed && stroke === style ? [5, 4] : []);
    context.stroke();
  }
  context.setLineDash([]);
  if (r < 5) return;
  context.fillStyle = style;
  context.fillRect(Math.round(px) - 1, Math.round(py) - 1, 2, 2);
}

/// The line around what is to be filled, closed to where it began.
export function drawLasso(context, points, pointer, { scale, x, y }, style) {
  const corners = [...points, pointer].map(point => [x + point.x * scale, y + point.y * scale]);
  for (const [stroke, width] of [[DARK, 3.5], [style, 1.5]]) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.beginPath();
    for (const corner of corners) context.lineTo(...corner);
    if (corners.length > 2) context.closePath();
    const [px, py] = corners.at(-1);
    context.moveTo(px - 5, py);
    context.lineTo(px + 5, py);
    context.moveTo(px, py - 5);
    context.lineTo(px, py + 5);
    context.stroke();
  }
}

/// Dashes of the timeline's lines of scores, in their order.
export const DASHES = [[], [5, 3], [1.5, 2.5]];

export const scoreColor = place => (place === 0 ? "accent" : "text");

/// A piece of a score's line.
export const scoreLine = place => line(DASHES[place], scoreColor(place));

const strips = new Map();

/// A strip of a palette's colours from 0 to 1, kept for each palette.
export function strip(paint) {
  const key = paint.key ?? paint;
  if (!strips.has(key)) {
    if (strips.size > 8) strips.clear();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [256, 1];
    const context = canvas.getContext("2d");
    for (let i = 0; i < 256; i++) {
      context.fillStyle = `rgb(${paint((i + 0.5) / 256).join(" ")})`;
      context.fillRect(i, 0, 1, 1);
    }
    strips.set(key, canvas);
  }
  return strips.get(key);
}

/// The palette of a range of depth, for `strip`.
export function depthPaint({ depthNear, depthFar }) {
  return Object.assign(t => depthColor(depthNear + t * (depthFar - depthNear), depthNear, depthFar), { key: `${depthNear} ${depthFar}` });
}

function drawScale(context, x, y, width, paint, ticks) {
  context.fillStyle = DARK;
  context.fillRect(x - 8, y - 4, width + 16, 26);
  context.drawImage(strip(paint), x, y, width, 6);
  context.font = FONT;
  context.textBaseline = "top";
  context.fillStyle = LIGHT;
  for (const { at, text } of ticks) {
    const px = Math.round(x + at * width);
    context.fillRect(Math.min(px, x + width - 1), y + 6, 1, 3);
    context.textAlign = at < 0.06 ? "left" : at > 0.94 ? "right" : "center";
    context.fillText(text, px + (at < 0.06 ? -3 : at > 0.94 ? 3 : 0), y + 10);
  }
  context.textAlign = "left";
}

export function drawDepthScale(context, box, { depthNear, depthFar }) {
  const width = Math.min(260, Math.round(box.width * 0.6), box.width - 34);
  if (width < 70 || box.height < 90) return;
  const span = depthFar - depthNear;
  const step = niceStep(span, width < 140 ? 2 : 5);
  const ticks = [];
  const tick = mm => ({ at: (mm - depthNear) / span, text: String(Number((mm / 1000).toFixed(3))) });
  for (let mm = Math.ceil(depthNear / step) * step; mm <= depthFar; mm += step) ticks.push(tick(mm));
  // One tick alone is no scale: both ends are named then.
  if (ticks.length < 2) ticks.splice(0, 1, tick(depthNear), tick(depthFar));
  ticks.at(-1).text += " m";
  drawScale(context, box.x + 16, box.y + box.height - 24, width, depthPaint({ depthNear, depthFar }), ticks);
}

export function drawHeatScale(context, box, scale, unit, { largest, share }) {
  const width = Math.min(200, Math.round(box.width * 0.5));
  if (width < 60 || box.height < 90) return;
  const text = value => String(Number(value.toPrecision(3)));
  drawScale(context, 16, box.height - 32, width, heatColor, [
    { at: 0, text: "0" }, ...(width < 120 ? [] : [{ at: 0.5, text: text(scale / 2) }]), { at: 1, text: `≥ ${text(scale)}${unit === "mm" ? " mm" : ""}` },
  ]);
  if (box.width > 300) {
    const percent = share === 0 ? "no pixel differs" : `${(share * 100).toFixed(share < 0.001 ? 3 : 1)} % differ, most ${largest} ${unit}`;
    drawLabel(context, percent, 8, box.height - 58);
  }
}
