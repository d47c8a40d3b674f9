"""Exercise: count the paths between two nodes of a graph, without walking each of them.

N(end) = 1,   N(node) = Σ_next N(next)

graph, a dictionary: for each node the list of nodes that it goes into; there are no cycles,
and the nodes are listed in any order
start, end, two of the nodes   ->   the number of paths, a whole number
"""

from collections.abc import Sequence

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise("count(graph, start, end)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(graph, start, end):
    """Every path continues along exactly one of the edges, so the counts add up."""
    known = {end: 1}

    def paths_from(node):
        if node not in known:
            known[node] = sum(paths_from(following) for following in graph[node])
        return known[node]

    return paths_from(start)


@exercise.must_also(
    "In a chain there is exactly one path.",
    hint="One way is one path, however many edges it has. N(end) is 1, and a node with one edge "
    "has as many paths as the node that follows. Are edges or nodes counted instead?",
)
def one_path_along_a_chain(answer: Answer, draw: Draw) -> bool:
    graph = {"a": ["b"], "b": ["c"], "c": ["d"], "d": []}
    return answer.gives(1.0, graph=graph, start="a", end="d")


@exercise.must_also(
    "From a node to itself there is one path: to stay.",
    hint="The recursion must stop at the end: N(end) = 1, whatever edges go on from there.",
)
def one_path_to_itself(answer: Answer, draw: Draw) -> bool:
    return answer.gives(1.0, graph={"a": ["b"], "b": []}, start="a", end="a")


@exercise.must_also(
    "Where no path leads to the end, the number is 0.",
    hint="A node without edges that is not the end has no path: an empty sum is 0. Paths that end "
    "elsewhere do not count.",
)
def none_where_none_leads(answer: Answer, draw: Draw) -> bool:
    graph = {"a": ["b", "c"], "b": [], "c": ["d"], "d": []}
    return answer.gives(0.0, graph=graph, start="b", end="d") and answer.gives(
        0.0, graph=graph, start="d", end="a"
    )


@exercise.must_also(
    "Paths that meet again are different paths.",
    hint="A node may lie on several paths, and counts for each. Are nodes that were seen once left "
    "out? Remember how many paths a node has, not that it was visited.",
)
def paths_may_meet(answer: Answer, draw: Draw) -> bool:
    graph = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e", "f"], "e": ["g"], "f": ["g"]}
    return answer.gives(4.0, graph={**graph, "g": []}, start="a", end="g")


@exercise.must_also(
    "Long paths count as well as short ones.",
    hint="All paths, not only the shortest or those of a few steps: add up over all edges "
    "that leave the node.",
)
def long_ones_count(answer: Answer, draw: Draw) -> bool:
    graph = {"a": ["b", "d"], "b": ["c"], "c": ["d"], "d": []}
    length = 50 + draw.integer(50)
    chain = {node: [node + 1] for node in range(length)} | {length: []}
    return answer.gives(2.0, graph=graph, start="a", end="d") and answer.gives(
        2.0, graph=chain | {0: [1, length]}, start=0, end=length
    )


@exercise.must(
    "In any graph, it is the number that walking all paths one by one would find.",
    hint="Go through a small graph by hand: for each node, the sum over the nodes that follow.",
)
def is_what_a_walk_counts(answer: Answer, draw: Draw) -> bool:
    size = 7
    graph = {
        node: [later for later in range(node + 1, size) if draw.integer(3)] for node in range(size)
    }
    walked, waiting = 0, [0]
    while waiting:
        node = waiting.pop()
        walked += node == size - 1
        waiting += graph[node]
    return answer.gives(float(walked), graph=graph, start=0, end=size - 1)


@exercise.must_also(
    "The order in which the nodes are listed makes no difference.",
    hint="A dictionary may list a node before or after those that it goes into, and names say "
    "nothing either. One sweep over the list comes to nodes whose followers have no number yet: "
    "ask for the number of each follower when you need it, as the recursion does.",
)
def any_order_will_do(answer: Answer, draw: Draw) -> bool:
    names = _shuffled(draw, "abcdefg")  # along the arrows: the names are in no order
    a, b, c, d, e, f, g = names
    graph = {a: [b, c], b: [c, d], c: [d, e], d: [f], e: [f, g], f: [g], g: []}
    orders = names[::-1], _shuffled(draw, names)
    return all(
        answer.gives(7.0, graph={node: graph[node] for node in order}, start=a, end=g)
        for order in orders
    )


def _shuffled(draw: Draw, items: Sequence[str]) -> list[str]:
    left = list(items)
    return [left.pop(draw.integer(len(left))) for _ in items]
