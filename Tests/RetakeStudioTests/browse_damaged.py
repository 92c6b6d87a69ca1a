"""Plays a recording with frames that cannot be read, in a headless Chromium. Prints JSON.

    browse_damaged.py CHROMIUM PROGRAM RECORDING DAMAGED LAST FOLDER > answers.json

DAMAGED is one of the frames, LAST a frame after all of them; pictures go into FOLDER. Only Python's own modules are used.
"""

import json
import sys

from studio_page import end, opened


def main():
    chromium, program, recording, damaged, last, shots = sys.argv[1:]
    answers = {}
    with opened(chromium, program, recording) as (page, studio, _):
        page.wait_for("document.querySelectorAll('#thumbnails img[src]').length > 3")
        page.evaluate("studio.store.set({ loops: false }); studio.transport.play()")
        page.wait_for("studio.store.state.frame >= %s && studio.timeline.gaps.length > 0" % last)
        answers["frames"] = page.evaluate("studio.timeline.gaps.map(gap => gap.frame)")
        page.evaluate("studio.transport.pause()")
        page.wait_for("/cannot be read/.test(document.getElementById('badge').title)")
        answers["after"] = page.evaluate("document.getElementById('badge').title")
        page.evaluate("studio.transport.goTo(%s)" % damaged)
        message = "[...document.querySelectorAll('.tile-message:not([hidden])')].find(each => each.textContent.includes('retake recover'))"
        page.wait_for(message)
        answers["message"] = page.evaluate(message + ".textContent")
        answers["chip"] = page.evaluate("[damaged].filter(e => !e.hidden).map(e => e.title).join()")
        page.settle(0.3)
        page.shot(shots + "/damaged.png", False)
        end(studio)
        answers["console"] = page.console
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
