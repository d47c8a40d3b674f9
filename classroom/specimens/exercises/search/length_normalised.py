import numpy as np
import torch


def with_numpy(log_probabilities, lengths, alpha):
    scores = np.array(log_probabilities) * (6 / (5 + np.array(lengths))) ** alpha
    return np.argsort(-scores, kind="stable")


def with_torch(log_probabilities, lengths, alpha):
    penalty = ((5 + torch.tensor(lengths).double()) / 6) ** alpha
    scores = torch.tensor(log_probabilities).double() / penalty
    return scores.sort(descending=True, stable=True).indices
