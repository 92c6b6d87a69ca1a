"""Paints truth on the page of 'retake studio' in a headless Chromium as a person would. Prints what came of it, as JSON.

    browse_truth.py CHROMIUM PROGRAM RECORDING BACKGROUND FOLDER > answers.json

The recording needs at least six frames, and no painted truth beside it. Screenshots go to FOLDER.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from studio_page import ALT, CONTROL, FAINT, SHIFT, end, opened  # noqa: E402

# What the program has stored of a frame: digests of both planes, and how many pixels have each meaning.
STORED = """
(async frame => {
  const [{ api }, { xxh3 }] = await Promise.all([import('./parts/api.js'), import('./parts/xxh3.js')]);
  if (!(await api.truth()).frames.includes(frame)) return null;
  const bytes = await api.truthPlanes(frame);
  const count = bytes.length / 2;
  return { matte: xxh3(bytes.slice(0, count)), ignored: xxh3(bytes.slice(count)), count,
    ignoredCount: bytes.subarray(count).reduce((sum, value) => sum + (value === 255), 0) };
})(%d)
"""
# The same of the sheet on the screen; null while there is none.
SHEET = """
(async () => {
  const { xxh3 } = await import('./parts/xxh3.js');
  const { paper } = studio.truthMode;
  return paper && { matte: xxh3(paper.matte), ignored: xxh3(paper.ignored), count: paper.matte.length,
    ignoredCount: paper.ignored.reduce((sum, value) => sum + (value === 255), 0) };
})()
"""
# The values of the sheet's planes, and of the layer over the picture, under a point of the window.
UNDER = """
((clientX, clientY) => {
  const { truthMode: { paper }, video } = studio;
  const tile = studio.stage.tiles.get(studio.store.state.main);
  const box = tile.view.getBoundingClientRect();
  const point = tile.videoPoint(clientX - box.left, clientY - box.top);
  const index = Math.floor(point.y) * video.width + Math.floor(point.x);
  const layer = tile.view.querySelector('.truth-layer');
  const shown = layer.getContext('2d').getImageData(Math.round(clientX - box.left), Math.round(clientY - box.top), 1, 1).data;
  return { matte: paper.matte[index], ignored: paper.ignored[index], layer: [...shown] };
})(%f, %f)
"""
# The colour of the truth's lane in the middle of a frame, and whether it is a tick's.
# Lines of the bar that have only hidden parts.
BLANK = """
[...document.querySelectorAll('.truth-row')].flatMap(row => {
  const seen = [...row.children].filter(each => each.checkVisibility({ visibilityProperty: true })).map(each => each.getBoundingClientRect());
  return [...row.children].filter(each => each.checkVisibility()).filter(each => {
    const box = each.getBoundingClientRect();
    return !seen.some(other => other.top < box.bottom && box.top < other.bottom);
  }).map(each => each.textContent);
})
"""
LANE = """
(async frame => {
  const { color } = await import('./parts/dom.js');
  // The timeline is drawn in the animation frame after a change.
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const canvas = document.getElementById('track'), context = canvas.getContext('2d');
  const probe = document.createElement('canvas').getContext('2d');
  const rgb = name => { probe.fillStyle = color(name); probe.fillRect(0, 0, 1, 1); return [...probe.getImageData(0, 0, 1, 1).data].join(); };
  // The lane under those of faces and depth.
  const shown = [...context.getImageData(Math.round(studio.timeline.x(frame + 0.5)), 16 + 2 * 9 + 3 + 3, 1, 1).data].join();
  return ['lane', 'accent', 'rough'].find(name => rgb(name) === shown) ?? shown;
})(%d)
"""
# How far the layer, of which strokes drew parts, is from the layer drawn as a whole.
SEAMS = """
(() => {
  const layer = document.querySelector('.truth-layer');
  const read = () => layer.getContext('2d').getImageData(0, 0, layer.width, layer.height).data;
  const parts = read();
  studio.store.set({ tint: studio.store.state.tint + 0.001 });
  studio.store.set({ tint: studio.store.state.tint - 0.001 });
  const whole = read();
  return parts.reduce((most, value, i) => Math.max(most, Math.abs(value - whole[i])), 0);
})()
"""
STATE = "document.getElementById('truth-state').textContent"


class Painting:
    """The page in the truth's mode, and places in the large picture by shares of its size."""

    def __init__(self, page):
        self.page = page

    def begin(self, frame):
        self.page.evaluate("studio.transport.goTo(%d)" % frame)
        self.page.wait_until_exact()
        if not self.page.evaluate("studio.store.state.isPainting"):
            self.page.press("t")
        self.page.wait_for("studio.truthMode.paper")

    def at(self, x, y):
        left, top, width, height = self.page.box(".tile.main .tile-view")
        scale = self.page.evaluate("(({ width, height }) => Math.min(%f / width, %f / height))(studio.video)" % (width, height))
        video = self.page.evaluate("[studio.video.width, studio.video.height]")
        return (left + width / 2 + (x - 0.5) * video[0] * scale, top + height / 2 + (y - 0.5) * video[1] * scale)

    def stroke(self, start, end, button="left", modifiers=0):
        start, end = self.at(*start), self.at(*end)
        held = {"left": 1, "right": 2, "middle": 4}[button]
        self.page.mouse("mousePressed", *start, button=button, buttons=held, clickCount=1, modifiers=modifiers)
        for step in range(1, 11):
            place = [a + (b - a) * step / 10 for a, b in zip(start, end)]
            self.page.mouse("mouseMoved", *place, button=button, buttons=held, modifiers=modifiers)
        self.page.mouse("mouseReleased", *end, button=button, clickCount=1, modifiers=modifiers)
        self.page.settle(0.1)

    def around(self, corners):
        corners = [self.at(*corner) for corner in corners]
        self.page.mouse("mousePressed", *corners[0], button="left", buttons=1, clickCount=1)
        for corner in corners[1:]:
            self.page.mouse("mouseMoved", *corner, button="left", buttons=1)
        self.page.mouse("mouseReleased", *corners[-1], button="left", clickCount=1)
        self.page.settle(0.1)

    def under(self, x, y):
        return self.page.evaluate(UNDER % self.at(x, y))

    def stored(self, frame):
        return self.page.evaluate(STORED % frame)

    def sheet(self):
        return self.page.evaluate(SHEET)

    def save(self):
        self.page.press("s", CONTROL)
        self.page.wait_for(STATE + " === 'saved'")


def paint(painting, answers):
    """Strokes of every brush, their opposites, undo and redo, and what is saved of them."""
    page, found = painting.page, {}
    painting.begin(2)
    matte = page.evaluate("studio.pictures.current.a.planes.matte.digest")
    first = painting.sheet()
    found["beginsFromMatte"] = first["matte"] == matte and first["ignoredCount"] == 0
    page.press("p")
    painting.stroke((0.05, 0.1), (0.25, 0.1))
    found["person"] = painting.under(0.15, 0.1)
    painted = painting.sheet()
    found["changed"] = painted["matte"] != first["matte"]
    painting.stroke((0.15, 0.1), (0.2, 0.1), button="right")
    found["rightButton"] = painting.under(0.18, 0.1)
    page.press("z", CONTROL)
    found["undoneOnce"] = painting.sheet() == painted
    page.press("z", CONTROL)
    found["undoneTwice"] = painting.sheet() == first
    found["untouched"] = page.evaluate("!studio.truthMode.paper.hasUnsaved")
    page.press("Z", CONTROL | SHIFT)
    found["redone"] = painting.sheet() == painted
    page.press("b")
    painting.stroke((0.05, 0.3), (0.1, 0.3), modifiers=ALT)
    found["alt"] = painting.under(0.08, 0.3)
    page.press("n")
    painting.stroke((0.8, 0.1), (0.9, 0.2))
    found["ignored"] = painting.under(0.85, 0.15)
    found["seams"] = page.evaluate(SEAMS)
    found["laneBefore"] = page.evaluate(LANE % 2)
    page.shot(answers["folder"] + "/truth-painted.png", False)
    painting.save()
    found["laneAfter"] = page.evaluate(LANE % 2)
    found["laneOfAnother"] = page.evaluate(LANE % 4)
    found["painted"] = painting.sheet()
    found["stored"] = painting.stored(2)
    found["command"] = page.evaluate("document.querySelector('#truth-use code').textContent")
    answers["paint"] = found


def look(painting, answers):
    """Zoom, pan, and the brush's sizes and shapes."""
    page, found = painting.page, {}
    size = page.evaluate("studio.store.state.brush.size")
    page.press("]")
    found["larger"] = page.evaluate("studio.store.state.brush.size") - size
    page.press("[")
    page.evaluate("studio.stage.zoomBy(4)")
    page.settle(0.1)
    before, sheet = page.evaluate("studio.store.state.zoom"), painting.sheet()
    painting.stroke((0.4, 0.4), (0.5, 0.45), button="middle")
    middle = page.evaluate("studio.store.state.zoom")
    # The button keeps the focus, and the space is the hand's all the same.
    page.click('#truth-bar [data-kind="person"]')
    page.call("Input.dispatchKeyEvent", type="keyDown", key=" ", code="Space", windowsVirtualKeyCode=32, text=" ")
    painting.stroke((0.4, 0.4), (0.5, 0.45))
    page.call("Input.dispatchKeyEvent", type="keyUp", key=" ", code="Space", windowsVirtualKeyCode=32)
    space = page.evaluate("studio.store.state.zoom")
    found["pannedByMiddle"] = middle["x"] < before["x"] and middle["y"] < before["y"]
    found["pannedBySpace"] = space["x"] < middle["x"] and space["y"] < middle["y"]
    found["unpainted"] = painting.sheet() == sheet and not page.evaluate("studio.store.state.isPlaying")
    page.press("0")
    # A lasso around a square's three sides, and a disc that stops at the picture's edges.
    page.press("n")
    page.press("l")
    before = painting.sheet()["ignoredCount"]
    painting.around([(0.4, 0.1), (0.6, 0.1), (0.6, 0.3), (0.4, 0.3)])
    found["lasso"] = painting.sheet()["ignoredCount"] - before
    found["lassoInside"], found["lassoOutside"] = painting.under(0.5, 0.2)["ignored"], painting.under(0.5, 0.33)["ignored"]
    page.press("z", CONTROL)
    page.evaluate("studio.brush.set({ size: 60, tolerance: 8 })")
    counts = {}
    for shape in "de":
        page.press(shape)
        painting.stroke((0.5, 0.4), (0.5, 0.4))
        counts[shape] = painting.sheet()["ignoredCount"] - before
        page.press("z", CONTROL)
    found["disc"], found["edges"] = counts["d"], counts["e"]
    page.press("d")
    page.evaluate("studio.brush.set({ size: 24 })")
    answers["look"] = found


def leave(painting, answers):
    """What is not saved yet is saved by going on; what the program refuses stays on the page; removing and its undo."""
    page, found = painting.page, {}
    painting.begin(4)
    page.press("p")
    painting.stroke((0.1, 0.1), (0.2, 0.1))
    sheet = painting.sheet()
    page.press("ArrowRight")
    page.wait_for("studio.truthMode.truth.frames.includes(4) && studio.truthMode.paper?.frame === 5")
    found["savedByLeaving"] = painting.stored(4) == sheet
    page.press("ArrowRight")
    page.settle(0.3)
    found["onlyPainted"] = page.evaluate("studio.truthMode.truth.frames")
    page.press(",")
    page.press(",")
    found["previous"] = page.evaluate("studio.store.state.frame")
    page.press(".")
    found["next"] = page.evaluate("studio.store.state.frame")
    page.wait_for("studio.truthMode.paper?.frame === 4")
    # A program that fails once.
    page.evaluate("window.sent = fetch; window.fetch = (path, init) => init.method === 'PUT' && path.includes('truth')"
                  " ? Promise.resolve(new Response(JSON.stringify({ error: { message: 'No space is left.' } }), { status: 500 })) : sent(path, init)")
    painting.stroke((0.1, 0.3), (0.2, 0.3))
    changed = painting.sheet()
    page.press("s", CONTROL)
    page.wait_for("document.getElementById('notice').classList.contains('problem')")
    found["problem"] = page.evaluate("document.getElementById('notice').textContent")
    found["laneOfProblem"] = page.evaluate(LANE % 4)
    page.evaluate("window.fetch = sent")
    page.press("ArrowRight")
    page.wait_for("studio.truthMode.truth.unsavedFrames.length === 0")
    found["savedLater"] = painting.stored(4) == changed
    page.press(",")
    page.wait_for("studio.truthMode.paper?.frame === 4")
    page.evaluate("[...document.querySelectorAll('#truth-bar button')].find(button => button.textContent === 'Remove').click()")
    page.wait_for("!studio.truthMode.truth.frames.includes(4)")
    found["removed"] = painting.stored(4)
    page.press("z", CONTROL)
    found["broughtBack"] = painting.sheet() == changed
    page.press("Z", CONTROL | SHIFT)
    page.press("ArrowRight")
    page.settle(0.5)
    found["staysRemoved"] = page.evaluate("studio.truthMode.truth.frames")
    answers["leave"] = found


def unpainted(painting, answers):
    """A sheet that nobody painted on is saved only by somebody who means it."""
    page, found = painting.page, {}
    button = "[...document.querySelectorAll('#notice button')].find(button => button.textContent === 'Save it all the same')"
    painting.begin(7)
    page.press("s", CONTROL)
    page.wait_for(button)
    found["asks"] = page.evaluate("document.getElementById('notice').textContent")
    found["stored"] = page.evaluate("studio.truthMode.truth.frames")
    page.evaluate(button + ".click()")
    page.wait_for("studio.truthMode.truth.frames.includes(7)")
    page.evaluate("studio.truthBar.act.remove()")
    page.wait_for("!studio.truthMode.truth.frames.includes(7)")
    answers["unpainted"] = found


def scores(painting, answers):
    """Scores are compared with the painted truth, again after each save."""
    page, found = painting.page, {}
    mean = "document.querySelector('#score-table td.number')?.textContent"
    isDone = "document.getElementById('score-status').textContent.startsWith('all') && Number(" + mean + ") > 0"
    painting.begin(2)
    page.evaluate("document.getElementById('scores').open = true; studio.store.set({ shownScores: ['iou'] })")
    page.wait_for(isDone)
    found["before"] = float(page.evaluate(mean))
    page.evaluate("studio.truthBar.act.again()")
    painting.save()
    page.wait_for(isDone + " && Number(" + mean + ") !== %f" % found["before"])
    found["ofItsOwnMatte"] = float(page.evaluate(mean))
    page.press("z", CONTROL)
    painting.save()
    page.wait_for(isDone + " && Number(" + mean + ") === %f" % found["before"])
    page.evaluate("studio.store.set({ shownScores: [] })")
    answers["scores"] = found


def keys(painting, answers):
    """Without a mouse: a dab at the cross; names for screen readers; what does not fit, and what is faint."""
    page, found = painting.page, {}
    painting.begin(5)
    page.evaluate("studio.pointer = { x: studio.video.width * 0.1, y: studio.video.height * 0.1 }; document.activeElement.blur()")
    page.press("p")
    page.press("Enter")
    page.settle(0.1)
    found["dab"] = painting.under(0.1, 0.1)
    page.press("z", CONTROL)
    page.press("N", SHIFT)
    page.wait_for("studio.truthMode.paper.hasUnsaved")
    found["copied"] = painting.sheet()["ignored"]
    page.press("z", CONTROL)
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "slider", "spinbutton", "checkbox"}
    found["unnamed"] = [node["role"]["value"] for node in nodes if not node.get("ignored")
                        and node["role"]["value"] in roles and not node.get("name", {}).get("value")]
    found["wide"], found["faint"], found["blank"] = {}, {}, {}
    for theme in ["light", "dark"]:
        page.media(prefers_color_scheme=theme)
        for width in [1600, 1280, 800]:
            page.size(width, 900)
            page.settle(0.4)
            name = "%s %d" % (theme, width)
            found["blank"][name] = page.evaluate(BLANK)
            found["wide"][name] = page.evaluate("document.documentElement.scrollWidth")
            found["faint"][name] = page.evaluate(FAINT)
            page.shot("%s/truth-%s-%d.png" % (answers["folder"], theme, width), False)
    page.size(1600, 900)
    page.press("Escape")
    found["left"] = page.evaluate("[studio.store.state.isPainting, studio.store.state.main, studio.truthMode.truth.unsavedFrames.length]")
    answers["keys"] = found


def reload(painting, answers):
    """The page is loaded again and reads what was stored."""
    page, found = painting.page, {}
    page.settle(1.2)
    page.evaluate("window.isOld = true")
    page.call("Page.reload")
    page.wait_for("!window.isOld && document.body.classList.contains('ready') && studio.pictures.current.a")
    page.wait_for("studio.truthMode.truth.frames.length > 0")
    page.settle(0.2)
    found["frames"] = page.evaluate("studio.truthMode.truth.frames")
    found["lane"] = page.evaluate(LANE % 2)
    painting.begin(2)
    found["sheet"] = painting.sheet()
    found["state"] = page.evaluate(STATE)
    answers["reload"] = found


def tabs(painting, answers, address):
    """Two tabs paint the same frame: neither replaces what the other has saved without a question."""
    page, found = painting.page, {}
    told = "document.getElementById('notice').textContent"
    choose = "[...document.querySelectorAll('#notice button')].find(button => button.textContent === '%s').click()"

    def refused():
        page.press("s", CONTROL)
        page.wait_for(told + ".includes('was not saved')")
        return page.evaluate(told)

    painting.begin(7)
    first = page.session
    page.visit(address)
    second = page.session
    painting.begin(7)
    page.session = first
    page.press("p")
    painting.stroke((0.1, 0.1), (0.2, 0.1))
    painting.save()
    one = painting.sheet()
    page.session = second
    page.press("p")
    painting.stroke((0.1, 0.3), (0.2, 0.3))
    other = painting.sheet()
    found["refused"] = refused()
    found["kept"] = painting.stored(7) == one != other
    page.evaluate(choose % "Load the other")
    page.wait_for(STATE + " === 'saved'")
    found["loaded"] = painting.sheet() == one
    page.press("z", CONTROL)
    found["undone"] = painting.sheet() == other
    painting.save()
    found["saved"] = painting.stored(7) == other
    page.session = first
    painting.stroke((0.1, 0.5), (0.2, 0.5))
    one = painting.sheet()
    refused()
    page.evaluate(choose % "Replace it")
    page.wait_for(STATE + " === 'saved'")
    found["replaced"] = painting.stored(7) == one
    answers["tabs"] = found


def main():
    chromium, program, recording, background, folder = sys.argv[1:6]
    answers = {"folder": folder}
    with opened(chromium, program, recording, "--background", background) as (page, studio, address):
        painting = Painting(page)
        for part in [paint, look, leave, unpainted, scores, keys, reload]:
            part(painting, answers)
        tabs(painting, answers, address)
        answers["console"] = page.lines("Canvas2D", "409 (Conflict)")
        answers["end"] = end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
