"""Exercise: write pairs into a matrix, and read one back.

S = Σ_j v_j k_jᵀ,   c = S q                        Katharopoulos et al. 2020, with φ(x) = x

keys (pair key)   values (pair value)   query (key)   ->   matrix (value key), what is read (value)
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Size

PAIRS, KEY, VALUE = Size(3, 7), Size(2, 5), Size(2, 7)


def solution(keys, values, query):
    """A sum of outer products is one matrix product."""
    matrix = values.T @ keys
    return matrix, matrix @ query


def _inputs(draw: Draw) -> dict:
    return {
        "keys": draw.normal(PAIRS, KEY),
        "values": draw.normal(PAIRS, VALUE),
        "query": draw.normal(KEY),
    }


def _one_pair(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {name: inputs[name][:1] for name in ("keys", "values")}


exercise = Exercise(
    "remember(keys, values, query)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With a single pair, the matrix is the outer product of its value and its key.",
            _one_pair,
            "Each entry of the value times each entry of the key; nothing is divided or "
            "normalised.",
            part=0,
        ),
        Case(
            "All pairs are added up.",
            _inputs,
            "Each pair adds its outer product to what is there. It is a sum, not a mean, and no "
            "pair takes the place of another.",
            part=0,
        ),
        Case(
            "What is read is the matrix times the query.",
            _inputs,
            "S q, without a softmax: the products of the query with the keys are the weights.",
            part=1,
        ),
    ],
    slips={
        "": [
            ("values.T @ keys", "values.T @ keys / keys.shape[1] ** 0.5"),
            ("values.T @ keys", "values.T @ keys / len(keys)"),
            ("matrix @ query", "(keys @ query).softmax(dim=0) @ values"),
        ],
    },
    gradients=_inputs,
    shape="v kᵀ is (value, key). Is yours the other way round, or is an axis missing?",
)
check = exercise.check
