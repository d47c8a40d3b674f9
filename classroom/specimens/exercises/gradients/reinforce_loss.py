from torch.nn import functional as F


def by_loop(weights, cells, rewards, baseline):
    total = 0.0
    for row, cell, reward in zip(weights, cells, rewards.tolist(), strict=True):
        total = total - (reward - baseline) * row[cell].log()
    return total / len(weights)


def by_gather(weights, cells, rewards, baseline):
    chosen = weights.gather(1, cells.unsqueeze(1)).squeeze(1)
    return (chosen.log() * (baseline - rewards.detach())).mean()


def by_cross_entropy(weights, cells, rewards, baseline):
    losses = F.nll_loss(weights.log(), cells, reduction="none")
    return (losses * (rewards.detach() - baseline)).mean()


def _through_all_weights(weights, cells, rewards, baseline):
    value = by_gather(weights, cells, rewards, baseline)
    return (
        value + (weights - weights.detach()).square().sum() + weights.sum() - weights.sum().detach()
    )


WRONG = {
    "gradient_where_it_was_drawn": [
        _through_all_weights,
        (".mean()", ".mean().item()"),
        ("= weights[", "= weights.detach()["),
    ],
    "rewards_are_constants": [(".detach()", "")],
}
