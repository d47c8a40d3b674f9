"""Right and wrong answers to `attn_class.exercises.writing.next_token_loss`."""

from functools import partial

import torch
from torch.nn import functional as F

from attn_class.exercises.writing.next_token_loss import solution
from specimens.answers import changed, named


def by_gather(logits, tokens):
    said = logits.log_softmax(-1)[:, :-1]
    return -said.gather(-1, tokens[:, 1:, None]).mean()


def one_by_one(logits, tokens):
    losses = []
    for row, said in zip(tokens, logits, strict=True):
        for i in range(len(row) - 1):
            losses.append(-said[i].softmax(0)[row[i + 1]].log())
    return sum(losses) / len(losses)


def by_transposing(logits, tokens):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:])


but = partial(changed, solution)
RIGHT = [by_gather, one_by_one, by_transposing]
WRONG = {
    "one_number": named(
        not_averaged=but("tokens[:, 1:].flatten()", 'tokens[:, 1:].flatten(), reduction="none"')
    ),
    "last_is_not_judged": named(
        not_shifted=but("logits[:, :-1]", "logits", "tokens[:, 1:]", "tokens"),
        wrapped_around=but("logits[:, :-1]", "logits", "tokens[:, 1:]", "tokens.roll(-1, 1)"),
        over_positions=lambda logits, tokens: (
            -logits.log_softmax(1)[:, :-1].gather(-1, tokens[:, 1:, None]).mean()
        ),
        shifted_backwards=but("logits[:, :-1]", "logits[:, 1:]", "tokens[:, 1:]", "tokens[:, :-1]"),
    ),
    "knows_what_comes_next": named(
        same_tokens=but("tokens[:, 1:]", "tokens[:, :-1]"),
        probability_as_logits=but(
            "logits[:, :-1].flatten(0, 1)", "logits[:, :-1].flatten(0, 1).softmax(-1)"
        ),
    ),
    "equal_logits": named(
        in_bits=lambda logits, tokens: by_gather(logits, tokens) / torch.tensor(2.0).log(),
        added_up=but("tokens[:, 1:].flatten()", 'tokens[:, 1:].flatten(), reduction="sum"'),
        one_position_too_many=lambda logits, tokens: (
            solution(logits, tokens) * (tokens.shape[1] - 1) / tokens.shape[1]
        ),
    ),
    "mean_over_all": named(
        first_row_alone=lambda logits, tokens: solution(logits[:1], tokens[:1]),
        last_prediction_alone=lambda logits, tokens: solution(logits[:, -2:], tokens[:, -2:]),
    ),
    "runs": named(not_flattened=but(".flatten(0, 1)", "")),
}
