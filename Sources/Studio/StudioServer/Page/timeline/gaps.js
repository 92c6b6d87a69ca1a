// Where frames are missing, on the timeline and in words.

import { color } from "../parts/dom.js";
import { duration } from "../parts/time.js";

/// Pixels that a gap's words take at most.
const FLAG = 96;

/// How much a gap lacks: frames where the time would be near zero.
function missing({ seconds, frames }) {
  return seconds < 1 ? `${frames} ${frames === 1 ? "frame" : "frames"}` : duration(seconds);
}

export function gapText(gap, end) {
  const { frame, frames, isWanted, damage } = gap;
  if (damage) return damage;
  const [was, is] = frames === 1 ? ["was", "is"] : ["were", "are"];
  const place = frame < end ? `Before frame ${frame}` : `After frame ${frame - 1}`;
  return `${place}, ${missing(gap)} ${isWanted ? `${was} not kept: no mark was near` : `${is} lost`}.`;
}

function words({ isWanted, damage }) {
  return damage ? "damaged" : isWanted ? "not kept" : "lost";
}

/// A line at each gap, with how much it lacks. Gaps whose words would overlap are told together.
export function drawGaps(context, gaps, xOf, { width, height, top }) {
  context.font = "10px system-ui, 'DejaVu Sans', sans-serif";
  const flags = [];
  for (const gap of gaps) {
    const { seconds, frames, isWanted } = gap;
    const x = xOf(gap.frame);
    if (x < 0 || x > width) continue;
    context.fillStyle = color(isWanted ? "rough" : "problem");
    context.fillRect(Math.min(x, width - 2), 0, 2, height);
    const last = flags.at(-1);
    if (!last || x >= last.x + FLAG) flags.push({ ...gap, x });
    else if (words(last) === words(gap)) Object.assign(last, { seconds: last.seconds + seconds, frames: last.frames + frames });
  }
  for (const flag of flags) {
    const text = `${missing(flag)} ${words(flag)}`;
    const room = context.measureText(text).width + 8;
    const left = Math.min(flag.x, width - room);
    context.fillStyle = color(flag.isWanted ? "rough" : "problem");
    context.fillRect(left, 0, room, top);
    context.fillStyle = color("raised");
    context.fillText(text, left + 4, (top + 2) / 2 - 1);
  }
}
