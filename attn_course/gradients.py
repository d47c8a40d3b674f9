"""Gradient paths: how the error at target step i reaches source position j.

A network is a graph of intermediate results. The gradient of a loss with respect to one of them
is a sum over all paths between the two; each path adds the product of its Jacobians:

    d loss / d h = Σ_paths Π_edges ∂(next node) / ∂(node)               the chain rule

What matters is therefore how many paths there are, how long they are, and how large the factors.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor

from attn_course._check import expect_finite
from attn_course._signature import checked, expect
from attn_course._values import Count, describe

Node = tuple[str, int] | tuple[str, int, int]
Graph = Mapping[Node, Sequence[Node]]


@checked
def gradient_norms(
    losses: Float[Tensor, "batch target"],
    states: Float[Tensor, "batch source annotation"] | Sequence[Float[Tensor, "batch annotation"]],
) -> Float[Tensor, "target source"]:
    """Measure how strongly the loss at each target step depends on each state.

        ‖ d loss_i / d h_j ‖, averaged over the batch

    A state is a *node* of the graph: everything counts that would change if h_j changed, including
    the later states computed from it. So pass the very states that the network went on to use. A
    ``torch.stack`` of them made afterwards is a different node: only what reads the stack depends
    on it, and the recurrence does not.

    losses   (batch target): one number for each target step of each example. The examples must
             not influence one another (as they would with batch normalisation).
    states   (batch source annotation) if one tensor is the node, as when annotations are given;
             or the list of h_1 .. h_n that a loop computed, each (batch annotation).

    Returns (target source), in units of the loss per unit of the state. A loss or a state without
    a graph is a ValueError, and so is a loss that depends on none of the states or a state that no
    loss depends on: a zero would be misleading. So is a gradient that is not finite.
    """
    nodes = _nodes(states)
    _expect_graph("losses", losses)
    for name, node in nodes:
        _expect_graph(name, node)
    tensors = [node for _, node in nodes]
    rows: list[tuple[Tensor | None, ...]] = []
    for loss in losses.sum(dim=0):  # examples are independent, so the sum mixes nothing
        rows.append(_gradients(loss, tensors))
    _expect_paths(rows, [name for name, _ in nodes])
    norms = torch.stack([_norms(row, tensors) for row in rows])
    expect_finite("the gradients", norms, "are all losses finite?")
    return norms


def _gradients(loss: Tensor, tensors: Sequence[Tensor]) -> tuple[Tensor | None, ...]:
    try:
        return torch.autograd.grad(loss, tensors, retain_graph=True, allow_unused=True)
    except RuntimeError as error:
        if "second time" not in str(error):
            raise
        raise ValueError(
            "the graph of the losses has been freed: measure before backward(), or call "
            "backward(retain_graph=True)"
        ) from None


def _nodes(states: Tensor | Sequence[Tensor]) -> list[tuple[str, Tensor]]:
    """The nodes with their names: a single tensor, or one for each source position."""
    if isinstance(states, Tensor):
        return [("states", states)]
    return [(f"states[{j}]", state) for j, state in enumerate(states)]


def _expect_graph(name: str, value: Tensor) -> None:
    if not value.requires_grad:
        raise ValueError(
            f"{name} has no graph, so no gradient can reach it; got {describe(value)} with "
            "requires_grad=False. Was it detached, or computed under torch.no_grad()?"
        )


def _expect_paths(rows: Sequence[Sequence[Tensor | None]], names: Sequence[str]) -> None:
    """Require every loss to depend on some state, and some loss to depend on every state."""
    for i, row in enumerate(rows):
        if all(gradient is None for gradient in row):
            raise ValueError(
                f"losses[:, {i}] depends on none of the states. Were they stacked afterwards? "
                "Pass the list of states that the network itself went on to use."
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


@checked
def translator_graph(source: Count, target: Count, attention: bool) -> dict[Node, tuple[Node, ...]]:
    """The graph of what is computed from what, in a translator that reads in one direction.

        ("h", j)     h_j = f(x_j, h_{j-1})            the last one is the decoder's first state
        ("s", i)     s_i = f(s_{i-1}, y_{i-1}, c_i)
        ("L", i)     the loss at step i, from s_i and c_i
        ("e", i, j)  e_ij = a(s_{i-1}, h_j)           only with attention
        ("c", i)     c_i = Σ_j softmax(e_i)_j h_j     only with attention

    j and i count from 1, as in the equations. Returns, for each node, the nodes that are computed
    from it; for the losses there are none. The given symbols x and y are not nodes, since training
    does not change them.
    """
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
    for node, following in dict.fromkeys(edges):  # h_n is both query and key of e_1n: one edge
        graph[node] += (following,)
    return graph


@checked
def count_paths(graph: Graph, start: Node, end: Node) -> dict[int, int]:
    """Count the paths from one node to another, by their length in edges.

        N(end) = 1,   N(node) = Σ_next N(next),   each one edge longer

    Without attention there is one path, and it is as long as the two places are apart. With
    attention there are a few of length two or three at any distance, and astronomically many long
    ones: the count alone does not say what arrives.

    If there is no path, the result is empty. An unknown node is a ValueError, and so is a cycle,
    since the number of paths would be infinite.
    """
    _expect_nodes(graph, start, end)
    counts: dict[Node, dict[int, int]] = {}
    for node in _last_first(graph, start):
        by_length = {0: 1} if node == end else {}
        for following in graph[node]:
            for length, count in counts[following].items():
                by_length[length + 1] = by_length.get(length + 1, 0) + count
        counts[node] = dict(sorted(by_length.items()))
    return counts[start]


def _last_first(graph: Graph, start: Node) -> Iterator[Node]:
    """The nodes that can be reached, each after all the nodes computed from it."""
    finished: set[Node] = set()
    path = {start: iter(graph[start])}  # the path so far, and what is still ahead
    while path:
        node, ahead = next(reversed(path.items()))
        following = next(ahead, None)
        if following is None:
            del path[node]
            finished.add(node)
            yield node
        elif following in path:
            raise ValueError(f"the graph must not have cycles; there is one through {following}")
        elif following not in finished:
            _expect_nodes(graph, following)
            path[following] = iter(graph[following])


def _expect_nodes(graph: Graph, *nodes: Node) -> None:
    for node in nodes:
        if node not in graph:
            raise ValueError(f"{node!r} is not a node of the graph, which has {len(graph)} nodes")


@checked
def all_paths(graph: Graph, start: Node, end: Node) -> Iterator[tuple[Node, ...]]:
    """Every path from one node to another, as a tuple of its nodes. For small graphs only.

    Errors are those of `count_paths`.
    """
    _expect_nodes(graph, start, end)
    for _ in _last_first(graph, start):  # finds unknown nodes and cycles before the walk begins
        pass
    return _walk(graph, start, end)


def _walk(graph: Graph, start: Node, end: Node) -> Iterator[tuple[Node, ...]]:
    path, ahead = [start], [iter(graph[start])]
    if start == end:
        yield (end,)
    while path:
        following = next(ahead[-1], None)
        if following is None:
            path.pop()
            ahead.pop()
            continue
        path.append(following)
        ahead.append(iter(graph[following]))
        if following == end:
            yield tuple(path)


@checked
def sum_over_paths(
    jacobians: Mapping[tuple[Node, Node], Tensor], paths: Iterable[Sequence[Node]]
) -> Tensor:
    """Add up the products of the Jacobians along some paths: their share of the gradient.

        Σ_paths J_last ··· J_2 J_1        J = ∂(next node) / ∂(node), (next node, node)

    Over all paths from h_j to a loss this is d loss / d h_j, as a row. Autograd computes the same
    in a single sweep from the end, without walking the paths one by one.

    ``jacobians`` maps an edge, (node, next node), to its Jacobian. An edge without one, a path of a
    single node, paths that differ in their ends, Jacobians that do not fit, and no path at all are
    ValueErrors; different dtypes are a TypeError.
    """
    total, first = None, None
    for path in paths:
        product = _product(jacobians, path)
        ends = path[0], path[-1], tuple(product.shape)
        first = first or ends
        if ends != first:
            raise ValueError(
                f"all paths must have one start, one end and one shape; got {first} and {ends}"
            )
        total = product if total is None else total + product
    if total is None:
        raise ValueError("there are no paths to add up")
    return total


def _product(jacobians: Mapping[tuple[Node, Node], Tensor], path: Sequence[Node]) -> Tensor:
    """J_last ··· J_2 J_1 along one path."""
    product = None
    for edge in reversed(list(pairwise(path))):  # starting at the loss, a row stays a row
        if edge not in jacobians:
            raise ValueError(f"the edge {edge} has no Jacobian")
        jacobian = jacobians[edge]
        expect(Float[Tensor, "next node"], **{f"the Jacobian of {edge}": jacobian})
        if product is not None and jacobian.dtype != product.dtype:
            raise TypeError(
                f"all Jacobians must have the same dtype; got {describe(jacobian)} and "
                f"{describe(product)}"
            )
        if product is not None and jacobian.shape[0] != product.shape[1]:
            raise ValueError(
                f"the Jacobian of {edge} must have {product.shape[1]} rows, one for each column "
                f"of the Jacobian after it; got {describe(jacobian)}"
            )
        product = jacobian if product is None else product @ jacobian
    if product is None:
        raise ValueError(f"a path must have at least one edge; got {path!r}")
    return product
