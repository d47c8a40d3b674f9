"""Exercise: count the paths between two nodes of a graph, without walking each of them.

N(end) = 1,   N(node) = Σ_next N(next)

graph, a dictionary: for each node the list of nodes that it goes into; there are no cycles,
and the nodes are listed in any order
start, end, two of the nodes   ->   the number of paths, a whole number
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Weak


def solution(graph, start, end):
    """Every path continues along exactly one of the edges, so the counts add up."""
    known = {end: 1}

    def paths_from(node):
        if node not in known:
            known[node] = sum(paths_from(following) for following in graph[node])
        return known[node]

    return paths_from(start)


def _always(start: str, end: str, **graph: str):
    """Draw always this graph, of nodes that are single letters."""
    graph = {node: list(following) for node, following in graph.items()}
    return lambda draw: {"graph": graph, "start": start, "end": end}


def _in_any_order(draw: Draw) -> dict:
    a, b, c, d, e, f, g = draw.shuffled("abcdefg")
    graph = {a: [b, c], b: [c, d], c: [d, e], d: [f], e: [f, g], f: [g], g: []}
    listed = {node: graph[node] for node in draw.shuffled([*graph])}
    return {"graph": listed, "start": a, "end": g}


_CHAIN = {"a": "b", "b": "c", "c": "d", "d": ""}
_FORK = {"a": "bc", "b": "", "c": "d", "d": ""}


def _long(draw: Draw) -> list[dict]:
    length = 50 + draw.integer(50)
    chain = {node: [node + 1] for node in range(length)} | {length: [], 0: [1, length]}
    short = _always("a", "d", **_CHAIN | {"a": "bd"})(draw)
    return [short, {"graph": chain, "start": 0, "end": length}]


def _any(draw: Draw) -> dict:
    size = 7
    graph = {
        node: [later for later in range(node + 1, size) if draw.integer(3)] for node in range(size)
    }
    return {"graph": graph, "start": 0, "end": size - 1}


exercise = Exercise(
    "count(graph, start, end)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "In a chain there is exactly one path.",
            _always("a", "d", **_CHAIN),
            "One way is one path, however many edges it has. N(end) is 1, and a node with one edge "
            "has as many paths as the node that follows. Are edges or nodes counted instead?",
        ),
        Weak(
            "From a node to itself there is one path: to stay.",
            _always("a", "a", a="b", b=""),
            "The recursion must stop at the end: N(end) = 1, whatever edges go on from there.",
        ),
        Weak(
            "Where no path leads to the end, the number is 0.",
            lambda draw: [_always("b", "d", **_FORK)(draw), _always("d", "a", **_FORK)(draw)],
            "A node without edges that is not the end has no path: an empty sum is 0. Paths that "
            "end elsewhere do not count.",
        ),
        Weak(
            "Paths that meet again are different paths.",
            _always("a", "g", a="bc", b="d", c="d", d="ef", e="g", f="g", g=""),
            "A node may lie on several paths, and counts for each. Are nodes that were seen once "
            "left out? Remember how many paths a node has, not that it was visited.",
        ),
        Weak(
            "Long paths count as well as short ones.",
            _long,
            "All paths, not only the shortest or those of a few steps: add up over all edges that "
            "leave the node.",
        ),
        Case(
            "In any graph, it is the number that walking all paths one by one would find.",
            _any,
            "Go through a small graph by hand: for each node, the sum over the nodes that follow.",
        ),
        Weak(
            "The order in which the nodes are listed makes no difference.",
            _in_any_order,
            "A dictionary may list a node before or after those that it goes into, and names say "
            "nothing either. One sweep over the list comes to nodes whose followers have no number "
            "yet: ask for the number of each follower when you need it, as the recursion does.",
        ),
    ],
    slips={
        "": [
            ("= sum(", "= 1 + sum("),
            ("(start)", "(start) if start != end else 0"),
            ("{end: 1}", "{end: 1} | {node: 1 for node in graph if not graph[node]}"),
            ("return paths_from(start)", "return min(paths_from(start), 1)"),
            ("graph[node])", "graph[node][:2])"),
        ],
    },
)
check = exercise.check
