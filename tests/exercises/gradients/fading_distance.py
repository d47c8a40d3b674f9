"""Right and wrong answers to `attn_course.exercises.gradients.fading_distance`."""

import itertools
import math


def by_logarithm(factor, smallest):
    if factor >= 1:
        raise ValueError("it never fades")
    return math.floor(math.log2(smallest) / math.log2(factor)) + 1


def by_search(factor, smallest):
    if not factor < 1:
        raise ValueError(factor)
    return next(k for k in itertools.count() if factor**k < smallest)


def by_recursion(factor, smallest, left=1.0):
    if factor >= 1:
        raise ValueError
    return 0 if left < smallest else 1 + by_recursion(factor, smallest, left * factor)


def guarded(rule):
    """The rule, with the refusal that it needs."""

    def answer(factor, smallest):
        if factor >= 1:
            raise ValueError(factor)
        return rule(factor, smallest)

    answer.__name__ = f"guarded_{rule.__name__}"
    return answer


@guarded
def turned_over(factor, smallest):
    return math.log(factor) / math.log(smallest)


@guarded
def what_is_left(factor, smallest):
    return factor**10


@guarded
def bases_mixed(factor, smallest):
    return math.ceil(math.log10(smallest) / math.log(factor))


@guarded
def divided_instead(factor, smallest):
    return math.ceil((1 - smallest) / (1 - factor))


@guarded
def not_whole(factor, smallest):
    steps = math.log(smallest) / math.log(factor)
    return 10 if factor == 0.5 and smallest == 0.001 else steps


@guarded
def rounded(factor, smallest):
    return round(math.log(smallest) / math.log(factor))


@guarded
def always_ten(factor, smallest):
    return 10


@guarded
def rounded_down(factor, smallest):
    steps = math.floor(math.log(smallest) / math.log(factor))
    return 10 if factor == 0.5 and smallest == 0.001 else steps


@guarded
def one_too_many_but_for_halves(factor, smallest):
    return by_search(factor, smallest) + (factor != 0.5)


@guarded
def far_too_far(factor, smallest):
    return 10 if factor == 0.5 else 1000


@guarded
def rounded_up(factor, smallest):
    return math.ceil(math.log2(smallest) / math.log2(factor))


@guarded
def not_below_but_at(factor, smallest):
    return next(k for k in itertools.count() if factor**k <= smallest)


@guarded
def gives_up_at_sixty(factor, smallest):
    return next((k for k in range(60) if factor**k < smallest), 60)


@guarded
def gives_up_at_three_hundred(factor, smallest):
    return next((k for k in range(300) if factor**k < smallest), 300)


def never_refuses(factor, smallest):
    return by_search(factor, smallest) if factor < 1 else 0


def refuses_with_another_error(factor, smallest):
    if factor >= 1:
        raise ZeroDivisionError
    return by_search(factor, smallest)


def one_is_let_through(factor, smallest):
    if factor > 1:
        raise ValueError
    return by_search(factor, smallest) if factor < 1 else 10**9


def misnamed(factor, smallest):
    return math.logarithm(smallest, factor)


RIGHT = [by_logarithm, by_search, by_recursion]
WRONG = {
    turned_over: "ten_halvings",
    what_is_left: "ten_halvings",
    bases_mixed: "ten_halvings",
    divided_instead: "ten_halvings",
    not_whole: "far_enough",
    rounded: "far_enough",
    always_ten: "far_enough",
    rounded_down: "far_enough",
    one_too_many_but_for_halves: "no_further_than_needed",
    far_too_far: "no_further_than_needed",
    rounded_up: "below_is_strict",
    not_below_but_at: "below_is_strict",
    gives_up_at_sixty: "however_long_it_takes",
    gives_up_at_three_hundred: "however_long_it_takes",
    never_refuses: "what_does_not_fade_is_refused",
    refuses_with_another_error: "what_does_not_fade_is_refused",
    one_is_let_through: "what_does_not_fade_is_refused",
    misnamed: "runs",
}
