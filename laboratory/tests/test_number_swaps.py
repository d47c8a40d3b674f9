"""The experiment `number_swaps`: which numbers are twins, what is swapped, and what is counted."""

import numpy as np
import pytest
import torch

from attn_course.tasks import numbers
from attn_lab.faithful_maps import number_swaps as swaps
from attn_lab.translation.word_order_models import Design, build

PAIRS = tuple(numbers.number_pairs(40, 5, (3, 4, 5), "de", "test"))


def compared(kind="general"):
    model = build(Design("numbers", kind)).eval()
    return swaps.Compared(model, swaps.twins(PAIRS, 2))


def test_twins_differ_in_one_piece_of_either_language_and_these_are_linked():
    found = swaps.twins(PAIRS, 2)
    assert len(found) > 2 * len(PAIRS)
    for one, other, place, row in found:
        assert np.flatnonzero(numbers.gold_possible(one)[row]).tolist() == [place]
        for side, at in (("source_pieces", place), ("target_pieces", row)):
            pieces = zip(getattr(one, side), getattr(other, side), strict=True)
            assert [k for k, (a, b) in enumerate(pieces) if a != b] == [at]


def test_a_number_that_is_written_in_other_places_is_no_twin():
    twenty, twelve, thirty = (numbers.render(n, "de") for n in (123, 112, 133))
    assert swaps._differ_once(twenty, twelve) is None
    assert swaps._differ_once(twenty, thirty) == (twenty, thirty, 3, 4)


@pytest.mark.parametrize("kind", ["general", "bahdanau"])
@torch.no_grad()
def test_all_swapped_is_the_other_number_and_the_places_are_those_named(kind):
    both = compared(kind)
    own, others, everywhere = (both.where(name) for name in ("own", "others", "all"))
    assert torch.equal(own ^ others, everywhere)
    assert own.sum(dim=1).tolist() == [1] * len(own)
    theirs = both.write(both.start, both.memories[1])
    assert torch.equal(both.swapped("all"), theirs)
    rows = both.weights[torch.arange(len(own)), both.rows]
    heaviest = both.where("dark").float().argmax(dim=-1)
    assert torch.equal(rows[torch.arange(len(own)), heaviest], rows.max(dim=-1).values)


@torch.no_grad()
def test_before_swaps_nothing_where_the_digit_comes_first_and_its_state_where_it_does_not():
    both = compared("bahdanau")
    before, plain = both.swapped("before"), both.write(both.start)
    width = min(before.shape[1], plain.shape[1])
    first = both.rows == 0
    assert torch.equal(before[first, :width], plain[first, :width])
    everywhere = both.swapped("all")
    both.rows = torch.full_like(both.rows, 99)
    width = min(before.shape[1], everywhere.shape[1])
    assert torch.equal(both.swapped("before")[:, :width], everywhere[:, :width])


class Copied:
    """In place of `Compared`: it reads the rows of a list of maps, and copies what it reads."""

    def __init__(self, model, pairs):
        size = len(pairs)
        self.places, self.rows = (
            torch.tensor([getattr(pair, name) for pair in pairs]) for name in ("place", "row")
        )
        self.read = torch.ones(size, dtype=torch.bool)
        self.read[-1] = False
        self.twin = torch.ones(size, dtype=torch.long)
        self.weights = torch.full((size, 12, 12), 0.01)
        at = torch.arange(size)
        self.weights[at, self.rows, self.places] = 0.6
        wrong = at % 3 > 0  # two of three rows are dark one place late, half of these very dark
        late = (self.places + 1) % 12
        self.weights[at[wrong], self.rows[wrong], late[wrong]] = 0.7 + 0.2 * (at[wrong] % 3 == 2)
        self.followed = {"own": at % 3 < 2, "others": at % 3 > 0, "dark": at % 3 == 2}

    def swapped(self, swap):
        return self.followed.get(swap, torch.zeros_like(self.read)).long()

    def at_row(self, symbols):
        return symbols

    def chance(self, change):
        even = torch.full((1, 1, 4), 0.25)
        kept = torch.equal(change(even, 0), even)
        return torch.full((len(self.rows),), 0.9 if kept else 0.4)

    def text(self, symbols):
        return str(symbols.item())


def test_rows_are_counted_by_what_their_map_shows(monkeypatch):
    pairs = swaps.twins(PAIRS, 2)
    monkeypatch.setattr(swaps, "Compared", Copied)
    found = swaps.asked(None, pairs)
    kinds = [found[kind]["count"] for kind in swaps.KINDS]
    at = np.arange(len(pairs) - 1)  # the last is not read
    assert kinds == [sum(at % 3 == 0), sum(at % 3 > 0), sum(at % 3 == 2)]
    assert (found["well read"]["own"], found["well read"]["others"]) == (1, 0)
    assert found["dark"]["table"] == [0, 1, 0, 0]
    assert found["dark"]["dark"] == 1
    share = sum(at % 3 == 1) / sum(at % 3 > 0)
    assert found["misread"]["table"] == pytest.approx([0, 1 - share, share, 0])
    assert found["misread"]["lost"] == pytest.approx([0.5, 0.5])
    assert found["read"] == pytest.approx(len(at) / len(pairs))
    assert found["example"] is None


def test_the_stored_example_is_misread_and_is_said_as_it_was_written():
    examples = [each for values in swaps.results("example").values() for each in values if each]
    assert len(examples) > 5
    for each in examples:
        one, other = (numbers.render(each[name], "de") for name in ("number", "other"))
        assert each["place"] != np.argmax(each["weights"][each["row"]])
        assert (each["own"], each["dark"]) == (one.target, other.target)
