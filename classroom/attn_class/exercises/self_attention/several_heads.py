"""Exercise: attention with several heads, without matrices.

queries (target size), keys and values (source size), readable (target source)
->   for each head, its values averaged with softmax(q · k / √part) over what may be read;
     the heads side by side
                                                Vaswani et al. 2017, section 3.2.2
"""

import math

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE, HEADS, PART = Size(2, 3), Size(4, 7), Size(2, 3), Size(4, 5)


def solution(queries, keys, values, readable, heads):
    """Cut all three, compare and average in each head, and put the heads side by side."""
    q, k, v = (rows.unflatten(-1, (heads, -1)).transpose(0, 1) for rows in (queries, keys, values))
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~readable, -torch.inf).softmax(dim=-1)
    return (weights @ v).transpose(0, 1).flatten(1)


def _inputs(draw: Draw) -> dict:
    size = draw[HEADS] * draw[PART]
    readable = draw.booleans(TARGET, SOURCE, share=0.6)
    readable[:, draw.integer(SOURCE)] = True
    return {
        "queries": draw.normal(TARGET, size, scale=1.0),
        "keys": draw.normal(SOURCE, size, scale=1.0),
        "values": draw.normal(SOURCE, size),
        "readable": readable,
        "heads": draw[HEADS],
    }


def _equal_values(draw: Draw) -> dict:
    inputs = _inputs(draw)
    value = draw.normal(inputs["values"].shape[1])
    return inputs | {"values": value.expand_as(inputs["values"]).clone()}


exercise = Exercise(
    "attend(queries, keys, values, readable, heads)",
    minutes=15,
    difficulty="moderate",
    without=["attention"],
    solution=solution,
    cases=[
        Case(
            "If all values are equal, every average is that value.",
            _equal_values,
            "Weights sum to one over the source. Is the softmax over the last axis, and the mask "
            "before it? And are the heads put back? Move the head axis behind the targets before "
            "you join: reshape alone mixes heads and targets.",
        ),
        Case(
            "Scores are divided by the square root of a head's size.",
            _inputs,
            "The dot product of one head sums over `part` entries: √part, not √size.",
        ),
    ],
    slips={
        "True means “may be read” here, as everywhere in this book. In PyTorch's module it means "
        "the opposite: is the mask inverted? And multiplying the scores by the mask, or adding it "
        "to them, hides nothing: a score of 0 is still a score.": [
            ("~readable, -torch.inf", "readable, -1e9"),
            ("scores.masked_fill(~readable, -torch.inf)", "scores"),
            ("scores.masked_fill(~readable, -torch.inf)", "(scores * readable)"),
            ("scores.masked_fill(~readable, -torch.inf)", "(scores + readable.float())"),
        ],
        "If the first entries of a query change, only the first head's part of the result may "
        "change.": [("(heads, -1)", "(1, -1)")],
        "": [
            (".transpose(0, 1).flatten(1)", ".reshape(len(queries), -1)"),
            ("math.sqrt(q.shape[-1])", "math.sqrt(queries.shape[1])"),
        ],
    },
    gradients=_inputs,
    shape="A head finds a vector of size / heads entries; all heads side by side have size "
    "entries. Are the weights applied to the values?",
)
check = exercise.check
