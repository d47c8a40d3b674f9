"""Right and wrong answers to `attn_class.exercises.patching.hide_sink`."""

from functools import partial

import torch

from attn_class.exercises.patching.hide_sink import solution
from specimens.answers import changed, named


def by_a_mask(weights, values):
    later = torch.arange(weights.shape[1]) > 0
    hidden = later[:, None] & (torch.arange(weights.shape[2]) == 0)
    return torch.einsum("hij,hjp->hip", weights.masked_fill(hidden, 0.0), values)


def by_subtraction(weights, values):
    found = weights @ values
    taken = weights[:, :, :1] * values[:, :1]
    return torch.cat([found[:, :1], (found - taken)[:, 1:]], dim=1)


but = partial(changed, solution)
RIGHT = [by_a_mask, by_subtraction]
WRONG = {
    "keeps_the_shape": named(
        weights_returned=but("kept @ values", "kept"),
        cut_off=lambda weights, values: weights[:, 1:, 1:] @ values[:, 1:],
    ),
    "the_first_reads_itself": named(
        hidden_from_itself=but("1:, 0", ":, 0"), row_for_column=but("1:, 0", "0, :")
    ),
    "later_ones_do_not_read_it": named(
        first_row_spread=but("1:, 0", "2:, 0"),
        nothing_hidden=lambda weights, values: weights @ values,
    ),
    "the_rest_is_not_scaled": named(
        scaled=but("kept @", "kept / kept.sum(dim=-1, keepdim=True) @"),
        softmax_again=but("kept @", "kept.masked_fill(kept == 0, -torch.inf).softmax(dim=-1) @"),
        handed_to_itself=but("kept @", "(kept + torch.diag_embed(1 - kept.sum(dim=-1))) @"),
    ),
    "gradients_pass": named(without_gradient=but("weights.clone()", "weights.detach().clone()")),
    "runs": named(wrong_sizes=lambda weights, values: values @ weights),
}
