import torch


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
        left = order[count:]
        answers.append(answer(weights[left] @ annotations[left] / weights[left].sum()))
    changed = [count for count, one in enumerate(answers) if one != answers[0]]
    return changed[0] if changed else len(weights)


def from_those_left(weights, annotations, answer):
    before, order = answer(weights @ annotations), weights.argsort(descending=True).tolist()
    for count in range(1, len(order)):
        left = order[count:]
        share = weights[left][:, None]
        if answer((share * annotations[left]).sum(dim=0) / share.sum()) != before:
            return count
    return len(order)


WRONG = {"never_is_the_number_of_places": [("len(weights)):", "len(weights) + 1):")]}
