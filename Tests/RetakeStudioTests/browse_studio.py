"""Uses the page of 'retake studio' in a headless Chromium as a person would. Prints what came of it, as JSON.

    browse_studio.py CHROMIUM PROGRAM RECORDING BACKGROUND FOLDER > answers.json

Screenshots go to FOLDER. Only Python's own modules are used.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from studio_page import CONTROL, FAINT, READY, SHIFT, end, opened  # noqa: E402

# The pixels of a tap's picture as the page paints them, without their alpha, hashed by the page's own function.
PAINTED = """
(async () => {
  const [{ planeCanvas }, { xxh3 }] = await Promise.all([import('./pictures/paint.js'), import('./parts/xxh3.js')]);
  const picture = studio.pictures.current[studio.store.state.active];
  const result = { frame: picture.frame, digests: {}, painted: {}, isSound: [] };
  for (const plane of Object.values(picture.planes)) {
    result.digests[plane.tap] = plane.digest;
    result.isSound.push(plane.isSound);
    if (plane.format === 'depth16') continue;
    const canvas = planeCanvas(studio.store.state.active, plane, studio.store.state);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const channels = plane.format === 'rgb24' ? 3 : 1;
    const bytes = new Uint8Array(canvas.width * canvas.height * channels);
    for (let i = 0, j = 0; i < data.length; i += 4) for (let c = 0; c < channels; c++) bytes[j++] = data[i + c];
    result.painted[plane.tap] = xxh3(bytes);
  }
  return result;
})()
"""

# What cannot be pressed because of a notice.
COVERED = """
(() => {
  const notice = document.getElementById('notice').getBoundingClientRect();
  const meets = box => box.left < notice.right && notice.left < box.right && box.top < notice.bottom && notice.top < box.bottom;
  return [...document.querySelectorAll('#top *, #toolbar *, #transport *')]
    .filter(each => each.matches('button, input, summary') && each.checkVisibility() && meets(each.getBoundingClientRect())).map(each => each.outerHTML);
})()
"""


def look(page, answers):
    """The pictures at some frames, and what the page paints of them."""
    pictures = []
    for frame in [0, 17, 5]:
        page.evaluate("studio.transport.goTo(%d)" % frame)
        page.wait_until_exact()
        pictures.append(page.evaluate(PAINTED))
    answers["pictures"] = pictures


def fill(page, selector, text):
    """Types into a field in place of what it has."""
    page.evaluate("(() => { const field = document.querySelector(%s); field.focus(); field.select(); })()" % json.dumps(selector))
    page.call("Input.insertText", text=text)


def give_up(page):
    """Escape takes nothing of what was typed."""
    for selector in ['[data-name="matte.refine-outside"] .number', "#name", "#frame", "#depth-near"]:
        field = "document.querySelector(%s)" % json.dumps(selector)
        before = page.evaluate("[%s.value, studio.store.state.a, studio.store.state.frame, studio.store.state.depthNear]" % field)
        fill(page, selector, "3")
        assert page.evaluate(field + ".value") == "3", selector
        page.press("Escape")
        after = page.evaluate("[%s.value, studio.store.state.a, studio.store.state.frame, studio.store.state.depthNear]" % field)
        assert after == before and page.evaluate("document.activeElement === document.body"), (selector, before, after)


def change(page, answers):
    """A slider by the mouse and by keys; undo and redo; a number that is out of range."""
    found = {}
    slider = '[data-name="matte.refine-outside"] input[type=range]'
    x, y, width, height = page.box(slider)
    place = page.evaluate("Number(document.querySelector('%s').value) / 1000" % slider)
    page.drag((x + 5 + (width - 10) * place, y + height / 2), (x + width * 0.7, y + height / 2), 60)
    found["dragged"] = page.setting()["values"].get("matte.refine-outside")
    page.wait_until_exact()
    found["picture"] = page.evaluate(PAINTED)
    page.press("z", CONTROL)
    found["undone"] = page.setting()["values"].get("matte.refine-outside")
    page.press("Z", CONTROL | SHIFT)
    found["redone"] = page.setting()["values"].get("matte.refine-outside")
    page.press("z", CONTROL)
    page.evaluate("studio.panel.control('matte.refine-outside').focus()")
    page.press("ArrowRight")
    found["byKey"] = page.setting()["values"].get("matte.refine-outside")
    page.evaluate("document.querySelector('[data-name=\"matte.refine-outside\"] .number').select()")
    page.call("Input.insertText", text="900")
    page.press("Enter")
    found["problem"] = page.evaluate("document.querySelector('[data-name=\"matte.refine-outside\"] .control-problem').textContent")
    found["kept"] = page.setting()["values"].get("matte.refine-outside")
    page.press("Escape")
    found["escaped"] = page.evaluate("(control => [control.problem.textContent, control.text.value])(studio.panel.control('matte.refine-outside'))")
    page.click('[data-name="matte.refine-outside"] .reset')
    found["reset"] = page.setting()["values"].get("matte.refine-outside")
    page.evaluate("document.activeElement.blur()")
    typed = "(text => { const field = document.getElementById('frame'); field.value = text; field.dispatchEvent(new Event('change')); })"
    page.evaluate(typed + "('')")
    found["frame"] = page.evaluate("[studio.store.state.frame, Number(document.getElementById('frame').value)]")
    give_up(page)
    before = page.evaluate("studio.store.state.a")
    found["profiles"] = []
    for name in ["iphone-7-plus", "kinect-v1"]:
        page.evaluate("(list => { list.value = '%s'; list.dispatchEvent(new Event('change')); })(document.getElementById('profile'))" % name)
        page.wait_for("document.getElementById('notice').textContent.startsWith('%s: ')" % name)
        found["profiles"].append(page.setting()["values"])
    found["alone"] = page.evaluate("Object.keys(studio.declarations.profiles.find(each => each.name === 'kinect-v1').values)")
    page.evaluate("document.getElementById('reset-all').click()")
    found["bare"] = list(page.setting()["values"])
    page.evaluate("studio.store.edit({ a: %s })" % json.dumps(before))
    page.wait_until_exact()
    answers["change"] = found


def step(page, answers):
    """Steps by keys: what is asked for, and how; and a change after them."""
    page.evaluate("document.activeElement.blur(); studio.transport.goTo(9)")
    page.wait_until_exact()
    page.evaluate("window.asked = []; window.plainFetch = window.fetch; window.fetch = async (path, init) => {"
                  " const body = path.endsWith('api/frame') ? JSON.parse(init.body) : null;"
                  " const entry = body && [body.frame, body.next ? 'ahead' : 'now', 'asked']; if (entry) asked.push(entry);"
                  " try { return await plainFetch(path, init); } finally { if (entry) entry[2] = 'answered'; } }")
    found = {}
    ahead = "asked.some(([frame, how, state]) => frame === %d && how === 'ahead' && state === 'answered')"
    for name, key, next_one in [("first", "ArrowRight", 11), ("second", "ArrowRight", 12), ("back", "ArrowLeft", 9)]:
        page.evaluate("asked.length = 0")
        page.press(key)
        page.wait_until_exact()
        page.wait_for(ahead % next_one)
        found[name] = page.evaluate("asked.map(([frame, how]) => `${frame} ${how}`)")
        found[name + "Picture"] = page.evaluate(PAINTED)
    page.evaluate("asked.length = 0; studio.store.edit({ a: studio.declarations.with(studio.store.state.a, 'composite.color', '#204060') })")
    page.wait_until_exact()
    found["changed"] = page.evaluate("asked.filter(([, how]) => how === 'ahead').length")
    page.press("z", CONTROL)
    page.wait_until_exact()
    page.evaluate("window.fetch = window.plainFetch")
    found["space"] = spaces(page)
    answers["step"] = found


def spaces(page):
    """What plays and loops after a button is clicked, after each of two spaces, after one that follows Tab and Shift+Tab, and
    after two that follow a dialog."""
    state = "[studio.store.state.isPlaying, studio.store.state.loops]"
    page.click("#loop")
    states = [page.evaluate(state)]
    for keys in [[" "], [" "], ["Tab", "ShiftTab", " "]]:
        for key in keys:
            page.press(key.removeprefix("Shift"), SHIFT if key.startswith("Shift") else 0)
        states.append(page.evaluate(state))
    page.click("#help")
    page.press("Tab")
    page.click("#help-dialog button")
    for _ in range(2):
        page.press(" ")
        states.append(page.evaluate(state))
    page.evaluate("document.activeElement.blur(); studio.transport.goTo(9)")
    page.wait_until_exact()
    return states


def cut(page, answers):
    """The histogram's handle, by the mouse and by keys."""
    x, y, width, height = page.box("#histogram-plot .handle")
    before = page.evaluate("Number(studio.declarations.value(studio.store.setting, 'mask.offset'))")
    page.drag((x + width / 2, y + height / 2), (x + width / 2 + 40, y + height / 2))
    dragged = page.evaluate("Number(studio.declarations.value(studio.store.setting, 'mask.offset'))")
    page.press("ArrowLeft")
    by_key = page.evaluate("Number(studio.declarations.value(studio.store.setting, 'mask.offset'))")
    per_pixel = page.evaluate("(studio.store.state.depthFar - studio.store.state.depthNear) / 1000"
                              " / document.getElementById('histogram-canvas').clientWidth")
    answers["cut"] = {"moved": dragged - before, "expected": 40 * per_pixel, "byKey": by_key - dragged}
    page.evaluate("document.activeElement.blur()")
    page.press("z", CONTROL)
    page.press("z", CONTROL)


def compare(page, answers):
    """A and B against each other."""
    page.press("C", SHIFT)
    page.press("b")
    page.evaluate("studio.store.edit({ b: studio.declarations.with(studio.store.state.b, 'composite.kind', 'filter') })")
    page.press("a")
    page.evaluate("document.getElementById('compare-wipe').click()")
    page.wait_until_exact()
    x, y, width, height = page.box(".tile.main .tile-view")
    page.drag((x + width * 0.5, y + height * 0.5), (x + width * 0.25, y + height * 0.5))
    page.settle(0.2)
    # In the picture's corner, A shows the background and B the room.
    sample = """
    (() => {
      const tile = studio.stage.tiles.get('composite');
      const { width, height } = tile.canvas;
      const context = tile.canvas.getContext('2d');
      const of = view => {
        const plane = tile.plane(view), { clientWidth: w, clientHeight: h } = tile.view, { width: vw, height: vh } = studio.video;
        const scale = Math.min(w / vw, h / vh);
        return share => {
          const px = Math.floor((w * share - (w - vw * scale) / 2) / scale), py = Math.floor(vh / 8);
          const at = 3 * (py * vw + px), y = (h - vh * scale) / 2 + (py + 0.5) * scale;
          const shown = context.getImageData(Math.floor(w * share), Math.floor(y), 1, 1).data;
          return Math.max(...[0, 1, 2].map(c => Math.abs(shown[c] - plane.bytes[at + c])));
        };
      };
      return { left: of('a')(0.2), right: of('b')(0.8), leftOfB: of('b')(0.2), rightOfA: of('a')(0.8) };
    })()
    """
    found = {"wipe": page.evaluate("studio.store.state.wipe"), "far": page.evaluate(sample)}
    page.shot(answers["folder"] + "/wipe.png", False)
    page.evaluate("document.getElementById('compare-difference').click()")
    page.settle(0.3)
    found["difference"] = page.evaluate("(({ largest, share }) => ({ largest, share }))(studio.stage.tiles.get('composite').difference)")
    found["same"] = page.evaluate("studio.stage.tiles.get('original').difference.largest")
    message = "studio.stage.tiles.get('mask').message.textContent"
    found["missing"] = [page.evaluate(message)]
    page.evaluate("document.getElementById('compare-side').click(); studio.store.set({ shownScores: ['iou', 'flicker'] })")
    page.wait_for("document.querySelectorAll('#score-table .line-sample').length === 2")
    found["scores"] = page.evaluate("[...document.querySelectorAll('#score-table thead th')].map(each => each.textContent)")
    # A's name is written on the picture.
    light = "(canvas => [...canvas.getContext('2d').getImageData(6, 6, 30, 18).data].filter(value => value > 200).length - 540)"
    found["labels"] = page.evaluate("(tile => [tile.canvas, tile.snapshot()].map(%s))(studio.stage.tiles.get('composite'))" % light)
    page.evaluate("studio.files.savePNG()")
    found["saved"] = page.evaluate("document.getElementById('notice').textContent")
    page.shot(answers["folder"] + "/side.png", False)
    page.evaluate("studio.store.set({ shownScores: [] }); document.getElementById('compare-difference').click()")
    page.press("b")
    page.evaluate("document.getElementById('compare-off').click()")
    page.wait_until_exact()
    page.settle(0.2)
    found["missing"].append(page.evaluate(message))
    page.press("a")
    page.evaluate("document.getElementById('compare-off').click()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="f", code="KeyF", windowsVirtualKeyCode=70, text="f")
    found["flipped"] = [page.evaluate("studio.shownView")]
    page.call("Input.dispatchKeyEvent", type="keyUp", key="f", code="KeyF", windowsVirtualKeyCode=70)
    found["flipped"].append(page.evaluate("studio.shownView"))
    page.press("X", SHIFT)
    found["swapped"] = [page.setting("a")["values"].get("composite.kind"), page.setting("b")["values"].get("composite.kind")]
    page.press("X", SHIFT)
    answers["compare"] = found


def files(page, answers):
    """The saved YAML, and a loaded one."""
    page.evaluate("studio.store.edit({ a: studio.declarations.with(studio.store.state.a, 'matte.gamma', '0.8') })")
    # The download itself goes to the browser's folder, so its content is taken on its way there. Thumbnails go that way too.
    page.evaluate("window.saved = []; const make = URL.createObjectURL;"
                  " URL.createObjectURL = blob => { if (blob.type === 'text/yaml') saved.push(blob); return make(blob); }")
    menu = "[document.getElementById('file-menu').open, document.activeElement.textContent.split(' Ctrl')[0]]"
    page.evaluate("document.querySelector('#file-menu summary').focus()")
    found = {"menu": []}
    for key in ["Enter", "Tab", "Escape", "Enter", "Tab"]:
        page.press(key)
        found["menu"].append(page.evaluate(menu))
    # Save YAML, without a mouse.
    page.press("Enter")
    page.wait_for("window.saved.length > 0")
    found["yaml"] = page.evaluate("saved[0].text()")
    found["menu"].append(page.evaluate(menu))
    page.evaluate("document.activeElement.blur()")
    found["notice"] = page.evaluate("document.getElementById('notice').textContent")
    found["covered"] = []
    for width in [1600, 1280, 800]:
        page.size(width, 900)
        page.settle(0.1)
        found["covered"] += page.evaluate(COVERED)
    page.size(1600, 900)
    # What is typed is saved, and the field keeps the focus.
    fill(page, '[data-name="mask.offset"] .number', "0.8")
    page.press("s", CONTROL)
    page.wait_for("window.saved.length > 1")
    assert "offset: 0.8" in page.evaluate("saved[1].text()")
    fill(page, "#name", "typed")
    page.press("s", CONTROL)
    page.wait_for("document.getElementById('notice').textContent.includes('-typed.yaml')")
    assert page.evaluate("document.activeElement.id") == "name"
    page.evaluate("document.activeElement.blur(); studio.store.undo(); studio.store.undo()")
    page.press("o", CONTROL)
    page.call("Input.insertText", text="matte.blr: 3")
    page.evaluate("document.querySelector('#load-form .primary').click()")
    page.wait_for("!document.getElementById('load-problem').hidden")
    found["problem"] = page.evaluate("document.getElementById('load-problem').textContent")
    page.evaluate("(() => { const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File(['no setting'], 'a clip.mp4'));"
                  " dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true })); })()")
    page.wait_for("document.getElementById('load-problem').textContent.includes('clip')")
    found["dropped"] = page.evaluate("['load-problem', 'yaml-text'].map(id => document.getElementById(id)).map(each => each.value ?? each.textContent)")
    page.evaluate("document.getElementById('yaml-text').value = 'preset: handheld\\nmatte:\\n  blur: 4\\n'")
    page.evaluate("document.querySelector('#load-form .primary').click()")
    page.wait_for("!document.getElementById('load-dialog').open")
    found["loaded"] = page.setting()
    background = "studio.declarations.value(studio.store.setting, 'composite.background')"
    before = page.evaluate(background)
    for text, stays in [("mask:\n  holes: background\n", True), ("# a dark background: none\nmatte.blur: 3 # background: none\n", True),
                        ("composite: {without-background: video}\n", True), ("composite: {color: '#102030', background: ''}\n", False),
                        ("composite.background:\n", False)]:
        page.evaluate("studio.files.loading.open(); document.getElementById('yaml-text').value = %s" % json.dumps(text))
        page.evaluate("document.querySelector('#load-form .primary').click()")
        page.wait_for("!document.getElementById('load-dialog').open")
        assert before and page.evaluate(background) == (before if stays else ""), text
        page.evaluate("studio.store.undo()")
    answers["files"] = found


def drag_ends(page):
    """An end of the range that is dragged over the other one stops there."""
    x, y, width, height = page.box("#timeline")
    at = lambda frame: (x + width * frame / 24, y + height / 2)  # noqa: E731
    for start, target, expected in [(8, 20, [11, 12]), (12, 3, [8, 9])]:
        page.evaluate("studio.transport.setRange(8, 12)")
        page.settle(0.1)
        page.drag(at(start), at(target))
        found = page.evaluate("[studio.store.state.from, studio.store.state.to]")
        assert found == expected, found


def play(page, answers):
    """Plays in a loop: every frame is shown, in order, and checked."""
    drag_ends(page)
    page.evaluate("studio.transport.setRange(4, 20); studio.transport.goTo(4); window.shown = [];"
                  "studio.pictures.on((view, picture) => shown.push([picture.frame, Object.values(picture.planes).every(p => p.isSound)]))")
    page.wait_until_exact()
    page.evaluate("shown.length = 0")
    page.press(" ")
    page.wait_for("shown.length >= 40")
    # As long as a person presses, in which frames are shown.
    page.click("#play", held=0.15)
    page.wait_for("!studio.store.state.isPlaying")
    answers["play"] = page.evaluate("shown.slice(0, 40).map(([frame, isSound]) => ({ frame, isSound }))")
    # In a narrow window the small pictures have fewer pixels than their planes.
    page.size(800, 900)
    page.wait_until_exact()
    steps = "Object.values(studio.pictures.current.a.planes).map(({ tap, step, isSound }) => ({ tap, step, isSound }))"
    page.evaluate("shown.length = 0")
    page.press(" ")
    page.wait_for("shown.length >= 10")
    found = {"playing": page.evaluate(steps)}
    page.evaluate("studio.pointer = { x: 1, y: 1 }; shown.length = 0")
    page.wait_for("shown.length >= 10")
    found["pointed"] = page.evaluate(steps)
    page.evaluate("studio.pointer = null; shown.length = 0")
    page.wait_for("shown.length >= 10")
    page.press(" ")
    page.wait_until_exact()
    answers["thin"] = {**found, "still": page.evaluate(steps)}
    page.size(1600, 900)
    page.press("x")


def shapes(page, answers):
    """Widths and themes, names for screen readers, and the way of the Tab key."""
    found = {"wide": {}, "faint": {}, "toolbar": {}}
    page.evaluate("studio.store.edit({ b: { ...studio.store.state.b, name: 'the-left-hand-flickers-by-the-window-sweep.sqlite #1234' } })")
    for theme in ["light", "dark"]:
        page.media(prefers_color_scheme=theme)
        for width in [1600, 1280, 800]:
            page.size(width, 900)
            page.settle(0.4)
            found["wide"]["%s %d" % (theme, width)] = page.evaluate("document.documentElement.scrollWidth")
            found["faint"]["%s %d" % (theme, width)] = page.evaluate(FAINT)
            found["toolbar"]["%s %d" % (theme, width)] = page.evaluate("document.getElementById('toolbar').offsetHeight")
            page.shot("%s/%s-%d.png" % (answers["folder"], theme, width), False)
    page.size(1600, 900)
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "slider", "textbox", "spinbutton", "checkbox", "switch", "combobox", "searchbox", "ColorWell", "image"}
    found["unnamed"] = [node["role"]["value"] for node in nodes if not node.get("ignored")
                        and node["role"]["value"] in roles and not node.get("name", {}).get("value")]
    found["named"] = sum(1 for node in nodes if not node.get("ignored") and node["role"]["value"] in roles)
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(160):
        page.press("Tab")
        reached.add(page.evaluate("document.activeElement.closest('.control')?.dataset.name ?? document.activeElement.id"))
    found["reached"] = sorted(name for name in reached if name)
    answers["shapes"] = found


def stay(page, answers, address):
    """State after a reload and in a second tab, and what is said when the program has ended."""
    page.evaluate("document.activeElement.blur(); studio.transport.goTo(9)")
    page.press("2")
    page.settle(1.5)
    place = "(({ frame, main, a }) => ({ frame, main, setting: a }))(studio.store.state)"
    found = {"before": page.evaluate(place)}
    page.evaluate("window.isOld = true")
    page.call("Page.reload")
    page.wait_for("!window.isOld && document.body.classList.contains('ready')")
    found["reloaded"] = page.evaluate(place)
    first = page.session
    page.visit(address)
    page.wait_until_exact()
    found["secondTab"] = page.evaluate(place)
    page.session = first
    page.wait_until_exact()
    reload(page)
    paste(page, address)
    answers["stay"] = found


def reload(page):
    """A change right before a reload, and one while frames play, are there after it, and nothing is said of the address."""
    # The last one has the address that the page had when it was left.
    for blur, before, seconds in [("9", "", 0), ("11", "studio.transport.play();", 1.2), ("9", "studio.transport.goTo(9);", 1.2)]:
        page.evaluate("window.isOld = true; %s studio.store.edit({ a: studio.declarations.with(studio.store.state.a, 'matte.blur', '%s') })" % (before, blur))
        # Longer than the address and the file are waited for.
        page.settle(seconds)
        page.call("Page.reload")
        page.wait_for("!window.isOld && " + READY)
        assert page.setting()["values"].get("matte.blur") == blur, page.setting()
        assert page.evaluate("document.getElementById('notice').textContent") == ""


def paste(page, address):
    """A link that is pasted over the page's own address opens, and its key is taken out of the address."""
    page.evaluate("window.isOld = true")
    page.call("Page.navigate", url=address + "&a=mine:handheld,matte.blur=4&b=:desk&frame=7")
    page.wait_for("!window.isOld && " + READY)
    assert page.setting()["values"] == {"matte.blur": "4"} and page.evaluate("studio.store.state.frame") == 7
    assert "token" not in page.evaluate("location.href")


def main():
    chromium, program, recording, background, folder = sys.argv[1:6]
    answers = {"folder": folder}
    with opened(chromium, program, recording, "--background", background) as (page, studio, address):
        look(page, answers)
        step(page, answers)
        page.evaluate("studio.transport.goTo(5)")
        page.wait_until_exact()
        change(page, answers)
        cut(page, answers)
        compare(page, answers)
        files(page, answers)
        play(page, answers)
        shapes(page, answers)
        stay(page, answers, address)
        page.settle(0.2)
        answers["console"] = page.lines("400 (Bad Request)", "Canvas2D")
        answers["end"] = end(studio)
        page.evaluate("studio.transport.step(1)")
        page.wait_for("document.getElementById('notice').textContent.includes('does not answer')")
        answers["gone"] = page.evaluate("document.getElementById('notice').textContent")
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
