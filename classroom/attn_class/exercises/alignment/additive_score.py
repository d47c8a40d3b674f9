"""Exercise: score one state against every annotation.

e_ij = v · tanh(W_a s_{i-1} + U_a h_j)         Bahdanau et al. 2015, section 3.1 and A.1.2

previous_state (state)   annotations (source annotation)
W_a (hidden state)   U_a (hidden annotation)   v (hidden)   ->   scores (source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

STATE, ANNOTATION, HIDDEN, SOURCE = Size(2, 11), Size(2, 11), Size(2, 11), Size(3, 7)


def solution(
    previous_state: Tensor, annotations: Tensor, W_a: Tensor, U_a: Tensor, v: Tensor
) -> Tensor:
    """The query's part is the same for every position, so a single addition is enough."""
    query = W_a @ previous_state  # (hidden)
    key = annotations @ U_a.T  # (source hidden)
    return torch.tanh(query + key) @ v


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "previous_state": draw.normal(STATE),
        "annotations": draw.normal(SOURCE, ANNOTATION),
        "W_a": draw.normal(HIDDEN, STATE),
        "U_a": draw.normal(HIDDEN, ANNOTATION),
        "v": draw.normal(HIDDEN),
    }


exercise = Exercise(
    "score(previous_state, annotations, W_a, U_a, v)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Every score is v · tanh(W_a s + U_a h_j).",
            _inputs,
            "All the parts are there. Go through the equation sign by sign: what is added, what is "
            "multiplied, and which matrix belongs to which vector.",
        )
    ],
    slips={
        "h_j is not used, or not in its own row: U_a h_j must reach the score of position j.": [
            ("torch.tanh(query + key) @ v", "(torch.tanh(query) @ v).expand(len(key))"),
            ("query + key", "query + key[:1].expand_as(key)"),
        ],
        "e_ij reads h_j and no other annotation. Was a softmax taken already, or a mean?": [
            ("torch.tanh(query + key) @ v", "(torch.tanh(query + key) @ v).softmax(dim=0)"),
            ("query + key", "query + key + key.mean(dim=0)"),
        ],
        "s_{i-1} is not used: without W_a s_{i-1} every step would look at the same places.": [
            ("query + key", "key")
        ],
        "The state adds the same number to every score, which a softmax cancels. The two halves "
        "must meet inside the tanh: tanh(W_a s + U_a h), not tanh(W_a s) + tanh(U_a h).": [
            ("torch.tanh(query + key)", "(torch.tanh(query) + torch.tanh(key))"),
            ("torch.tanh(query + key)", "(query + torch.tanh(key))"),
            ("torch.tanh", ""),
        ],
        "v is the last factor: it weighs what comes out of the tanh, not what goes in, and after "
        "it comes nothing.": [
            ("torch.tanh(query + key) @ v", "torch.tanh((query + key) @ v)"),
            ("torch.tanh(query + key) @ v", "torch.tanh(torch.tanh(query + key) @ v)"),
            ("torch.tanh(query + key) @ v", "torch.tanh(query + key).sum(dim=1)"),
        ],
        "tanh keeps every entry between -1 and 1 before v weighs it. Is the tanh there?": [
            ("torch.tanh", "torch.relu"),
            ("torch.tanh(query + key)", "(query * key)"),
        ],
        "": [("query + key", "query - key"), ("@ v", "@ v / len(v) ** 0.5")],
    },
    gradients=_inputs,
    shape="v · tanh(...) is a product of two vectors, so it is one number, and there is one for "
    "each of the annotations. A list of them becomes a tensor by torch.stack.",
)
check = exercise.check
