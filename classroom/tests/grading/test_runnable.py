"""The input on which an answer failed, as code that a student can run."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_class.exercises.frame import Exercise, case
from attn_class.grading import report, runnable
from attn_class.grading.marks import result_of

KINDS = (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool)


@st.composite
def tensors(draw):
    shape = draw(st.lists(st.integers(0, 3), max_size=3))
    bits = torch.randint(
        -(2**62), 2**62, shape, generator=torch.Generator().manual_seed(draw(st.integers(0, 9)))
    )
    kind = draw(st.sampled_from(KINDS))
    as_numbers = bits.double() * 1e-18 if kind.is_floating_point else bits
    value = as_numbers.to(kind)
    if kind.is_floating_point and value.numel() and draw(st.booleans()):
        value.view(-1)[0] = draw(st.sampled_from([torch.nan, torch.inf, -torch.inf, -0.0]))
    return value


plain = st.one_of(
    st.integers(), st.booleans(), st.none(), st.text(max_size=9), st.floats(allow_nan=False)
)
values = st.recursive(
    st.one_of(tensors(), plain),
    lambda one: st.one_of(st.lists(one, max_size=2), st.lists(one, max_size=2).map(tuple)),
    max_leaves=3,
)


def is_same(one, two):
    if isinstance(one, torch.Tensor):
        alike = one.dtype == two.dtype and one.shape == two.shape
        return alike and one.double().numpy().tobytes() == two.double().numpy().tobytes()
    if isinstance(one, list | tuple):
        return type(one) is type(two) and len(one) == len(two) and all(map(is_same, one, two))
    return type(one) is type(two) and one == two


@given(values, values)
def test_the_code_makes_the_same_inputs_to_the_last_bit(first, second):
    names, called = {}, []
    code = runnable.code("mine(one, two)", [first, second])
    assert code
    exec(code, names | {"mine": lambda *inputs: called.append(inputs)})
    assert is_same(called[0], (first, second))


def test_what_has_no_code_or_too_much_of_it_has_none():
    assert runnable.code("mine(one)", [len]) == ""
    assert runnable.code("mine(one)", [{1: object()}]) == ""
    assert runnable.code("mine(one)", [torch.rand(9, 999)]) == ""


def test_the_page_has_the_input_of_what_failed_and_of_nothing_else():
    exercise = Exercise(
        "double(x)",
        solution=lambda x: 2 * x,
        cases={
            "right": case(lambda draw: {"x": draw.normal(2)})("It is twice x.", ""),
            "large": case(lambda draw: {"x": 100 + draw.normal(3)})("It is, for large x.", ""),
        },
    )
    calls = []

    def call(inputs, upstream=None):
        from attn_class.exercises.calling import attempt

        calls.append(inputs)
        return attempt(lambda x: 2 * x if x[0] < 50 else x, inputs)

    results = [result_of(one, exercise.call) for one in exercise.findings(call, seed=0)]
    assert results[0]["code"] == ""
    names = {"double": lambda x: x}
    exec(results[1]["code"].replace("print", "found = "), names)
    assert torch.equal(names["found"], calls[-1][0])
    mark = {
        "call": exercise.call,
        "points": 1,
        "maximum": 2,
        "note": "",
        "warning": "",
        "source": "",
    }
    record = {
        "student": "ada",
        "note": "",
        "marks": [mark | {"isolated": True, "properties": results}],
    }
    assert report.page(record).count("As code, for your notebook") == 1
