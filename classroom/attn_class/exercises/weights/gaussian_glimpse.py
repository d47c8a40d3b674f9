"""Exercise: a Gaussian glimpse, whose centre is the mean place of a first map.

    β = softmax(scores)   μ = Σ_j β_j x_j   α_j = g_j / Σ_k g_k   g_j = exp(-‖x_j - μ‖² / 2σ²)

scores (row column), width σ in cells   ->   μ (2), its row and column, and α (row column)
x_j = (row, column) of cell j, counted from 0
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

ROWS, COLUMNS = Size(3, 7), Size(3, 7)
exercise = Exercise("glimpse(scores, width)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(scores, width):
    """The softmax serves twice: for the mean place, then for a bell that sums to one."""
    rows, columns = (torch.arange(size, dtype=scores.dtype) for size in scores.shape)
    places = torch.cartesian_prod(rows, columns)
    centre = scores.flatten().softmax(dim=0) @ places
    distances = ((places - centre) ** 2).sum(dim=1)
    return centre, (-distances / (2 * width**2)).softmax(dim=0).view_as(scores)


@exercise.must_also(
    "It returns a centre of two numbers, then one weight for each cell.",
    hint="μ is a row and a column; the weights have the shape of the scores.",
)
def returns_centre_and_weights(answer: Answer, draw: Draw) -> bool:
    centre, weights = answer(**_inputs(draw))
    return shaped(centre, 2) and shaped(weights, draw[ROWS], draw[COLUMNS])


@exercise.must_also(
    "Equal scores put the centre in the middle of the map.",
    hint="Rows and columns are counted from 0, so the middle of five rows is 2. The row comes "
    "first. An argmax of equal scores is a corner.",
)
def even_scores_are_centred(answer: Answer, draw: Draw) -> bool:
    scores = torch.full((draw[ROWS], draw[COLUMNS]), float(draw.normal(1)))
    centre, _ = answer(scores=scores, width=1.5)
    return same(centre, torch.tensor([(draw[ROWS] - 1) / 2, (draw[COLUMNS] - 1) / 2]))


@exercise.must(
    "The centre is the mean place, each cell counted with its share of the softmax.",
    hint="μ = Σ_j β_j x_j with β = softmax(scores) over the whole map. Two cells with large "
    "shares pull it between them.",
)
def centre_is_the_mean_place(answer: Answer, draw: Draw, inputs: dict) -> bool:
    centre, _ = answer(**inputs)
    return same(centre, _mean_place(inputs["scores"]))


@exercise.must_also(
    "The weights sum to one.",
    hint="Divide by the sum over all cells; the factor 1 / (2πσ²) of a density does not do that.",
)
def weights_are_shares(answer: Answer, draw: Draw) -> bool:
    _, weights = answer(**_inputs(draw))
    return bool((weights > 0).all()) and same(weights.sum(), 1.0)


@exercise.must(
    "The weights fall with the squared distance from the centre.",
    hint="exp(-‖x_j - μ‖² / 2σ²): both coordinates, squared; σ squared as well, and the 2. The "
    "centre is not rounded to a cell.",
)
def weights_are_a_bell(answer: Answer, draw: Draw, inputs: dict) -> bool:
    row, column = _mean_place(inputs["scores"]).tolist()
    _, weights = answer(**inputs)
    bell = torch.zeros(draw[ROWS], draw[COLUMNS])
    for r in range(draw[ROWS]):
        for k in range(draw[COLUMNS]):
            square = (r - row) ** 2 + (k - column) ** 2
            bell[r, k] = torch.tensor(-square / (2 * inputs["width"] ** 2)).exp()
    return same(weights, bell / bell.sum())


@exercise.must(
    "A gradient of the weights reaches the scores, through the centre.",
    hint="Something cuts the graph: argmax, round(), item() or detach(). Then nothing would teach "
    "the glimpse where to go.",
)
def gradient_reaches_the_scores(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["scores"].requires_grad_()
    (found,) = torch.autograd.grad(answer(**inputs)[1][0, 0], inputs["scores"])
    (wanted,) = torch.autograd.grad(solution(**inputs)[1][0, 0], inputs["scores"])
    return same(100 * found, 100 * wanted)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    scores = draw.normal(ROWS, COLUMNS, scale=1.0)
    return {"scores": scores, "width": 1.25 + draw.integer(4) / 4}


def _mean_place(scores: torch.Tensor) -> torch.Tensor:
    powers = scores.detach().exp()
    row = sum(r * powers[r].sum() for r in range(len(powers))) / powers.sum()
    column = sum(k * powers[:, k].sum() for k in range(powers.shape[1])) / powers.sum()
    return torch.stack([row, column])
