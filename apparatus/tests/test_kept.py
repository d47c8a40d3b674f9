"""What an older edition had and this one has not is named, and what only moved is not."""

import json
from collections import Counter

import pytest

pytest.importorskip("docutils")

from apparatus import kept

NOTES = "# Notes\n\n## Scores\n\n### A score is a share\n\nTested.\n\n### A sum\n"
GLOSSARY = (
    "```{glossary}\n:sorted:\n\nlook\nlooks\n  What is done.\n\nmap\n  Weights.\n```\n\nmore\n"
)


def chapter(*cells: tuple[str, str]) -> str:
    listed = [
        {
            "id": name,
            "cell_type": "markdown" if source.startswith("#") else "code",
            "source": source.splitlines(True),
        }
        for name, source in cells
    ]
    return json.dumps({"cells": listed})


BEFORE = {
    "chapters/01-x.ipynb": chapter(
        ("one", "## 7. Where [it](#it) *is*\n\n### PyTorch's `look`\n"),
        ("hit", "claim('{x} hit.', x > 1)"),
        ("guess", "guess = Prediction(question='?')\nguess"),
        ("task", "from attn_course.exercises.weights import mask\nmask.check(mine)"),
        ("bars", "from attn_course.widgets.score_bars import ScoreBars\nScoreBars()"),
    ),
    "book/notes.md": NOTES,
    "book/glossary.md": GLOSSARY,
}


def gone(now: dict[str, str]) -> list[str]:
    lines = kept.report(kept.things(BEFORE), kept.things(now))
    return [line.removeprefix("  gone: ") for line in lines if line.startswith("  gone: ")]


def test_everything_is_found_by_its_kind():
    assert kept.things(BEFORE) == {
        "claims": Counter(["hit"]),
        "guesses": Counter(["guess"]),
        "exercises": Counter(["weights import mask"]),
        "widgets": Counter(["ScoreBars"]),
        "rows": Counter(["A score is a share", "A sum"]),
        "terms": Counter(["look", "looks", "map"]),
        "places": Counter(
            ["chapters/01-x#" + name for name in ("where-it-is", "pytorch-s-look", "claim-hit")]
        ),
    }


def test_what_is_gone_is_named():
    assert gone(BEFORE) == []
    assert gone({}) == [
        *("hit", "guess", "weights import mask", "ScoreBars", "A score is a share", "A sum"),
        *("look", "looks", "map"),
        *("chapters/01-x#claim-hit", "chapters/01-x#pytorch-s-look", "chapters/01-x#where-it-is"),
    ]


def test_what_moves_to_another_chapter_is_kept_and_its_place_is_led_on():
    moved = dict(BEFORE)
    moved["chapters/02-y.ipynb"] = moved.pop("chapters/01-x.ipynb")
    places = ("claim-hit", "pytorch-s-look", "where-it-is")
    assert gone(moved) == [f"chapters/01-x#{place}" for place in places]
    table = "".join(f"  {place}: chapters/02-y#{place}\n" for place in places)
    assert gone(moved | {"book/moved.yml": f"chapters/01-x:\n{table}"}) == []


def test_today_has_what_it_has():
    assert kept.things(kept.files_of_today())["claims"].total() > 300
