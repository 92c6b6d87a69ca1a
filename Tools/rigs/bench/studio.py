"""Measures the page of 'retake studio' in a headless Chromium on this machine, against the budget for two cores.

    studio.py [--runs N] [--requests N] [--ready] PROGRAM RECORDING...

For each recording, the best of N runs (3), each with the machine's load at its end, since others may use the machine:
- from the command to the page with its controls and first pictures, in a new tab of a browser that runs, by the page's own
  clock, with the median of the runs, the times at which its parts ended, and until it is painted, beside a page of Python's
  http.server in the same browser, which is what starting a program, a server and a page costs at the least;
- from a change to the painted picture: composite, matte, mask and depth parameters, and a seek anywhere, all five pictures on
  the screen, beside what the program alone took for the same pictures;
- a step from an exact picture, a tenth of a second after the last one, which is fetched ahead, and steps without a pause, which
  are faster than that; and the time from picture to picture while it plays, where three frames are fetched ahead;
- memory over so many requests (10,000) for random frames and settings, after those that fill the place for exact pictures:
  the mean of the second tenth and of the last, since it goes up and down.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Tests/RetakeStudioTests"))
import ask_studio  # noqa: E402
import studio_page  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
COUNT = 60
# Requests that fill what the program keeps, 192 MB, also at 640x480.
FILLING = 300
# Milliseconds since 1970 at which parts of the page's begin ended.
PARTS = """
(() => {
  const [page] = performance.getEntriesByType('navigation');
  const end = name => performance.getEntriesByType('resource').find(each => new URL(each.name).pathname === name)?.responseEnd;
  const mark = name => performance.getEntriesByName(name)[0]?.startTime;
  const parts = { navigation: 0, page: page.responseEnd, script: end('/main.js'), modules: mark('modules'), session: mark('session'),
    built: mark('built'), picture: end('/api/first') ?? end('/api/frame'), ready: mark('ready'), painted: mark('painted') };
  return Object.entries(parts).map(([name, time]) => [name, performance.timeOrigin + time]);
})()
"""
# Milliseconds that 95 of 100 may take: at 640x480 or less, and above. Both recordings are ready within the same time.
BUDGET = {"composite": (45, 60), "matte": (45, 60), "mask": (60, 75), "depth": (60, 75), "step": (33, 33),
          "seek": (100, 120)}
READY = 300

# Resolves with the milliseconds from a change until its picture is painted, and with what the program took.
TIMED = """
window.timed = change => new Promise(resolve => {
  const start = performance.now();
  let isOver = false;
  const done = (view, picture) => {
    if (isOver || !studio.pictures.isCurrent || picture.error) return;
    isOver = true;
    requestAnimationFrame(() => setTimeout(() => resolve([performance.now() - start, picture.milliseconds]), 0));
  };
  studio.pictures.on(done);
  change();
});
window.edited = (name, value) => timed(() => studio.store.edit({ a: studio.declarations.with(studio.store.state.a, name, value) }));
"""

CHANGES = [
    ("composite", "composite.color", lambda i: "#%06x" % (4099 * i + 7)),
    ("matte", "matte.blur", lambda i: str(1 + i % 9)),
    ("mask", "mask.offset", lambda i: "%.2f" % (0.2 + i / 200)),
    ("depth", "depth.shift-x", lambda i: str(1 + i % 9)),
]


def at(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def judged(value, goal):
    return "%.1f (goal ≤ %d: %s)" % (value, goal, "reached" if value <= goal else "MISSED")


def since(start):
    return 1000 * (time.perf_counter() - start)


def plain_page(page):
    """Milliseconds from the start of a small server of files to its page in the browser."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/index.html", "w") as file:
            file.write("<!DOCTYPE html><title>plain</title><body class=ready>")
        start = time.perf_counter()
        server = subprocess.Popen([sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = re.search(r"port (\d+)", server.stdout.readline()).group(1)
        page.visit_at_once("http://127.0.0.1:%s/" % port, "document.body.classList.contains('ready')")
        elapsed = since(start)
        server.kill()
        server.wait()
    return elapsed


def run(program, recording, only_ready):
    """Values by what is measured."""
    found = {}
    page = studio_page.Page(CHROMIUM, "--window-size=1600,1000")
    try:
        # The browser's first page takes longer than any later one, and for seconds after its start it loads pages of its own.
        plain_page(page)
        page.settle(5)
        found["plain page"] = plain_page(page)
        start, began = time.perf_counter(), 1000 * time.time()
        studio = subprocess.Popen([program, "studio", recording, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = studio.stdout.readline().strip()
        found["address"] = since(start)
        page.visit_at_once(address, "performance.getEntriesByName('painted').length > 0")
        found["parts"] = {name: at - began for name, at in page.evaluate(PARTS)}
        found["ready"] = found["parts"]["ready"]
        if only_ready:
            studio_page.end(studio)
            return found
        page.evaluate(TIMED)
        count = page.evaluate("studio.session.recording.frameCount")
        page.evaluate("studio.transport.goTo(%d)" % (count // 2))
        # Far from the begin of a day, a picture that depends on the past stays approximate.
        page.wait_for("studio.pictures.isCurrent && studio.pictures.current.a.frame === studio.store.state.frame")
        for name, parameter, value in CHANGES:
            found[name] = [page.evaluate("edited('%s', '%s')" % (parameter, value(i))) for i in range(COUNT)]
        # Nothing is fetched ahead before the picture is exact, which takes seconds after a change.
        page.evaluate("studio.transport.goTo(%d)" % min(count // 2, 300))
        page.wait_until_exact()
        found["step"] = []
        for _ in range(COUNT):
            found["step"].append(page.evaluate("timed(() => studio.transport.step(1))"))
            page.settle(0.1)
        found["steps"] = [page.evaluate("timed(() => studio.transport.step(1))") for _ in range(COUNT)]
        found["seek"] = [page.evaluate("timed(() => studio.transport.goTo(%d))" % ((7919 * count // 300 * i + i) % count)) for i in range(COUNT)]
        page.evaluate("studio.transport.goTo(0); window.shown = []; studio.pictures.on(() => shown.push(performance.now()))")
        page.settle(0.5)
        page.evaluate("shown.length = 0")
        page.press(" ")
        page.settle(8)
        page.press(" ")
        shown = page.evaluate("shown")
        found["gaps"] = [b - a for a, b in zip(shown, shown[1:])]
        studio_page.end(studio)
    finally:
        found["load"] = os.getloadavg()[0]
        page.close()
    return found


def resident(process):
    with open("/proc/%d/status" % process.pid) as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) // 1024


def memory(program, recording, count):
    """Mean MB in the second tenth of the requests and in the last. The pictures of a span's first frames are exact at once,
    and kept."""
    studio = ask_studio.Studio(program, recording)
    frames = json.loads(studio.ask("GET", "/api/session")[2])["recording"]["frameCount"]
    draw = random.Random(1)
    sizes = []
    for i in range(1 - FILLING, count + 1):
        values = {"matte.blur": str(1 + i % 9), "mask.offset": "%.2f" % (0.2 + draw.random())}
        body = {"view": "a", "frame": draw.randrange(frames) if i > 0 else i % 4, "from": 0, "to": frames, "setting": {"preset": "desk", "values": values},
                "taps": ["original", "depth", "mask", "matte", "composite"]}
        assert studio.ask("POST", "/api/frame", body)[0] == 200
        if i > 0 and i % max(1, count // 200) == 0:
            sizes.append(resident(studio.process))
    studio.end()
    tenth = max(1, len(sizes) // 10)
    return statistics.mean(sizes[tenth:2 * tenth]), statistics.mean(sizes[-tenth:])


def report(runs, size):
    best = min(runs, key=lambda found: found["ready"])
    print("  page with pictures after %s ms, median %.0f, its address after %.0f; a plain page of another server %.0f" % (
        judged(best["ready"], READY), statistics.median(found["ready"] for found in runs), best["address"], best["plain page"]))
    print("  of that, in ms after the command: " + ", ".join("%s %.0f" % part for part in best["parts"].items()))
    print("  runs: %s; load %s" % (", ".join("%.0f" % found["ready"] for found in runs), ", ".join("%.1f" % found["load"] for found in runs)))
    if "step" not in best:
        return
    for name in [*BUDGET, "steps"]:
        pairs = min((found[name] for found in runs), key=lambda pairs: at([whole for whole, _ in pairs], 0.95))
        whole, own = [a for a, _ in pairs], [b for _, b in pairs]
        print("  %-10s p50 %5.1f ms, p95 %s; the program alone %.1f, %.1f" % (
            name, statistics.median(whole), judged(at(whole, 0.95), BUDGET[name][size]) if name in BUDGET else "%.1f" % at(whole, 0.95),
            statistics.median(own), at(own, 0.95)))
    gaps = min((found["gaps"] for found in runs), key=lambda gaps: at(gaps, 0.95))
    print("  playing: %.1f pictures a second, 95 %% within %.1f ms of the one before" % (
        1000 * len(gaps) / sum(gaps), at(gaps, 0.95)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--ready", action="store_true", help="measure only the way to the first pictures")
    parser.add_argument("program")
    parser.add_argument("recordings", nargs="+")
    options = parser.parse_args()
    for path in options.recordings:
        info = json.loads(subprocess.check_output([options.program, "info", path, "--json"]))
        stream = info["streams"][0]
        print("%s, %dx%d, the best of %d runs" % (os.path.basename(path), stream["width"], stream["height"], options.runs), flush=True)
        report([run(options.program, path, options.ready) for _ in range(options.runs)], int(stream["width"] > 640))
        if options.requests and not options.ready:
            first, last = memory(options.program, path, options.requests)
            print("  memory: %d MB in the second tenth of %d requests, %d MB in the last: %.2f times (goal ≤ 1.1: %s)" % (
                first, options.requests, last, last / first, "reached" if last <= 1.1 * first else "MISSED"), flush=True)


main()
