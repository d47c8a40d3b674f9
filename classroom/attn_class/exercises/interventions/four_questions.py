"""Exercise: put four questions to one look of a decoder.

Two sources differ in some characters, so a decoder would write `symbol` for one and `twin` for the
other. With p(·) = chance(state, context), c = Σ_j α_j h_j:

look      p(symbol) with c, less p(symbol) with an empty context
dark      p(symbol) with c, less p(symbol) with the heaviest place hidden, the rest scaled up
others    p(twin) with the annotations of all *unchanged* characters taken from the other source
state     p(twin) with c, in the state that the decoder has on the other source

weights (source)   annotations, other (source annotation)   changed (source), True where the
characters differ   state, other_state (state)   symbol, twin: whole numbers
chance(state, context) -> (symbol)
    ->   four numbers, in this order
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

SOURCE, ANNOTATION, STATE, SYMBOL = Size(3, 11), Size(2, 7), Size(2, 5), Size(5, 13)


def solution(weights, annotations, other, changed, state, other_state, symbol, twin, chance):
    """One thing is changed at a time, and everything else stays."""
    context = weights @ annotations
    p = chance(state, context)[symbol]
    left = weights.clone()
    left[weights.argmax()] = 0.0
    mixed = torch.where(changed[:, None], annotations, other)
    return (
        p - chance(state, torch.zeros_like(context))[symbol],
        p - chance(state, left / left.sum() @ annotations)[symbol],
        chance(state, weights @ mixed)[twin],
        chance(other_state, context)[twin],
    )


def _inputs(draw: Draw) -> dict:
    changed = draw.booleans(SOURCE)
    changed[0], changed[1] = True, False
    mixing = draw.normal(STATE, SYMBOL, scale=1.0)
    reading = draw.normal(ANNOTATION, SYMBOL, scale=1.0)

    def chance(state, context):
        return (state @ mixing + context @ reading).softmax(dim=-1)

    symbol = draw.integer(SYMBOL)
    return {
        "weights": draw.normal(SOURCE, scale=1.0).softmax(dim=-1),
        "annotations": draw.normal(SOURCE, ANNOTATION, scale=1.0),
        "other": draw.normal(SOURCE, ANNOTATION, scale=1.0),
        "changed": changed,
        "state": draw.normal(STATE, scale=1.0),
        "other_state": draw.normal(STATE, scale=1.0),
        "symbol": symbol,
        "twin": (symbol + 1) % draw[SYMBOL],
        "chance": chance,
    }


def _deaf(draw: Draw) -> dict:
    fixed = draw.normal(SYMBOL).softmax(dim=-1)
    return _inputs(draw) | {
        "chance": lambda state, context: fixed + 0 * (state.sum() + context.sum())
    }


exercise = Exercise(
    "ask(weights, annotations, other, changed, state, other_state, symbol, twin, chance)",
    minutes=25,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "Where the context makes no difference, no look is needed and hiding costs nothing.",
            _deaf,
            "The first two are differences: what p was, less what it becomes. The last two are "
            "not: they are the probability of `twin` itself.",
        ),
        Case(
            "An empty context is a vector of zeros.",
            _inputs,
            "It is neither the mean of the annotations nor the result of scaling weights of zero. "
            "What is lost is a difference of two probabilities, not a share of the first.",
            part=0,
        ),
        Case(
            "The heaviest place is hidden, and what is left sums to 1.",
            _inputs,
            "Only one place is hidden. Divide the rest by its sum before you average.",
            part=1,
        ),
        Case(
            "The annotations of the unchanged characters come from the other source, and no "
            "others.",
            _inputs,
            "`changed` is True where the characters differ: these keep their own annotations here. "
            "The number is the probability of `twin`.",
            part=2,
        ),
        Case(
            "The other state is combined with this source's own context.",
            _inputs,
            "Only the state is swapped. The number is the probability of `twin`.",
            part=3,
        ),
    ],
    slips={
        "": [
            ("weights @ mixed)[twin]", "weights @ mixed)[symbol]"),
            ("torch.zeros_like(context)", "annotations.mean(dim=0)"),
            ("left / left.sum()", "left"),
            ("annotations, other)", "other, annotations)"),
            ("chance(other_state, context)", "chance(other_state, weights @ other)"),
            ("weights.argmax()", "weights.argmin()"),
            ("chance(other_state, context)", "chance(state, context)"),
            lambda *inputs: solution(*inputs)[:1] * 4,
        ],
    },
    shape="In the order of the questions, as in `return first, second, third, fourth`. Each is a "
    "probability or a difference of two, so it lies between -1 and 1: nothing is divided.",
)
check = exercise.check
