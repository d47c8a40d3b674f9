"""Right and wrong answers to `attn_class.exercises.models.decoder_step`."""

from functools import partial
from typing import NamedTuple

import torch

from attn_course.context import context_vectors
from attn_course.weights import attention_weights
from specimens.answers import changed, named


class Step(NamedTuple):
    state: torch.Tensor
    context: torch.Tensor
    weights: torch.Tensor


def by_loop(s, y, h, score, cell):
    scores = score(s, h)
    powers = [(e - scores.max()).exp() for e in scores]
    weights = [power / sum(powers) for power in powers]
    context = sum(weight * h_j for weight, h_j in zip(weights, h, strict=True))
    return cell(torch.cat((y, context)), s), context, torch.stack(weights)


def with_a_batch_of_one(s, y, h, score, cell):
    weights = attention_weights(score(s, h).view(1, 1, -1))
    context = context_vectors(weights, h.unsqueeze(0)).flatten(1)
    state = cell(torch.cat([y.unsqueeze(0), context], dim=-1), s.unsqueeze(0))
    return [state.squeeze(0), context.squeeze(0), weights.flatten()]


def by_einsum_as_a_named_tuple(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = torch.einsum("j,ja->a", weights, h)
    return Step(cell(torch.hstack([y, context]), s), context, weights)


def in_double(s, y, h, score, cell):
    weights = score(s, h).double().softmax(0)
    context = (weights[:, None] * h.double()).sum(0)
    return cell(torch.cat([y, context.float()]), s), context, weights


def in_place(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    h *= weights[:, None]
    context = h.sum(dim=0)
    return cell(torch.cat([y, context]), s), context, weights


def naive_softmax(s, y, h, score, cell):
    powers = score(s, h).exp()
    weights = powers / powers.sum()
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def in_three_lines(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


but = partial(changed, in_three_lines)
RIGHT = [by_loop, with_a_batch_of_one, by_einsum_as_a_named_tuple, in_double, in_three_lines]
WRONG = {
    "softmax_is_taken_once": named(
        naive_softmax, softmax_twice=but(".softmax(0)", ".softmax(0).softmax(0)")
    ),
    "returns_three_vectors": named(
        weights_first=lambda *given: by_loop(*given)[::-1],
        weights_kept_back=lambda *given: by_loop(*given)[:2],
        weights_times_annotations_not_summed=but(
            ", context, weights", ", weights[:, None] * h, weights"
        ),
    ),
    "weights_are_shares": named(
        softmax_forgotten=but(".softmax(0)", ""),
        softmax_over_a_batch_that_is_not_there=but("softmax", "unsqueeze(0).softmax(0).squeeze"),
    ),
    "weights_read_the_annotations": named(
        weights_ignore_the_encoder=but("score(s, h)", "(torch.arange(len(h)) * s.mean())"),
        uniform=but("score(s, h)", "(0 * s.sum()).expand(len(h))"),
    ),
    "asks_with_the_state_before": named(
        asks_with_the_new_state=but("s, h", "cell(torch.cat([y, h.mean(dim=0)]), s), h"),
        asks_after_the_step=but("score(s, h)", "score(by_loop(s, y, h, score, cell)[0], h)"),
        asks_nothing=but("score(s, h)", "score(torch.zeros_like(s) + 0.1, h)"),
    ),
    "context_is_an_average": named(
        plain_sum=but("weights @ h", "h.sum(dim=0)"),
        divided_once_more=but("weights @ h", "weights @ h / len(h)"),
    ),
    "context_follows_the_weights": named(
        unweighted_mean=but("weights @ h", "h.mean(dim=0)"),
        best_only=but("weights @ h", "h[weights.argmax()]"),
        weights_of_the_wrong_positions=but("weights @ h", "weights.flip(0) @ h"),
    ),
    "state_is_carried": named(
        state_not_carried=but("]), s)", "]))"),
        state_reset=but("]), s)", "]), torch.zeros_like(s))"),
    ),
    "cell_reads_output_then_context": named(
        context_before_output=but("[y, context]", "[context, y]"),
        output_left_out=but("[y, context]", "[torch.zeros_like(y), context]"),
        stepped_twice=but("]), s)", "]), cell(torch.cat([y, context]), s))"),
    ),
    "gradient_passes_the_weights": named(
        weights_detached=but(".softmax(0)", ".softmax(0).detach()")
    ),
    "leaves_its_inputs_alone": [in_place],
    "runs": named(cat_along_nothing=but("[y, context]", "[y, weights]")),
    "gradient_takes_every_way": named(
        context_detached_from_the_cell=but("[y, context]", "[y, context.detach()]"),
        annotations_detached_from_the_average=but("weights @ h", "weights @ h.detach()"),
        state_detached_from_the_cell=but("]), s)", "]), s.detach())"),
    ),
}
