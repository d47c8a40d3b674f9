"""Other right answers to `attn_class.exercises.weights.largest_weight`."""


def by_sorting(scores):
    return scores.softmax(-1).sort(dim=-1).values[:, -1]


def by_dividing(scores):
    return 1 / (scores - scores.amax(-1, keepdim=True)).exp().sum(-1)


RIGHT = [by_sorting, by_dividing]
