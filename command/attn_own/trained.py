"""A trained model with its symbols and its test pairs: save, load, ask."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from attn_course import search, training
from attn_course.interventions import symbol_probabilities
from attn_course.search import Answer
from attn_course.tasks.vocabulary import Vocabulary
from attn_own import designs
from attn_own.devices import named_device
from attn_own.ensemble import Ensemble
from attn_own.folder import read_tensors, write_tensors, write_whole
from attn_own.lines import MOST_BYTES, Line, Reading, lines, tidy
from attn_own.own_corpus import Pair, place_of
from attn_own.wording import Refusal

FACTS = """
    corpus pairs several repeated rewritten left_out table commonest limits seen longest_source
    longest_target rate steps seconds parameters device
    """.split()  # noqa: SIM905 - one a line would be long
CHOICES = ("beams", "dropout", "guide")  # besides those without which nothing can be loaded
HISTORY = ("losses", "checked_at", "scores", "validation_losses")
SPARE = 10  # steps that an answer may be longer than the longest target of the training


def best_check(scores: Sequence[float], losses: Sequence[float]) -> int:
    """The check whose weights are kept: most pairs right, and of these the lowest loss.

    The lowest loss alone would be a worse choice. It often comes early, while the rate is high;
    afterwards the model gets more answers right, and is too sure of its wrong ones.
    """
    return max(range(len(scores)), key=lambda check: (scores[check], -losses[check]))


class Candidate(NamedTuple):
    """One of several answers to a text.

    text         the target, without its end symbol
    weights      (target source) where the model looked for each symbol of the text
    probability  that of the whole answer, with its end unless it was cut off
    """

    text: str
    weights: np.ndarray
    probability: float


class Trained(NamedTuple):
    """What ``train`` makes and the other commands use.

    model    a translator, or an `Ensemble` of several
    choices  model, size, seed and so on, as they were asked for
    facts    what came of it, under the names in ``FACTS``
    history  losses, checked_at and scores, as in `attn_course.training.History`, and the loss on
             the validation pairs at each check
    """

    model: nn.Module
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    choices: dict
    facts: dict
    history: dict

    @property
    def first(self) -> nn.Module:
        """The translator, or the first of an ensemble, whose map can be put to the test."""
        return self.model.members[0] if isinstance(self.model, Ensemble) else self.model

    @property
    def reading(self) -> Reading:
        """How a line is read for this model."""
        return Reading(*(self.choices[name] for name in ("words", "longest", "form")))

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.model.parameters()).device

    @property
    def longest(self) -> int:
        """The most steps that an answer may take."""
        return self.facts["longest_target"] + SPARE

    def ask(self, texts: Sequence[str]) -> list[Answer]:
        """What the model writes for each text."""
        return search.answer(
            self.model,
            [self.tidied(text) for text in texts],
            self.source_vocabulary,
            self.target_vocabulary,
            longest=self.longest,
            beams=self.choices["beams"],
        )

    def read(self, texts: Sequence[str]) -> list[str]:
        """What the model writes for each text, as a text."""
        if isinstance(texts, str):
            raise TypeError(f"read takes a list of texts; got the text {texts!r}")
        return [answer.text for answer in self.ask(texts)]

    def best(self, text: str, count: int, beams: int | None = None) -> list[Candidate]:
        """The likeliest answers that a beam search finds, at most so many, likeliest first.

        beams  those of the training if it is left out, and never fewer than ``count``
        """
        beams = max(beams or self.choices["beams"], count)
        (ended,) = search.beam(self.model, *self._encoded(text), beams, self.longest)
        return [
            Candidate(
                self.target_vocabulary.decode(hypothesis.symbols),
                hypothesis.weights,
                math.exp(hypothesis.log_probability),
            )
            for hypothesis in ended[:count]
        ]

    def _encoded(self, text: str) -> tuple[Tensor, Tensor]:
        """A text as a batch of one, and its length, on the device of the model."""
        symbols, at = self.source_vocabulary.encode(self.tidied(text)), self.device
        return torch.tensor([symbols], device=at), torch.tensor([len(symbols)], device=at)

    def was_cut(self, answer: Answer | Candidate) -> bool:
        """Whether an answer is as long as one may be, so that it was cut off."""
        return len(answer.weights) >= self.longest

    def probability(self, text: str, answer: Answer) -> float:
        """That of a whole answer, with its end unless it was cut off."""
        source, length = self._encoded(text)
        target = torch.tensor(
            [self.target_vocabulary.encode(answer.text, end=True)], device=source.device
        )
        with torch.inference_mode():
            end = symbol_probabilities(self.model, source, length, target)[0, -1].item()
        return float(answer.probabilities.prod()) * (1.0 if self.was_cut(answer) else end)

    def tidied(self, text: str) -> str:
        """A text as the sources of the training were."""
        return tidy(text, self.reading.form, self.reading.split[0])

    def has_seen(self, texts: Sequence[str]) -> np.ndarray:
        """Which of the texts training or validation had as a source; targets are not looked at."""
        rows = [place_of(self.tidied(text), self.choices["seed"]) for text in texts]
        places, known = np.array(rows, np.uint64), self.facts["seen"].numpy().view(np.uint64)
        return np.searchsorted(known, places, "right") > np.searchsorted(known, places)

    def unknown(self, text: str) -> list[str]:
        """The symbols of a text that the model never saw in training, each once."""
        known = self.source_vocabulary
        symbols = known.split(self.tidied(text))
        return list(dict.fromkeys(symbol for symbol in symbols if symbol not in known))


def save(trained: Trained, folder: Path) -> None:
    """Write the model to its folder, whole or not at all."""
    vocabularies = trained.source_vocabulary, trained.target_vocabulary
    write_tensors(
        folder / "model.pt",
        {
            "weights": {name: part.cpu() for name, part in trained.model.state_dict().items()},
            "symbols": [list(vocabulary.symbols) for vocabulary in vocabularies],
            "choices": trained.choices,
            "facts": trained.facts,
            "history": trained.history,
        },
    )


def load(folder: str | Path, device: str = "auto") -> Trained:
    """The model in a folder, ready to be asked; a `Refusal` if there is none.

    device  as for `attn_own.devices.named_device`
    """
    folder = Path(folder)
    path = folder / "model.pt"
    if folder.is_file():
        raise Refusal(f"{folder} is a file; expected the folder that train made")
    if not folder.is_dir():
        raise Refusal(f"there is no folder {folder}: train a model first")
    if not path.exists():
        if not (folder / "choices.json").exists():
            raise Refusal(f"no model is in {folder}")
        raise Refusal(
            f"the training in {folder} did not finish: run the same command again to go on"
        )
    stored, at = read_tensors(path), named_device(device) or training.device()
    try:
        parts = [
            (FACTS, stored["facts"]),
            (CHOICES, stored["choices"]),
            (HISTORY, stored["history"]),
        ]
        trained = _restored(stored, at)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise Refusal(f"{path} is not a model of this program: {error}") from None
    if lacking := [name for names, part in parts for name in names if name not in part]:
        raise Refusal(
            f"the model in {folder} was trained by another version of this program and lacks "
            f"{', '.join(lacking)}: train it again, into a new folder"
        )
    return trained


def _restored(stored: dict, at: torch.device) -> Trained:
    """What `save` stored, as a model on a device."""
    choices = stored["choices"]
    separators = [" " * (choices["words"] in (side, "both")) for side in ("source", "target")]
    vocabularies = [*map(Vocabulary, stored["symbols"], separators)]
    members = [
        designs.build(choices["model"], choices["size"], *map(len, vocabularies))
        for _ in range(choices["ensemble"])
    ]
    model = Ensemble(members) if len(members) > 1 else members[0]
    model.load_state_dict(stored["weights"])
    model = model.to(at).eval()
    return Trained(model, *vocabularies, choices, stored["facts"], stored["history"])


def save_test(pairs: Sequence[Pair], folder: Path) -> bool:
    """Write the test pairs beside the model, as a corpus is written. -> whether they are new"""
    rows = []
    for pair in pairs:
        links = " ".join(f"{j}-{i}" for j, i in pair.links or ())
        rows.append("\t".join([pair.source, pair.target, pair.group, links]).rstrip("\t"))
    path, contents = folder / "test.tsv", "".join(f"{row}\n" for row in rows).encode("utf-8")
    if path.exists() and path.read_bytes() == contents:
        return False
    write_whole(path, contents)
    return True


def load_test(folder: Path, reading: Reading) -> list[Pair]:
    """The pairs that `save_test` wrote."""
    read = lines(folder / "test.tsv", reading._replace(longest=MOST_BYTES, plain=True))
    return [Pair(*line[:4]) for line in read if isinstance(line, Line)]
