"""The experiment on score functions: equal budgets, the sharp cosine, how a reader is judged."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from attn_course.alignment import SCORES, CosineScore
from attn_course.search import Answer
from attn_course.tasks.dates import DatePair, date_pairs, gold_possible, is_test_day
from attn_lab.rates import RateSearch
from attn_lab.scores import score_functions as grid
from attn_lab.scores import score_models as models
from attn_lab.scores.score_models import HEAD


def test_what_was_trained_is_among_the_scores():
    assert set(models.PLAIN) <= set(SCORES)


def test_all_models_have_as_many_parameters_within_one_percent():
    counts = {name: models.parameters(models.build(name)) for name in models.SCORES}
    assert max(counts.values()) < 1.01 * min(counts.values()), counts


def test_all_compare_in_spaces_of_one_size():
    for name in models.SCORES:
        model = models.build(name)
        assert model.encoder.annotation_size == model.decoder.rnn.hidden_size == models.STATE


def test_the_conditions_differ_in_what_they_say():
    assert models.build("general", "before").decoder.asks_with == "before"
    assert models.build("general").decoder.asks_with == "after"
    for name in models.PLAIN:
        assert isinstance(models.build(name).decoder.score, SCORES[name])
    with pytest.raises(ValueError, match="'genera'"):
        models.build("genera")


@pytest.mark.parametrize(("factor", "learnt"), [(10, False), (1, True)])
def test_the_sharp_cosine_is_the_cosine_times_a_factor(factor, learnt):
    score = models.SharpCosine(factor, learnt)
    queries, keys = torch.randn(2, 3, 5), torch.randn(2, 7, 5)
    torch.testing.assert_close(score(queries, keys), factor * CosineScore()(queries, keys))
    score(queries, keys).sum().backward() if learnt else None
    assert (score.log_factor.grad is not None) == learnt


def test_a_seed_draws_training_and_test_dates_anew():
    drawn = {seed: {pair.source for pair in models.test_pairs(seed)} for seed in (*grid.SEEDS, 100)}
    assert not set.intersection(*drawn.values()) & {"", None}
    assert all(drawn[0] != drawn[seed] for seed in (1, 2, 100))
    assert models.training_pairs(1)[:50] != models.training_pairs(2)[:50]


def test_rates_are_chosen_on_dates_that_nobody_trains_or_tests_on():
    validation = models.validation_pairs(100)
    trained = {pair.source for pair in models.training_pairs(100)}
    assert len(validation) == 2_000
    assert not trained & {pair.source for pair in validation}
    assert not any(is_test_day(pair.day) for pair in validation)
    assert all(is_test_day(pair.day) for pair in models.test_pairs(0))


def reading(monkeypatch, pairs, right):
    """Let a reader answer as ``right`` says, given a pair and what precedes its date."""

    def answers(model, texts, *_):
        given = []
        for pair, text in zip(pairs, texts, strict=True):
            table = gold_possible(pair).astype("f4")
            table /= table.sum(axis=1, keepdims=True).clip(1)
            head = text.removesuffix(pair.source)
            given.append(Answer(pair.target if right(pair, head) else "?", table, None))
        return given

    monkeypatch.setattr(grid, "answer", answers)
    return grid.judge(None, pairs)


def test_a_reader_that_looks_where_it_should_is_judged_so(monkeypatch):
    pairs = date_pairs(7, seed=0, locales=models.TWELVE)
    found = reading(monkeypatch, pairs, lambda pair, head: True)
    assert (found["exact"], found["later"], found["field"]) == (1, 1, 1)
    assert 0 <= found["error"] < 0.7  # it points at a field's first character, not at its copy
    widths = [gold[gold.any(axis=1)].sum(axis=1) for gold in map(gold_possible, pairs)]
    expected = np.log(np.concatenate(widths)).mean()
    assert found["entropy"] == pytest.approx(expected, rel=1e-5)


def test_long_dates_and_dates_with_a_head_are_counted_by_themselves(monkeypatch):
    pairs = date_pairs(53, seed=0, locales=models.TWELVE)
    short = [len(pair.source) <= grid.LONG for pair in pairs]
    assert 0 < sum(short) < len(pairs)

    def right(pair: DatePair, head: str) -> bool:
        assert head in ("", HEAD)
        return not head and len(pair.source) <= grid.LONG

    found = reading(monkeypatch, pairs, right)
    assert found["exact"] == pytest.approx(np.mean(short))
    assert (found["long"], found["later"]) == (0, 0)


def test_a_date_with_a_head_fits_the_location_score():
    longest = max(models.test_pairs(0), key=lambda pair: len(pair.source))
    model = models.build("location").eval()
    source = torch.tensor([models.vocabularies()[0].encode(HEAD + longest.source)])
    assert (source > 3).all(), "every character of the head is in the vocabulary"
    model(source, torch.tensor([source.shape[1]]), torch.tensor([[4, 5]]))


def test_a_seed_starts_the_same_model_whoever_asked_for_the_sizes_first():
    models.embedding_size.cache_clear()
    starts = []
    for _ in range(2):
        torch.manual_seed(7)
        starts.append(models.build("dot").state_dict())
    assert all(torch.equal(starts[0][name], starts[1][name]) for name in starts[0])


def test_a_score_has_a_rate_for_each_number_of_epochs(monkeypatch):
    rates = (0.005, 0.01, 0.02, 0.04, 0.08)
    found = {("dot", 1): [9.0, 0.5, 1.0, 2.0, 4.0], ("dot", 4): [3.0, 1.0, 0.0, 2.0, 3.0]}
    found = {key: dict(zip(rates, losses, strict=True)) for key, losses in found.items()}
    monkeypatch.setattr(grid, "RATES", replace(grid.RATES, first=(0.01, 0.02, 0.04)))
    monkeypatch.setattr(RateSearch, "tried", lambda _, *asked: found[asked])
    assert grid.reader("dot", epochs=4) == grid.Reader("dot", "after", 4, 0.02)
    assert grid.reader("dot", "before") == grid.Reader("dot", "before", 1, 0.01)
