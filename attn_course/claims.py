"""Claims: sentences with measured numbers, which fail the run when they stop being true.

    exact = Measured([0.989, 0.986, 0.992], unit="percent")
    claim("The model reads {exact} of unseen days right.", exact > 0.95, "found", exact=exact)

shows "The model reads 98.9 % of unseen days right." as a call-out, with "Measured in 3 runs: 98.6
to 99.2 %" below, or raises `ClaimError` if one seed lies at or below the bound. So no number has to
be written into the prose. Printed as text it is "98.9 % (98.6 to 99.2 over 3 seeds)". The call-out
also says whether the bound was expected or found by looking.

Every number that a claim shows is bound by its condition, or is `Printed`, and the call-out says
which numbers are printed only.
"""

import math
import operator
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import Formatter

import numpy as np
from markupsafe import Markup

from attn_course._values import expect_count, expect_text

MIME = "application/vnd.attn-course.claim+json"
SHARES = ("percent", "points")  # held as 0.989, shown as 98.9
SHARE_DECIMALS = 9  # of a per cent; what is smaller comes from rounding
MORE_FIGURES = 2  # how many figures are added, at most, to tell the ends of a range apart
DECIMALS = 12
ROUNDING = 10**-DECIMALS  # the error of a sum in double precision; smaller numbers mean nothing

# Where a claim's bound comes from, and how the call-out says so.
ORIGINS = {
    "expected": "Measured; expected beforehand",
    "found": "Measured; found by looking",
    "calculated": "Calculated",
}
CLOSER = ", and drawn closer by looking"  # an expected claim, some of whose bounds are `closer`


class ClaimError(AssertionError):
    """A sentence of the course is not true in this run."""


class Measured:
    """What this run measured: a number, or one for each seed.

    ``unit`` is "" for a plain number, "percent" for a share (0.989 is shown as 98.9 %), "points"
    for a difference of shares, or any word that follows the number, such as "seconds".

    In a sentence ``{exact}`` is the mean with its spread over the seeds, which a page shows below
    the sentence, ``{exact:mean}`` the mean alone, ``{exact:least}`` and ``{exact:most}`` the ends,
    ``{exact:range}`` both ends.

    ``>``, ``>=``, ``<`` and ``<=`` give a `Condition`: with a number, every seed must meet it; with
    another `Measured`, the two are compared seed by seed. Differences and quotients are taken seed
    by seed too. Units that differ, or numbers of seeds that cannot be paired, are a ValueError.

    Seeds say nothing of luck in the choice of the items that were asked. Where these are few,
    ``items`` is how many there were, over all seeds, and ``of`` what they are, such as "dates".
    A share then also shows its 95 % interval over the items (Wilson 1927). For another unit,
    ``interval`` gives both ends, such as those of a bootstrap.
    """

    def __init__(
        self,
        values: object,
        unit: str = "",
        items: int = 0,
        of: str = "",
        interval: tuple[float, float] | None = None,
    ):
        expect_text("unit", unit)
        values = values.tolist() if hasattr(values, "tolist") else values
        values = values if isinstance(values, Iterable) else [values]
        self.values = tuple(_checked(value, unit) for value in values)
        if not self.values:
            raise ValueError("nothing was measured: expected one value, or one for each seed")
        if not math.isfinite(sum(self.values)):
            raise ValueError(f"the values are too large for a mean; got {list(self.values)}")
        self.unit = unit
        self._formula: tuple[Measured, str, Measured] | None = None  # where a difference is from
        self.over = self._over(items, of, interval)

    def _over(self, items: int, of: str, interval: tuple[float, float] | None) -> str:
        """The interval over the items, such as ``88.6 to 100.0 over 30 facts``; or empty."""
        expect_text("of", of)
        expect_count("items", items, least=0)
        if not items and not of and interval is None:
            return ""
        if not (items and of) or (interval is None and self.unit != "percent"):
            raise ValueError(
                "an interval takes `items` and `of`, and `interval` too unless the unit is "
                f"'percent'; got items={items}, of={of!r}, interval={interval}"
            )
        if interval is None:
            from attn_course.measures import share  # here, since it needs torch

            _, *interval = share(round(self.mean * items), items)
        low, high = _ends(*(_checked(end, self.unit) for end in interval), self.unit)
        return f"{low} to {high} over {items:,} {of}"

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)

    @property
    def least(self) -> float:
        return min(self.values)

    @property
    def most(self) -> float:
        return max(self.values)

    @property
    def spread(self) -> str:
        """Where the seeds lie, such as ``98.6 to 99.2 over 3 seeds``; empty if there is one."""
        seeds = len(self.values)
        low, high = _ends(self.least, self.most, self.unit)
        if seeds == 1:
            return ""
        if self.least == self.most:
            return f"the same in each of {seeds} seeds"
        if low == high:
            return f"{seeds} seeds agree to these figures"
        return f"{low} to {high} over {seeds} seeds"

    @property
    def by_seed(self) -> str:
        """The value of each seed, such as ``98.9 %; 98.6 %``; empty if there is only one."""
        if len(self.values) < 2:
            return ""
        return "; ".join(_with_unit(one, self.unit) for one in self.values)

    def __format__(self, form: str) -> str:
        if form in ("mean", "least", "most"):
            return _with_unit(getattr(self, form), self.unit)
        if form not in ("", "range"):
            raise ValueError(
                f"a measured value is shown as mean, least, most or range; got {form!r}"
            )
        low, high = _ends(self.least, self.most, self.unit)
        if form == "range" and low != high:
            return f"{low} to {high}{_suffix(self.unit)}"
        mean = _with_unit(self.mean, self.unit)
        bracket = "; ".join(filter(None, (self.spread, self.over)))
        return f"{mean} ({bracket})" if form == "" and bracket else mean

    def __str__(self) -> str:
        return format(self)

    def __repr__(self) -> str:
        return f"Measured({list(self.values)}, unit={self.unit!r})"

    def name(self, names: Mapping[str, object]) -> str:
        """What a claim with these values calls this one: its name, or a formula of names."""
        measured = {n: value for n, value in names.items() if isinstance(value, Measured)}
        for alike in (lambda value: value is self, lambda value: repr(value) == repr(self)):
            for name, value in measured.items():
                if alike(value):
                    return name
        if self._formula is None:
            return str(self)
        one, sign, two = self._formula
        return f"{one._side(names)} {sign} {two._side(names)}"

    def _side(self, names: Mapping[str, object]) -> str:
        name = self.name(names)
        return f"({name})" if self._formula and name not in names else name

    def __gt__(self, bound: "Measured | float") -> "Condition":
        return _compare(self, ">", bound)

    def __ge__(self, bound: "Measured | float") -> "Condition":
        return _compare(self, ">=", bound)

    def __lt__(self, bound: "Measured | float") -> "Condition":
        return _compare(self, "<", bound)

    def __le__(self, bound: "Measured | float") -> "Condition":
        return _compare(self, "<=", bound)

    def between(self, low: float, high: float) -> "Condition":
        """No seed lies below ``low`` or above ``high``, which may be the same number."""
        low, high = (_checked(bound, self.unit) for bound in (low, high))
        margin = min(min(value - low, high - value) for value in self.values)
        bound = low if low == high else (low, high)
        sign = "=" if low == high else "is between"
        return Condition((Comparison(self, sign, bound, margin >= 0, margin),))

    def __sub__(self, other: "Measured") -> "Measured":
        unit = "points" if self.unit == "percent" else self.unit
        return self._combined(other, "−", unit, operator.sub)

    def __truediv__(self, other: "Measured") -> "Measured":
        if isinstance(other, Measured) and 0 in other.values:
            raise ValueError(f"cannot divide by 0, one of {list(other.values)}")
        return self._combined(other, "/", "times", operator.truediv)

    def _combined(self, other: "Measured", sign: str, unit: str, how: Callable) -> "Measured":
        result = Measured([how(a, b) for a, b in _pairs(self, other)], unit)
        result._formula = (self, sign, other)
        return result

    def ties(self) -> list[set["Measured"]]:
        """A set for each formula in this value: any two of its members determine the third."""
        if self._formula is None:
            return []
        one, _, two = self._formula
        return [{self, one, two}, *one.ties(), *two.ties()]


class Printed(Measured):
    """A number that a claim shows and no condition binds.

    It is a setting, such as the steps of a training, or a measurement that may come out otherwise
    without making the sentence false. It cannot be compared.
    """

    def between(self, low: float, high: float) -> "Condition":
        return _compare(self, "between", low)


@dataclass(frozen=True)
class Comparison:
    """A comparison that a claim rests on, decided by its worst seed."""

    measured: Measured
    sign: str
    bound: Measured | float | tuple[float, float]
    holds: bool
    margin: float  # how far the worst seed is on the right side of the bound; below 0: wrong side
    closer: bool = False  # drawn closer after looking, in a claim that was expected

    @property
    def unit(self) -> str:
        return "points" if self.measured.unit == "percent" else self.measured.unit

    def text(self, names: Mapping[str, object]) -> str:
        """``exact > 95 % in every seed``."""
        seeds = len(self.measured.values) > 1
        sign = self.sign.replace(">=", "≥").replace("<=", "≤")
        if isinstance(self.bound, Measured):
            bound, where = self.bound.name(names), " seed by seed" if seeds else ""
        else:
            scale = 100 if self.measured.unit in SHARES else 1
            ends = self.bound if isinstance(self.bound, tuple) else (self.bound,)
            bound = " and ".join(f"{end * scale:g}".replace("-", "−") for end in ends)
            bound, where = bound + _suffix(self.measured.unit), " in every seed" if seeds else ""
        later = " (found by looking)" if self.closer else ""
        return f"{self.measured.name(names)} {sign} {bound}{where}{later}"


@dataclass(frozen=True)
class Condition:
    """What makes a claim true: comparisons of measured values, combined with ``&``."""

    parts: tuple[Comparison, ...]

    def __and__(self, other: "Condition") -> "Condition":
        if not isinstance(other, Condition):
            return NotImplemented
        return Condition(self.parts + other.parts)

    def __bool__(self) -> bool:
        raise TypeError(
            "a condition has no truth value outside its claim: combine two with `&`, in brackets, "
            "and write `(a > 0.1) & (a < 0.2)` for `0.1 < a < 0.2`"
        )

    @property
    def holds(self) -> bool:
        return all(part.holds for part in self.parts)

    @property
    def tightest(self) -> Comparison:
        """The comparison with the least margin; one that fails comes first."""
        return min(self.parts, key=lambda part: (part.holds, part.margin))

    @property
    def margin(self) -> float:
        return self.tightest.margin

    def text(self, names: Mapping[str, object]) -> str:
        return " and ".join(part.text(names) for part in self.parts)

    def bound_values(self) -> set[Measured]:
        """The values that are held to a number: by comparison with it, or with a value that is.

        A difference or quotient is held if both of its parts are. If it is held, and one of its
        parts is, so is the other.
        """
        bound = {part.measured for part in self.parts if not isinstance(part.bound, Measured)}
        ties = [
            {part.measured, part.bound} for part in self.parts if isinstance(part.bound, Measured)
        ]
        sides = [side for part in self.parts for side in (part.measured, part.bound)]
        ties += [tie for side in sides if isinstance(side, Measured) for tie in side.ties()]
        while new := [tie for tie in ties if len(tie - bound) == 1]:
            bound = bound.union(*new)
        return bound


def closer(condition: Condition) -> Condition:
    """Bounds that were drawn closer after looking, beside those that were expected.

    ``claim(..., (a > 0.5) & closer(a.between(0.9, 1)), "expected", a=a)`` says both.
    """
    _expect_condition(condition)
    return Condition(tuple(replace(part, closer=True) for part in condition.parts))


def claim(sentence: str, condition: Condition, origin: str, /, **values: Measured | str) -> None:
    """State a result: show the sentence with the numbers of this run, or fail the run.

    ``sentence`` names its values in braces, ``condition`` comes from comparing them. A bare
    ``bool`` is a TypeError, since it has no margin. A number such as 0.99 or 98 % written into the
    sentence is a ValueError: measured numbers come from measurements.

    ``origin`` is "expected" if question, condition and margin were committed before the run,
    "found" if the bound was set after looking at the result, and "calculated" if it follows from
    algebra, so that no measurement could have refuted it.

    Every `Measured` in the sentence must take part in the condition, and be held to a number there:
    directly, or by comparison with a value that is. A number that is not is a ValueError, unless it
    is `Printed`.

    If the condition does not hold, raises `ClaimError` with the sentence, the values, the condition
    and the margin.
    """
    _expect_condition(condition)
    if not isinstance(origin, str) or origin not in ORIGINS:
        raise ValueError(f"a claim's origin is one of {', '.join(ORIGINS)}; got {origin!r}")
    drawn = {part.closer for part in condition.parts}
    if True in drawn and (origin != "expected" or drawn == {True}):
        raise ValueError(
            "closer(...) marks some of the bounds of an expected claim, beside those that were "
            f"expected; got {len(condition.parts)} in a claim whose origin is {origin!r}"
        )
    pieces = list(_pieces(sentence, values))
    _expect_bound([value for _, value in pieces if isinstance(value, Measured)], condition, values)
    plain = "".join(text for text, _ in pieces)
    record = _record(plain, condition, origin, values)
    if not condition.holds:
        raise ClaimError(_failure(record))
    _show(plain, _html(pieces, record), record)


def _expect_condition(condition: object) -> None:
    if not isinstance(condition, Condition):
        raise TypeError(
            "a claim needs a condition with a margin, such as `exact > 0.95` for a Measured "
            f"exact; got {type(condition).__name__}"
        )


def _expect_bound(values: list[Measured], condition: Condition, names: Mapping) -> None:
    bound = condition.bound_values()
    loose = dict.fromkeys(
        one.name(names) for one in values if not isinstance(one, Printed) and one not in bound
    )
    if loose:
        raise ValueError(
            f"the sentence shows {', '.join(loose)}, which the condition holds to no number: "
            f"bind it, as in `{next(iter(loose))}.between(low, high)`, or make it `Printed`"
        )


# A measured number has decimals or a unit; 2005, 4-digit, y1 and 1998.5.3 do not count.
_LOOKS_MEASURED = re.compile(
    r"(?<![\d.])\d+\.\d+(?![\d.]*\d)|\d\s*(?:%|per ?cent\b|points?\b|times\b|seconds?\b)|\d\s+s\b"
)


def _pieces(sentence: str, values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The sentence in pieces, values filled in: each with the value that it shows, or None."""
    for name, value in values.items():
        if not isinstance(value, Measured | str):
            raise TypeError(f"{name} must be Measured or a string; got {type(value).__name__}")
    measured = False
    for literal, field, form, _ in Formatter().parse(sentence):
        if match := _LOOKS_MEASURED.search(literal):
            raise ValueError(
                f"{match.group()!r} is written into the sentence: pass it as a value instead"
            )
        yield literal, None
        if field is None:
            continue
        if field not in values:
            raise ValueError(f"the sentence names {{{field}}}, but the values are {list(values)}")
        measured |= isinstance(values[field], Measured)
        yield format(values[field], form), values[field]
    if not measured:
        raise ValueError(f"a claim shows at least one measured value; got {sentence!r}")


def _record(sentence: str, condition: Condition, origin: str, values: Mapping[str, object]) -> dict:
    """Everything that the page of all claims needs, as plain JSON."""
    import torch  # here, since the book's build reads records and computes nothing

    tightest = condition.tightest
    printed = ", ".join(name for name, value in values.items() if isinstance(value, Printed))
    return {
        "sentence": sentence,
        "origin": origin,
        "origin_text": ORIGINS[origin] + CLOSER * any(part.closer for part in condition.parts),
        "printed_text": f" Printed only, and bound by nothing: {printed}." if printed else "",
        "condition": condition.text(values),
        "comparisons": [
            {
                "text": part.text(values),
                "margin": _rounded(part.margin),
                "margin_text": _with_unit(part.margin, part.unit),
            }
            for part in condition.parts
        ],
        "margin": _rounded(tightest.margin),
        "margin_text": _with_unit(tightest.margin, tightest.unit),
        "values": {
            name: {
                "values": [one if abs(one) >= ROUNDING else 0.0 for one in value.values],
                "unit": value.unit,
                "text": str(value),
                "printed": isinstance(value, Printed),
            }
            if isinstance(value, Measured)
            else {"text": value}
            for name, value in values.items()
        },
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        },
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else _processor(),
    }


def _rounded(margin: float) -> float:
    """A margin without rounding errors, which differ from one run to the next."""
    return round(margin, DECIMALS)


def _processor() -> str:
    return f"CPU ({platform.machine()})"


def _failure(record: dict) -> str:
    measured = [
        f"{name} = {', '.join(_with_unit(one, value['unit']) for one in value['values'])}"
        for name, value in record["values"].items()
        if "values" in value
    ]
    lines = [
        "this sentence is not true in this run:",
        f"  sentence   {record['sentence']}",
        f"  condition  {record['condition']}",
        *(f"  measured   {line}" for line in measured),
        f"  margin     {record['margin_text']} in the worst seed",
    ]
    return "\n".join(lines)


# Inline styles, so that a claim looks right in any notebook; the book's style sheet adds to them.
_CALL_OUT = Markup(
    '<div class="attn-claim" role="note" aria-label="Measured" style="border-inline-start:'
    '3px solid var(--attn-accent,#5b4a9e);padding:.2em 1em;margin:1em 0">'
    '<p class="attn-claim-sentence" style="margin:.2em 0">{sentence}</p>'
    '<details class="attn-claim-more hide" style="font-size:.85em;margin:.2em 0">'
    "<summary>{origin}</summary><p>It must hold that {margins}.{printed}</p>{seeds}</details></div>"
)


def _html(pieces: list[tuple[str, object]], record: dict) -> Markup:
    """The sentence, and below it a folded part, to which the book adds the code and a link."""
    sentence = [text if value is None else _prominent(text, value) for text, value in pieces]
    seeds = [
        Markup("<li>{}: {}</li>").format(name, by_seed)
        for name, value in record["values"].items()
        if "values" in value and (by_seed := Measured(value["values"], value["unit"]).by_seed)
    ]
    listed = Markup("<p>Seed by seed:</p><ul>{}</ul>").format(Markup("").join(seeds))
    word, *origin = record["origin_text"].partition("; ")
    return _CALL_OUT.format(
        sentence=Markup("").join(sentence),
        origin=word + _ranges(pieces) + "".join(origin),
        margins=_margins(record),
        printed=record["printed_text"],
        seeds=listed if seeds else "",
    )


def _margins(record: dict) -> str:
    """Each comparison with its margin: ``exact > 95 % in every seed (margin 2.1 points)``."""
    parts = (f"{part['text']} (margin {part['margin_text']})" for part in record["comparisons"])
    return " and ".join(parts)


def _prominent(text: str, value: object) -> Markup:
    """The value, with no line break before a per cent sign; bold, unless it is printed only."""
    mean, bracket, rest = text.replace(" %", "\u00a0%").partition(" (")
    if isinstance(value, Printed):
        return mean + bracket + rest
    bold = Markup("<strong>{}</strong>").format(mean)
    if isinstance(value, Measured):
        return bold + (f" ({value.over})" if bracket and value.over else "")
    return bold + bracket + rest


def _ranges(pieces: list[tuple[str, object]]) -> str:
    """How far apart the seeds lie, as in `` in 3 runs: 98.6 to 99.2 % · 5.3 to 5.5 letters``."""
    runs: dict[int, dict] = {}
    for text, value in pieces:
        if isinstance(value, Measured) and value.spread and value.spread in text:
            runs.setdefault(len(value.values), {})[f"{value:range}".replace(" ", "\u00a0")] = None
    return ",".join(f" in {count} runs: {' · '.join(ranges)}" for count, ranges in runs.items())


def _show(plain: str, rich: str, record: dict) -> None:
    """A call-out in a notebook, and a line of text anywhere else."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        print(f"{plain}  [{record['origin']}: {_margins(record)}]")
        return
    from IPython.display import display

    bundle = {"text/html": rich, "text/plain": plain, MIME: record}
    display(bundle, raw=True)


def _compare(measured: Measured, sign: str, bound: Measured | float) -> Condition:
    if isinstance(measured, Printed) or isinstance(bound, Printed):
        raise TypeError("a Printed number is bound by nothing: make it Measured to compare it")
    if not isinstance(bound, Measured):
        bound = _checked(bound, measured.unit)
        pairs = [(value, bound) for value in measured.values]
    else:
        pairs = _pairs(measured, bound)
    upwards = sign.startswith(">")
    margin = min(value - limit if upwards else limit - value for value, limit in pairs)
    holds = margin > 0 or (margin == 0 and sign.endswith("="))
    return Condition((Comparison(measured, sign, bound, holds, margin),))


def _pairs(one: Measured, two: Measured) -> list[tuple[float, float]]:
    """The values seed by seed; a single value is paired with each seed of the other."""
    if not isinstance(two, Measured):
        raise TypeError(f"expected another Measured; got {type(two).__name__}")
    if one.unit != two.unit:
        raise ValueError(f"cannot compare {one.unit or 'plain'!r} with {two.unit or 'plain'!r}")
    seeds = max(len(one.values), len(two.values))
    if {len(one.values), len(two.values)} - {1, seeds}:
        raise ValueError(f"cannot pair {len(one.values)} seeds with {len(two.values)}")
    spread = [list(runs.values) * (seeds if len(runs.values) == 1 else 1) for runs in (one, two)]
    return list(zip(*spread, strict=True))


def _checked(value: object, unit: str) -> float:
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a measured value is a number; got {type(value).__name__}")
    try:
        value = float(value)
    except OverflowError:
        raise ValueError("a measured value must be finite; got one too large for a float") from None
    if not math.isfinite(value):
        raise ValueError(f"a measured value must be finite; got {value}")
    if unit == "percent" and not 0 <= value <= 1:
        raise ValueError(f"a percentage is given as a share between 0 and 1; got {value}")
    return value


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _number(value: float, unit: str, more: int = 0) -> str:
    """At most three figures, but a share is never rounded to 0 or 100 % unless it is exactly that.

    It has as many decimals as that takes, and no power of ten: 0.0000001 %. A number as small as
    the rounding error of double precision is not written out, since its figures are random and
    differ in every run. ``more`` asks for further figures.
    """
    if unit in SHARES:
        value = round(100 * value, SHARE_DECIMALS)
        for decimals in range(1 + more, SHARE_DECIMALS + 1):
            text = f"{value:.{decimals}f}"
            if float(text) not in (0.0, 100.0) or float(text) == value:
                return text.replace("-", "−")
    if 0 < abs(value) < ROUNDING:
        return "less than 10⁻¹²"
    if value == int(value):
        return f"{value:,.0f}".replace("-", "−")
    if abs(value) >= 1000:
        return f"{value:,.{more}f}".replace("-", "−")
    figures, _, power = f"{value:.{3 + more}g}".partition("e")
    power = f" × 10{str(int(power)).translate(_RAISED)}" if power else ""
    return figures.replace("-", "−") + power


def _ends(low: float, high: float, unit: str) -> tuple[str, str]:
    """Both ends of a range, with a few more figures if they would look alike."""
    for more in range(1 + MORE_FIGURES):
        ends = _number(low, unit, more), _number(high, unit, more)
        if low == high or ends[0] != ends[1]:
            break
    return ends


def _suffix(unit: str) -> str:
    return {"": "", "percent": " %", "seconds": " s"}.get(unit, f" {unit}")


def _with_unit(value: float, unit: str) -> str:
    return f"{_number(value, unit)}{_suffix(unit)}"
