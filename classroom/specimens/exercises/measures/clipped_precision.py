"""Other right answers to `attn_class.exercises.measures.clipped_precision`."""

from collections import Counter


def runs(pieces, n):
    return [tuple(pieces[k : k + n]) for k in range(len(pieces) - n + 1)]


def by_striking_out(written, target, n):
    left, counted = runs(target, n), 0
    for run in runs(written, n):
        if run in left:
            left.remove(run)
            counted += 1
    total = len(runs(written, n))
    return counted / total if total else 0


def by_smaller_counts(written, target, n):
    found, wanted = Counter(runs(written, n)), Counter(runs(target, n))
    if not found:
        return 0.0
    return sum(min(count, wanted[run]) for run, count in found.items()) / sum(found.values())


RIGHT = [by_striking_out, by_smaller_counts]
