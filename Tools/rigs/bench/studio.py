"""Measures the page of 'retake studio' in a headless Chromium on this machine: from a change to the painted picture.

    studio.py PROGRAM RECORDING...

For each recording, milliseconds at the median and at the 95th percentile of changes of the program's default preset, all
five pictures on the screen, beside what the program alone took for the same pictures.
"""

import os
import re
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Tests/RetakeTests/Studio"))
import browse_studio  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
COUNT = 60

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


def line(name, pairs):
    whole, program = sorted(a for a, _ in pairs), sorted(b for _, b in pairs)
    def at(values, share):
        return values[min(len(values) - 1, int(len(values) * share))]
    print("  %-24s %6.1f ms, 95 %% within %6.1f   program %6.1f, %6.1f" % (
        name, statistics.median(whole), at(whole, 0.95), statistics.median(program), at(program, 0.95)), flush=True)


def measure(program, recording):
    page = browse_studio.Page(CHROMIUM)
    try:
        start = time.perf_counter()
        studio = subprocess.Popen([program, "studio", recording, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = studio.stdout.readline().strip()
        printed = time.perf_counter()
        page.visit(address)
        ready = time.perf_counter()
        print("  address after %.0f ms, page with pictures after %.0f ms" % (1000 * (printed - start), 1000 * (ready - start)))
        page.evaluate(TIMED)
        count = page.evaluate("studio.session.recording.frameCount")
        page.evaluate("studio.transport.goTo(%d)" % (count // 2))
        page.wait_until_exact()
        for name, parameter, value in CHANGES:
            line(name, [page.evaluate("edited('%s', '%s')" % (parameter, value(i))) for i in range(COUNT)])
        places = [(7919 * i) % count for i in range(COUNT)]
        line("seek", [page.evaluate("timed(() => studio.transport.goTo(%d))" % place) for place in places])
        page.evaluate("studio.transport.goTo(0)")
        page.wait_until_exact()
        page.evaluate("window.shown = []; studio.pictures.on((view, picture) => shown.push([performance.now(), picture.frame]))")
        page.press(" ")
        page.settle(10)
        page.press(" ")
        shown = page.evaluate("shown")
        gaps = sorted(b[0] - a[0] for a, b in zip(shown, shown[1:]))
        print("  playing: %.1f pictures a second, 95 %% within %.1f ms of the one before" % (
            1000 * len(gaps) / (shown[-1][0] - shown[0][0]), gaps[int(len(gaps) * 0.95)]))
        with open("/proc/%d/status" % studio.pid) as file:
            print("  memory: %d MB" % (int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) // 1024))
        studio.send_signal(signal.SIGINT)
        studio.wait()
    finally:
        page.close()


for path in sys.argv[2:]:
    print(os.path.basename(path))
    measure(sys.argv[1], path)
