"""The language model that readers open in a page, in a real browser with the page's own policy."""

import contextlib
import re

import pytest

pytest.importorskip("gguf")
pytest.importorskip("tokenizers")

import torch
from browsing import axe, opened
from conftest import ROOT
from small_language_file import write

from attn_book.head import loading, policy
from attn_book.site.folder import Site
from attn_book.site.page import Page
from attn_book.widgets import language
from attn_course.models.language_file import load
from attn_course.patching import exchanged_at, heads_replaced, recorded, together
from attn_course.views import palette
from attn_course.views.widgets import parts
from tools import serve

TEXT, OTHER = "The map", "to test"
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>A page</title></head><body><main><h1>A page</h1><div data-language-model></div></main></body></html>"""


@pytest.fixture(scope="module")
def stage_of_model(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def small(stage_of_model):
    """A model whose choices are clear."""
    return write(stage_of_model / "small.gguf")


@pytest.fixture
def visit(browser, stage_of_model, small, monkeypatch):
    """A page with a place for the model; ``beside``: whether its file lies beside the site."""

    folder = stage_of_model

    def visited(beside: bool = False):
        monkeypatch.setenv("ATTN_MODEL", str(small))
        monkeypatch.setenv("MODEL", "1" if beside else "")
        site = Site(ROOT, folder / "raw", folder)
        made = Page("chapters/page" if beside else "chapters/other", HTML)
        language.place(made, site)
        made.head.load(site.keep("_static", STYLE, ".css"))
        loading.make_scripts_small([made], site)
        policy.enforce(made)
        made.head.write()
        site.add(made.file, lambda: made.html(ROOT))
        return windows.enter_context(opened(browser, f"{served}{made.file}"))

    with serve.running(folder) as served, contextlib.ExitStack() as windows:
        yield visited


STYLE = "\n".join(
    [
        palette.css(),
        (parts.Path(parts.__file__).parent / "shared" / "common.css").read_text("utf-8"),
        (ROOT / "book" / "assets" / "book.css").read_text("utf-8"),
    ]
)


def said(view, words: str) -> None:
    view.locator("[data-part=said]", has_text=re.compile(words)).wait_for()


def with_file(view, path):
    view.locator("[type=file]").set_input_files(path)
    said(view, "Read: ")
    return view


def read(view, **fields) -> list[str]:
    for name, value in fields.items():
        field = view.locator(f"[data-part={name}]")
        field.select_option(value) if name == "position" else field.fill(value)
    view.get_by_role("button", name="Read it").click()
    said(view, "Read: ")
    return view.locator("tbody tr").all_inner_texts()


def expected(model, text, changes=None):
    with torch.no_grad():
        logits = model(text, changes=changes).logits[0, -1]
    return torch.softmax(logits.double(), 0)


def shares(rows: list[str], column: int) -> list[str]:
    return [row.split("\t")[column].replace("\xa0", "") for row in rows]


def percent(share: float) -> str:
    return "<1%" if share < 0.005 else f"{share:.0%}"


def test_the_file_is_opened_and_a_text_is_read(visit, small):
    model, text, _ = load(small)
    view = with_file(visit(), small)
    view.get_by_text("Change what it computes").click()
    rows = read(view, text=TEXT)
    ids = text.read(TEXT)
    plain = expected(model, ids)
    best = plain.topk(6)
    assert shares(rows, 1) == [percent(share) for share in best.values.tolist()]
    pieces = text.pieces(best.indices)
    shown = [row.split("\t")[0] for row in rows]
    assert shown == [piece.replace("\n", "↵").replace(" ", "␣") for piece in pieces]

    rows = read(view, heads="1.3, 2·0")
    changed = expected(model, ids, together(heads_replaced(model, [(1, 3), (2, 0)])))
    assert shares(rows, 2)[:3] == [percent(share) for share in changed.topk(3).values.tolist()]

    rows = read(view, heads="", other=OTHER, position="0")
    seen = recorded(model, text.read(OTHER), [("values", block) for block in range(3)])
    swapped = expected(model, ids, exchanged_at(seen, torch.arange(ids.shape[1]) == 0))
    assert shares(rows, 2)[:3] == [percent(share) for share in swapped.topk(3).values.tolist()]
    assert view.messages == []
    assert axe(view) == []


def test_it_writes_on_as_python_does(visit, small):
    model, text, _ = load(small)
    view = with_file(visit(), small)
    read(view, text=TEXT)
    ids = text.read(TEXT)
    view.get_by_role("button", name="Write on").click()
    said(view, "Written")
    with torch.no_grad():
        for _ in range(12):
            ids = torch.cat([ids, model(ids).logits[:, -1:].argmax(-1)], 1)
    whole = text.write(ids[0, text.read(TEXT).shape[1] :])
    assert view.locator("[data-part=written]").text_content() == whole


def test_the_site_s_own_file_is_kept_and_removed(visit, small):
    view = visit(beside=True)
    load_it = view.locator("[data-part=load]")
    assert load_it.inner_text().startswith("Load it from this site")
    load_it.click()
    said(view, "Read: ")
    view.reload()
    before = len(view.requests)
    view.get_by_role("button", name="Open what this browser has kept").click()
    said(view, "Read: ")
    assert not [each for each in view.requests[before:] if each.endswith(".gguf")]
    view.get_by_role("button", name="Remove it").click()
    said(view, "Removed")
    assert not view.evaluate("caches.has('attention-measured.model')")
    assert load_it.inner_text().startswith("Load it")
    assert view.messages == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda whole: whole[:-5000], "This file is cut off"),
        (lambda whole: b"%PDF" + whole, "This is no GGUF file"),
    ],
)
def test_what_is_no_model_is_refused_in_a_sentence(visit, small, tmp_path, change, words):
    view, wrong = visit(), tmp_path / "wrong.gguf"
    wrong.write_bytes(change(small.read_bytes()))
    view.locator("[type=file]").set_input_files(wrong)
    said(view, words)
    assert view.locator("[data-part=form]").is_hidden()
    with_file(view, small)


def test_what_cannot_be_read_is_said(visit, small):
    view = with_file(visit(), small)
    view.get_by_text("Change what it computes").click()
    button = view.get_by_role("button", name="Read it")
    for fields, words in [
        ({"text": ""}, "There must be a text"),
        ({"text": "a, b. " * 200}, "this page reads 200 at most"),
        ({"text": TEXT, "heads": "7.1"}, "There is no head 7·1"),
        ({"heads": "seven"}, "block first; not seven"),
        ({"heads": "", "other": "A text of more symbols"}, "between texts of one length"),
    ]:
        for name, value in fields.items():
            view.locator(f"[data-part={name}]").fill(value)
        button.click()
        said(view, words)
