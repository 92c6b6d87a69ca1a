"""Sweeps from the page of 'retake studio' in a headless Chromium as a person would. Prints what came of it, as JSON.

    browse_sweep.py CHROMIUM PROGRAM RECORDING FOLDER > answers.json

Screenshots go to FOLDER. Only Python's own modules are used.
"""

import json
import sys

from studio_page import CONTROL, FAINT, end, opened

# In the drawer, and not on the forecast.
RUN_IS_SEEN = """
(() => {
  const [run, sweep, forecast] = ['sweep-run', 'sweep', 'sweep-forecast'].map(id => document.getElementById(id).getBoundingClientRect());
  const isBeside = run.bottom <= forecast.top || run.top >= forecast.bottom || run.right <= forecast.left || run.left >= forecast.right;
  return run.width > 0 && run.bottom <= sweep.bottom && run.top >= sweep.top && isBeside;
})()
"""
# Fields of a row that lie outside of their column, or on each other.
SPILT = """
[...document.querySelectorAll('.sweep-term')].flatMap(row => {
  const column = row.closest('.sweep-setup > div').getBoundingClientRect();
  const boxes = [...row.querySelectorAll('select, input, button')].map(each => [each, each.getBoundingClientRect()]);
  const meets = (one, two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
  return boxes.filter(([each, box]) => box.right > column.right || boxes.some(([other, its]) => other !== each && meets(box, its)))
    .map(([each]) => each.getAttribute('aria-label'));
})
"""
ROWS = "[...document.querySelectorAll('#sweep-table tbody tr[data-index]')]"


def state_is(word):
    return "document.getElementById('sweep-state').textContent.startsWith('%s')" % word


def fill(page, selector, text):
    """Types into a field in place of what it has."""
    page.evaluate("(() => { const field = document.querySelector(%s); field.focus(); field.select(); })()" % json.dumps(selector))
    page.call("Input.insertText", text=text)


def choose(page, selector, value):
    page.evaluate("(() => { const field = document.querySelector(%s); field.value = %s;"
                  " field.dispatchEvent(new Event('change', { bubbles: true })); })()" % (json.dumps(selector), json.dumps(value)))


def set_scores(page, names):
    page.evaluate("document.querySelectorAll('.sweep-scores input').forEach(box => { if (box.checked !== %s.includes(box.value)) box.click(); })"
                  % json.dumps(names))


def scan(page, name, low, high, step):
    for field, text in [("low", low), ("high", high), ("step", step)]:
        fill(page, '[data-term="%s"] [data-field="%s"]' % (name, field), text)


def wait_for_forecast(page):
    page.wait_for("!document.getElementById('sweep-run').disabled")
    return page.evaluate("Object.fromEntries([...document.querySelectorAll('#sweep-forecast dl div')].map(row => [...row.children].map(each => each.textContent)))")


# Parameters whose first values in a sweep leave out the one that they have.
WITHOUT_PRESENT_VALUE = """
(async () => {
  const { firstValues } = await import(new URL('sweep/sweepsetup.js', location.href));
  const { declarations, session, store } = studio;
  const found = [];
  for (const parameter of declarations.list) {
    const value = declarations.value(store.setting, parameter.name);
    const { kind, low, high, step, list } = firstValues(parameter, value, false, declarations, session);
    const values = kind === 'list' ? list.split(',')
      : Array.from({ length: 5 }, (_, i) => Number(low) + i * Number(step)).filter(each => each <= Number(high) + 1e-9);
    if (!values.some(each => kind === 'list' ? each === value : Math.abs(each - value) < 1e-9)) found.push(parameter.name);
  }
  return found;
})()
"""

# Which field of the range 0.1 to 0.3 the page calls wrong: none for the step 0.2, although 0.3 - 0.1 is less in binary.
WRONG_FIELDS = """
(async () => {
  const { wrongField } = await import(new URL('sweep/sweepsetup.js', location.href));
  const range = step => ({ kind: 'scan', low: '0.1', high: '0.3', step });
  return ['0.2', '0.3'].map(step => wrongField(range(step), studio.declarations.byName.get('mask.offset'))?.field ?? '');
})()
"""


def mark_ranges(page, answers):
    """Opens the sweep by its key, marks two controls, and waits for the forecast."""
    page.press("s")
    page.click('[data-name="matte.refine-outside"] .vary')
    page.click('[data-name="matte.refine-inside"] .vary')
    # The next parameter comes while the program plays for the first one's forecast.
    page.settle(0.6)
    choose(page, "#sweep-add", "mask.kind")
    answers["kinds"] = page.evaluate("document.querySelector('[data-term=\"mask.kind\"] [data-field=list]').value")
    answers["withoutPresentValue"] = page.evaluate(WITHOUT_PRESENT_VALUE)
    answers["wrongFields"] = page.evaluate(WRONG_FIELDS)
    wait_for_forecast(page)
    page.click('[data-term="mask.kind"] .reset')
    scan(page, "matte.refine-outside", "1", "5", "2")
    scan(page, "matte.refine-inside", "0", "1", "1")
    page.evaluate("studio.store.set({ shownScores: ['iou', 'flicker'] })")
    page.evaluate("[...document.querySelectorAll('#sweep button.link')].find(each => each.textContent === 'those of the timeline').click()")
    assert page.evaluate("[...document.querySelectorAll('.sweep-scores input:checked')].map(each => each.value)") == ["iou", "flicker"]
    page.evaluate("studio.store.set({ shownScores: [] })")
    answers["forecast"] = wait_for_forecast(page)
    answers["notes"] = page.evaluate("[...document.querySelectorAll('.vary-note:not([hidden])')].map(note => note.textContent)")
    answers["command"] = page.evaluate("document.getElementById('sweep-command').textContent")
    fill(page, '[data-term="matte.refine-outside"] [data-field="high"]', "many")
    page.wait_for("!document.getElementById('sweep-problem').hidden")
    answers["problem"] = page.evaluate("document.getElementById('sweep-problem').textContent")
    fill(page, '[data-term="matte.refine-outside"] [data-field="high"]', "5")
    wait_for_forecast(page)


def run_grid(page, answers):
    page.click("#sweep-run")
    page.wait_for(state_is("done"))
    answers["path"] = page.evaluate("document.getElementById('sweep-path').textContent")
    answers["rows"] = page.evaluate(ROWS + ".length")
    answers["heads"] = page.evaluate("[...document.querySelectorAll('#sweep-table thead [data-head]')].map(head => head.textContent)")
    answers["strayFigures"] = page.evaluate("(() => { const cells = new Set(" + ROWS + ".flatMap(row => [...row.cells].map(cell => cell.textContent)));"
                                            " return studio.sweep.results.pareto.figures.flatMap(texts => [texts[0], texts.at(-1)]).filter(text => !cells.has(text)); })()")
    # The table's heads sort it.
    page.evaluate("document.querySelector('#sweep-table [data-head=\"t0\"]').focus()")
    page.press("Enter")
    answers["sorted"] = page.evaluate(ROWS + ".map(row => row.cells[1].textContent)")


def open_settings(page, answers):
    page.click('#sweep-table tr[data-index="5"] [data-act="b"]')
    page.wait_until_exact()
    answers["b"] = page.setting("b")
    answers["compare"] = page.evaluate("studio.store.state.compare")
    # The first point of the plot that is another setting, by keys only.
    page.evaluate("document.querySelector('.pareto-plot canvas').focus()")
    other = "studio.store.state.b.name !== " + json.dumps(answers["b"]["name"])
    for _ in range(6):
        page.press("ArrowRight")
        page.press("Enter")
        page.settle(0.3)
        if page.evaluate(other):
            break
    page.wait_for(other)
    page.wait_until_exact()
    answers["byKeys"] = page.setting("b")
    # The table is drawn again during the press, as while a sweep runs.
    x, y, width, height = page.box('#sweep-table tr[data-index="0"] [data-act="a"]')
    page.mouse("mousePressed", x + width / 2, y + height / 2, button="left", clickCount=1)
    page.evaluate("studio.sweep.results.draw()")
    page.mouse("mouseReleased", x + width / 2, y + height / 2, button="left", clickCount=1)
    answers["a"] = page.setting("a")
    # Its name stands for its values.
    page.evaluate("studio.store.edit({ a: studio.declarations.with(studio.store.state.a, 'matte.blur', '7') })")
    answers["changedName"] = page.evaluate("document.querySelector('#name-a').textContent")
    page.press("z", CONTROL)
    answers["undoneName"] = page.evaluate("document.querySelector('#name-a').textContent")


def brush(page, answers):
    """Drags along the first axis, from the middle to its upper end."""
    x, y, width, height = page.box(".parallel-plot")
    page.drag((x + 46, y + 30 + (height - 50) * 0.25), (x + 46, y + 20), 8)
    answers["brushed"] = page.evaluate("[...new Set(" + ROWS + ".map(row => row.cells[1].textContent))]")
    page.evaluate("studio.sweep.results.parallel.clear()")
    answers["unbrushed"] = page.evaluate(ROWS + ".length")


def looks(page, answers, folder):
    answers["faint"], answers["wide"], answers["fields"], answers["runs"], answers["spilt"] = {}, {}, {}, {}, {}
    for name in ["setup", "results"]:
        page.click("#sweep-show-" + name)
        for theme in ["light", "dark"]:
            page.media(prefers_color_scheme=theme)
            for width, height in [(1600, 900), (1440, 900), (1280, 900), (800, 900)]:
                page.size(width, height)
                page.settle(0.3)
                key = "%s %s %d" % (name, theme, width)
                answers["faint"][key] = page.evaluate(FAINT)
                answers["wide"][key] = page.evaluate("document.documentElement.scrollWidth")
                if name == "setup":
                    answers["fields"][key] = page.evaluate("Math.min(...[...document.querySelectorAll('.sweep-term .number')].map(field => field.offsetWidth))")
                    answers["runs"][key] = page.evaluate(RUN_IS_SEEN)
                    answers["spilt"][key] = page.evaluate(SPILT)
                else:
                    # Axes that do not fit are scrolled to, so that their figures are whole.
                    answers["axis"] = page.evaluate("document.querySelector('.parallel-plot').clientWidth"
                                                    " / document.querySelector('.parallel-plot canvas').getAttribute('aria-label').split(', ').length")
                page.shot(folder + "/sweep-" + key.replace(" ", "-") + ".png", False)
    page.media(prefers_color_scheme="light")
    page.size(1600, 900)
    page.settle(0.2)
    answers["unnamed"] = page.evaluate("[...document.querySelectorAll('#sweep :is(button, input, select, canvas[tabindex])')].filter(each =>"
                                       " !(each.getAttribute('aria-label') || each.textContent.trim() || each.closest('label')?.textContent.trim())).map(each => each.outerHTML)")


def make_room(page, answers):
    """Sweep and truth take the same room, so one makes way for the other."""
    isShown = "[studio.sweep.isOpen, studio.store.state.isPainting]"
    page.click("#truth-mode")
    answers["room"] = {"painting": page.evaluate(isShown)}
    page.click("#sweep-mode")
    answers["room"]["sweeping"] = page.evaluate(isShown)


def stop_and_go_on(page, answers):
    """A search is stopped, found again after a reload, and gone on with."""
    page.click("#sweep-show-setup")
    page.evaluate("document.querySelector('[name=sweep-way][value=search]').click()")
    choose(page, "#sweep-best", "iou")
    choose(page, '[data-term="matte.refine-outside"] [data-field="kind"]', "range")
    fill(page, '[data-term="matte.refine-outside"] [data-field="high"]', "12")
    fill(page, "#sweep-budget", "900")
    answers["searchForecast"] = wait_for_forecast(page)
    answers["searchCommand"] = page.evaluate("document.getElementById('sweep-command').textContent")
    # A sweep that ends without a reload leaves Run, or Go on, to be pressed.
    page.evaluate("studio.sweep.setup.setRunning(true), studio.sweep.setup.setRunning(false)")
    page.wait_for("!document.getElementById('sweep-run').disabled")
    page.click("#sweep-run")
    page.wait_for("studio.sweep.results.count > 0")
    page.evaluate("window.isOld = true")
    page.call("Page.reload")
    page.wait_for("!window.isOld && document.body.classList.contains('ready') && window.studio?.sweep?.isOpen && studio.sweep.results.count > 0")
    answers["found"] = page.evaluate("document.getElementById('sweep-state').textContent")
    page.click("#sweep-stop")
    page.wait_for(state_is("stopped"))
    answers["kept"] = page.evaluate("studio.sweep.results.count")
    answers["searchPath"] = page.evaluate("document.getElementById('sweep-path').textContent")
    # Where its results are.
    answers["hasGoOn"] = page.evaluate("document.getElementById('sweep-run').checkVisibility() && document.getElementById('sweep-run').textContent")
    page.wait_for("!document.getElementById('sweep-run').disabled")
    page.click("#sweep-run")
    page.wait_for(state_is("done"))
    answers["whole"] = page.evaluate(ROWS + ".filter(row => !row.textContent.includes('frames')).length")


def main():
    chromium, program, recording, folder = sys.argv[1:]
    answers = {}
    with opened(chromium, program, recording) as (page, studio, _):
        for part in [mark_ranges, run_grid, open_settings, brush]:
            part(page, answers)
        looks(page, answers, folder)
        make_room(page, answers)
        stop_and_go_on(page, answers)
        answers["console"] = page.lines("400 (Bad Request)")
        answers["end"] = end(studio)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
