"""Gradient paths: how what went wrong at target step i reaches source position j.

A network is a graph of intermediate results. The gradient of a loss with respect to one of them
is a sum over all paths between the two, of the product of the Jacobians along the path:

    d loss / d h = Σ_paths Π_edges ∂(next node) / ∂(node)               the chain rule

So what matters is how many paths there are, how long they are, and how large the factors are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor

from attn_course._check import expect_tensor
from attn_course._values import describe

Node = tuple[str, int] | tuple[str, int, int]
Graph = Mapping[Node, Sequence[Node]]


def gradient_norms(
    losses: Float[Tensor, "batch target"],
    states: Float[Tensor, "batch source annotation"] | Sequence[Float[Tensor, "batch annotation"]],
) -> Float[Tensor, "target source"]:
    """Measure how strongly each state is told what went wrong at each target step.

        ‖ d loss_i / d h_j ‖, its mean over the batch

    A state is a *node*: what counts is everything that would change if h_j changed, the later
    states that are made from it included. So hand over the states that the network itself went on
    with. A ``torch.stack`` of them made afterwards is another node: only what reads the stack
    depends on it, and a recurrence does not.

    losses   (batch target): one number for each target step of each example. The examples must
             not influence each other (as they would in a batch normalisation).
    states   (batch source annotation) where one tensor is the node, as when annotations are
             given; or the list of h_1 .. h_n as a loop made them, each (batch annotation).

    Returns (target source), in the unit of the loss over that of the state. A loss or a state
    that has no graph, or that no path connects, is a ValueError: a zero would be a lie.
    """
    expect_tensor("losses", losses, "batch target")
    nodes = _nodes(states, losses.shape[0])
    _expect_graph("losses", losses)
    for name, node in nodes:
        _expect_graph(name, node)
    tensors = [node for _, node in nodes]
    rows = []
    for loss in losses.sum(dim=0):  # each example's gradient is its own: the sum mixes nothing
        rows.append(torch.autograd.grad(loss, tensors, retain_graph=True, allow_unused=True))
    _expect_paths(rows, [name for name, _ in nodes])
    return torch.stack([_norms(row, tensors) for row in rows])


def _nodes(states: object, batch: int) -> list[tuple[str, Tensor]]:
    """The nodes with their names: one tensor, or one for each source position."""
    if isinstance(states, Tensor):
        expect_tensor("states", states, "batch source annotation")
        nodes = [("states", states)]
    elif isinstance(states, Sequence) and len(states):
        nodes = [(f"states[{j}]", state) for j, state in enumerate(states)]
        for name, state in nodes:
            expect_tensor(name, state, "batch annotation")
    else:
        raise TypeError(
            "states must be a tensor (batch source annotation) or a list of tensors "
            f"(batch annotation), at least one; got {describe(states)}"
        )
    for name, state in nodes:
        if len(state) != batch:
            raise ValueError(
                f"{name} must hold the batch of the losses, {batch}; got {describe(state)}"
            )
    return nodes


def _expect_graph(name: str, value: Tensor) -> None:
    if not value.requires_grad:
        raise ValueError(
            f"{name} has no graph, so no gradient can reach it; got {describe(value)} with "
            "requires_grad=False. Was it detached, or computed under torch.no_grad()?"
        )


def _expect_paths(rows: Sequence[Sequence[Tensor | None]], names: Sequence[str]) -> None:
    """Every loss depends on a state, and every state is depended on."""
    for i, row in enumerate(rows):
        if all(gradient is None for gradient in row):
            raise ValueError(
                f"losses[:, {i}] depends on none of the states. Were they stacked afterwards? "
                "Hand over the list of states that the network itself went on with."
            )
    for j, name in enumerate(names):
        if all(row[j] is None for row in rows):
            raise ValueError(f"no loss depends on {name}: no path leads to it")


def _norms(row: Sequence[Tensor | None], tensors: Sequence[Tensor]) -> Tensor:
    """The mean norm over the batch for each source position; no path means exactly zero."""
    gradients = [
        torch.zeros_like(tensor) if gradient is None else gradient
        for gradient, tensor in zip(row, tensors, strict=True)
    ]
    together = gradients[0] if gradients[0].dim() == 3 else torch.stack(gradients, dim=1)
    return together.norm(dim=-1).mean(dim=0)


# ---- the paths themselves


def translator_graph(source: int, target: int, attention: bool) -> dict[Node, tuple[Node, ...]]:
    """Draw up what is computed from what, in a translator that reads in one direction.

        ("h", j)     h_j = f(x_j, h_{j-1})            the last one is the decoder's first state
        ("s", i)     s_i = f(s_{i-1}, y_{i-1}, c_i)
        ("L", i)     the loss at step i, from s_i and c_i
        ("e", i, j)  e_ij = a(s_{i-1}, h_j)           only with attention
        ("c", i)     c_i = Σ_j softmax(e_i)_j h_j     only with attention

    j and i count from 1 as in the equations. Gives the nodes that each node goes into; the losses
    go into nothing. The given symbols x and y are no nodes: nothing is learnt by changing them.
    """
    if source < 1 or target < 1:
        raise ValueError(f"source and target must be 1 or more; got {source} and {target}")
    steps, positions = range(1, target + 1), range(1, source + 1)
    states = [("h", source), *(("s", i) for i in steps)]  # s_0 is h_n
    edges = [(("h", j), ("h", j + 1)) for j in positions[:-1]]
    edges += pairwise(states)
    edges += [(("s", i), ("L", i)) for i in steps]
    if attention:
        for i in steps:
            edges += [(("c", i), ("s", i)), (("c", i), ("L", i))]
            for j in positions:
                edges += [(("h", j), ("c", i)), (("h", j), ("e", i, j))]
                edges += [(states[i - 1], ("e", i, j)), (("e", i, j), ("c", i))]
    graph: dict[Node, tuple[Node, ...]] = {node: () for edge in edges for node in edge}
    for node, following in dict.fromkeys(edges):  # h_n asks for e_1n and is scored by it: one edge
        graph[node] += (following,)
    return graph


def count_paths(graph: Graph, start: Node, end: Node) -> dict[int, int]:
    """Count the paths from one node to another: their number for each length in edges.

        N(end) = 1,   N(node) = Σ_next N(next),   each one edge longer

    Without attention it is one path, as long as the two places are apart. With attention there
    are a few of length two or three at any distance, and astronomically many long ones: a count
    alone says nothing of what arrives.

    An unknown node is a KeyError; where no path leads, the result is empty.
    """

    @cache
    def lengths(node: Node) -> tuple[tuple[int, int], ...]:
        found: dict[int, int] = {0: 1} if node == end else {}
        for following in graph[node]:
            for length, number in lengths(following):
                found[length + 1] = found.get(length + 1, 0) + number
        return tuple(sorted(found.items()))

    graph[end]  # an unknown end is a mistake, not a place without paths
    return dict(lengths(start))


def all_paths(graph: Graph, start: Node, end: Node) -> Iterator[tuple[Node, ...]]:
    """Walk every path from one node to another, as the nodes on it. For small graphs only."""
    if start == end:
        yield (end,)
    for following in graph[start]:
        for rest in all_paths(graph, following, end):
            yield (start, *rest)


def sum_over_paths(
    jacobians: Mapping[tuple[Node, Node], Tensor], paths: Iterable[Sequence[Node]]
) -> Tensor:
    """Add up the products of the Jacobians along some paths: their part of the gradient.

        Σ_paths J_last ··· J_2 J_1        J = ∂(next node) / ∂(node), (next node, node)

    Over all paths from h_j to a loss it is d loss / d h_j, as a row. Autograd finds the same
    without walking a single path twice, in one sweep from the end.
    """
    total = None
    for path in paths:
        edges = list(pairwise(path))
        product = jacobians[edges[-1]]
        for edge in reversed(edges[:-1]):  # from the loss: a row stays a row
            product = product @ jacobians[edge]
        total = product if total is None else total + product
    if total is None:
        raise ValueError("there are no paths to add up")
    return total
