"""The built book in each engine that readers have; missing ones are skipped, but never in CI."""

import contextlib
import shutil
from unittest import mock

import chromium
import firefox
import pytest
import small_language_file
import webkit
from browsing import without
from bs4 import BeautifulSoup

from attn_book.commands.browser import NoBrowser
from attn_book.commands.language_page import write_page

# `make engines` runs the tests of each in a process of its own, side by side
ENGINES = [pytest.param(one, id=one.__name__) for one in (chromium, firefox, webkit)]
PLACE, SIZES = ".attn-language", {"SIZE": 288, "HEADS": 9, "GROUPS": 3, "BLOCKS": 30}


@pytest.fixture(scope="session")
def model_file(tmp_path_factory):
    """A small model that has as many heads as the wall of its chapter, and whole words."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "prose").write_text("The capital of France is, The capital of Germany is, ", "utf-8")
    with mock.patch.multiple(small_language_file, **SIZES, PROSE=folder / "prose"):
        return small_language_file.write(folder / "small.gguf")


@pytest.fixture(scope="session")
def with_model(published, model_file, tmp_path_factory):
    """What somebody has published, with that model beside it, and a page with nothing else."""
    site = tmp_path_factory.mktemp("with model") / "html"
    shutil.copytree(published, site, ignore=shutil.ignore_patterns("*.gguf"))
    alone = site / write_page(site, "chapters/beside", model_file)
    chapter = site / "chapters" / "12-a-language-model.html"
    small, whole = (
        BeautifulSoup(page.read_text("utf-8"), "html.parser") for page in (alone, chapter)
    )
    whole.select_one(PLACE).replace_with(small.select_one(PLACE))
    chapter.write_text(str(whole), encoding="utf-8")
    return site


@pytest.fixture(scope="session", params=ENGINES)
def engine(request, with_model):
    with contextlib.ExitStack() as stack:
        try:
            started = stack.enter_context(request.param.started(with_model))
        except NoBrowser as missing:
            without(str(missing))
        yield started
