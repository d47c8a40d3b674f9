"""What a training shows while it runs, with a clock that the test controls."""

import io
import re

import pytest

from attn_course import progress
from attn_course.progress import Progress

START = 1000.0  # the clock may start at any number


class Clock:
    now = START

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


@pytest.fixture
def drawn(monkeypatch):
    """What Jupyter shows, one entry for each drawing."""
    drawings = []

    class Handle:
        def update(self, what):
            drawings.append(what.data)

    def display(what, display_id):
        assert display_id is True
        drawings.append(what.data)
        return Handle()

    monkeypatch.setattr(progress, "get_ipython", lambda: type("Shell", (), {"kernel": 1}))
    monkeypatch.setattr(progress, "display", display)
    return drawings


def run(clock, steps, done, scores=(), seconds=2.0):
    """A training that completes ``done`` steps, each in the same time."""
    with Progress("<it>", steps) as bar:
        for step in range(1, done + 1):
            clock.now += seconds
            bar.show(step, 1 / step, list(scores))
    return bar


def test_about_ten_lines_and_one_for_the_end(clock, capsys):
    bar = run(clock, 40, 40)
    *lines, end = capsys.readouterr().out.splitlines()
    assert [int(re.search(r"step (\d+) of 40,", line)[1]) for line in lines] == [*range(4, 41, 4)]
    assert lines[0] == "<it>: step 4 of 40, loss 0.250, 72 s left"
    assert end == "<it>: step 40 of 40, loss 0.025, 80 s"
    assert (bar.step, bar.seconds) == (40, 80)


def test_the_time_left_is_that_of_the_steps_done_now_not_before_a_stop(clock, capsys):
    with Progress("it", 10, begun=4) as bar:
        assert (bar.step, bar.seconds) == (4, 0)
        clock.now += 3
        bar.show(5, 0.5, [])
        clock.now += 3
        bar.show(6, 0.5, [])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "it: step 5 of 10, loss 0.500, 15 s left",
        "it: step 6 of 10, loss 0.500, 12 s left",
    ]


def test_few_steps_have_a_line_each(clock, capsys):
    run(clock, 3, 3)
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_the_last_score_is_shown_and_an_early_end(clock, capsys):
    run(clock, 10, 3, scores=[0.5, 0.875])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "<it>: step 1 of 10, loss 1.000, score 0.875, 18 s left"
    assert lines[-1] == "<it>: step 3 of 10, loss 0.333, score 0.875, 6 s (stopped early)"


def test_where_nothing_was_done_it_says_so(clock, capsys):
    bar = run(clock, 10, 0)
    assert (bar.step, bar.seconds) == (0, 0)
    assert capsys.readouterr().out == "<it>: starting, 0 s (stopped early)\n"


def test_a_line_is_seen_at_once_where_the_output_goes_to_a_file(clock, monkeypatch):
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr("sys.stdout", out)
    with Progress("it", 1) as bar:
        clock.now += 1
        bar.show(1, 0.5, [])
        assert b"step 1 of 1" in out.buffer.getvalue()
    assert out.buffer.getvalue().endswith(b"1 s\n")


def test_in_jupyter_one_bar_is_drawn_at_most_twice_a_second(clock, drawn, capsys):
    run(clock, 16, 16, seconds=0.25)
    first, *between, last = drawn
    assert first == (
        "<p class='attn-progress'><progress value='0' max='16' aria-label='&lt;it&gt;'></progress> "
        "&lt;it&gt;: starting</p>"
    )
    values = [int(re.search("value='(.*?)'", bar)[1]) for bar in between]
    assert values == [3, 6, 9, 12, 15]
    assert "&lt;it&gt;: step 3 of 16, loss 0.333, 3 s left</p>" in between[0]
    assert last == "<p class='attn-progress'>&lt;it&gt;: step 16 of 16, loss 0.062, 4 s</p>"
    assert not capsys.readouterr().out


def test_half_a_second_is_not_yet_more_than_half_a_second(clock, drawn):
    run(clock, 4, 4, seconds=0.5)
    assert len(drawn) == 1 + 2 + 1


def test_a_quote_in_a_title_stays_in_it(clock, drawn):
    with Progress("a'b", 1):
        pass
    assert "aria-label='a&#39;b'" in drawn[0]


def test_step_0_cannot_be_shown(clock):
    with pytest.raises(ValueError, match=r"step must be .* 1 or more"), Progress("x", 5) as bar:
        bar.show(0, 0.5, [])
