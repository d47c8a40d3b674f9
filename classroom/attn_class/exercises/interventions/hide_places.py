"""Exercise: hide some places of a source, and scale the other weights to sum to 1 again.

α'_ij = 0 where j is hidden, otherwise α_ij / Σ_{k not hidden} α_ik
                                             Serrano & Smith 2019, section 3

weights (target source)   places (source), boolean, True = hidden   ->   weights (target source)
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE = Size(2, 5), Size(3, 11)


def solution(weights, places):
    """Zeros, then shares of what is left."""
    rest = weights.masked_fill(places, 0.0)
    return rest / rest.sum(dim=-1, keepdim=True)


def _inputs(draw: Draw) -> dict:
    places = draw.booleans(SOURCE)
    places[draw.integer(SOURCE)] = False
    return {"weights": draw.normal(TARGET, SOURCE).softmax(dim=-1), "places": places}


exercise = Exercise(
    "hide(weights, places)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "What is left keeps its proportions.",
            _inputs,
            "In each row, all that is left grows by the same factor. A softmax of the weights does "
            "not do that.",
        )
    ],
    slips={
        "True means hidden. Have you used the mask the other way round?": [
            ("(places, 0.0)", "(~places, 0.0)"),
            (".masked_fill(places, 0.0)", ""),
        ],
        "Divide by the sum of what is left, row by row.": [
            ("(dim=-1, keepdim=True)", "()"),
            (" / rest.sum(dim=-1, keepdim=True)", ""),
            ("(dim=-1, keepdim=True)", "(dim=0, keepdim=True).clamp(min=1e-9)"),
        ],
        "": [
            (
                "rest / rest.sum(dim=-1, keepdim=True)",
                "weights.masked_fill(places, -torch.inf).softmax(dim=-1)",
            )
        ],
    },
    gradients=_inputs,
    shape="Hidden places stay in the table, with weight 0. Only the numbers change.",
)
check = exercise.check
