"""Exercise: a Gaussian glimpse, whose centre is the mean place of a first map.

    β = softmax(scores)   μ = Σ_j β_j x_j   α_j = g_j / Σ_k g_k   g_j = exp(-‖x_j - μ‖² / 2σ²)

scores (row column), width σ in cells   ->   μ (2), its row and column, and α (row column)
x_j = (row, column) of cell j, counted from 0
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

ROWS, COLUMNS = Size(3, 7), Size(3, 7)


def solution(scores, width):
    """The softmax serves twice: for the mean place, then for a bell that sums to one."""
    rows, columns = (torch.arange(size, dtype=scores.dtype) for size in scores.shape)
    places = torch.cartesian_prod(rows, columns)
    centre = scores.flatten().softmax(dim=0) @ places
    distances = ((places - centre) ** 2).sum(dim=1)
    return centre, (-distances / (2 * width**2)).softmax(dim=0).view_as(scores)


def _inputs(draw: Draw) -> dict:
    scores = draw.normal(ROWS, COLUMNS, scale=1.0)
    return {"scores": scores, "width": 1.25 + draw.integer(4) / 4}


def _even(draw: Draw) -> dict:
    return {"scores": torch.full(draw[ROWS, COLUMNS], float(draw.normal(1))), "width": 1.5}


exercise = Exercise(
    "glimpse(scores, width)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "Equal scores put the centre in the middle of the map.",
            _even,
            "Rows and columns are counted from 0, so the middle of five rows is 2. The row comes "
            "first. An argmax of equal scores is a corner.",
            part=0,
        ),
        Case(
            "The centre is the mean place, each cell counted with its share of the softmax.",
            _inputs,
            "μ = Σ_j β_j x_j with β = softmax(scores) over the whole map. Two cells with large "
            "shares pull it between them.",
            part=0,
        ),
        Case(
            "The weights fall with the squared distance from the centre.",
            _inputs,
            "exp(-‖x_j - μ‖² / 2σ²): both coordinates, squared; σ squared as well, and the 2. The "
            "centre is not rounded to a cell.",
            part=1,
        ),
    ],
    slips={
        "Divide by the sum over all cells; the factor 1 / (2πσ²) of a density does not do that.": [
            ("(-distances / (2 * width**2)).softmax(dim=0)", "(-distances / (2 * width**2)).exp()"),
            (
                "(-distances / (2 * width**2)).softmax(dim=0)",
                "((-distances / (2 * width**2)).exp() / (2 * torch.pi * width**2))",
            ),
        ],
        "": [
            ("return centre", "return centre + 1"),
            (".flatten().softmax(dim=0)", ".square().flatten() / scores.square().sum()"),
            ("2 * width**2", "width**2"),
            ("(places - centre)", "(places - centre.round())"),
        ],
    },
    gradients=_inputs,
    cut="Something cuts the graph: argmax, round(), item() or detach(). Then nothing would teach "
    "the glimpse where to go.",
    shape="μ is a row and a column; the weights have the shape of the scores.",
)
check = exercise.check
