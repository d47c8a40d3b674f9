"""What all exercises share: properties that an answer must have, and the verdict.

An exercise is a list of properties, tried in the order in which they are written. Each says what
must hold, and what it usually means when it does not:

    exercise = Exercise("weights(scores, readable)")

    @exercise.must("Each row of weights sums to one.", hint="Is the softmax over the source?")
    def rows_sum_to_one(answer, draw):
        weights = answer(scores=draw.normal(3, 5), readable=draw.booleans(3, 5))
        return same(weights.sum(dim=-1), torch.ones(3))

The verdict on an answer is the first property that fails, with the inputs on which it failed. An
answer that has not been started, or that raises an error, gets a verdict too: a check never breaks
a notebook.
"""

import copy
import html
import textwrap
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

ROUNDS = 3  # each property is tried on this many inputs
SHOWN = 35  # numbers; for a larger tensor, only the shape is shown
LONG = 16  # lines; a longer example is folded


class Property(NamedTuple):
    """A property that must hold for any inputs."""

    name: str
    claim: str
    hint: str
    holds: Callable[["Answer", "Draw"], bool]


@dataclass(frozen=True)
class Verdict:
    """What a check found: "not attempted", "wrong" or "right".

    ``failed`` is the name of the property that does not hold, and ``claim`` states it in a
    sentence; ``example`` shows the inputs on which it failed, and ``hint`` says what that usually
    means. ``held`` lists the claims that were tried before and hold.
    """

    status: str
    failed: str = ""
    claim: str = ""
    example: str = ""
    hint: str = ""
    held: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        return {
            "right": f"Right. All {len(self.held)} properties hold.",
            "wrong": f"Not right yet. This does not hold: {self.claim}",
            "not attempted": "Not attempted yet.",
        }[self.status]

    def __repr__(self) -> str:
        parts = [self.headline, self.hint, textwrap.indent(self.example, "    ")]
        return "\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        colour = {
            "right": "var(--attn-context,#009e73)",
            "wrong": "var(--attn-wrong,#c0639a)",
            "not attempted": "var(--attn-edge,#85837b)",
        }[self.status]
        style = f"border-inline-start:3px solid {colour};padding:.2em 1em;margin:1em 0"
        kind = self.status.replace(" ", "-")
        return (
            f'<div class="attn-verdict attn-verdict-{kind}" style="{style}">'
            f"<p><strong>{html.escape(self.headline)}</strong></p>"
            + (f"<p>{html.escape(self.hint)}</p>" if self.hint else "")
            + self._folded_example()
            + self._folded_claims()
            + "</div>"
        )

    def _folded_example(self) -> str:
        if not self.example:
            return ""
        open_ = " open" if self.example.count("\n") < LONG else ""
        example = html.escape(self.example)
        # wrapped, because a box that scrolls sideways cannot be scrolled with the keyboard
        example = f'<pre style="white-space:pre-wrap">{example}</pre>'
        return f"<details{open_}><summary>On this input</summary>{example}</details>"

    def _folded_claims(self) -> str:
        if not self.held:
            return ""
        claims = "".join(f"<li>{html.escape(claim)}</li>" for claim in self.held)
        return f"<details><summary>What was tried, and holds</summary><ul>{claims}</ul></details>"


class Exercise:
    """The properties of an exercise, and the check of an answer against them.

    ``call`` shows how the answer is called, such as ``"weights(scores, readable)"``.
    """

    def __init__(self, call: str):
        self.call = call
        self.properties: list[Property] = []

    def must(self, claim: str, hint: str) -> Callable:
        """Add a property: a function of the answer and a `Draw`, True if the property holds."""

        def add(holds: Callable) -> Callable:
            self.properties.append(Property(holds.__name__, claim, hint, holds))
            return holds

        return add

    def check(self, function: Callable) -> Verdict:
        """Try the properties in turn; the first that fails decides."""
        if function is None or function is ...:
            return Verdict("not attempted", hint=f"Write a function: {self.call}")
        if not callable(function):
            hint = f"Pass the function itself, without brackets. It is called as {self.call}"
            return Verdict("wrong", "is_a_function", "The answer is a function.", hint=hint)
        held = []
        for number, each in enumerate(self.properties):
            for round_ in range(ROUNDS):
                answer = Answer(function)
                try:
                    if each.holds(answer, Draw(100 * number + round_)):
                        continue
                except _NotAttempted as stop:
                    return Verdict("not attempted", hint=f"{stop} It is called as {self.call}")
                except _Refused as stop:
                    return Verdict("wrong", *stop.args, tuple(held))
                except Exception:  # the result is of a kind that the property cannot read
                    pass
                found = each.name, each.claim, answer.example(), each.hint, tuple(held)
                return Verdict("wrong", *found)
            held.append(each.claim)
        return Verdict("right", held=tuple(held))


class Answer:
    """A learner's function, which remembers how it was called and what it returned."""

    def __init__(self, function: Callable):
        self._function = function
        self._inputs: dict[str, object] = {}
        self._results: dict[str, object] = {}

    def __call__(self, **inputs: object) -> object:
        """Call the function on copies of the inputs, and check that it did not change them."""
        self._inputs, self._results = inputs, {}
        given = {name: _copy(value) for name, value in inputs.items()}
        try:
            result = self._function(*given.values())
        except NotImplementedError as error:
            raise _NotAttempted("The function still raises NotImplementedError.") from error
        except (Exception, SystemExit) as error:
            raise _Refused(*self._raised(error)) from error
        if result is None or result is ...:
            raise _NotAttempted("The function returns nothing: is a `return` missing?")
        for name, before in inputs.items():
            if not callable(before) and not same(before, given[name]):
                raise _Refused(*self._changed(name, before, given[name]))
        self._results = {"returned": _tensors(result)}
        return self._results["returned"]

    def gives(self, expected: object, **inputs: object) -> bool:
        """Whether these inputs give the expected result, to five digits."""
        result = self(**inputs)
        self._results["expected"] = expected
        return same(result, expected)

    def refuses(self, kind: type[Exception], **inputs: object) -> bool:
        """Whether these inputs raise this kind of error."""
        try:
            self(**inputs)
        except _Refused as stop:
            return isinstance(stop.__cause__, kind)
        return False

    def example(self) -> str:
        """The last call in words."""
        values = self._inputs | self._results
        text = "\n".join(f"{name} = {shown(value)}" for name, value in values.items())
        return text + ("\n(■ is True, · is False)" if "■" in text else "")

    def _raised(self, error: BaseException) -> tuple[str, str, str, str]:
        """An error raised by the learner's code, with the line that it came from."""
        file = getattr(getattr(self._function, "__code__", None), "co_filename", None)
        trace = traceback.extract_tb(error.__traceback__)
        where = [f"line {each.lineno}: {each.line}" for each in trace if each.filename == file]
        shapes = [f"{name} is {described(value)}" for name, value in self._inputs.items()]
        return (
            "runs",
            "The function runs on a small input.",
            "\n".join([*shapes, *where[-1:], f"{type(error).__name__}: {error}"]),
            "Read the last line first: it says what went wrong. Do the shapes fit together?",
        )

    def _changed(self, name: str, before: object, after: object) -> tuple[str, str, str, str]:
        return (
            "leaves_its_inputs_alone",
            f"The function leaves {name} as it was.",
            f"{name} before: {shown(before)}\n{name} after: {shown(after)}",
            "Something works in place, such as x += 1, x[...] = 0 or x.masked_fill_(...), so "
            "whoever called the function now has other numbers. Make a new tensor instead.",
        )


class Draw:
    """Small random inputs: the same in every check, but different for each property and round.

    Scores computed from them stay small, since a saturated softmax would let wrong answers pass.
    """

    def __init__(self, seed: int):
        self._generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int, scale: float = 0.5) -> Tensor:
        return scale * torch.randn(*shape, generator=self._generator)

    def booleans(self, *shape: int, share: float = 0.5) -> Tensor:
        return torch.rand(*shape, generator=self._generator) < share

    def integer(self, below: int) -> int:
        return int(torch.randint(below, (), generator=self._generator))


def same(one: object, two: object) -> bool:
    """Whether two results agree to five digits, whatever their precision."""
    if isinstance(one, tuple) != isinstance(two, tuple):
        one, two = _vector(one), _vector(two)
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, Tensor | float) and isinstance(two, Tensor | float):
        one, two = (torch.as_tensor(part).detach().double() for part in (one, two))
        return one.shape == two.shape and torch.allclose(one, two, rtol=1e-4, atol=1e-5)
    return one == two


def shaped(result: object, *shape: int) -> bool:
    """Whether a result is one tensor of this shape."""
    return isinstance(result, Tensor) and tuple(result.shape) == shape


def described(value: object) -> str:
    """A value in a few words: the shape of a tensor."""
    if isinstance(value, Tensor):
        kind = "booleans" if value.dtype == torch.bool else "numbers"
        return f"{kind} {tuple(value.shape)}"
    return getattr(value, "__name__", None) or repr(value)


def shown(value: object) -> str:
    """A value as a learner sees it: in full if it is small, otherwise its shape."""
    if isinstance(value, tuple) and all(isinstance(part, float) for part in value):
        return f"[{', '.join(f'{part:g}' for part in value)}]"
    if isinstance(value, tuple):
        return "".join(f"\n  {shown(part).strip()}" for part in value)
    if isinstance(value, Tensor) and value.dtype == torch.bool and value.dim() == 2:
        rows = ["".join("■" if true else "·" for true in row) for row in value.tolist()]
        return "".join(f"\n  {row}" for row in rows)
    if not isinstance(value, Tensor) or value.numel() > SHOWN:
        return described(value)
    numbers = value.detach().cpu().numpy()
    text = np.array2string(numbers, precision=3, suppress_small=True, separator=", ")
    return text if "\n" not in text else "\n" + textwrap.indent(text, "  ")


def _copy(value: object) -> object:
    # a clone stays in the graph, so that a property can ask for gradients
    return value.clone() if isinstance(value, Tensor) else copy.deepcopy(value)


def _tensors(result: object) -> object:
    """The same value, with arrays and lists of numbers as tensors, other lists as tuples."""
    if isinstance(result, np.ndarray):
        return torch.from_numpy(result)
    if isinstance(result, int | float | np.number):
        return float(result)
    if isinstance(result, list):
        try:
            parts = [part if isinstance(part, bool) else _tensors(part) for part in result]
            return torch.stack([torch.as_tensor(part) for part in parts])
        except (
            RuntimeError,
            TypeError,
            ValueError,
        ):  # not a table: rows of unequal length, or texts
            pass
    if isinstance(result, list | tuple):
        return tuple(_tensors(part) for part in result)
    return result


def _vector(value: object) -> object:
    """Take a list of plain numbers as a vector."""
    numbers = isinstance(value, tuple) and all(isinstance(part, float) for part in value)
    return torch.tensor(value) if numbers else value


class _NotAttempted(Exception):
    """The learner has not started yet."""


class _Refused(Exception):
    """The answer cannot be tested any further: (name, claim, example, hint)."""
