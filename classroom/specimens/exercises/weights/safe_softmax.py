import math

import numpy as np
import torch


def by_loop(scores, temperature):
    highest = max(scores.tolist())
    powers = [math.exp((score - highest) / temperature) for score in scores.tolist()]
    return torch.tensor([power / sum(powers) for power in powers])


def in_numpy(scores, temperature):
    scaled = scores.numpy().astype(float) / temperature
    powers = np.exp(scaled - scaled.max())
    return powers / powers.sum()


def by_logarithms(scores, temperature):
    scaled = scores / temperature
    return torch.exp(scaled - torch.logsumexp(scaled, dim=0))


def as_a_list(scores, temperature):
    return by_loop(scores, temperature).tolist()
