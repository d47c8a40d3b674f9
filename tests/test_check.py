"""The checks of tensors: what is accepted, and errors that say what came and what was expected."""

import math

import numpy as np
import torch

from attn_course import _check as check
from attn_course._signature import expect_like

FLOAT, SCORES = torch.zeros(2, 3, 5), torch.tensor([[1.0, -math.inf], [2.0, 3.0]])
WHOLE = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
NOT_WHOLE = (torch.bool, torch.float16, torch.bfloat16, torch.float64, torch.complex64)


def test_whole_numbers_are_known_by_their_type():
    assert all(check.is_whole(torch.ones(3, dtype=dtype)) for dtype in WHOLE)
    assert not any(check.is_whole(torch.ones(3, dtype=dtype)) for dtype in NOT_WHOLE)
    assert not any(map(check.is_whole, (3, [1, 2], np.ones(3, dtype=int))))


def test_what_fits_is_accepted():
    check.expect_symbols("inputs", torch.tensor([[0, 6], [3, 3]]), 7)
    for large in ([3e38, 3e38, 3e38], [3e38, 3e38, -3e38]):  # finite, though their sum is not
        check.expect_finite("scores", torch.tensor(large), "")
    expect_like("queries", FLOAT, "the keys", FLOAT[:, 0])
    expect_like("places", FLOAT.long(), "the keys", FLOAT, floating=False)
    expect_like("queries", FLOAT, "the lengths", FLOAT.long())
    check.expect_between("lengths", torch.tensor([0, 3, 5]), 0, 5)
    check.expect_above("decay", torch.tensor([0.1, 2]), 0)
    check.expect_weights(torch.tensor([[0.25, 0.755], [1, 0]]), within=0.01)
    check.expect_something_to_read(SCORES, SCORES)


def hidden(scores):
    """A bad score is one also where it is hidden."""
    return scores, scores.masked_fill(scores != 1, -math.inf)


REFUSED = {
    check.expect_symbols: [
        (("inputs", torch.tensor([low, high]), 7), f"from 0 to 6; got {low} to {high}")
        for low, high in ((0, 7), (-1, 6))
    ],
    check.expect_finite: [
        (
            ("scores", torch.ones(3).index_fill(0, torch.tensor(place), bad), "why not"),
            r"scores must be finite; got NaN or infinity in float32 \(3,\) on cpu \(why not\)",
        )
        for place in range(3)
        for bad in (math.nan, math.inf, -math.inf)
    ],
    expect_like: [
        (
            ("it", FLOAT.double(), "the keys", FLOAT),
            TypeError,
            r"it must be like the keys, float32 on cpu; got float64 \(2, 3, 5\)",
        ),
        (("it", FLOAT.to("meta"), "the keys", FLOAT), "the keys, float32 on cpu; got .*on meta"),
        (("it", FLOAT.long().to("meta"), "the keys", FLOAT, False), "on meta"),
    ],
    check.expect_between: [
        (("lengths", torch.tensor([2, -1]), 0, 5), "lengths must lie between 0 and 5; got -1$"),
        (("lengths", torch.tensor([2, 6]), 0, 5), "lengths must lie between 0 and 5; got 6$"),
        (("it", torch.tensor([math.nan]), 0, 1), "got nan"),
    ],
    check.expect_above: [
        (("decay", torch.tensor([0.0, 1]), 0), "decay must be above 0 everywhere; got 0$")
    ],
    check.expect_weights: [
        ((torch.tensor([0.25, 0.755]), 0.001), r"sum to one; got float32 \(2,\) .* 1.005 to 1.005"),
        ((torch.tensor([0.5, 0.495]), 0.001), "sums from 0.995 to 0.995"),
        *(
            ((torch.tensor(row), 0.001), "must not be negative, infinite or NaN")
            for row in ([1.5, -0.5], [math.nan, 1], [math.inf, 1])
        ),
    ],
    check.expect_something_to_read: [
        ((SCORES, torch.tensor([[-math.inf] * 2, [2, 3]])), r"row \(0,\) has nothing to read"),
        *(
            (hidden(torch.tensor([[1.0, 2], [bad, 1]])), r"not be NaN or \+∞; row \(1,\) has one")
            for bad in (math.nan, math.inf)
        ),
    ],
}
