"""Asks 'retake studio' with running cameras as its page would. Prints what came of it, as JSON.

    live_studio.py PROGRAM FOLDER > answers.json

Recordings go to FOLDER. Only Python's own modules are used.
"""

import json
import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ask_studio import LIMIT_SECONDS, Studio  # noqa: E402

CAMERA = "simulated?size=160x120&fps=15"
TAPS = ["original", "depth", "mask", "matte", "composite"]


def sentence(studio, method, path, body):
    status, _, answer = studio.ask(method, path, body)
    return f"{status} " + (json.loads(answer).get("error", {}).get("message", "") if answer else "")


def picture(studio, after, **more):
    """The header of the next picture, with digests by tap."""
    body = {"view": "a", "client": "1", "frame": after, "setting": {"preset": "desk"}, "taps": TAPS, **more}
    status, _, answer = studio.ask("POST", "/api/frame", body)
    assert status == 200, answer
    length = struct.unpack("<I", answer[:4])[0]
    header = json.loads(answer[4:4 + length])
    planes = header["planes"]
    assert len(answer) == 4 + length + sum(0 if plane["omitted"] else plane["bytes"] for plane in planes)
    header["digests"] = {plane["tap"]: plane["digest"] for plane in planes}
    return header


def next_picture(studio, after=-1, **more):
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        header = picture(studio, after, **more)
        if header["isNews"] and header["planes"]:
            return header
    raise TimeoutError("no picture")


def state(studio):
    return json.loads(studio.ask("GET", "/api/live")[2])


def wait(studio, fits):
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        now = state(studio)
        if fits(now):
            return now
        time.sleep(0.05)
    raise TimeoutError(json.dumps(now))


def shown(studio):
    """Frames that advance, a changed parameter, and two views and pages."""
    first = next_picture(studio)
    second = next_picture(studio, first["frame"])
    found = {"advances": second["frame"] > first["frame"], "differs": first["digests"]["original"] != second["digests"]["original"],
             "exact": [first["exact"], second["exact"]], "why": first["why"], "latency": first["latency"]}
    blurred = {"preset": "desk", "values": {"matte.gamma": "0.4"}}
    held = picture(studio, second["frame"], holds=True)
    changed = picture(studio, second["frame"], holds=True, setting=blurred)
    found["held"] = [held["frame"] == second["frame"] == changed["frame"], held["digests"] == second["digests"]]
    found["changed"] = sorted(tap for tap in TAPS if held["digests"][tap] != changed["digests"][tap])
    later = next_picture(studio, second["frame"])
    both = [picture(studio, later["frame"], view=view) for view in "ab"]
    found["same set for A and B"] = both[0]["frame"] == both[1]["frame"]
    found["second page"] = bool(next_picture(studio, client="2")["planes"])
    # A page that holds a set has asked for the next one already.
    kept = next_picture(studio, both[0]["frame"])
    next_picture(studio, kept["frame"])
    again = [picture(studio, kept["frame"], holds=True, setting=setting)
             for setting in [{"preset": "desk"}, blurred, {"preset": "desk", "values": {"matte.gamma": "4"}}, blurred, {"preset": "desk"}]]
    found["kept"] = [each["digests"] == kept["digests"] for each in again]
    found["blurred again"] = again[1]["digests"] == again[3]["digests"]
    found["its depth"] = all(each["digests"]["depth"] == kept["digests"]["depth"] for each in again)
    beside = picture(studio, kept["frame"], holds=True, view="b")
    found["beside"] = [tap for tap in ["original", "depth"] if beside["digests"][tap] == kept["digests"][tap]]
    fixed = next_picture(studio, both[0]["frame"], setting={"preset": "desk", "values": {"depth.decimation": "2"}})
    found["fixed"] = len(fixed["planes"])
    return found


def refusals(studio):
    frame = {"view": "a", "frame": -1, "setting": {"preset": "desk"}, "taps": TAPS}
    return {
        "mark": sentence(studio, "POST", "/api/live/mark", {"label": "x"}),
        "stop": sentence(studio, "POST", "/api/live/stop", {}),
        "replay only": sentence(studio, "POST", "/api/frame", {**frame, "setting": {"values": {"fault.depth-drop": "0.5"}}}),
        "background": sentence(studio, "POST", "/api/resolve", {"values": {"composite.background": "/etc/passwd"}}),
        "controls": sentence(studio, "PUT", "/api/live/controls", {"device": 0, "name": "exposure", "value": "3"}),
        "device": sentence(studio, "PUT", "/api/live/controls", {"device": -1, "name": "exposure", "value": "3"}),
        "view": sentence(studio, "POST", "/api/frame", {**frame, "view": "c"}),
        "tap": sentence(studio, "POST", "/api/frame", {**frame, "taps": ["secret"]}),
        "client": sentence(studio, "POST", "/api/frame", {**frame, "client": "x" * 65}),
        "no key": str(studio.ask("POST", "/api/live/record", {}, X_Retake_Token=None)[0]),
        "foreign": str(studio.ask("POST", "/api/live/record", {}, Origin="http://evil.example")[0]),
        "get": str(studio.ask("GET", "/api/live/record")[0]),
        "recording": str(studio.ask("GET", "/r/0/api/session")[0]),
    }


def leave(studio):
    """A page that goes away while it waits for a picture."""
    body = json.dumps({"view": "a", "client": "3", "frame": 1 << 40, "setting": {"preset": "desk"}, "taps": TAPS}).encode()
    head = (f"POST /api/frame HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nX-Retake-Token: {studio.token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    with socket.create_connection(("127.0.0.1", studio.port), timeout=LIMIT_SECONDS) as connection:
        connection.sendall(head.encode() + body)


def recorded(studio):
    """A recording that is begun, marked and ended, and its page."""
    found = {"phase": [state(studio)["phase"]]}
    path = json.loads(studio.ask("POST", "/api/live/record", {})[2])["path"]
    found["again"] = sentence(studio, "POST", "/api/live/record", {})
    found["phase"].append(state(studio)["phase"])
    # Nobody asks for pictures, and still every frame is recorded.
    wait(studio, lambda now: now["recorder"]["frames"] >= 20)
    found["mark"] = sentence(studio, "POST", "/api/live/mark", {"label": "here"})
    found["bad mark"] = sentence(studio, "POST", "/api/live/mark", {"label": "two\nlines"})
    leave(studio)
    wait(studio, lambda now: now["recorder"]["frames"] >= 30)
    made = json.loads(studio.ask("POST", "/api/live/stop", {})[2])
    found.update(path=path, made=made, samePath=made["path"] == path)
    found["phase"].append(state(studio)["phase"])
    found["live after it"] = next_picture(studio)["frame"] > 0
    base = f"/r/{made['number']}"
    session = json.loads(studio.ask("GET", base + "/api/session")[2])
    found["home"] = session["home"]
    found["marks"] = [mark["label"] for mark in session["recording"]["marks"]]
    count, first = session["recording"]["frameCount"], session["recording"]["firstNumber"]
    found["frameCount"], found["firstNumber"] = count, first
    found["pictures"] = {}
    for frame in [first, first + count // 2, first + count - 1]:
        body = {"view": "a", "frame": frame, "from": first, "to": first + count, "setting": {"preset": "desk"}, "taps": TAPS, "exact": False}
        while True:
            answer = studio.ask("POST", base + "/api/frame", body)[2]
            length = struct.unpack("<I", answer[:4])[0]
            header = json.loads(answer[4:4 + length])
            if header["exact"]:
                break
            body["exact"] = True
        found["pictures"][frame] = {plane["tap"]: plane["digest"] for plane in header["planes"]}
    return found


def unplugged(program, folder):
    """A camera that goes and returns while it is recorded."""
    studio = Studio(program, "--device=" + CAMERA + "&unplug=30:20", "--record-to", folder)
    studio.ask("POST", "/api/live/record", {})
    away = wait(studio, lambda now: now["devices"][0]["isAway"])
    found = {"stays": away["phase"], "nothing new": picture(studio, away["newest"])["isNews"]}
    back = wait(studio, lambda now: not now["devices"][0]["isAway"] and now["newest"] > away["newest"])
    found["messages"] = [message["text"] for message in back["messages"]]
    found["again"] = next_picture(studio, away["newest"])["frame"] > away["newest"]
    found["recorder"] = wait(studio, lambda now: now["recorder"]["lost"] > 0)["recorder"]["lostByStage"]
    found["end"] = studio.end()
    return found


def main():
    program, folder = sys.argv[1:3]
    answers = {}
    studio = Studio(program, "--device=" + CAMERA, "--record-to", folder)
    session = json.loads(studio.ask("GET", "/api/session")[2])
    answers["session"] = {"name": session["recording"]["name"], "place": session["live"]["place"],
                          "hides": not any(each["name"].startswith("fault.") for each in session["parameters"])}
    answers["shown"] = shown(studio)
    answers["refusals"] = refusals(studio)
    answers["recorded"] = recorded(studio)
    answers["command"] = json.loads(studio.ask("POST", "/api/command", {"setting": {"preset": "desk"}})[2])["command"]
    # Ctrl-C ends a recording that goes on.
    answers["last"] = json.loads(studio.ask("POST", "/api/live/record", {})[2])["path"]
    wait(studio, lambda now: now["recorder"]["frames"] >= 8)
    answers["end"] = studio.end()

    studio = Studio(program, "--device=" + CAMERA, "--record-to", folder, "--preroll", "1s")
    wait(studio, lambda now: now["phase"] == "armed" and now["streams"][0]["frames"] >= 40)
    answers["while armed"] = len(os.listdir(folder))
    before = time.strftime("%Y-%m-%d-%H%M%S")
    path = json.loads(studio.ask("POST", "/api/live/record", {})[2])["path"]
    answers["name"] = [before, os.path.basename(path), time.strftime("%Y-%m-%d-%H%M%S~")]
    wait(studio, lambda now: now["phase"] == "recording" and now["recorder"]["frames"] > 0)
    answers["preroll"] = json.loads(studio.ask("POST", "/api/live/stop", {})[2])
    answers["armed again"] = wait(studio, lambda now: now["phase"] == "armed")["phase"]
    answers["preroll end"] = studio.end()
    answers["lost"] = unplugged(program, folder)
    answers["left"] = sorted(os.listdir(folder))
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
