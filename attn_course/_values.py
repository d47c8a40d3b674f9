"""Error messages for bad values of any kind: what came and what was expected. Needs no torch."""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

T = TypeVar("T")


class Range(NamedTuple):
    """Which numbers an annotation allows."""

    words: str
    fits: Callable[[Any], bool]


def at_least(least: int) -> Range:
    """Whole numbers from this one on."""
    return Range(f", {least} or more", lambda number: least <= number <= sys.maxsize)


Count = Annotated[int, at_least(1)]
Positive = Annotated[float, Range(" above 0", lambda number: number > 0)]
NotNegative = Annotated[float, Range(", 0 or more", lambda number: number >= 0)]
Share = Annotated[float, Range(" from 0 to 1", lambda number: 0 <= number <= 1)]
SomeShare = Annotated[float, Range(" above 0 and at most 1", lambda number: 0 < number <= 1)]


def expect_hint(name: str, value: object, hints: Sequence[Any]) -> Any:
    """Require what one of these annotations says; return it, or the plain number that it is."""
    numbers = [hint for hint in hints if _base(hint) in (int, float)]
    if numbers and (len(numbers) == len(hints) or isinstance(value, Real)):
        return _expect_range(name, value, numbers)
    hint = hints[0]
    if get_origin(hint) is Literal:
        expect_choice(name, value, get_args(hint))
    elif all(isinstance(hint, type) for hint in hints):
        expect_kind(name, value, *hints)
    else:
        _expect_bearable(name, value, hint)
    return value


def _base(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _expect_range(name: str, value: object, hints: Sequence[Any]) -> int | float:
    """Require a number in the range of the annotation; only ``int`` alone is a whole number."""
    whole = all(_base(hint) is int for hint in hints)
    ranges = [part for hint in hints for part in get_args(hint) if isinstance(part, Range)]
    words = "".join(limits.words for limits in ranges[:1])
    expected = f"{name} must be a {'whole ' if whole else ''}number{words}; got {_shown(value)}"
    if not isinstance(value, Integral if whole else Real) or isinstance(value, bool):
        raise TypeError(expected)
    number = int(value) if whole else expect_number(name, value)
    if not all(limits.fits(number) for limits in ranges):
        raise ValueError(expected)
    return number


def _expect_bearable(name: str, value: object, hint: Any) -> None:
    """Require what beartype can tell of an annotation."""
    from beartype.door import is_bearable

    if not is_bearable(value, hint):
        wanted = str(hint).replace("collections.abc.", "").replace("typing.", "")
        raise TypeError(f"{name} must be {wanted}; got {_shown(value)}")


def describe(value: object) -> str:
    """``float32 (3, 5) on cpu`` for a tensor or an array; for anything else, the type's name."""
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return type(value).__name__
    device = f" on {value.device}" if hasattr(value, "device") else ""
    return f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)}{device}"


def expect_kind(name: str, value: object, *kinds: type) -> None:
    """Require ``value`` to be of one of these types."""
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{name} must be of the type {wanted}; got {describe(value)}")


def expect_count(name: str, value: object, least: int = 1, what: str = "number") -> int:
    """Require a whole number of at least ``least``; return it as a plain int."""
    expected = f"{name} must be a whole {what}, {least} or more; got {_shown(value)}"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(expected)
    if not least <= value <= sys.maxsize:
        raise ValueError(expected)
    return int(value)


def expect_pairs(count: object) -> None:
    """Require ``count`` to be a number of pairs."""
    whole = isinstance(count, Integral) and not isinstance(count, bool)
    if not whole or not 1 <= count <= sys.maxsize:
        raise ValueError(f"count must be a whole number of pairs, 1 or more; got {_shown(count)}")


def expect_whole(name: str, value: object) -> None:
    """Require a whole number of either sign."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number; got {_shown(value)}")


def expect_counts(**sizes: object) -> list[int]:
    """Require each of the named sizes to be a whole number above 0; return them as plain ints."""
    return [expect_count(name, size) for name, size in sizes.items()]


def expect_directions(value: object) -> int:
    """Require the number of directions in which an encoder reads; return it as a plain int."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value not in (1, 2):
        raise ValueError(f"directions must be 1 or 2; got {value!r}")
    return int(value)


def expect_number(name: str, value: object) -> float:
    """Require a real number, which may be infinite but not NaN; return it as a float."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number; got {_shown(value)}")
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
        raise TypeError(f"{name} must be a string; got {_shown(value)}")


def expect_multiple(name: str, value: int, of_name: str, of: int) -> None:
    """Require a multiple of another number, which is above 0."""
    if not value or value % of:
        raise ValueError(f"{name} must be a multiple of {of_name}; got {value} and {of}")


def expect_several(name: str, values: Iterable[T], least: int = 1) -> list[T]:
    """Require an iterable other than a single string; return its items as a list."""
    if isinstance(values, str):
        raise TypeError(
            f"{name} must be a list or another sequence; got the single string {_shown(values)}"
        )
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list or another sequence; got {_shown(values)}")
    listed = list(values)
    if len(listed) < least:
        raise ValueError(f"{name} must hold at least {least}; got {len(listed)}")
    return listed


def expect_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Require one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {list(choices)}; got {_shown(value)}")


def _shown(value: object) -> str:
    """A value as an error shows it: in full if it is short, otherwise described."""
    if isinstance(value, Integral | Real | str):
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:57]}..."
    return describe(value)
