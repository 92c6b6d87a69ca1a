"""Asks 'retake studio' as its page would, and as strangers would. Prints what came of it, as JSON.

    ask_studio.py PROGRAM RECORDING > answers.json
    ask_studio.py PROGRAM FOLDER list > answers.json

Only Python's own modules are used.
"""

import http.client
import json
import re
import signal
import socket
import struct
import subprocess
import sys

LIMIT_SECONDS = 60


class Studio:
    def __init__(self, program, recording, *arguments, **options):
        self.process = subprocess.Popen([program, "studio", recording, "--no-open", *arguments], stdout=subprocess.PIPE, text=True,
                                        **{"stderr": subprocess.DEVNULL, **options})
        self.address = self.process.stdout.readline().strip()
        port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)", self.address).groups()
        self.port = int(port)

    def ask(self, method, path, body=None, **headers):
        """Returns status, headers and body. A header's value of None leaves it out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_SECONDS)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        sent = {"Host": f"127.0.0.1:{self.port}", "X-Retake-Token": self.token}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Length", str(len(data)))
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(data)
        answer = connection.getresponse()
        result = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return result

    def raw(self, data):
        """Returns the first line that comes back for these bytes; empty if the server closes without a word."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT_SECONDS) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass
            try:
                return connection.recv(200).split(b"\r\n")[0].decode()
            except OSError:
                return ""

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(LIMIT_SECONDS)


def strangers(studio):
    """Status by what is tried."""
    own, host = f"http://127.0.0.1:{studio.port}", f"127.0.0.1:{studio.port}"

    def status(*arguments, **headers):
        return studio.ask(*arguments, **headers)[0]

    session = "GET", "/api/session"
    statuses = {
        "page": status("GET", "/", X_Retake_Token=None),
        "page from a link elsewhere": status(
            "GET", "/", X_Retake_Token=None, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate"),
        "script from elsewhere": status("GET", "/main.js", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors"),
        "own": status(*session, Origin=own, Sec_Fetch_Site="same-origin"),
        "no key": status(*session, X_Retake_Token=None),
        "wrong key": status(*session, X_Retake_Token="0" * len(studio.token)),
        "foreign name": status(*session, Host="evil.example"),
        "no name": status(*session, Host=None),
        "foreign origin": status(*session, Origin="http://evil.example"),
        "foreign port": status(*session, Origin="http://127.0.0.1:1"),
        "null origin": status(*session, Origin="null"),
        "same site": status(*session, Sec_Fetch_Site="same-site"),
        "cross site": status(*session, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate"),
        "localhost": status("GET", "/", Host=f"localhost:{studio.port}", Sec_Fetch_Mode="navigate"),
        "wrong method": status("GET", "/api/frame"),
        "unknown path": status("GET", "/api/nothing"),
        "large length": status("POST", "/api/frame", b"", Content_Length=str(1 << 30)),
        "large state": status("PUT", "/api/state", json.dumps({"a": "x" * (1 << 17)}).encode()),
        "no object": status("PUT", "/api/state", b"[]"),
        "no JSON": status("POST", "/api/frame", b"\xff"),
        "deep JSON": status("POST", "/api/frame", b"[" * 100_000),
    }
    for path in ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/api/../index.html", "/\\..\\index.html"]:
        statuses["path " + path] = status("GET", path)
    line = studio.raw(f"POST /api/frame HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
                      + b"100000\r\n" + b"x" * (1 << 20) + b"\r\n100000\r\n" + b"x" * (1 << 20) + b"\r\n")
    statuses["large chunks"] = line
    statuses["garbage"] = studio.raw(b"\x16\x03\x01\x02\x00\x01\x00 garbage\r\n\r\n")
    statuses["endless head"] = studio.raw(b"GET / HTTP/1.1\r\nHost: " + host.encode() + b"\r\nX: " + b"y" * (20 << 20))
    return statuses


def settings(studio):
    """The error's sentence by what a page sends."""
    def sentence(path, body):
        status, _, answer = studio.ask("POST", path, body)
        return f"{status} " + json.loads(answer).get("error", {}).get("message", "")

    def values(**values):
        return {"preset": "desk", "values": {name.replace("__", "."): value for name, value in values.items()}}

    def left_out(yaml):
        status, _, answer = studio.ask("POST", "/api/resolve", {"yaml": yaml})
        answer = json.loads(answer)
        return " ".join([str(status), answer["note"], *(answer["values"][name] or "none" for name in [
            "composite.background", "mask.model", "matte.blur"])])

    frame = {"view": "a", "frame": 0, "from": 0, "to": 5, "setting": {"preset": "desk"}, "taps": ["composite"]}
    return {
        "background": sentence("/api/resolve", values(composite__background="/etc/passwd")),
        "model": sentence("/api/resolve", values(mask__model="/etc/passwd")),
        "misspelt": sentence("/api/resolve", values(matte__blr="1")),
        "too large": sentence("/api/resolve", values(matte__blur="1000")),
        "foreign": left_out("composite:\n  background: /etc/passwd\nmask:\n  model: /etc/shadow\nmatte:\n  blur: 3\n"),
        "YAML": sentence("/api/resolve", {"yaml": "matte:\n  blur: [1, 2]\n"}),
        "YAML file": sentence("/api/resolve", {"yaml": "matte:\n  blr: 1\n", "file": "bad.yaml"}),
        "frame": sentence("/api/frame", {**frame, "frame": 5}),
        "span": sentence("/api/frame", {**frame, "to": 1 << 40}),
        "backward span": sentence("/api/frame", {**frame, "from": 4, "to": 2}),
        "view": sentence("/api/frame", {**frame, "view": "c"}),
        "tap": sentence("/api/frame", {**frame, "taps": ["secret"]}),
    }


def picture(studio, frame, **more):
    """The header and the planes' bytes."""
    body = {"view": "a", "frame": frame, "from": 0, "to": 12, "setting": {"preset": "desk"},
            "taps": ["original", "depth", "mask", "matte", "composite"], **more}
    status, _, answer = studio.ask("POST", "/api/frame", body)
    assert status == 200, answer
    length = struct.unpack("<I", answer[:4])[0]
    return json.loads(answer[4:4 + length]), answer[4 + length:]


def pictures(studio):
    """Digests by frame and tap, as the program says them, once it says that they are exact."""
    found = {}
    for frame in [7, 3, 11, 0]:
        header, data = picture(studio, frame)
        while not header["exact"]:
            header, data = picture(studio, frame, exact=True)
        assert len(data) == sum(plane["bytes"] for plane in header["planes"])
        found[frame] = {plane["tap"]: plane["digest"] for plane in header["planes"]}
        known, nothing = picture(studio, frame, have=found[frame])
        assert not nothing and all(plane["omitted"] for plane in known["planes"])
    return found


def thinned(studio):
    """By tap, the step of a plane that was asked for thinned, and whether its bytes are those of the whole one."""
    def planes(**more):
        header, data = picture(studio, 7, **more)
        found, at = {}, 0
        for plane in header["planes"]:
            found[plane["tap"]] = plane, data[at:at + plane["bytes"]]
            at += plane["bytes"]
        return found
    # The last two are not steps.
    thin, found = planes(steps={"original": 3, "depth": 2, "mask": 7, "matte": -1, "composite": 10 ** 9}), {}
    for tap, (whole, data) in planes().items():
        plane, few = thin[tap]
        width, height, step = whole["width"], whole["height"], plane["step"]
        size = len(data) // (width * height)
        rows = [step // 2 + step * y for y in range(height // step)]
        columns = [step // 2 + step * x for x in range(width // step)]
        same = b"".join(data[(y * width + x) * size:][:size] for y in rows for x in columns)
        found[tap] = {"step": step, "isSame": few == same and plane["digest"] == whole["digest"]}
    return found


def ahead(studio):
    """Status of a question for the frame that may be wanted next, and its digests, by what was shown before."""
    def next_one(frame, **more):
        body = {"view": "a", "frame": frame, "from": 0, "to": 12, "setting": {"preset": "desk"}, "taps": ["matte", "composite"],
                "next": True, **more}
        status, _, answer = studio.ask("POST", "/api/frame", body)
        if status != 200:
            return [status]
        header = json.loads(answer[4:4 + struct.unpack("<I", answer[:4])[0]])
        return [status, header["exact"], {plane["tap"]: plane["digest"] for plane in header["planes"]}]
    other = {"preset": "desk", "values": {"matte.gamma": "0.7"}}
    picture(studio, 0, setting=other)
    return {"step": next_one(1, setting=other), "leap": next_one(5, setting=other), "change": next_one(2, setting={"preset": "handheld"}),
            "again": next_one(2, setting=other)}


def truth(studio, width, height):
    """What becomes of a painted matte."""
    count = width * height
    planes = bytes([255] * (count // 2) + [0] * (count - count // 2) + [0] * (count - width) + [255] * width)
    def ask(method, frame, body=None):
        return studio.ask(method, f"/api/truth/planes?frame={frame}", body)
    found = {"before": ask("GET", 4)[0], "saved": ask("PUT", 4, planes)[0], "short": ask("PUT", 4, planes[1:])[0],
             "long": ask("PUT", 4, planes + b"x")[0], "absent frame": ask("PUT", 12, planes)[0]}
    ask("PUT", 6, planes)
    answer = ask("GET", 4)[2]
    # What is left out has no value.
    found["same"] = answer[count:] == planes[count:] and answer[:count - width] == planes[:count - width]
    found["removed"] = ask("DELETE", 6)[0]
    found["frames"] = json.loads(studio.ask("GET", "/api/truth")[2])["frames"]
    return found


def listed():
    """The recordings of a folder, and one of them."""
    studio = Studio(sys.argv[1], sys.argv[2])
    answers = {"page": studio.ask("GET", "/")[0], "list": json.loads(studio.ask("GET", "/api/list")[2])["recordings"]}
    for path in ["/r/0/", "/r/0/main.js", "/r/0/api/session", "/r/9/api/session", "/r/x/", "/r/0", "/r/-1/"]:
        answers[path] = studio.ask("GET", path)[0]
    answers["no key"] = studio.ask("GET", "/r/0/api/session", X_Retake_Token=None)[0]
    answers["recording"] = json.loads(studio.ask("GET", "/r/0/api/session")[2])["recording"]["path"]
    answers["end"] = studio.end()
    print(json.dumps(answers))


def main():
    if sys.argv[3:] == ["list"]:
        return listed()
    studio = Studio(sys.argv[1], sys.argv[2])
    answers = {"strangers": strangers(studio), "settings": settings(studio)}
    many = [socket.create_connection(("127.0.0.1", studio.port), timeout=LIMIT_SECONDS) for _ in range(1000)]
    for connection in many:
        connection.close()
    answers["pictures"] = pictures(studio)
    answers["thinned"] = thinned(studio)
    setting = {"preset": "desk", "values": {"matte.blur": "4"}}
    span = {"from": 2, "to": 9, "setting": setting}
    answers["yaml"] = studio.ask("POST", "/api/yaml", {"setting": setting})[2].decode()
    answers["command"] = json.loads(studio.ask("POST", "/api/command", span)[2])["command"]
    status, headers, bundle = studio.ask("POST", "/api/bundle", {**span, "note": "a note"})
    answers["bundle"] = [status, headers.get("Content-Disposition"), len(bundle)]
    with open(sys.argv[2] + "-bug.retake-bundle", "wb") as file:
        file.write(bundle)
    scores = {"done": 0, "total": 1}
    while scores["done"] < scores["total"]:
        scores = json.loads(studio.ask("POST", "/api/scores", {**span, "view": "a", "scores": ["iou", "flicker"]})[2])
    answers["scores"] = scores
    answers["ahead"] = ahead(studio)
    answers["truth"] = truth(studio, 160, 120)
    answers["policy"] = studio.ask("GET", "/")[1].get("Content-Security-Policy", "")
    answers["state"] = [studio.ask("PUT", "/api/state", {"frame": 4})[0], json.loads(studio.ask("GET", "/api/session")[2])["state"]]
    answers["end"] = studio.end()
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
