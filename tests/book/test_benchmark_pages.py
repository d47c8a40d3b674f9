"""The benchmark of pages gives up on a widget that never appears, and says which."""

import pytest

pytest.importorskip("playwright")

from benchmarks import pages
from tools import serve


def test_a_widget_that_never_comes_is_named(browser, tmp_path, monkeypatch):
    (tmp_path / "dead.html").write_text('<!DOCTYPE html><p class="attn-still">A widget.</p>')
    monkeypatch.setattr(pages, "PATIENCE", 0.3)
    with serve.running(tmp_path) as address:
        with pytest.raises(SystemExit, match=r"dead\.html, 360 pixels wide: a widget has not come"):
            pages.shift(browser, f"{address}dead.html", 360)
        with pytest.raises(SystemExit, match=r"dead\.html: no widget has answered in 0\.3 s"):
            pages.first_answer(browser, f"{address}dead.html", "course")


def test_a_page_on_which_nothing_waits_is_measured(browser, tmp_path):
    (tmp_path / "calm.html").write_text("<!DOCTYPE html><p>Prose.</p>")
    with serve.running(tmp_path) as address:
        assert pages.shift(browser, f"{address}calm.html", 360) == 0
