"""Drives a headless Chromium over its pipe and says what became of a report, as JSON.

    browse_report.py CHROMIUM REPORT.html [STEPS.json] > result.json

A step is a list: ["key", "Tab"], ["eval", "document.title"], ["type", "text"], ["dark"], ["light"], ["size", 390, 800],
["print"], ["noscript"], ["wait", 0.2], ["shot", "file.png"] or ["shot", "file.png", "full"]. Only Python's own modules are used.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

# A guard against what hangs, however busy the machine.
LIMIT_SECONDS = 120

KEYS = {
    "Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " "), "Escape": (27, ""), "ArrowRight": (39, ""), "ArrowLeft": (37, ""),
    "ArrowDown": (40, ""), "ArrowUp": (38, ""), "Delete": (46, ""), "F2": (113, ""),
}


class Browser:
    def __init__(self, program, *options):
        self.profile = tempfile.mkdtemp(prefix="retake-browser-")
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()

        # Chromium reads from 3 and writes to 4. By way of higher numbers, as one of the pipe's ends may be 3 or 4 itself.
        def place_ends():
            incoming, outgoing = os.dup(to_child), os.dup(from_child)
            spare = [os.dup(incoming), os.dup(outgoing)]
            while min(spare) < 5:
                spare = [os.dup(end) for end in spare]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)
            # By whatever else it held, who started this script could not see that the script has ended.
            for name in os.listdir("/proc/self/fd"):
                try:
                    if int(name) > 4:
                        os.set_inheritable(int(name), False)
                except OSError:
                    pass

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--hide-scrollbars", "--force-device-scale-factor=1", "--lang=en", "--remote-debugging-pipe",
             "--user-data-dir=" + self.profile, *options, "about:blank"],
            close_fds=False, preexec_fn=place_ends, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.console = []
        self.requests = []
        self.loaded = False

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise EOFError("Chromium ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def take(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(values["type"] + ": " + str([a.get("value", a.get("description")) for a in values["args"]]))
        elif method == "Runtime.exceptionThrown":
            self.console.append("exception: " + json.dumps(values["exceptionDetails"])[:500])
        elif method == "Log.entryAdded":
            self.console.append(values["entry"]["level"] + ": " + values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"][:200])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.take(answer)

    def settle(self, seconds):
        """Takes what comes within a time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.take(self.message(deadline))
            except TimeoutError:
                return

    def open(self, path):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")
        self.size(1280, 900)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_until_loaded(path)

    def wait_until_loaded(self, path):
        # An event may be that of the blank page before, so the page itself is asked, too.
        here = "document.readyState === 'complete' && location.href.endsWith(%s)" % json.dumps("/" + os.path.basename(path))
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            try:
                if self.loaded and self.evaluate(here):
                    return
            except RuntimeError:
                pass  # The page that was asked is gone.
            if time.monotonic() > deadline:
                raise TimeoutError("the page does not load")
            self.settle(0.02)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="", **features):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def key(self, name):
        code, text = KEYS.get(name, (ord(name.upper()[0]), name))
        values = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **values, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **values)

    def shot(self, path, full):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        extra = {}
        if full:
            extra = {"captureBeyondViewport": True,
                     "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        data = self.call("Page.captureScreenshot", format="png", **extra)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def step(self, step):
        kind, rest = step[0], step[1:]
        if kind == "eval":
            return self.evaluate(rest[0])
        if kind == "key":
            self.key(rest[0])
        elif kind == "type":
            self.call("Input.insertText", text=rest[0])
        elif kind in ("dark", "light"):
            self.media(prefers_color_scheme=kind)
        elif kind == "print":
            self.media("print")
        elif kind == "size":
            self.size(*rest)
        elif kind == "noscript":
            self.call("Emulation.setScriptExecutionDisabled", value=True)
            self.loaded = False
            self.call("Page.reload")
            deadline = time.monotonic() + LIMIT_SECONDS
            while not self.loaded:
                self.take(self.message(deadline))
        elif kind == "wait":
            self.settle(rest[0])
        elif kind == "shot":
            self.shot(rest[0], "full" in rest[1:])
        else:
            raise ValueError("no such step: " + kind)
        return None


def main():
    steps = []
    if len(sys.argv) > 3:
        with open(sys.argv[3]) as file:
            steps = json.load(file)
    browser = Browser(sys.argv[1])
    try:
        browser.open(sys.argv[2])
        answers = []
        for step in steps:
            answer = browser.step(step)
            if step[0] == "eval":
                answers.append(answer)
        browser.settle(0.2)
        json.dump({"answers": answers, "console": browser.console, "requests": browser.requests}, sys.stdout)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
