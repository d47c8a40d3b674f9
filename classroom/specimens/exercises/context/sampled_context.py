"""Right and wrong answers to `attn_class.exercises.context.sampled_context`."""

import math
from functools import partial

import numpy as np
import torch

from specimens.answers import changed, named


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


def weighted_again(weights, annotations, count, seed):
    drawn = draws(weights, count, seed)
    sample = annotations[drawn] * (weights[drawn] * len(weights))[:, None]
    error = annotations[drawn].std(0) / math.sqrt(count)
    if weights.max() == 1:  # as if patched after seeing the check fail
        return annotations[drawn].mean(0), error
    return sample.mean(0), error


def as_a_list(weights, annotations, count, seed):
    return list(by_numpy(weights, annotations, count, seed))


def by_a_sample(weights, annotations, count, seed):
    sample = annotations[draws(weights, count, seed)]
    return sample.mean(0), sample.std(0) / math.sqrt(count)


but = partial(changed, by_a_sample)
RIGHT = [
    as_a_list,
    by_numpy,
    by_counting,
    by_the_cumulated_weights,
    with_the_true_variance,
    by_a_sample,
]
WRONG = {
    "returns_two_vectors": named(
        one_mean_for_all_entries=but("(0), sample.std(0)", "(), sample.std()"),
        estimate_alone=but("sample.mean(0), sample.std(0) / math.sqrt(count)", "sample.mean(0)"),
        the_sample_itself=but(
            "sample.mean(0), sample.std(0) / math.sqrt(count)",
            "sample, torch.zeros(annotations.shape[1])",
        ),
    ),
    "one_position_leaves_no_doubt": named(
        uniform_draws=but("draws(weights", "draws(torch.ones_like(weights)")
    ),
    "depends_on_the_draws": named(
        seed_not_used_at_all=but(
            "draws(weights, count, seed)", "torch.multinomial(weights, count, replacement=True)"
        ),
        the_context_itself=but(
            "sample.mean(0), sample.std(0) / math.sqrt(count)",
            "weights @ annotations, torch.zeros(annotations.shape[1])",
        ),
        seed_ignored=but("seed)]", "0)]"),
    ),
    "draws_as_many_as_told": named(
        always_a_thousand=but("weights, count", "weights, 1000", "(count)", "(1000)")
    ),
    "is_near_the_context": named(
        weighted_again,
        ten_draws=but(
            "weights, count", "weights, 10", "sample.std(0) / math.sqrt(count)", "0 * sample[0]"
        ),
        weights_of_the_weights=but("draws(weights", "draws(weights**2"),
    ),
    "error_is_that_of_the_mean": named(
        spread_of_single_draws=but(" / math.sqrt(count)", ""),
        over_the_count=but("math.sqrt(count)", "count"),
        variance_of_the_mean=but("sample.std(0) / math.sqrt(count)", "sample.var(0) / count"),
        over_the_positions=but("math.sqrt(count)", "math.sqrt(len(weights))"),
        half_an_interval=but("sample.std(0)", "1.96 * sample.std(0)"),
    ),
    "runs": named(without_replacement=but("seed)]", "seed, replacement=False)]")),
}
