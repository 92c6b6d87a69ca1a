"""Looks for recordings in a folder's list in a headless Chromium. Prints what is found, as JSON.

    browse_find.py CHROMIUM PROGRAM SHOTS FOLDER QUERY... > answers.json

FOLDER may be several paths, with commas between them.
"""

import json
import sys

from studio_page import FAINT, end, opened

ROWS = "[...document.querySelectorAll('#rows a')].map(link => link.textContent)"
PROBLEM = "document.getElementById('find-problem').textContent"
READY = "document.body.classList.contains('ready')"


def main():
    chromium, program, shots, folder, *queries = sys.argv[1:]
    answers = {"found": {}, "problems": {}}
    with opened(chromium, program, *folder.split(","), ready=READY) as (page, studio, _):
        page.press("/")
        page.evaluate("window.answered = 0; const plain = window.fetch;"
                      " window.fetch = async (...words) => { try { return await plain(...words); } finally { if (words[0].endsWith('api/find')) answered += 1; } }")
        page.shot(shots + "/find-help.png", False)
        answers["faint"] = page.evaluate(FAINT)
        for number, query in enumerate(queries):
            page.evaluate("document.getElementById('search').select()")
            page.call("Input.insertText", text=query)
            page.wait_for("answered > %d" % number)
            page.settle(0.1)
            answers["found"][query] = page.evaluate(ROWS)
            answers["problems"][query] = page.evaluate(PROBLEM)
        page.shot(shots + "/find.png", False)
        answers["tags"] = page.evaluate("[...document.querySelectorAll('#rows .tag')].map(tag => tag.textContent)")
        answers["times"] = page.evaluate("[...document.querySelectorAll('#rows .time')].map(cell => cell.textContent)")
        page.call("Page.reload")
        page.settle(0.2)
        page.wait_for(READY)
        answers["kept"] = page.evaluate("document.getElementById('search').value")
        answers["end"] = end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
