"""Opens settings from files in 'retake studio', as its command line and its page do. Prints what came of it, as JSON.

    open_studio.py PROGRAM RECORDING SENT,SENT... [--open FILE]... > answers.json
"""

import json
import os
import sys
import urllib.parse

from ask_studio import Studio


def answer(result):
    status, _, body = result
    said = json.loads(body)
    return {"status": status, **(said if status == 200 else {"message": said["error"]["message"], "hint": said["error"]["hint"]})}


def main():
    program, recording, sent, *options = sys.argv[1:]
    studio = Studio(program, recording, *options)
    session = json.loads(studio.ask("GET", "/api/session")[2])
    answers = {"opened": session["opened"], "a": session["start"], "b": session["start"].get("b")}
    answers["named"] = [answer(studio.ask("POST", "/api/opened", {"file": place})) for place in range(len(session["opened"]) + 1)]
    answers["sent"] = {}
    for path in sent.split(","):
        with open(path, "rb") as file:
            answers["sent"][os.path.basename(path)] = answer(
                studio.ask("POST", "/api/open?name=" + urllib.parse.quote(os.path.basename(path)), file.read()))
    # Without the key, no more than a usual question is taken.
    line = studio.raw(b"POST /api/open HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 2000000\r\n\r\n" % studio.port)
    answers["stranger"] = int(line.split()[1])
    answers["end"] = studio.end()
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
