"""Multi-head attention and positions, compared with PyTorch's own and with loops."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attn_course import masks
from attn_course.self_attention import MultiHeadAttention, rotate, sinusoidal_positions

BATCH, TARGET, SOURCE, HEADS, PART = 2, 5, 7, 3, 11
SIZE = HEADS * PART


@pytest.fixture(autouse=True)
def precise():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def some():
    shapes = ((BATCH, TARGET, SIZE), (BATCH, SOURCE, SIZE), (BATCH, SOURCE, SIZE))
    return tuple(torch.randn(shape) for shape in shapes)


def twin_of(ours, **options):
    """PyTorch's module with the same weights."""
    theirs = nn.MultiheadAttention(ours.size, ours.heads, batch_first=True, **options)
    parts = (ours.query_projection, ours.key_projection, ours.value_projection)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.out_proj.weight.copy_(ours.output_projection.weight)
        if ours.query_projection.bias is not None:
            theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
            theirs.out_proj.bias.copy_(ours.output_projection.bias)
    return theirs


def noisy(module):
    """Every parameter redrawn: PyTorch starts biases at zero."""
    for part in module.parameters():
        nn.init.normal_(part, std=0.2)
    return module


@pytest.mark.parametrize("bias", [True, False])
def test_equals_the_module_of_pytorch_whose_mask_means_the_opposite(bias):
    ours, inputs = noisy(MultiHeadAttention(SIZE, HEADS, bias)), some()
    readable = masks.padding(torch.tensor([3, SOURCE]), SOURCE)
    theirs = twin_of(ours, bias=bias)
    expected = theirs(*inputs, key_padding_mask=~readable[:, 0], average_attn_weights=False)
    for mine, other in zip(ours(*inputs, readable), expected, strict=True):
        torch.testing.assert_close(mine, other)


def test_equals_the_fused_function_of_pytorch():
    ours, inputs = noisy(MultiHeadAttention(SIZE, HEADS)), some()
    query, cached = ours.ask(inputs[0]), ours.offer(*inputs[1:])
    readable = torch.rand(BATCH, HEADS, TARGET, SOURCE) > 0.3
    readable[..., 0] = True
    context = F.scaled_dot_product_attention(query, *cached, attn_mask=readable)
    context = context.transpose(1, 2).reshape(BATCH, TARGET, SIZE)
    torch.testing.assert_close(ours(*inputs, readable)[0], ours.output_projection(context))


@pytest.mark.parametrize("axes", ["target source", "batch target source", "batch 1 source"])
def test_a_mask_for_all_heads(axes):
    sizes = {"batch": BATCH, "target": TARGET, "source": SOURCE, "1": 1}
    readable = torch.rand([sizes[axis] for axis in axes.split()]) > 0.4
    readable[..., 2] = True
    _, weights = MultiHeadAttention(SIZE, HEADS)(*some(), readable)
    by_hand = readable if readable.dim() == 2 else readable[:, None]
    assert ((weights > 0) == by_hand.expand_as(weights)).all()


def test_a_mask_of_three_axes_is_the_batchs_even_where_heads_are_as_many():
    readable = torch.ones(BATCH, TARGET, SOURCE, dtype=torch.bool)
    readable[0, :, 1:] = False
    _, weights = MultiHeadAttention(SIZE - SIZE % BATCH, BATCH)(
        *(part[..., : SIZE - SIZE % BATCH] for part in some()), readable
    )
    assert (weights[0, :, :, 0] == 1).all()
    assert (weights[1] < 1).all()


def test_what_is_kept_one_by_one_equals_what_is_offered_at_once():
    ours, (_, sequence, _) = MultiHeadAttention(22, 1), some()
    sequence, places = sequence[..., :22], torch.arange(SOURCE)
    query = ours.ask(sequence, places)
    cached = ours.offer(sequence, sequence, places)
    whole, _ = ours.look(query, cached, masks.causal(SOURCE))
    grown = None
    for i in range(SOURCE):
        one, place = sequence[:, i : i + 1], places[i : i + 1]
        latest = ours.offer(one, one, place)
        grown = latest if grown is None else grown.followed_by(latest)
        output, weights = ours.look(ours.ask(one, place), grown)
        torch.testing.assert_close(output, whole[:, i : i + 1])
        assert weights.shape[-1] == i + 1


def test_sinusoidal_positions_are_those_of_the_paper():
    length, size = 13, 7
    table = sinusoidal_positions(length, size)
    for p in range(length):
        for entry in range(size):
            angle = p / 10_000 ** ((entry - entry % 2) / size)
            wave = math.cos(angle) if entry % 2 else math.sin(angle)
            assert table[p, entry].item() == pytest.approx(wave, abs=1e-14)


def test_heads_with_positions_compare_turned_queries_with_turned_keys():
    size = 2 * SIZE  # entries are turned in pairs
    ours, queries = MultiHeadAttention(size, HEADS), torch.randn(BATCH, TARGET, size)
    keys, values = torch.randn(2, BATCH, SOURCE, size)
    where, there = torch.arange(TARGET) + 3, torch.arange(SOURCE)
    cached = ours.offer(keys, values, there)
    query = ours.ask(queries, where)
    split = lambda vectors: vectors.unflatten(-1, (HEADS, 2 * PART)).transpose(1, 2)  # noqa: E731
    torch.testing.assert_close(cached.keys, rotate(split(ours.key_projection(keys)), there))
    torch.testing.assert_close(cached.values, split(ours.value_projection(values)))
    torch.testing.assert_close(query, rotate(split(ours.query_projection(queries)), where))
    weights = ours.look(query, cached)[1]
    later = ours.look(ours.ask(queries, where + 19), ours.offer(keys, values, there + 19))[1]
    torch.testing.assert_close(weights, later)  # only differences of places count
    assert not torch.allclose(weights, ours.look(ours.ask(queries, where + 1), cached)[1])


def test_rotation_turns_neighbouring_entries_by_the_angle_of_their_pair():
    vectors, places = torch.randn(BATCH, HEADS, SOURCE, 10), torch.arange(SOURCE) + 2
    turned = rotate(vectors, places)
    for k in range(5):
        angle = places * 10_000 ** (-2 * k / 10)
        x, y = vectors[..., 2 * k], vectors[..., 2 * k + 1]
        torch.testing.assert_close(turned[..., 2 * k], x * angle.cos() - y * angle.sin())
        torch.testing.assert_close(turned[..., 2 * k + 1], x * angle.sin() + y * angle.cos())


def test_each_row_of_a_batch_may_have_places_of_its_own():
    vectors, places = torch.randn(BATCH, HEADS, SOURCE, 10), torch.randint(-9, 9, (BATCH, SOURCE))
    turned = rotate(vectors, places)
    for row in range(BATCH):
        torch.testing.assert_close(turned[row], rotate(vectors[row : row + 1], places[row])[0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_rotation_keeps_the_dtype(dtype):
    vectors = torch.randn(BATCH, HEADS, SOURCE, 10)
    turned = rotate(vectors.to(dtype), torch.arange(SOURCE))
    assert turned.dtype == dtype
    exact = rotate(vectors, torch.arange(SOURCE))
    torch.testing.assert_close(turned.double(), exact, atol=0.05, rtol=0.02)


def test_bad_input_is_explained():
    ours, (queries, keys, values) = MultiHeadAttention(SIZE, HEADS), some()
    empty = torch.ones(BATCH, TARGET, SOURCE, dtype=torch.bool)
    empty[1, 3] = False
    for call, error, words in (
        (lambda: MultiHeadAttention(10, 3), ValueError, "multiple of heads; got 10 and 3"),
        (lambda: ours.check("keys", keys[..., :4]), ValueError, r"keys must be .*size=\d+\); got"),
        (lambda: ours(queries, keys, values, empty), ValueError, r"row \(1, 0, 3\) has nothing"),
        (lambda: ours(queries, keys, values, empty[:, :2]), ValueError, "that broadcasts to"),
        (lambda: ours(queries, keys * math.nan, values), ValueError, "NaN"),
        (lambda: ours(queries, keys, values * math.inf), ValueError, "finite"),
        (lambda: rotate(torch.randn(1, 1, 2, 3), torch.arange(2)), ValueError, "in pairs"),
        (
            lambda: rotate(torch.randn(1, 1, 2, 4), torch.tensor([0, math.nan])),
            ValueError,
            "positions must be finite",
        ),
    ):
        with pytest.raises(error, match=words):
            call()
