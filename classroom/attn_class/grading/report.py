"""What a class got: marks.csv, report.html for the teacher, and one page a student.

Whatever comes from a student is text: never markup in a page, for `Markup.format` escapes it, and
never a formula in a table.
"""

import csv
import hashlib
import io
import math
import os
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from attn_class.grading.names import shown
from attn_class.grading.roster import Sorted, cell

_PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{plain}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>:root{{color-scheme:light dark}} body{{overflow-wrap:anywhere;max-width:46rem}}
body{{margin:2rem auto;padding:0 1rem;font:1rem/1.5 sans-serif}}
pre{{white-space:pre-wrap;overflow-wrap:anywhere}} td,th{{padding:.2rem .6rem;text-align:start}}
th{{overflow-wrap:normal}} table{{border-collapse:collapse}}
tr{{border-bottom:1px solid #8888}}</style></head>
<body><h1>{title}</h1>
{body}</body></html>
""")
_AT = re.compile(r"(?:code cell \d+, )?line ")
_NOT_ISOLATED = Markup(
    "<p><strong>Not isolated.</strong> These answers ran without a sandbox, so a student could "
    "have reached files and other processes on this machine.</p>\n"
)


def write(
    records: Sequence[dict],
    results: Path,
    sorted_: Sorted | None = None,
    deducted: Mapping[str, str] | None = None,
    assignment: str = "",
) -> None:
    """Write all reports into this folder, each of them whole or not at all.

    ``deducted`` has a sentence for each student who loses points for being late.
    """
    put(results / "marks.csv", marks(records))
    put(results / "report.html", overview(records, sorted_))
    (results / "students").mkdir(mode=0o700, exist_ok=True)
    for record in records:
        sentence = (deducted or {}).get(record["student"], "")
        told = page(record, sentence, assignment)
        put(results / "students" / page_name(record["student"]), told)


def marks(records: Sequence[dict]) -> str:
    """A table with a line for each student."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    calls = [mark["call"] for mark in records[0]["marks"]] if records else []
    table.writerow(["student", *map(cell, calls), "points", "maximum", "isolated", "remark"])
    for record in records:
        points, total = [mark["points"] for mark in record["marks"]], points_of(record)
        isolated = "yes" if _is_isolated(record) else "no"
        counted = ["", ""] if is_excused(record) else total
        row = [cell(record["student"]), *points, *counted, isolated]
        remark = "; ".join(filter(None, ("excused" * is_excused(record), _warning(record))))
        table.writerow([*row, cell(remark)])
    return text.getvalue()


def whole(title: str, parts: Iterable[Markup]) -> Markup:
    """A page; a browser shows no markup in the title of its tab."""
    body = Markup("").join(parts)
    return _PAGE.format(title=text_of(title), plain=shown(title), body=body)


def page(record: dict, deducted: str = "", assignment: str = "") -> Markup:
    """What one student is told."""
    total = "{:g} of {:g} points.".format(*points_of(record))
    total = "You are excused: this has no mark." if is_excused(record) else total
    parts = [*_paragraphs(assignment, total, deducted, record.get("note"))]
    if not _is_isolated(record):
        parts.append(_NOT_ISOLATED)
    for mark in record["marks"]:
        parts.append(Markup("<h2>{call}: {points:g} of {maximum:g} points</h2>\n").format(**mark))
        parts += _paragraphs(mark["note"])
        parts += _properties(mark["properties"])
    return whole(f"Marks for {record['student']}", parts)


def _paragraphs(*texts: str | None) -> Iterator[Markup]:
    return (Markup("<p>{}</p>\n").format(text_of(each)) for each in texts if each)


def overview(records: Sequence[dict], sorted_: Sorted | None = None) -> Markup:
    """The class: its distribution, what failed how often, and what the teacher has to check."""
    parts = [] if all(map(_is_isolated, records)) else [_NOT_ISOLATED]
    parts.append(Markup("<p>{} submissions.</p>\n").format(len(records)))
    marked = [record for record in records if not is_excused(record)]
    parts += [_distribution(marked), _by_exercise(marked), Markup("<h2>What failed</h2>\n")]
    parts += [_failure(*each) for each in _failures(records)]
    rows = [(record["student"], _warning(record)) for record in records if _warning(record)]
    parts.append(_table("To be checked", ("student", "what was found"), rows))
    parts += [Markup("<h2>All students</h2>\n"), table(("student", "points"), map(_link, records))]
    if sorted_ is not None:
        parts.append(_table("Submissions without a student", ("name", "why"), sorted_.unknown))
        missing = [(name,) for name in sorted_.missing]
        parts.append(_table("Students without a submission", ("student",), missing))
        if sorted_.partly:
            head = ("name", "taken for")
            parts.append(_table("Recognised by a part of the name", head, sorted_.partly))
    return whole("Marks of the class", parts)


def _link(record: dict) -> tuple[Markup, str]:
    """A student with a link to the page, and the points."""
    link = Markup('<a href="students/{}">{}</a>')
    name = record["student"]
    points = "excused" if is_excused(record) else "{:g} of {:g}".format(*points_of(record))
    return link.format(page_name(name), text_of(name)), points


def points_of(record: dict) -> tuple[float, float]:
    """The points of a record, and how many there are."""
    points, maximum = (sum(mark[key] for mark in record["marks"]) for key in ("points", "maximum"))
    return points, maximum


def is_excused(record: dict) -> bool:
    """Whether the teacher has excused this student, who then has no mark."""
    return record.get("excused", False)


def _distribution(records: Sequence[dict]) -> Markup:
    shares = Counter(_tenth(record) for record in records)
    most = max(shares.values(), default=1)
    rows = [
        (f"{10 * tenth} to {10 * tenth + 10} %", shares[tenth], _bar(shares[tenth] / most))
        for tenth in range(10)
    ]
    return _table("Share of the points", ("share", "students", "chart"), rows)


def _bar(share: float) -> str:
    """At most as wide as fits on a phone; whatever is not zero can be seen."""
    return "█" * math.ceil(10 * share)


def _by_exercise(records: Sequence[dict]) -> Markup:
    """For each exercise its median, and how many got all or nothing."""
    rows = []
    for marks in zip(*(record["marks"] for record in records), strict=True):
        points, maximum = [mark["points"] for mark in marks], marks[0]["maximum"]
        full = sum(each == maximum for each in points)
        median = f"{statistics.median(points):g} of {maximum:g}"
        rows.append((marks[0]["call"], median, full, points.count(0)))
    head = ("exercise", "median", "full marks", "no points")
    return _table("Exercise by exercise", head, rows)


def _failures(records: Sequence[dict]) -> list[tuple[tuple[str, str, str], Counter]]:
    """What failed, the most frequent first, with the answers with which it failed."""
    failed = defaultdict(Counter)
    for record in records:
        for mark in record["marks"]:
            for each in mark["properties"]:
                if each["points"] < each["maximum"]:
                    failed[mark["call"], each["claim"], each["said"]][mark["source"]] += 1
    return sorted(failed.items(), key=lambda item: -item[1].total())


def _failure(what: tuple[str, str, str], answers: Counter) -> Markup:
    """A property that did not hold, and the most frequent answer for which it did not."""
    call, claim, said = what
    source, count = answers.most_common(1)[0]
    return Markup(
        "<h3>{claim}</h3>\n<p>{call}. Students who lost these points: {total}.</p>\n"
        "{because}<details><summary>The commonest wrong answer ({count} of {total}, "
        "{several} different)</summary><pre>{source}</pre></details>\n"
    ).format(
        claim=text_of(claim),
        call=text_of(call),
        because=Markup("").join(_paragraphs(said)),
        source=text_of(source),
        count=count,
        total=answers.total(),
        several=len(answers),
    )


def page_name(student: str) -> str:
    """A name for a file: the letters that every system takes, and a digest against doubles."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", student)[:40].strip("-")
    digest = hashlib.sha256(student.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain}-{digest}.html" if plain else f"{digest}.html"


def _properties(properties: Sequence[dict]) -> list[Markup]:
    """Each property; an error that made several of them fail is described once."""
    parts, told = [], set()
    for each in properties:
        error = _error(each)
        parts.append(_property(each, again=error in told))
        told |= {error} - {None}
    return parts


def _error(each: dict) -> tuple[str, ...] | None:
    """What was raised and where, whatever numbers its message has; None if nothing was."""
    lines = [line.strip() for line in each["example"].splitlines()[-2:]]
    if not each["said"] or not lines or not _AT.match(lines[0]):
        return None
    return each["said"], lines[0], lines[-1].partition(":")[0]


def _property(each: dict, again: bool = False) -> Markup:
    heading = Markup("<h3>{points:g} of {maximum:g}: {text}</h3>\n")
    parts = [heading.format(**each, text=text_of(each["claim"]))]
    if each["points"] < each["maximum"] and again:
        parts.append(Markup("<p>The same error, at the same line, as above.</p>\n"))
    elif each["points"] < each["maximum"]:
        parts += _paragraphs(each["said"], each["hint"])
        if each["example"]:
            parts.append(Markup("<pre>{}</pre>\n").format(text_of(each["example"])))
    return Markup("").join(parts)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    lines = [[text_of(str(each)) for each in row] for row in rows]
    return Markup("<h2>{}</h2>\n{}").format(title, table(head, lines))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """A table whose cells are text unless they are markup."""
    empty, cell = Markup(""), Markup("<td>{}</td>")
    heads = empty.join(Markup('<th scope="col">{}</th>').format(each) for each in head)
    lines = empty.join(
        Markup("<tr>{}</tr>\n").format(empty.join(map(cell.format, row))) for row in rows
    )
    return Markup("<table><thead><tr>{}</tr></thead>\n{}</table>\n").format(heads, lines)


def text_of(text: str) -> Markup:
    """Text in a page: no markup, nothing hidden, and letters from right to left stay inside."""
    return Markup("<bdi>{}</bdi>").format(shown(text))


def _is_isolated(record: dict) -> bool:
    return all(mark["isolated"] for mark in record["marks"])


def _warning(record: dict) -> str:
    found = [record["warning"], *(mark["warning"] for mark in record["marks"])]
    return "; ".join(dict.fromkeys(each for each in found if each))


def _tenth(record: dict) -> int:
    points, maximum = points_of(record)
    return min(9, int(10 * points // max(maximum, 1)))


def put(path: Path, text: str) -> None:
    """Write a file in one step, so that nobody reads half of it, and only its owner the whole."""
    draft = path.with_name(path.name + ".draft")
    draft.unlink(missing_ok=True)
    with open(draft, "w", encoding="utf-8", errors="replace", newline="", opener=owners) as file:
        file.write(text)
    os.replace(draft, path)


def owners(path: str, flags: int) -> int:
    """Open a file that only its owner may read, whoever may read its folder."""
    number = os.open(path, flags, 0o600)
    os.chmod(path, 0o600)  # it may be there from an earlier run
    return number
