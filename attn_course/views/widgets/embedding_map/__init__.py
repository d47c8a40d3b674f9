"""An embedding through training: letters move in a plane that the reader chooses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb

import numpy as np
import traitlets

from attn_course._values import describe, expect_count, expect_several, expect_text
from attn_course.views.widgets.parts import Widget

VIEWS = ("spread", "parting")


class EmbeddingMap(Widget):
    """Scrub through training, see the letters move, and ask how far some of them stand apart.

    The plane is either that of the largest spread at the end, the same for all steps, or the one
    that sets the chosen letters apart best at the step that is shown. The page says in words
    what share of all sets of this size stand apart at least as well, in all dimensions and in the
    plane.

    vectors  (step token size): the embedding at each of the steps
    steps    after how many steps of training each was taken, rising
    tokens   what the vectors stand for, in their order
    chosen   the tokens that are marked at first

    Traits for ``observe``: ``frame`` (which of the steps, from 0); ``view``, "spread" or
    "parting"; ``marked``, the numbers of the marked tokens; ``pointed``, the number of the token
    whose neighbours are named, or -1.
    """

    vectors = traitlets.Bytes().tag(sync=True)
    size = traitlets.Int().tag(sync=True)
    steps = traitlets.List(traitlets.Int()).tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    frame = traitlets.Int().tag(sync=True)
    view = traitlets.Enum(VIEWS).tag(sync=True)
    marked = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    pointed = traitlets.Int(-1, min=-1).tag(sync=True)

    def __init__(
        self,
        vectors: np.ndarray,
        steps: Sequence[int],
        tokens: Sequence[str],
        chosen: Sequence[str],
        *,
        frame: int | None = None,
        view: str = "spread",
    ):
        steps = [expect_count("each of the steps", step, least=0) for step in steps]
        tokens, chosen = _tokens("tokens", tokens), _tokens("chosen", chosen)
        vectors = np.asarray(vectors)
        wanted = (len(steps), len(tokens))
        if vectors.dtype.kind != "f" or vectors.ndim != 3 or vectors.shape[:2] != wanted:
            raise ValueError(
                f"vectors must be (step token size), {wanted} and a size; got {describe(vectors)}"
            )
        if vectors.shape[2] < 2 or not np.isfinite(vectors).all():
            raise ValueError(f"vectors must be finite, of size 2 or more; got {describe(vectors)}")
        if not steps or any(later <= earlier for earlier, later in pairwise(steps)):
            raise ValueError(f"steps must rise; got {steps}")
        if missing := [token for token in chosen if token not in tokens]:
            raise ValueError(f"chosen must be tokens; got {missing}")
        if not 2 <= len(chosen) < len(tokens):
            raise ValueError(f"chosen must be 2 to {len(tokens) - 1} tokens; got {len(chosen)}")
        frame = len(steps) - 1 if frame is None else expect_count("frame", frame, least=0)
        if frame >= len(steps):
            raise ValueError(f"frame must be below {len(steps)}; got {frame}")
        super().__init__(
            vectors=vectors.astype("<f4").tobytes(),
            size=vectors.shape[2],
            steps=steps,
            tokens=tokens,
            frame=frame,
            view=view,
            marked=[tokens.index(token) for token in chosen],
            summary=(
                f"{len(tokens)} vectors of {vectors.shape[2]} entries in a plane, at "
                f"{len(steps)} moments during {steps[-1]:,} steps of training. Marked: "
                f"{', '.join(chosen)}, one of {comb(len(tokens), len(chosen)):,} sets of "
                f"{len(chosen)}."
            ),
        )


def _tokens(name: str, tokens: Sequence[str]) -> list[str]:
    listed = list(tokens) if isinstance(tokens, str) else expect_several(name, tokens)
    for token in listed:
        expect_text(f"each of {name}", token)
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name} must be distinct; got {listed}")
    return listed
