"""Exercise: attention with several heads, without matrices.

queries (target size), keys and values (source size), readable (target source)
->   for each head, its values averaged with softmax(q · k / √part) over what may be read;
     the heads side by side
                                                Vaswani et al. 2017, section 3.2.2
"""

import math

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, HEADS, PART = Size(2, 3), Size(4, 7), Size(2, 3), Size(4, 5)
exercise = Exercise(
    "attend(queries, keys, values, readable, heads)",
    minutes=15,
    difficulty="moderate",
    without=["attention"],
)
check = exercise.check


def solution(queries, keys, values, readable, heads):
    """Cut all three, compare and average in each head, and put the heads side by side."""
    q, k, v = (each.unflatten(-1, (heads, -1)).transpose(0, 1) for each in (queries, keys, values))
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~readable, -torch.inf).softmax(dim=-1)
    return (weights @ v).transpose(0, 1).flatten(1)


@exercise.must_also(
    "There is one vector of the full size for each target.",
    hint="A head finds a vector of size / heads entries; all heads side by side have size entries. "
    "Are the weights applied to the values?",
)
def one_vector_each(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return shaped(answer(**inputs), *inputs["queries"].shape)


@exercise.must(
    "If all values are equal, every average is that value.",
    hint="Weights sum to one over the source. Is the softmax over the last axis, and the mask "
    "before it? And are the heads put back? Move the head axis behind the targets before you "
    "join: reshape alone mixes heads and targets.",
)
def averages(answer: Answer, draw: Draw, inputs: dict) -> bool:
    value = draw.normal(inputs["values"].shape[1])
    inputs["values"] = value.expand_as(inputs["values"]).clone()
    return answer.gives(value.expand_as(inputs["queries"]), **inputs)


@exercise.must_also(
    "What must not be read changes nothing, and what may be read does.",
    hint="True means “may be read” here, as everywhere in this book. In PyTorch's module it means "
    "the opposite: is the mask inverted? And multiplying the scores by the mask, or adding it to "
    "them, hides nothing: a score of 0 is still a score.",
)
def reads_what_it_may(answer: Answer, draw: Draw, inputs: dict) -> bool:
    place = draw.integer(SOURCE)
    inputs["readable"][0, place], inputs["readable"][1, place] = False, True
    before = answer(**inputs)
    inputs["values"] = inputs["values"].clone()
    inputs["values"][place] += 1
    after = answer(**inputs)
    return same(after[0], before[0]) and not same(after[1], before[1])


@exercise.must_also(
    "Each head compares its own slices of queries and keys, and averages its own slice of values.",
    hint="If the first entries of a query change, only the first head's part of the result may "
    "change.",
)
def heads_are_apart(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, part = answer(**inputs), draw[PART]
    inputs["queries"] = inputs["queries"].clone()
    inputs["queries"][:, :part] += 1
    after = answer(**inputs)
    return same(after[:, part:], before[:, part:]) and not same(after[:, :part], before[:, :part])


@exercise.must(
    "Scores are divided by the square root of a head's size.",
    hint="The dot product of one head sums over `part` entries: √part, not √size.",
)
def by_the_equation(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_loops, **_inputs(draw))


@exercise.draws
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


def _by_loops(queries, keys, values, readable, heads):
    """The equation number by number."""
    result = torch.zeros_like(queries)
    part = queries.shape[1] // heads
    for i in range(len(queries)):
        for head in range(heads):
            own = range(head * part, (head + 1) * part)
            read = [j for j in range(len(keys)) if readable[i, j]]
            scores = [sum(queries[i, n] * keys[j, n] for n in own) / part**0.5 for j in read]
            powers = [math.exp(score) for score in scores]
            for n in own:
                result[i, n] = sum(
                    power * values[j, n] for power, j in zip(powers, read, strict=True)
                ) / sum(powers)
    return result


exercise.must_pass_gradients(
    lambda queries, keys, values, **rest: solution(queries, keys, values, **rest), _inputs
)
