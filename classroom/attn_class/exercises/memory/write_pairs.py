"""Exercise: write pairs into a matrix, and read one back.

S = Σ_j v_j k_jᵀ,   c = S q                        Katharopoulos et al. 2020, with φ(x) = x

keys (pair key)   values (pair value)   query (key)   ->   matrix (value key), what is read (value)
"""

from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

PAIRS, KEY, VALUE = Size(3, 7), Size(2, 5), Size(2, 7)
exercise = Exercise("remember(keys, values, query)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(keys, values, query):
    """A sum of outer products is one matrix product."""
    matrix = values.T @ keys
    return matrix, matrix @ query


@exercise.draws
def _inputs(draw: Draw) -> dict:
    return {
        "keys": draw.normal(PAIRS, KEY),
        "values": draw.normal(PAIRS, VALUE),
        "query": draw.normal(KEY),
    }


def _by_loop(keys: Tensor, values: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
    matrix = sum(value[:, None] * key[None, :] for key, value in zip(keys, values, strict=True))
    return matrix, matrix @ query


def _apart(draw: Draw) -> dict:
    """A key and a value that differ in size."""
    inputs = _inputs(draw)
    size = draw[KEY] if draw[KEY] != draw[VALUE] else draw[KEY] + 1
    return inputs | {"keys": draw.normal(PAIRS, size), "query": draw.normal(size)}


@exercise.must_also(
    "The matrix has a row for each entry of a value and a column for each entry of a key.",
    hint="v kᵀ is (value, key). Is yours the other way round, or is an axis missing?",
)
def has_the_shape(answer: Answer, draw: Draw) -> bool:
    inputs = _apart(draw)
    matrix, read = answer(**inputs)
    size = inputs["query"].numel()
    return shaped(matrix, draw[VALUE], size) and shaped(read, draw[VALUE])


@exercise.must(
    "With a single pair, the matrix is the outer product of its value and its key.",
    hint="Each entry of the value times each entry of the key; nothing is divided or normalised.",
)
def one_pair(answer: Answer, draw: Draw, inputs: dict) -> bool:
    one = {name: inputs[name][:1] for name in ("keys", "values")}
    found = answer(**inputs | one)
    return same(found[0], _by_loop(**inputs | one)[0])


@exercise.must(
    "All pairs are added up.",
    hint="Each pair adds its outer product to what is there. It is a sum, not a mean, and no pair "
    "takes the place of another.",
)
def pairs_are_added(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[0], _by_loop(**inputs)[0])


@exercise.must(
    "What is read is the matrix times the query.",
    hint="S q, without a softmax: the products of the query with the keys are the weights.",
)
def reads_by_a_product(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_loop, **_inputs(draw))


exercise.must_pass_gradients(solution, _inputs)
