"""Exercise: a dictionary look-up as the limit of attention.

c = Σ_j α_j v_j,   α = softmax(e / τ),   e_j = q · k_j         at τ = 0: the value of the best key

query (size)   keys (source size)   values (source value)   temperature τ >= 0
    ->   context (value)

If several keys are best, they share equally: this is the limit of the softmax as τ goes to 0.
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

SOURCE, SIZE, VALUE = Size(5, 11), Size(2, 7), Size(2, 7)


def solution(query, keys, values, temperature):
    """At 0 nothing can be divided: take the limit by hand."""
    scores = keys @ query
    if temperature == 0:
        best = (scores == scores.max()).float()
        return best / best.sum() @ values
    return torch.softmax(scores / temperature, dim=0) @ values


def _inputs(draw: Draw, temperature: float) -> dict:
    return {
        "query": draw.normal(SIZE, scale=1.0),
        "keys": draw.normal(SOURCE, SIZE, scale=1.0),
        "values": draw.normal(SOURCE, VALUE, scale=1.0),
        "temperature": temperature,
    }


def _one_hot_keys(draw: Draw, best: list[int]) -> dict:
    """Keys of which these fit the query best: by a hair, and exactly alike."""
    keys = torch.zeros(draw[SOURCE], draw[SIZE])
    keys[:, 1], keys[best] = 1.0, torch.eye(draw[SIZE])[0]
    query = 0.02 * torch.eye(draw[SIZE])[0] + 0.01 * torch.eye(draw[SIZE])[1]
    return {**_inputs(draw, 0), "query": query, "keys": keys}


def _cold(draw: Draw) -> dict:
    """So cold that the best key has it all, but not too close to the next one."""
    inputs = _inputs(draw, 1e-4)
    first, second = (inputs["keys"] @ inputs["query"]).topk(2).values
    return inputs if first - second > 0.01 else _cold(draw)


exercise = Exercise(
    "look_up_softly(query, keys, values, temperature)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "At temperature 1 it is attention with the dot product.",
            lambda draw: _inputs(draw, 1.0),
            "Scores from the keys, a softmax over the source, an average of the values. The keys "
            "decide where to look, and the values are what is seen there. (If what is returned "
            "looks like what is expected: was something small added to the temperature? Treat 0 as "
            "a separate case instead.)",
        ),
        Case(
            "A lower temperature sharpens, a higher one flattens.",
            lambda draw: [_inputs(draw, temperature) for temperature in (0.4, 3.0)],
            "Divide the scores by the temperature, before the softmax.",
        ),
        Case(
            "A very low temperature does no harm.",
            _cold,
            "exp of a large number is infinite, and ∞ / ∞ is not a number. torch.softmax subtracts "
            "the largest score first.",
        ),
        Case(
            "At temperature 0 it is the value of the best key, exactly.",
            lambda draw: _one_hot_keys(draw, [draw.integer(SOURCE)]),
            "Nothing can be divided by 0, so treat this case separately. The result is the value "
            "at the position with the largest score.",
        ),
        Case(
            "At temperature 0, keys that fit equally well share equally.",
            lambda draw: _one_hot_keys(draw, [1, 2, 4]),
            "argmax takes the first of several, but the softmax of equal scores stays equal "
            "however low the temperature is.",
        ),
    ],
    slips={
        "": [
            (
                "scores / temperature, dim=0) @ values",
                "scores / (temperature + 1e-3), dim=0) @ values",
            ),
            ("scores / temperature", "scores * temperature"),
            (
                "torch.softmax(scores / temperature, dim=0)",
                "(scores / temperature).exp() / (scores / temperature).exp().sum()",
            ),
            ("(scores == scores.max())", "(scores > scores.max() - 0.5)"),
            ("(scores == scores.max()).float()", "torch.eye(len(scores))[scores.argmax()]"),
        ],
    },
    gradients=lambda draw: _inputs(draw, 1.0),
    shape="The result is as long as a row of values, however many there are: it is their average.",
)
check = exercise.check
