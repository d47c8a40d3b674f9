"""Write pairs into a memory of fixed size and see which of them can be read back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import traitlets

from attn_course._values import expect_several, expect_text
from attn_course.context import attend
from attn_course.memory import memory_state
from attn_course.views.widgets.parts import Widget

RULES = ("sum", "decay", "delta", "softmax")
MOST_PAIRS = 40
MOST_SIZE = 16  # numbers of a vector: the cells of a larger matrix would be too small to see
MOST_NAMES = 20  # keys, and values


class MemoryExplorer(Widget):
    """Let the reader fill a small matrix with pairs and ask it for each of them.

        sum      S ← S + v kᵀ                      what is read: S k
        decay    S ← λ S + v kᵀ
        delta    S ← S + (v - S k) kᵀ              see `attn_course.memory`
        softmax  every pair is kept, and c = Σ_j softmax_j(τ k · k_j) v_j

    The answer is the value whose vector has the largest product with what was read. The page shows
    the matrix, each key with its answer, and for one key the products with all values. Everything
    is computed exactly; nothing was measured beforehand.

        MemoryExplorer("abcdefgh", "01234567", key_vectors, value_vectors, sizes=(2, 4, 8),
                       pairs=[("a", "3"), ("b", "1"), ("a", "5")], written=2)

    key_names, value_names      texts, all different: 2 to 20 of each
    key_vectors, value_vectors  (names, numbers), as many numbers as the largest size. A memory of a
                                smaller size takes the first ones. They are scaled to length 1
    sizes    in rising order, 2 to 16: the matrix has size x size numbers
    pairs    up to 40, in the order in which they are written
    written  how many of them are in the memory at first
    decay    λ, above 0 and at most 1
    sharpness  τ

    Traits for ``observe``: ``pairs`` (key and value by number), ``written``, ``size``, ``rule`` and
    ``asked`` (the number of the key that is shown in full). ``answers`` gives what is read back.
    """

    key_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    value_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    key_vectors = traitlets.Bytes().tag(sync=True)  # float32, (names, numbers)
    value_vectors = traitlets.Bytes().tag(sync=True)
    sizes = traitlets.List(traitlets.Int()).tag(sync=True)
    size = traitlets.Int().tag(sync=True)
    rule = traitlets.Enum(RULES, "sum").tag(sync=True)
    decay = traitlets.Float().tag(sync=True)
    sharpness = traitlets.Float().tag(sync=True)
    pairs = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)
    written = traitlets.Int().tag(sync=True)
    asked = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        key_names: Sequence[str],
        value_names: Sequence[str],
        key_vectors: np.ndarray,
        value_vectors: np.ndarray,
        *,
        sizes: Sequence[int],
        pairs: Sequence[tuple[str, str]],
        written: int = 0,
        size: int | None = None,
        rule: str = "sum",
        decay: float = 0.8,
        sharpness: float = 16.0,
    ):
        keys, values = _names("key_names", key_names), _names("value_names", value_names)
        sizes = [int(number) for number in expect_several("sizes", sizes)]
        if sizes != sorted(set(sizes)) or not 2 <= sizes[0] <= sizes[-1] <= MOST_SIZE:
            raise ValueError(f"sizes must rise from 2 or more to {MOST_SIZE} at most; got {sizes}")
        for name, number in (("decay", decay), ("sharpness", sharpness)):
            if not 0 < number <= (1 if name == "decay" else 100):
                raise ValueError(f"{name} is out of range; got {number}")
        super().__init__(
            key_names=keys,
            value_names=values,
            key_vectors=_vectors("key_vectors", key_vectors, len(keys), sizes[-1]),
            value_vectors=_vectors("value_vectors", value_vectors, len(values), sizes[-1]),
            sizes=sizes,
            size=sizes[0] if size is None else size,
            rule=rule,
            decay=float(decay),
            sharpness=float(sharpness),
            pairs=_numbered(pairs, keys, values),
            written=written,
            asked=0,
        )
        self.summary = self._in_words()

    @property
    def answers(self) -> list[tuple[str, str, str]]:
        """Each key in the memory, the value written last under it, and the value read back."""
        if not self.written:
            return []
        last = dict(self.pairs[: self.written])
        known = self._unit("value_vectors", len(self.value_names))
        queries = self._unit("key_vectors", len(self.key_names))[list(last)]
        best = (self._read(queries) @ known.T).argmax(dim=-1).tolist()
        return [
            (self.key_names[key], self.value_names[value], self.value_names[answer])
            for (key, value), answer in zip(last.items(), best, strict=True)
        ]

    def _read(self, queries: torch.Tensor) -> torch.Tensor:
        """What comes back for these queries, (query size)."""
        chosen = torch.tensor(self.pairs[: self.written])
        keys = self._unit("key_vectors", len(self.key_names))[chosen[:, 0]].unsqueeze(0)
        values = self._unit("value_vectors", len(self.value_names))[chosen[:, 1]].unsqueeze(0)
        if self.rule == "softmax":
            score = lambda queries, keys: self.sharpness * queries @ keys.mT  # noqa: E731
            return attend(queries.unsqueeze(0), keys, values, score)[0][0]
        rule = "delta" if self.rule == "delta" else "sum"
        decay = self.decay if self.rule == "decay" else 1.0
        return queries @ memory_state(keys, values, rule, decay)[0].T

    def _unit(self, trait: str, count: int) -> torch.Tensor:
        """The vectors at the chosen size, scaled to length 1: (names, size)."""
        rows = np.frombuffer(getattr(self, trait), "<f4").reshape(count, -1)[:, : self.size]
        return torch.nn.functional.normalize(torch.tensor(rows, dtype=torch.float64), dim=-1)

    @traitlets.validate("size")
    def _size_is_one_of_them(self, proposal) -> int:
        if proposal["value"] not in self.sizes:
            raise ValueError(f"size must be one of {self.sizes}; got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("pairs")
    def _pairs_are_of_names(self, proposal) -> list[list[int]]:
        return _checked(proposal["value"], len(self.key_names), len(self.value_names))

    @traitlets.validate("written")
    def _no_more_than_there_are(self, proposal) -> int:
        if not 0 <= proposal["value"] <= len(self.pairs):
            raise ValueError(
                f"written must lie between 0 and {len(self.pairs)}; got {proposal['value']}"
            )
        return proposal["value"]

    @traitlets.validate("asked")
    def _asked_is_a_key(self, proposal) -> int:
        if not 0 <= proposal["value"] < len(self.key_names):
            raise ValueError(f"asked must be the number of a key; got {proposal['value']}")
        return proposal["value"]

    def _in_words(self) -> str:
        answers = self.answers
        right = sum(value == read for _, value, read in answers)
        return (
            f"A memory of {self.size} by {self.size} numbers, by the rule {self.rule}. "
            f"{self.written} pairs are written; {right} of {len(answers)} keys read back right."
        )


def _names(name: str, names: Sequence[str]) -> list[str]:
    listed = list(names)
    for text in listed:
        expect_text(f"each of the {name}", text)
    if not 2 <= len(set(listed)) == len(listed) <= MOST_NAMES or not all(listed):
        raise ValueError(f"{name} must be 2 to {MOST_NAMES} different texts; got {listed!r}")
    return listed


def _vectors(name: str, vectors: np.ndarray, count: int, size: int) -> bytes:
    rows = np.asarray(vectors)
    if rows.dtype.kind != "f":
        raise TypeError(f"{name} must be floating point; got {rows.dtype}")
    if rows.shape != (count, size):
        raise ValueError(f"{name} must be ({count} names, {size} numbers); got {rows.shape}")
    if not np.isfinite(rows).all() or not np.abs(rows[:, :2]).max(axis=1).all():
        raise ValueError(f"{name} must be finite, and none may begin with two zeros")
    return rows.astype("<f4").tobytes()


def _numbered(pairs: Sequence, keys: list[str], values: list[str]) -> list[list[int]]:
    numbered = []
    for pair in pairs:
        key, value = pair
        if key not in keys or value not in values:
            raise ValueError(f"each pair must consist of a key and a value; got {pair!r}")
        numbered.append([keys.index(key), values.index(value)])
    return _checked(numbered, len(keys), len(values))


def _checked(pairs: list, keys: int, values: int) -> list[list[int]]:
    fits = all(len(p) == 2 and 0 <= p[0] < keys and 0 <= p[1] < values for p in pairs)
    if not fits or len(pairs) > MOST_PAIRS:
        raise ValueError(
            f"pairs must be up to {MOST_PAIRS}, each the number of a key below {keys} and of a "
            f"value below {values}; got {pairs}"
        )
    return [list(pair) for pair in pairs]
