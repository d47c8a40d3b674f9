"""The experiments on scores: dividing by √d, equal budgets, how a reader is judged."""

import numpy as np
import pytest
import torch

from attn_course.alignment import CosineScore
from attn_course.search import Answer
from attn_course.tasks.dates import DatePair, date_pairs, gold_possible
from attn_lab.scores import scaled_products as experiment
from attn_lab.scores import score_functions as grid
from attn_lab.scores import score_models as models
from attn_lab.scores.scaled_products import KEYS, PLACES, VALUES, Learner, LookUp, Tables
from attn_lab.scores.score_models import HEAD

# ---- scaled_products


def batch(size=31, seed=0):
    return next(Tables(3).batches(size, np.random.default_rng(seed)))


def test_an_answer_is_the_value_beside_the_key_that_was_asked_for():
    sources, lengths, targets, _ = batch()
    queried, keys, values = sources.split([1, PLACES, PLACES], dim=1)
    assert ((keys == queried).sum(dim=1) == 1).all(), "it is there once"
    assert torch.equal(values[keys == queried], targets.squeeze(1))
    assert (lengths == 1 + 2 * PLACES).all()
    assert 0 <= keys.min() <= keys.max() < KEYS
    assert 1 <= values.min() <= values.max() <= VALUES
    assert all(len(set(row.tolist())) == PLACES for row in keys)


def test_there_are_as_many_batches_as_steps_and_none_twice():
    batches = list(Tables(3).batches(5, np.random.default_rng(0)))
    assert len(batches) == Tables(3).count_batches(5) == 3
    assert not torch.equal(batches[0].sources, batches[1].sources)


@pytest.mark.parametrize(
    ("variant", "deviation"), [("plain", 16.0), ("divided", 1.0), ("small start", 1.0)]
)
def test_the_scores_start_as_far_apart_as_the_docstring_says(variant, deviation):
    model = LookUp(variant, 256)
    queried, keys, _ = batch(401).sources.split([1, PLACES, PLACES], dim=1)
    scores = model.score(model.query_embedding(queried), model.key_embedding(keys))
    assert scores.std().item() == pytest.approx(deviation, rel=0.1)


def test_a_model_that_looks_at_the_right_place_answers_right():
    model = LookUp("divided", 67)
    with torch.no_grad():
        model.query_embedding.weight.mul_(100)
        model.key_embedding.weight.copy_(model.query_embedding.weight)
        model.value_embedding.weight.zero_()
        model.value_embedding.weight[:, : VALUES + 1] = torch.eye(VALUES + 1)
        model.readout.weight.copy_(10 * torch.eye(VALUES + 1, 2 * VALUES))
        some = batch(53)
        logits, weights = model(some.sources, some.lengths, some.targets)
    assert torch.equal(logits[:, 0].argmax(dim=1), batch(53).targets[:, 0])
    assert weights.shape == (53, 1, PLACES)


def test_the_search_is_kept_apart_from_what_is_measured():
    row = ("plain", 256, 400)
    rates = experiment.RATES.tried(*row)
    best = Learner(*row, experiment.RATES.best(*row))
    stored = experiment.EXPERIMENT.results("loss")
    assert experiment.results("loss")[row] == stored[best][:3]
    assert rates == {trial.rate: stored[trial][-1] for trial in stored if trial[:3] == row}
    assert all(len(values) == 3 for values in experiment.results("loss").values())


# ---- score_functions


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
        written = []
        for pair, text in zip(pairs, texts, strict=True):
            table = gold_possible(pair).astype("f4")
            table /= table.sum(axis=1, keepdims=True).clip(1)
            head = text.removesuffix(pair.source)
            written.append(Answer(pair.target if right(pair, head) else "?", table, None))
        return written

    monkeypatch.setattr(grid, "answer", answers)
    return grid.judge(None, pairs)


def test_a_reader_that_looks_where_it_should_is_judged_so(monkeypatch):
    pairs = date_pairs(7, seed=0, locales=models.TWELVE)
    result = reading(monkeypatch, pairs, lambda pair, head: True)
    assert (result["exact"], result["later"], result["field"]) == (1, 1, 1)
    assert 0 <= result["error"] < 0.7  # it points at a field's first character, not at its copy
    widths = [gold[gold.any(axis=1)].sum(axis=1) for gold in map(gold_possible, pairs)]
    expected = np.log(np.concatenate(widths)).mean()
    assert result["entropy"] == pytest.approx(expected, rel=1e-5)


def test_long_dates_and_dates_with_a_head_are_counted_by_themselves(monkeypatch):
    pairs = date_pairs(53, seed=0, locales=models.TWELVE)
    short = [len(pair.source) <= grid.LONG for pair in pairs]
    assert 0 < sum(short) < len(pairs)

    def right(pair: DatePair, head: str) -> bool:
        assert head in ("", HEAD)
        return not head and len(pair.source) <= grid.LONG

    result = reading(monkeypatch, pairs, right)
    assert result["exact"] == pytest.approx(np.mean(short))
    assert (result["long"], result["later"]) == (0, 0)


def test_a_date_with_a_head_fits_the_location_score():
    longest = max(models.test_pairs(0), key=lambda pair: len(pair.source))
    model = models.build("location").eval()
    source = torch.tensor([models.vocabularies()[0].encode(HEAD + longest.source)])
    assert (source > 3).all(), "every character of the head is in the vocabulary"
    model(source, torch.tensor([source.shape[1]]), torch.tensor([[4, 5]]))
