"""Exercise: the alignment error rate.

AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)    Och & Ney 2003, section 5

links A, sure S, possible P, each boolean (target source), S within P   ->   one number
"""

from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE = Size(3, 5), Size(5, 7)


def solution(links, sure, possible):
    """On booleans ``&`` is the intersection, and a sum counts what is True."""
    agree = (links & sure).sum() + (links & possible).sum()
    return 1 - agree / (links.sum() + sure.sum())


def _inputs(draw: Draw) -> dict[str, Tensor]:
    """Links and gold with at least one sure, one merely possible and one impossible link."""
    possible = draw.booleans(TARGET, SOURCE)
    possible[0, 0] = possible[1, 1] = True
    possible[2, 4] = False
    sure = possible & draw.booleans(TARGET, SOURCE)
    sure[0, 0], sure[1, 1] = True, False
    links = draw.booleans(TARGET, SOURCE)
    links[0, 1] = True
    return {"links": links, "sure": sure, "possible": possible}


exercise = Exercise(
    "error_rate(links, sure, possible)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "On any links it is 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|).",
            _inputs,
            "The simple cases are right. Count one small table by hand, and see which of the four "
            "counts differs.",
        )
    ],
    slips={
        "It is an error, so 0 is best: 1 minus the share of agreement. Count |A ∩ S| and |A ∩ P|, "
        "and divide by |A| + |S|.": [
            ("1 - agree", "agree"),
            (" + (links & possible).sum()", ""),
        ],
        "Where nothing agrees, both intersections are empty, and 1 is left. An empty cell of the "
        "table is not an agreement: only links count, over the whole table, not row by row.": [
            lambda links, sure, possible: (links != sure).float().mean()
        ],
        "That is what P is for: with all of S found, links within P keep the error at 0. Is P used "
        "once, in the numerator, and |S| in the denominator? Is each intersection counted before "
        "they are added? True + True is True.": [
            ("(links & possible)", "(links & sure)"),
            ("+ sure.sum()", "+ possible.sum()"),
            (
                "(links & sure).sum() + (links & possible).sum()",
                "((links & sure) + (links & possible)).sum()",
            ),
        ],
        "|S| stands in the denominator, so that a model with few links cannot do well. Is the "
        "error only a share of A?": [
            lambda links, sure, possible: 1 - (links & possible).sum() / links.sum(),
        ],
        "|A| stands in the denominator, so that a model that links everything cannot do well. Is "
        "the error only a share of S?": [
            lambda links, sure, possible: 1 - (links & sure).sum() / sure.sum()
        ],
    },
    shape="All the links of the table are counted together: no mean over rows, no list.",
)
check = exercise.check
