"""Expectations: what was written down before a run is compared with what is stored."""

import ast
import datetime
import json
import re
from pathlib import Path

import numpy as np
import pytest

from attn_lab import expectations as written
from attn_lab.expectations import Expectation, expected, parsed, verdict

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("verdicts.tsv")
NAMES = written.experiments()


def missing():
    raise KeyError("no such condition")


def no_file():
    raise FileNotFoundError("no results yet")


# ---- verdicts on made-up results


@pytest.mark.parametrize(("holds", "outcome"), [
    (lambda: [True, True, True], "held in 3 of 3"),
    (lambda: np.array([0.9, 0.8, 0.7]) > 0.5, "held in 3 of 3"),
    (lambda: [True, False, True], "failed in seed 1"),
    (lambda: [False, True, False], "failed in seeds 0 and 2"),
    (lambda: [False, False, True, False], "failed in seeds 0, 1 and 3"),
    (lambda: [False, False, False], "failed in 3 of 3"),
    (lambda: [True], "held in seed 0, the only one run"),
    (lambda: [False], "failed in seed 0, the only one run"),
    (lambda: True, "held"),
    (lambda: np.mean([0.1, 0.2]) > 0.5, "failed"),
    (missing, "not run"),
    (no_file, "not run"),
    ({"here": lambda: True, "there": missing}, "here: held; there: not run"),
])  # fmt: skip
def test_a_verdict_says_which_seeds_failed(holds, outcome):
    assert verdict(Expectation("It holds.", "2026-11-22", holds)) == outcome


def test_what_is_not_stored_has_a_reason():
    why = "not worked out: tried once, not stored"
    assert verdict(Expectation("So it is.", "2026-11-22", why)) == why


WRITTEN = """
2026-11-22

It holds in the third seed,
and in the second.
    shares > bar

2026-11-23

Two things are said: this, and that.
    this: every(shares > low for low in (0.1, 0.2))
    what's more, after 1,200 steps: (shares < bar)
        & (shares > 0)

The first holds again.
    holds(1)

It was tried.
    not worked out: tried once,
        not stored
"""


def test_a_text_is_read_and_its_conditions_see_the_names_as_they_are():
    names = {"shares": np.array([0.1, 0.3, 0.4]), "bar": 0.2}
    first, second, third, last = parsed(WRITTEN, names)
    assert first[:2] == ("It holds in the third seed, and in the second.", "2026-11-22")
    assert (second.fixed, last.fixed) == ("2026-11-23", "2026-11-23")
    assert verdict(first) == "failed in seed 0"
    assert (
        verdict(second)
        == "this: failed in seed 0; what's more, after 1,200 steps: failed in seeds 1 and 2"
    )
    assert verdict(third) == "failed in seed 0"
    assert verdict(last) == "not worked out: tried once, not stored"
    names["bar"] = 0.35
    assert verdict(first) == verdict(third) == "failed in seeds 0 and 1"


def test_a_text_without_a_condition_is_none():
    for text, error in (("So it is.", ValueError), ("So it is.\n    1 +", SyntaxError)):
        with pytest.raises(error):
            parsed(f"2026-11-22\n\n{text}", {})


def test_a_mistake_in_a_condition_is_no_verdict():
    with pytest.raises(ZeroDivisionError):
        verdict(Expectation("It holds.", "2026-11-22", lambda: 1 / 0))


def test_a_tally_counts_what_failed_in_one_seed_as_failed(monkeypatch):
    outcomes = [
        lambda: [True, True],
        lambda: [True, False],
        lambda: False,
        missing,
        {"one": lambda: True, "two": lambda: False},
        {"one": lambda: True, "two": missing},
        {"one": lambda: False, "two": missing},
        {"one": lambda: True, "two": lambda: [True, True]},
        "not worked out: why",
    ]
    made_up = [Expectation("It holds.", "2026-11-22", holds) for holds in outcomes]
    monkeypatch.setattr(written, "expectations", lambda name: made_up)
    counted = "2 held, 1 held as far as run, 1 held in part, 3 failed, 1 not run, 1 not worked out."
    assert repr(expected("map_tests")).splitlines()[0].endswith(counted)


def test_a_block_escapes_its_texts_and_reads_without_html(monkeypatch):
    made_up = [Expectation("a < b & `c` holds.", "2026-11-22", lambda: True)]
    monkeypatch.setattr(written, "expectations", lambda name: made_up)
    block = expected("map_tests")
    assert (
        "<li>a &lt; b &amp; <code>c</code> holds. <em>2026-11-22 · held</em></li>"
        in block._repr_html_()
    )
    assert "1. a < b & `c` holds. [2026-11-22 · held]" in repr(block)


@pytest.mark.parametrize("name", ["grid", "no_such_experiment"])
def test_a_name_without_expectations_is_refused(name):
    with pytest.raises(KeyError, match=name):
        expected(name)


# ---- those of the experiments


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_sentence_with_a_date_and_either_a_condition_or_a_reason(name):
    for text, fixed, holds in written.expectations(name):
        assert re.match(r"[\"(]?\w", text), text
        assert re.search(r"\.\)?$", text), text
        assert "  " not in text
        assert datetime.date.fromisoformat(fixed) >= datetime.date(2026, 11, 20)
        assert not isinstance(holds, str) or re.match(r"not worked out: \w", holds)


@pytest.mark.slow
def test_the_table_of_verdicts_is_true():
    """If it is not, read what changed, mend the pages that say otherwise, and write it anew:

    python -m attn_lab.expectations > laboratory/tests/verdicts.tsv
    """
    assert TABLE.read_text(encoding="utf-8").splitlines() == written.table().splitlines()


def test_all_that_is_expected_was_run():
    assert "not run" not in TABLE.read_text(encoding="utf-8")


# ---- where they are shown


def shown_in_chapters():
    """Each name that a chapter shows, with the chapter's code."""
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        for cell in code:
            for call in re.findall(r"^expected\((.*?)\)", cell, re.DOTALL | re.MULTILINE):
                yield from ((name, "\n".join(code)) for name in ast.literal_eval(f"[{call}]"))


def test_each_experiment_is_shown_once_and_where_it_is_used():
    blocks = list(shown_in_chapters())
    assert sorted(name for name, _ in blocks) == NAMES
    for name, code in blocks:
        used = name.removesuffix("_weights")  # a widget has the weights
        assert re.search(rf"(import|,|\()\s*{used}\b", code), name
