"""Opens a folder's list in a headless Chromium, and from it the first recording, where frames are missing. Prints JSON.

    browse_folder.py CHROMIUM PROGRAM FOLDER SHOTS > answers.json
"""

import json
import sys

from studio_page import end, opened

WHOLE = "[...document.querySelectorAll('#rows tr:not(:has(.problem)) img')]"
ROWS = """
Object.fromEntries([...document.querySelectorAll('#rows tr')].map(row =>
  [row.querySelector('a').textContent, { losses: Number(row.cells[6].textContent), remark: row.querySelector('.problem')?.textContent.trim() ?? '' }]))
"""
CHIPS = "[...document.querySelectorAll('.recording .chip:not([hidden])')].map(chip => chip.textContent)"

# What stands at gaps on a timeline of 1000 pixels.
FLAGS = """
(async () => {
  const { drawGaps, gapText } = await import(new URL('timeline/gaps.js', location.href));
  const texts = [];
  const context = { measureText: text => ({ width: 6 * text.length }), fillRect() {}, fillText: text => texts.push(text) };
  const gap = (frame, frames) => ({ frame, frames, seconds: frames / 30, isWanted: false });
  drawGaps(context, [gap(1, 1), gap(30, 1), gap(400, 1), gap(700, 75)], frame => frame, { width: 1000, height: 50, top: 14 });
  return [...texts, gapText(gap(1, 1), 1000)];
})()
"""


def main():
    chromium, program, folder, shots = sys.argv[1:]
    answers = {"told": []}
    with opened(chromium, program, folder, ready="document.body.classList.contains('ready')") as (page, studio, _):
        page.wait_for(WHOLE + ".every(image => image.naturalWidth > 0)")
        answers["pictures"] = page.evaluate(WHOLE + ".length")
        answers["rows"] = page.evaluate(ROWS)
        damaged = page.evaluate("document.querySelector('#rows tr:has(.problem) a')?.href ?? null")
        page.shot(shots + "/list.png", False)
        page.evaluate("document.querySelector('#rows a').focus()")
        page.press("Enter")
        page.wait_for("window.studio?.timeline?.gaps.length > 0")
        page.wait_until_exact()
        answers["gaps"] = page.evaluate("studio.timeline.gaps")
        answers["chips"] = page.evaluate(CHIPS)
        x, y, width, _ = page.box("#timeline")
        for gap in answers["gaps"]:
            page.mouse("mouseMoved", x + min(width - 1, page.evaluate("studio.timeline.x(%d)" % gap["frame"])), y + 45)
            answers["told"].append(page.evaluate("document.getElementById('timeline').title"))
        page.shot(shots + "/gaps.png", False)
        answers["flags"] = page.evaluate(FLAGS)
        # A picture whose chunk file is missing.
        answers["console"] = page.lines("Canvas2D", "500 (Internal Server Error)")
        if damaged:
            page.visit(damaged, "document.body.classList.contains('ready')")
            answers["damaged"] = page.evaluate(CHIPS)
        answers["end"] = end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
