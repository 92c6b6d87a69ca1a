"""Goes from one recording of a folder to the next in a headless Chromium, and to one that is gone. Prints JSON.

    browse_carry.py CHROMIUM PROGRAM FOLDER > answers.json

FOLDER has a.retake and b.retake. a.retake is moved away.
"""

import json
import os
import sys

from studio_page import CONTROL, READY, end, opened

LIST = "document.body.classList.contains('ready') && document.querySelector('#rows a')"
TOLD = "document.getElementById('notice').textContent"
EDIT = "studio.store.edit({ a: { ...studio.declarations.with(studio.store.state.a, 'mask.offset', '%s'), name: '%s' } })"


def go(page, act, ready):
    page.evaluate("window.isOld = true")
    page.evaluate(act)
    page.wait_for("!window.isOld && " + ready)


def open_row(page, place):
    go(page, "document.querySelectorAll('#rows a')[%d].click()" % place, READY)
    page.settle(0.2)


def carry(page, place):
    """Settings go with the person, but not over those that a recording has."""
    found = {}
    open_row(page, 1)
    # Where nothing was tuned, settings come along.
    go(page, "document.querySelector('.recording a').click()", LIST)
    open_row(page, 1)
    page.evaluate(EDIT % ("0.1", "other"))
    page.settle(1.2)
    go(page, "document.querySelector('.recording a').click()", LIST)
    with open(place) as file:
        before = json.load(file)
    open_row(page, 0)
    found["shown"], found["notice"] = page.setting(), page.evaluate(TOLD)
    # Looking at another frame.
    page.press("ArrowRight")
    page.settle(1.2)
    with open(place) as file:
        after = json.load(file)
    found["stays"] = [after[view] == before[view] for view in "ab"]
    page.evaluate("document.querySelector('#notice button').click()")
    found["taken"] = page.setting()
    page.press("z", CONTROL)
    found["undone"] = page.setting()
    # A link to the recording, with another setting.
    page.settle(1.2)
    link = page.evaluate("location.pathname + location.hash.replace('0.42', '0.2,matte.still=banana').replace(/&frame=[0-9]+/, '&frame=banana') + '&to=%'")
    go(page, "history.replaceState(null, '', %s); location.reload()" % json.dumps(link), READY)
    page.settle(0.2)
    found["linked"], found["told"] = page.setting(), page.evaluate(TOLD)
    page.press("z", CONTROL)
    found["unlinked"] = page.setting()
    return found


def keys(page):
    """Undo where a control has the focus."""
    found = {}
    page.evaluate("document.getElementById('preset').focus()")
    page.press("ArrowDown")
    found["preset"] = page.setting()["preset"]
    page.press("z", CONTROL)
    found["presetUndone"] = page.setting()["preset"]
    page.evaluate("(() => { const { text } = studio.panel.reveal('mask.offset'); text.focus(); text.select(); })()")
    page.call("Input.insertText", text="0.3")
    page.press("Enter")
    found["typed"] = page.setting()["values"]["mask.offset"]
    page.press("z", CONTROL)
    found["typedUndone"] = [page.setting()["values"]["mask.offset"], page.evaluate("document.activeElement.value")]
    page.evaluate("document.activeElement.blur()")
    found["left"] = page.setting()["values"]["mask.offset"]
    return found


def gone(page, recording):
    """A recording that was listed, and removed before it was opened."""
    go(page, "document.querySelector('.recording a').click()", LIST)
    os.rename(recording, recording + "-away")
    page.console.clear()
    go(page, "document.querySelectorAll('#rows a')[0].click()", "!document.getElementById('refused').hidden")
    found = {"text": page.evaluate("document.getElementById('refused-text').textContent"),
             "controls": page.evaluate("[...document.querySelectorAll('button, summary')].filter(each => each.checkVisibility()).length"),
             "console": page.lines("404 (Not Found)")}
    go(page, "document.querySelector('.recording a').click()", LIST)
    return found


def main():
    chromium, program, folder = sys.argv[1:]
    place = os.path.join(folder, "a.studio.json")
    recording = os.path.join(folder, "a.retake")
    answers = {}
    with opened(chromium, program, recording) as (page, studio, _):
        answers["unwritten"] = not os.path.exists(place)
        page.evaluate(EDIT % ("0.42", "precious"))
        page.settle(1.5)
        end(studio)
    with opened(chromium, program, folder, ready=LIST) as (page, studio, _):
        answers["carry"] = carry(page, place)
        answers["keys"] = keys(page)
        answers["gone"] = gone(page, recording)
        end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
