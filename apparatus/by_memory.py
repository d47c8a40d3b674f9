"""Answers that do not compute: they repeat, count, guess or recognise what they were asked.

`Audit` runs the right answer to an exercise under some seeds, which is all that such an answer can
have learnt, and then tries every strategy under other seeds. It reports for each property which
strategy got its points, and how often.

    audit = Audit("find-the-bug: test_a", exercise, right)
    passed = audit.passed(seeds=range(20))      # by property and strategy, the number of seeds

The strategies know more than a student could:

constant     one value for all inputs: each that the right answer ever gave to this property, each
             of CONSTANTS, and its errors
counter      the k-th call gets what the k-th call of another run got, where k counts the calls of a
             round of a property, or of the whole run; also the majority over all runs
random       one of the results that the right answer gave to this property, if possible for inputs
             of the same shapes; and coins with several biases
form         a result of the right form, filled with one number: see `Audit.formed`
fingerprint  the result that belonged to these inputs, to those nearest to them or to inputs of the
             same shapes; a function among the inputs is recognised by what it says to
             the values that others were asked about
"""

import copy
import hashlib
import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attn_class.exercises.calling import Number, Outcome, plain
from attn_class.exercises.frame import Exercise, NotAttempted, _here, same

CONSTANTS = (Number(True), Number(False), 0.0, 1.0, 0.5, "", (), ("", ""), torch.zeros(0))
LEARNT = 8  # runs of the right answer that the strategies have seen
PROBES = 3  # values on which a function among the inputs is recognised
MOST = 40  # different constants for each property
COINS = (0.5, 0.75, 0.9, 0.95)
FORMS = {"zeros": 0.0, "ones": 1.0, "a constant": 0.3, "uniform": None, "an input": 0.0}


class Place(NamedTuple):
    """Where in a run a call was made."""

    property: str
    round: int
    position: int


class Seen(NamedTuple):
    """A call of the right answer, and what came of it."""

    place: Place
    values: tuple
    outcome: Outcome
    run: int


Strategy = Callable[[Place, tuple], Outcome]


def own(number: object, code: str = "") -> str:
    """What the variant of a student is drawn from; ``code`` are the digits that they share."""
    return code + hashlib.sha256(str(number).encode()).hexdigest()[len(code) :]


class Audit:
    """What answers that do not compute get for an exercise.

    ``right`` is the right answer, or for tables to be handed in a function of the variant that
    makes the right ones. ``code`` is given where the right answer is right for one code alone.
    ``runs`` are those of the right answer that the strategies have seen.
    """

    def __init__(
        self,
        name: str,
        exercise: Exercise,
        right: Callable,
        code: str = "",
        made: bool = False,
        runs: int = LEARNT,
    ):
        self.name, self.exercise, self.right = name, exercise, right
        self._code, self._made = code, made
        self.seen: list[Seen] = []
        self.calls: list[int] = []
        for number in range(runs):
            self._learn(number)
        self._by_property: dict[str, list[Seen]] = defaultdict(list)
        for each in self.seen:
            self._by_property[each.place.property].append(each)
        self._probes = self._values_for_functions()
        self._known = {id(each): self._shape(each.values) for each in self.seen}
        self._marks: dict[int, object] = {}

    # ---- what the right answer does

    def _learn(self, number: int) -> None:
        seed, variant = f"learnt {number}", own(f"learnt {number}", self._code)
        right = (lambda: self.right(variant)) if self._made else self.right
        call, before = _here(right, self.exercise.without), len(self.seen)
        torch.manual_seed(number)  # for what the answer draws

        def noting(place: Place, values: tuple) -> Outcome:
            asked = tuple(_Heard(each) if callable(each) else each for each in values)
            outcome = call(list(asked))
            self.seen.append(Seen(place, _kept(asked), _detached(outcome), number))
            return outcome._replace(
                given=[
                    old if callable(old) else new
                    for old, new in zip(values, outcome.given, strict=True)
                ]
                if outcome.problem is None
                else outcome.given
            )

        lost = [each for each, holds in self.run(noting, seed, variant).items() if not holds]
        if lost:
            raise ValueError(f"the right answer to {self.name} has to pass {lost}")
        self.calls.append(len(self.seen) - before)

    def run(self, strategy: Strategy, seed: object, variant: str) -> dict[str, bool]:
        """Which properties hold, for an answer that is told where in the run it is asked."""
        at = {"property": "", "round": -1, "position": 0}

        def placed(each):
            def holds(answer, draw):
                again = at["property"] == each.name
                at.update(property=each.name, round=at["round"] + 1 if again else 0, position=-1)
                return each.holds(answer, draw)

            return each._replace(holds=holds)

        exercise = copy.copy(self.exercise)
        exercise._properties = [placed(each) for each in self.exercise.properties]

        def call(values: Sequence[object]) -> Outcome:
            at["position"] += 1
            return strategy(Place(**at), tuple(values))

        try:
            findings = list(exercise.findings(call, seed, variant))
        except NotAttempted:  # an error of the stub's is no answer
            return {}
        return {each.property.name: each.holds for each in findings}

    # ---- what others make of it

    def strategies(self, seed: object) -> Iterator[tuple[str, Strategy]]:
        """All of them, with a kind and a number in the name."""
        for number in range(max(map(len, self._constants().values()), default=0)):
            yield f"constant {number}", self._constant(number)
        for run in range(3):
            table = {each.place: each.outcome for each in self.seen if each.run == run}
            yield f"counter {run}", self._looked_up(table)
        yield "counter majority", self._looked_up(self._majority(lambda each: each.place))
        first = [each.outcome for each in self.seen if each.run == 0]
        yield "counter of the run", _replayed(first)
        rng = random.Random(f"{self.name} {seed}")
        yield "random", self._drawn(rng, alike=False)
        yield "random of this shape", self._drawn(rng, alike=True)
        if self._is_said():
            for share in COINS:
                yield f"random {share}", _coin(rng, share)
        yield "fingerprint exact", self._recognised(self._exact)
        yield "fingerprint shapes", self._recognised(self._shape_of)
        yield "fingerprint nearest", self._nearest

    def passed(self, seeds: Sequence[int], only: Container[str] = ()) -> dict[str, Counter]:
        """For each property, in how many of these seeds each strategy got its points."""
        found: dict[str, Counter] = {each.name: Counter() for each in self.exercise.properties}
        for seed in seeds:
            variant = own(f"tried {seed}", self._code)
            for name, strategy in self.strategies(seed):
                if only and name not in only:
                    continue
                torch.manual_seed(seed)
                holding = self.run(strategy, f"tried {seed}", variant)
                for each in found:
                    found[each][name] += holding.get(each, False)
        return found

    def formed(self) -> dict[str, set[str]]:
        """The properties that an answer gets whose results are right in nothing but their form."""
        found: dict[str, set[str]] = defaultdict(set)
        for run, (fill, number) in itertools.product(range(len(self.calls)), FORMS.items()):
            table = {
                each.place: Outcome(
                    _formed(
                        each.outcome.returned, number, each.values if fill == "an input" else ()
                    )
                )
                for each in self.seen
                if each.run == run and each.outcome.problem is None
            }
            seed = f"learnt {run}"
            holding = self.run(self._looked_up(table), seed, own(seed, self._code))
            found[fill] |= {each for each, holds in holding.items() if holds}
        return found

    def _constants(self) -> dict[str, list[Outcome]]:
        if not hasattr(self, "_found_constants"):
            self._found_constants = {}
            for name, seen in self._by_property.items():
                distinct = {_digest(each.outcome): each.outcome for each in seen}
                kept = list(distinct.values())[:: max(1, math.ceil(len(distinct) / MOST))]
                given = [Outcome(each) for each in CONSTANTS]
                self._found_constants[name] = kept + given
        return self._found_constants

    def _constant(self, number: int) -> Strategy:
        def constant(place: Place, values: tuple) -> Outcome:
            known = self._constants().get(place.property, [Outcome(0.0)])
            return _answered(known[number % len(known)], values)

        return constant

    def _looked_up(self, table: dict[Place, Outcome]) -> Strategy:
        def counter(place: Place, values: tuple) -> Outcome:
            at = [place, place._replace(round=0), place._replace(round=0, position=0)]
            found = next((table[each] for each in at if each in table), Outcome(0.0))
            return _answered(found, values)

        return counter

    def _majority(self, key: Callable[[Seen], object]) -> dict:
        votes: dict = defaultdict(Counter)
        kept = {}
        for each in self.seen:
            digest = _digest(each.outcome)
            kept[digest] = each.outcome
            votes[key(each)][digest] += 1
        return {at: kept[counted.most_common(1)[0][0]] for at, counted in votes.items()}

    def _drawn(self, rng: random.Random, alike: bool) -> Strategy:
        def drawn(place: Place, values: tuple) -> Outcome:
            seen = self._by_property[place.property] or self.seen
            if alike:
                shape = self._shape(values)
                seen = [each for each in seen if self._known[id(each)] == shape] or seen
            return _answered(rng.choice(seen).outcome, values)

        return drawn

    def _is_said(self) -> bool:
        """Whether the answer says yes or no."""
        returned = [each.outcome.returned for each in self.seen if each.outcome.problem is None]
        return all(isinstance(each, Number) and each in (0, 1) for each in returned) or all(
            isinstance(each, Tensor) and each.dtype == torch.bool and each.numel() == 1
            for each in returned
        )

    def _recognised(self, mark: Callable[[tuple], object]) -> Strategy:
        tables: dict[str, dict] = {}

        def known(place: Place, values: tuple) -> Outcome:
            if not tables:
                for name, seen in self._by_property.items():
                    votes: dict = defaultdict(Counter)
                    kept = {}
                    for each in seen:
                        digest = _digest(each.outcome)
                        kept[digest] = each.outcome
                        votes[mark(each.values)][digest] += 1
                    tables[name] = {
                        at: kept[counted.most_common(1)[0][0]] for at, counted in votes.items()
                    } | {None: self._by_property[name][0].outcome}
            table = tables.get(place.property, {None: Outcome(0.0)})
            return _answered(table.get(mark(values), table[None]), values)

        return known

    def _exact(self, values: tuple) -> str:
        return "/".join(
            _digest(self._said(each, place)) if callable(each) else _digest(each)
            for place, each in enumerate(values)
        )

    def _shape_of(self, values: tuple) -> object:
        return self._shape(values)

    def _nearest(self, place: Place, values: tuple) -> Outcome:
        seen = self._by_property[place.property] or self.seen
        asked = self._mark(values)
        near = min(seen, key=lambda each: _distance(asked, self._mark(each.values, each)))
        return _answered(near.outcome, values)

    def _mark(self, values: tuple, of: Seen | None = None) -> list:
        if of is not None and id(of) in self._marks:
            return self._marks[id(of)]
        found = [
            _digest(self._said(each, place)).encode() if callable(each) else each
            for place, each in enumerate(values)
        ]
        if of is not None:
            self._marks[id(of)] = found
        return found

    def _shape(self, values: tuple) -> tuple:
        return tuple(
            _shape(self._said(each, place)) if callable(each) else _shape(each)
            for place, each in enumerate(values)
        )

    # ---- functions among the inputs

    def _values_for_functions(self) -> dict[int, list[tuple]]:
        """By place among the inputs, what functions were asked about."""
        found: dict[int, list[tuple]] = defaultdict(list)
        for each in self.seen:
            for place, value in enumerate(each.values):
                if isinstance(value, _Heard) and value.first is not None:
                    found[place].append(value.first)
        return {
            place: all_[:: max(1, len(all_) // PROBES)][:PROBES] for place, all_ in found.items()
        }

    def _said(self, function: Callable, place: int) -> tuple:
        """What a function says to those values, to three digits."""
        if isinstance(function, _Heard):
            if function.mark is None:
                function.mark = self._ask(function.function, place)
            return function.mark
        return self._ask(function, place)

    def _ask(self, function: Callable, place: int) -> tuple:
        return tuple(_told(function, values) for values in self._probes.get(place, []))


class _Heard:
    """A function among the inputs, which remembers what it was first asked about."""

    def __init__(self, function: Callable):
        self.function, self.first, self.mark = function, None, None
        self.__name__ = "function"

    def __call__(self, *values: object) -> object:
        if self.first is None:
            self.first = tuple(_kept(list(values)))
        return self.function(*values)

    def __deepcopy__(self, memo: dict) -> "_Heard":
        return self


def _formed(value: object, fill: float | None, inputs: Sequence[object]) -> object:
    """A value of the same form: one of the inputs, or filled with one number or equal shares."""
    if isinstance(value, tuple):
        return tuple(_formed(each, fill, inputs) for each in value)
    kind = str if isinstance(value, str) else Tensor
    alike = [each for each in inputs if isinstance(each, kind) and _shape(each) == _shape(value)]
    if alike and isinstance(value, kind):
        return alike[0]
    if isinstance(value, Tensor):
        share = 1 / value.shape[-1] if value.dim() and value.shape[-1] else 1.0
        return torch.full_like(value.detach(), share if fill is None else fill)
    if isinstance(value, Number):
        return Number(type(value.was)(fill or 0))
    if isinstance(value, float):
        return 0.5 if fill is None else fill
    if isinstance(value, str):
        return "a" * len(value) if fill else ""
    return value


def _told(function: Callable, values: tuple) -> object:
    try:
        with torch.no_grad():
            told = plain(function(*copy.deepcopy(values)))
    except Exception as error:
        return type(error).__name__
    if isinstance(told, Tensor):
        return (told.double() * 1000).round() / 1000
    return told


def _kept(value: object) -> object:
    """A copy outside any graph."""
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, list | tuple):
        return type(value)(_kept(each) for each in value)
    return value


def _detached(outcome: Outcome) -> Outcome:
    return Outcome(_kept(outcome.returned), (), outcome.problem)


def _answered(outcome: Outcome, values: tuple) -> Outcome:
    """The outcome for these inputs; it has a graph if they have one, whose gradients are zero."""
    if outcome.problem is not None:
        return outcome
    total = sum(
        0 * each.sum() for each in values if isinstance(each, Tensor) and each.requires_grad
    )

    def joined(value: object) -> object:
        if isinstance(value, Tensor):
            grows = isinstance(total, Tensor) and value.is_floating_point()
            return value + total.to(value.dtype) if grows else value.clone()
        return tuple(map(joined, value)) if isinstance(value, tuple) else value

    return Outcome(joined(outcome.returned), values)


def _replayed(outcomes: Sequence[Outcome]) -> Strategy:
    """The k-th call of a run gets what the k-th call of another run got."""
    count = iter(range(10**9))

    def counter(place: Place, values: tuple) -> Outcome:
        return _answered(outcomes[next(count) % len(outcomes)], values)

    return counter


def _coin(rng: random.Random, share: float) -> Strategy:
    return lambda place, values: Outcome(Number(rng.random() < share), values)


def _digest(value: object) -> str:
    if isinstance(value, Outcome):
        return f"raised {value.problem.kinds}" if value.problem else _digest(value.returned)
    if isinstance(value, Tensor):
        data = value.detach().double().numpy().tobytes()
        return f"{tuple(value.shape)}{hashlib.sha256(data).hexdigest()}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_digest, value))}]"
    return repr(value)


def _shape(value: object) -> object:
    if isinstance(value, Tensor):
        return str(value.dtype), tuple(value.shape)
    if isinstance(value, str):
        return "text"
    if isinstance(value, dict):
        return "table", len(value)
    if isinstance(value, list | tuple):
        return tuple(map(_shape, value)) if len(value) < 30 else len(value)
    return type(value).__name__


def _distance(one: object, two: object) -> float:
    """How far two inputs are apart; what is of another shape or kind is far away."""
    if one is two:
        return 0.0
    if isinstance(one, Tensor) and isinstance(two, Tensor):
        if one.shape != two.shape:
            return 1e6
        gap = (one.detach().double() - two.detach().double()).abs().nan_to_num(nan=1e3, posinf=1e3)
        return gap.mean().item() if gap.numel() else 0.0
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        parts = [_distance(*each) for each in zip(one, two, strict=False)]
        return sum(parts) + 10.0 * abs(len(one) - len(two))
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(float(one) - float(two)) if one == one and two == two else 1e3
    if isinstance(one, str) and isinstance(two, str):
        return sum(a != b for a, b in zip(one, two, strict=False)) + abs(len(one) - len(two))
    return 0.0 if type(one) is type(two) and same(one, two) else 1e6
