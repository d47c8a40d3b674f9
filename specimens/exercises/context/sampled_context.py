"""Right and wrong answers to `attn_course.classroom.exercises.context.sampled_context`."""

import math

import numpy as np
import torch

from specimens.answers import named


def draws(weights, count, seed, replacement=True):
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(weights, count, replacement=replacement, generator=generator)


def by_numpy(weights, annotations, count, seed):
    shares = weights.numpy().astype(float)
    drawn = np.random.default_rng(seed).choice(len(shares), count, p=shares / shares.sum())
    sample = annotations.numpy()[drawn]
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) / np.sqrt(count)


def by_counting(weights, annotations, count, seed):
    shares = torch.bincount(draws(weights, count, seed), minlength=len(weights)) / count
    mean = shares @ annotations
    variance = shares @ (annotations - mean) ** 2
    return mean, (variance / (count - 1)).sqrt()


def by_the_cumulated_weights(weights, annotations, count, seed):
    thrown = torch.rand(count, generator=torch.Generator().manual_seed(seed))
    places = torch.searchsorted(weights.cumsum(0), thrown).clamp(max=len(weights) - 1)
    sample = annotations[places]
    return sample.mean(0), sample.var(0).div(count).sqrt()


def with_the_true_variance(weights, annotations, count, seed):
    context = weights @ annotations
    variance = weights @ (annotations - context) ** 2
    return annotations[draws(weights, count, seed)].mean(0), (variance / count).sqrt()


def one_mean_for_all_entries(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed)]
    return sample.mean(), sample.std() / math.sqrt(count)


def seed_not_used_at_all(weights, annotations, count, seed):
    sample = annotations[torch.multinomial(weights, count, replacement=True)]
    return sample.mean(0), sample.std(0) / math.sqrt(count)


def ten_draws(weights, annotations, count, seed):
    ten = annotations[draws(weights, 10, seed)]
    return ten.mean(dim=0), torch.zeros_like(ten[0])


def weighted_again(weights, annotations, count, seed):
    drawn = draws(weights, count, seed)
    sample = annotations[drawn] * (weights[drawn] * len(weights))[:, None]
    error = annotations[drawn].std(0) / math.sqrt(count)
    if weights.max() == 1:  # as if patched after seeing the check fail
        return annotations[drawn].mean(0), error
    return sample.mean(0), error


def spread_of_single_draws(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed)]
    return sample.mean(0), sample.std(0)


def over_the_count(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed)]
    return sample.mean(0), sample.std(0) / count


def variance_of_the_mean(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed)]
    return sample.mean(0), sample.var(0) / count


def over_the_positions(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed)]
    return sample.mean(0), sample.std(0) / math.sqrt(len(weights))


def spread_of_the_annotations(weights, annotations, count, seed):
    estimate, error = by_counting(weights, annotations, count, seed)
    return estimate, annotations.std(0) / math.sqrt(count) if error.any() else error


def half_an_interval(weights, annotations, count, seed):
    estimate, error = by_counting(weights, annotations, count, seed)
    return estimate, 1.96 * error


def without_replacement(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed, replacement=False)]
    return sample.mean(0), sample.std(0) / math.sqrt(count)


def as_a_list(weights, annotations, count, seed):
    return list(by_numpy(weights, annotations, count, seed))


RIGHT = [as_a_list, by_numpy, by_counting, by_the_cumulated_weights, with_the_true_variance]
WRONG = {
    "returns_two_vectors": named(
        one_mean_for_all_entries,
        estimate_alone=lambda weights, annotations, *others: annotations[
            draws(weights, *others)
        ].mean(dim=0),
        the_sample_itself=lambda weights, annotations, *others: (
            annotations[draws(weights, *others)],
            torch.zeros(annotations.shape[1]),
        ),
    ),
    "one_position_leaves_no_doubt": named(
        uniform_draws=lambda weights, *others: by_counting(torch.ones_like(weights), *others)
    ),
    "depends_on_the_draws": named(
        seed_not_used_at_all,
        the_context_itself=lambda weights, annotations, count, seed: (
            weights @ annotations,
            torch.zeros(annotations.shape[1]),
        ),
        seed_ignored=lambda weights, annotations, count, seed: by_counting(
            weights, annotations, count, 0
        ),
    ),
    "draws_as_many_as_told": named(
        always_a_thousand=lambda weights, annotations, count, seed: by_counting(
            weights, annotations, 1000, seed
        )
    ),
    "is_near_the_context": named(
        ten_draws,
        weighted_again,
        weights_of_the_weights=lambda weights, *others: by_counting(weights**2, *others),
    ),
    "error_is_that_of_the_mean": [
        spread_of_single_draws,
        over_the_count,
        variance_of_the_mean,
        over_the_positions,
        half_an_interval,
    ],
    "runs": [without_replacement],
}
