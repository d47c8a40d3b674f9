"""All maps of a language model as one wall: choose one and see it large."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import traitlets

from attn_course._values import (
    describe,
    expect_below,
    expect_choice,
    expect_several,
    expect_text,
)
from attn_course.views.widgets.parts import Widget

STORED = Path(__file__).with_name("sentences.json")
RUNS = Path(__file__).with_name("runs.json")
EXPERIMENTS = Path(__file__).with_name("experiments.json")  # written by hand; runs.json has answers
PARTS = ("keys", "values", "both")  # what may be exchanged
EFFECT = "effect on this answer"
SHARES = ("weight on the first token", "one back", "after the earlier occurrence")
LONGEST = 40  # pieces: the maps of more could not be told apart


class Sentence(NamedTuple):
    """What each head of a language model reads in one sentence.

    name     what the page calls it
    pieces   the text of each symbol
    weights  (block head target source), from 0 to 1; each target reads itself and what is before it
    """

    name: str
    pieces: Sequence[str]
    weights: np.ndarray


class Run(NamedTuple):
    """What a language model says after a sentence: as it is, and with one thing changed.

    tokens   the likeliest tokens, the first being the answer
    other    the pieces of another sentence, as many
    places   where the two differ
    shares   16 bits for the probability of each token: as it is; with each head silenced (block
             head); with keys, values or both of the other sentence at each of ``places``, from each
             block on (part block place)
    """

    tokens: Sequence[str]
    other: Sequence[str]
    places: Sequence[int]
    shares: bytes


def stored() -> list[Sentence]:
    """The sentences that travel with the package, as SmolLM2-135M-Instruct read them in 4 bits.

    ``python -m attn_book.commands.head_maps`` made them, and wrote the file that `stored` reads.
    """
    return [
        Sentence(
            sentence["name"],
            sentence["pieces"],
            _square(zlib.decompress(base64.b64decode(sentence["weights"])), sentence["shape"]),
        )
        for sentence in json.loads(STORED.read_text("utf-8"))["sentences"]
    ]


def stored_runs() -> tuple[dict[str, Run], list[dict]]:
    """What the same model says after six of them, and experiments on three, with their answers.

    ``python -m attn_book.commands.head_maps`` made them. Silenced heads find zeros.
    """
    whole = json.loads(RUNS.read_text("utf-8"))

    def opened(record: dict, name: str) -> dict:
        return {**record, name: zlib.decompress(base64.b64decode(record[name]))}

    runs = {name: Run(**opened(run, "shares")) for name, run in whole["runs"].items()}
    answers = [opened(one, "weights") if "weights" in one else one for one in whole["answers"]]
    tries = json.loads(EXPERIMENTS.read_text("utf-8"))
    return runs, [experiment | answer for experiment, answer in zip(tries, answers, strict=True)]


def packed_shares(shares: np.ndarray) -> str:
    """Probabilities as text: 16 bits each, round(65,535 p), the low byte first."""
    steps = np.rint(65_535 * shares).astype("<u2")
    return base64.b64encode(zlib.compress(steps.tobytes(), 9)).decode()


def triangles(weights: np.ndarray) -> bytes:
    """The weights as bytes, round(255 α), without those above the diagonal, which are all zero."""
    rows, columns = np.tril_indices(weights.shape[-1])
    return np.rint(255 * weights[..., rows, columns]).astype(np.uint8).tobytes()


class HeadWall(Widget):
    """Show what all heads of a language model read in a sentence, and one of them large.

    The wall has a column for each block and a row for each head. It is coloured by the mean, over
    the targets i from the third on, of one of

        α_i0               weight on the first token
        α_i,i-1            one back
        Σ_j α_i,j+1        after the earlier occurrence: all j with y_j = y_i and j + 1 < i

    or by a number for each head that is handed over. Blocks, heads and positions count from 0.

        HeadWall(stored(), {"effect on copying": (effect, "nats")})   # effect (block head)

    sentences  one or more `Sentence`; all have the same blocks and heads
    runs       name of a sentence -> `Run`: with it, heads can be silenced, and keys and values
               exchanged for those of another sentence; the likeliest tokens stand beside the wall
    experiments  what one click changes, with its answer, as in `stored_runs`
    tables     name -> (block head), finite, alone if its numbers have no unit, or with the unit;
               the largest number gets the strongest colour, and what is not above 0 gets none
    read       text -> pieces and weights, as in `Sentence`. With it and a kernel, readers can type
               a sentence of their own

    Traits for ``observe``: ``index`` (which sentence; their number for the reader's own),
    ``chosen`` (block and head), ``colour`` (one of `SHARES`, the name of a table, or "") and
    ``selected``, as in `AlignmentViewer`, and ``changes``: ``silenced``, a list of heads;
    ``exchange``, ``hidden`` and ``unkeyed`` as in the experiments.
    """

    sentences = traitlets.List(traitlets.Dict()).tag(sync=True)
    tables = traitlets.List(traitlets.Dict()).tag(sync=True)
    blocks = traitlets.Int().tag(sync=True)
    heads = traitlets.Int().tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    chosen = traitlets.List(traitlets.Int()).tag(sync=True)
    colour = traitlets.Unicode(SHARES[0]).tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)
    own = traitlets.Dict().tag(sync=True)  # as one of ``sentences``, and how many there have been
    text = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    reads = traitlets.Bool(False).tag(sync=True)  # set by a page that has a model of its own
    runs = traitlets.Dict().tag(sync=True)
    experiments = traitlets.List(traitlets.Dict()).tag(sync=True)
    changes = traitlets.Dict().tag(sync=True)  # silenced, exchange, hidden, unkeyed
    answer = traitlets.Dict().tag(
        sync=True
    )  # set by the model of a page: to which text and changes

    def __init__(
        self,
        sentences: Sequence[Sentence],
        tables: Mapping[str, np.ndarray | tuple[np.ndarray, str]] | None = None,
        read: Callable[[str], tuple[Sequence[str], np.ndarray]] | None = None,
        *,
        index: int = 0,
        chosen: Sequence[int] = (0, 0),
        colour: str = SHARES[0],
        runs: Mapping[str, Run] | None = None,
        experiments: Sequence[dict] = (),
    ):
        listed = expect_several("sentences", sentences)
        packed = [_packed(*sentence) for sentence in listed]
        shapes = {np.shape(sentence.weights)[:2] for sentence in listed}
        if len(shapes) > 1:
            raise ValueError(f"all sentences must have the same blocks and heads; got {shapes}")
        ((blocks, heads),) = shapes
        super().__init__(
            sentences=packed,
            tables=[_table(*table, (blocks, heads)) for table in (tables or {}).items()],
            blocks=blocks,
            heads=heads,
            index=index,
            chosen=list(chosen),
            runs={name: run._asdict() for name, run in (runs or {}).items()},
            experiments=list(experiments),
            colour=colour,
            summary=(
                f"A wall of {blocks * heads} maps, one for each of the {heads} heads in each of "
                f"the {blocks} blocks of a language model. They show what it reads in one of "
                f"{len(listed)} sentences, and any of them can be opened."
            ),
        )
        self._read = read
        if read is not None:
            self.on_msg(lambda *_: self.send({"reads": True}))

    def show(self, pieces: Sequence[str], weights: np.ndarray) -> None:
        """Show one more sentence, the first `LONGEST` pieces of it: as those of ``sentences``."""
        whole = _packed("Your own", pieces, weights)
        if np.shape(weights)[:2] != (self.blocks, self.heads):
            raise ValueError(
                f"weights must be of {self.blocks} blocks and {self.heads} heads; "
                f"got {describe(weights)}"
            )
        with self.hold_sync():
            self.own = {**whole, "count": self.own.get("count", 0) + 1}
            self.selected, self.index = {}, len(self.sentences)

    @traitlets.observe("text")
    def _read_text(self, change) -> None:
        if self._read is None or not change["new"].strip():
            return
        try:
            self.show(*self._read(change["new"]))
            self.problem = ""
        except (ValueError, TypeError) as error:
            self.problem = str(error)

    @traitlets.validate("index")
    def _index_is_a_sentence(self, proposal) -> int:
        expect_below("index", proposal["value"], len(self.sentences) + bool(self.own))
        return proposal["value"]

    @traitlets.validate("chosen")
    def _chosen_is_a_head(self, proposal) -> list[int]:
        self._expect_head("chosen", proposal["value"])
        return proposal["value"]

    def _expect_head(self, name: str, head: Sequence[int]) -> None:
        if len(head) != 2:
            raise ValueError(f"{name} must be a block and a head; got {head}")
        expect_below("block", head[0], self.blocks)
        expect_below("head", head[1], self.heads)

    @traitlets.validate("changes")
    def _changes_are_of_this_model(self, proposal) -> dict:
        changes = proposal["value"]
        for head in [*changes.get("silenced", []), *filter(None, [changes.get("unkeyed")])]:
            self._expect_head("each head that is changed", head)
        return changes

    @traitlets.validate("colour")
    def _colour_is_known(self, proposal) -> str:
        known = (
            "",
            *SHARES,
            *(table["name"] for table in self.tables),
            *([EFFECT] if self.runs else []),
        )
        expect_choice("colour", proposal["value"], known)
        return proposal["value"]


def _packed(name: str, pieces: Sequence[str], weights: np.ndarray) -> dict:
    """A sentence as the page reads it, once it is checked."""
    expect_text("name", name)
    listed = expect_several("pieces", pieces)
    for piece in listed:
        expect_text("each of the pieces", piece)
    array = np.asarray(weights)
    if array.dtype.kind != "f":
        raise TypeError(f"weights must be floating-point numbers; got {describe(array)}")
    count = len(listed)
    if array.ndim != 4 or array.shape[2:] != (count, count) or not array.size:
        raise ValueError(
            f"weights must be (block head {count} {count}), as there are {count} pieces; "
            f"got {describe(array)}"
        )
    if not ((array >= 0) & (array <= 1.001)).all():
        raise ValueError("weights must lie from 0 to 1")
    if np.triu(array, 1).any():
        raise ValueError("weights must be causal: no target reads what comes after it")
    if (np.abs(array.sum(axis=-1) - 1) > 0.1).any():  # stored ones are rounded
        raise ValueError("the weights of each target must sum to 1")
    drawn = array[..., :LONGEST, :LONGEST]  # no earlier target reads what is left out
    return {"name": name, "pieces": listed[:LONGEST], "weights": triangles(drawn)}


def _table(name: str, table: np.ndarray | tuple[np.ndarray, str], shape: tuple[int, int]) -> dict:
    values, unit = table if isinstance(table, tuple) else (table, "")
    expect_text("the name of each table", name)
    expect_text(f"the unit of {name}", unit)
    if not name or name in SHARES:
        raise ValueError(f"the name of a table must be another than {('', *SHARES)}; got {name!r}")
    array = np.asarray(values, dtype=float)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} must be (block head) {shape}, finite; got {describe(array)}")
    rounded = [float(f"{value:.4g}") for value in array.ravel()]
    return {"name": name, "values": rounded, "unit": unit}


def _square(packed: bytes, shape: Sequence[int]) -> np.ndarray:
    """The weights (block head target source) that `triangles` packed."""
    rows, columns = np.tril_indices(shape[-1])
    steps = np.frombuffer(packed, np.uint8).reshape(*shape[:2], -1)
    weights = np.zeros(tuple(shape), dtype=np.float32)
    weights[..., rows, columns] = steps / np.float32(255)
    return weights
