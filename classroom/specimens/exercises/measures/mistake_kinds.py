"""Right and wrong answers to `attn_class.exercises.measures.mistake_kinds`."""

from collections import Counter
from functools import partial
from itertools import combinations

import numpy as np

from specimens.answers import named


def without_some(shorter, longer):
    """Two pointers."""
    place = 0
    for symbol in longer:
        if place < len(shorter) and shorter[place] == symbol:
            place += 1
    return place == len(shorter) and len(shorter) < len(longer)


def told(written, wanted, without=without_some, order=sorted):
    """The right answer, unless one of its two questions is another."""
    if written == wanted:
        return "right"
    if without(written, wanted):
        return "missing"
    if without(wanted, written):
        return "superfluous"
    if order(written) == order(wanted):
        return "exchanged"
    return "replaced" if len(written) == len(wanted) else "other"


def by_all_selections(written, wanted):
    def without(shorter, longer):
        if len(shorter) >= len(longer):
            return False
        return tuple(shorter) in set(combinations(longer, len(shorter)))

    return told(written, wanted, without, Counter)


def by_length(written, wanted):
    if len(written) == len(wanted):
        if written == wanted:
            return "right"
        return "exchanged" if Counter(written) == Counter(wanted) else "replaced"
    shorter, longer = sorted([written, wanted], key=len)
    for symbol in shorter:
        place = longer.find(symbol)
        if place < 0:
            return "other"
        longer = longer[place + 1 :]
    return "missing" if len(written) < len(wanted) else "superfluous"


def only_one(written, wanted):
    def without(shorter, longer):
        return any(shorter == longer[:k] + longer[k + 1 :] for k in range(len(longer)))

    return told(written, wanted, without)


def but(kind, word, where):
    """The right answer, but another word for some mistakes of a kind."""

    def answer(written, wanted):
        found = told(written, wanted)
        return word if found == kind and where(written, wanted) else found

    return answer


def differing(written, wanted):
    return [k for k, pair in enumerate(zip(written, wanted, strict=False)) if len(set(pair)) > 1]


def replaced_first(written, wanted):
    if written != wanted and len(written) == len(wanted):
        return "replaced"
    return told(written, wanted)


def each_occurs(written, wanted):
    def without(shorter, longer):
        in_order = [longer.find(symbol) for symbol in shorter]
        return len(shorter) < len(longer) and -1 not in in_order and in_order == sorted(in_order)

    return told(written, wanted, without)


def in_a_list(written, wanted):
    def within(shorter, longer):
        found = 0
        for symbol in longer:
            found += found < len(shorter) and shorter[found] == symbol
        return found == len(shorter)

    kinds = {
        "right": written == wanted,
        "missing": within(written, wanted),
        "superfluous": within(wanted, written),
        "exchanged": sorted(written) == sorted(wanted),
        "replaced": len(written) == len(wanted),
        "other": True,
    }
    return next(kind for kind, fits in kinds.items() if fits)


def by_the_length(written, wanted):
    if len(written) != len(wanted):
        return "missing" if len(written) < len(wanted) else "superfluous"
    if sorted(written) == sorted(wanted):
        return "right" if written == wanted else "exchanged"
    return "replaced"


def side_by_side(written, wanted):
    if written != wanted and (written in wanted or wanted in written):
        return "missing" if written in wanted else "superfluous"
    kind = in_a_list(written, wanted)
    return "other" if kind in ("missing", "superfluous") else kind


def by_how_many(written, wanted):
    one, two = Counter(written), Counter(wanted)
    if one != two and not (one - two and two - one):
        return "superfluous" if one - two else "missing"
    return in_a_list(written, wanted)


RIGHT = [told, by_all_selections, by_length, in_a_list]
WRONG = {
    "one_of_six_words": named(
        in_capitals=lambda written, wanted: told(written, wanted).upper(),
        in_other_words=lambda written, wanted: {"superfluous": "added"}.get(
            told(written, wanted), told(written, wanted)
        ),
        a_yes_or_no=lambda written, wanted: written == wanted,
    ),
    "equal_is_right": named(
        itself_without_nothing=lambda written, wanted: (
            "missing" if written == wanted else told(written, wanted)
        ),
        an_exchange_of_nothing=lambda written, wanted: (
            "exchanged" if Counter(written) == Counter(wanted) else told(written, wanted)
        ),
    ),
    "missing_or_superfluous": named(
        only_one,
        side_by_side,
        turned=lambda written, wanted: told(wanted, written),
        at_the_ends=partial(told, without=lambda one, two: len(one) < len(two) and one in two),
        not_all=lambda written, wanted: (
            told(written, wanted) if (written and wanted) or written == wanted else "other"
        ),
    ),
    "one_of_two_may_be_missing": named(
        as_sets=partial(told, without=lambda one, two: set(one) < set(two))
    ),
    "another_order_is_exchanged": named(
        replaced_first,
        only_neighbours=but("exchanged", "replaced", lambda *sides: np.ptp(differing(*sides)) > 1),
        only_two=but("exchanged", "replaced", lambda *sides: len(differing(*sides)) > 2),
    ),
    "other_symbols_are_replaced": named(
        one_replaced=but("replaced", "other", lambda *sides: len(differing(*sides)) > 1),
        not_wholly_replaced=but("replaced", "other", lambda one, two: not set(one) & set(two)),
        sets_exchanged=partial(told, order=lambda text: (len(text), set(text))),
    ),
    "the_rest_is_other": named(
        each_occurs,
        by_the_length,
        by_how_many,
        no_other=lambda written, wanted: told(written, wanted).replace("other", "replaced"),
        in_any_order=partial(told, without=lambda one, two: Counter(one) < Counter(two)),
        the_length_decides=partial(told, without=lambda one, two: len(one) < len(two)),
    ),
    "runs": named(
        symbol_by_symbol=lambda written, wanted: (
            "right" if all(written[k] == wanted[k] for k in range(len(wanted))) else "replaced"
        )
    ),
}
