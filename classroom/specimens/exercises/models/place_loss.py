from torch.nn import functional as F


def by_loop(weights, places):
    total = 0.0
    for row, place in zip(weights, places, strict=True):
        total = total - row[place].log()
    return total / len(weights)


def by_nll(weights, places):
    return F.nll_loss(weights.log(), places)


def by_gather(weights, places):
    return -weights.gather(1, places[:, None]).log().mean()


def by_one_hot(weights, places):
    return -(F.one_hot(places, weights.shape[1]) * weights.log()).sum(dim=1).mean()
