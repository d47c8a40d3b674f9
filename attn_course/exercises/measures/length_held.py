"""Exercise: the length that a model holds.

exact, the share of exact matches at lengths 1, 2, 3, ...; bar, from 0 to 1
->   the largest length up to which *every* share reaches the bar; 0 if the first does not
"""

from attn_course.exercises.frame import Answer, Draw, Exercise, Size

LENGTHS = Size(11, 17)
exercise = Exercise("held_length(exact, bar)")
check = exercise.check


def solution(exact, bar):
    """Go up until the first share that falls below the bar."""
    for length, share in enumerate(exact, start=1):
        if share < bar:
            return length - 1
    return len(exact)


@exercise.must(
    "If every share reaches the bar, it is the largest length there is.",
    hint="Lengths begin at 1: n shares belong to the lengths 1 to n. And a loop that never "
    "meets a low share must give an answer too.",
)
def all_are_held(answer: Answer, draw: Draw) -> bool:
    return answer.gives(float(draw[LENGTHS]), exact=[0.9] * draw[LENGTHS], bar=0.5)


@exercise.must(
    "If the first share is below the bar, it is 0.",
    hint="Not even one symbol is held: that is an answer, not an error.",
)
def nothing_is_held(answer: Answer, draw: Draw) -> bool:
    return answer.gives(0.0, exact=[0.2] * draw[LENGTHS], bar=0.5)


@exercise.must(
    "Shares that fall: it is the last length before the fall.",
    hint="The first share belongs to length 1, so is the answer one too large, or one too small?",
)
def stops_before_the_fall(answer: Answer, draw: Draw) -> bool:
    length = 2 + draw.integer(7)
    exact = [1.0] * length + [0.1] * (draw[LENGTHS] - length)
    return answer.gives(float(length), exact=exact, bar=0.5)


@exercise.must(
    "Shares above the bar after the first fall do not count.",
    hint="Measured shares jump up and down by luck. A length is held if all shorter ones are held "
    "too; so it is not enough to count the shares above the bar, or to look for the last.",
)
def a_lucky_length_does_not_count(answer: Answer, draw: Draw) -> bool:
    length = 2 + draw.integer(3)
    lucky = length + 1  # longer than the first stretch, and yet it does not count
    exact = [1.0] * length + [0.1] + [0.9] * lucky + [0.0] * (draw[LENGTHS] - length - 1 - lucky)
    return answer.gives(float(length), exact=exact, bar=0.5)


@exercise.must(
    "A share that is exactly the bar reaches it, and the bar is the one that was given.",
    hint="Reaching the bar is >=, so falling below it is <. Is the bar perhaps written into your "
    "function?",
)
def the_bar_itself_is_enough(answer: Answer, draw: Draw) -> bool:
    bar = [0.25, 0.75, 0.875][draw.integer(3)]
    return answer.gives(3.0, exact=[1.0, bar, bar, bar - 0.01, 0.0], bar=bar)
