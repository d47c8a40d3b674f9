"""The report card in a real browser, from a file: it lives, and answers as PyTorch does."""

import sys
from pathlib import Path

import pytest
from browsing import axe, opened

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from capstone_corpora import ALONE, pairs, written

from attn_own import designs, trained
from attn_own.command import main

TEXTS = ("abc", "e\u0301dcbaa", "a", "aŵb", "ééé bb")


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """A card for each model, and one whose symbols are words."""
    corpora = tmp_path_factory.mktemp("corpus")
    path = written(corpora / "letters.tsv", pairs())
    small = [*ALONE, "--size", "16", "--epochs", "4", "--batch", "16", "--rate", "0.02"]
    folders = {}
    for model in designs.MODELS:
        assert main(["train", str(path), "--model", model, *small]) == 0
        folders[model] = corpora / f"letters-{model}"
    rows = [(" ".join(source), " ".join(target)) for source, target in pairs()]
    path = written(corpora / "words.tsv", rows)
    assert main(["train", str(path), "--words", *small]) == 0
    folders["words"] = corpora / "words-bahdanau"
    sides = ["--words", "source", "--form", "NFD", "--into", str(corpora / "sides")]
    assert main(["train", str(path), *sides, *small]) == 0
    folders["sides"] = corpora / "sides"
    for where in folders.values():
        assert main(["report", str(where)]) == 0
    return folders


def card(browser, where, **options):
    return opened(browser, (where / "report.html").as_uri(), **options)


def box(page):
    return page.get_by_role("textbox", name="A text of your own")


def answer(page):
    return page.get_by_role("group", name="Answer").text_content()


@pytest.mark.parametrize("model", designs.MODELS)
def test_own_input_gives_torchs_answer_and_asks_nobody(browser, cards, model):
    loaded = trained.load(cards[model])
    with card(browser, cards[model]) as page:
        for text, expected in zip(TEXTS, loaded.ask(TEXTS), strict=True):
            box(page).fill(text)
            assert answer(page) == expected.text
            cells = page.locator(".attn-own-reader [role=gridcell][aria-label]")
            shares = [float(cell.get_attribute("aria-label")) for cell in cells.all()]
            weights = expected.weights.ravel()
            assert shares[: len(weights)] == pytest.approx(weights, abs=0.006)
            heads = page.locator(".attn-own-reader .attn-rowheader .attn-sure").all_text_contents()
            ended = not loaded.was_cut(expected)  # the end has a row too
            assert len(heads) == len(expected.text) + ended
        assert page.messages == []
        assert all(url.startswith(("file:", "data:")) for url in page.requests)


def test_each_side_and_form_is_that_of_the_training(browser, cards):
    loaded = trained.load(cards["sides"])
    assert loaded.target_vocabulary.separator == ""
    with card(browser, cards["sides"]) as page:
        for text in ("é  b c", "e\u0301 d"):
            box(page).fill(text)
            assert answer(page) == loaded.ask([text])[0].text
            assert "It never saw" not in page.locator(".attn-verdict").text_content()


def test_words_are_read_as_words(browser, cards):
    loaded = trained.load(cards["words"])
    with card(browser, cards["words"]) as page:
        box(page).fill(" a  b c  zz ")
        assert answer(page) == loaded.ask(["a b c zz"])[0].text
        assert "It never saw “\u2068zz\u2069”" in page.locator(".attn-verdict").text_content()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_it_is_accessible_in_light_and_dark_and_fits_a_phone(browser, cards, width, scheme):
    with card(browser, cards["bahdanau"], width=width, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert axe(page) == []


def test_on_paper_it_is_light_and_whole(browser, cards):
    with card(browser, cards["bahdanau"], scheme="dark") as page:
        page.emulate_media(media="print")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(253, 252, 249)"
        assert page.locator("h2").count() == 8


def test_without_scripts_its_sentences_stand(browser, cards):
    with card(browser, cards["luong"], java_script_enabled=False) as page:
        assert page.locator(".attn-card-widget p").first.is_visible()
        assert page.locator(".attn-card-question").count() == 4
