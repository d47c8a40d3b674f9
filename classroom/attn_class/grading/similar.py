"""Which answers of a class are alike, beyond what all answers to a question share.

Compared are the texts that the sandbox made of the syntax trees: without comments, docstrings and
annotations, and with all names of the student's own replaced. The report lists

- whole submissions that are equal, and equal functions that are wrong, however many have them;
- groups of submissions that are alike. Each text is cut into runs of `RUN` tokens. A run that few
  have counts as one; the more of the class have it, the less it counts, since there is often one
  good way to write a line; what all have counts nothing. Two are as alike as the share of what the
  smaller one has that both have, and who is alike with one of a group belongs to it.

Nothing leaves the machine. The report names groups to be looked at: it proves nothing, and people
who learn together write alike.

No library is used. copydetect reads files of tokens and not trees, so that a new order of functions
or a comment counts for it; pycode-similar aligns the trees of every two answers, and would have to
parse them in the grader's process, which a text can overthrow.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.report import filled, put

RUN = 12  # tokens
COMMON = 0.1  # of the class: a run that more answers hold counts less than one
CLIQUE = 5  # as many may hold a run that counts as one in a small class, up to half of it
LEAST = 10  # runs that two must share, as they count
ALIKE = 0.5
_TOKEN = re.compile(r"\w+|[^\w\s]")
_OWN_NAME = re.compile(r"v\d+")


class Group(NamedTuple):
    """Students, by which functions they are alike, and how much and by how many runs at least."""

    students: tuple[str, ...]
    calls: tuple[str, ...]
    share: float = 1.0
    runs: int = 0


def write(records: Sequence[dict], results: Path) -> None:
    put(results / "similarity.html", page(records))


def equal(records: Sequence[dict]) -> list[Group]:
    """Those whose whole submissions are equal."""
    return _same(
        (_sources(record), record["student"]) for record in records if any(_sources(record))
    )


def equally_wrong(records: Sequence[dict]) -> list[Group]:
    """Those who wrote the same function, and it is wrong."""
    return _same(
        (((mark["call"], mark["source"]),), record["student"])
        for record in records
        for mark in record["marks"]
        if mark["source"] and mark["points"] < mark["maximum"]
    )


def _sources(record: dict) -> tuple[tuple[str, str], ...]:
    return tuple((mark["call"], mark["source"]) for mark in record["marks"] if mark["source"])


def _same(written: Iterable[tuple[tuple[tuple[str, str], ...], str]]) -> list[Group]:
    """Groups of those who wrote the same, the longest text first."""
    by_text: dict[tuple, list[str]] = defaultdict(list)
    for text, student in written:
        by_text[text].append(student)
    longest = sorted(by_text, key=lambda text: -sum(len(source) for _, source in text))
    return [
        Group(tuple(sorted(by_text[text])), tuple(call for call, _ in text))
        for text in longest
        if len(by_text[text]) > 1
    ]


def alike(records: Sequence[dict]) -> list[Group]:
    """Groups that are more alike than the class is, the most alike first, with their equals."""
    written = {record["student"]: _sources(record) for record in records}
    equals: dict[tuple, list[str]] = defaultdict(list)
    for name, sources in written.items():
        equals[sources].append(name)
    all_runs = {record["student"]: runs_of(record) for record in records}
    holders = Counter(run for own in all_runs.values() for run in own)
    runs = {names[0]: all_runs[names[0]] for names in equals.values()}
    weights = {run: _weight(times, len(records)) for run, times in holders.items()}
    totals = {name: sum(weights[run] for run in own) for name, own in runs.items()}
    links = {}
    for one, two in combinations(runs, 2):
        both = {run for run in runs[one] & runs[two] if weights[run]}
        shared, least = sum(weights[run] for run in both), min(totals[one], totals[two])
        if shared >= LEAST and shared >= ALIKE * least:
            links[one, two] = Group((one, two), _calls(both), shared / least, len(both))
    groups = []
    for group in map(_joined, _connected(links)):
        names = sorted(name for first in group.students for name in equals[written[first]])
        groups.append(group._replace(students=tuple(names)))
    return sorted(groups, key=lambda group: (-group.share, -group.runs, group.students))


def _weight(holders: int, students: int) -> float:
    """How much a run counts that so many of a class hold: from one down to nothing."""
    few = max(2, min(CLIQUE, students // 2), COMMON * students)
    return 1.0 if holders <= few else math.log(students / holders) / math.log(students / few)


def _calls(runs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted({call for call, _ in runs}))


def _connected(links: Mapping[tuple[str, str], Group]) -> list[list[Group]]:
    """The links of each group, where one student leads to the next."""
    groups: list[tuple[set[str], list[Group]]] = []
    for pair, link in links.items():
        touched = [group for group in groups if group[0] & {*pair}]
        groups = [group for group in groups if group not in touched]
        students = {*pair}.union(*(names for names, _ in touched))
        groups.append((students, [link, *(one for _, inside in touched for one in inside)]))
    return [inside for _, inside in groups]


def _joined(links: Sequence[Group]) -> Group:
    """One group of these links: the least share of a student's best link, and its runs."""
    best: dict[str, Group] = {}
    for link in links:
        for name in link.students:
            best[name] = max(best.get(name, link), link, key=lambda one: (one.share, one.runs))
    least = min(best.values(), key=lambda one: (one.share, one.runs))
    calls = tuple(sorted({call for link in links for call in link.calls}))
    return Group(tuple(sorted(best)), calls, least.share, least.runs)


def runs_of(record: dict) -> set[tuple[str, str]]:
    """The runs of tokens in what a student wrote, each with the function that it belongs to."""
    runs = set()
    for mark in record["marks"]:
        tokens = [_OWN_NAME.sub("v", token) for token in _TOKEN.findall(mark["source"])]
        starts = range(len(tokens) - RUN + 1)
        runs |= {(mark["call"], " ".join(tokens[at : at + RUN])) for at in starts}
    return runs


def page(records: Sequence[dict]) -> str:
    """The report for the teacher."""
    return filled(
        "similarity",
        title="Answers that are alike",
        submissions=len(records),
        sections=[
            _section("Equal submissions", equal(records)),
            _section("Equal functions that are wrong", equally_wrong(records)),
            _section("Groups that are alike", alike(records), measured=True),
        ],
    )


def _section(title: str, groups: Sequence[Group], measured: bool = False) -> tuple:
    """A title with a table: its head, and its rows."""
    head = ("students", "how many", "where", *(("share", "token runs") if measured else ()))
    rows = [
        (
            "; ".join(group.students),
            len(group.students),
            ", ".join(group.calls),
            *((f"{group.share:.0%}", group.runs) if measured else ()),
        )
        for group in groups
    ]
    return title, head, rows
