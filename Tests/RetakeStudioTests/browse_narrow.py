"""Looks at what a narrow page of 'retake studio' has room for, in a headless Chromium. Prints what it finds, as JSON.

    browse_narrow.py CHROMIUM PROGRAM FOLDER SHOTS > answers.json

FOLDER has a recording with marks beside each other and at its end. Only Python's own modules are used.
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from studio_page import FAINT, end, opened  # noqa: E402

BOXES = """
(selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).map(each => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return { left, right, top, bottom, isCut: each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1 };
}))(%s)
"""


def boxes(page, selector):
    return page.evaluate(BOXES % json.dumps(selector))


def meet(one, two):
    return one["left"] < two["right"] - 0.5 and two["left"] < one["right"] - 0.5 and one["top"] < two["bottom"] - 0.5 and two["top"] < one["bottom"] - 0.5


def marks(page):
    """How many marks' labels are cut, by their own box or the timeline's, and how many lie on another's."""
    found, line = boxes(page, "#timeline .mark"), boxes(page, "#timeline")[0]
    return {
        "count": len(found),
        "cut": sum(each["isCut"] or each["right"] > line["right"] + 0.5 or each["left"] < line["left"] - 0.5 for each in found),
        "met": sum(meet(one, two) for i, one in enumerate(found) for two in found[i + 1:]),
    }


def difference(page, shots, width):
    page.evaluate("studio.store.set({ compare: 'difference', main: 'composite', layout: 'focus' })")
    page.evaluate("studio.store.edit({ b: studio.declarations.with(studio.store.state.b, 'matte.blur', '9') })")
    page.wait_until_exact()
    x, y, w, h = page.box(".tile.main .tile-view")
    page.mouse("mouseMoved", x + w / 2, y + h / 2)
    page.wait_for("document.querySelector('.tile.main .tile-value').textContent.includes('B')")
    page.settle(0.1)
    page.shot("%s/difference-%d.png" % (shots, width), False)
    value, gain = boxes(page, ".tile.main .tile-value")[0], boxes(page, "#gain")[0]
    small = boxes(page, ".tile:not(.main) .tile-value")
    return {"meet": meet(value, gain), "cut": value["isCut"], "smallCut": sum(each["isCut"] for each in small), "small": len(small)}


def scores(page, shots):
    """Pixels that parameters keep below many scores, how many controls can be reached, and the command for a range."""
    page.size(1280, 800)
    page.evaluate("""(() => {
      for (const id of ['histogram', 'scores', 'score-choose']) document.getElementById(id).open = true;
      studio.store.set({ from: 20, to: 31, frame: 25, compare: 'off', shownScores: studio.session.scores.slice(0, 8).map(each => each.name) });
    })()""")
    page.wait_for("document.querySelectorAll('#score-table tbody tr').length === 8")
    page.settle(0.3)
    page.shot("%s/scores-1280.png" % shots, False)
    groups, window = boxes(page, "#groups")[0], page.evaluate("innerHeight")
    page.evaluate("[...document.querySelectorAll('#file-menu button')].find(each => each.id === 'save-yaml').click()")
    page.wait_for("document.getElementById('notice').textContent.startsWith('Saved')")
    return {"height": groups["bottom"] - groups["top"], "below": max(0, boxes(page, "#parameter-help")[0]["bottom"] - window),
            "notice": page.evaluate("document.getElementById('notice').textContent")}


# Controls of the panel that lie outside of it, and fields without room for a value.
CUT = """
(({ left, right }) => [...document.querySelectorAll('#panel :is(select, input, button, .unit)')].filter(each => {
  const box = each.getBoundingClientRect();
  const isField = each.matches('select, [type=text], [type=search]');
  return each.checkVisibility() && (box.left < left - 0.5 || box.right > right + 0.5 || (isField && box.width < 50));
}).map(each => each.id || each.textContent))(document.getElementById('panel').getBoundingClientRect())
"""


def panel(page, shots):
    for width in [640, 400]:
        page.size(width, 800)
        page.settle(0.2)
        assert page.evaluate(CUT) == [], page.evaluate(CUT)
        page.evaluate("studio.panel.reveal('matte.blur').focus()")
        page.shot("%s/panel-%d.png" % (shots, width), False)
        assert page.evaluate("(field => { const { left, top } = field.getBoundingClientRect();"
                             " return document.elementFromPoint(left + 5, top + 5) === field; })(studio.panel.control('matte.blur').text)")


def long(chromium, program, shots):
    """The lane of depth of more frames than one question of the page may have."""
    recording = os.path.join(shots, "long.retake")
    device = "simulated?pace=fast&frames=2100&size=64x48"
    subprocess.run([program, "record", "--device", device, "-o", recording, "--keep-free", "0"], check=True, stdout=subprocess.DEVNULL)
    # Every tenth frame of the video has depth.
    with opened(chromium, program, recording, "--set", "depth.rate=1/10") as (page, studio, address):
        # Places of the lane that differ from the one to the left of them.
        steps = """(canvas => {
          const { data } = canvas.getContext('2d').getImageData(0, 31, canvas.width, 1);
          return Array.from({ length: canvas.width - 1 }, (_, i) => i + 1).filter(i => data[4 * i] !== data[4 * i - 4]).length;
        })(document.getElementById('track'))"""
        page.wait_for(steps + " > 400")
        end(studio)


def folder(page, shots, width):
    page.size(width, 900)
    page.settle(0.2)
    page.shot("%s/list-%d.png" % (shots, width), False)
    return page.evaluate("""(() => {
      const field = document.getElementById('search'), style = getComputedStyle(field);
      const context = document.createElement('canvas').getContext('2d');
      context.font = style.font;
      return field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - context.measureText(field.placeholder).width;
    })()""")


def main():
    chromium, program, place, shots = sys.argv[1:]
    answers = {"marks": {}, "difference": {}, "hint": {}, "faint": []}
    ready = "document.body.classList.contains('ready')"
    # A folder by its own name.
    os.chdir(place)
    with opened(chromium, program, ".", ready=ready) as (page, studio, address):
        answers["name"] = page.evaluate("document.getElementById('folder').textContent")
        for width in [1600, 800]:
            answers["hint"][str(width)] = folder(page, shots, width)
        answers["end"] = [end(studio)]
    with opened(chromium, program, os.path.join(place, "a.retake")) as (page, studio, address):
        for width in [1600, 800]:
            page.size(width, 900)
            for scheme in ["light", "dark"]:
                page.media(prefers_color_scheme=scheme)
                page.settle(0.3)
                page.shot("%s/marks-%d-%s.png" % (shots, width, scheme), False)
                answers["faint"] += page.evaluate(FAINT)
            answers["marks"][str(width)] = marks(page)
            answers["difference"][str(width)] = difference(page, shots, width)
        answers["scores"] = scores(page, shots)
        panel(page, shots)
        answers["end"].append(end(studio))
    long(chromium, program, shots)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
