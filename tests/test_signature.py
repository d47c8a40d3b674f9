"""A signature is the check: one sweep over all functions that have one, argument by argument.

Each argument of a usual call is spoilt in every way that its annotation excludes: a wrong axis, a
wrong number of axes, another type; a number out of its range, a bool, a text. The error must name
the argument (or the one that does not go with it any more) and say what came.
"""

import inspect
import math
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import odd_calls
import pytest
import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_course import _signature, _values
from attn_course._signature import checked, expect, unchecked
from attn_course._values import Count, Range, Share

# Usual calls of what has no signature to be the check, by the reason; all others are swept
UNCHECKED = {
    "takes arrays, tensors and lists alike": (
        *("measures.over_seeds", "measures.share_by_source", "measures.paired"),
        *("measures.by_group", "measures.alignment_error_rate", "tasks.recall.is_test_list"),
        *("claims.Measured", "claims.Printed", "tasks.corpus.pad", "Vocabulary.decode"),
    ),
    "looks into a sentence, a day, or each of any pairs or texts": (
        *(
            "claims.claim",
            "claims.closer",
            "tasks.date_patterns.check_day",
            "tasks.vocabulary.Vocabulary",
        ),
        "Vocabulary.from_texts",
    ),
    "takes tensors of any device, and checks them by `expect_sources` or `expect_inputs`": (
        *("Encoder.forward", "Translator.read", "Translator.forward", "BahdanauDecoder.forward"),
        *("TransformerEncoder.forward", "TransformerEncoder.head_weights"),
        *("TransformerDecoder.forward", "TransformerDecoder.head_weights"),
        *("EmbeddedSource.forward", "OneSequenceDecoder.forward"),
        *("PointerReader.forward", "FlattenedReader.forward"),
    ),
    "takes annotations that its own score or attention checks": (
        *("BahdanauDecoder.read", "TransformerDecoder.read", "OneSequenceDecoder.read"),
        "SCORES['cosine'](...)",
    ),
    "takes pixels and digits of any device, which `Trunk` and `expect_digits` check": (
        *(f"{name}Reader.forward" for name in ("Mask", "Average", "Max", "Hard", "Gaussian")),
        *(f"{name}Reader.loss" for name in ("Mask", "Average", "Max", "Hard", "Gaussian")),
        *("MaskReader.evidence", "GlimpseReader.forward", "GlimpseReader.loss"),
        "models.glimpse.targets",
    ),
    "takes symbols of any device, which `expect` and `expect_symbols` check": (
        "LanguageModel.forward",
    ),
    "makes a change, which is checked where it is made": (
        *(f"{name}, forward" for name in ("heads_replaced", "exchanged_at", "position_hidden")),
        "taken_out, forward",
    ),
}
OTHER_TYPES = {
    "Float": (torch.long, torch.bool, torch.complex64),
    "Bool": (torch.float32, torch.uint8),
    "Integer": (torch.float32, torch.bool, torch.complex64),
    "Real": (torch.bool, torch.complex64),
}


def target_of(function):
    """What has the signature: a function, a constructor, or a module's forward."""
    if inspect.isclass(function):
        return function.__init__
    return type(function).forward if isinstance(function, nn.Module) else function


def is_checked(function):
    function = target_of(function)
    while function:
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        if code and code.co_filename == _signature.__file__:
            return True
        function = getattr(function, "__wrapped__", None)
    return False


def hints_of(function):
    return get_type_hints(inspect.unwrap(target_of(function)), include_extras=True)


CALLS = [call for call in odd_calls.usual_calls() if is_checked(call[1])]


def spoilt_tensors(value, array, others):
    """Tensors that an annotation excludes, and the errors that they make."""
    axes = array.dim_str.split()
    known = {axis for other in others for axis in other.dim_str.replace("#", "").split()}
    fixed = not array.dim_str.startswith(("*", "..."))
    if fixed:
        yield value.unsqueeze(0), ValueError
    if fixed or value.dim() == len(axes) - 1:
        yield value[0], ValueError
    for place, axis in enumerate(reversed(axes), start=1):
        if "=" in axis or axis in known:
            yield torch.cat([value, value], dim=-place), ValueError
        if array.dtype.__name__ == "Float" and place <= 2 and not axis.startswith(("*", "...")):
            yield value.narrow(-place, 0, 0), ValueError
    for dtype in OTHER_TYPES[array.dtype.__name__]:
        yield value.detach().to(dtype), TypeError
    if "Float" in {other.dtype.__name__ for other in others} & {array.dtype.__name__}:
        yield value.double() if value.dtype == torch.float32 else value.float(), TypeError
    if others:
        yield value.to("meta"), ValueError
    yield from ((other, TypeError) for other in (value.tolist(), "text", object(), 1j))


def spoilt_numbers(value, hint):
    """Numbers that an annotation excludes, and the errors that they make."""
    whole = int in (hint, *get_args(hint))
    yield from ((other, TypeError) for other in (True, np.bool_(True), "1", None, 1j, [value]))
    if whole:
        yield from [(2.5, TypeError), (np.float64(value), TypeError)]
    else:
        yield math.nan, ValueError
    limits = [part for part in get_args(hint) if isinstance(part, Range)]
    for number in (-1, 0, 1, 2, 10**20) if whole else (-math.inf, -1, 0, 1, 1.5, math.inf):
        if not all(limit.fits(number) for limit in limits):
            yield number, ValueError


def spoilt_lists(value, hint):
    """Sequences that an annotation excludes, by themselves or by one item."""
    yield from ((other, TypeError) for other in (1j, "text", {1: 2}))
    if get_origin(hint) is Annotated:
        yield [], ValueError
    items = get_args(_values._base(hint))
    for other, error in spoilt(value[0], items, []):
        yield [value[0], other], error


def spoilt(value, options, others):
    """Values that an annotation excludes, and the errors that they make."""
    optional = type(None) in options
    options = [option for option in options if option is not type(None)]
    for other, error in _spoilt(value, options, others):
        if other is not None or not optional:
            yield other, error


def _spoilt(value, options, others):
    arrays = [option for option in options if _signature._is_array(option)]
    numbers = [option for option in options if _values._base(option) in (int, float)]
    lists = [option for option in options if _values._is_list(option)]
    form = _values._base(options[0]) is str and _values._ranges(options[0])
    if isinstance(value, Tensor) and arrays:
        array = min(arrays, key=lambda option: abs(len(option.dim_str.split()) - value.dim()))
        for other, error in spoilt_tensors(value, array, others):
            yield other, error if len(arrays) == 1 else (ValueError, TypeError)
    elif numbers and type(value) in (int, float):
        every = spoilt_numbers(value, numbers[0])
        yield from (pair for pair in every if not (lists and isinstance(pair[0], list)))
    elif lists:
        yield from spoilt_lists(value, lists[0])
    elif form:
        yield from [("", ValueError), (1j, TypeError), (None, TypeError)]
    elif get_origin(options[0]) is Literal:
        yield from ((other, ValueError) for other in ("another", 3, None))
    elif options[0] not in (object, Any):
        yield 1j, TypeError
        if isinstance(options[0], type) and not get_origin(options[0]):
            yield from [([value], TypeError), (None, TypeError)]


def options_of(function, hint):
    """What an annotation allows, with the sizes that the module has."""
    own = {"self": function if isinstance(function, nn.Module) else target_of(function)}
    own = {"self": getattr(own["self"], "__self__", own["self"])}
    return [
        _signature._filled(option, own) if _signature._is_array(option) else option
        for option in _values.options_of(hint)
    ]


def cases():
    """Each argument of each usual call, with the values that its annotation excludes."""
    for name, function, arguments in CALLS:
        hints = hints_of(function)
        options = {name: options_of(function, hints[name]) for name in arguments if name in hints}
        for changed in options:
            others = [
                option
                for other, every in options.items()
                for option in every
                if other != changed and _signature._is_array(option)
                if isinstance(arguments[other], option)
            ]
            every = spoilt(arguments[changed], options[changed], others)
            yield pytest.param(function, arguments, changed, [*every], id=f"{name}-{changed}")


def fault(function, arguments, named, error):
    """What is wrong with the error that a call makes; empty if nothing is."""
    try:
        odd_calls.call(function, arguments)
    except (ValueError, TypeError) as raised:
        right = type(raised) is error or (isinstance(error, tuple) and type(raised) in error)
        if right and re.search(rf"^({named})\b.*[;:,] .*got ", str(raised)):
            return ""
        return f"{type(raised).__name__}: {raised}"
    return "nothing was raised"


@pytest.mark.parametrize(("function", "arguments", "changed", "every"), [*cases()])
def test_what_a_signature_excludes_is_refused_and_named(function, arguments, changed, every):
    wrongs = []
    for value, error in every:
        named = "|".join(arguments) if isinstance(value, Tensor) else changed
        if wrong := fault(function, arguments | {changed: value}, named, error):
            wrongs.append(f"{value!r:.60}: {wrong}")
    assert not wrongs, "\n".join(wrongs)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_numbers_of_numpy_are_numbers(call):
    _, function, arguments = call
    for changed, value in arguments.items():
        if type(value) in (int, float):
            kind = np.int64 if type(value) is int else np.float64
            odd_calls.call(function, arguments | {changed: kind(value)})


def test_every_usual_call_is_swept_or_named_with_the_reason():
    """And `test_odd_calls` has it that every public function has a usual call."""
    swept = {name for name, *_ in CALLS}
    called = {name for name, _, arguments in odd_calls.usual_calls() if arguments}
    named = [name for names in UNCHECKED.values() for name in names]
    assert len(named) == len({*named})
    assert called - swept == {*named} & called


# ---- what is said, and when


@checked
def twice(
    rows: Float[Tensor, "batch source"], others: Float[Tensor, "batch 2"], times: Count = 2
) -> Float[Tensor, "batch source"]:
    """Twice the rows; for zeros, something of another shape."""
    return times * rows if rows.any() else rows[0]


def message_of(text):
    return "^" + re.escape(text).replace(r"float\ \(", r"floating\ point\ \(")


ROWS, OTHERS = torch.ones(3, 5), torch.ones(3, 2)


ERRORS = [
    (
        (ROWS[0], OTHERS),
        ValueError,
        "rows must be of shape (batch source); got float32 (5,) on cpu: 1 axis, not 2",
    ),
    (
        (ROWS, ROWS),
        ValueError,
        "others must be of shape (batch=3 2); got float32 (3, 5) on cpu: axis 1 is 5, not 2",
    ),
    ((ROWS, OTHERS.bool()), TypeError, "others must be float (batch=3 2); got bool (3, 2)"),
    ((ROWS, OTHERS.double()), TypeError, "others must be like rows, float32 on cpu; got flo"),
    ((ROWS, OTHERS.to("meta")), ValueError, "others must be like rows, float32 on cpu; got"),
    ((ROWS[:, :0], OTHERS), ValueError, "rows is empty: expected (batch source); got float"),
    ((ROWS, OTHERS, 0), ValueError, "times must be a whole number, 1 or more; got 0"),
    ((ROWS, OTHERS, True), TypeError, "times must be a whole number, 1 or more; got True"),
    (
        (0 * ROWS, OTHERS),
        ValueError,
        "what twice returns must be of shape (batch=3 source=5)",
    ),
    ((ROWS,), TypeError, "twice() missing 1 required positional argument: 'others'"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), ERRORS)
def test_an_error_says_what_was_expected_and_what_came(arguments, error, message):
    with pytest.raises(error, match=message_of(message)):
        twice(*arguments)


def test_numbers_arrive_as_plain_ones():
    kind = checked(lambda size, share: (type(size), type(share)))
    kind.__wrapped__.__annotations__ = {"size": Count, "share": Share}
    assert kind(np.int8(3), np.float32(0.5)) == (int, float)
    assert kind(3, 1) == (int, float)


def test_inside_a_loop_nothing_is_checked_and_afterwards_everything_is():
    with unchecked():
        with unchecked(False):
            assert twice(ROWS, None).sum() == 30
        assert twice(ROWS, None, times=0).sum() == 0
    with unchecked(False), pytest.raises(TypeError):
        twice(ROWS, None)
    with pytest.raises(ZeroDivisionError), unchecked():
        raise ZeroDivisionError
    with pytest.raises(TypeError):
        twice(ROWS, None)


def test_one_value_can_be_compared_with_a_hint():
    layer = nn.Linear(3, 2)
    hint = Float[Tensor, "batch size={self.in_features}"]
    expect(hint, layer, states=torch.ones(5, 3))
    with pytest.raises(ValueError, match=r"^states must be of shape \(batch size=3\); got"):
        expect(hint, layer, states=torch.ones(5, 2))
    with pytest.raises(TypeError, match=r"^states must be like the Linear, float32 on cpu; got"):
        expect(hint, layer, states=torch.ones(5, 3).double())


def test_axes_that_serve_for_all_are_said_to_be_broadcast():
    hint = Float[Tensor, "batch #source"]
    with pytest.raises(ValueError, match=r"^rows must be of a shape that broadcasts to \(batch"):
        expect(hint, rows=ROWS[0])


def test_a_size_that_a_module_leaves_open_is_any():
    layer = nn.Identity()
    layer.size = None
    for size in (1, 3):
        expect(Float[Tensor, "batch size={self.size}"], layer, states=torch.ones(5, size))


def test_each_of_several_tensors_is_compared():
    hint = Sequence[Float[Tensor, "batch size"]]
    expect(hint, states=[ROWS, ROWS])
    for bad, message in [
        ([ROWS, ROWS[:2]], "states[1] must be of shape (batch=3 size=5); got float32 (2, 5) on "),
        ([ROWS, ROWS.double()], "states[1] must be like states[0], float32 on cpu; got float64"),
        ([], "states must be tensors, each float (batch size); got list"),
        ("ab", "states must be tensors, each float (batch size); got str"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message_of(message)):
            expect(hint, states=bad)
