"""What a class got: marks.csv, report.html for the teacher, and one page a student.

Whatever comes from a student is text: never markup in a page, for the templates in pages/ escape
it, and never a formula in a table.
"""

import hashlib
import math
import os
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from attn_class.grading.names import shown
from attn_class.grading.roster import Sorted, sheet

_AT = re.compile(r"(?:code cell \d+, )?line ")


def text_of(value: object) -> Markup:
    """Text in a page: no markup, nothing hidden, and letters from right to left stay inside."""
    return Markup("<bdi>{}</bdi>").format(shown(str(value)))


_PAGES = Environment(
    autoescape=True,
    loader=FileSystemLoader(Path(__file__).with_name("pages")),
    undefined=StrictUndefined,
    trim_blocks=True,
)
_PAGES.filters |= {"text": text_of, "seen": shown}  # a browser shows no markup in its tab


def filled(template: str, **values: object) -> str:
    """A page: a template of pages/ with these values."""
    return _PAGES.get_template(f"{template}.html.j2").render(values)


def write(
    records: Sequence[dict],
    results: Path,
    sorted_: Sorted | None = None,
    deducted: Mapping[str, str] | None = None,
    assignment: str = "",
    in_class: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write all reports into this folder, each of them whole or not at all.

    ``deducted`` has a sentence for each student who loses points for being late, and ``in_class``
    the name in the class list and what counts, by the name of the submission.
    """
    put(results / "marks.csv", marks(records, in_class, sorted_))
    put(results / "report.html", overview(records, sorted_))
    (results / "students").mkdir(mode=0o700, exist_ok=True)
    pages = {}
    for record in records:
        sentence = (deducted or {}).get(record["student"], "")
        name, _ = (in_class or {}).get(record["student"], ("", ""))
        pages[page_name(record["student"])] = page(record, sentence, assignment, name)
    for former in {path.name for path in (results / "students").iterdir()} - {*pages}:
        (results / "students" / former).unlink()
    for name, text in pages.items():
        put(results / "students" / name, text)


def marks(
    records: Sequence[dict],
    in_class: Mapping[str, Sequence[str]] | None = None,
    sorted_: Sorted | None = None,
) -> str:
    """A table with a line for each submission; with a class list, whose it is and what counts.

    Students of whom nothing is known to be handed in have a line without points.
    """
    calls = [mark["call"] for mark in records[0]["marks"]] if records else []
    more = ["name", "counts"] if in_class is not None else []
    rows = [["student", *calls, "points", "maximum", "isolated", "remark", *more]]
    for record in records:
        points = [_short(mark["points"]) for mark in record["marks"]]
        total = ["", ""] if is_excused(record) else [*map(_short, points_of(record))]
        isolated = "yes" if _is_isolated(record) else "no"
        remark = "; ".join(filter(None, ("excused" * is_excused(record), _warning(record))))
        own = (in_class or {}).get(record["student"], ["", ""])
        own = [own[0], "" if is_excused(record) else own[1]] if more else []
        rows.append([record["student"], *points, *total, isolated, remark, *own])
    empty = [""] * (len(calls) + 3)
    for student in sorted_.missing if sorted_ else ():
        doubt = "no file is surely theirs" if student in sorted_.doubtful else ""
        rows.append([student, *empty, doubt or "handed in nothing", student, ""])
    return sheet(rows)


def _short(points: float) -> float:
    """Without what adding parts leaves behind: 0.3, not 0.30000000000000004; 24, not 24.0."""
    number = float(round(points, 9))
    return int(number) if number.is_integer() else number


def page(record: dict, deducted: str = "", assignment: str = "", name: str = "") -> str:
    """What one student is told; an error that made several properties fail is described once."""
    marks = [
        mark | {"told": [*zip(mark["properties"], _again(mark["properties"]), strict=True)]}
        for mark in record["marks"]
    ]
    return filled(
        "student",
        title=f"Marks for {name or record['student']}",
        remarks=(assignment, total_of(record), deducted, record.get("note")),
        isolated=_is_isolated(record),
        marks=marks,
    )


def overview(records: Sequence[dict], sorted_: Sorted | None = None) -> str:
    """The class: its distribution, what failed how often, and what the teacher has to check."""
    counted = [record for record in records if not is_excused(record)]
    names = [record["student"] for record in records]
    totals = map(total_of, records)
    return filled(
        "class",
        title="Marks of the class",
        isolated=all(map(_is_isolated, records)),
        submissions=len(records),
        shares=_distribution(counted),
        exercises=_by_exercise(counted),
        failures=_failures(records),
        warnings=[(record["student"], _warning(record)) for record in records if _warning(record)],
        listed=sorted_,
        students=zip(names, map(page_name, names), totals, strict=True),
    )


def points_of(record: dict) -> tuple[float, float]:
    """The points of a record, and how many there are."""
    points, maximum = (sum(mark[key] for mark in record["marks"]) for key in ("points", "maximum"))
    return points, maximum


def total_of(record: dict) -> str:
    """The points of a record in words."""
    if is_excused(record):
        return "Excused: this has no mark."
    return "{:g} of {:g} points.".format(*points_of(record))


def is_excused(record: dict) -> bool:
    """Whether the teacher has excused this student, who then has no mark."""
    return record.get("excused", False)


def _distribution(records: Sequence[dict]) -> list[tuple]:
    shares = Counter(_tenth(record) for record in records)
    most = max(shares.values(), default=1)
    return [
        (f"{10 * tenth} to {10 * tenth + 10} %", shares[tenth], _bar(shares[tenth] / most))
        for tenth in range(10)
    ]


def _bar(share: float) -> str:
    """At most as wide as fits on a phone; whatever is not zero can be seen."""
    return "█" * math.ceil(10 * share)


def _by_exercise(records: Sequence[dict]) -> list[tuple]:
    """For each exercise its median, and how many got all or nothing."""
    rows = []
    for marks in zip(*(record["marks"] for record in records), strict=True):
        points, maximum = [mark["points"] for mark in marks], marks[0]["maximum"]
        full = sum(one == maximum for one in points)
        median = f"{statistics.median(points):g} of {maximum:g}"
        rows.append((marks[0]["call"], median, full, points.count(0)))
    return rows


class Failure(NamedTuple):
    """A property that did not hold, and the answers for which it did not, by how often."""

    call: str
    claim: str
    instead: str
    answers: Counter
    source: str  # the commonest of them
    count: int


def _failures(records: Sequence[dict]) -> list[Failure]:
    """What failed, the most frequent first."""
    failed = defaultdict(Counter)
    for record in records:
        for mark in record["marks"]:
            for tried in mark["properties"]:
                if tried["points"] < tried["maximum"]:
                    failed[mark["call"], tried["claim"], tried["said"]][mark["source"]] += 1
    failures = sorted(failed.items(), key=lambda item: -item[1].total())
    return [Failure(*what, answers, *answers.most_common(1)[0]) for what, answers in failures]


def page_name(student: str) -> str:
    """A name for a file: the letters that every system takes, and a digest against doubles."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", student)[:40].strip("-")
    digest = hashlib.sha256(student.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain}-{digest}.html" if plain else f"{digest}.html"


def _again(properties: Sequence[dict]) -> list[bool]:
    """Of each property, whether its error was told with one before."""
    errors = [_error(one) for one in properties]
    return [error is not None and error in errors[:at] for at, error in enumerate(errors)]


def _error(tried: dict) -> tuple[str, ...] | None:
    """What was raised and where, whatever numbers its message has; None if nothing was."""
    lines = [line.strip() for line in tried["example"].splitlines()[-2:]]
    if not tried["said"] or not lines or not _AT.match(lines[0]):
        return None
    return tried["said"], lines[0], lines[-1].partition(":")[0]


def _is_isolated(record: dict) -> bool:
    return all(mark["isolated"] for mark in record["marks"])


def _warning(record: dict) -> str:
    warnings = [record["warning"], *(mark["warning"] for mark in record["marks"])]
    return "; ".join(dict.fromkeys(warning for warning in warnings if warning))


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
