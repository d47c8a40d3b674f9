import torch


def by_loops(scores, width):
    powers = scores.exp() / scores.exp().sum()
    cells = [(r, k) for r in range(scores.shape[0]) for k in range(scores.shape[1])]
    row = sum(r * powers[r, k] for r, k in cells)
    column = sum(k * powers[r, k] for r, k in cells)
    bell = torch.stack(
        [torch.exp(-((r - row) ** 2 + (k - column) ** 2) / (2 * width * width)) for r, k in cells]
    )
    return [torch.stack([row, column]), (bell / bell.sum()).view(scores.shape)]


def by_margins(scores, width):
    """The bell of a place is a bell over rows times one over columns."""
    shares = scores.flatten().softmax(0).view_as(scores)
    centre, bells = [], []
    for margin in (shares.sum(dim=1), shares.sum(dim=0)):
        at = torch.arange(len(margin))
        centre.append((margin * at).sum())
        bells.append(torch.softmax(-((at - centre[-1]) ** 2) / 2 / width**2, dim=0))
    return torch.stack(centre), torch.outer(*bells)


def in_two_steps(scores, width):
    rows, columns = torch.meshgrid(*map(torch.arange, scores.shape), indexing="ij")
    shares = scores.flatten().softmax(0).view_as(scores)
    centre = torch.stack([(shares * rows).sum(), (shares * columns).sum()])
    square = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2
    bell = torch.exp(-square / (2 * width**2))
    return centre, bell / bell.sum()
