"""What the findings amount to, in sentences: about training and map, and what is left open."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from attn_course.measures import Interval
from attn_own.findings import CardFindings, Rival
from attn_own.limits import Limits
from attn_own.trained import Trained, kept_check
from attn_own.wording import counted, named, percent

_MUCH = 0.5
_FEW_CHECKS = 4
_AGAIN = 1.05  # times the lowest loss, from which on it is said to have risen again
LEVEL = 0.05  # of a sign test
BASELINES = 3  # without a network, the first of the rivals


def of_training(history: dict, longer: str = "--epochs") -> str:
    """Whether the training seems to have come to its end, by the loss on the validation pairs.

    longer  the options that train for longer

    The share of right answers would say it too late: a loss falls for long before the first answer
    is right to the last symbol.
    """
    checked_at, losses = history["checked_at"], history["validation_losses"]
    if len(losses) < _FEW_CHECKS:
        return "It was validated too seldom to say whether it was still learning."
    if still_falling(losses):
        return (
            "The loss on the validation pairs was still falling at the end: a longer training may "
            f"well do better ({longer})."
        )
    lowest, kept = losses.index(min(losses)), kept_check(history["scores"], losses)
    when = "when the most of them were right"
    if not any(history["scores"]):
        when = "but none of them was right whenever it was checked"
    said = (
        f"The loss on the validation pairs was lowest at step {checked_at[lowest]:,}. The model is "
        f"kept as it was at step {checked_at[kept]:,}, {when}."
    )
    if losses[-1] > _AGAIN * losses[lowest] > 0:
        said += (
            f" At the end, it was {percent(losses[-1] / losses[lowest] - 1)} higher, which may be "
            "a sign of overfitting: more pairs may then help more than more epochs."
        )
    return said


def for_longer(trained: Trained) -> str:
    """The options that train for twice as long, into a folder of its own."""
    corpus, epochs = Path(trained.facts["corpus"]).stem, 2 * trained.choices["epochs"]
    into = shlex.quote(f"{corpus}-{trained.choices['model']}-{epochs}-epochs")
    return f"--epochs {epochs} --into {into}"


def still_falling(losses: list[float]) -> bool:
    """Whether the last loss of several is the lowest."""
    return len(losses) >= _FEW_CHECKS and losses[-1] < min(losses[:-1])


def of_questions(found: CardFindings) -> list[tuple[str, str]]:
    """The four questions, each with its answer."""
    asked = found.questions
    if not asked.steps:
        return [
            (
                "There was nothing to ask",
                "The questions are about steps at which the right symbol had a probability of 50% "
                "or more, and the model had no such step in the test.",
            )
        ]
    return [
        (
            "1. Does a step need its look?",
            f"Of the {asked.steps:,} steps at which the right symbol had a probability of 50% or "
            f"more, {_in(asked.needs_look)} fall if the step is given no context: the probability "
            "drops below half of what it was. The others did not need this look: whatever the map "
            "shows there, the symbol could be told without it.",
        ),
        ("2. Does hiding the darkest place hurt?", _darkest(found)),
        ("3. Does the answer follow swapped annotations?", _swapped(found)),
        (
            "4. Can the state have looked earlier?",
            "There was no step that could do without its own look."
            if asked.earlier is None
            else f"Of the steps that did not need their own look, {_in(asked.earlier)} fall if no "
            "earlier step was given a context either. Their symbols were read at earlier steps and "
            "kept in the state, where no map shows them.",
        ),
    ]


def of_those_asked(found: CardFindings) -> str:
    """Which of the test pairs the four questions are about, if not all."""
    asked, pairs = found.questions.pairs, len(found.pairs)
    sources = len({pair.source for pair in found.pairs})
    if asked == pairs:
        return ""
    once = "" if sources == pairs else ", one for each source"
    drawn = "" if asked == sources else ", drawn at random"
    return f"The questions are about {asked:,} of the {pairs:,} test pairs{once}{drawn}."


def of_guide(choices: dict) -> str:
    """That the map was taught, if it was."""
    if not choices["guide"]:
        return ""
    return (
        "Attention was taught where to look: besides the loss, the training lowered the distance "
        f"of the map from the links that IBM model 1 finds (--guide {choices['guide']:g}). So a "
        "map that looks right, or agrees with exact links, is no finding about attention by itself."
    )


def _darkest(found: CardFindings) -> str:
    darkest, other = found.questions.darkest, found.questions.other
    said = f"Without the place of the largest weight, {_in(darkest)} of these steps fall; "
    said += f"without another place, drawn at random, {_in(other)}. "
    if _has_no_map(found):
        return (
            f"{said}This model reads the last place at every step, and never another, so this asks "
            "the first question again."
        )
    if darkest is None or other is None:
        return said + "There is too little to compare."
    if darkest.low > other.high:
        rarely = "" if darkest.mean >= _MUCH else ", though rarely"
        return said + f"So the dark places matter more than others{rarely}."
    return said + "So the dark places do not stand out: do not read the map as an explanation."


def _swapped(found: CardFindings) -> str:
    asked = found.questions
    if not asked.swaps:
        return "Replacing one symbol of a source changed no answer, so there was nothing to follow."
    said = (
        f"When one symbol of each source was replaced, {asked.swaps} answers changed. Then only "
        "some annotations were taken from the changed source. With that of the replaced symbol "
        f"alone, {_in(asked.own)} of these answers change in the same way; with those of all the "
        f"other symbols, {_in(asked.others)}"
    )
    said += (
        "."
        if asked.first_state is None
        else f"; with the decoder's first state, {_in(asked.first_state)}."
    )
    if _has_no_map(found):
        return (
            f"{said} This model reads one place, which knows the whole source, so the place does "
            "not tell which symbol was read."
        )
    elsewhere = max(each.mean for each in (asked.others, asked.first_state) if each is not None)
    if asked.own.mean >= _MUCH and elsewhere < 1 - _MUCH:
        return f"{said} Most of the changes were read where the symbol stands."
    if elsewhere >= _MUCH:
        return (
            f"{said} Much is read at places that did not change: an annotation knows its "
            "neighbours, so a dark cell need not mean that the symbol at its place was read."
        )
    return (
        f"{said} None of these explains most of the changes; some may have been read from several "
        "places together."
    )


def doubts(found: CardFindings) -> list[str]:
    """What was not tried, and which results would overturn which sentences."""
    low, high = found.overall.low, found.overall.high
    trained, listed = found.trained, []
    listed.append(
        f"Other test pairs: with {len(found.pairs):,} of them, the share could as well have been "
        f"between {percent(low)} and {percent(high)}. Two models are compared pair by pair, on the "
        "same pairs (report --against)."
    )
    listed.append(
        "Another seed: this is one training run. Train with two more (--seed 1, --seed 2), "
        "each into a folder of its own (--into); a difference between models says nothing if the "
        "seeds differ by more."
    )
    if still_falling(trained.history["validation_losses"]):
        listed.append(
            "More epochs: the loss on the validation pairs was still falling, so models may change "
            "ranks."
        )
    else:
        listed.append(
            "Four times the epochs: a plateau may end. Call nothing impossible before trying that."
        )
    if trained.choices["rate"] != "search":
        listed.append(
            "A learning rate of its own: this one was not chosen for this corpus (--rate search), "
            "and at another rate the model may do better."
        )
    if trained.choices["model"] != "fixed_context":
        listed.append(
            "A baseline that could win: train fixed_context on the same file. If it does as well, "
            "attention is not what makes this model right."
        )
    if trained.choices["guide"]:
        listed.append(
            "Attention by itself: its map was taught. Train without --guide, and compare the maps "
            "before saying what attention finds."
        )
    simpler = [
        f"{said} {'; nor than '.join(rival.name.rstrip(',') for rival in those)}"
        for said, those in (
            ("was shown to do worse than", [each for each in found.rivals if _beats(each)]),
            (
                "has not been shown to do better than",
                [each for each in found.rivals if not _beats(each) and not _ahead(each)],
            ),
        )
        if those
    ]
    if simpler:
        listed.append(f"Something simpler: on these pairs the model {', and it '.join(simpler)}.")
    listed += [f"The limits: {said}" for said in of_limits(found.limits)]
    if _has_no_map(found):
        return listed
    listed.append(
        "The map: if hiding a place drawn at random (question 2) hurt about as often as hiding the "
        "darkest, or if answers followed the annotations of unchanged symbols (question 3), the "
        "map would not show what was read."
    )
    return listed


def of_use(limits: Limits) -> str:
    """What the test pairs were used for besides."""
    if not limits.shared:
        return "The test pairs were used for nothing else."
    return (
        f"{_of(limits.shared, limits.pairs)} have a source that training or validation had "
        "as well; only the others were used for nothing else."
    )


def of_limits(limits: Limits) -> list[str]:
    """What could be known about the test before any training, in sentences."""
    listed, pairs = list(limits.lost), limits.pairs
    if limits.asked < pairs:
        listed.append(
            f"{limits.asked:,} of the {pairs:,} test pairs were drawn to be tried; what follows is "
            "about all of them."
        )
    if limits.shared:
        same = "" if limits.known is None else f", and {limits.known:,} the same target too"
        listed.append(
            f"{_of(limits.shared, pairs)} have a source that is in training or validation as "
            f"well{same}. This is a leak: the model may have been told these answers."
        )
    if limits.unread:
        listed.append(
            f"{_of(limits.unread, pairs)} have a source with symbols that the training never has. "
            "These cannot be read: all of them look the same to the model. "
            f"{_symbols(limits.unread_symbols, limits.unread_kinds)}"
        )
    if limits.unwritten:
        listed.append(
            f"{_of(limits.unwritten, pairs)} have a target with symbols that the training never "
            "has. These cannot be written, so these pairs will be wrong. "
            f"{_symbols(limits.unwritten_symbols, limits.unwritten_kinds)}"
        )
    if limits.several:
        listed.append(
            f"{_of(limits.several, pairs)} share their source with one that has another target, "
            "and a model gives one answer to a source."
        )
    if limits.alike:
        listed.append(
            f"{_of(limits.alike, pairs)} have a source that differs from one with another target "
            "only in symbols that the training never has, so the model cannot tell them apart."
        )
    if limits.best < 1:
        listed.append(
            f"So no model can get more than {percent(limits.best, 1)} of the test pairs right."
        )
    return listed


def _of(some: int, pairs: int) -> str:
    return f"{some:,} of the {pairs:,} test pairs ({percent(some / pairs, 1)})"


def _symbols(symbols: list[str], kinds: int) -> str:
    more = f" and {kinds - len(symbols):,} more" if kinds > len(symbols) else ""
    return f"{counted(kinds, 'symbol')}: {', '.join(map(named, symbols))}{more}."


def of_rival(rival: Rival) -> str:
    """The paired comparison with something else, in a sentence."""
    ahead, behind, p = rival.compared
    said = f"{rival.name[0].upper()}{rival.name[1:]} gets {percent(rival.right, 1)} right. "
    if not ahead and not behind:
        return f"{said}{_nothing(rival)}"
    said += (
        f"Of the sources on which exactly one of the two is better, {ahead:,} fall to this model "
        f"and {behind:,} to the other (exact sign test, p {_p(p)})"
    )
    if p >= LEVEL:
        return f"{said}: too few to tell which of them is better."
    better = "this model" if ahead > behind else "the other"
    return f"{said}: on such pairs {better} is better."


def _p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"= {p:.3f}"


def _nothing(rival: Rival) -> str:
    """What is said where there is no source on which one of the two is better."""
    if not rival.right:
        return "This model gets none right either, so there is nothing to compare."
    return "There is no source on which exactly one of the two is better."


def _ahead(rival: Rival) -> bool:
    """Whether the model has been shown to be better than a rival."""
    return rival.compared.ahead > rival.compared.behind and rival.compared.p < LEVEL


def _beats(rival: Rival) -> bool:
    """Whether the model has been shown to be worse than a rival."""
    return rival.compared.behind > rival.compared.ahead and rival.compared.p < LEVEL


def of_baselines(rivals: Sequence[Rival]) -> list[str]:
    """What three baselines get right, and whether the model was shown to do better."""
    three = rivals[:BASELINES]
    shares = "; ".join(f"{rival.name} {percent(rival.right, 1)}" for rival in three)
    said = [f"Three baselines without a network, by the share that they get right: {shares}."]
    worse = [rival for rival in three if _beats(rival)]
    level = [rival for rival in three if not _beats(rival) and not _ahead(rival)]
    for those, verdict in (
        (worse, "This model was shown to do worse than"),
        (level, "This model has not been shown to do better than"),
    ):
        if not those:
            continue
        most = max(those, key=lambda rival: rival.right)
        ahead, behind, p = most.compared
        found = (
            f"of the sources on which one of the two is better, {ahead:,} fall to the model and "
            f"{behind:,} to the baseline (exact sign test, p {_p(p)})."
            if ahead or behind
            else f"{_nothing(most)[0].lower()}{_nothing(most)[1:]}"
        )
        said.append(f"{verdict} {most.name.rstrip(',')}: {found}")
    return said


def _has_no_map(found: CardFindings) -> bool:
    """Whether each step is given the same place, so that there is no map to believe."""
    return found.trained.choices["model"] == "fixed_context"


def _in(share: Interval | None) -> str:
    if share is None:
        return "none (nothing could be asked)"
    return f"{percent(share.mean)} ({percent(share.low)} to {percent(share.high)})"
