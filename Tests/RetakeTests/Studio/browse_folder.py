"""Opens a folder's list in a headless Chromium, and from it the first recording, where frames are missing. Prints JSON.

    browse_folder.py CHROMIUM PROGRAM FOLDER SHOTS > answers.json
"""

import json
import sys

from studio_page import end, opened

WHOLE = "[...document.querySelectorAll('#rows tr:not(:has(.problem)) img')]"
ROWS = """
Object.fromEntries([...document.querySelectorAll('#rows tr')].map(row =>
  [row.querySelector('a').textContent, { losses: Number(row.cells[5].textContent), remark: row.querySelector('.problem')?.textContent.trim() ?? '' }]))
"""
CHIPS = "[...document.querySelectorAll('.recording .chip:not([hidden])')].map(chip => chip.textContent)"


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
        # A picture whose chunk file is missing.
        answers["console"] = page.lines("Canvas2D", "500 (Internal Server Error)")
        if damaged:
            page.visit(damaged, "document.body.classList.contains('ready')")
            answers["damaged"] = page.evaluate(CHIPS)
        answers["end"] = end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
