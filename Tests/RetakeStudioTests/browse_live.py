"""Uses the page of 'retake studio' with running cameras in a headless Chromium. Prints what came of it, as JSON.

    browse_live.py CHROMIUM PROGRAM FOLDER > answers.json

Recordings and screenshots go to FOLDER. Only Python's own modules are used.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from studio_page import FAINT, end, opened  # noqa: E402

CAMERA = os.environ.get("RETAKE_TEST_CAMERA", "simulated?size=320x240&fps=10")
SEEN = """
window.seen = [];
studio.pictures.on((view, picture) => seen.push({
  frame: picture.frame, isSound: Object.values(picture.planes).map(plane => plane.isSound), setting: { ...studio.store.state.a.values },
}));
"""
# How many requests for pictures are under way at once, at most.
COUNTED = """
window.most = 0;
{
  let now = 0;
  const real = window.fetch;
  window.fetch = async (path, ...rest) => {
    if (!String(path).endsWith('frame')) return real(path, ...rest);
    most = Math.max(most, ++now);
    try { return await real(path, ...rest); } finally { now -= 1; }
  };
}
"""
BADGE = "document.getElementById('badge').dataset.state + ' ' + document.getElementById('badge-text').textContent"


def text(page, selector):
    return page.evaluate("document.querySelector(%s).textContent.trim()" % json.dumps(selector))


def watch(page, answers):
    """Frames come by themselves, one request at a time, also while a slider moves."""
    page.evaluate(SEEN + COUNTED)
    page.wait_for("seen.length >= 8")
    found = {"frames": page.evaluate("seen.map(each => each.frame)"), "badge": page.evaluate(BADGE)}
    page.evaluate("studio.panel.reveal('matte.gamma').focus()")
    for _ in range(6):
        page.press("ArrowRight")
    page.wait_for("seen.at(-1).setting['matte.gamma']")
    page.wait_for("seen.length >= 20")
    found["isSound"] = page.evaluate("seen.flatMap(each => each.isSound).every(Boolean)")
    found["most"] = page.evaluate("most")
    found["latency"] = text(page, "#cost")
    page.evaluate("document.activeElement.blur()")
    answers["watch"] = found


def hold(page, answers):
    """A held frame stays while a parameter changes it."""
    page.press(" ")
    page.wait_for("studio.live.feed.isHeld && studio.pictures.isCurrent")
    page.settle(0.5)
    state = "(({ frame, planes }) => ({ frame, original: planes.original.digest, composite: planes.composite.digest }))(studio.pictures.current.a)"
    before = page.evaluate(state)
    page.evaluate("studio.store.edit({ a: studio.declarations.with(studio.store.state.a, 'matte.gamma', '4') })")
    page.wait_for("studio.pictures.current.a.planes.composite.digest !== '%s'" % before["composite"])
    after = page.evaluate(state)
    found = {"badge": page.evaluate(BADGE), "sameFrame": before["frame"] == after["frame"], "same": before["original"] == after["original"]}
    page.press(" ")
    page.wait_for("studio.pictures.current.a.frame > %d" % after["frame"])
    answers["hold"] = found


def shapes(page, answers):
    found = {"wide": {}, "faint": {}}
    for theme in ["light", "dark"]:
        page.media(prefers_color_scheme=theme)
        for width in [1600, 800]:
            page.size(width, 900)
            page.settle(1)
            found["wide"]["%s %d" % (theme, width)] = page.evaluate("document.documentElement.scrollWidth")
            found["faint"]["%s %d" % (theme, width)] = page.evaluate(FAINT)
            page.shot("%s/live-%s-%d.png" % (answers["folder"], theme, width), False)
    page.size(1600, 900)
    page.media(prefers_color_scheme="light")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "slider", "textbox", "spinbutton", "checkbox", "switch", "combobox", "searchbox", "ColorWell", "image"}
    found["unnamed"] = [node["role"]["value"] for node in nodes if not node.get("ignored")
                        and node["role"]["value"] in roles and not node.get("name", {}).get("value")]
    answers["shapes"] = found


def record(page, answers, address):
    """Records with keys, seen in a second tab; the page goes on with the recording, and back."""
    page.press("r")
    page.wait_for("document.body.classList.contains('recording')")
    first = page.session
    page.visit(address)
    page.wait_for("document.body.classList.contains('recording')")
    page.wait_for("studio.pictures.current.a")
    found = {"second": text(page, "#record")}
    # A tab that is closed does not end the recording.
    page.call("Page.close")
    page.session = first
    # The label is typed after the moment, and an R in it does not end the recording.
    page.press("n")
    page.wait_for("document.activeElement.id === 'mark-label'")
    for key in "here":
        page.press(key)
    page.press("Enter")
    page.wait_for("document.getElementById('notice').textContent.includes('here')")
    page.wait_for("document.getElementById('record-facts').textContent.includes('1 mark')")
    found["facts"] = text(page, "#record-facts")
    shapes(page, answers)
    page.evaluate("window.isOld = true")
    page.press("r")
    page.wait_for("!window.isOld && window.studio && document.body.classList.contains('ready') && !studio.live")
    page.wait_until_exact()
    found["path"] = page.evaluate("location.pathname")
    found["setting"] = page.setting()
    found["marks"] = page.evaluate("studio.session.recording.marks.map(mark => mark.label)")
    found["recording"] = page.evaluate("studio.session.recording.path")
    found["badge"] = page.evaluate(BADGE)
    found["digests"] = page.evaluate(
        "Object.fromEntries(Object.values(studio.pictures.current.a.planes).map(plane => [plane.tap, plane.digest]))")
    found["frame"] = page.evaluate("studio.pictures.current.a.frame")
    found["link"] = text(page, ".recording a")
    page.shot(answers["folder"] + "/live-recorded.png", False)
    page.evaluate("window.isOld = true; document.querySelector('.recording a').click()")
    page.wait_for("!window.isOld && window.studio?.live && studio.pictures.current.a")
    found["back"] = page.setting()
    page.wait_for("document.querySelector('#live-made a')")
    found["made"] = page.evaluate("[...document.querySelectorAll('#live-made a')].map(link => link.textContent)")
    answers["record"] = found


def main():
    chromium, program, folder = sys.argv[1:4]
    answers = {"folder": folder}
    with opened(chromium, program, "--device", CAMERA, "--record-to", folder) as (page, studio, address):
        page.wait_for("studio.pictures.current.a")
        watch(page, answers)
        hold(page, answers)
        record(page, answers, address)
        page.press("r")
        page.wait_for("document.body.classList.contains('recording')")
        page.settle(1)
        answers["console"] = page.lines("Canvas2D")
        answers["end"] = end(studio)
        page.wait_for("document.getElementById('notice').textContent.includes('does not answer')")
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
