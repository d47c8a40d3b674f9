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
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache, wraps
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import jaxtyping
from jaxtyping import AbstractArray, jaxtyped

from attn_course._values import describe, expect_hint, fits_plainly, is_class, options_of

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
    signature = _Signature(function)

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        if not _ON.get() or signature.is_plain(arguments, options):
            return function(*arguments, **options)
        return signature.call(arguments, options)

    return call  # type: ignore[return-value]


def expect(hint: Any, own: object = None, **values: object) -> None:
    """Require the named values to be what a hint says, in which ``self`` is ``own``."""
    if not _ON.get():
        return
    with jaxtyped("context"):
        call = _Call({"self": own})
        for name, value in values.items():
            call.take(name, value, hint)


def expect_like(name: str, value: Any, other_name: str, other: Any, floating: bool = True) -> None:
    """Require the device of another tensor and, if both are ``floating`` point, its dtype."""
    alike = not floating or not other.is_floating_point() or value.dtype == other.dtype
    if alike and value.device == other.device:
        return
    kind = ValueError if alike else TypeError
    raise kind(f"{name} must be like {other_name}, {_type(other)}; got {describe(value)}")


def _type(value: Any) -> str:
    return f"{str(value.dtype).removeprefix('torch.')} on {value.device}"


class _Signature:
    """A function with its annotations, which are read at the first call."""

    def __init__(self, function: Callable[..., Any]):
        self.function, self.signature = function, inspect.signature(function)

    @cached_property
    def hints(self) -> dict[str, Any]:
        """What each argument and the result must be; ``*`` and ``**`` are left to the function."""
        hints = get_type_hints(self.function, include_extras=True)
        every = self.signature.parameters.values()
        several = {each.name for each in every if each.kind in _SEVERAL}
        return {k: hint for k, hint in hints.items() if k not in several and hint is not Any}

    @cached_property
    def tests(self) -> dict[str, Callable[[Any], bool]] | None:
        """A quick test of each argument, in their order; None if there are tensors."""
        hints = [*self.hints.values(), *get_args(self.hints.get("return"))]
        if any(_is_array(each) or _is_several(each) for hint in hints for each in options_of(hint)):
            return None
        return {name: fits_plainly(self.hints.get(name, Any)) for name in self.signature.parameters}

    def is_plain(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> bool:
        """Whether a call of numbers, names and the like is right at a glance."""
        tests = self.tests
        if tests is None or not options.keys() <= tests.keys():
            return False
        for test, value in zip(tests.values(), arguments):  # noqa: B905
            if not test(value):
                return False
        return all(tests[name](value) for name, value in options.items())

    def call(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        given = self._bound(arguments, options)
        if given is None:
            return self.function(*arguments, **options)  # Python says what is missing
        with jaxtyped("context"):
            call = _Call(given.arguments)
            for name, value in tuple(given.arguments.items()):
                if name in self.hints:
                    given.arguments[name] = call.take(name, value, self.hints[name])
            result = self.function(*given.args, **given.kwargs)
            call.give(f"what {self.function.__name__} returns", result, self.hints.get("return"))
        return result

    def _bound(
        self, arguments: tuple[Any, ...], options: dict[str, Any]
    ) -> inspect.BoundArguments | None:
        try:
            return self.signature.bind(*arguments, **options)
        except TypeError:
            return None


class _Call:
    """One call: its arguments, the first tensor in it, and the sizes of axes known so far."""

    def __init__(self, arguments: Mapping[str, Any]):
        self.arguments = arguments
        self.first = _parameter(arguments.get("self"))
        self.sizes: dict[str, Any] = {}

    def take(self, name: str, value: Any, hint: Any) -> Any:
        """Require an argument to be what the hint says, and return it; a number as a plain one."""
        options = options_of(hint)
        if value is None and type(None) in options:
            return None
        arrays = [option for option in options if _is_array(option)]
        others = [each for each in options if each is not type(None) and each not in arrays]
        if arrays and (isinstance(value, arrays[0].array_type) or not others):
            self._take_array(name, value, arrays)
        elif _is_several(others[0]):
            self._take_several(name, value, get_args(others[0])[0])
        else:
            return expect_hint(name, value, others)
        return value

    def give(self, name: str, value: Any, hint: Any) -> None:
        """Require the tensors of a result to have the axes that the hint says."""
        parts, values = (hint,), (value,)
        if get_origin(hint) is tuple:
            parts, values = get_args(hint), value
        for part, option in zip(values, parts, strict=False):
            if _is_array(option):
                self._fitting(name, part, [option])

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
