"""Right and wrong answers to `attn_class.exercises.writing.drawing_weights`."""

from functools import partial

import numpy as np
import torch

from attn_class.exercises.writing.drawing_weights import solution
from specimens.answers import changed, named


def by_sorting(logits, temperature, top):
    kept = logits.argsort(descending=True)[:top]
    result = torch.zeros_like(logits)
    result[kept] = (logits[kept] / temperature).softmax(0)
    return result


def by_powers(logits, temperature, top):
    powers = np.exp(logits.numpy() / temperature)
    powers[powers < np.sort(powers)[-top]] = 0
    return torch.tensor(powers / powers.sum())


def shares_left(logits, temperature, top):
    shares = (logits / temperature).softmax(-1)
    return shares * (shares >= shares.topk(top).values[-1])


def set_to_zero(logits, temperature, top):
    least = logits.topk(top).values[-1]
    return (logits * (logits >= least) / temperature).softmax(-1)


def temperature_forgotten_when_cut(logits, temperature, top):
    return solution(logits, temperature if top == len(logits) else 1.0, top)


but = partial(changed, solution)
RIGHT = [by_sorting, by_powers]
WRONG = {
    "sums_to_one": named(
        shares_left,
        only_what_is_left=lambda logits, temperature, top: (
            logits.topk(top).values / temperature
        ).softmax(-1),
        logits_only=but(").softmax(-1)", ")"),
    ),
    "plain_softmax": named(
        all_equal=lambda logits, temperature, top: torch.full_like(logits, 1 / len(logits)),
        hides_the_last=but("logits < least", "logits <= least"),
        smallest_first=but("(logits.masked", "(-logits.masked", "-torch.inf", "torch.inf"),
    ),
    "only_the_likeliest": named(
        set_to_zero,
        nothing_hidden=lambda logits, temperature, top: (logits / temperature).softmax(-1),
        one_more=but("topk(top)", "topk(min(top + 1, len(logits)))"),
        first_ones=lambda logits, temperature, top: (
            (logits / temperature)
            .masked_fill(torch.arange(len(logits)) >= top, -torch.inf)
            .softmax(-1)
        ),
    ),
    "divided": named(
        multiplied=but("/ temperature", "* temperature"),
        forgotten=but("/ temperature", "/ 1"),
        twice=but("/ temperature", "/ temperature**2"),
    ),
    "both": [temperature_forgotten_when_cut],
    "runs": named(misnamed=but("topk(top)", "topk(k)")),
}
