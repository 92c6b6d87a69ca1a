"""Sweeps through 'retake studio' as two pages and strangers would, and ends the program in the middle. Prints JSON.

    sweep_studio.py PROGRAM RECORDING > answers.json

The recording needs at least six frames, and no painted truth beside it.
"""

import concurrent.futures
import json
import sys
import time

from ask_studio import LIMIT_SECONDS, Studio


def ask(studio, method, path, body=None, **headers):
    status, _, text = studio.ask(method, path, body, **headers)
    return status, json.loads(text or b"{}")


def wait(studio, is_there):
    deadline = time.monotonic() + LIMIT_SECONDS
    while True:
        progress = ask(studio, "GET", "/api/sweep?after=0")[1]
        if is_there(progress):
            return progress
        if time.monotonic() > deadline:
            raise TimeoutError(progress)
        time.sleep(0.02)


def main():
    program, recording = sys.argv[1:]
    studio = Studio(program, recording)
    facts = json.loads(studio.ask("GET", "/api/session")[2])["recording"]
    size = facts["color"]["width"] * facts["color"]["height"]
    # The left half is the person.
    row = facts["color"]["width"]
    matte = (b"\xff" * (row // 2) + b"\0" * (row - row // 2)) * facts["color"]["height"]
    answers = {"painted": studio.ask("PUT", "/api/truth/planes?frame=3", matte + b"\0" * size)[0]}

    def wish(values, scores):
        return {"from": 0, "to": facts["frameCount"], "setting": {"preset": "desk", "values": {}}, "scores": scores,
                "terms": [{"kind": "scan", "name": "matte.blur", "values": values}]}

    small = wish("1..5:2", ["iou", "flicker"])
    answers["strangers"] = {
        "no key": ask(studio, "POST", "/api/sweep/run", small, X_Retake_Token=None)[0],
        "another origin": ask(studio, "POST", "/api/sweep/run", small, Origin="http://example.com")[0],
        "another site": ask(studio, "POST", "/api/sweep/stop", {}, Sec_Fetch_Site="cross-site")[0],
        "another host": ask(studio, "GET", "/api/sweep?after=0", Host="example.com")[0],
    }
    answers["before"] = ask(studio, "GET", "/api/sweep?after=0")[1]["phase"]
    with concurrent.futures.ThreadPoolExecutor() as both:
        asked = [both.submit(ask, studio, "POST", "/api/sweep/forecast", small) for _ in range(2)]
        answers["forecasts"] = [each.result()[0] for each in asked]
    answers["run"] = ask(studio, "POST", "/api/sweep/run", small)[0]
    done = wait(studio, lambda progress: progress["phase"] == "done")
    answers["path"], answers["command"] = done["path"], done["command"]

    # A second page finds the sweep of the first, cannot begin one beside it, and sees its rows.
    large = wish("1..15:1", ["flicker"])
    large["terms"].append({"kind": "scan", "name": "mask.offset", "values": "0.2..0.6:0.05"})
    answers["large"] = ask(studio, "POST", "/api/sweep/run", large)[0]
    second = ask(studio, "POST", "/api/sweep/run", small)
    answers["second"] = [second[0], second[1].get("error", {}).get("code")]
    seen = wait(studio, lambda progress: progress["done"] > 0)
    answers["seen"] = [seen["phase"], seen["number"]]
    answers["largePath"], answers["largeCommand"] = seen["path"], seen["command"]
    answers["end"] = studio.end()
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
