"""Exercise: find out whether a score makes its weights depend on the query.

follows_the_query(score, queries, keys)   ->   True or False

score(queries, keys)   any score function of the package or of your own
queries (1 target query)   keys (1 source key): random, to try it on
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size
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
exercise = Exercise("follows_the_query(score, queries, keys)", minutes=15, difficulty="hard")
check = exercise.check


def solution(score, queries: Tensor, keys: Tensor) -> bool:
    """Only the differences within a row of scores matter, and the weights keep exactly those."""
    weights = torch.softmax(score(queries, keys), dim=-1)
    return not torch.allclose(weights, weights[:, :1], atol=1e-6)


@exercise.must_also(
    "The answer is True or False.",
    hint="Return one boolean for the score as a whole, not a table. torch.allclose gives one.",
)
def one_truth(answer: Answer, draw: Draw) -> bool:
    return isinstance(_ask(answer, draw, DotScore()), bool)


@exercise.must_also(
    "Scores that compare the query with each key follow the query.",
    hint="Different queries get different weights here. Is the answer reversed, or are two "
    "equal queries compared?",
)
def the_usual_ones_follow(answer: Answer, draw: Draw) -> bool:
    usual = [
        _drawn(draw, AdditiveScore, SIZE, SIZE, HIDDEN),
        _drawn(draw, ConcatScore, SIZE, SIZE, HIDDEN),
        _drawn(draw, GeneralScore, SIZE, SIZE),
        DotScore(),
        ScaledDotScore(),
        CosineScore(),
    ]
    return all(_ask(answer, draw, score) is True for score in usual)


@exercise.must_also(
    "The location score follows the query too.",
    hint="It reads the query and nothing else: other keys leave its weights as they are, other "
    "queries change them. Change the queries, not the keys.",
)
def location_follows(answer: Answer, draw: Draw) -> bool:
    return _ask(answer, draw, _drawn(draw, LocationScore, SIZE, SOURCE)) is True


@exercise.must(
    "A score that does not use the query at all does not follow it.",
    hint="Here all rows of the scores are the same. What do you compare with what?",
)
def the_deaf_one_does_not(answer: Answer, draw: Draw) -> bool:
    return _told_apart(answer, draw, lambda: _by_key_alone(draw))


@exercise.must(
    "The stacked score does not follow the query.",
    hint="Its scores do change with the query, all of a row by the same number, and the softmax "
    "cancels that. Look at the weights, not at the scores, and allow for rounding.",
)
def stacked_does_not(answer: Answer, draw: Draw) -> bool:
    return _told_apart(answer, draw, lambda: _drawn(draw, StackedScore, SIZE, SIZE, HIDDEN))


def _told_apart(answer: Answer, draw: Draw, blind) -> bool:
    """Asked in random order about new scores, so that neither a list nor a memory fits."""
    for follows in draw.shuffled([*draw.booleans(3).tolist(), False]):
        score = _drawn(draw, GeneralScore, SIZE, SIZE) if follows else blind()
        if _ask(answer, draw, score) is not follows:
            return False
    return True


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


def _ask(answer: Answer, draw: Draw, score) -> object:
    found = answer(
        score=score, queries=draw.normal(1, TARGET, SIZE), keys=draw.normal(1, SOURCE, SIZE)
    )
    one = found if isinstance(found, float) else None  # True or False may come back as 0 or 1
    if isinstance(found, Tensor) and found.numel() == 1:
        one = found.item()
    return bool(one) if one in (0, 1) else found
