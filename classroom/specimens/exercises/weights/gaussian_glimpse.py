"""Right and wrong answers to `attn_class.exercises.weights.gaussian_glimpse`."""

from functools import partial

import torch

from specimens.answers import changed, named


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
    return mean_place(parts(scores)[0])


def mean_place(shares):
    _, rows, columns = parts(shares)
    return torch.stack([(shares * rows).sum(), (shares * columns).sum()])


def around(scores, centre, width, power=2.0, factor=2.0):
    _, rows, columns = parts(scores)
    square = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2
    bell = torch.exp(-(square ** (power / 2)) / (factor * width**2))
    return bell / bell.sum()


def a_density(scores, width):
    _, rows, columns = parts(scores)
    centre = centre_of(scores)
    square = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2
    return centre, torch.exp(-square / (2 * width**2)) / (2 * torch.pi * width**2)


def not_divided(scores, width):
    centre, weights = by_margins(scores, width)
    return centre, weights / weights.max()


def rows_alone(scores, width):
    centre = centre_of(scores)
    _, rows, _ = parts(scores)
    bell = torch.exp(-((rows - centre[0]) ** 2) / (2 * width**2))
    return centre, bell / bell.sum()


def in_two_steps(scores, width):
    centre = centre_of(scores)
    return centre, around(scores, centre, width)


but = partial(changed, in_two_steps)
RIGHT = [by_loops, by_margins, in_two_steps]
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
    "even_scores_are_centred": named(
        x_first=but("return centre", "return centre.flip(0)"),
        counted_from_one=but("return centre", "return centre + 1"),
        from_minus_one_to_one=but(
            "return centre", "return 2 * centre / (torch.tensor(scores.shape) - 1) - 1"
        ),
        hard=but(
            "centre_of(scores)",
            "torch.tensor(divmod(int(scores.argmax()), scores.shape[1])).float()",
        ),
    ),
    "centre_is_the_mean_place": named(
        softmax_over_rows=but(
            "centre_of(scores)", "mean_place(scores.softmax(dim=1) / len(scores))"
        ),
        squared_scores=but("centre_of(scores)", "mean_place(scores**2 / (scores**2).sum())"),
        always_the_middle=but(
            "centre_of(scores)",
            "torch.tensor([(size - 1) / 2 for size in scores.shape]) + 0 * scores.sum()",
        ),
    ),
    "weights_are_shares": [a_density, not_divided],
    "weights_are_a_bell": named(
        rows_alone,
        two_forgotten=but("centre, width)", "centre, width, factor=1.0)"),
        sigma_not_squared=but("centre, width)", "centre, width**0.5)"),
        distance_not_squared=but("centre, width)", "centre, width, power=1.0)"),
        rounded=but("centre, width)", "centre.round(), width)"),
        first_map_instead=lambda scores, width: (centre_of(scores), parts(scores)[0]),
    ),
    "gradient_reaches_the_scores": named(
        detached=but("centre_of(scores)", "centre_of(scores).detach() + 0 * scores.sum()")
    ),
}
