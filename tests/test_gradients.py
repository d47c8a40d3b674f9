"""Gradient norms and paths, compared with Jacobians, closed forms and other ways of counting."""

import math
from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from attn_course import gradients

BATCH, TARGET, SOURCE, STATE = 5, 3, 7, 2


def chain(cell, length=SOURCE, batch=BATCH):
    """The states of a recurrence, as its loop makes them."""
    state, states = torch.zeros(batch, cell.hidden_size), []
    for _ in range(length):
        state = cell(torch.randn(batch, cell.input_size), state)
        states.append(state)
    return states


# ---- norms


def test_one_tensor_against_the_whole_jacobian(device):
    states = torch.randn(BATCH, SOURCE, STATE, device=device, requires_grad=True)
    mix = torch.randn(TARGET, SOURCE, device=device)

    def losses_of(states):
        return torch.tanh(mix @ states).pow(2).sum(dim=-1)  # (batch target)

    jacobian = torch.autograd.functional.jacobian(losses_of, states)
    expected = torch.stack([jacobian[b, :, b] for b in range(BATCH)]).norm(dim=-1).mean(dim=0)
    norms = gradients.gradient_norms(losses_of(states), states)
    assert norms.shape == (TARGET, SOURCE)
    torch.testing.assert_close(norms, expected)


def test_a_list_of_states_counts_what_later_states_make_of_them():
    cell = nn.RNNCell(3, STATE)
    states = chain(cell)
    losses = torch.stack([states[-1].sum(dim=-1), states[4].pow(2).sum(dim=-1)], dim=1)
    norms = gradients.gradient_norms(losses, states)
    # by hand: d h_{t+1} / d h_t = diag(1 - h²) W
    W = cell.weight_hh
    expected = torch.zeros(2, SOURCE)
    for row, (end, upstream) in enumerate(
        [(SOURCE - 1, torch.ones(BATCH, STATE)), (4, 2 * states[4])]
    ):
        for j in range(end, -1, -1):
            expected[row, j] = upstream.norm(dim=-1).mean()
            upstream = (upstream * (1 - states[j] ** 2)) @ W
    torch.testing.assert_close(norms, expected.detach())


def test_no_path_between_one_loss_and_one_state_is_zero():
    states = chain(nn.GRUCell(3, STATE))
    losses = torch.stack([states[2].sum(dim=-1), states[-1].sum(dim=-1)], dim=1)
    norms = gradients.gradient_norms(losses, states)
    assert (norms[0, 3:] == 0).all()
    assert (norms[0, :3] > 0).all()
    assert (norms[1] > 0).all()


def test_it_scales_with_the_loss_and_leaves_the_graph_and_the_parameters_alone():
    cell = nn.GRUCell(3, STATE)
    states = chain(cell)
    losses = states[-1]
    once = gradients.gradient_norms(losses, states)
    torch.testing.assert_close(gradients.gradient_norms(3 * losses, states), 3 * once)
    assert cell.weight_hh.grad is None
    assert not once.requires_grad
    losses.sum().backward()  # the graph has not been freed
    assert cell.weight_hh.grad is not None


def leaf(*shape, **options):
    return torch.randn(*shape, requires_grad=True, **options)


def sums(states):
    return states.sum(dim=-1)[:, :TARGET]


NODE = leaf(BATCH, SOURCE, STATE)


class Copies(torch.autograd.Function):
    """A copy; how to go back, others say."""

    @staticmethod
    def forward(context, value):
        return value.clone()


class SaysNothingOfZeros(Copies):
    """Passes on None instead of a zero gradient, as a custom function may."""

    @staticmethod
    def backward(context, gradient):
        return gradient if gradient.any() else None


def test_a_state_that_one_loss_says_nothing_of_has_the_norm_zero_there():
    states = [leaf(BATCH, STATE) for _ in range(TARGET)]
    losses = torch.stack([SaysNothingOfZeros.apply(s).sum(dim=-1) for s in states], dim=1)
    torch.testing.assert_close(
        gradients.gradient_norms(losses, states), math.sqrt(STATE) * torch.eye(TARGET)
    )


class Fails(Copies):
    """Cannot go back."""

    @staticmethod
    def backward(context, gradient):
        raise RuntimeError("a fault of its own")


def test_a_fault_of_the_graph_itself_is_passed_on():
    state = leaf(BATCH, STATE)
    with pytest.raises(RuntimeError, match="a fault of its own"):
        gradients.gradient_norms(Fails.apply(state), [state])


# ---- paths


def powers_of_the_adjacency(graph, start, end):
    """The number of walks of each length, by matrix powers."""
    nodes = list(graph)
    adjacency = np.array([[b in graph[a] for b in nodes] for a in nodes], dtype=object) * 1
    walks, counted = np.eye(len(nodes), dtype=object).astype(int).astype(object), {}
    for length in range(len(nodes)):
        if number := walks[nodes.index(start), nodes.index(end)]:
            counted[length] = number
        walks = walks @ adjacency
    return counted


@pytest.mark.parametrize("attention", [False, True])
@pytest.mark.parametrize(("source", "target"), [(1, 1), (2, 3), (3, 2)])
def test_three_ways_of_counting_agree(source, target, attention):
    graph = gradients.translator_graph(source, target, attention)
    for j in range(1, source + 1):
        for i in range(1, target + 1):
            ends = ("h", j), ("L", i)
            counted = gradients.count_paths(graph, *ends)
            assert counted == powers_of_the_adjacency(graph, *ends)
            assert counted == Counter(len(path) - 1 for path in gradients.all_paths(graph, *ends))


def test_the_number_of_paths_in_closed_form():
    """Each step multiplies: past the context, or by one of n queries; and 2 paths into a read."""
    source, target = 5, 4
    graph = gradients.translator_graph(source, target, attention=True)
    for j in range(1, source + 1):
        # h_n is both query and key of e_1n: two paths in one edge
        reads, states = 2 * (source - j + 1), 1
        for i in range(1, target + 1):
            context = source * states + reads - (i == 1)
            states += context
            total = sum(gradients.count_paths(graph, ("h", j), ("L", i)).values())
            assert total == states + context


def test_ends_and_unknown_nodes():
    graph = gradients.translator_graph(2, 2, attention=False)
    assert gradients.count_paths(graph, ("h", 2), ("h", 2)) == {0: 1}
    assert gradients.count_paths(graph, ("s", 1), ("h", 1)) == {}
    assert list(gradients.all_paths(graph, ("s", 1), ("h", 1))) == []
    assert list(gradients.all_paths(graph, ("s", 1), ("s", 1))) == [(("s", 1),)]


def test_sum_over_paths_on_a_diamond():
    a, b, c, d = ("a", 1), ("b", 1), ("c", 1), ("d", 1)
    sizes = {a: 2, b: 3, c: 5, d: 1}
    edges = [(a, b), (a, c), (b, c), (b, d), (c, d)]
    jacobians = {(x, y): torch.randn(sizes[y], sizes[x], dtype=torch.double) for x, y in edges}
    J = {f"{x[0]}{y[0]}": value for (x, y), value in jacobians.items()}
    expected = J["bd"] @ J["ab"] + J["cd"] @ J["ac"] + J["cd"] @ J["bc"] @ J["ab"]
    graph = {a: (b, c), b: (c, d), c: (d,), d: ()}
    total = gradients.sum_over_paths(jacobians, gradients.all_paths(graph, a, d))
    torch.testing.assert_close(total, expected)
    assert math.prod(total.shape) == sizes[a]


def test_paths_are_counted_and_walked_however_long():
    nodes = [("n", number) for number in range(5000)]
    chain = {node: (following,) for node, following in pairwise(nodes)} | {nodes[-1]: ()}
    assert gradients.count_paths(chain, nodes[0], nodes[-1]) == {len(nodes) - 1: 1}
    [path] = gradients.all_paths(chain, nodes[0], nodes[-1])
    assert list(path) == nodes


def test_counting_is_fast_where_walking_would_never_end():
    graph = gradients.translator_graph(20, 20, attention=True)
    assert sum(gradients.count_paths(graph, ("h", 1), ("L", 20)).values()) > 10**26


# ---- what is refused


def gone():
    """Losses whose graph has been freed, and their states."""
    states = leaf(2, 3, 5)
    losses = states.pow(2).sum(dim=-1)
    losses.sum().backward()
    return losses, states


def along(*paths, **jacobians):
    """A sum over paths through nodes of one letter, whose Jacobians fit unless others are named."""
    fitting = {"ab": torch.ones(3, 2), "bc": torch.ones(1, 3), "ac": torch.ones(1, 2)}
    named = {tuple((end, 1) for end in edge): J for edge, J in (fitting | jacobians).items()}
    return gradients.sum_over_paths(named, [[(node, 1) for node in path] for path in paths])


def test_a_product_of_ones_counts():
    assert along("abc").tolist() == [[3, 3]]


A, B, C = (("n", number) for number in range(3))
GRAPH, CHAIN = gradients.translator_graph(2, 2, attention=False), chain(nn.GRUCell(3, STATE))
REFUSED = {
    gradients.gradient_norms: [
        ((sums(NODE).detach(), NODE), r"losses has no graph.*float32 \(5, 3\).*no_grad"),
        ((sums(NODE), NODE.detach()), r"states has no graph.*float32 \(5, 7, 2\)"),
        ((sums(NODE), leaf(BATCH, 2, STATE)), r"losses\[:, 0\] depends on none"),
        ((sums(NODE), torch.stack([NODE, NODE])[0]), "stacked afterwards"),
        ((sums(NODE), [NODE]), r"states\[0\] must be .*\(batch=5 annotation\)"),
        ((sums(NODE), [NODE[:, 0], NODE[0]]), r"states\[1\] must be .*\(batch=5 annotat"),
        ((sums(NODE), []), TypeError, "states must be tensors, each .* got list"),
        ((sums(NODE), [None]), TypeError, r"states\[0\] must be .* got NoneType"),
        ((CHAIN[-1], [*CHAIN, leaf(BATCH, STATE)]), rf"no loss depends on states\[{SOURCE}\]"),
        (gone(), "before backward"),
    ],
    **{
        walk: [
            ((GRAPH, ("h", 3), ("s", 1)), "is not a node of the graph"),
            ((GRAPH, ("h", 1), ("c", 1)), "is not a node of the graph"),
            ((GRAPH, ("h", 1), ("x", 1)), r"\('x', 1\) is not a node of the graph, which has \d+"),
            (({A: (B,), B: (A, C), C: ()}, A, C), "cycle"),
            (({A: (B,)}, A, A), "not a node"),
        ]
        for walk in (gradients.count_paths, gradients.all_paths)
    },
    along: [
        ((), "no paths"),
        (("a",), "must have at least one edge"),
        (("ca",), "no Jacobian"),
        (("abc", "bc"), "one start"),
        (("bc", "abc"), "one start"),
    ],
    partial(along, "abc", "ac"): [
        ({"ab": [[1.0]]}, TypeError, "acobian"),
        ({"bc": torch.ones(1, 3).double()}, TypeError, "same dtype; got float32.* and float64"),
        ({"ab": torch.ones(2, 2)}, r"must have 3 rows.*got float32 \(2, 2\)"),
        ({"ab": torch.ones(3)}, r"\(next node\); got float32 \(3,\)"),
        ({"ac": torch.ones(1, 5)}, r"one shape.*\(1, 2\).*\(1, 5\)"),
        ({"ac": torch.ones(2, 2)}, r"one shape.*\(1, 2\).*\(2, 2\)"),
    ],
}
