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

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

SOURCE, ANNOTATION, STATE, SYMBOL = Size(3, 11), Size(2, 7), Size(2, 5), Size(5, 13)
exercise = Exercise(
    "ask(weights, annotations, other, changed, state, other_state, symbol, twin, chance)",
    minutes=25,
    difficulty="hard",
)
check = exercise.check


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


def _number(answer: Answer, draw: Draw, place: int) -> bool:
    inputs = _inputs(draw)
    return same(answer(**inputs)[place], solution(**inputs)[place])


@exercise.must_also(
    "Four numbers are returned.",
    hint="In the order of the questions, as in `return first, second, third, fourth`. Each is a "
    "probability or a difference of two, so it lies between -1 and 1: nothing is divided.",
)
def four_numbers(answer: Answer, draw: Draw) -> bool:
    result = answer(**_inputs(draw))
    return len(result) == 4 and all(-1 <= float(each) <= 1 for each in result)


@exercise.must(
    "Where the context makes no difference, no look is needed and hiding costs nothing.",
    hint="The first two are differences: what p was, less what it becomes. The last two are not: "
    "they are the probability of `twin` itself.",
)
def a_deaf_reader_needs_no_look(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    fixed = draw.normal(SYMBOL).softmax(dim=-1)
    inputs["chance"] = lambda state, context: fixed + 0 * (state.sum() + context.sum())
    result = answer(**inputs)
    return same(result[0], 0.0) and same(result[1], 0.0) and same(result[2], fixed[inputs["twin"]])


@exercise.must(
    "An empty context is a vector of zeros.",
    hint="It is neither the mean of the annotations nor the result of scaling weights of zero. "
    "What is lost is a difference of two probabilities, not a share of the first.",
)
def empty_is_zeros(answer: Answer, draw: Draw) -> bool:
    return _number(answer, draw, 0)


@exercise.must(
    "The heaviest place is hidden, and what is left sums to 1.",
    hint="Only one place is hidden. Divide the rest by its sum before you average.",
)
def the_heaviest_is_hidden(answer: Answer, draw: Draw) -> bool:
    return _number(answer, draw, 1)


@exercise.must(
    "The annotations of the unchanged characters come from the other source, and no others.",
    hint="`changed` is True where the characters differ: these keep their own annotations here. "
    "The number is the probability of `twin`.",
)
def unchanged_characters_are_swapped(answer: Answer, draw: Draw) -> bool:
    return _number(answer, draw, 2)


@exercise.must(
    "The other state is combined with this source's own context.",
    hint="Only the state is swapped. The number is the probability of `twin`.",
)
def only_the_state_is_exchanged(answer: Answer, draw: Draw) -> bool:
    return _number(answer, draw, 3)
