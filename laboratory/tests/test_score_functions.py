"""The experiment on score functions: equal budgets, the sharp cosine, how a reader is judged."""

import numpy as np
import pytest
import torch

from attn_course.alignment import SCORES, CosineScore
from attn_course.search import Answer
from attn_course.tasks.dates import DatePair, date_pairs, gold_possible
from attn_lab.scores import score_functions as grid
from attn_lab.scores import score_models as models
from attn_lab.scores.score_models import HEAD


def test_what_was_trained_is_among_the_scores():
    assert set(models.PLAIN) <= set(SCORES)


def test_all_compare_in_spaces_of_one_size():
    for name in models.SCORES:
        model = models.build(name)
        assert model.encoder.annotation_size == model.decoder.rnn.hidden_size == models.STATE


def test_the_conditions_differ_in_what_they_say():
    assert models.build("general", "before").decoder.asks_with == "before"
    assert models.build("general").decoder.asks_with == "after"
    for name in models.PLAIN:
        assert isinstance(models.build(name).decoder.score, SCORES[name])


@pytest.mark.parametrize(("factor", "learnt"), [(10, False), (1, True)])
def test_the_sharp_cosine_is_the_cosine_times_a_factor(factor, learnt):
    score = models.SharpCosine(factor, learnt)
    queries, keys = torch.randn(2, 3, 5), torch.randn(2, 7, 5)
    torch.testing.assert_close(score(queries, keys), factor * CosineScore()(queries, keys))
    score(queries, keys).sum().backward() if learnt else None
    assert (score.log_factor.grad is not None) == learnt


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
