"""The experiment `map_tests`: each test of a map does what its name says."""

import pytest
import torch

from attn_course.interventions import divergence
from attn_course.tasks.dates import date_pairs
from attn_lab.faithful_maps import faithful_models as readers
from attn_lab.faithful_maps import map_tests as tests
from attn_lab.measuring import by_length

PAIRS = date_pairs(90, seed=5, days="test")
GROUP = max(by_length(PAIRS, lambda pair: pair), key=len)


def forced(name):
    model = readers.build(name).double().eval()
    for part in model.decoder.score.parameters():
        part.data *= 5  # otherwise an untrained map is nearly even
    return tests.Forced(model, GROUP[:5], name)


@pytest.fixture(params=["attending", "forbidden", "luong"])
def some(request):
    return forced(request.param)


@pytest.mark.parametrize("name", ["attending", "forbidden"])
def test_a_guided_reader_looks_where_it_is_told_and_sees_single_characters(name):
    told = forced(name)
    student = tests.Guided(told.model, name, even=False).double().eval()
    logits, weights = student(told.sources, told.lengths, told.targets)
    torch.testing.assert_close(weights, told.weights)
    for part in student.student.decoder.score.parameters():
        part.data = torch.randn_like(part)
    torch.testing.assert_close(
        student(told.sources, told.lengths, told.targets)[0], logits, msg="its score is not used"
    )
    assert not any(part is own for part in student.parameters() for own in told.model.parameters())


def test_an_even_map_is_even():
    told = forced("attending")
    student = tests.Guided(told.model, "attending", even=True).double()
    _, weights = student(told.sources, told.lengths, told.targets)
    torch.testing.assert_close(weights, torch.full_like(weights, 1 / told.sources.shape[1]))


def test_permuted_weights_are_the_same_weights_on_the_same_places(some):
    seen = []
    some.changed = lambda change: seen.append(change(some.weights, 0)) or some.shares
    assert tests.stays(some, 1).all()
    (new,) = seen
    torch.testing.assert_close(new.sort(dim=-1).values, some.weights.sort(dim=-1).values)
    assert torch.equal(new > 0, some.weights > 0)
    assert not torch.allclose(new, some.weights)


@pytest.mark.slow
def test_an_adversary_moves_far_if_no_answer_depends_on_weights(some, monkeypatch):
    monkeypatch.setattr(tests, "ASCENTS", 25)
    some.model.decoder.logits = lambda states, contexts: (
        torch.zeros(*contexts.shape[:-1], some.shares.shape[-1], dtype=torch.double)
        + 0 * contexts.sum(dim=-1, keepdim=True)
    )
    some.shares = torch.full_like(some.shares, 1 / some.shares.shape[-1])
    own = some.weights
    alone = torch.eye(own.shape[-1], dtype=torch.double).view(1, 1, *[own.shape[-1]] * 2)
    bounds = torch.stack(
        [divergence(own, alone[:, :, j].expand_as(own)) for j in range(own.shape[-1])], dim=-1
    )
    bounds = bounds.masked_fill(own == 0, 0).amax(dim=-1)
    found = tests.adversarial(some, 1)
    assert found.shape == (5, 10)
    assert (found <= bounds + 1e-9).all()
    assert (found / bounds).mean() > 0.9


def test_hiding_one_place_is_hiding_the_first_of_an_order_that_names_it(some):
    place = 2
    worth = torch.zeros_like(some.weights)
    worth[..., place] = 1
    points = tests.curve(some, worth)
    assert points.shape == (5, tests.HIDDEN + 1)
    torch.testing.assert_close(points[:, 0], some.p[:, tests.DIGITS].mean(dim=1))
    left = (some.p - tests.falls(some)[..., place])[:, tests.DIGITS].mean(dim=1)
    torch.testing.assert_close(points[:, 1], left)


def test_the_rank_correlation_is_that_of_scipy():
    spearmanr = pytest.importorskip("scipy.stats").spearmanr
    one, other = torch.randn(2, 3, 5, 11, dtype=torch.double)
    ours = tests.rank_correlation(one, other)
    for index in range(3):
        for row in range(5):
            theirs = spearmanr(one[index, row], other[index, row]).statistic
            assert ours[index, row].item() == pytest.approx(theirs)


@pytest.mark.parametrize("nth", range(4))
def test_only_the_digit_at_a_place_of_the_year_is_exchanged(nth):
    for pair in PAIRS:
        if pair.fields.count("y") == 4:
            new = tests.year_exchanged(pair, nth)
            (place,) = (
                i for i, (a, b) in enumerate(zip(pair.source, new.source, strict=True)) if a != b
            )
            assert place == pair.fields.index("y") + nth
            assert int(pair.source[place]) + int(new.source[place]) == 9
