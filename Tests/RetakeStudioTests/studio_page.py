"""A headless Chromium with a page of 'retake studio', for the programs beside this one and for Tools/bench.

Only Python's own modules are used.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../SweepsTests/Reports"))
import browse_report  # noqa: E402

LIMIT_SECONDS = 120
ALT, CONTROL, SHIFT = 1, 2, 8

# Texts of less contrast than WCAG's AA asks for.
FAINT = """
(() => {
  // A change of colours takes a moment.
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parse = text => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => (v / 255 <= 0.03928 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (; element; element = element.parentElement) {
      const color = parse(getComputedStyle(element).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('body *')].filter(element => {
    if (!element.checkVisibility() || element.closest(':disabled')) return false;
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) return false;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map(element => element.textContent.trim().slice(0, 30));
})()
"""

READY = "document.body.classList.contains('ready') && studio.pictures.current[studio.store.state.active]"


class Page(browse_report.Browser):
    """A browser with the page of a program's address."""

    def visit(self, address, ready=READY):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(domain + ".enable")
        self.size(1600, 900)
        self.media(prefers_color_scheme="light")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Page.navigate", url=address)
        self.wait_for(ready)

    def visit_at_once(self, address, ready=READY):
        """Opens the address in a tab of its own, as a desktop does for a program."""
        self.session = None
        target = self.call("Target.createTarget", url=address)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.wait_for(ready)

    def wait_for(self, expression):
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            try:
                if self.evaluate("Boolean(" + expression + ")"):
                    return
            except RuntimeError:
                pass  # The page is not there yet.
            if time.monotonic() > deadline:
                raise TimeoutError("the page never had: " + expression)
            self.settle(0.02)

    def wait_until_exact(self):
        self.wait_for("studio.pictures.isCurrent && studio.pictures.areChecked && studio.pictures.views.every(view => studio.pictures.current[view].exact"
                      " && studio.pictures.current[view].frame === studio.store.state.frame"
                      " && Object.values(studio.pictures.current[view].planes).every(plane => plane.step === 1))"
                      " && document.getElementById('badge-text').textContent === 'exact'")

    def press(self, key, modifiers=0):
        code, text = browse_report.KEYS.get(key, (ord(key.upper()[0]), key))
        values = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        typed = {"text": text} if text and not modifiers & CONTROL else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **values, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **values)

    def box(self, selector):
        return self.evaluate("(() => { const element = document.querySelector(%s); element.scrollIntoView({ block: 'nearest' });"
                             " const box = element.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()"
                             % json.dumps(selector))

    def mouse(self, kind, x, y, **values):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **values)

    def drag(self, start, end, count=20):
        self.mouse("mousePressed", *start, button="left", clickCount=1)
        for step in range(1, count + 1):
            place = [a + (b - a) * step / count for a, b in zip(start, end)]
            self.mouse("mouseMoved", *place, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def click(self, selector, held=0):
        """held: seconds from press to release."""
        x, y, width, height = self.box(selector)
        self.mouse("mousePressed", x + width / 2, y + height / 2, button="left", clickCount=1)
        self.settle(held)
        self.mouse("mouseReleased", x + width / 2, y + height / 2, button="left", clickCount=1)

    def setting(self, view="a"):
        return self.evaluate("studio.store.state." + view)

    def lines(self, *known):
        """What the console says, besides what is known."""
        return [line for line in self.console if not any(words in line for words in known)]


@contextlib.contextmanager
def opened(chromium, program, *words, ready=READY):
    """A page with the address that 'retake studio' printed, the program's process, and that address."""
    studio = subprocess.Popen([program, "studio", *words, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    page = None
    try:
        page = Page(chromium)
        address = studio.stdout.readline().strip()
        page.visit(address, ready)
        yield page, studio, address
    finally:
        if page:
            page.close()
        if studio.poll() is None:
            studio.kill()
            studio.wait()


def end(studio):
    """Its exit code after Ctrl-C."""
    studio.send_signal(signal.SIGINT)
    return studio.wait(LIMIT_SECONDS)
