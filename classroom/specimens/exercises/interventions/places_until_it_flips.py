"""Answers to `attn_class.exercises.interventions.places_until_it_flips`."""

from functools import partial

import torch

from attn_class.exercises.interventions.places_until_it_flips import solution
from specimens.answers import changed, named


def by_mask(weights, annotations, answer):
    ranks = weights.argsort(descending=True).argsort()
    first = answer(weights @ annotations)
    for count in range(1, len(weights)):
        left = weights * (ranks >= count)
        if answer((left / left.sum()) @ annotations) != first:
            return count
    return len(weights)


def by_hiding_on(weights, annotations, answer):
    left, first = weights.clone(), answer(weights @ annotations)
    for count in range(1, len(weights)):
        left[left.argmax()] = 0.0
        if answer(left @ annotations / left.sum()) != first:
            return torch.tensor(count)
    return len(weights)


def by_list(weights, annotations, answer):
    order = weights.argsort(descending=True)
    answers = []
    for count in range(len(weights)):
        kept = order[count:]
        answers.append(answer(weights[kept] @ annotations[kept] / weights[kept].sum()))
    changed = [count for count, each in enumerate(answers) if each != answers[0]]
    return changed[0] if changed else len(weights)


def from_those_left(weights, annotations, answer):
    before, order = answer(weights @ annotations), weights.argsort(descending=True).tolist()
    for count in range(1, len(order)):
        left = order[count:]
        share = weights[left][:, None]
        if answer((share * annotations[left]).sum(dim=0) / share.sum()) != before:
            return count
    return len(order)


but = partial(changed, solution)
RIGHT = [by_mask, by_hiding_on, by_list, from_those_left]
WRONG = {
    "a_whole_number": named(
        share=but(
            "return count", "return count / len(weights) / 2", "return len(weights)", "return 0.5"
        )
    ),
    "all_must_go": named(
        one_at_a_time=but("order[:count]", "order[count - 1]"),
        yes_or_no=lambda weights, *others: by_mask(weights, *others) < len(weights),
        at_most_two=lambda *given: min(2, by_mask(*given)),
    ),
    "one_is_enough": named(
        lightest_first=but("descending=True", ""),
        as_they_stand=but("order[:count]", ":count"),
        softly=but("left / left.sum()", "left.softmax(dim=0)"),
        counted_from_zero=lambda *given: by_mask(*given) - 1,
    ),
    "never_is_the_number_of_places": named(
        never_is_nothing=but("return len(weights)", "return 0"),
        hides_the_last_too=but("len(weights)):", "len(weights) + 1):"),
        one_less_than_all=but("return len(weights)", "return len(weights) - 1"),
    ),
    "what_is_left_sums_to_one": named(not_scaled=but("left / left.sum()", "left")),
    "runs": named(
        asks_for_weights=lambda weights, annotations, answer: answer(weights, annotations)
    ),
}
