from collections import Counter


def _runs(pieces, n):
    return [tuple(pieces[k : k + n]) for k in range(len(pieces) - n + 1)]


def by_striking_out(written, target, n):
    left, counted = _runs(target, n), 0
    for run in _runs(written, n):
        if run in left:
            left.remove(run)
            counted += 1
    total = len(_runs(written, n))
    return counted / total if total else 0


def by_smaller_counts(written, target, n):
    ours, wanted = Counter(_runs(written, n)), Counter(_runs(target, n))
    if not ours:
        return 0.0
    return sum(min(count, wanted[run]) for run, count in ours.items()) / sum(ours.values())
