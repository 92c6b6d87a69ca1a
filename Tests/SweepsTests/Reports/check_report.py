"""Reads a report as a browser would and says what is off, as JSON: {"problems": [...], "texts": [...], "data": {...}}.

    check_report.py REPORT.html
"""

import base64
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "link", "input", "br", "img", "hr"}
SHAPES = {"path", "rect", "circle"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.problems = []
        self.ids = []
        self.wanted = []
        self.counts = {}
        self.texts = []
        self.sources = {"style": [], "script": []}
        self.data = None
        self.policy = ""

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if len(values) != len(attributes):
            self.problems.append(f"<{tag}> has an attribute twice")
        for name, value in attributes:
            if name.startswith("on"):
                self.problems.append(f"<{tag}> has {name}")
            if name == "style":
                self.problems.append(f"<{tag}> has a style of its own")
            if name in ("src", "href", "action", "data", "poster") and not re.match(r"#|data:image/png;base64,|data:,$", value):
                self.problems.append(f"<{tag}> asks for {value[:60]}")
        if "id" in values:
            self.ids.append(values["id"])
        for name in ("for", "aria-labelledby"):
            if name in values:
                self.wanted.append(values[name])
        if tag == "a" and values.get("href", "").startswith("#"):
            self.wanted.append(values["href"][1:])
        if tag == "img" and not values.get("alt"):
            self.problems.append("a picture has no words")
        if tag == "th" and values.get("scope") not in ("col", "row"):
            self.problems.append("a head of a table has no scope")
        if tag == "svg" and not (values.get("aria-label") or values.get("aria-hidden") == "true"):
            self.problems.append("a drawing has no label")
        if values.get("tabindex") == "0" and not (values.get("aria-label") or values.get("aria-labelledby")):
            self.problems.append(f"<{tag}> can have the focus and no name")
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        for name in ("d", "x", "y", "cx", "cy", "width", "height", "transform"):
            if re.search("nan|inf|None|nil", values.get(name, ""), re.I):
                self.problems.append(f"<{tag}> has {name}={values[name][:60]}")
        if tag not in VOID:
            self.open.append((tag, values))

    def handle_startendtag(self, tag, attributes):
        if tag not in SHAPES:
            self.problems.append(f"<{tag}/> ends itself")
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.problems.append(f"</{tag}> where {[name for name, _ in self.open[-3:]]} is open")
        else:
            self.open.pop()

    def handle_data(self, text):
        tag, values = self.open[-1] if self.open else ("", {})
        if tag in ("style", "script"):
            if values.get("type") == "application/json":
                self.data = json.loads(text, parse_constant=lambda name: self.problems.append(f"a number is {name}"))
            else:
                self.sources[tag].append(text)
        elif text.strip():
            self.texts.append(text)


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        page.feed(file.read())
    page.close()
    problems = page.problems
    if page.open:
        problems.append(f"{[name for name, _ in page.open]} is never closed")
    problems += [f"id {name} is there twice" for name in set(page.ids) if page.ids.count(name) > 1]
    problems += [f"there is no id {name}" for name in sorted(set(page.wanted)) if name not in page.ids]
    for tag, sources in page.sources.items():
        if len(sources) != 1:
            problems.append(f"there are {len(sources)} of <{tag}>")
        for source in sources:
            digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
            if f"{tag}-src 'sha256-{digest}'" not in page.policy:
                problems.append(f"the policy does not name <{tag}>")
    if not page.policy.startswith("default-src 'none';") or "http" in page.policy or "unsafe" in page.policy:
        problems.append(f"the policy is {page.policy}")
    if re.search(r"url\(|@import|fetch\(|XMLHttpRequest|WebSocket|localStorage|innerHTML|eval\(", "".join(sum(page.sources.values(), []))):
        problems.append("style or script could ask a network, keep something or make markup")
    if [text for text in page.texts if re.search(r"\b(nan|inf|nil|Optional)\b", text)]:
        problems.append("a number is none")
    json.dump({"problems": problems[:20], "texts": page.texts, "counts": page.counts, "data": page.data}, sys.stdout)


main()
