"""What all systems need: who handed in, the hidden tests, and feedback as plain text."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

GRADER, SEED = "grader.py", "seed"
NOT_ISOLATED = "Not isolated: there is no sandbox here, so the answers ran in a plain process."


class Result(NamedTuple):
    """One property of one function, as a system lists it."""

    name: str
    points: int
    maximum: int
    text: str

    @property
    def holds(self) -> bool:
        return self.points == self.maximum


def student_of(metadata: object, otherwise: str) -> str:
    """The e-mail addresses in Gradescope's metadata: one student, or a group."""
    users = metadata.get("users") if isinstance(metadata, Mapping) else None
    users = users if isinstance(users, list) else []
    addresses = [user.get("email") for user in users if isinstance(user, Mapping)]
    return (
        ", ".join(sorted(address for address in addresses if isinstance(address, str) and address))
        or otherwise
    )


def metadata_in(path: Path) -> object:
    """Gradescope's metadata, or nothing if there are none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def function_of(mark: Mapping) -> str:
    """The name of the function that a mark is for."""
    return re.match(r"\w+", mark["call"])[0]


def is_isolated(record: Mapping) -> bool:
    return all(mark["isolated"] for mark in record["marks"])


def results(record: Mapping) -> Iterator[Result]:
    """All properties; a function that could not be called is one result without points."""
    for mark in record["marks"]:
        if not mark["properties"]:
            yield Result(mark["call"], mark["points"], mark["maximum"], mark["note"])
        for tried in mark["properties"]:
            name = f"{function_of(mark)}: {tried['claim']}"
            yield Result(name, tried["points"], tried["maximum"], text_of(tried))


def text_of(tried: Mapping) -> str:
    """The feedback on one property."""
    if tried["points"] == tried["maximum"]:
        return ""
    return "\n".join(part for part in (tried["said"], tried["hint"], tried["example"]) if part)


def remarks(record: Mapping) -> list[str]:
    """What can be said at once, since it gives no hidden test away."""
    lines = [] if is_isolated(record) else [NOT_ISOLATED]
    lines.append(record["note"])
    for mark in record["marks"]:
        read = "" if mark["properties"] else mark["note"]
        lines.append(f"{function_of(mark)}: {read or 'found, and called'}")
    return [line for line in lines if line]


def feedback(mark: Mapping) -> str:
    """All that a student is told about one function."""
    lines = [f"{mark['call']}: {mark['points']} of {mark['maximum']} points", mark["note"]]
    for tried in mark["properties"]:
        lines += [f"[{tried['points']}/{tried['maximum']}] {tried['claim']}", text_of(tried)]
    if not mark["isolated"]:
        lines.append(NOT_ISOLATED)
    return "\n".join(line for line in lines if line)
