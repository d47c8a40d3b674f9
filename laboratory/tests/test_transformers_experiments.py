"""The experiments on Transformers: what is left out, taken away, timed and counted."""

import copy

import numpy as np
import pytest
import torch

from attn_course.self_attention import MultiHeadAttention
from attn_course.symbols import UNKNOWN
from attn_course.tasks.dates import date_pairs
from attn_lab.reading_dates.learnt_models import vocabularies
from attn_lab.transformers import attention_cost as cost
from attn_lab.transformers import beyond_length as beyond
from attn_lab.transformers import first_symbol as first
from attn_lab.transformers import heads_removed as heads
from attn_lab.transformers import reading_seconds as seconds
from attn_lab.transformers import transformer_models as models
from attn_lab.transformers import transformer_parts as grid
from attn_lab.transformers.beyond_length import Copier, Falling
from attn_lab.transformers.transformer_models import CHANGES, KINDS, Reader, build
from attn_lab.transformers.transformer_parts import without

# ---- attention_cost


def test_fused_attention_gives_what_is_written_out():
    layer, plain = cost.reader("written out")
    other, fused = cost.reader("fused")
    other.load_state_dict(layer.state_dict())
    vectors = torch.randn(1, 11, cost.SIZE)
    torch.testing.assert_close(fused(vectors), plain(vectors))


@pytest.mark.parametrize("length", [7, 13])
def test_what_is_kept_for_the_backward_pass(length):
    """Written out, at least the weights of each head; fused, some vectors for each position."""
    weights = 4 * cost.HEADS * length**2
    written_out, fused = (cost.saved_bytes(kind, length) for kind in ("written out", "fused"))
    assert written_out >= weights
    assert fused % (4 * length) == 0
    assert cost.saved_bytes("fused", 2 * length) == 2 * fused


def test_slopes_are_powers_of_the_length():
    assert cost.slopes((2, 4, 12), (5.0, 20.0, 540.0)) == pytest.approx([2, 3])


@pytest.mark.parametrize("kind", [*cost.READING, *cost.WRITING])
def test_everything_that_is_timed_runs(kind):
    assert cost.measure(cost.Condition(kind, 3), seed=0)["ms"] > 0


# ---- beyond_length


def built(kind):
    return Copier(kind).eval()


def test_scores_fall_with_distance_in_each_head_as_fast_as_its_slope():
    plain, falling = MultiHeadAttention(8, 4), Falling(8, 4)
    falling.load_state_dict(plain.state_dict())
    x = torch.randn(1, 5, 8)
    may = torch.ones(5, 5).tril().bool()
    weights = [layer.look(layer.ask(x), layer.offer(x, x), may)[1] for layer in (plain, falling)]
    for head, slope in enumerate((1 / 4, 1 / 16, 1 / 64, 1 / 256)):
        before, after = (table[0, head, 4].log() for table in weights)
        fallen = (after - before).diff()  # from one place to the next, which is nearer
        torch.testing.assert_close(fallen, torch.full((4,), slope))


@pytest.mark.parametrize("kind", beyond.KINDS)
def test_nothing_is_read_before_it_was_written(kind):
    model, targets = built(kind), torch.tensor([[5, 6, 7, 2]])
    sources, changed = torch.tensor([[5, 6, 7]]), torch.tensor([[5, 6, 8, 2]])
    lengths = torch.tensor([3])
    one, other = (model(sources, lengths, inputs)[0] for inputs in (targets, changed))
    torch.testing.assert_close(one[:, :3], other[:, :3])
    assert not torch.allclose(one[:, 3], other[:, 3])


def test_letters_after_one_that_stands_again_are_counted_apart(monkeypatch):
    """The source abac; the model writes "abab", END."""
    written, source = (torch.tensor([symbols]) for symbols in ([5, 6, 5, 6, 2], [5, 6, 5, 7, 2]))
    logits = torch.nn.functional.one_hot(written, 9).double()
    monkeypatch.setattr(beyond, "forced", lambda *_: (logits, source))
    shares = beyond.repeats(None, 4, 0)  # after a: b right, then b for c; after b: a right
    assert shares == {"once": 1.0, "again": 0.5, "astray": 1.0}


# ---- first_symbol


def test_weights_are_those_of_the_reader_itself():
    model = build("one sequence").eval()
    pair = first.with_first(PAIRS[:1], "empty")
    sources, lengths, targets = first.batch(pair)
    reading, writing = first.parted(model, sources, targets)
    theirs = model(sources, lengths, targets)[1][..., : first.EARLY]
    torch.testing.assert_close(writing[-1].mean(dim=1), theirs)
    assert reading.shape[3] == sources.shape[1] - first.LATER
    assert first.weights_on_first(model, pair)[1] == [
        [[pytest.approx(weight) for weight in head] for head in layer]
        for layer in writing[:, 0].mean(dim=2).tolist()
    ]


def test_the_empty_symbol_is_the_same_and_no_character():
    source, _ = vocabularies()
    rows = [source.encode(pair.source) for pair in first.with_first(PAIRS, "empty")]
    plain = [source.encode(pair.source) for pair in first.with_first(PAIRS, "date")]
    assert [row[1:] for row in rows] == plain
    assert {row[0] for row in rows} == {UNKNOWN}
    assert not any(UNKNOWN in row for row in plain)


# ---- heads_removed


PAIRS = date_pairs(12, seed=1)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return build("whole").eval()


def outputs_of(model, pairs):
    """What each attention adds, over these pairs."""
    outputs = []
    for attention in heads.attentions(model):
        attention.output_projection.register_forward_hook(
            lambda *arguments: outputs.append(arguments[-1])
        )
    model(*heads.batch(pairs))
    return outputs


def test_a_head_at_zero_is_a_silenced_head(model):
    one = copy.deepcopy(model)
    heads.take_away(one, 2, 1)
    for mine, theirs in zip(one.parameters(), without(model, 2, 1).parameters(), strict=True):
        torch.testing.assert_close(mine, theirs)


@torch.no_grad()
def test_at_their_means_all_heads_together_add_the_mean(model):
    """The decoder's attention to the source, which has no padding among what asks."""
    means = heads.means_of(model, PAIRS)
    before = outputs_of(copy.deepcopy(model), PAIRS)[heads.ACROSS]
    one = copy.deepcopy(model)
    for head in range(heads.HEADS):
        heads.take_away(one, heads.ACROSS, head, means)
    after = outputs_of(one, PAIRS)[heads.ACROSS]
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
    one, contexts = copy.deepcopy(model), []
    mixed = heads.attentions(one)[heads.ACROSS].output_projection
    mixed.register_forward_hook(lambda _, inputs, __: contexts.append(inputs[0]))
    one(*heads.batch(PAIRS))
    heads.resample(one, heads.ACROSS, 1, others)
    one(*heads.batch(PAIRS))
    before, after = contexts
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
    correlation, share = heads.by_chance(errors, costs[:, ::-1])
    assert (correlation, share) == (pytest.approx(-1), 1)


# ---- reading_seconds


@pytest.mark.parametrize("kind", seconds.READERS)
def test_each_reader_is_tested_after_as_many_dates(kind):
    settings = seconds.settings_of(kind, 2)
    assert settings.check_every * settings.batch_size == seconds.CHECK
    if kind != "bahdanau":
        known = models.settings(Reader(kind, 2, settings.learning_rate))
        assert (settings.batch_size, settings.warm_up) == (known.batch_size, known.warm_up)


def test_the_first_test_above_the_bar_counts():
    points = [[1.5, 0.2], [2.5, 0.9], [3.5, 0.8], [4.5, 0.97]]
    assert seconds.seconds_to(points, 0.9) == 2.5
    assert seconds.seconds_to(points, 0.91) == 4.5
    assert seconds.seconds_to(points, 0.98) == float("inf")


def test_the_clock_stops_while_a_reader_is_tested(monkeypatch):
    """Nor does it run while dates are drawn, for which the first reader would pay."""
    clock = iter([2.0, 10.0, 13.0, 20.0, 24.0, 30.0])

    def train(build, dates, look, **_):
        look("reader")
        look("reader")

    monkeypatch.setattr(seconds, "corpus", lambda seed: next(clock))
    monkeypatch.setattr(seconds, "unseen", lambda seed: ["date"] * seconds.DATES)
    monkeypatch.setattr(seconds, "exact", lambda model, test: 0.5)
    monkeypatch.setattr(seconds, "train", train)
    monkeypatch.setattr(seconds.time, "process_time", lambda: next(clock))
    assert seconds.curve("luong", 2, 0) == [[3.0, 0.5], [7.0, 0.5]]


def test_readers_take_turns_to_begin(monkeypatch):
    begun = []
    monkeypatch.setattr(seconds, "curve", lambda kind, epochs, seed: begun.append(kind))
    for seed in seconds.SEEDS:
        assert set(seconds.measure(seconds.Epochs(2), seed)) == set(seconds.READERS)
    assert {begun[0], begun[3], begun[6]} == set(seconds.READERS)


# ---- transformer_parts


@pytest.mark.parametrize("kind", CHANGES)
def test_only_those_without_a_warm_up_have_none(kind):
    warm_up = models.settings(Reader(kind, 2, 0.01)).warm_up
    assert warm_up == (1 if "no warm-up" in kind else models.WARM_UP)


def test_the_plan_holds_every_reader():
    assert {kind for kinds, _, _ in grid.PLAN for kind in kinds} == {*KINDS}


def test_a_silenced_head_adds_nothing():
    attention = MultiHeadAttention(6, 3, bias=False)
    vectors = torch.randn(2, 5, 6)
    query, offered = attention.ask(vectors), attention.offer(vectors, vectors)
    for head in (0, 1):
        models.silence(attention, head)
    alone = (query[:, 2] @ offered.keys[:, 2].transpose(1, 2) / 2**0.5).softmax(
        -1
    ) @ offered.values[:, 2]
    expected = alone @ attention.output_projection.weight[:, 4:].T
    torch.testing.assert_close(attention(vectors, vectors, vectors)[0], expected)


def test_the_weight_beside_leaves_out_what_is_padded_or_lies_outside():
    weights = torch.zeros(2, 4, 4)
    weights[0] = torch.eye(4).roll(-1, dims=0)  # 0 looks at 1, .., and 3 at 0
    weights[1, :2, :2] = torch.eye(2)
    before, own, after = grid.beside(weights, torch.tensor([4, 2]))
    assert (before, own, after) == (0.0, pytest.approx(2 / 6), pytest.approx(3 / 4))


def test_what_single_heads_do_has_the_right_shape_and_silencing_leaves_the_model_alone():
    model, pairs = models.build("whole").eval(), grid.unseen(0)[:3]
    before = {name: part.clone() for name, part in model.state_dict().items()}
    result = grid.heads(model, pairs)
    assert np.shape(result["error"]) == (4,)
    assert np.shape(result["beside"]) == (2, 4, 3)
    assert np.shape(result["silenced"]) == (4, 4)
    for name, part in model.state_dict().items():
        assert torch.equal(part, before[name])
