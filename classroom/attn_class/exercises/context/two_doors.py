"""Exercise: a decoder with two doors for its contexts.

    e_ij = s_{i-1} · A h_j    α_i = softmax_j(e_ij)    c_i = Σ_j α_ij h_j
    s_i = tanh(U [y_{i-1} ; c_i ; s_{i-1}])        by the first door, into the cell
    logits_i = V [s_i ; c_i]                       by the second door, into the readout

A door that is shut lets zeros in, in the place of c_i.

annotations h (batch source annotation), of which lengths (batch) are real
first s_0 (batch state)   outputs y_0, y_1, .. (batch target embedding)
A (state annotation)   U (state embedding+annotation+state)   V (symbol state+annotation)
to_cell, to_readout: booleans, whether the door is open
    ->   logits (batch target symbol), weights (batch target source)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BATCH, TARGET, SOURCE, SYMBOLS = Size(1, 3), Size(3, 5), Size(4, 7), Size(2, 7)
STATE, EMBEDDING, ANNOTATION = Size(2, 7), Size(2, 5), Size(2, 7)
OPEN, SHUT = {"to_cell": True, "to_readout": True}, {"to_cell": False, "to_readout": False}


def solution(annotations, lengths, first, outputs, A, U, V, to_cell, to_readout):
    """Look as always; what a shut door lets in is zeros."""
    hidden = torch.arange(annotations.shape[1]) >= lengths.unsqueeze(1)
    state, logits, looks = first, [], []
    for previous in outputs.unbind(dim=1):
        scores = torch.einsum("bs,sa,bna->bn", state, A, annotations)
        weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=1)
        context = torch.einsum("bn,bna->ba", weights, annotations)
        nothing = torch.zeros_like(context)
        entering = context if to_cell else nothing
        state = torch.tanh(torch.cat([previous, entering, state], dim=1) @ U.T)
        logits.append(torch.cat([state, context if to_readout else nothing], dim=1) @ V.T)
        looks.append(weights)
    return torch.stack(logits, dim=1), torch.stack(looks, dim=1)


def _inputs(draw: Draw) -> dict:
    batch, source = draw[BATCH, SOURCE]
    shift = draw.integer(source - 2)
    return {
        "annotations": draw.normal(BATCH, SOURCE, ANNOTATION, scale=1.0),
        "lengths": torch.tensor([2 + (shift + row) % (source - 2) for row in range(batch)]),
        "first": draw.normal(BATCH, STATE, scale=1.0),
        "outputs": draw.normal(BATCH, TARGET, EMBEDDING, scale=1.0),
        "A": draw.normal(STATE, ANNOTATION, scale=1.0),
        "U": draw.normal(draw[STATE], draw[EMBEDDING] + draw[ANNOTATION] + draw[STATE]),
        "V": draw.normal(draw[SYMBOLS], draw[STATE] + draw[ANNOTATION]),
        **OPEN,
    }


def _with(**doors: bool):
    """Draw inputs for doors that are open or shut."""
    return lambda draw: _inputs(draw) | doors


exercise = Exercise(
    "decode(annotations, lengths, first, outputs, A, U, V, to_cell, to_readout)",
    minutes=30,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "With both doors shut, the logits are those of the outputs and the states alone.",
            _with(to_cell=False, to_readout=False),
            "A shut door lets zeros in, as many as a context has numbers: the columns of U and V "
            "keep their places. The tanh is there, and the state is carried on.",
        ),
        Case(
            "With only the readout's door open, the context reaches the logits and no state.",
            _with(to_cell=False),
            "The readout reads [s_i ; c_i], the new state first, and the context of the same step. "
            "The cell must get zeros, so that no later state or look learns of the source.",
        ),
        Case(
            "With only the cell's door open, the context reaches the logits through the state.",
            _with(to_readout=False),
            "The cell reads [y_{i-1} ; c_i ; s_{i-1}], in this order, and the readout gets zeros. "
            "The next look then asks with a state that knows what was read.",
        ),
        Case(
            "With both doors open, one context comes in by both.",
            _inputs,
            "It is the same c_i at both doors, made with the state before the step: the readout "
            "does not look again with the new one.",
        ),
    ],
    slips={
        "One softmax over the source, after what lies beyond `lengths` has been hidden.": [
            (".masked_fill(hidden, -torch.inf)", ""),
            ("-torch.inf", "0.0"),
        ],
        "It asks with the state before the step, here with `first`, whatever the doors do.": [
            ("state, logits, looks = first", "state, logits, looks = 0 * first"),
        ],
        "Zeros come in by both doors: it is a language model, which looks and does not see. Does "
        "the context still reach the state or the logits, or does the first state depend on it?": [
            ("context if to_cell else nothing", "context"),
            ("context if to_readout else nothing", "context"),
        ],
        "": [
            lambda *inputs: solution(*inputs[:-2], inputs[-1], inputs[-2]),
            ("torch.tanh", ""),
            (
                "[state, context if to_readout else nothing]",
                "[context if to_readout else nothing, state]",
            ),
            ("[previous, entering, state]", "[entering, previous, state]"),
            ("if to_cell", "if to_cell and not to_readout"),
            ("entering = context", "entering = context * (0.5 if to_readout else 1)"),
        ],
    },
    gradients=_inputs,
    shape="Collect both at every step and stack them along a target axis after the batch axis.",
)
check = exercise.check
