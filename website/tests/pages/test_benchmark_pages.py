"""The benchmark of pages gives up on a widget that never appears, and says which."""

import pytest

pytest.importorskip("playwright")

from apparatus.benchmarks import lighthouse, pages
from attn_book.commands import serve


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


def lighthouse_report(performance: float, contrast: float | None) -> dict:
    rules = [{"id": "color-contrast"}, {"id": "video-caption"}]
    return {
        "requestedUrl": "http://here/a.html",
        "categories": {
            "performance": {"score": performance, "auditRefs": []},
            "accessibility": {"score": contrast, "auditRefs": rules},
            "best-practices": {"score": 1, "auditRefs": []},
        },
        "audits": {name: {"numericValue": 1234.5, "score": 0.5} for name in lighthouse.AUDITS}
        | {"color-contrast": {"score": contrast}, "video-caption": {"score": None}},
    }


def test_lighthouse_s_scores_become_a_table_of_medians():
    runs = [(0.91, 1), (0.97, 0.5), (0.94, 1)]
    taken = [lighthouse.taken(lighthouse_report(*run), load=0.52) for run in runs]
    result = {"date": "today", "cpu": "any", "versions": {"lighthouse": "13"}, "command": "it"}
    result |= {"repetitions": 3, "runs": {"a.html": dict(enumerate(taken)), "b.html": {}}}
    said = lighthouse.page(result)
    assert "| a.html | 94 | 100 | 100 | 1.2 | 1.2 | 1.2 | 1234.500 | 0.5 |" in said
    assert "b.html" not in said
    assert "Points were lost by color-contrast." in said


def test_a_page_that_lighthouse_cannot_read_is_named():
    report = lighthouse_report(1, 1) | {"runtimeError": {"message": "no paint"}}
    with pytest.raises(SystemExit, match=r"could not read http://here/a\.html: no paint"):
        lighthouse.taken(report, load=1)
