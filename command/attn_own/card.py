"""The report card of a trained model: one HTML file, with the model running in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.own_reader import OwnReader
from attn_own import designs, verdicts
from attn_own.drawings import curves, smoothed
from attn_own.findings import CardFindings, Row, gold
from attn_own.mistakes import KINDS
from attn_own.page import TEMPLATES, page, place
from attn_own.wording import names, unseen

_SAMPLES = 4
_MAPS = 8
_COMMONEST = 12
_FIRST_WRONG = 6  # answers that are seen at once; the others are folded
_LONGEST_MAP = 40  # symbols of a source; a longer one would not fit a page
PARTS = TEMPLATES.get_template("card.html.j2").module  # its macros, by name


def card(findings: CardFindings) -> Markup:
    """The report card as HTML."""
    reader, maps = own_reader(findings), _maps(findings)
    trained = findings.trained
    title = f"Report card: {trained.choices['model']} on {trained.facts['corpus']}"
    title += f", tested on {findings.on}" if findings.on else ""
    body = PARTS.body(
        title=title,
        findings=findings,
        verdicts=verdicts,
        reader=place(0, reader),
        maps=place(1, maps) if maps else "",
        curves=_curves(findings),
        mistakes=_mistakes(findings),
        curve_rows=[
            Row(f"{point.pairs:,}", len(findings.pairs), point.right)
            for point in (findings.curve.points if findings.curve else ())
        ],
    )
    return page(title, body, [reader, *([maps] if maps else [])])


def own_reader(findings: CardFindings) -> OwnReader:
    """The trained model as a widget, with some test texts to try."""
    trained = findings.trained
    texts = [pair.source for pair in findings.pairs if len(pair.source) <= _LONGEST_MAP]
    texts = list(dict.fromkeys(texts or [findings.pairs[0].source]))[: _SAMPLES + 1]
    weights = trained.first.state_dict().items()
    return OwnReader(
        trained.choices["model"],
        {name: part.cpu().numpy() for name, part in weights},
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


def _curves(findings: CardFindings) -> Markup:
    history = findings.trained.history
    checked_at, validation = history["checked_at"], history["validation_losses"]
    lines = {"training": smoothed(history["losses"])}
    if validation:
        lines["validation"] = checked_at, validation
    last = max(len(history["losses"]), 1)
    most = max([*lines["training"][1], *validation, 1e-9])
    drawn = curves(lines, name="loss, nats per symbol", unit="", most=most, last=last)
    if history["scores"]:
        right = {"right": (checked_at, [100 * score for score in history["scores"]])}
        drawn += curves(right, name="validation pairs", unit="%", most=100, last=last)
    return drawn


def _mistakes(findings: CardFindings) -> Markup:
    rows = zip(findings.pairs, findings.answers, findings.right, strict=True)
    cut, words = findings.trained.was_cut, findings.trained.target_vocabulary.separator
    wrong = [(pair.source, a.text, pair.target, cut(a)) for pair, a, well in rows if not well]
    kinds = Counter(mistake.kind for mistake in findings.mistakes)
    commonest = [
        (kind, _readable(wanted, words), _readable(written, words), count)
        for (kind, wanted, written), count in Counter(findings.mistakes).most_common(_COMMONEST)
    ]
    listed = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS)
    return PARTS.mistakes(wrong, listed, commonest, _FIRST_WRONG, findings.trained.longest)


def _readable(symbols: Sequence[str], separator: str) -> str:
    """Symbols of a mistake; what cannot be seen is named."""
    text = separator.join(symbols).replace(" ", "␣") if symbols else "–"
    blank = unseen(text)
    return f"{text} with {names(blank)}" if blank else text


def _maps(findings: CardFindings) -> AlignmentViewer | None:
    """Maps of some right and of some wrong answers, with the exact links where there are any."""
    trained, examples = findings.trained, {"right": [], "wrong": []}
    for pair, answer, well in zip(findings.pairs, findings.answers, findings.right, strict=True):
        source = trained.source_vocabulary.split(pair.source)
        target = trained.target_vocabulary.split(answer.text)
        if not target or len(source) > _LONGEST_MAP or len(answer.weights) != len(target):
            continue
        kind = "right" if well else "wrong"
        example = {"name": f"{kind}: {pair.source}", "source": source, "target": target}
        example["weights"] = answer.weights
        if well and pair.links:
            example["gold"] = gold(pair, len(source), len(target))
        examples[kind].append(example)
    chosen = [example for listed in examples.values() for example in listed[: _MAPS // 2]]
    return AlignmentViewer(examples=chosen) if chosen else None
