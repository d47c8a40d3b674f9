"""The report card of a trained model: one HTML file, with the model running in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup, escape

from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.own_reader import OwnReader
from attn_own import designs, verdicts
from attn_own.drawings import curves, smoothed, whisker
from attn_own.findings import CardFindings, find, gold
from attn_own.folder import write_whole
from attn_own.mistakes import KINDS
from attn_own.page import TEMPLATES, page, place
from attn_own.wording import counted, names, percent, unseen

_SYMBOLS = {
    "none": "characters",
    "both": "words",
    "source": "words in the source, characters in the target",
    "target": "characters in the source, words in the target",
}
_SAMPLES = 4
_MAPS = 8
_COMMONEST = 12
_FIRST_WRONG = 6  # answers that are seen at once; the others are folded
_QUOTED = re.compile("“([^”]*)”")
_OPTION = re.compile(r"--[a-z]+(?: (?:search|\d+))?")  # of the command, with its value
_LONGEST_MAP = 40  # symbols of a source; a longer one would not fit a page


def write(folder: Path, into: Path, found: CardFindings | None = None) -> None:
    """Ask the model in a folder, and write what is found as one file, whole or not at all."""
    write_whole(into, card(found or find(folder)).encode("utf-8"))


def card(found: CardFindings) -> Markup:
    """The report card as HTML."""
    reader, maps = own_reader(found), _maps(found)
    title = f"Report card: {found.trained.choices['model']} on {found.trained.facts['corpus']}"
    title += f", tested on {found.on}" if found.on else ""
    body = PARTS.body(
        title=title,
        found=found,
        verdicts=verdicts,
        reader=place(0, reader),
        maps=place(1, maps) if maps else "",
        curves=_curves(found),
        mistakes=_mistakes(found),
        made=_made(found),
    )
    return page(title, body, [reader, *([maps] if maps else [])])


def own_reader(found: CardFindings) -> OwnReader:
    """The trained model as a widget, with some test texts to try."""
    trained = found.trained
    texts = [pair.source for pair in found.pairs if len(pair.source) <= _LONGEST_MAP]
    texts = list(dict.fromkeys(texts or [found.pairs[0].source]))[: _SAMPLES + 1]
    weights = trained.first.state_dict().items()
    return OwnReader(
        trained.choices["model"],
        {name: each.cpu().numpy() for name, each in weights},
        list(trained.source_vocabulary.symbols),
        list(trained.target_vocabulary.symbols),
        heads=designs.HEADS,
        separator=trained.source_vocabulary.separator,
        target_separator=trained.target_vocabulary.separator,
        form=trained.choices["form"],
        text=texts[0],
        samples=texts[1:],
        longest=trained.choices["longest"],
        longest_answer=trained.longest,
        label="A text of your own",
        bits=32,  # so that it answers as it did on the computer that trained it
    )


def _quoted(sentence: str) -> Markup:
    """A sentence as HTML; what it quotes keeps its own direction."""
    return Markup(_QUOTED.sub(r"“<bdi>\g<1></bdi>”", str(escape(sentence))))  # noqa: S704


def _coded(sentence: str) -> Markup:
    """A sentence of ours, with the options that it names as code."""
    return Markup(_OPTION.sub(r"<code>\g<0></code>", str(_quoted(sentence))))  # noqa: S704


TEMPLATES.filters |= {"quoted": _quoted, "coded": _coded, "whisker": whisker}
TEMPLATES.filters |= {"percent": percent, "counted": counted}
PARTS = TEMPLATES.get_template("card.html.j2").module  # its macros, by name


def _curves(found: CardFindings) -> Markup:
    history = found.trained.history
    steps, losses = smoothed(history["losses"])
    ends = {"last": max(len(history["losses"]), 1)}
    lines, checked_at = {"training": (steps, losses)}, history["checked_at"]
    if history["validation_losses"]:
        lines["validation"] = checked_at, history["validation_losses"]
    most = max([*losses, *history["validation_losses"], 1e-9])
    drawn = [curves(lines, name="loss, nats per symbol", unit="", most=most, **ends)]
    if history["scores"]:
        right = {"right": (checked_at, [100 * score for score in history["scores"]])}
        drawn.append(curves(right, name="validation pairs", unit="%", most=100, **ends))
    return Markup("").join(drawn)


def _mistakes(found: CardFindings) -> Markup:
    asked = zip(found.pairs, found.answers, found.right, strict=True)
    cut, words = found.trained.was_cut, found.trained.target_vocabulary.separator
    wrong = [(pair.source, a.text, pair.target, cut(a)) for pair, a, well in asked if not well]
    kinds = Counter(mistake.kind for mistake in found.mistakes)
    commonest = [
        (kind, _shown(wanted, words), _shown(written, words), count)
        for (kind, wanted, written), count in Counter(found.mistakes).most_common(_COMMONEST)
    ]
    listed = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS)
    return PARTS.mistakes(wrong, listed, commonest, _FIRST_WRONG, found.trained.longest)


def _shown(symbols: Sequence[str], separator: str) -> str:
    """Symbols of a mistake; what cannot be seen is named."""
    shown = separator.join(symbols).replace(" ", "␣") if symbols else "–"
    blank = unseen(shown)
    return f"{shown} with {names(blank)}" if blank else shown


def _maps(found: CardFindings) -> AlignmentViewer | None:
    """Maps of some right and of some wrong answers, with the exact links where there are any."""
    split = found.trained.source_vocabulary.split, found.trained.target_vocabulary.split
    examples: dict[bool, list[dict]] = {True: [], False: []}
    for pair, answer, well in zip(found.pairs, found.answers, found.right, strict=True):
        source, target = split[0](pair.source), split[1](answer.text)
        if not target or len(source) > _LONGEST_MAP or len(answer.weights) != len(target):
            continue
        example = {
            "name": f"{'right' if well else 'wrong'}: {pair.source}",
            "source": source,
            "target": target,
            "weights": answer.weights,
        }
        if well and pair.links:
            example["gold"] = gold(pair, len(source), len(target))
        examples[bool(well)].append(example)
    chosen = examples[True][: _MAPS // 2] + examples[False][: _MAPS // 2]
    return AlignmentViewer(examples=chosen) if chosen else None


def _form(form: str, rewritten: int) -> str:
    if form == "none":
        return "none: texts are as they were"
    return f"{form}; {counted(rewritten, 'line')} had to be changed for it"


def _guide(choices: dict) -> str:
    if choices["model"] == "fixed_context":
        return "none"
    if not choices["guide"]:
        return "learnt from the pairs alone"
    return f"guided by the links of IBM model 1, with the strength {choices['guide']:g}"


def _split(own_files: Sequence[str], unit: str) -> str:
    """How the pairs were divided, besides those that came in files of their own."""
    named = " and ".join(own_files)
    own = f"{named} from files of their own" if named else ""
    if len(own_files) == 2:
        return own
    said = f"by {unit}: no {unit} is in two parts"
    return f"{own}; the rest {said} of it" if own else said


def _made(found: CardFindings) -> dict[str, str]:
    facts, choices = found.trained.facts, found.trained.choices
    training, validation, test = facts["pairs"]
    return {
        "Pairs": f"{training:,} for training, {validation:,} for validation, {test:,} for the test",
        "Lines left out": f"{facts['left_out']:,}",
        "Pairs whose source also has another target": f"{facts['several']:,}",
        "Pairs that repeat an earlier one": f"{facts['repeated']:,}",
        "Groups and links": "the report counts by them; the model reads neither",
        "Normal form of the texts": _form(choices["form"], facts["rewritten"]),
        "Model": f"{choices['model']}, size {choices['size']}, {facts['parameters']:,} parameters"
        + (f"; {choices['ensemble']} models that answer together" * (choices["ensemble"] > 1)),
        "Dropout": f"{choices['dropout']:g}",
        "Attention": _guide(choices),
        "Symbols": f"{_SYMBOLS[choices['words']]}; "
        f"{len(found.trained.source_vocabulary.symbols):,} to read, "
        f"{len(found.trained.target_vocabulary.symbols):,} to write",
        "Training": f"{counted(choices['epochs'], 'epoch')} of batches of {choices['batch']}, "
        f"{counted(facts['steps'], 'step')}, {facts['seconds']:.0f} s on {facts['device']}",
        "Learning rate": f"{facts['rate']:g}"
        + (", the best of five that were tried" if choices["rate"] == "search" else ""),
        "Split": _split(facts.get("own_files", []), choices["split_by"]),
        "Seed": f"{choices['seed']}, of the split, the start and the order",
        "Search": "greedy, the likeliest symbol at each step"
        if choices["beams"] == 1
        else f"beam search, with {choices['beams']} beams",
    }
