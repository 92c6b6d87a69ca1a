"""Changes marks on the page of 'retake studio' by pointer and keys, in a headless Chromium. Prints what came of it, as JSON.

    browse_marks.py CHROMIUM PROGRAM RECORDING SHOTS > answers.json

Only Python's own modules are used.
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from studio_page import FAINT, SHIFT, end, opened  # noqa: E402

TOLD = "document.getElementById('notice').textContent"
MARKS = "studio.timeline.marks.list.map(({ frame, label }) => `${frame} ${label}`)"
DIALOG = "document.getElementById('mark-dialog').open"
DEPTH = "document.getElementById('holes').textContent"

# What each tile shows: whether a picture, and its words.
TILES = """
Object.fromEntries([...studio.stage.tiles].map(([tap, tile]) =>
  [tap, { isShown: Boolean(tile.plane('a')), text: tile.message.hidden ? '' : tile.message.textContent }]))
"""


def without_picture(page, answers, shots):
    """A frame that gives no picture with a setting."""
    page.wait_until_exact()
    original = "studio.pictures.current.a.planes.original.digest"
    before = page.evaluate(original)
    page.evaluate("studio.store.edit({ a: studio.declarations.setting('static-camera', {}, '') })")
    page.wait_for("document.getElementById('badge-text').textContent === 'no picture'")
    page.wait_for("!studio.stage.tiles.get('composite').message.hidden")
    answers["missing"] = {
        "tiles": page.evaluate(TILES), "isSameOriginal": page.evaluate(original) == before, "histogram": page.evaluate(DEPTH),
        "why": page.evaluate("document.getElementById('badge').title"), "wrong": page.evaluate("studio.pictures.counts.wrong"),
    }
    for width, scheme in [(1600, "light"), (800, "dark")]:
        page.size(width, 900)
        page.media(prefers_color_scheme=scheme)
        page.settle(0.3)
        page.shot("%s/missing-%d.png" % (shots, width), False)
    page.size(1600, 900)
    page.media(prefers_color_scheme="light")
    page.evaluate("studio.store.undo()")
    page.wait_until_exact()
    page.evaluate("studio.transport.goTo(400)")
    answers["beyond"] = [page.evaluate(TOLD)]
    page.evaluate("studio.transport.setRange(2, 8); studio.transport.goTo(400)")
    answers["beyond"].append(page.evaluate(TOLD))
    page.evaluate("studio.transport.setRange(0, 100)")


def change(page, answers, shots):
    """Marks by keys, by pointer, and undone."""
    steps = []

    def told(count):
        page.wait_for("!%s && studio.timeline.marks.list.length === %d" % (DIALOG, count))
        steps.append({"marks": page.evaluate(MARKS), "told": page.evaluate(TOLD)})

    page.evaluate("document.activeElement.blur(); studio.transport.goTo(5)")
    page.press("n")
    page.call("Input.insertText", text="hand vanishes")
    page.shot(shots + "/dialog.png", False)
    answers["faint"] = page.evaluate(FAINT)
    page.press("Enter")
    told(2)
    page.shot(shots + "/marks.png", False)
    # The mark at this frame is renamed.
    page.press("n")
    page.call("Input.insertText", text="hand's back")
    page.press("Enter")
    page.wait_for("studio.timeline.marks.list.some(mark => mark.label.endsWith('back'))")
    told(2)
    page.evaluate("document.querySelector('#timeline .mark').focus()")
    page.press("Delete")
    told(1)
    answers["focused"] = page.evaluate("document.activeElement.id")
    page.click("#notice button")
    page.wait_for("studio.timeline.marks.list.length === 2")
    told(2)
    x, y, width, height = page.box("#timeline .mark:last-of-type")
    for count in [1, 2]:
        page.mouse("mousePressed", x + width / 2, y + height / 2, button="left", clickCount=count)
        page.mouse("mouseReleased", x + width / 2, y + height / 2, button="left", clickCount=count)
    answers["frame"] = page.evaluate("studio.store.state.frame")
    page.click("#mark-remove")
    told(1)
    page.press("N", SHIFT)
    told(2)
    page.press("N", SHIFT)
    answers["nothing"] = page.evaluate(TOLD)
    answers["steps"] = steps
    # A label of too many bytes is refused, and the dialog stays.
    page.press("n")
    page.evaluate("document.getElementById('mark-text').value = 'x'.repeat(150) + '\\u00e9'.repeat(50); document.getElementById('mark-save').click()")
    page.wait_for("!document.getElementById('mark-problem').hidden")
    answers["refused"] = page.evaluate("document.getElementById('mark-problem').textContent")
    answers["stays"] = page.evaluate(DIALOG)
    page.press("Escape")


def bundle(page, answers, shots):
    page.evaluate("document.getElementById('open-bundle').click(); document.getElementById('bundle-note').value = 'it flickers'")
    page.click("#make-bundle")
    page.wait_for("!document.getElementById('bundle-done').hidden")
    answers["bundle"] = page.evaluate("[...document.querySelectorAll('#bundle-done p')].map(each => each.textContent)")
    page.shot(shots + "/bundle.png", False)
    page.press("Escape")


def main():
    chromium, program, recording, shots = sys.argv[1:]
    answers = {}
    with opened(chromium, program, recording) as (page, studio, address):
        # Also those that show the same frame.
        page.wait_for("(all => all.length > 12 && all.every(each => each.naturalWidth > 0))([...document.querySelectorAll('#thumbnails img')])")
        without_picture(page, answers, shots)
        change(page, answers, shots)
        bundle(page, answers, shots)
        # Another program sets one meanwhile; it is seen when the page is looked at again.
        subprocess.run([program, "mark", recording, "--at", "9", "--label", "elsewhere"], check=True, stdout=subprocess.DEVNULL)
        page.evaluate("dispatchEvent(new Event('focus'))")
        page.wait_for("studio.timeline.marks.list.length === 3")
        page.call("Page.reload")
        page.settle(0.3)
        page.wait_for("window.studio?.timeline?.marks.list.length === 3")
        answers["reloaded"] = page.evaluate(MARKS)
        answers["console"] = page.lines("Canvas2D", "400 (Bad Request)")
        answers["end"] = end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
