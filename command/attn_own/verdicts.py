"""What the findings amount to, in sentences: about training and map, and what is left open.

The sentences stand in ``sentences.txt.j2``; here is what decides between them.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from attn_own.designs import FEW
from attn_own.findings import CardFindings, Curve, Rival
from attn_own.limits import Limits
from attn_own.nearness import Nearness
from attn_own.own_corpus import OwnCorpus
from attn_own.sentences import sentences
from attn_own.trained import Trained, best_check

_MUCH = 0.5
_FEW = 100  # pairs; fewer are warned about
_FEW_CHECKS = 4
_AGAIN = 1.05  # times the lowest loss, from which on it is said to have risen again


def of_corpus(corpus: OwnCorpus, words: str, suspicions: list[str]) -> list[str]:
    """What was read for a training, and what is known of it.

    words  the sides that were to be words, or "auto"
    """
    return sentences("of_corpus", corpus, words, suspicions, _FEW)


def of_few(choices: dict, on: Sequence[str]) -> list[str]:
    """What the options mean that are on, unasked, because the pairs are few."""
    return sentences("of_few", choices, on, FEW) if on else []


class Course(NamedTuple):
    """The course of a training, by the loss on the validation pairs at each check."""

    lowest_at: int | None  # the step at which the loss was lowest; None if it was never validated
    kept_at: int | None  # the step whose weights were kept
    risen: float | None  # how much higher the loss was at the end, as a share, if it was
    still_falling: bool


def course(history: dict) -> Course:
    """What happened to the loss on the validation pairs."""
    at, losses = history["checked_at"], history["validation_losses"]
    if not losses:
        return Course(None, None, None, still_falling=False)
    lowest = min(losses)
    return Course(
        at[losses.index(lowest)],
        at[best_check(history["scores"], losses)],
        losses[-1] / lowest - 1 if losses[-1] > _AGAIN * lowest > 0 else None,
        still_falling(losses),
    )


def of_training(history: dict, longer: str = "--epochs") -> str:
    """Whether the training seems to have come to its end, by the loss on the validation pairs.

    longer  the options that train for longer

    The share of right answers would say it too late: a loss falls for long before the first answer
    is right to the last symbol.
    """
    is_long = len(history["validation_losses"]) >= _FEW_CHECKS
    (sentence,) = sentences("of_training", course(history), is_long, any(history["scores"]), longer)
    return sentence


def for_longer(trained: Trained) -> str:
    """The options that train for twice as long, into a folder of its own."""
    corpus, epochs = Path(trained.facts["corpus"]).stem, 2 * trained.choices["epochs"]
    into = shlex.quote(f"{corpus}-{trained.choices['model']}-{epochs}-epochs")
    return f"--epochs {epochs} --into {into}"


def still_falling(losses: list[float]) -> bool:
    """Whether the last loss of several is the lowest."""
    return len(losses) >= _FEW_CHECKS and losses[-1] < min(losses[:-1])


def of_guide(choices: dict) -> str:
    """That the map was taught, if it was."""
    return "".join(sentences("of_guide", choices["guide"])) if choices["guide"] else ""


def of_questions(findings: CardFindings) -> list[tuple[str, str]]:
    """The four questions, each with its answer."""
    answered, has_map = findings.questions, _has_map(findings)
    if not answered.steps:
        return [("There was nothing to ask", *sentences("of_no_steps"))]
    answers = {
        "1. Does a step need its look?": sentences("of_steps", answered),
        "2. Does hiding the darkest place hurt?": sentences("of_darkest", answered, has_map, _MUCH),
        "3. Does the answer follow swapped annotations?": sentences(
            "of_swaps", answered, has_map, _MUCH
        ),
        "4. Can the state have looked earlier?": sentences("of_earlier", answered),
    }
    return [(question, " ".join(answer)) for question, answer in answers.items()]


def of_sample(findings: CardFindings) -> str:
    """Which of the test pairs the four questions are about, if not all."""
    count, pairs = findings.questions.pairs, len(findings.pairs)
    sources = len({pair.source for pair in findings.pairs})
    return "".join(sentences("of_sample", count, sources, pairs)) if count != pairs else ""


def doubts(findings: CardFindings) -> list[str]:
    """What was not tried, and which results would overturn which sentences."""
    falling = still_falling(findings.trained.history["validation_losses"])
    limits = of_limits(findings.limits)
    return sentences(
        "doubts", findings, findings.trained.choices, falling, _has_map(findings), limits
    )


def of_use(limits: Limits) -> str:
    """What the test pairs were used for besides."""
    return " ".join(sentences("of_use", limits))


def of_limits(limits: Limits) -> list[str]:
    """What could be known about the test before any training, in sentences."""
    return sentences("of_limits", limits)


def of_nearness(near: Nearness) -> list[str]:
    """How wrong the answers are symbol by symbol, and by chrF where targets are long."""
    return sentences("of_nearness", near)


def of_curve(curve: Curve | None) -> list[str]:
    """What twice as many training pairs brought; nothing without a learning curve."""
    return sentences("of_curve", curve, Rival("", 0.0, curve.doubled)) if curve else []


def of_rival(rival: Rival) -> str:
    """The paired comparison with something else, in a sentence."""
    return " ".join(sentences("of_rival", rival))


def of_baselines(rivals: Sequence[Rival], lacking: str = "") -> list[str]:
    """What the baselines get right, and whether the model was shown to do better.

    lacking  why the joint n-gram model is not among them
    """
    return sentences("of_baselines", [rival for rival in rivals if not rival.is_model], lacking)


def _has_map(findings: CardFindings) -> bool:
    """Whether there is a map to believe: with a fixed context, each step is given one place."""
    return findings.trained.choices["model"] != "fixed_context"
