"""Right and wrong answers to `attn_class.exercises.measures.clipped_precision`."""

from collections import Counter

from specimens.answers import named


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


def not_clipped(written, target, n):
    found = runs(written, n)
    return sum(run in runs(target, n) for run in found) / max(len(found), 1)


def as_sets(written, target, n):
    found, wanted = set(runs(written, n)), set(runs(target, n))
    return len(found & wanted) / max(len(found), 1)


def divided_by_the_pieces(written, target, n):
    counted = sum((Counter(runs(written, n)) & Counter(runs(target, n))).values())
    return counted / len(written)


def fails_where_it_is_short(written, target, n):
    found = Counter(runs(written, n))
    return sum((found & Counter(runs(target, n))).values()) / sum(found.values())


def order_ignored(written, target, n):
    sorted_runs = [[tuple(sorted(run)) for run in runs(side, n)] for side in (written, target)]
    found, wanted = map(Counter, sorted_runs)
    return sum((found & wanted).values()) / max(sum(found.values()), 1)


def at_the_same_place(written, target, n):
    found, wanted = runs(written, n), runs(target, n)
    same = sum(a == b for a, b in zip(found, wanted, strict=False))
    return same / max(len(found), 1)


RIGHT = [by_striking_out, by_smaller_counts]
WRONG = {
    "all_of_it_counts": named(
        divided_by_the_pieces,
        counts=lambda written, target, n: sum(
            (Counter(runs(written, n)) & Counter(runs(target, n))).values()
        ),
    ),
    "runs": [fails_where_it_is_short],
    "too_short_is_nothing": named(
        one_where_it_is_short=lambda written, target, n: (
            by_striking_out(written, target, n) if len(written) >= n else 1.0
        )
    ),
    "a_run_is_clipped": named(
        not_clipped, as_sets, recall=lambda written, target, n: by_striking_out(target, written, n)
    ),
    "order_matters": named(
        order_ignored,
        single_pieces=lambda written, target, n: (
            by_striking_out(written, target, 1) if len(written) >= n else 0.0
        ),
    ),
    "a_share_of_what_was_written": [at_the_same_place],
}
