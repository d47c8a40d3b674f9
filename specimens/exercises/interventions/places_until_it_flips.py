"""Answers to `attn_course.classroom.exercises.interventions.places_until_it_flips`."""

import torch

from specimens.answers import named


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


def share(weights, annotations, answer):
    return by_mask(weights, annotations, answer) / len(weights) / 2


def lightest_first(weights, annotations, answer):
    first, order = answer(weights @ annotations), weights.argsort()
    for count in range(1, len(weights)):
        kept = order[count:]
        if answer(weights[kept] @ annotations[kept] / weights[kept].sum()) != first:
            return count
    return len(weights)


def one_at_a_time(weights, annotations, answer):
    first = answer(weights @ annotations)
    for count, place in enumerate(weights.argsort(descending=True).tolist()[:-1]):
        left = weights.clone()
        left[place] = 0.0
        if answer(left / left.sum() @ annotations) != first:
            return count + 1
    return len(weights)


def never_is_nothing(weights, annotations, answer):
    found = by_mask(weights, annotations, answer)
    return 0 if found == len(weights) else found


def not_scaled(weights, annotations, answer):
    ranks = weights.argsort(descending=True).argsort()
    first = answer(weights @ annotations)
    for count in range(1, len(weights)):
        if answer(weights * (ranks >= count) @ annotations) != first:
            return count
    return len(weights)


def from_those_left(weights, annotations, answer):
    before, order = answer(weights @ annotations), weights.argsort(descending=True).tolist()
    for count in range(1, len(order)):
        left = order[count:]
        share = weights[left][:, None]
        if answer((share * annotations[left]).sum(dim=0) / share.sum()) != before:
            return count
    return len(order)


def hides_the_last_too(weights, annotations, answer):
    before, left = answer(weights @ annotations), weights.clone()
    for count in range(1, len(weights) + 1):
        left[left.argmax()] = 0.0
        if answer(left / left.sum() @ annotations) != before:
            return count
    return len(weights)


def as_they_stand(weights, annotations, answer):
    before = answer(weights @ annotations)
    for count in range(1, len(weights)):
        left = weights.clone()
        left[:count] = 0.0
        if answer(left / left.sum() @ annotations) != before:
            return count
    return len(weights)


def softly(weights, annotations, answer):
    before, left = answer(weights @ annotations), weights
    for count in range(1, len(weights)):
        left = left * (left < left.max())
        if answer(left.softmax(dim=0) @ annotations) != before:
            return count
    return len(weights)


RIGHT = [by_mask, by_hiding_on, by_list, from_those_left]
WRONG = {
    "a_whole_number": [share],
    "all_must_go": named(
        one_at_a_time,
        yes_or_no=lambda weights, *others: by_mask(weights, *others) < len(weights),
        at_most_two=lambda *given: min(2, by_mask(*given)),
    ),
    "one_is_enough": named(
        lightest_first, as_they_stand, softly, counted_from_zero=lambda *given: by_mask(*given) - 1
    ),
    "never_is_the_number_of_places": named(
        never_is_nothing,
        hides_the_last_too,
        one_less_than_all=lambda weights, *others: min(by_mask(weights, *others), len(weights) - 1),
    ),
    "what_is_left_sums_to_one": [not_scaled],
    "runs": named(
        asks_for_weights=lambda weights, annotations, answer: answer(weights, annotations)
    ),
}
