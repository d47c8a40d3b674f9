"""Exercise: after how many steps does a gradient fall below what can be noticed?

Each step multiplies its norm by at most `factor`. After k steps at most factor^k is left.

factor, above 0   smallest, between 0 and 1   ->   the least k, 0 or more, with factor^k < smallest
A factor of 1 or more never gets there: a ValueError.
"""

from attn_course.exercises.frame import Answer, Draw, Exercise

exercise = Exercise("fades_after(factor, smallest)")
check = exercise.check


def solution(factor, smallest):
    """Multiply until it is too small; a logarithm would need care when it comes out whole."""
    if factor >= 1:
        raise ValueError(f"a factor of {factor} does not shrink anything")
    steps, left = 0, 1.0
    while left >= smallest:
        steps, left = steps + 1, left * factor
    return steps


@exercise.must(
    "Halved at each step, less than a thousandth is left after ten steps.",
    hint="1/2 to the power of 10 is 1/1024. Is it the logarithm of smallest divided by that of "
    "factor, both to the same base? Is k the power?",
)
def ten_halvings(answer: Answer, draw: Draw) -> bool:
    return answer.gives(10.0, factor=0.5, smallest=0.001)


@exercise.must(
    "The number of steps is whole, and large enough.",
    hint="factor^k < smallest must hold for the k that comes back: round up, never down.",
)
def far_enough(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    steps = answer(**inputs)
    return steps == int(steps) >= 0 and inputs["factor"] ** steps < inputs["smallest"]


@exercise.must(
    "One step less would not be enough.",
    hint="It is the *least* k. Is one added that need not be?",
)
def no_further_than_needed(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    return inputs["factor"] ** (answer(**inputs) - 1) >= inputs["smallest"]


@exercise.must(
    "Below means below: where a power is exactly the bound, it takes one step more.",
    hint="(1/2)^3 is 1/8, which is not below 1/8. Where the logarithms divide without a remainder, "
    "rounding up adds nothing: floor and then add one, or multiply in a loop with >=.",
)
def below_is_strict(answer: Answer, draw: Draw) -> bool:
    power = 2 + draw.integer(5)
    return answer.gives(power + 1.0, factor=0.5, smallest=0.5**power)


@exercise.must(
    "A slow fading takes many steps.",
    hint="Does the search stop at a bound of its own, such as range(100)? Where each step leaves "
    "nearly everything, there are hundreds of steps: go on until factor^k is small enough.",
)
def however_long_it_takes(answer: Answer, draw: Draw) -> bool:
    return answer.gives(270.0, factor=0.95, smallest=1e-6) and answer.gives(
        454.0, factor=0.97, smallest=1e-6
    )


@exercise.must(
    "A factor of one or more is refused with a ValueError.",
    hint="Such a gradient never fades, and a loop would never end: "
    "if factor >= 1: raise ValueError(...).",
)
def what_does_not_fade_is_refused(answer: Answer, draw: Draw) -> bool:
    return all(
        answer.refuses(ValueError, factor=factor, smallest=0.1)
        for factor in (1.5 + draw.integer(3), 1.0)
    )


def _inputs(draw: Draw) -> dict[str, float]:
    return {
        "factor": 0.25 + 0.07 * draw.integer(10) + 0.003,
        "smallest": 10.0 ** -(1 + draw.integer(8)) * 0.7,
    }
