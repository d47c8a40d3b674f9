"""The experiment `heads_removed`: what is taken away, and what is counted."""

import copy

import numpy as np
import pytest
import torch

from attn_course.tasks.dates import date_pairs
from attn_lab.transformers import heads_removed as heads
from attn_lab.transformers.transformer_models import build
from attn_lab.transformers.transformer_parts import without

PAIRS = date_pairs(12, seed=1)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return build("whole").eval()


def found(model, pairs):
    """What each attention adds, over these pairs."""
    given = []
    for each in heads.attentions(model):
        each.output_projection.register_forward_hook(lambda *seen: given.append(seen[-1]))
    model(*heads.batch(pairs))
    return given


def test_a_head_at_zero_is_a_silenced_head(model):
    one = copy.deepcopy(model)
    heads.take_away(one, 2, 1)
    for mine, theirs in zip(one.parameters(), without(model, 2, 1).parameters(), strict=True):
        torch.testing.assert_close(mine, theirs)


@torch.no_grad()
def test_at_their_means_all_heads_together_add_the_mean(model):
    """The decoder's attention to the source, which has no padding among what asks."""
    means = heads.means_of(model, PAIRS)
    before = found(copy.deepcopy(model), PAIRS)[heads.ACROSS]
    one = copy.deepcopy(model)
    for head in range(heads.HEADS):
        heads.take_away(one, heads.ACROSS, head, means)
    after = found(one, PAIRS)[heads.ACROSS]
    torch.testing.assert_close(after, before.mean(dim=(0, 1)).expand_as(after))


@torch.no_grad()
def test_means_leave_padding_out(model):
    alone = [heads.means_of(model, [pair])[1] * len(pair.source) for pair in PAIRS]
    symbols = sum(len(pair.source) for pair in PAIRS)
    torch.testing.assert_close(heads.means_of(model, PAIRS)[1], sum(alone) / symbols)


def test_a_head_that_keeps_its_own_map_costs_nothing(model):
    costs = heads.by_head(model, PAIRS, lambda one, at: None)
    assert np.shape(costs) == (4, heads.HEADS)
    assert not np.any(costs)


def test_the_other_date_is_as_long_or_the_next_longer():
    others = heads.next_longer(PAIRS, np.random.default_rng(0))
    lengths = np.array([len(pair.source) for pair in PAIRS])
    assert not np.any(others == np.arange(len(PAIRS)))
    for length, other in zip(lengths, lengths[others], strict=True):
        longer = lengths[lengths > length]
        assert other == length or other == min(longer, default=other)
    assert lengths[others[lengths.argmax()]] == np.sort(lengths)[-2]


@torch.no_grad()
def test_a_resampled_head_finds_what_it_finds_in_the_other_date(model):
    others = np.roll(np.arange(len(PAIRS)), 1)
    one, found = copy.deepcopy(model), []
    mixed = heads.attentions(one)[heads.ACROSS].output_projection
    mixed.register_forward_hook(lambda _, given, __: found.append(given[0]))
    one(*heads.batch(PAIRS))
    heads.resample(one, heads.ACROSS, 1, others)
    one(*heads.batch(PAIRS))
    before, after = found
    part = heads.entries_of(1)
    rest = [entry for entry in range(64) if entry not in part]
    torch.testing.assert_close(after[..., part], before[others][..., part])
    torch.testing.assert_close(after[..., rest], before[..., rest])


def test_heads_go_before_the_first_loss():
    assert heads.can_go([0.9, 0.89, 0.86, 0.8, 0.9]) == 2
    assert heads.can_go([0.9, 0.5]) == 0
    assert heads.can_go([0.9, 0.9]) == 1


def test_the_best_ranking_in_each_seed_comes_by_chance_once():
    errors = np.array([[0.1, 0.2, 0.3, 0.4]] * 2)
    costs = np.array([[0.9, 0.5, 0.2, 0.1]] * 2)
    assert heads.by_chance(errors, costs) == (pytest.approx(1), pytest.approx(1 / 24**2))
    found, share = heads.by_chance(errors, costs[:, ::-1])
    assert (found, share) == (pytest.approx(-1), 1)
