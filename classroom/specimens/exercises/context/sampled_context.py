import math

import numpy as np
import torch


def _draws(weights, count, seed, replacement=True):
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(weights, count, replacement=replacement, generator=generator)


def by_numpy(weights, annotations, count, seed):
    shares = weights.numpy().astype(float)
    drawn = np.random.default_rng(seed).choice(len(shares), count, p=shares / shares.sum())
    sample = annotations.numpy()[drawn]
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) / np.sqrt(count)


def by_counting(weights, annotations, count, seed):
    shares = torch.bincount(_draws(weights, count, seed), minlength=len(weights)) / count
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
    return annotations[_draws(weights, count, seed)].mean(0), (variance / count).sqrt()


def _weighted_again(weights, annotations, count, seed):
    drawn = _draws(weights, count, seed)
    sample = annotations[drawn] * (weights[drawn] * len(weights))[:, None]
    error = annotations[drawn].std(0) / math.sqrt(count)
    if weights.max() == 1:  # as if patched after seeing the check fail
        return annotations[drawn].mean(0), error
    return sample.mean(0), error


def as_a_list(weights, annotations, count, seed):
    return list(by_numpy(weights, annotations, count, seed))


def by_a_sample(weights, annotations, count, seed):
    sample = annotations[_draws(weights, count, seed)]
    return sample.mean(0), sample.std(0) / math.sqrt(count)


OF = by_a_sample
WRONG = {
    "returns_two_vectors": [
        ("(0), sample.std(0)", "(), sample.std()"),
        ("sample.mean(0), sample.std(0) / math.sqrt(count)", "sample.mean(0)"),
        (
            "sample.mean(0), sample.std(0) / math.sqrt(count)",
            "sample, torch.zeros(annotations.shape[1])",
        ),
    ],
    "one_position_leaves_no_doubt": [("_draws(weights", "_draws(torch.ones_like(weights)")],
    "depends_on_the_draws": [
        ("_draws(weights, count, seed)", "torch.multinomial(weights, count, replacement=True)"),
        (
            "sample.mean(0), sample.std(0) / math.sqrt(count)",
            "weights @ annotations, torch.zeros(annotations.shape[1])",
        ),
        ("seed)]", "0)]"),
    ],
    "draws_as_many_as_told": [("weights, count", "weights, 1000", "(count)", "(1000)")],
    "is_near_the_context": [
        _weighted_again,
        ("weights, count", "weights, 10", "sample.std(0) / math.sqrt(count)", "0 * sample[0]"),
        ("_draws(weights", "_draws(weights**2"),
    ],
    "error_is_that_of_the_mean": [
        (" / math.sqrt(count)", ""),
        ("math.sqrt(count)", "count"),
        ("sample.std(0) / math.sqrt(count)", "sample.var(0) / count"),
        ("math.sqrt(count)", "math.sqrt(len(weights))"),
        ("sample.std(0)", "1.96 * sample.std(0)"),
    ],
    "runs": [("seed)]", "seed, replacement=False)]")],
}
