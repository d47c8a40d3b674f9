"""Exercise: find out whether a score makes its weights depend on the query.

follows_the_query(score, queries, keys)   ->   True or False

score(queries, keys)   any score function of the package or of your own
queries (1 target query)   keys (1 source key): random, to try it on
"""

from collections.abc import Callable

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak
from attn_course.alignment import (
    AdditiveScore,
    ConcatScore,
    CosineScore,
    DotScore,
    GeneralScore,
    LocationScore,
    ScaledDotScore,
    Score,
    StackedScore,
)

TARGET, SOURCE, SIZE, HIDDEN = Size(2, 5), Size(3, 7), Size(2, 11), Size(2, 11)


def solution(score, queries: Tensor, keys: Tensor) -> bool:
    """Only the differences within a row of scores matter, and the weights keep exactly those."""
    weights = torch.softmax(score(queries, keys), dim=-1)
    return not torch.allclose(weights, weights[:, :1], atol=1e-6)


def _by_key_alone(draw: Draw):
    """A score of each key, for every query alike."""
    general = _drawn(draw, GeneralScore, SIZE, SIZE)

    def by_key_alone(queries: Tensor, keys: Tensor) -> Tensor:
        return general(torch.ones_like(queries), keys)

    return by_key_alone


def _drawn(draw: Draw, kind: type[Score], *sizes: Size) -> Score:
    """A score with matrices of the draw; the chapter's own random numbers stay where they are."""
    with torch.random.fork_rng(devices=[]):
        score = kind(*draw[sizes]).requires_grad_(False)
    for part in score.parameters():
        part.copy_(draw.normal(*part.shape))
    return score


def _with_inputs(draw: Draw, *scores: Callable) -> list[dict]:
    """New queries and keys for each score."""
    return [
        {
            "score": score,
            "queries": draw.normal(1, TARGET, SIZE),
            "keys": draw.normal(1, SOURCE, SIZE),
        }
        for score in scores
    ]


def _usual(draw: Draw) -> list[dict]:
    return _with_inputs(
        draw,
        _drawn(draw, AdditiveScore, SIZE, SIZE, HIDDEN),
        _drawn(draw, ConcatScore, SIZE, SIZE, HIDDEN),
        _drawn(draw, GeneralScore, SIZE, SIZE),
        DotScore(),
        ScaledDotScore(),
        CosineScore(),
    )


def _some_are(blind: Callable[[Draw], Callable]) -> Callable[[Draw], list[dict]]:
    """New scores in random order, so that neither a list nor a memory fits."""

    def drawn(draw: Draw) -> list[dict]:
        follow = draw.shuffled([*draw.booleans(3).tolist(), False])
        return _with_inputs(
            draw,
            *(_drawn(draw, GeneralScore, SIZE, SIZE) if one else blind(draw) for one in follow),
        )

    return drawn


exercise = Exercise(
    "follows_the_query(score, queries, keys)",
    minutes=15,
    difficulty="hard",
    solution=solution,
    cases=[
        Weak(
            "Scores that compare the query with each key follow the query.",
            _usual,
            "Different queries get different weights here. Is the answer reversed, or are two "
            "equal queries compared?",
        ),
        Weak(
            "The location score follows the query too.",
            lambda draw: _with_inputs(draw, _drawn(draw, LocationScore, SIZE, SOURCE)),
            "It reads the query and nothing else: other keys leave its weights as they are, other "
            "queries change them. Change the queries, not the keys.",
        ),
        Case(
            "A score that does not use the query at all does not follow it.",
            _some_are(_by_key_alone),
            "Here all rows of the scores are the same. What do you compare with what?",
        ),
        Case(
            "The stacked score does not follow the query.",
            _some_are(lambda draw: _drawn(draw, StackedScore, SIZE, SIZE, HIDDEN)),
            "Its scores do change with the query, all of a row by the same number, and the softmax "
            "cancels that. Look at the weights, not at the scores, and allow for rounding.",
        ),
    ],
    slips={
        "": [
            lambda *inputs: not solution(*inputs),
            lambda score, queries, keys: (
                not torch.allclose(score(queries, keys), score(queries, -keys), atol=1e-6)
            ),
            lambda *inputs: True,
            ("torch.softmax(score(queries, keys), dim=-1)", "score(queries, keys)"),
        ],
    },
    shape="Return one boolean for the score as a whole, not a table. torch.allclose gives one.",
)
check = exercise.check
