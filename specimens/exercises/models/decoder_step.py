"""Right and wrong answers to `attn_course.classroom.exercises.models.decoder_step`."""

from typing import NamedTuple

import torch

from attn_course.context import context_vectors
from attn_course.weights import attention_weights
from specimens.answers import named


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


def weights_times_annotations_not_summed(s, y, h, score, cell):
    state, _, weights = by_loop(s, y, h, score, cell)
    return state, weights[:, None] * h, weights


def softmax_forgotten(s, y, h, score, cell):
    weights = score(s, h)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def softmax_over_a_batch_that_is_not_there(s, y, h, score, cell):
    weights = score(s, h).unsqueeze(0).softmax(dim=0).squeeze(0)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def weights_ignore_the_encoder(s, y, h, score, cell):
    weights = (torch.arange(len(h)) * s.mean()).softmax(dim=0)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def uniform(s, y, h, score, cell):
    weights = torch.full((len(h),), 1 / len(h)) + 0 * s.sum()
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def asks_with_the_new_state(s, y, h, score, cell):
    state = cell(torch.cat([y, h.mean(dim=0)]), s)
    weights = score(state, h).softmax(0)
    context = weights @ h
    return state, context, weights


def asks_after_the_step(s, y, h, score, cell):
    state, _, _ = by_loop(s, y, h, score, cell)
    weights = score(state, h).softmax(0)
    return state, weights @ h, weights


def asks_nothing(s, y, h, score, cell):
    weights = score(torch.zeros_like(s) + 0.1, h).softmax(0)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def softmax_twice(s, y, h, score, cell):
    weights = score(s, h).softmax(0).softmax(0)
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def plain_sum(s, y, h, score, cell):
    context = h.sum(dim=0)
    return cell(torch.cat([y, context]), s), context, score(s, h).softmax(0)


def divided_once_more(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = (weights[:, None] * h).mean(dim=0)
    return cell(torch.cat([y, context]), s), context, weights


def unweighted_mean(s, y, h, score, cell):
    context = h.mean(dim=0)
    return cell(torch.cat([y, context]), s), context, score(s, h).softmax(0)


def best_only(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = h[weights.argmax()]
    return cell(torch.cat([y, context]), s), context, weights


def weights_of_the_wrong_positions(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = weights.flip(0) @ h
    return cell(torch.cat([y, context]), s), context, weights


def state_not_carried(s, y, h, score, cell):
    _, context, weights = by_loop(s, y, h, score, cell)
    return cell(torch.cat([y, context])), context, weights


def state_reset(s, y, h, score, cell):
    _, context, weights = by_loop(s, y, h, score, cell)
    return cell(torch.cat([y, context]), torch.zeros_like(s)), context, weights


def context_before_output(s, y, h, score, cell):
    _, context, weights = by_loop(s, y, h, score, cell)
    return cell(torch.cat([context, y]), s), context, weights


def output_left_out(s, y, h, score, cell):
    _, context, weights = by_loop(s, y, h, score, cell)
    return cell(torch.cat([torch.zeros_like(y), context]), s), context, weights


def stepped_twice(s, y, h, score, cell):
    state, context, weights = by_loop(s, y, h, score, cell)
    return cell(torch.cat([y, context]), state), context, weights


def weights_detached(s, y, h, score, cell):
    weights = score(s, h).softmax(0).detach()
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def tensor_made_anew(s, y, h, score, cell):
    weights = torch.tensor(score(s, h).softmax(0).tolist())
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


def in_place(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    h *= weights[:, None]
    context = h.sum(dim=0)
    return cell(torch.cat([y, context]), s), context, weights


def cat_along_nothing(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    return cell(torch.cat([y, weights]), s), weights @ h, weights


def context_detached_from_the_cell(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = weights @ h
    return cell(torch.cat([y, context.detach()]), s), context, weights


def annotations_detached_from_the_average(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = weights @ h.detach()
    return cell(torch.cat([y, context]), s), context, weights


def state_detached_from_the_cell(s, y, h, score, cell):
    weights = score(s, h).softmax(0)
    context = weights @ h
    return cell(torch.cat([y, context]), s.detach()), context, weights


def naive_softmax(s, y, h, score, cell):
    powers = score(s, h).exp()
    weights = powers / powers.sum()
    context = weights @ h
    return cell(torch.cat([y, context]), s), context, weights


RIGHT = [by_loop, with_a_batch_of_one, by_einsum_as_a_named_tuple, in_double]
WRONG = {
    "softmax_is_taken_once": [softmax_twice, naive_softmax],
    "returns_three_vectors": named(
        weights_times_annotations_not_summed,
        weights_first=lambda s, y, h, score, cell: by_loop(s, y, h, score, cell)[::-1],
        weights_kept_back=lambda s, y, h, score, cell: by_loop(s, y, h, score, cell)[:2],
    ),
    "weights_are_shares": [softmax_forgotten, softmax_over_a_batch_that_is_not_there],
    "weights_read_the_annotations": [weights_ignore_the_encoder, uniform],
    "asks_with_the_state_before": [asks_with_the_new_state, asks_after_the_step, asks_nothing],
    "context_is_an_average": [plain_sum, divided_once_more],
    "context_follows_the_weights": [unweighted_mean, best_only, weights_of_the_wrong_positions],
    "state_is_carried": [state_not_carried, state_reset],
    "cell_reads_output_then_context": [context_before_output, output_left_out, stepped_twice],
    "gradient_passes_the_weights": [weights_detached, tensor_made_anew],
    "leaves_its_inputs_alone": [in_place],
    "runs": [cat_along_nothing],
    "gradient_takes_every_way": [
        context_detached_from_the_cell,
        annotations_detached_from_the_average,
        state_detached_from_the_cell,
    ],
}
