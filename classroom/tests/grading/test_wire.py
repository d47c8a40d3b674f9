"""What is sent arrives as it was; what nobody would send is refused."""

import json
import math

import pytest
import torch

from attn_class.grading import wire

KINDS = ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]


def travelled(value):
    text = wire.packed({"value": wire.encode(value)})
    assert wire.length(text[: wire.HEADER]) == len(text) - wire.HEADER
    return wire.decode(wire.unpacked(text[wire.HEADER :])["value"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 5), (2, 3, 5)])
def test_a_tensor_arrives_bit_by_bit(kind, shape):
    tensor = (100 * torch.randn(shape)).to(getattr(torch, kind))
    again = travelled(tensor)
    assert again.dtype == tensor.dtype
    assert again.shape == tensor.shape
    assert torch.equal(again, tensor)


def test_what_is_no_number_and_gradients_and_strides_arrive_too():
    again = travelled(torch.tensor([math.nan, math.inf, -math.inf, -0.0]))
    assert again.isnan().tolist() == [True, False, False, False]
    assert again[1:3].tolist() == [math.inf, -math.inf]
    tensor = torch.randn(3, 5, requires_grad=True).T
    again = travelled(tensor)
    assert again.requires_grad
    assert torch.equal(again, tensor)


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 3.0, 10**40, "ä\u202e\n", [1, 2.0], (1, [2, ("3",)]), {1: ["a"], "b": {}}],
    ids=repr,
)
def test_types_and_values_stay(value):
    again = travelled(value)
    assert again == value
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    "value", [object(), len, torch.ones(2).to_sparse(), torch.ones(2, dtype=torch.complex64)]
)
def test_what_cannot_travel_is_named(value):
    assert set(wire.encode(value)) == {"unreadable"}


def of_a_tensor(**changed):
    good = {"tensor": "AACAPw==", "type": "float32", "shape": [1], "grad": False}
    return good | changed


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"list": 3},
        {"tuple": {}},
        {"dict": [[1]]},
        {"function": 0},
        {"pickle": "gASVAAAAAAAA"},
        [1],
        of_a_tensor(tensor="!"),
        of_a_tensor(tensor="AAAA"),
        of_a_tensor(shape=[2**30]),
        of_a_tensor(shape=[-1]),
        of_a_tensor(shape=[True]),
        of_a_tensor(shape=[1] * 99),
        of_a_tensor(type="complex64"),
        of_a_tensor(type="object"),
        of_a_tensor(type="bool", tensor="Ag=="),
        of_a_tensor(grad=1),
    ],
    ids=str,
)
def test_what_nobody_would_send_is_refused(data):
    assert wire.decode(of_a_tensor()).tolist() == [1.0], "the good one is read"
    with pytest.raises((ValueError, RuntimeError)):
        wire.decode(data)


@pytest.mark.parametrize("text", [b"", b"[1]", b"{", b"\xff", b"[" * 10**5, b"3"])
def test_what_is_no_message_is_refused(text):
    with pytest.raises(ValueError, match="message"):
        wire.unpacked(text)


@pytest.mark.parametrize(("deep", "is_read"), [(wire.DEEPEST, True), (wire.DEEPEST + 1, False)])
def test_a_message_is_so_deep_at_most_and_brackets_in_its_texts_do_not_count(deep, is_read):
    inside = '["[[\\"[[", [], {}]'
    text = ('{"a":' * (deep - 2) + inside + "}" * (deep - 2)).encode()
    if is_read:
        assert json.loads(text) == wire.unpacked(text)
    else:
        with pytest.raises(ValueError, match="200 deep"):
            wire.unpacked(text)


def test_a_message_has_a_largest_size():
    with pytest.raises(ValueError, match="at most"):
        wire.packed({"value": "x" * wire.LARGEST})
    with pytest.raises(ValueError, match="at most"):
        wire.length(b"\xff" * wire.HEADER)
