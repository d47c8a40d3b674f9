"""Right and wrong answers to `attn_course.classroom.exercises.weights.gaussian_glimpse`."""

import torch

from specimens.answers import named


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


def parts(scores):
    grid = torch.meshgrid(*(torch.arange(float(size)) for size in scores.shape), indexing="ij")
    return scores.flatten().softmax(0).view_as(scores), *grid


def centre_of(scores):
    shares, rows, columns = parts(scores)
    return torch.stack([(shares * rows).sum(), (shares * columns).sum()])


def around(scores, centre, width, power=2.0, factor=2.0):
    _, rows, columns = parts(scores)
    square = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2
    bell = torch.exp(-(square ** (power / 2)) / (factor * width**2))
    return bell / bell.sum()


def x_first(scores, width):
    centre, weights = by_margins(scores, width)
    return centre.flip(0), weights


def counted_from_one(scores, width):
    centre, weights = by_margins(scores, width)
    return centre + 1, weights


def from_minus_one_to_one(scores, width):
    centre, weights = by_margins(scores, width)
    return centre * 2 / torch.tensor([scores.shape[0] - 1, scores.shape[1] - 1]) - 1, weights


def hard(scores, width):
    row, column = divmod(int(scores.argmax()), scores.shape[1])
    centre = torch.tensor([float(row), float(column)])
    return centre, around(scores, centre, width)


def softmax_over_rows(scores, width):
    _, rows, columns = parts(scores)
    shares = scores.softmax(dim=1) / len(scores)
    centre = torch.stack([(shares * rows).sum(), (shares * columns).sum()])
    return centre, around(scores, centre, width)


def squared_scores(scores, width):
    _, rows, columns = parts(scores)
    shares = scores**2 / (scores**2).sum()
    centre = torch.stack([(shares * rows).sum(), (shares * columns).sum()])
    return centre, around(scores, centre, width)


def always_the_middle(scores, width):
    centre = torch.tensor([(size - 1) / 2 for size in scores.shape]) + 0 * scores.sum()
    return centre, around(scores, centre, width)


def a_density(scores, width):
    _, rows, columns = parts(scores)
    centre = centre_of(scores)
    square = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2
    return centre, torch.exp(-square / (2 * width**2)) / (2 * torch.pi * width**2)


def not_divided(scores, width):
    centre, weights = by_margins(scores, width)
    return centre, weights / weights.max()


def two_forgotten(scores, width):
    centre = centre_of(scores)
    return centre, around(scores, centre, width, factor=1.0)


def sigma_not_squared(scores, width):
    centre = centre_of(scores)
    return centre, around(scores, centre, width**0.5)


def distance_not_squared(scores, width):
    centre = centre_of(scores)
    return centre, around(scores, centre, width, power=1.0)


def rounded(scores, width):
    centre = centre_of(scores)
    return centre, around(scores, centre.round(), width)


def rows_alone(scores, width):
    centre = centre_of(scores)
    _, rows, _ = parts(scores)
    bell = torch.exp(-((rows - centre[0]) ** 2) / (2 * width**2))
    return centre, bell / bell.sum()


def detached(scores, width):
    centre = centre_of(scores).detach()
    return centre, around(scores, centre, width) + 0 * scores.sum()


def as_numbers(scores, width):
    centre = torch.tensor(centre_of(scores).tolist())
    return centre, around(scores, centre, width)


RIGHT = [by_loops, by_margins]
WRONG = {
    "runs": named(
        no_grid=lambda scores, width: (
            centre_of(scores),
            torch.softmax(-((scores.shape - centre_of(scores)) ** 2), dim=0),
        )
    ),
    "returns_centre_and_weights": named(
        weights_first=lambda scores, width: by_margins(scores, width)[::-1],
        weights_alone=lambda scores, width: by_margins(scores, width)[1],
    ),
    "even_scores_are_centred": [x_first, counted_from_one, from_minus_one_to_one, hard],
    "centre_is_the_mean_place": [softmax_over_rows, squared_scores, always_the_middle],
    "weights_are_shares": [a_density, not_divided],
    "weights_are_a_bell": named(
        two_forgotten,
        sigma_not_squared,
        distance_not_squared,
        rounded,
        rows_alone,
        first_map_instead=lambda scores, width: (centre_of(scores), parts(scores)[0]),
    ),
    "gradient_reaches_the_scores": [detached, as_numbers],
}
