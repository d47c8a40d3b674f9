"""Right and wrong answers to `attn_class.exercises.gradients.path_count`."""

from functools import cache, partial

import numpy as np

from attn_class.exercises.gradients.path_count import solution
from specimens.answers import changed, named


def plain_recursion(graph, start, end):
    if start == end:
        return 1
    return sum(plain_recursion(graph, following, end) for following in graph[start])


def by_cache(graph, start, end):
    @cache
    def count(node):
        return int(node == end) + sum(map(count, graph[node]))

    return count(start)


def by_matrix(graph, start, end):
    nodes = list(graph)
    edges = np.array([[b in graph[a] for b in nodes] for a in nodes], dtype=float)
    walks = np.linalg.inv(np.eye(len(nodes)) - edges)  # I + A + A² + ...
    return float(np.rint(walks[nodes.index(start), nodes.index(end)]))


def by_walking(graph, start, end):
    found, waiting = 0, [start]
    while waiting:
        node = waiting.pop()
        found += node == end
        waiting.extend(graph[node])
    return found


def each_node_once(graph, start, end):
    seen = set()

    def count(node):
        if node == end:
            return 1
        if node in seen:
            return 0
        seen.add(node)
        return sum(map(count, graph[node]))

    return count(start)


def only_the_shortest(graph, start, end):
    ways = {start: 1}
    while ways and end not in ways:
        following = {}
        for node, number in ways.items():
            for after in graph[node]:
                following[after] = following.get(after, 0) + number
        ways = following
    return ways.get(end, 0)


def one_sweep_forwards(graph, start, end):
    ways = dict.fromkeys(graph, 0) | {start: 1}
    for node in graph:
        for following in graph[node]:
            ways[following] += ways[node]
    return ways[end]


def one_sweep_backwards(graph, start, end):
    ways = {}
    for node in reversed(list(graph)):
        following = sum(ways.get(after, 0) for after in graph[node])
        ways[node] = 1 if node == end else following
    return ways[start]


def twenty_steps_at_most(graph, start, end, left=20):
    if start == end:
        return 1
    if left == 0:
        return 0
    return sum(twenty_steps_at_most(graph, node, end, left - 1) for node in graph[start])


but = partial(changed, solution)
RIGHT = [plain_recursion, by_cache, by_matrix, by_walking]
WRONG = {
    "long_ones_count": [twenty_steps_at_most, only_the_shortest],
    "one_path_along_a_chain": named(
        the_length=but(
            "end: 1",
            "end: 0",
            "sum(paths_from(following) for following in graph[node])",
            "max((1 + paths_from(following) for following in graph[node]), default=-99)",
        ),
        nodes_on_the_way=but("= sum(", "= 1 + sum("),
        edges_on_the_way=lambda graph, start, end: sum(
            len(following) for following in graph.values()
        ),
    ),
    "one_path_to_itself": named(zero_at_the_end=but("(start)", "(start) if start != end else 0")),
    "none_where_none_leads": named(
        all_that_ends_somewhere=but("{end: 1}", "{node: 1 for node in graph if not graph[node]}"),
        whatever_ends=but("{end: 1}", "{end: 1} | {node: 1 for node in graph if not graph[node]}"),
        at_least_one=but(
            "sum(paths_from(following) for following in graph[node])",
            "max(1, sum(paths_from(following) for following in graph[node]))",
        ),
    ),
    "paths_may_meet": named(
        each_node_once,
        is_there_one=but("return paths_from(start)", "return min(paths_from(start), 1)"),
    ),
    "is_what_a_walk_counts": named(
        only_two_edges_of_a_node=but("graph[node])", "graph[node][:2])")
    ),
    "any_order_will_do": named(
        one_sweep_forwards,
        one_sweep_backwards,
        in_the_order_of_the_names=lambda graph, *others: one_sweep_forwards(
            {node: graph[node] for node in sorted(graph)}, *others
        ),
    ),
    "runs": named(
        the_graph_is_a_list_of_edges=lambda graph, start, end: sum(
            1 for a, b in graph if a == start
        )
    ),
}
