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

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TARGET, SOURCE, SYMBOLS = Size(1, 3), Size(3, 5), Size(4, 7), Size(2, 7)
STATE, EMBEDDING, ANNOTATION = Size(2, 7), Size(2, 5), Size(2, 7)
OPEN, SHUT = {"to_cell": True, "to_readout": True}, {"to_cell": False, "to_readout": False}
exercise = Exercise(
    "decode(annotations, lengths, first, outputs, A, U, V, to_cell, to_readout)",
    minutes=30,
    difficulty="moderate",
)
check = exercise.check


def solution(annotations, lengths, first, outputs, A, U, V, to_cell, to_readout):
    """Look as always; what a shut door lets in is zeros."""
    hidden = torch.arange(annotations.shape[1]) >= lengths.unsqueeze(1)
    state, logits, looks = first, [], []
    for previous in outputs.unbind(dim=1):
        scores = torch.einsum("bs,sa,bna->bn", state, A, annotations)
        weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=1)
        context = torch.einsum("bn,bna->ba", weights, annotations)
        nothing = torch.zeros_like(context)
        told = context if to_cell else nothing
        state = torch.tanh(torch.cat([previous, told, state], dim=1) @ U.T)
        logits.append(torch.cat([state, context if to_readout else nothing], dim=1) @ V.T)
        looks.append(weights)
    return torch.stack(logits, dim=1), torch.stack(looks, dim=1)


@exercise.must_also(
    "It returns logits (batch, target, symbol), and weights (batch, target, source).",
    hint="Collect both at every step and stack them along a target axis after the batch axis.",
)
def returns_logits_and_weights(answer: Answer, draw: Draw) -> bool:
    logits, weights = answer(**_inputs(draw))
    return shaped(logits, *draw[BATCH, TARGET, SYMBOLS]) and shaped(
        weights, *draw[BATCH, TARGET, SOURCE]
    )


@exercise.must_also(
    "The weights of each look sum to one, and none lies beyond the end of a source.",
    hint="One softmax over the source, after what lies beyond `lengths` has been hidden.",
)
def weights_are_shares(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    _, weights = answer(**inputs)
    behind = torch.arange(draw[SOURCE]) >= inputs["lengths"].unsqueeze(1)
    hidden = weights.masked_select(behind.unsqueeze(1))
    return same(weights.sum(dim=2), torch.ones(draw[BATCH, TARGET])) and same(hidden, 0 * hidden)


@exercise.must(
    "The first look is a softmax of s_0 · A h_j.",
    hint="It asks with the state before the step, here with `first`, whatever the doors do.",
)
def looks_before_it_moves(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | _doors(draw)
    return same(answer(**inputs)[1][:, 0], _by_loops(**inputs)[1][:, 0])


@exercise.must_also(
    "With both doors shut, no annotation changes a logit.",
    hint="Zeros come in by both doors: it is a language model, which looks and does not see. Does "
    "the context still reach the state or the logits, or does the first state depend on it?",
)
def shut_doors_let_nothing_in(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | SHUT
    logits, _ = answer(**inputs)
    other = draw.normal(BATCH, SOURCE, ANNOTATION, scale=1.0)
    return same(logits, answer(**inputs | {"annotations": other})[0])


@exercise.must(
    "With both doors shut, the logits are those of the outputs and the states alone.",
    hint="A shut door lets zeros in, as many as a context has numbers: the columns of U and V keep "
    "their places. The tanh is there, and the state is carried on.",
)
def shut_doors_keep_the_rest(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | SHUT
    return same(answer(**inputs)[0], _by_loops(**inputs)[0])


@exercise.must_also(
    "With only the readout's door open, the context reaches the logits and no state.",
    hint="The readout reads [s_i ; c_i], the new state first, and the context of the same step. "
    "The cell must get zeros, so that no later state or look learns of the source.",
)
def by_the_readout_alone(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | SHUT | {"to_readout": True}
    return same(answer(**inputs), _by_loops(**inputs))


@exercise.must_also(
    "With only the cell's door open, the context reaches the logits through the state.",
    hint="The cell reads [y_{i-1} ; c_i ; s_{i-1}], in this order, and the readout gets zeros. The "
    "next look then asks with a state that knows what was read.",
)
def by_the_cell_alone(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | SHUT | {"to_cell": True}
    return same(answer(**inputs), _by_loops(**inputs))


@exercise.must_also(
    "With both doors open, one context comes in by both.",
    hint="It is the same c_i at both doors, made with the state before the step: the readout does "
    "not look again with the new one.",
)
def by_both(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw) | OPEN
    return same(answer(**inputs), _by_loops(**inputs))


def _by_loops(annotations, lengths, first, outputs, A, U, V, to_cell, to_readout):
    """Sentence by sentence, with the blocks of U and V that belong to an open door."""
    places, size = annotations.shape[1:]
    embedding, state_size = outputs.shape[2], len(A)
    U_y, U_c, U_s = U.split([embedding, size, state_size], dim=1)
    V_s, V_c = V.split([state_size, size], dim=1)
    logits, looks = [], []
    for h, length, state, given in zip(annotations, lengths, first, outputs, strict=True):
        for previous in given:
            powers = torch.stack([state @ A @ one for one in h[:length]]).exp()
            weights = powers / powers.sum()
            context = sum(a * one for a, one in zip(weights, h[:length], strict=True))
            inside = U_y @ previous + U_s @ state
            state = torch.tanh(inside + U_c @ context if to_cell else inside)
            logits.append(V_s @ state + V_c @ context if to_readout else V_s @ state)
            looks.append(torch.cat([weights, torch.zeros(places - int(length))]))
    shape = outputs.shape[:2]
    return torch.stack(logits).unflatten(0, shape), torch.stack(looks).unflatten(0, shape)


def _doors(draw: Draw) -> dict[str, bool]:
    return {"to_cell": draw.integer(2) == 0, "to_readout": draw.integer(2) == 0}


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


exercise.must_pass_gradients(solution, _inputs)
