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

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

POSITION, KEY, VALUE = Size(7, 13), Size(2, 3), Size(2, 5)
exercise = Exercise("chunkwise(queries, keys, values, decay, chunk)", minutes=35, difficulty="hard")
check = exercise.check


def solution(queries, keys, values, decay, chunk):
    """A matrix of weights inside each chunk, and a state from chunk to chunk."""
    state, read = torch.zeros(values.shape[1], keys.shape[1]), []
    parts = (each.split(chunk) for each in (queries, keys, values))
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


def _by_steps(queries, keys, values, decay, chunk):
    """Position by position, as a recurrent network reads."""
    state, read = torch.zeros(values.shape[1], keys.shape[1]), []
    for q, k, v in zip(queries, keys, values, strict=True):
        state = decay * state + v[:, None] * k[None, :]
        read.append(state @ q)
    return torch.stack(read), state


@exercise.must_also(
    "There is one row for each position, and one state.",
    hint="Join the chunks with torch.cat. The state is (value, key).",
)
def has_the_shapes(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, chunk=draw[POSITION])
    read, state = answer(**inputs)
    return shaped(read, draw[POSITION], draw[VALUE]) and shaped(state, draw[VALUE], draw[KEY])


@exercise.must(
    "With one chunk that holds everything, this is causal attention without a softmax.",
    hint="Inside a chunk: queries times keys, 0 for j > t, times values. A position reads itself.",
)
def one_chunk_is_attention(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, chunk=draw[POSITION])
    return same(answer(**inputs)[0], _by_steps(**inputs)[0])


@exercise.must(
    "With chunks of one position, this is the recurrent network.",
    hint="The state goes from chunk to chunk: read what earlier chunks wrote out of it.",
)
def chunks_of_one_are_steps(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_steps, **_inputs(draw, chunk=1))


@exercise.must(
    "Chunks of any size give the same result, even when the last one is shorter.",
    hint="Is every chunk counted, including the last? Is anything counted twice: once in the "
    "chunk and once out of the state?",
)
def any_chunks_give_the_same(answer: Answer, draw: Draw) -> bool:
    return all(
        answer.agrees(_by_steps, **inputs)
        for inputs in (_inputs(draw, chunk=chunk) for chunk in (2, 3, 5))
    )


@exercise.must(
    "Inside a chunk, older pairs fade.",
    hint="λ^(t - j): the pair written at t itself has not faded at all.",
)
def fades_inside(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, decay=0.5, chunk=draw[POSITION])
    return same(answer(**inputs)[0], _by_steps(**inputs)[0])


@exercise.must(
    "The state handed on has faded as much as going step by step would have made it.",
    hint="The old state fades by λ for every position of the chunk, a pair of the chunk by λ for "
    "every position after its own. The last chunk may be shorter than the others.",
)
def the_state_fades(answer: Answer, draw: Draw) -> bool:
    return all(
        same(answer(**inputs)[1], _by_steps(**inputs)[1])
        for inputs in (_inputs(draw, 0.5, chunk) for chunk in (2, 3, 5))
    )


@exercise.must(
    "What is read out of the state has gone on fading inside the chunk.",
    hint="The first position of a chunk is one step away from the state, so λ^(t + 1), with t "
    "counted from 0 inside the chunk.",
)
def fades_between(answer: Answer, draw: Draw) -> bool:
    return all(
        answer.agrees(_by_steps, **inputs)
        for inputs in (_inputs(draw, 0.5, chunk) for chunk in (1, 2, 3, 5))
    )


exercise.must_pass_gradients(solution, lambda draw: _inputs(draw, 0.5, 3))
