"""Tunes a recording, ends the program, and starts it again with other options, in a headless Chromium. Prints JSON.

    browse_again.py CHROMIUM PROGRAM RECORDING BACKGROUND > answers.json

Only Python's own modules are used.
"""

import json
import os
import sys

from studio_page import end, opened

TOLD = "document.getElementById('notice').textContent"
BADGE = "document.getElementById('badge').dataset.state"


def main():
    chromium, program, recording, background = sys.argv[1:]
    answers = {}

    def told(page):
        page.wait_for(BADGE + " === 'exact' || " + BADGE + " === 'failed'")
        found = {"a": page.setting("a"), "b": page.setting("b"), "notice": page.evaluate(TOLD), "badge": page.evaluate(BADGE)}
        page.evaluate("studio.store.undo()")
        found["undone"] = page.setting("a")
        page.evaluate("studio.store.redo()")
        return found

    with opened(chromium, program, recording, "--background", background) as (page, studio, _):
        page.evaluate("studio.store.edit({ a: studio.declarations.with(studio.store.state.a, 'mask.offset', '0.1') });"
                      " studio.store.set({ compare: 'wipe' })")
        page.settle(1.5)
        end(studio)
    for name, words in [("without", []), ("same", []), ("other", ["--set", "matte.blur=3"]), ("page", []), ("asked", ["--preset", "desk"]),
                        ("preset", ["--preset", "handheld"]), ("background", ["--background", background])]:
        with opened(chromium, program, recording, *words) as (page, studio, _):
            answers[name] = told(page)
            if name == "page":
                page.evaluate("studio.store.edit({ a: studio.declarations.setting('handheld', {}, '') })")
            page.evaluate("studio.store.set({ gain: studio.store.state.gain === 4 ? 16 : 4 })")
            page.settle(1.5)
            end(studio)
    # A folder in the place of the page's file, so that nothing can be kept.
    place = recording.removesuffix(".retake") + ".studio.json"
    os.remove(place)
    os.mkdir(place)
    with opened(chromium, program, recording) as (page, studio, _):
        page.evaluate("studio.store.set({ gain: studio.store.state.gain === 4 ? 16 : 4 })")
        page.wait_for(TOLD + " !== ''")
        answers["unkept"] = told(page)
        end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
