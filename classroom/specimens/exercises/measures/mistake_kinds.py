from collections import Counter
from itertools import combinations


def _without_some(shorter, longer):
    """Two pointers."""
    place = 0
    for symbol in longer:
        if place < len(shorter) and shorter[place] == symbol:
            place += 1
    return place == len(shorter) and len(shorter) < len(longer)


def question_by_question(written, wanted, without=_without_some, order=sorted):
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

    return question_by_question(written, wanted, without, Counter)


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


def in_a_list(written, wanted):
    def within(shorter, longer):
        count = 0
        for symbol in longer:
            count += count < len(shorter) and shorter[count] == symbol
        return count == len(shorter)

    kinds = {
        "right": written == wanted,
        "missing": within(written, wanted),
        "superfluous": within(wanted, written),
        "exchanged": sorted(written) == sorted(wanted),
        "replaced": len(written) == len(wanted),
        "other": True,
    }
    return next(kind for kind, fits in kinds.items() if fits)
