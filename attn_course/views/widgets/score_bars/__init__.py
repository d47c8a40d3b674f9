"""Drag the scores, and see the weights that result."""

from __future__ import annotations

import math
from collections.abc import Sequence

import traitlets

from attn_course.views.widgets.parts import Widget

RULES = ("softmax", "sparsemax", "hard")
TEMPERATURES = (0.25, 64.0)
MOST = 9  # words: more would not fit on a phone


class ScoreBars(Widget):
    """Let the reader drag a score for each word, and see how one unit of attention is divided.

    The weights, their entropy and the gradient of one chosen weight are updated at once; the page
    computes them as `attn_course.weights` does. A word that may not be read keeps its score and
    gets no weight. If no word is left to read there are no weights, and the page says so.

        ScoreBars(["old", "men", "tell", "ancient", "jokes"], [12, -1, 0.4, 5, 2])

    tokens        two to nine words
    scores        one for each, from ``low`` to ``high``
    readable      one boolean for each; all True if left out
    temperature   from 0.25 to 64
    rule          "softmax", "sparsemax" or "hard"
    selected      the word whose weight's gradient is shown

    Everything except the tokens and the two limits is a trait that changes with what the reader
    does.
    """

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    readable = traitlets.List(traitlets.Bool()).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    rule = traitlets.Enum(RULES, "softmax").tag(sync=True)
    selected = traitlets.Int(0).tag(sync=True)
    low = traitlets.Float(-5.0).tag(sync=True)
    high = traitlets.Float(15.0).tag(sync=True)

    def __init__(
        self,
        tokens: Sequence[str],
        scores: Sequence[float],
        readable: Sequence[bool] | None = None,
        *,
        low: float = -5.0,
        high: float = 15.0,
        **traits,
    ):
        words = list(tokens)
        if not 2 <= len(words) <= MOST or not all(isinstance(w, str) and w for w in words):
            raise ValueError(
                f"tokens must be 2 to {MOST} words, none of them empty; got {tokens!r}"
            )
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"scores need finite limits, low < high; got {low} and {high}")
        super().__init__(tokens=words, low=low, high=high)  # what the others are checked against
        self.scores = [float(score) for score in scores]
        self.readable = [True] * len(words) if readable is None else list(readable)
        self.set_trait("summary", self._in_words())
        for name, value in traits.items():
            if name not in ("temperature", "rule", "selected"):
                raise TypeError(f"{name} is not an argument of {type(self).__name__}")
            setattr(self, name, value)

    @traitlets.validate("scores")
    def _one_score_each(self, proposal) -> list[float]:
        scores = proposal["value"]
        if len(scores) != len(self.tokens):
            raise ValueError(f"scores must be {len(self.tokens)}, one per token; got {len(scores)}")
        wrong = [score for score in scores if not self.low <= score <= self.high]
        if wrong:
            raise ValueError(f"scores must lie from {self.low} to {self.high}; got {wrong[0]}")
        return scores

    @traitlets.validate("readable")
    def _one_boolean_each(self, proposal) -> list[bool]:
        if len(proposal["value"]) != len(self.tokens):
            raise ValueError(
                f"readable must be {len(self.tokens)} booleans, one per token; "
                f"got {len(proposal['value'])}"
            )
        return proposal["value"]

    @traitlets.validate("temperature")
    def _temperature_on_the_slider(self, proposal) -> float:
        low, high = TEMPERATURES
        if not low <= proposal["value"] <= high:
            raise ValueError(f"temperature must lie from {low} to {high}; got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("selected")
    def _selected_is_a_token(self, proposal) -> int:
        if not 0 <= proposal["value"] < len(self.tokens):
            raise ValueError(
                f"selected must lie from 0 to {len(self.tokens) - 1}; got {proposal['value']}"
            )
        return proposal["value"]

    def _in_words(self) -> str:
        pairs = zip(self.tokens, self.scores, strict=True)
        scores = ", ".join(f"{token} {score:g}" for token, score in pairs)
        return (
            f"A slider for the score of each word ({scores}), and beside it the weight that the "
            "word gets. Softmax, sparsemax or a hard choice turns the scores into weights."
        )
