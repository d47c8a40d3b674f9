import numpy as np
import torch


def by_sorting(logits, temperature, top):
    best = logits.argsort(descending=True)[:top]
    result = torch.zeros_like(logits)
    result[best] = (logits[best] / temperature).softmax(0)
    return result


def by_powers(logits, temperature, top):
    powers = np.exp(logits.numpy() / temperature)
    powers[powers < np.sort(powers)[-top]] = 0
    return torch.tensor(powers / powers.sum())
