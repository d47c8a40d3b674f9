"""How many days late something was handed in, and how many of them are allowed.

A table of the teacher's has the columns student, late and allowed, in days. An export has the time
in a column of `HANDED_IN`, or how late it was, as Gradescope has it. Begun days count.
"""

import math
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from dateutil import parser

COLUMNS = ("late", "allowed")
HANDED_IN = ("Last modified (submission)", "Submission Time", "handed in")  # Moodle, Gradescope
LATENESS = "Lateness (H:M:S)"  # Gradescope
_TIME = re.compile(r"(?=.*\d{4})(?=.*\d:\d\d).*", re.DOTALL)
_LATENESS = re.compile(r"(\d+):(\d\d):(\d\d)")
_NUMBER = re.compile(r"\d+([.,]\d+)?")
_NOT_AT_ALL = ("", "-")


class Late(NamedTuple):
    """Days late, and how many of them cost nothing."""

    late: float
    allowed: float


def time_of(text: str) -> datetime:
    """A time that can be read in one way only, by the clock of whoever wrote it."""
    try:
        if not _TIME.fullmatch(text):
            raise ValueError(text)
        american = parser.parse(text)
        european = american if text[:4].isdecimal() else parser.parse(text, dayfirst=True)
    except (ValueError, OverflowError):
        american, european = datetime.min, datetime.max
    if american != european:
        raise ValueError(f"{text!r} is no time, or several; expected such as 2026-12-03 23:59")
    return american.replace(tzinfo=None)


def days_late(line: Mapping[str, str], due: datetime | None) -> Late | None:
    """The days in a line of a table, by the table's head; None if nothing was handed in."""
    allowed = _days(line.get("allowed", ""))
    if "late" in line or not {LATENESS, *HANDED_IN} & {*line}:
        return Late(_days(line.get("late", "")), allowed)
    handed_in = next((line[name] for name in HANDED_IN if name in line), "")
    lateness = line.get(LATENESS, "")
    if lateness not in _NOT_AT_ALL and (due is None or handed_in in _NOT_AT_ALL):
        match = _LATENESS.fullmatch(lateness)
        if match is None:
            raise ValueError(f"{lateness!r} is no lateness; expected hours, such as 26:10:02")
        hours, minutes, seconds = map(int, match.groups())
        after = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    elif handed_in in _NOT_AT_ALL:
        return None
    elif due is None:
        raise ValueError(f"it was handed in at {handed_in}; expected DUE=time as well")
    else:
        after = time_of(handed_in) - due.replace(second=due.second or 59)
    return Late(max(0, math.ceil(after / timedelta(days=1))), allowed)


def _days(text: str) -> float:
    if not _NUMBER.fullmatch(text or "0"):
        raise ValueError(f"days must be numbers from 0 on, not {text}")
    return float((text or "0").replace(",", "."))
