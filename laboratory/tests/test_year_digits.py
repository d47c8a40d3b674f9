"""The experiment `year_digits` removes what it says, and nothing else."""

import random

import numpy as np
import pytest
import torch

from attn_course.search import Answer
from attn_course.tasks.dates import LOCALES, gold_sure, render
from attn_lab.reading_dates import year_digits as grid


def built(condition):
    torch.manual_seed(5)
    return grid.build(condition).eval()


def memories(model, texts=("3. Mai 1998", "30 Mai 1998")):
    symbols = torch.tensor([grid.vocabularies()[0].encode(text) for text in texts])
    return symbols, model.read(symbols, torch.full((len(texts),), symbols.shape[1]))


@pytest.mark.parametrize("locale", LOCALES)
def test_another_year_is_written_in_the_digits_of_the_date(locale):
    rng = random.Random(locale)
    for kind in grid.FOUR_DIGITS:
        pair = render(grid.date_pairs(1, seed=rng.randrange(99))[0].day, locale, kind)
        year = rng.choice(grid.WIDE)
        other = grid.with_year(pair, year)
        read = [other.source[j] for i in range(4) for j in np.flatnonzero(gold_sure(other)[i])]
        assert [int(digit) for digit in read] == [int(digit) for digit in str(year)]
        assert other.target == f"{year}{pair.target[4:]}"
        kept = [j for j, field in enumerate(pair.fields) if field != "y"]
        assert [other.source[j] for j in kept] == [pair.source[j] for j in kept]
        assert grid.with_year(other, pair.day.year) == pair


def test_a_year_that_does_not_fit_is_an_error():
    short = render(grid.date_pairs(1, seed=0)[0].day, "de", "short")
    with pytest.raises(ValueError, match=r"both years must have four digits; got .* and 1998"):
        grid.with_year(short, 1998)
    with pytest.raises(ValueError, match=r"got .* and 999"):
        grid.with_year(grid.pairs(1, 0, "train", grid.AS_IT_IS.years)[0], 999)


def test_wide_years_are_spread_over_all_first_digits():
    firsts = [pair.target[0] for pair in grid.pairs(300, 3, "test", "1000 to 9999")]
    assert set(firsts) == set("123456789")
    assert {pair.target[:2] for pair in grid.pairs(300, 3, "test", "1950 to 2049")} == {"19", "20"}


def test_a_blind_start_is_the_same_for_every_source():
    blind, seeing = (built(grid.AS_IT_IS._replace(start=start)) for start in ("blind", "reads"))
    for model, same in ((blind, True), (seeing, False)):
        state = model.decoder.first_state(memories(model)[1])
        assert torch.equal(state[0], state[1]) == same


def test_what_is_averaged_knows_one_character_and_the_keys_know_all():
    model = built(grid.AS_IT_IS._replace(values="symbols"))
    texts = ("3. Mai 1998", "4. Mai 1998")  # they differ in the first character alone
    _, memory = memories(model, texts)
    assert torch.equal(memory.annotations[0, 1:], memory.annotations[1, 1:])
    assert not torch.equal(memory.annotations[0, 0], memory.annotations[1, 0])
    assert not torch.isclose(memory.keys[0], memory.keys[1]).all(dim=-1).any()


def test_the_first_state_of_the_symbols_reader_has_seen_the_source():
    plain = built(grid.AS_IT_IS)
    model = built(grid.AS_IT_IS._replace(values="symbols"))
    states = [each.decoder.first_state(memories(each)[1]) for each in (plain, model)]
    torch.testing.assert_close(*states)


def test_offsets_are_counted_from_each_digit():
    pair = render(grid.date_pairs(1, seed=0)[0].day, "de", "long")
    start, source = pair.fields.index("y"), len(pair.source)
    looks = np.eye(source)[[start + 1, start + 1, start - 1, 0]]  # +1, 0, -3, far away
    found = grid.offsets([pair], [Answer(pair.target, looks, None)])
    expected = np.zeros((4, 7))
    expected[0, 4] = expected[1, 3] = expected[2, 0] = 1
    assert np.array_equal(found, expected)
