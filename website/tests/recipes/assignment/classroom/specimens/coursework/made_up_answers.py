"""Answers to `classroom/coursework/a-made-up-one`; the wrong ones beside what they lose."""

import torch

from specimens.coursework.tried import Answers

ANSWERS = Answers("a-made-up-one")
wrong = ANSWERS.bad


def rescaled__in_logarithms(weights, readable):
    return weights.log().masked_fill(~readable, -torch.inf).softmax(-1)


def rescaled__row_by_row(weights, readable):
    return torch.stack([row * readable / row[readable].sum() for row in weights])


@wrong("as_if_hidden_before")
def rescaled__softmax_of_weights(weights, readable):
    return weights.masked_fill(~readable, -torch.inf).softmax(-1)


@wrong("as_if_hidden_before")
def rescaled__shared_equally(weights, readable):
    return (readable / readable.sum()).expand_as(weights)


@wrong("as_if_hidden_before", "rows_sum_to_one")
def rescaled__only_hidden(weights, readable):
    return weights * readable
