"""The report card of a trained model: one HTML file, with the model running in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from markupsafe import Markup, escape

from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.own_reader import OwnReader
from attn_course.views.widgets.parts import Widget
from attn_own import designs, verdicts
from attn_own.drawings import curves, smoothed, whisker
from attn_own.findings import CardFindings, Row, find, gold
from attn_own.folder import write_whole
from attn_own.mistakes import KINDS
from attn_own.page import page, place
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
_FIRST_WRONG, _MOST_WRONG = 6, 1000  # wrong answers that are seen at once, and that are folded
_QUOTED = re.compile("“([^”]*)”")
_OPTION = re.compile(r"--[a-z]+(?: (?:search|\d+))?")  # of the command, with its value
_LONGEST_MAP = 40  # symbols of a source; a longer one would not fit a page


def write(folder: Path, into: Path, found: CardFindings | None = None) -> None:
    """Ask the model in a folder, and write what is found as one file, whole or not at all."""
    write_whole(into, card(found or find(folder)).encode("utf-8"))


def card(found: CardFindings) -> Markup:
    """The report card as HTML."""
    reader, maps = own_reader(found), _maps(found)
    widgets: list[Widget] = [reader, *([maps] if maps else [])]
    facts, choices = found.trained.facts, found.trained.choices
    title = f"Report card: {choices['model']} on {facts['corpus']}"
    title += f", tested on {found.on}" if found.on else ""
    limits = verdicts.of_limits(found.limits)
    taught = verdicts.of_guide(choices)
    others = [verdicts.of_rival(rival) for rival in found.rivals[verdicts.BASELINES :]]
    parts = [
        Markup("<h1>{}</h1>").format(_text(title)),
        _headline(found),
        _section("Known before the training", _listed(map(_text, limits))) if limits else "",
        _section("Beside another model", *map(_said, others)) if others else "",
        _section("Try it", _which(found), place(0, reader)),
        _section("How it learnt", _curves(found)),
        _section("How often it is right", _shares(found)),
        _section("What it gets wrong", _mistakes(found)),
        _section(
            "Where it looked",
            _paragraph(_with_options(taught)) if taught else "",
            _alignment(found),
            place(1, maps) if maps else "",
        ),
        _section("Should its map be believed?", *_questions(found)),
        _section("What would change our mind", _listed(map(_with_options, verdicts.doubts(found)))),
        _section("How it was made", _made(found)),
    ]
    return page(title, Markup("\n").join(parts), widgets)


def _which(found: CardFindings) -> str:
    """Which model of an ensemble runs on the page, and how it searches there."""
    together, beams = (found.trained.choices[name] for name in ("ensemble", "beams"))
    said = []
    if together > 1:
        said.append(
            f"The first of the {together} models runs here, and the questions about the map below "
            "are put to it alone. All else on this page is about their common answers."
        )
    if beams > 1:
        said.append(
            f"It takes the likeliest symbol at each step; elsewhere answers are the best of a beam "
            f"of {beams}, so here and there the two differ."
        )
    return _said(" ".join(said)) if said else ""


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


def _joined(parts: Iterable[str]) -> Markup:
    """What is no markup among the parts is escaped."""
    return Markup("").join(parts)


def _section(title: str, *inner: str) -> Markup:
    return Markup("<section><h2>{}</h2>\n{}</section>").format(title, _joined(inner))


def _text(sentence: str) -> Markup:
    """A sentence as HTML; what it quotes keeps its own direction."""
    return Markup(_QUOTED.sub(r"“<bdi>\g<1></bdi>”", str(escape(sentence))))  # noqa: S704


def _with_options(sentence: str) -> Markup:
    """A sentence of ours, with the options that it names as code."""
    return Markup(_OPTION.sub(r"<code>\g<0></code>", str(_text(sentence))))  # noqa: S704


def _said(text: str, name: str = "") -> Markup:
    return _paragraph(_text(text), Markup(' class="{}"').format(name) if name else "")


def _paragraph(inner: Markup, attributes: str = "") -> Markup:
    return Markup("<p{}>{}</p>").format(attributes, inner)


def _listed(items: Iterable[Markup]) -> Markup:
    return Markup("<ul>{}</ul>").format(_joined(map(Markup("<li>{}</li>").format, items)))


def _heads(names: Iterable[str], numbers: Iterable[str]) -> Markup:
    """The heads of a table's columns; those of ``numbers`` are set as their cells are."""
    kinds = (
        Markup('<th scope="col">{}</th>'),
        Markup('<th scope="col" class="attn-card-number">{}</th>'),
    )
    return _joined(kinds[each in numbers].format(each) for each in names)


def _headline(found: CardFindings) -> Markup:
    mean, low, high = found.overall
    right = Markup(
        '<p class="attn-card-headline"><b>{}</b> of {} {} exactly right; with many '
        "more of them, the share would likely lie between {} and {}.</p>"
    ).format(
        percent(mean, 1),
        counted(len(found.pairs), "test pair"),
        "is" if len(found.pairs) == 1 else "are",
        percent(low, 1),
        percent(high, 1),
    )
    return right + _said(
        f"{verdicts.of_use(found.limits)} An answer counts only if every symbol is right. "
        f"{' '.join(verdicts.of_baselines(found.rivals))}",
        "attn-card-note",
    )


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
    said = verdicts.of_training(history, verdicts.for_longer(found.trained))
    return _joined([*drawn, _paragraph(_with_options(said))])


def _shares(found: CardFindings) -> Markup:
    tables = _table("Length of the source", found.by_length)
    if found.by_group:
        tables += _table("Group", found.by_group)
    return tables + _said(
        "Lines show where the share would likely lie with many more such pairs (Wilson, 95%; "
        "pairs of the same source count as one where it matters how many there are).",
        "attn-card-note",
    )


def _table(name: str, rows: Sequence[Row]) -> Markup:
    row = Markup(
        '<tr><th scope="row"><bdi>{}</bdi></th><td class="attn-card-number">{:,}</td>'
        '<td class="attn-card-number">{} ({} to {})</td><td>{}</td></tr>'
    )
    body = (
        row.format(group, count, *map(percent, right), whisker(right))
        for group, count, right in rows
    )
    return _wide(_heads((name, "Pairs", "Right", "0 to 100%"), ("Pairs", "Right")), body, name)


def _wide(head: str, rows: Iterable[Markup], name: str) -> Markup:
    """A table that scrolls where the page is narrow, by keyboard too."""
    heads = Markup("<thead><tr>{}</tr></thead>").format(head) if head else ""
    return Markup(
        '<div class="attn-card-wide" tabindex="0" role="region" aria-label="{}">'
        '<table class="attn-card-table">{}<tbody>{}</tbody></table></div>'
    ).format(name, heads, _joined(rows))


def _mistakes(found: CardFindings) -> Markup:
    wrong = len(found.pairs) - int(found.right.sum())
    if not wrong:
        return _said("Nothing, among the test pairs.")
    kinds = Counter(mistake.kind for mistake in found.mistakes)
    listed = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS)
    words = found.trained.target_vocabulary.separator
    row = Markup(
        "<tr><td>{}</td><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td>"
        '<td class="attn-card-number">{}</td></tr>'
    )
    rows = (
        row.format(kind, _shown(wanted, words), _shown(written, words), count)
        for (kind, wanted, written), count in Counter(found.mistakes).most_common(_COMMONEST)
    )
    head = _heads(("Kind", "Wanted", "Written", "Times"), ("Times",))
    table = _wide(head, rows, "The commonest mistakes")
    line = Markup("{} → {}{}, not {}")
    cut = found.trained.was_cut
    lines = [
        line.format(
            _apart(pair.source),
            _apart(answer.text) or "(nothing)",
            f" (cut off at {found.trained.longest} symbols)" * cut(answer),
            _apart(pair.target),
        )
        for pair, answer, well in zip(found.pairs, found.answers, found.right, strict=True)
        if not well
    ]
    return (
        _said(
            f"Mistakes in {counted(wrong, 'wrong answer')}, counted by symbol: {listed}. The "
            "commonest:"
        )
        + table
        + _listed(lines[:_FIRST_WRONG])
        + _unfolded(lines[_FIRST_WRONG:])
    )


def _apart(text: str) -> Markup:
    """A text of the user's, which may run in another direction than the sentence."""
    return Markup("<bdi>{}</bdi>").format(text) if text else Markup("")


def _unfolded(lines: list[Markup]) -> str:
    """The rest of the wrong answers, folded, so that all of them can be read."""
    if not lines:
        return ""
    more = counted(len(lines), "more wrong answer")
    left = len(lines) - _MOST_WRONG
    inner = _listed(lines[:_MOST_WRONG]) + (_said(f"And {left:,} more.") if left > 0 else "")
    return Markup("<details><summary>{}</summary>{}</details>").format(more, inner)


def _shown(symbols: Sequence[str], separator: str) -> str:
    """Symbols of a mistake; what cannot be seen is named."""
    shown = separator.join(symbols).replace(" ", "␣") if symbols else "–"
    blank = unseen(shown)
    return f"{shown} with {names(blank)}" if blank else shown


def _alignment(found: CardFindings) -> Markup:
    if found.trained.choices["model"] == "fixed_context":
        return _said(
            "This model has no attention: each step is given the state after the last symbol, and "
            "the map says only that."
        )
    if found.alignment is None:
        return _said(
            "The corpus has no exact alignment, so the maps cannot be checked against one. What "
            "the answers rest on can be tested: see below."
        )
    pairs, error, diagonal = found.alignment
    return _said(
        f"Over the {pairs:,} right answers with an exact alignment, the alignment error is "
        f"{error:.1%}, where 0% is perfect. A pointer that moves along at an even pace has an "
        f"error of {diagonal:.1%}."
    )


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


def _questions(found: CardFindings) -> list[Markup]:
    asked = Markup('<div class="attn-card-question"><h3>{}</h3>{}</div>')
    which = verdicts.of_those_asked(found)
    return [_said(which)] * bool(which) + [
        asked.format(question, _said(answer)) for question, answer in verdicts.of_questions(found)
    ]


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


def _made(found: CardFindings) -> Markup:
    facts, choices = found.trained.facts, found.trained.choices
    training, validation, test = facts["pairs"]
    rows = {
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
    row = Markup('<tr><th scope="row">{}</th><td>{}</td></tr>')
    return _wide("", (row.format(*each) for each in rows.items()), "How it was made")
