"""A grid of measurements: written as it goes, resumed where it stopped."""

import json

import pytest

from attn_course.experiments.grid import read_grid, run_grid


def measure(condition, seed):
    return {
        "share": seed / 3,
        "lists": {"7": [seed / 3, 0.123456789]},
        "texts": [["a", condition]],
        "count": seed,
    }


def test_numbers_lists_and_texts_come_back_as_they_were(tmp_path):
    path = tmp_path / "some.json"
    run_grid(path, ["one", "two, größer"], [0, 1], measure)
    assert read_grid(path, "share")["one"] == [0, 0.33333]
    assert read_grid(path, "lists")["one"][1] == {"7": [0.33333, 0.12346]}
    assert read_grid(path, "texts")["two, größer"] == [[["a", "two, größer"]]] * 2
    assert read_grid(path, "count")["one"] == [0, 1]


def test_a_list_takes_one_line(tmp_path):
    path = tmp_path / "some.json"
    run_grid(path, ["one"], [0], measure)
    assert "[0.0, 0.12346]" in path.read_text(encoding="utf-8")


def test_it_goes_on_where_it_stopped(tmp_path):
    path, asked = tmp_path / "some.json", []

    def stops(condition, seed):
        asked.append((condition, seed))
        if asked[-1] == ("two", 0) and asked.count(asked[-1]) == 1:
            raise KeyboardInterrupt
        return {"share": 0.5}

    with pytest.raises(KeyboardInterrupt):
        run_grid(path, ["one", "two"], [0, 1], stops)
    assert list(json.loads(path.read_text(encoding="utf-8"))["cells"]) == ["one"]
    run_grid(path, ["one", "two"], [0, 1], stops)
    assert asked == [("one", 0), ("one", 1), ("two", 0), ("two", 0), ("two", 1)]
