"""Which answers of a class are alike, beyond what all answers to a question share.

Compared are the texts that the sandbox made of the syntax trees: without comments, docstrings and
annotations, and with all names of the student's own replaced. Each is cut into runs of `RUN`
tokens. Runs that many answers hold say nothing, since there is often one good way to write a line;
what remains is an answer's own. Two students are as alike as the share of the smaller set of own
runs that both have. Nothing leaves the machine. The report names pairs to be looked at: it proves
nothing, and people who learn together write alike.

No library is used. copydetect reads files of tokens and not trees, so that a new order of functions
or a comment counts for it; pycode-similar aligns the trees of every two answers, and would have to
parse them in the grader's process, which a text can overthrow.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from attn_course.classroom.grading.report import put, table, text_of, whole

RUN = 12  # tokens
COMMON = 0.1  # of the class: runs that more answers hold are nobody's own
CLIQUE = 5  # as many may hold a run in a small class, up to half of it
LEAST = 10  # own runs that two must share
ALIKE = 0.5
SHOWN = 40  # pairs
_TOKEN = re.compile(r"\w+|[^\w\s]")
_OWN_NAME = re.compile(r"v\d+")


class Pair(NamedTuple):
    """Two students, the share of own runs in common, their number, and by which functions."""

    one: str
    two: str
    share: float
    runs: int
    calls: tuple[str, ...]


def write(records: Sequence[dict], results: Path) -> None:
    put(results / "similarity.html", page(pairs(records), len(records)))


def pairs(records: Sequence[dict]) -> list[Pair]:
    """The pairs that are more alike than the class is, the most alike first."""
    runs = {record["student"]: runs_of(record) for record in records}
    held = Counter(run for own in runs.values() for run in own)
    most = _most(len(records))
    rare = {name: {run for run in own if held[run] <= most} for name, own in runs.items()}
    found = [_pair(one, two, rare) for one, two in combinations(rare, 2) if rare[one] & rare[two]]
    alike = [each for each in found if each.runs >= LEAST and each.share >= ALIKE]
    return sorted(alike, key=lambda each: (-each.share, -each.runs, each.one, each.two))[:SHOWN]


def _most(students: int) -> int:
    """How many of a class may hold a run that is still somebody's own."""
    return int(max(2, min(CLIQUE, students // 2), COMMON * students))


def runs_of(record: dict) -> set[tuple[str, str]]:
    """The runs of tokens in what a student wrote, each with the function that it belongs to."""
    found = set()
    for mark in record["marks"]:
        tokens = [_OWN_NAME.sub("v", each) for each in _TOKEN.findall(mark["source"])]
        starts = range(len(tokens) - RUN + 1)
        found |= {(mark["call"], " ".join(tokens[at : at + RUN])) for at in starts}
    return found


def _pair(one: str, two: str, rare: dict[str, set]) -> Pair:
    both = rare[one] & rare[two]
    share = len(both) / min(len(rare[one]), len(rare[two]))
    return Pair(one, two, share, len(both), tuple(sorted({call for call, _ in both})))


def page(found: Sequence[Pair], students: int) -> Markup:
    """The report for the teacher."""
    compared = Markup(
        "<p>{} submissions were compared as syntax trees, without names and comments, and "
        "without what more than {} of them have in common. The table lists the "
        "pairs that share half or more of what remains. Read both answers before you draw a "
        "conclusion: the two may have learnt together or from the same source, or the task may "
        "have left them little to decide.</p>\n"
    ).format(students, _most(students))
    pair = Markup("{}, {}")
    rows = [
        (
            pair.format(text_of(each.one), text_of(each.two)),
            f"{each.share:.0%}",
            each.runs,
            text_of(", ".join(each.calls)),
        )
        for each in found
    ]
    heads = ("students", "share", "token runs in common", "where")
    none = Markup("<p>No two submissions are that similar.</p>")
    return whole("Answers that are alike", [compared, table(heads, rows) if found else none])
