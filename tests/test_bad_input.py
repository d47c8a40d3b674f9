"""Values at the edge and beyond: a right answer, or an error that says what came."""

import math
from itertools import pairwise

import pytest
import torch

from attn_course import gradients, masks, measures
from attn_course.alignment import SCORES
from attn_course.context import context_vectors
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.translator import bahdanau
from attn_course.search import answer, greedy
from attn_course.tasks.reversal import letter_vocabulary
from attn_course.weights import (
    attention_weights,
    sparsemax,
)

BAD = (ValueError, TypeError)
LETTERS = letter_vocabulary()


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    sizes = {"embedding_size": 5, "encoder_size": 7, "state_size": 11}
    return bahdanau(len(LETTERS), len(LETTERS), **sizes).eval()


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int32])
def test_lengths_of_any_whole_type_fit_a_source_of_any_width(dtype):
    lengths = torch.tensor([3, 100], dtype=dtype)
    assert torch.equal(masks.padding(lengths, 300), masks.padding(lengths.long(), 300))


# ---- temperatures and scores at the ends of what a float can be


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_weights_of_a_temperature_at_the_ends(dtype):
    scores = torch.tensor([[3.0, 1.0, 3.0, -torch.inf]], dtype=dtype)
    for tiny in (1e-30, 1e-320, 5e-324):
        assert attention_weights(scores, temperature=tiny).tolist() == [[0.5, 0, 0.5, 0]]
    for huge in (1e40, 1e308, math.inf):
        even = attention_weights(scores, temperature=huge)
        torch.testing.assert_close(even, torch.tensor([[1, 1, 1, 0]], dtype=dtype) / 3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("temperature", [0.1, 1.0, 7.0])
def test_weights_of_scores_at_the_ends(dtype, temperature):
    most = torch.finfo(dtype).max
    scores = torch.tensor([[most, -most, most], [-most, -most, 0]], dtype=dtype)
    expected = [[0.5, 0, 0.5], [0, 0, 1]]
    assert attention_weights(scores, temperature=temperature).tolist() == expected
    assert sparsemax(scores).tolist() == expected


def test_the_gradient_at_a_temperature_is_that_of_the_quotient():
    scores = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
    upstream = torch.randn(3, 5, dtype=torch.float64)
    found = [
        torch.autograd.grad((weights * upstream).sum(), scores)[0]
        for weights in (attention_weights(scores, temperature=0.3), (scores / 0.3).softmax(-1))
    ]
    torch.testing.assert_close(*found)


def test_a_hidden_annotation_that_is_nan_is_not_averaged_silently():
    annotations = torch.tensor([[[1.0], [math.nan]]])
    with pytest.raises(ValueError, match="contexts must be finite"):
        context_vectors(torch.tensor([[[1.0, 0.0]]]), annotations)


# ---- scores, models, search


def test_a_score_made_for_other_sizes_is_refused():
    with pytest.raises(ValueError, match="not made for queries of 3"):
        BahdanauDecoder(5, 2, 3, 4, SCORES["general"](5, 4))


def test_no_texts_have_no_answers(model):
    assert answer(model, [], LETTERS, LETTERS) == []


def test_rows_of_weights_belong_to_the_symbols_that_were_written(model, monkeypatch):
    """START and padding may be written too; they are not symbols of the text."""
    written = torch.tensor([[1, 4, 0, 5, 1, 6, 2, 0]])  # start a padding b start c end
    weights = torch.arange(8.0)[None, :, None].expand(1, 8, 3)
    monkeypatch.setattr(
        "attn_course.search.greedy", lambda *_: (written, weights, torch.arange(8.0)[None])
    )
    [given] = answer(model, ["xyz"], LETTERS, LETTERS)
    assert given.text == "abc"
    assert given.weights[:, 0].tolist() == given.probabilities.tolist() == [1, 3, 5]


def test_symbols_of_any_whole_type_are_read(model):
    sources, lengths = torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2])
    expected = greedy(model, sources, lengths, 5)
    found = greedy(model, sources.to(torch.int8), lengths.to(torch.int16), 5)
    assert all(torch.equal(*parts) for parts in zip(found, expected, strict=True))


# ---- paths


A, B, C = (("n", number) for number in range(3))


def test_paths_are_counted_and_walked_however_long():
    nodes = [("n", number) for number in range(5000)]
    chain = {node: (following,) for node, following in pairwise(nodes)} | {nodes[-1]: ()}
    assert gradients.count_paths(chain, nodes[0], nodes[-1]) == {len(nodes) - 1: 1}
    [path] = gradients.all_paths(chain, nodes[0], nodes[-1])
    assert list(path) == nodes


def test_a_graph_has_no_cycle_and_no_unknown_node():
    for walk in (gradients.count_paths, gradients.all_paths):
        with pytest.raises(ValueError, match="cycle"):
            walk({A: (B,), B: (A, C), C: ()}, A, C)
        with pytest.raises(ValueError, match="not a node"):
            walk({A: (B,)}, A, A)


def test_jacobians_fit_their_paths():
    jacobians = {(A, B): torch.ones(3, 2), (B, C): torch.ones(1, 3), (A, C): torch.ones(1, 5)}
    assert gradients.sum_over_paths(jacobians, [(A, B, C)]).tolist() == [[3, 3]]
    for paths, words in [
        ([(A,)], "must have at least one edge"),
        ([(C, A)], "no Jacobian"),
        ([(A, B, C), (A, C)], "one start"),
        ([(B, C), (A, B, C)], "one start"),
    ]:
        with pytest.raises(ValueError, match=words):
            gradients.sum_over_paths(jacobians, paths)


def test_a_graph_that_is_gone_is_named():
    states = torch.randn(2, 3, 5, requires_grad=True)
    losses = states.pow(2).sum(dim=-1)
    losses.sum().backward()
    with pytest.raises(ValueError, match="before backward"):
        gradients.gradient_norms(losses, states)


# ---- measures and tasks


def test_weights_may_carry_a_graph():
    weights = torch.randn(3, 5, requires_grad=True).softmax(dim=-1)
    gold = torch.eye(3, 5) > 0
    expected = measures.alignment_error_rate(weights.detach().numpy(), gold.numpy())
    assert measures.alignment_error_rate(weights, gold) == expected
    assert measures.alignment_error_rate([weights], [gold]) == expected
