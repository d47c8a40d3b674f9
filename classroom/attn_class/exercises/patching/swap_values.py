"""Exercise: swap the values of some positions, while heads share keys and values.

α^h_i = softmax_{j ≤ i}(q^h_i · k^g_j / √part)     with group g = ⌊h · groups / heads⌋
c^h_i = Σ_j α^h_ij v'^g_j      v'_j = the other text's value where ``places`` is True, otherwise v_j

queries (head position part)   keys, values, other (group position part)
places (position), boolean
    ->   contexts (head position part)
"""

import math

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

GROUPS, SHARING, POSITIONS, PART = Size(2, 3), Size(2, 3), Size(4, 11), Size(5, 7)


def solution(queries, keys, values, other, places):
    """Keys say where each head looks, which stays; values say what it finds, which changes."""
    shared = len(queries) // len(keys)
    mixed = torch.where(places[:, None], other, values).repeat_interleave(shared, dim=0)
    scores = queries @ keys.repeat_interleave(shared, dim=0).mT / math.sqrt(queries.shape[-1])
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ mixed


def _inputs(draw: Draw) -> dict:
    heads = draw[GROUPS] * draw[SHARING]
    places = draw.booleans(POSITIONS)
    places[0], places[1] = True, False
    some = {n: draw.normal(GROUPS, POSITIONS, PART, scale=1.0) for n in ("keys", "values", "other")}
    return {"queries": draw.normal(heads, POSITIONS, PART, scale=1.0), **some, "places": places}


def _all(swapped: bool):
    """Draw inputs of which all values are swapped, or none."""
    return lambda draw: _inputs(draw) | {"places": torch.full((draw[POSITIONS],), swapped)}


exercise = Exercise(
    "contexts(queries, keys, values, other, places)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Where nothing is swapped, each head reads the group that it belongs to.",
            _all(False),
            "The first heads share the first group, the next ones the second: `repeat_interleave`, "
            "not `repeat`. No position reads a later one, and scores are divided by √part. Where "
            "places is False, the text's own value is read: is the mask the other way round?",
        ),
        Case(
            "If all values are swapped, nothing is left of this text's own values.",
            _all(True),
            "Where places is True, the other text's value replaces this one's. It is not added to "
            "it.",
        ),
        Case(
            "The weights stay what they were, and only what is found changes.",
            _inputs,
            "The other text has no keys here: compare queries with this text's own keys.",
        ),
    ],
    slips={
        "": [
            ("scores.masked_fill(later, -torch.inf)", "scores"),
            ("torch.where(places[:, None], other, values)", "(values + places[:, None] * other)"),
            ("places[:, None], other", "places.any(), other"),
        ],
    },
    gradients=_inputs,
    shape="There are more heads than groups: each group's keys and values serve several heads.",
)
check = exercise.check
