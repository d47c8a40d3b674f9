"""The experiments on date readers: each differs only as stated."""

import random

import numpy as np
import pytest
import torch

from attn_course.search import Answer
from attn_course.tasks.dates import LOCALES, gold_possible, gold_sure, render
from attn_course.training import teacher_forced_loss
from attn_lab.reading_dates import learnt_models as ways
from attn_lab.reading_dates import year_digits as years

# ---- learnt_models


def built(variant, ready_made=None):
    torch.manual_seed(3)
    return ways.build(variant, ready_made)


def score_of(model):
    return dict(model.decoder.score.named_parameters())


def gradients(variant):
    """The loss's gradients in one batch, by the name of the parameter."""
    model = built(variant, score_of(built("joint")) if variant == "ready-made" else None)
    pairs = ways.dates.date_pairs(7, seed=11)
    batch = next(ways.Corpus(pairs, *ways.vocabularies()).batches(7, np.random.default_rng(0)))
    teacher_forced_loss(model, batch).backward()
    return {name: part.grad for name, part in model.named_parameters()}


@pytest.mark.parametrize("variant", ways.WAYS)
def test_encoder_and_decoder_learn_and_of_the_scores_only_the_joint_one(variant):
    for name, grad in gradients(variant).items():
        if ".score." in name and variant != "joint":
            assert grad is None, name
        else:
            assert grad.abs().sum() > 0, name


def test_cut_keeps_the_weights_and_cuts_their_gradient():
    frozen, cut = built("frozen"), built("cut")
    annotations = torch.randn(2, 5, 96, requires_grad=True)
    state = torch.randn(2, 96)
    looks = [model.decoder.look(state, model.decoder.read(annotations)) for model in (frozen, cut)]
    assert torch.equal(*looks)
    assert looks[0].requires_grad
    assert not looks[1].requires_grad


def test_uniform_weighs_every_readable_position_alike():
    model = built("uniform")
    memory = model.decoder.read(
        torch.randn(2, 3, 96), torch.tensor([[[1, 1, 1]], [[1, 0, 0]]]).bool()
    )
    weights = model.decoder.look(torch.randn(2, 96), memory)
    expected = torch.tensor([[[1 / 3] * 3], [[1.0, 0, 0]]])
    torch.testing.assert_close(weights, expected)


@pytest.mark.parametrize(("large", "small"), [("frozen, x 3", "frozen"), ("cut, x 3", "cut")])
def test_the_larger_score_is_three_times_as_large_and_nothing_else_is(large, small):
    parts = dict(built(small).named_parameters())
    for name, part in built(large).named_parameters():
        torch.testing.assert_close(part, parts[name] * (3 if ".score." in name else 1))


def test_a_ready_made_score_is_taken_as_it_is():
    parameters = {name: torch.randn_like(part) for name, part in score_of(built("joint")).items()}
    for name, part in score_of(built("ready-made", parameters)).items():
        assert torch.equal(part, parameters[name])


@pytest.mark.parametrize("extra", [ways.spaces, ways.letters])
def test_what_stands_before_a_date_is_as_long_as_asked_for(extra):
    pairs = ways.unseen(0, 50)
    for count in ways.EXTRA:
        before = extra(count, pairs)
        assert {len(text) for text in before} == {count}
        assert all(text.endswith(" ") for text in before)
    known = set(ways.vocabularies()[0].symbols)
    assert set(ways.LETTERS) <= known
    assert len(set(ways.letters(16, pairs))) == 50


def test_alignment_of_perfect_and_of_wrong_weights():
    pairs = [render(pair.day, pair.locale, "yMd") for pair in ways.unseen(0, 20)]
    gold = [
        np.where(gold_sure(p).any(axis=1)[:, None], gold_sure(p), gold_possible(p)) for p in pairs
    ]
    good = [Answer(p.target, g.astype(float), None) for p, g in zip(pairs, gold, strict=True)]
    assert ways.alignment(pairs, good) == {"field": 1.0, "alignment error": 0.0}
    bad = [Answer(p.target, 1.0 - gold_possible(p), None) for p in pairs]
    assert ways.alignment(pairs, bad) == {"field": 0.0, "alignment error": 1.0}


def test_an_answer_too_short_to_align_is_left_out():
    pairs = ways.unseen(0, 2)
    short = Answer("2005", np.ones((4, len(pairs[0].source))), None)
    whole = Answer(pairs[1].target, gold_possible(pairs[1]).astype(float), None)
    assert ways.alignment(pairs, [short, whole])["field"] == 1.0


# ---- year_digits


def reader_of(condition):
    torch.manual_seed(5)
    return years.build(condition).eval()


def memories(model, texts=("3. Mai 1998", "30 Mai 1998")):
    symbols = torch.tensor([years.vocabularies()[0].encode(text) for text in texts])
    return symbols, model.read(symbols, torch.full((len(texts),), symbols.shape[1]))


@pytest.mark.parametrize("locale", LOCALES)
def test_another_year_is_written_in_the_digits_of_the_date(locale):
    rng = random.Random(locale)
    for kind in years.FOUR_DIGITS:
        pair = render(years.date_pairs(1, seed=rng.randrange(99))[0].day, locale, kind)
        year = rng.choice(years.WIDE)
        other = years.with_year(pair, year)
        read = [other.source[j] for i in range(4) for j in np.flatnonzero(gold_sure(other)[i])]
        assert [int(digit) for digit in read] == [int(digit) for digit in str(year)]
        assert other.target == f"{year}{pair.target[4:]}"
        others = [j for j, field in enumerate(pair.fields) if field != "y"]
        assert [other.source[j] for j in others] == [pair.source[j] for j in others]
        assert years.with_year(other, pair.day.year) == pair


def test_a_year_that_does_not_fit_is_an_error():
    short = render(years.date_pairs(1, seed=0)[0].day, "de", "short")
    with pytest.raises(ValueError, match=r"both years must have four digits; got .* and 1998"):
        years.with_year(short, 1998)
    with pytest.raises(ValueError, match=r"got .* and 999"):
        years.with_year(years.pairs(1, 0, "train", years.AS_IT_IS.years)[0], 999)


def test_wide_years_are_spread_over_all_first_digits():
    firsts = [pair.target[0] for pair in years.pairs(300, 3, "test", "1000 to 9999")]
    assert set(firsts) == set("123456789")
    assert {pair.target[:2] for pair in years.pairs(300, 3, "test", "1950 to 2049")} == {
        "19",
        "20",
    }


def test_a_blind_start_is_the_same_for_every_source():
    blind, seeing = (
        reader_of(years.AS_IT_IS._replace(start=start)) for start in ("blind", "reads")
    )
    for model, same in ((blind, True), (seeing, False)):
        state = model.decoder.first_state(memories(model)[1])
        assert torch.equal(state[0], state[1]) == same


def test_what_is_averaged_knows_one_character_and_the_keys_know_all():
    model = reader_of(years.AS_IT_IS._replace(values="symbols"))
    texts = ("3. Mai 1998", "4. Mai 1998")  # they differ in the first character alone
    _, memory = memories(model, texts)
    assert torch.equal(memory.annotations[0, 1:], memory.annotations[1, 1:])
    assert not torch.equal(memory.annotations[0, 0], memory.annotations[1, 0])
    assert not torch.isclose(memory.keys[0], memory.keys[1]).all(dim=-1).any()


def test_the_first_state_of_the_symbols_reader_has_seen_the_source():
    plain = reader_of(years.AS_IT_IS)
    model = reader_of(years.AS_IT_IS._replace(values="symbols"))
    states = [reader.decoder.first_state(memories(reader)[1]) for reader in (plain, model)]
    torch.testing.assert_close(*states)


def test_offsets_are_counted_from_each_digit():
    pair = render(years.date_pairs(1, seed=0)[0].day, "de", "long")
    start, source = pair.fields.index("y"), len(pair.source)
    looks = np.eye(source)[[start + 1, start + 1, start - 1, 0]]  # +1, 0, -3, far away
    counts = years.offsets([pair], [Answer(pair.target, looks, None)])
    expected = np.zeros((4, 7))
    expected[0, 4] = expected[1, 3] = expected[2, 0] = 1
    assert np.array_equal(counts, expected)
