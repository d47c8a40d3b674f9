"""The experiment on score functions: equal budgets, and the sharp cosine."""

import numpy as np
import pytest
import torch

from attn_course.alignment import SCORES, CosineScore
from attn_course.experiments import score_functions as grid
from attn_course.experiments import score_models as models
from attn_course.search import Answer
from attn_course.tasks.dates import date_pairs, date_vocabularies, gold_possible


@pytest.fixture(autouse=True)
def few_dates(monkeypatch):
    """The grid's own corpus takes seconds to write; a model needs only the vocabularies."""
    vocabularies = date_vocabularies(models.TWELVE)
    monkeypatch.setattr(models, "data", lambda: (vocabularies, None, None))


def test_what_was_trained_is_among_the_scores():
    assert set(models.PLAIN) <= set(SCORES)


def test_all_models_have_as_many_parameters_within_one_percent():
    counts = {name: models.parameters(models.build(name)) for name in grid.CONDITIONS}
    assert max(counts.values()) < 1.01 * min(counts.values()), counts


def test_all_compare_in_spaces_of_one_size():
    for name in grid.CONDITIONS:
        model = models.build(name)
        assert model.encoder.annotation_size == model.decoder.rnn.hidden_size == models.STATE


def test_the_conditions_differ_in_what_they_say():
    assert models.build("general, before").decoder.asks_with == "before"
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


def test_a_reader_that_looks_where_it_should_is_judged_so(monkeypatch):
    pairs = date_pairs(7, seed=0, locales=models.TWELVE)
    vocabularies = models.data()[0]

    def right(model, texts, *_):
        tables = [gold_possible(pair).astype("f4") for pair in pairs]
        shared = [table / table.sum(axis=1, keepdims=True).clip(1) for table in tables]
        return [Answer(pair.target, table, None) for pair, table in zip(pairs, shared, strict=True)]

    monkeypatch.setattr(grid, "data", lambda: (vocabularies, None, pairs))
    monkeypatch.setattr(grid, "answer", right)
    found = grid.judge(None)
    assert (found["exact"], found["field"]) == (1, 1)
    assert 0 <= found["error"] < 0.7  # it points at a field's first character, not at its copy
    widths = [gold[gold.any(axis=1)].sum(axis=1) for gold in map(gold_possible, pairs)]
    expected = np.log(np.concatenate(widths)).mean()
    assert found["entropy"] == pytest.approx(expected, rel=1e-5)


def test_a_seed_starts_the_same_model_whoever_asked_for_the_sizes_first():
    models.embedding_size.cache_clear()
    starts = []
    for _ in range(2):
        torch.manual_seed(7)
        starts.append(models.build("dot").state_dict())
    assert all(torch.equal(starts[0][name], starts[1][name]) for name in starts[0])
