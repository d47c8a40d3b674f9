"""Exercise: read a memory chunk by chunk, each chunk all at once.

Position t reads what its chunk has written up to t, by the products of queries and keys, and what
was written before the chunk, out of the state:

c_t = λ^(t+1) S q_t + Σ_{j≤t} λ^(t-j) (q_t · k_j) v_j      t and j counted from 0 in the chunk
S'  = λ^n S + Σ_j λ^(n-1-j) v_j k_jᵀ                        for a chunk of n positions
                                             Sun et al. 2023

queries, keys (position key)   values (position value)   decay λ   chunk, 1 or more positions
    ->   what is read (position value), and the last state (value key)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

POSITION, KEY, VALUE = Size(7, 13), Size(2, 3), Size(2, 5)


def solution(queries, keys, values, decay, chunk):
    """A matrix of weights inside each chunk, and a state from chunk to chunk."""
    state, read = torch.zeros(values.shape[1], keys.shape[1]), []
    parts = (part.split(chunk) for part in (queries, keys, values))
    for q, k, v in zip(*parts, strict=True):
        places = torch.arange(len(q))
        age = places[:, None] - places[None, :]
        left = torch.where(age >= 0, decay ** age.clamp(min=0).float(), 0.0)
        before = decay ** (places + 1.0)
        read.append(before[:, None] * (q @ state.T) + ((q @ k.T) * left) @ v)
        still = decay ** (len(q) - 1.0 - places)
        state = decay ** len(q) * state + (still[:, None] * v).T @ k
    return torch.cat(read), state


def _inputs(draw: Draw, decay: float = 1.0, chunk: int = 1) -> dict:
    return {
        "queries": draw.normal(POSITION, KEY),
        "keys": draw.normal(POSITION, KEY),
        "values": draw.normal(POSITION, VALUE),
        "decay": decay,
        "chunk": chunk,
    }


def _all_in_one(decay: float):
    return lambda draw: _inputs(draw, decay, draw[POSITION])


def _in_several(decay: float):
    return lambda draw: [_inputs(draw, decay, chunk) for chunk in (2, 3, 5)]


exercise = Exercise(
    "chunkwise(queries, keys, values, decay, chunk)",
    minutes=35,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "With one chunk that holds everything, this is causal attention without a softmax.",
            _all_in_one(1.0),
            "Inside a chunk: queries times keys, 0 for j > t, times values. A position reads "
            "itself.",
        ),
        Case(
            "With chunks of one position, this is the recurrent network.",
            _inputs,
            "The state goes from chunk to chunk: read what earlier chunks wrote out of it.",
        ),
        Case(
            "Chunks of any size give the same result, even when the last one is shorter.",
            _in_several(1.0),
            "Is every chunk counted, including the last? Is anything counted twice: once in the "
            "chunk and once out of the state?",
        ),
        Case(
            "Inside a chunk, older pairs fade.",
            _all_in_one(0.5),
            "λ^(t - j): the pair written at t itself has not faded at all.",
        ),
        Case(
            "What is read out of the state has gone on fading inside the chunk.",
            _in_several(0.5),
            "The first position of a chunk is one step away from the state, so λ^(t + 1), with t "
            "counted from 0 inside the chunk.",
        ),
    ],
    slips={
        "The old state fades by λ for every position of the chunk, a pair of the chunk by λ for "
        "every position after its own. The last chunk may be shorter than the others.": [
            ("(still[:, None] * v)", "v"),
            ("decay ** len(q) * state", "state"),
            ("decay ** len(q) * state", "decay**chunk * state"),
        ],
        "": [
            ("torch.where(age >= 0, decay ** age.clamp(min=0).float(), 0.0)", "decay ** age.abs()"),
            ("before[:, None] * (q @ state.T) + ", ""),
            ("zip(*parts, strict=True)", "list(zip(*parts, strict=True))[: len(keys) // chunk]"),
            ("decay ** age.clamp(min=0).float()", "1.0"),
            ("places + 1.0", "places + 0.0"),
        ],
    },
    gradients=lambda draw: _inputs(draw, 0.5, 3),
    shape="Join the chunks with torch.cat. The state is (value, key).",
)
check = exercise.check
