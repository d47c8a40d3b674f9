"""What all exercises share: properties that an answer must have, and the verdict.

An exercise is a list of properties, tried in the order in which they are written. Each says what
must hold, and what it usually means when it does not. Most are cases: kinds of inputs on which an
answer must do what the solution does.

    exercise = Exercise(
        "weights(scores)",
        minutes=15,
        difficulty="moderate",
        solution=lambda scores: scores.softmax(dim=-1),
        cases=[Case("The weights are a softmax.", lambda draw: {"scores": draw.normal(3, 5)})],
        slips={"Each row sums to one: dim=-1.": [lambda scores: scores.softmax(dim=0)]},
    )

Where several answers are right, a property judges the answer itself:

    @exercise.must("Each row of weights sums to one.", hint="Is the softmax over the source?")
    def rows_sum_to_one(answer, draw):
        return same(answer(scores=draw.normal(3, 5)).sum(dim=-1), torch.ones(3))

The verdict on an answer names the first property that fails, with the inputs on which it failed. An
answer that has not been started, or that raises an error, gets a verdict too: a check never breaks
a notebook.
"""

import copy
import functools
import hashlib
import inspect
import secrets
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from markupsafe import Markup
from torch import Tensor

from attn_class.exercises.calling import (
    Number,
    Outcome,
    Problem,
    Upstream,
    attempt,
    floating,
    plain,
    pulled,
    with_gradients,
)
from attn_class.forbidden import KINDS, without

ROUNDS = 3  # each property is tried on this many inputs
LONGEST = 1_000  # characters of a text, and eight times as many of a list; the rest is cut off
MOST_NUMBERS = 50  # numbers; for a larger tensor, only the shape is shown
MASK = 2_000  # entries of a mask that is drawn
SMALL = 2_000  # numbers in a value that an answer gives to a function of ours
LONG = 16  # lines; a longer example is folded
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
MISPLACED = ("same device", "cuda", "mps")  # in an error that is about where a tensor is
DIFFICULTIES = ("warm-up", "moderate", "hard")
CHANGED = "leaves_its_inputs_alone"  # what fails where an input is not as it was

_WEAK = (
    "This holds, but it also holds for answers that compute nothing. It counts once another "
    "property holds that requires a computation."
)

_LATE = (
    "What was found before counts. Does it wait for something, or is there a loop in Python that "
    "one operation on whole tensors could replace?"
)
_CUT = (
    "A model that is trained learns through this function. Wrong results have wrong "
    "gradients: if properties of the result fail, begin there. If they hold, something "
    "cuts the graph: detach(), no_grad(), item(), tolist(), numpy() or a tensor made anew "
    "from numbers."
)
_READ = "Read the last line first: it says what went wrong. Do the shapes fit together?"
_ELSEWHERE = (
    "All inputs are on the CPU, whether or not there is a GPU, and a function among them works "
    "there. Make a new tensor where an input x is, such as torch.zeros(3, device=x.device). "
    "The result may be anywhere."
)


# calls the learner's function, here or elsewhere, and sends gradients up to what it returned
Call = Callable[[Sequence[object], Upstream], Outcome]


class Property(NamedTuple):
    """A property that must hold for any inputs.

    A ``weak`` one holds for answers that compute nothing, too, such as one that returns the same
    weights for all scores. It earns points only beside one that is not weak.
    """

    name: str
    claim: str
    hint: str
    holds: Callable[["Answer", "Draw"], bool]
    points: int
    weak: bool = False


class Case(NamedTuple):
    """A kind of input on which an answer must do what the solution does: numbers or errors.

    ``inputs`` draws them by their names: one call, or a list of several.

    A ``weak`` case, for short a `Weak` one, is one that an answer which computes nothing may pass:
    see `Property`. Where an answer ``may_refuse`` the input, any error is as good as the result. Of
    several results, one ``part`` alone may count. Where less than the result must be that of the
    solution, ``summary`` is what: a function of the results of all calls. ``alike`` compares, by
    default to five digits.
    """

    claim: str
    inputs: Callable[["Draw"], dict | list[dict]]
    hint: str = ""
    weak: bool = False
    may_refuse: bool = False
    part: int | None = None
    points: int = 1
    summary: Callable | None = None
    alike: Callable[[object, object], bool] | None = None


Weak = functools.partial(Case, weak=True)


def case(inputs: Callable, summary: Callable | None = None, **more: object) -> Callable[..., Case]:
    """A `Case` whose words come last: ``case(inputs, points=2)(claim, hint)``."""
    return lambda claim, hint: Case(claim, inputs, hint, summary=summary, **more)


class Finding(NamedTuple):
    """What came out of one property: whether it holds, and if not, what to tell the learner.

    ``failed``, ``claim`` and ``hint`` are those of the property, unless the function could not be
    tested at all: then they say why. ``inputs`` are those on which it failed.
    """

    property: Property
    holds: bool
    failed: str = ""
    claim: str = ""
    example: str = ""
    hint: str = ""
    inputs: Collection[object] = ()


@dataclass(frozen=True)
class Verdict:
    """What a check found: "not attempted", "wrong" or "right".

    ``failed`` is the name of the property that does not hold, and ``claim`` states it in a
    sentence; ``example`` shows the inputs on which it failed, and ``hint`` says what that usually
    means. ``passed`` lists the claims that were tried before and hold. ``effort`` says how long the
    exercise takes and how hard it is, until it is attempted.
    """

    status: str
    failed: str = ""
    claim: str = ""
    example: str = ""
    hint: str = ""
    passed: tuple[str, ...] = ()
    effort: str = ""

    @property
    def headline(self) -> str:
        return {
            "right": f"Right. All {len(self.passed)} properties hold.",
            "wrong": f"Not right yet. This does not hold: {self.claim}",
            "not attempted": "Not attempted yet.",
        }[self.status]

    def __repr__(self) -> str:
        parts = [self.headline, self.effort, self.hint, textwrap.indent(self.example, "    ")]
        return "\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        colour = {
            "right": "var(--attn-context,#009e73)",
            "wrong": "var(--attn-wrong,#c0639a)",
            "not attempted": "var(--attn-edge,#85837b)",
        }[self.status]
        effort, hint = Markup('<p class="attn-effort">{}</p>'), Markup("<p>{}</p>")
        return Markup(
            '<div class="attn-verdict attn-verdict-{}" style="border-inline-start:3px solid {};'
            'padding:.2em 1em;margin:1em 0"><p><strong>{}</strong></p>{}{}{}{}</div>'
        ).format(
            self.status.replace(" ", "-"),
            colour,
            self.headline,
            effort.format(self.effort) if self.effort else "",
            hint.format(self.hint) if self.hint else "",
            self._folded_example(),
            self._folded_claims(),
        )

    def _folded_example(self) -> Markup:
        if not self.example:
            return Markup("")
        # wrapped, because a box that scrolls sideways cannot be scrolled with the keyboard
        return Markup(
            "<details{}><summary>On this input</summary>"
            '<pre style="white-space:pre-wrap">{}</pre></details>'
        ).format(" open" if self.example.count("\n") < LONG else "", self.example)

    def _folded_claims(self) -> Markup:
        if not self.passed:
            return Markup("")
        claims = Markup("").join(map(Markup("<li>{}</li>").format, self.passed))
        folded = Markup(
            "<details><summary>What was tried, and holds</summary><ul>{}</ul></details>"
        )
        return folded.format(claims)


class Exercise:
    """The properties of an exercise, and the check of an answer against them.

    ``call`` shows how the answer is called, such as ``"weights(scores, readable)"``; ``without``
    names the kinds of functions that the text forbids, of `forbidden.KINDS`. ``minutes`` is how
    long it takes somebody who has read the chapter, and ``difficulty`` is one of `DIFFICULTIES`.

    As a table, an exercise has a ``solution``, which an answer must do alike in all ``cases``, in a
    list or by the names of their properties, which are otherwise the claims; and with
    ``gradients``, a function that draws inputs, also backwards. ``slips`` are wrong answers by the
    hint that belongs to them, which whoever makes the same mistake is told: each a function, or a
    part of the solution's text and what stands there instead. For those below "" the hint of the
    case will do. ``shape`` is the hint for a result of another shape than the solution's, ``cut``
    that for a graph that is cut.
    """

    def __init__(
        self,
        call: str,
        without: Sequence[str] = (),
        minutes: int = 0,
        difficulty: str = "",
        solution: Callable | None = None,
        cases: Sequence[Case] | Mapping[str, Case] = (),
        slips: Mapping[str, Sequence[Callable | tuple[str, ...]]] | None = None,
        gradients: Callable[["Draw"], dict] | None = None,
        cut: str = _CUT,
        shape: str = "",
    ):
        if difficulty not in ("", *DIFFICULTIES):
            raise ValueError(f"difficulty must be one of {DIFFICULTIES}; got {difficulty!r}")
        if not set(without) <= set(KINDS):
            raise ValueError(f"without must be of {', '.join(KINDS)}; got {list(without)}")
        self.call, self.without = call, tuple(without)
        self.minutes, self.difficulty = minutes, difficulty
        self.solution, self._slips, self.shape = solution, slips or {}, shape
        by_name = cases if isinstance(cases, Mapping) else {case.claim: case for case in cases}
        self.cases = tuple(by_name.values())
        self._properties = [self._property(*named) for named in by_name.items()]
        if gradients is not None:
            self.must_pass_gradients(solution, gradients, cut)

    @property
    def effort(self) -> str:
        """The minutes and the difficulty in words, which the page shows below the title."""
        return f"About {self.minutes} minutes, {self.difficulty}." if self.minutes else ""

    @property
    def properties(self) -> tuple[Property, ...]:
        return tuple(self._properties)

    @functools.cached_property
    def slips(self) -> tuple[tuple[str, Callable], ...]:
        """The wrong answers that are known, each after its hint."""
        return tuple(
            (hint, slip if callable(slip) else changed(self.solution, *slip))
            for hint, slips in self._slips.items()
            for slip in slips
        )

    @property
    def function(self) -> str:
        """The name of the function that is asked for."""
        return self.call.split("(")[0]

    def _property(self, name: str, case: Case) -> Property:
        """That an answer does what the solution does."""

        def holds(answer: "Answer", draw: "Draw") -> bool:
            drawn = case.inputs(draw)
            several = [drawn] if isinstance(drawn, dict) else drawn
            if case.summary is None:
                return all(self._does_the_same(answer, inputs, case) for inputs in several)
            results = [answer(**inputs) for inputs in several]
            expected = [plain(self.solution(*map(_copy, one.values()))) for one in several]
            return (case.alike or same)(case.summary(*results), case.summary(*expected))

        holds.__module__ = self.solution.__module__  # in whose module the exercise stands
        return Property(name, case.claim, case.hint, holds, case.points, case.weak)

    def _does_the_same(self, answer: "Answer", inputs: dict, case: Case) -> bool:
        try:
            expected = plain(self.solution(*map(_copy, inputs.values())))
        except Exception as error:
            return answer.refuses(type(error), **inputs)
        if case.may_refuse and answer.refuses(Exception, **inputs):
            return True
        if case.part is None:
            return answer.gives(expected, case.alike, **inputs)
        answer(**inputs)
        return answer.gave(expected, case.part)

    def must(self, claim: str, hint: str, points: int = 1, weak: bool = False) -> Callable:
        """Add a property: a function of the answer and a `Draw`, True if the property holds.

        If it has a third parameter, it is given what the function noted by `draws` has drawn.
        """

        def add(holds: Callable) -> Callable:
            @functools.wraps(holds)  # in whose module the exercise stands
            def with_inputs(answer: "Answer", draw: "Draw") -> bool:
                return holds(answer, draw, self._inputs(draw))

            tried = with_inputs if len(inspect.signature(holds).parameters) > 2 else holds
            self._properties.append(Property(holds.__name__, claim, hint, tried, points, weak))
            return holds

        return add

    def must_also(self, claim: str, hint: str, points: int = 1) -> Callable:
        """Add a weak property, which counts only beside another: see `Property`."""
        return self.must(claim, hint, points, weak=True)

    def draws(self, inputs: Callable) -> Callable:
        """Note the function of a `Draw` that draws the inputs of most properties."""
        self._inputs = inputs
        return inputs

    def must_pass_gradients(
        self, like: Callable, inputs: Callable[["Draw"], dict], hint: str = _CUT
    ) -> None:
        """Add the property that gradients reach the inputs as they do through ``like``."""

        @self.must(
            "Gradients reach everything that the result is computed from.",
            hint=hint,
        )
        def gradients_pass(answer: "Answer", draw: "Draw") -> bool:
            return answer.passes_gradients(like, draw, **inputs(draw))

    def check(self, function: Callable, seed: int | None = None) -> Verdict:
        """Try the properties in turn; the first that fails decides.

        Inputs are drawn anew in every check, unless a seed is given, and on the CPU, whatever the
        notebook's default device.
        """
        if not self._properties:
            raise ValueError(f"the exercise {self.call} has no properties to check")
        if function is None or function is ...:
            hint = f"Write a function: {self.call}"
            return Verdict("not attempted", hint=hint, effort=self.effort)
        if not callable(function):
            hint = f"Pass the function itself, without brackets. It is called as {self.call}"
            return Verdict("wrong", "is_a_function", "The answer is a function.", hint=hint)
        passed = []
        try:
            with _on_the_cpu():
                for finding in self._tried(_here(function, self.without), seed):
                    if not finding.holds:
                        return Verdict("wrong", *finding[2:6], tuple(passed))
                    passed.append(finding.claim)
        except NotAttempted as stop:
            hint = f"{stop} It is called as {self.call}"
            return Verdict("not attempted", hint=hint, effort=self.effort)
        return Verdict("right", passed=tuple(passed))

    def findings(self, call: Call, seed: object = None, own: str = "") -> Iterator[Finding]:
        """Try each property, whether or not the others hold; weak ones count beside another only.

        ``own`` is the text from which a student's own variant is drawn: see `Draw`. Raises
        `NotAttempted` if the function is still the stub.
        """
        findings = list(self._tried(call, seed, own))
        computes = any(
            one.holds or one.failed == CHANGED for one in findings if not one.property.weak
        )
        for one in findings:
            counts = computes or not one.property.weak or not one.holds
            yield one if counts else one._replace(holds=False, failed="counts", hint=_WEAK)

    def _tried(self, call: Call, seed: object = None, own: str = "") -> Iterator[Finding]:
        """Try each property for itself; inputs that are changed cost the first that would hold."""
        seed = secrets.token_hex() if seed is None else seed
        call, is_reported = _Remembering(call), False
        for tried in self.properties:
            finding, changed = Finding(tried, True, claim=tried.claim), ()
            for round_ in range(ROUNDS):
                if not finding.holds:
                    break
                answer = Answer(call)
                try:
                    if tried.holds(answer, Draw(seed, tried.name, round_, own=own)):
                        changed = changed or answer.changed
                        continue
                except _Refused as stop:
                    if stop.problem.unfinished and not call.returned:
                        raise NotAttempted(_unfinished(stop.problem)) from stop
                    slip = self._slip(tried, answer)
                    words = (tried.name, tried.claim, stop.words[2], slip) if slip else stop.words
                    finding = Finding(tried, False, *words, answer.inputs.values())
                    continue
                except Exception:  # the result is of a kind that the property cannot read
                    pass
                hint = self._slip(tried, answer) or tried.hint
                words = (tried.name, tried.claim, answer.example(), hint)
                finding = Finding(tried, False, *words, answer.inputs.values())
            if finding.holds and changed and not is_reported:
                finding, is_reported = Finding(tried, False, *changed), True
            yield finding

    def _slip(self, tried: Property, answer: "Answer") -> str:
        """The hint for a result of another shape, or of the slip that does the same here."""
        if not any(case.claim == tried.claim for case in self.cases):
            return ""
        if self.shape and "expected" in answer.results:
            returned, expected = answer.results.values()
            if _form(returned) != _form(expected):
                return self.shape
        values = list(answer.inputs.values())
        did = (hint for hint, slip in self.slips if alike(_here(slip)(values), answer.outcome))
        return next(did, "")


def _on_the_cpu() -> AbstractContextManager:
    """Have tensors made on the CPU; where they are made there anyway, that costs nothing."""
    return nullcontext() if torch.empty(0).is_cpu else torch.device("cpu")


def _unfinished(problem: Problem) -> str:
    if "NotImplementedError" in problem.kinds:
        return "The function still raises NotImplementedError."
    return problem.text


class Answer:
    """A learner's function, which remembers how it was called and what it returned."""

    def __init__(self, call: Call):
        self._call = call
        self.inputs: dict[str, object] = {}
        self.outcome = Outcome()  # of the last call
        self.results: dict[str, object] = {}
        self.changed: tuple[str, ...] = ()  # what to say of an input that is not as it was

    def __call__(self, **inputs: object) -> object:
        """Call the function on copies of the inputs, and note whether it changed them.

        A result is compared in the precision of the inputs: where none of them is float64, it is
        made float32.
        """
        return self._called(inputs)

    def gradients(self, upstream: Upstream, **inputs: object) -> dict[str, Tensor] | None:
        """What reaches those inputs that require a gradient, by name; None if the graph is cut.

        ``upstream`` has what is sent to each floating-point tensor of the result, or None.
        """
        self._called(inputs, upstream)
        leaves = [name for name, value in inputs.items() if getattr(value, "requires_grad", False)]
        gradients = self.outcome.gradients
        return None if gradients is None else dict(zip(leaves, gradients, strict=True))

    def _called(self, inputs: dict[str, object], upstream: Upstream = None) -> object:
        self.inputs, self.results = inputs, {}
        self.outcome = self._call(list(inputs.values()), upstream)
        returned, problem = self.outcome.returned, self.outcome.problem
        if problem is not None:
            raise _Refused(problem, *self._raised(problem))
        for (name, before), after in zip(inputs.items(), self.outcome.inputs, strict=True):
            if not callable(before) and not same(before, after):
                self.changed = self.changed or self._changed(name, before, after)
        self.results = {"returned": returned}
        if any(tensor.dtype == torch.float64 for tensor in floating([*inputs.values()])):
            return returned
        return _single(returned)

    def gives(self, expected: object, alike: Callable | None = None, /, **inputs: object) -> bool:
        """Whether these inputs give the expected result, by default to five digits."""
        result = self(**inputs)
        self.results["expected"] = expected
        return (alike or same)(result, expected)

    def gave(self, expected: Sequence[object], part: int) -> bool:
        """Whether one part of the last result was the expected one."""
        self.results["expected"] = expected
        return same(self.results["returned"][part], expected[part])

    def agrees(self, like: Callable, **inputs: object) -> bool:
        """Whether these inputs give what they give with another function."""
        return self.gives(like(**inputs), **inputs)

    def refuses(self, kind: type[Exception], **inputs: object) -> bool:
        """Whether these inputs raise this kind of error."""
        try:
            self(**inputs)
        except _Refused as stop:
            if stop.problem.unfinished:
                raise
            return kind.__name__ in stop.problem.kinds
        return False

    def passes_gradients(self, like: Callable, draw: "Draw", **inputs: object) -> bool:
        """Whether gradients reach the inputs as they do through ``like``, a function of them."""
        leaves = {
            name: value.detach().clone().requires_grad_()
            for name, value in inputs.items()
            if isinstance(value, Tensor) and value.is_floating_point()
        }
        wanted = plain(like(**inputs | leaves))
        upstream = [
            draw.normal(*result.shape) if result.requires_grad else None
            for result in floating(wanted)
        ]
        try:
            gradients = self.gradients(upstream, **inputs | leaves)
        except _Refused:  # such as numpy(), which takes no tensor that requires a gradient
            return False
        expected = pulled(wanted, [*leaves.values()], upstream)
        return gradients is not None and same((*gradients.values(),), expected)

    def example(self) -> str:
        """The inputs and the result of the last call, as text."""
        values = self.inputs | self.results
        text = "\n".join(f"{name} = {shown(value)}" for name, value in values.items())
        return text + ("\n(■ is True, · is False)" if "■" in text else "")

    def _raised(self, problem: Problem) -> tuple[str, str, str, str]:
        """An error raised by the learner's code, with the line that it came from."""
        if "OutOfTime" in problem.kinds:
            return "in_time", "The function comes to its results in time.", problem.text, _LATE
        shapes = [f"{name} is {described(value)}" for name, value in self.inputs.items()]
        misplaced = any(word in problem.text.lower() for word in MISPLACED)
        return (
            "runs",
            "The function runs on a small input.",
            "\n".join(part for part in [*shapes, problem.where, problem.text] if part),
            _ELSEWHERE if misplaced else _READ,
        )

    def _changed(self, name: str, before: object, after: object) -> tuple[str, str, str, str]:
        return (
            CHANGED,
            f"The function leaves {name} as it was.",
            f"{name} before: {shown(before)}\n{name} after: {shown(after)}",
            "Something works in place, such as x += 1, x[...] = 0 or x.masked_fill_(...), so "
            "whoever called the function now has other numbers. Make a new tensor instead.",
        )


class Size:
    """A size that every draw chooses anew, between a least and a largest one.

    Pass it wherever a draw takes a size: ``draw.normal(TARGET, SOURCE)``. ``draw[SOURCE]`` is the
    number, and ``draw[TARGET, SOURCE]`` are two numbers. Sizes that may be 1, such as that of a
    batch, are 1 in the first round of every property.
    """

    def __init__(self, least: int, largest: int):
        self.least, self.largest = least, largest


class Draw:
    """Small random inputs: different ones for each seed, property and round.

    Scores computed from them stay small, since a saturated softmax would let wrong answers pass.
    ``own`` is a text that stays the same for one student, whatever is handed in. The student knows
    only its first eight digits, which are their code.
    """

    def __init__(self, *seed: object, own: str = ""):
        self.own = own
        digest = hashlib.sha256("/".join(map(str, seed)).encode()).digest()
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))
        self._sizes: dict[Size, int] = {}
        self._first = seed[-1] == 0

    def __getitem__(self, size):
        """The number that this size is in this draw: if possible a prime, and no other size's."""
        if isinstance(size, tuple):
            return tuple(self[one] for one in size)
        if isinstance(size, int):
            return size
        if size not in self._sizes:
            possible = range(size.least, size.largest + 1)
            free = [number for number in possible if number not in self._sizes.values()]
            choice = [number for number in free if number in PRIMES] or free or list(possible)
            alone = size.least == 1 and self._first
            self._sizes[size] = 1 if alone else choice[self.integer(len(choice))]
        return self._sizes[size]

    def normal(self, *shape: Size | int, scale: float = 0.5) -> Tensor:
        return scale * torch.randn([self[size] for size in shape], generator=self._generator)

    def booleans(self, *shape: Size | int, share: float = 0.5) -> Tensor:
        return torch.rand([self[size] for size in shape], generator=self._generator) < share

    def integer(self, below: Size | int) -> int:
        return int(torch.randint(self[below], (), generator=self._generator))

    def shuffled(self, items: Sequence) -> list:
        """The same items in an order that is drawn."""
        order = torch.randperm(len(items), generator=self._generator).tolist()
        return [items[place] for place in order]


def small(function: Callable, numbers: int = SMALL) -> Callable:
    """The function, for inputs of at most so many numbers each: who asks decides what it costs.

    Give it to an answer instead of a function that computes in the grader's own program.
    """

    @functools.wraps(function)
    def refusing(*values: object) -> object:
        for value in values:
            size = _numbers_in(value)
            if size > numbers:
                raise ValueError(
                    f"{function.__name__} was given {size:,} numbers, and takes {numbers:,}"
                )
        return function(*values)

    return refusing


def _numbers_in(value: object) -> int:
    if isinstance(value, Tensor):
        return value.numel()
    return sum(map(_numbers_in, value)) if isinstance(value, list | tuple) else 1


class NotAttempted(Exception):
    """The learner has not started yet: the function is still the stub."""


def same(one: object, two: object, nan: bool = False) -> bool:
    """Whether two results agree to five digits, whatever their precision; NaN only if asked."""
    if isinstance(one, tuple) != isinstance(two, tuple):
        one, two = vector(one), vector(two)
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(same(*pair, nan) for pair in zip(one, two, strict=True))
    if isinstance(one, Tensor | float) and isinstance(two, Tensor | float):
        one, two = (torch.as_tensor(part).detach().double() for part in (one, two))
        return one.shape == two.shape and torch.allclose(one, two, 1e-4, 1e-5, nan)
    return one == two


def alike(one: Outcome, two: Outcome) -> bool:
    """Whether two answers came to the same result, NaN included, or to the same kind of error."""
    if one.problem is None and two.problem is None:
        return same(one.returned, two.returned, nan=True)
    return bool(one.problem and two.problem) and one.problem.kinds == two.problem.kinds


def _form(value: object) -> object:
    """The shape of a tensor, those of all tensors in a tuple, the type of anything else."""
    value = vector(value)
    if isinstance(value, tuple):
        return [_form(part) for part in value]
    shape = torch.as_tensor(value).shape if isinstance(value, Tensor | float) else None
    return type(value) if shape is None else shape


def changed(right: Callable, *texts: str) -> Callable:
    """The function whose text is that of another, without decorators, one part exchanged.

    texts  what is there, what comes into its place, and so on in pairs

    Raises ValueError if the text does not hold a part exactly once.
    """
    text = textwrap.dedent(inspect.getsource(right))
    text = text[text.index("def ") :]
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        if text.count(old) != 1:
            raise ValueError(f"{old!r} is {text.count(old)} times in {right.__name__}")
        text = text.replace(old, new)
    names: dict[str, Callable] = {}
    exec(text, right.__globals__, names)
    answer = names[right.__name__]
    answer.text = text
    return answer


def vector(value: object) -> object:
    """A tuple of numbers, or of tensors of one shape, as one tensor; anything else as it is."""
    if isinstance(value, tuple) and value and all(isinstance(part, float) for part in value):
        return torch.tensor(value)
    if isinstance(value, tuple) and value and all(isinstance(part, Tensor) for part in value):
        alike = len({part.shape for part in value}) == 1
        return torch.stack(value) if alike else value
    return torch.empty(0) if isinstance(value, tuple) and not value else value


def shaped(result: object, *shape: int) -> bool:
    """Whether a result is one tensor of this shape."""
    return isinstance(result, Tensor) and tuple(result.shape) == shape


def described(value: object) -> str:
    """A value in a few words: the shape of a tensor, or the beginning of a long text."""
    if isinstance(value, Tensor):
        kind = "booleans" if value.dtype == torch.bool else "numbers"
        return f"{kind} {tuple(value.shape)}"
    text = getattr(value, "__name__", None) or repr(value)
    most = LONGEST if isinstance(value, str) else 8 * LONGEST
    return text if len(text) <= most else f"{text[:most]} ... ({len(text):,} characters)"


def shown(value: object) -> str:
    """A value as a learner sees it: in full if it is small, otherwise its shape."""
    if isinstance(value, tuple) and all(isinstance(part, float) for part in value):
        return f"[{', '.join(map(_figure, value))}]"
    if isinstance(value, tuple):
        return "".join(f"\n  {shown(part).strip()}" for part in value)
    is_mask = isinstance(value, Tensor) and value.dtype == torch.bool and value.dim() == 2
    if is_mask and value.numel() <= MASK and len(value) <= MASK:
        rows = ["".join("■" if true else "·" for true in row) for row in value.tolist()]
        return "".join(f"\n  {row}" for row in rows)
    if not isinstance(value, Tensor) or value.numel() > MOST_NUMBERS:
        return described(value)
    numbers = value.detach().cpu().numpy()
    text = np.array2string(numbers, precision=3, suppress_small=True, separator=", ")
    return text if "\n" not in text else "\n" + textwrap.indent(text, "  ")


def _figure(number: float) -> str:
    return repr(number) if isinstance(number, Number) else f"{number:g}"


def _here(function: Callable, names: Sequence[str] = ()) -> Call:
    """Call the function in this process, on copies."""

    def call(values: Sequence[object], upstream: Upstream = None) -> Outcome:
        with without(*names):
            outcome = attempt(function, [_copy(value) for value in values])
            return with_gradients(outcome, values, upstream)

    return call


def _copy(value: object) -> object:
    # a clone stays in the graph, so that a property can ask for gradients
    return value.clone() if isinstance(value, Tensor) else copy.deepcopy(value)


def _single(result: object) -> object:
    """The floating-point tensors of a result in float32."""
    if isinstance(result, tuple):
        return tuple(map(_single, result))
    return result.float() if isinstance(result, Tensor) and result.is_floating_point() else result


class _Remembering:
    """A call that remembers whether anything has come back yet."""

    def __init__(self, call: Call):
        self._call, self.returned = call, False

    def __call__(self, values: Sequence[object], upstream: Upstream = None) -> Outcome:
        outcome = self._call(values, upstream)
        self.returned |= outcome.problem is None
        return outcome


class _Refused(Exception):
    """The answer cannot be tested any further: a problem, and what to say about it."""

    def __init__(self, problem: Problem, *words: str):
        super().__init__(problem.text)
        self.problem, self.words = problem, words
