"""Pages that one build keeps for the next are those that it would make again."""

import functools
import json
import operator
from datetime import date

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from making import ROOT, html_of

from attn_book import publish
from attn_book.address import Address
from attn_book.head.cards import Card
from attn_book.notebooks import glossary, moved, recall
from attn_book.site import fonts
from attn_book.site.edition import Edition
from attn_book.site.folder import Site
from attn_course.claims import Measured, claim

ONE, TWO, API = "chapters/01-one", "chapters/02-two", "book/weights"
FRONT, ALL, TERMS, AGAIN = "book/index", moved.CLAIMS, glossary.DOCUMENT, "book/your-progress"
EVERY = {ONE, TWO, API, FRONT, ALL, TERMS, AGAIN, "search", "404"}
STATIC = ["host.js", "styles/all.css", *(f"styles/{face}.woff2" for face in fonts.FIRST)]
MENU = f'<nav class="bd-links"><a href="{{0}}{ONE}.html">1</a><a href="{{0}}{TWO}.html">2</a></nav>'
WIDGET = {
    "_anywidget_id": "made.up.Prediction",
    "_esm": "export default { render({ model, el }) { el.textContent = model.get('summary'); } };",
    "question": "Which?",
}
BODIES = {
    FRONT: f'<i data-minutes-of="{TWO}"></i><p><i data-counted="all"></i></p>'
    f'<div data-chapter-widget="Prediction" data-chapter="{TWO}" data-traits="{{}}"></div>',
    ALL: f'<div data-claims="{ONE}"></div><div data-claims="{TWO}"></div>',
    TERMS: '<dl class="glossary"><dt id="term-mask">mask</dt><dd><p>Shown.</p></dd></dl>',
    AGAIN: recall.HTML,
    API: "<i id='attn_course.weights'></i>",
    ONE: "<p>A <strong>mask</strong> here.</p>",
    TWO: "<p>A <strong>mask</strong>, and <code class='literal'>attn_course.weights</code>.</p>"
    "<section class='attn-questions'><h2>What you should now be able to say</h2>"
    "<details><summary>What?</summary>That.</details></section>",
}


class Made:
    """A book that is made again and again in one folder."""

    def __init__(self, root):
        self.root = root
        for name in ("node_modules", "package.json"):
            (root / name).symlink_to(ROOT / name)
        self.write("_toc.yml", f"root: {FRONT}\nchapters:\n- file: {ONE}\n- file: {TWO}\n")
        self.write(moved.TABLE, f"{ONE}:\n  old: {TWO}\n")
        for name in STATIC:
            self.write(f"_build/raw/_static/{name}", "")
        # the last two are alike but for their names
        self.titles = {name: name for name in EVERY} | {"search": "", "404": ""}
        self.bodies = dict.fromkeys(EVERY, "") | BODIES
        self.claims = {ONE: {"one": 1.0}, TWO: {"one": 1.0, "two": 2.0}}
        self.summary, self.places = "Seen.", {"attn_course.weights": API}
        self.address, self.days, self.cards, self.means = None, {}, {}, "means"

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def files(self) -> dict[str, bytes]:
        raw, executed = {}, {}
        for name, title in self.titles.items():
            body, parts = f"<section id='top'><h1>{title}</h1>{self.bodies[name]}</section>", {}
            if name in self.claims:
                outputs = stated(self.claims[name])
                call_outs = "".join(output["text/html"] for output in outputs)
                body += f'<div class="cell"><div class="cell_output">{call_outs}</div></div>'
                cells = [{"cell_type": "markdown", "source": f"# {title}", "metadata": {}}]
                cells += [{"cell_type": "code", "id": "a", "source": "", "metadata": {}}]
                self.write(f"{name}.ipynb", json.dumps({"cells": cells, "metadata": {}}))
                cells[1]["outputs"] = [{"data": output} for output in outputs]
                executed[name] = {"cells": cells}
                model = {"model_name": "AnyModel", "model_module": "anywidget"}
                model["state"] = WIDGET | {"summary": self.summary}
                parts = {"models": {"a": model}, "views": ["a"]}
            raw[name] = html_of(body, frame=MENU.format("../" * name.count("/")), **parts)
        site = Site(self.root, self.root / "_build/raw", publish.fresh(self.root / "_build/html"))
        edition = Edition("T", FRONT, self.address)
        publish.make_site(publish.Book(raw, site, executed, edition, self.places, self.means))
        paths = (path for path in site.folder.rglob("*") if path.is_file())
        return {path.relative_to(site.folder).as_posix(): path.read_bytes() for path in paths}


def stated(values: dict[str, float]) -> list[dict]:
    """The output of a claim that these values, all above 0.5, are measured."""
    measured = {name: Measured(value, "piece") for name, value in values.items()}
    holds = functools.reduce(operator.and_, (measured[name] > 0.5 for name in sorted(measured)))
    with capture_output() as captured:
        names = ", ".join(f"{{{name}}}" for name in sorted(measured))
        claim(f"There is {names}.", holds, "expected", **measured)
    return [output.data for output in captured.outputs]


def reworded(name: str, old: str, new: str):
    def change(book: Made) -> None:
        assert old in book.bodies[name]
        book.bodies[name] = book.bodies[name].replace(old, new)

    return change


def put(what: str, name: str, new):
    return lambda book: getattr(book, what).update({name: new})


def now(**new):
    return lambda book: vars(book).update(new)


# in this order, one after the other; with the pages that each touches
CHANGES = {
    "nothing": (now(), set()),
    "a sentence": (reworded(TWO, "and <code", "or <code"), {TWO}),
    "a minute": (reworded(TWO, "A <strong", "Word, " * 200 + "a <strong"), {TWO, FRONT}),
    "a claim's number": (put("claims", TWO, {"one": 1.0, "two": 3.0}), {TWO, ALL}),
    "a claim's order": (put("claims", TWO, {"two": 3.0, "one": 1.0}), {TWO, ALL}),
    "a definition": (reworded(TERMS, "Shown", "Hidden"), {TERMS}),
    "a term": (reworded(TERMS, "<dd>", '<dt id="term-masks">masks</dt><dd>'), {TERMS, ONE, TWO}),
    "where a term is first": (reworded(ONE, "<strong>mask</strong>", "mask"), {TERMS, ONE, TWO}),
    "where a term is more": (reworded(ONE, "here", "and a mask"), {TERMS, ONE}),
    "the title of a page": (put("titles", FRONT, "Begin"), {FRONT}),
    "the title of a chapter": (put("titles", TWO, "Second"), EVERY),
    "a question": (reworded(TWO, "What?", "Why?"), EVERY),
    "an answer": (reworded(TWO, "That.", "This."), {TWO, AGAIN}),
    "a widget": (now(summary="Heard."), {ONE, TWO, FRONT}),
    "a name of the reference": (now(places={}), EVERY),
    "an address": (now(address=Address("a/b", "https://a.org/b/", "v1")), EVERY),
    "a commit": (put("days", TWO, date(2026, 3, 5)), {TWO}),
    "a picture": (put("cards", ONE, Card("a.png", "A")), {ONE}),
    "code": (now(means="others"), EVERY),
    "a page": (lambda book: book.titles.pop(API), EVERY - {API}),
}


@pytest.fixture
def shell():
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_a_change_makes_again_the_pages_that_it_touches_and_all_are_as_made_anew(
    tmp_path, monkeypatch, shell
):
    if not (ROOT / "node_modules").exists():
        pytest.skip("needs `npm ci`, which `make book` runs")
    book, finished, finish = Made(tmp_path), [], publish.finish
    monkeypatch.setattr(publish, "finish", lambda *of: finished.append(of[0].name) or finish(*of))
    monkeypatch.setattr(publish.loading, "join", lambda *of: "_static/styles/all.css")
    monkeypatch.setattr(publish.history, "dates", lambda *of: book.days)
    monkeypatch.setattr(publish.sharing, "pictures", lambda *of: book.cards)
    before = book.files()
    for what, (change, touched) in CHANGES.items():
        change(book)
        finished.clear()
        after = book.files()
        assert {*finished} == touched, what
        assert (after == before) == (what in ("nothing", "code")), what
        with monkeypatch.context() as forgetful:
            forgetful.setattr(publish.answers, "remembered", lambda root, inputs, work: work())
            before = book.files()
        assert after == before, what
