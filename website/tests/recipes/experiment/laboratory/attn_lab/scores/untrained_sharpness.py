"""How sharp is attention before training? Made up for a test of the recipes."""

import torch

from attn_course.alignment import SCORES
from attn_course.weights import attention_weights
from attn_lab.experiment import declared

CONDITIONS = ("dot", "scaled_dot")
SEEDS = (0, 1)


def measure(condition: str, seed: int) -> dict[str, float]:
    """The mean of the largest weight, for random queries and keys of size 16."""
    torch.manual_seed(seed)
    queries, keys = torch.randn(1, 101, 16), torch.randn(1, 7, 16)
    weights = attention_weights(SCORES[condition]()(queries, keys))
    return {"largest": weights.amax(dim=-1).mean().item()}


EXPERIMENT = declared(__name__, measure, [(CONDITIONS, SEEDS)])
