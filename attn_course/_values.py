"""Error messages for bad values of any kind: what came and what was expected. Needs no torch."""

import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from numbers import Integral, Real
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

T = TypeVar("T")
Take = Callable[[str, Any], Any]  # of a name and a value; it returns the value


class Range(NamedTuple):
    """Which numbers, or which strings, an annotation allows."""

    words: str
    fits: Callable[[Any], bool]

    def __repr__(self) -> str:
        return self.words.lstrip(",: ")


def at_least(least: int) -> Range:
    """Whole numbers from this one on."""
    return Range(f", {least} or more", lambda number: least <= number <= sys.maxsize)


def between(low: float, high: float) -> Range:
    """Numbers from one to another, both included."""
    return Range(f" from {low:.12g} to {high:.12g}", lambda number: low <= number <= high)


def one_of(choices: Collection[str]) -> Range:
    """Strings that are among these; for a few, a ``Literal`` says as much."""
    return Range(f": one of {', '.join(choices)}", lambda text: text in choices)


def form(words: str, pattern: str) -> Range:
    """Strings that a regular expression matches as a whole."""
    return Range(f" of {words}", lambda text: re.fullmatch(pattern, text) is not None)


Count = Annotated[int, at_least(1)]
CountOrZero = Annotated[int, at_least(0)]
Directions = Annotated[int, Range(", 1 or 2", lambda number: number in (1, 2))]
Some = Annotated[Sequence[T], "at least one"]
Split = Literal["train", "test"]
Positive = Annotated[float, Range(" above 0", lambda number: number > 0)]
NotNegative = Annotated[float, Range(", 0 or more", lambda number: number >= 0)]
Amount = Annotated[float, Range(", 0 or more, and finite", lambda number: 0 <= number < math.inf)]
Share = Annotated[float, between(0, 1)]
NotAll = Annotated[float, Range(" from 0 to below 1", lambda number: 0 <= number < 1)]
SomeShare = Annotated[float, Range(" above 0 and at most 1", lambda number: 0 < number <= 1)]


def expect_hint(name: str, value: object, hints: Sequence[Any]) -> Any:
    """Require what one of these annotations says; return it, or the plain number that it is."""
    return taker(hints)(name, value)


def taker(hints: Sequence[Any]) -> Take:
    """What takes a named value of one of these annotations, and refuses any other."""
    numbers = [hint for hint in hints if _base(hint) in (int, float)]
    others = [hint for hint in hints if hint not in numbers]
    if not others:
        return _number_taker(numbers)
    if numbers:
        number, other = _number_taker(numbers), taker(others)
        return lambda name, value: (number if isinstance(value, Real) else other)(name, value)
    takers = [(_base(hint), _taker_of(hint, others)) for hint in others]
    of_class = [(base, take) for base, take in takers if is_class(base)]

    def take(name: str, value: Any) -> Any:
        fitting = (take for base, take in of_class if isinstance(value, base))
        return next(fitting, takers[0][1])(name, value)

    return take


def _taker_of(hint: Any, hints: Sequence[Any]) -> Take:
    """What takes a value of one of several annotations, none of them of a number."""
    if _is_list(hint):
        return _list_taker(hint)
    if get_origin(hint) is Literal:
        return _taker(lambda name, value: expect_choice(name, value, get_args(hint)))
    if _base(hint) is str:
        return _taker(lambda name, value: _expect_form(name, value, _ranges(hint)))
    if all(map(is_class, hints)):
        return _taker(lambda name, value: expect_kind(name, value, *hints))
    return _taker(lambda name, value: _expect_bearable(name, value, hint))


def _taker(expect: Callable[[str, Any], None]) -> Take:
    def take(name: str, value: Any) -> Any:
        expect(name, value)
        return value

    return take


def options_of(hint: Any) -> tuple[Any, ...]:
    """What a union is of."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def is_class(hint: Any) -> bool:
    """Whether a hint is a class; up to Python 3.10 ``list[int]`` passes for one."""
    return isinstance(hint, type) and get_origin(hint) is None and hint is not Any


def _base(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _ranges(hint: Any) -> list[Range]:
    return [part for part in get_args(hint) if isinstance(part, Range)]


def _is_list(hint: Any) -> bool:
    """Whether a hint is a sequence of numbers, of choices, or of things of one class."""
    base = _base(hint)
    if get_origin(base) not in (Sequence, Collection):
        return False
    (item,) = get_args(base)
    return is_class(_base(item)) or get_origin(item) is Literal


def _list_taker(hint: Any) -> Take:
    """A sequence, each item of which is what the hint says; it becomes a list."""
    kind, items = get_origin(_base(hint)), get_args(_base(hint))
    least, take = int(get_origin(hint) is Annotated), taker(items)

    def take_all(name: str, values: Any) -> list[Any]:
        listed = expect_several(name, values, least)
        expect_kind(name, values, kind)
        return [take(f"{name}[{place}]", value) for place, value in enumerate(listed)]

    return take_all


def _number_taker(hints: Sequence[Any]) -> Take:
    """A number in the range of the annotation; only ``int`` alone is a whole number."""
    whole = all(_base(hint) is int for hint in hints)
    kind = Integral if whole else Real
    ranges = [part for hint in hints for part in _ranges(hint)]
    words = ("whole number" if whole else "number") + "".join(part.words for part in ranges[:1])

    def take(name: str, value: Any) -> int | float:
        right = isinstance(value, kind) and not isinstance(value, bool)
        if right:
            number = int(value) if whole else expect_number(name, value)
            if all(part.fits(number) for part in ranges):
                return number
        error = ValueError if right else TypeError
        raise error(f"{name} must be a {words}; got {_brief(value)}")

    return take


def _expect_form(name: str, value: object, ranges: Sequence[Range]) -> None:
    """Require a string of the annotation's form."""
    expect_text(name, value)
    for part in ranges:
        if not part.fits(value):
            raise ValueError(f"{name} must be a string{part.words}; got {_brief(value)}")


def _expect_bearable(name: str, value: object, hint: Any) -> None:
    """Require what beartype can tell of an annotation."""
    from beartype.door import is_bearable

    if not is_bearable(value, hint):
        wanted = str(hint).replace("collections.abc.", "").replace("typing.", "")
        raise TypeError(f"{name} must be {wanted}; got {_brief(value)}")


def describe(value: object) -> str:
    """``float32 (3, 5) on cpu`` for a tensor or an array; for anything else, the type's name."""
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return type(value).__name__
    place = f" on {value.device}" if hasattr(value, "device") else ""
    return f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)}{place}"


def expect_kind(name: str, value: object, *kinds: type) -> None:
    """Require ``value`` to be of one of these types."""
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{name} must be of the type {wanted}; got {describe(value)}")


def expect_count(name: str, value: object, least: int = 1, what: str = "number") -> int:
    """Require a whole number of at least ``least``; return it as a plain int."""
    expected = f"{name} must be a whole {what}, {least} or more; got {_brief(value)}"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(expected)
    if not least <= value <= sys.maxsize:
        raise ValueError(expected)
    return int(value)


def expect_below(name: str, value: object, count: int) -> None:
    """Require the number of one of ``count`` things, which are counted from 0."""
    expect_hint(name, value, [Annotated[int, between(0, count - 1)]])


def expect_number(name: str, value: object) -> float:
    """Require a real number, which may be infinite but not NaN; return it as a float."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number; got {_brief(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} is too large for a floating-point number") from None
    if math.isnan(number):
        raise ValueError(f"{name} must be a number; got NaN")
    return number


def expect_text(name: str, value: object) -> None:
    """Require a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string; got {_brief(value)}")


def expect_multiple(name: str, value: int, of_name: str, of: int) -> None:
    """Require a multiple of another number, which is above 0."""
    if not value or value % of:
        raise ValueError(f"{name} must be a multiple of {of_name}; got {value} and {of}")


def expect_several(name: str, values: Iterable[T], least: int = 1) -> list[T]:
    """Require an iterable other than a single string; return its items as a list."""
    if isinstance(values, str):
        raise TypeError(
            f"{name} must be a list or another sequence; got the single string {_brief(values)}"
        )
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list or another sequence; got {_brief(values)}")
    listed = list(values)
    if len(listed) < least:
        raise ValueError(f"{name} must hold at least {least}; got {len(listed)}")
    return listed


def expect_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Require one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {list(choices)}; got {_brief(value)}")


def _brief(value: object) -> str:
    """A value as an error shows it: in full if it is short, otherwise described."""
    if isinstance(value, Integral | Real | str):
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:57]}..."
    return describe(value)
