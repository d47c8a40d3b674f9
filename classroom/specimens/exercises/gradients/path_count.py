from functools import cache

import numpy as np


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
    count, waiting = 0, [start]
    while waiting:
        node = waiting.pop()
        count += node == end
        waiting.extend(graph[node])
    return count
