"""The signature is the check: a public function takes what its annotations say, and nothing else.

`checked` compares each argument with its annotation before the function runs:

- a tensor, by jaxtyping: its type and its axes. All floating-point tensors of a call have one type,
  that of the parameters if a module is called, and all tensors are on one device
- a number: its range, as `attn_course._values` names it. A bool is no number; NumPy's are numbers
- a sequence of numbers, names or things of one class: each of them
- anything else, by beartype

What a signature cannot say is left to the function: a row with nothing to read, a sum that is not
one, a value that is not finite. `unchecked` switches signatures off in loops that make the same
calls again and again. A signature without tensors needs no torch.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import jaxtyping
from jaxtyping import AbstractArray, jaxtyped

from attn_course._values import describe, is_class, options_of, taker

Function = TypeVar("Function", bound=Callable[..., Any])  # or a class
Array = type[AbstractArray]
KINDS = {
    "Float": "floating point",
    "Bool": "boolean",
    "Integer": "whole numbers",
    "Real": "real numbers",
}
_SEVERAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_ON = ContextVar("signatures are checked", default=True)


@contextmanager
def unchecked(wanted: bool = True) -> Iterator[None]:
    """Signatures cost nothing inside this block, unless it is not ``wanted``."""
    before, token = jaxtyping.config.jaxtyping_disable, _ON.set(_ON.get() and not wanted)
    jaxtyping.config.update("jaxtyping_disable", before or wanted)  # see `check_shapes`
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
        _ON.reset(token)


def checked(function: Function) -> Function:
    """The same function, for arguments as in its signature only; numbers come as plain ones.

    A wrong shape or range is a ValueError, and a wrong type a TypeError. Both give the name of the
    argument, what was expected, and what came. The shapes of results are checked too. Of a class it
    is the constructor that is checked.
    """
    if isinstance(function, type):
        function.__init__ = checked(function.__init__)
        function.__no_type_check__ = True  # by `check_shapes`, once more
        return function
    signature = inspect.signature(function)

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        if not _ON.get():
            return function(*arguments, **options)
        try:
            bound = signature.bind(*arguments, **options)
        except TypeError:
            return function(*arguments, **options)  # Python says what is missing
        hints, values = _hints(function), bound.arguments
        with jaxtyped("context") if hints.tensors else nullcontext():
            checks = _Call(values)
            for name, value in tuple(values.items()):
                if hint := hints.arguments.get(name):
                    values[name] = checks.take(name, value, hint)
            result = function(*bound.args, **bound.kwargs)
            if hints.results:
                checks.give(f"what {function.__name__} returns", result, hints.results)
        return result

    return call  # type: ignore[return-value]


def expect(hint: Any, own: object = None, **values: object) -> None:
    """Require the named values to be what a hint says, in which ``self`` is ``own``."""
    if not _ON.get():
        return
    with jaxtyped("context"):
        call = _Call({"self": own})
        for name, value in values.items():
            call.take(name, value, _hint(hint))


def expect_like(name: str, value: Any, other_name: str, other: Any, floating: bool = True) -> None:
    """Require the device of another tensor and, if both are ``floating`` point, its dtype."""
    alike = not floating or not other.is_floating_point() or value.dtype == other.dtype
    if alike and value.device == other.device:
        return
    kind = ValueError if alike else TypeError
    raise kind(f"{name} must be like {other_name}, {_type(other)}; got {describe(value)}")


def _type(value: Any) -> str:
    return f"{str(value.dtype).removeprefix('torch.')} on {value.device}"


class _Hint:
    """An annotation: which tensors may come, or what else, and how it is taken."""

    def __init__(self, hint: Any):
        options = options_of(hint)
        self.optional = type(None) in options
        self.arrays = [option for option in options if _is_array(option)]
        others = [hint for hint in options if hint not in (*self.arrays, type(None))]
        self.several = get_args(others[0])[0] if others and _is_several(others[0]) else None
        self.take = taker(others) if others and not self.several else None


_hint = lru_cache(maxsize=256)(_Hint)


class _Hints:
    """The annotations of a function's arguments; ``*`` and ``**`` are left to the function.

    results  those of what it returns, if there are shapes among them
    tensors  whether there are shapes at all
    """

    def __init__(self, function: Callable[..., Any]):
        every = inspect.signature(function).parameters.values()
        several = {parameter.name for parameter in every if parameter.kind in _SEVERAL}
        hints = get_type_hints(function, include_extras=True)
        result = hints.pop("return", None)
        results = get_args(result) if get_origin(result) is tuple else (result,)
        self.results = results if any(map(_is_array, results)) else ()
        wanted = {k: hint for k, hint in hints.items() if k not in several and hint is not Any}
        self.arguments = {name: _hint(hint) for name, hint in wanted.items()}
        self.tensors = self.results or any(h.arrays or h.several for h in self.arguments.values())


_hints = cache(_Hints)


class _Call:
    """One call: its arguments, the first tensor in it, and the sizes of axes known so far."""

    def __init__(self, arguments: Mapping[str, Any]):
        self.arguments = arguments
        self.first = _parameter(arguments.get("self"))
        self.sizes: dict[str, Any] = {}

    def take(self, name: str, value: Any, hint: "_Hint") -> Any:
        """Require an argument to be what the hint says, and return it; a number as a plain one."""
        if value is None and hint.optional:
            return None
        arrays = hint.arrays
        if arrays and (isinstance(value, arrays[0].array_type) or not (hint.take or hint.several)):
            self._take_array(name, value, arrays)
        elif hint.several:
            self._take_several(name, value, hint.several)
        else:
            return hint.take(name, value)
        return value

    def give(self, name: str, result: Any, hints: tuple[Any, ...]) -> None:
        """Require the tensors of a result to have the axes that the annotations say."""
        for part, hint in zip(result if len(hints) > 1 else (result,), hints, strict=False):
            if _is_array(hint):
                self._fitting(name, part, [hint])

    def _take_several(self, name: str, values: Any, array: Array) -> None:
        if not isinstance(values, Sequence) or isinstance(values, str) or not len(values):
            words = self._words(array)
            raise TypeError(f"{name} must be tensors, each {words}; got {describe(values)}")
        for place, value in enumerate(values):
            self._take_array(f"{name}[{place}]", value, [array])

    def _take_array(self, name: str, value: Any, arrays: list[Array]) -> None:
        """Require one of these types and shapes, something in it, and what the first one has."""
        array = self._fitting(name, value, arrays)
        floating = array.dtype.__name__ == "Float"
        axes = [axis for axis in array.dim_str.split() if not _stands_for_several(axis)][-2:]
        if floating and axes and 0 in value.shape[-len(axes) :]:
            raise ValueError(f"{name} is empty: expected ({array.dim_str}); got {describe(value)}")
        if self.first:
            expect_like(name, value, *self.first, floating)
        self.first = self.first or (name, value)

    def _fitting(self, name: str, value: Any, arrays: list[Array]) -> Array:
        """The first of these types and shapes that the value has."""
        arrays = [_filled(array, self.arguments) for array in arrays]
        for array in arrays:
            if isinstance(value, array):
                self._learn(array.dim_str.split(), value.shape)
                return array
        likely = [array for array in arrays if isinstance(value, _with(array, "..."))]
        expected = " or ".join(self._words(array, not likely) for array in likely or arrays)
        if not likely:
            raise TypeError(f"{name} must be {expected}; got {describe(value)}")
        wrong = self._wrong(likely[-1].dim_str.split(), value.shape)
        raise ValueError(f"{name} must be {expected}; got {describe(value)}{wrong}")

    def _wrong(self, axes: list[str], shape: Sequence[int]) -> str:
        """Which axis has another size than it should have, if that can be told."""
        more = len(shape) - len(axes) + 1
        several = [place for place, axis in enumerate(axes) if _stands_for_several(axis)]
        for place in several:
            axes = [*axes[:place], *["..."] * more, *axes[place + 1 :]]
        if len(axes) != len(shape):
            count = f"{len(shape)} {'axis' if len(shape) == 1 else 'axes'}"
            return f": {count}, not {'at least ' if several else ''}{len(axes)}"
        for place, (axis, size) in enumerate(zip(axes, shape, strict=True)):
            named = self._axis(axis.lstrip("#"))
            wanted = named.rpartition("=")[2]
            if wanted.isdigit() and int(wanted) != size:
                return f": axis {place} is {size}, not {named}"
        return ""

    def _learn(self, axes: list[str], shape: Sequence[int]) -> None:
        more, sizes = len(shape) - len(axes) + 1, iter(shape)
        for axis in axes:
            several = _stands_for_several(axis)
            size = tuple(next(sizes) for _ in range(more)) if several else next(sizes)
            if "#" not in axis:
                self.sizes[axis] = size

    def _words(self, array: Array, with_kind: bool = True) -> str:
        """``floating point (batch=2 target size=64)``"""
        kind = KINDS.get(array.dtype.__name__, "a tensor") if with_kind else "of shape"
        if "#" in array.dim_str:
            kind = f"{kind} and broadcast to" if with_kind else "of a shape that broadcasts to"
        axes = map(self._axis, array.dim_str.replace("#", "").split())
        return f"{kind} ({' '.join(axes)})"

    def _axis(self, axis: str) -> str:
        size = self.sizes.get(axis)
        if isinstance(size, tuple):
            return " ".join(map(str, size))
        return axis if size is None or "=" in axis else f"{axis}={size}"


def _parameter(thing: Any) -> tuple[str, Any] | None:
    """The first parameter of a module, which has the type and the device of all of them."""
    if "_parameters" not in getattr(thing, "__dict__", ()):
        return None
    parameter = next(thing.parameters(), None)
    return None if parameter is None else (f"the {type(thing).__name__}", parameter)


def _is_array(hint: Any) -> bool:
    return is_class(hint) and issubclass(hint, AbstractArray)


def _is_several(hint: Any) -> bool:
    return get_origin(hint) is Sequence and _is_array(get_args(hint)[0])


def _stands_for_several(axis: str) -> bool:
    return axis.startswith(("*", "..."))


def _filled(array: Array, arguments: Mapping[str, Any]) -> Array:
    """With the sizes that the arguments give: ``size={self.size}`` is ``size=64``; None is any."""
    if "{" not in array.dim_str:
        return array
    return _with(array, array.dim_str.format(**arguments).replace("=None", ""))


@lru_cache(maxsize=256)
def _with(array: Array, axes: str) -> Array:
    return array.dtype[array.array_type, axes]  # type: ignore[index]
