"""Seeds are shifted, so that claims meet new ones."""

import ast

import pytest

from apparatus import robust
from apparatus.robust import Outcome, moved, rows_in, rows_of, table

CASES = {
    "train(build, corpus, seed=0)": "train(build, corpus, seed=17)",
    "torch.manual_seed(4)": "torch.manual_seed(21)",
    "np.random.default_rng(3)": "np.random.default_rng(20)",
    "seeds = (0, 1, 2)": "seeds = (17, 18, 19)",
    "[f(seed, 5) for seed in range(3)]": "[f(seed, 5) for seed in range(17, 20)]",
    "for seed in range(2, 5):\n    f(seed)": "for seed in range(19, 22):\n    f(seed)",
    "for seed in (0, 1):\n    f(seed)": "for seed in (17, 18):\n    f(seed)",
    "seeds = train(model=make(seed=3), seed=0)": "seeds = train(model=make(seed=20), seed=17)",
    "for seed in range(1, 6, 2):\n    f(seed)": "for seed in range(18, 23, 2):\n    f(seed)",
    "torch.Generator().manual_seed(seed)": "torch.Generator().manual_seed(seed)",
    "f(3, size=5)": "f(3, size=5)",
    "[n for n in range(3)]": "[n for n in range(3)]",
}


@pytest.mark.parametrize("source", CASES)
def test_seeds_move_and_nothing_else_does(source):
    assert ast.dump(ast.parse(moved(source, 17))) == ast.dump(ast.parse(CASES[source]))


def test_code_without_a_seed_keeps_its_layout():
    source = "x = f(3)  # a remark\n\n\ny = 2"
    assert moved(source, 17) == source


RESULTS = [
    Outcome("01: a", "", "[0.5]"),
    Outcome("02: b", "margin −1", "[1]"),
    Outcome("02: b", "", "[2]"),
    Outcome("01: a", "", "[0.5]"),
]


def test_a_sentence_that_failed_once_comes_first_and_says_how():
    lines = [line for line in table(rows_of(RESULTS)).splitlines() if line.startswith("| 0")]
    assert lines == ["| 02: b | 2 | 1 | new | margin −1 |", "| 01: a | 2 | 0 | the same |  |"]
    assert "1 have the same numbers in each run" in table(rows_of(RESULTS))


def test_a_table_gives_its_rows_back():
    rows = rows_of([*RESULTS, Outcome("03: a | in a sentence", "")])
    assert sorted(rows_in(table(rows))) == sorted(rows)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Runs chapters with one claim each, and says what the table then holds: ``runs("02")``."""
    monkeypatch.setattr(robust, "TABLE", tmp_path / "robust.md")
    monkeypatch.setattr(
        robust, "run", lambda chapter, by: [Outcome(f"{robust.number(chapter)}: c", "")]
    )

    def runs(*chapter, before=RESULTS):
        robust.TABLE.write_text(table(rows_of(before)), "utf-8")
        monkeypatch.setattr("sys.argv", ["robust", *(f"--chapter={one}" for one in chapter)])
        assert robust.main() == 0
        return [row.claim for row in rows_in(robust.TABLE.read_text("utf-8"))]

    return runs


@pytest.mark.parametrize(
    ("chapter", "before", "after"),
    [
        ("02", RESULTS, ["01: a", "02: c"]),  # the others stay
        ("07", [Outcome("07: a", ""), Outcome("A: b", "")], ["07: c", "A: b"]),
        ("02", [*RESULTS, Outcome("99: d", "")], ["01: a", "02: c"]),  # its chapter is gone
    ],
)
def test_one_chapter_replaces_its_own_rows(runs, chapter, before, after):
    assert sorted(runs(chapter, before=before)) == after


def test_a_whole_run_leaves_one_row_for_each_sentence(runs):
    claims = runs(before=[Outcome("01: a", ""), Outcome("99: d", "")])
    assert len(set(claims)) == len(claims) > 10
    assert all(claim.endswith(": c") for claim in claims)


def test_a_chapter_that_does_not_exist_is_refused(runs):
    with pytest.raises(SystemExit, match="99"):
        runs("99")
