"""Exercise: the alignment error rate.

AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)    Och & Ney 2003, section 5

links A, sure S, possible P, each boolean (target source), S within P   ->   one number
"""

from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

TARGET, SOURCE = Size(3, 5), Size(5, 7)
exercise = Exercise("error_rate(links, sure, possible)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(links, sure, possible):
    """On booleans ``&`` is the intersection, and a sum counts what is True."""
    agree = (links & sure).sum() + (links & possible).sum()
    return 1 - agree / (links.sum() + sure.sum())


@exercise.must_also(
    "It is one number.",
    hint="All the links of the table are counted together: no mean over rows, no list.",
)
def is_one_number(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    return isinstance(result, float) or (isinstance(result, Tensor) and result.dim() == 0)


@exercise.must_also(
    "Links that are exactly the gold ones have an error of 0.",
    hint="It is an error, so 0 is best: 1 minus the share of agreement. Count |A ∩ S| and |A ∩ P|, "
    "and divide by |A| + |S|.",
)
def perfect_is_zero(answer: Answer, draw: Draw) -> bool:
    sure = draw.booleans(TARGET, SOURCE)
    sure[0, 0] = True
    return answer.gives(0.0, links=sure, sure=sure, possible=sure)


@exercise.must_also(
    "If none of the links is possible, the error is 1.",
    hint="Where nothing agrees, both intersections are empty, and 1 is left. An empty cell of the "
    "table is not an agreement: only links count, over the whole table, not row by row.",
)
def all_wrong_is_one(answer: Answer, draw: Draw) -> bool:
    links, gold = draw.booleans(TARGET, SOURCE), draw.booleans(TARGET, SOURCE)
    links[0, 0], links[1, 1], links[2, 2] = True, False, False
    gold[1, 1], gold[2, 2] = True, False
    gold &= ~links
    return answer.gives(1.0, links=links, sure=gold, possible=gold)


@exercise.must_also(
    "A link that is merely possible does no harm.",
    hint="That is what P is for: with all of S found, links within P keep the error at 0. Is P "
    "used once, in the numerator, and |S| in the denominator? Is each intersection counted before "
    "they are added? True + True is True.",
)
def possible_is_harmless(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.gives(0.0, **inputs | {"links": inputs["possible"]})


@exercise.must_also(
    "Missing a sure link costs something.",
    hint="|S| stands in the denominator, so that a model with few links cannot do well. Is the "
    "error only a share of A?",
)
def missing_a_sure_link_costs(answer: Answer, draw: Draw, inputs: dict) -> bool:
    links = inputs["sure"].clone()
    links[0, 0] = False
    return float(answer(**inputs | {"links": links})) > 1e-6


@exercise.must_also(
    "A link outside P costs something.",
    hint="|A| stands in the denominator, so that a model that links everything cannot do well. Is "
    "the error only a share of S?",
)
def a_wrong_link_costs(answer: Answer, draw: Draw, inputs: dict) -> bool:
    links = inputs["sure"].clone()
    links[2, 4] = True  # never possible, see _inputs
    return float(answer(**inputs | {"links": links})) > 1e-6


@exercise.must(
    "On any links it is 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|).",
    hint="The simple cases are right. Count one small table by hand, and see which of the four "
    "counts differs.",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_sets, **_inputs(draw))


@exercise.draws
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


def _by_sets(links: Tensor, sure: Tensor, possible: Tensor) -> float:
    """The equation on sets of pairs."""
    A, S, P = ({(i, j) for i, j in table.nonzero().tolist()} for table in (links, sure, possible))
    return 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))
