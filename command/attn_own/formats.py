"""Files of pairs that are no tables: lines of JSON, and translations by gettext (PO)."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from attn_own.opening import raw_lines

_LOOKED_AT = 200  # lines that tell which format it is
_PO = re.compile(rb'msg(id|str)(_plural|\[\d+\])? "')


def format_of(path: Path, held: bytes | None, encoding: str) -> str:
    """The format of a file by its first lines: "json", "po" or "table"."""
    first = [raw for raw in islice(raw_lines(path, held, encoding), _LOOKED_AT) if raw]
    if first and len(fields(first[0])) > 1:
        return "json"
    starts = {match[1] for raw in first if (match := _PO.match(raw))}
    return "po" if len(starts) == 2 else "table"


def fields(raw: bytes | str) -> dict[str, str]:
    """The values of a line of JSON by their names, those within others as a.b; {} if it is none."""
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    found: dict[str, str] = {}

    def add(name: str, value: object) -> None:
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value, start=1)
            for key, each in inner:
                add(f"{name}.{key}" if name else str(key), each)
        else:
            found[name] = "" if value is None else str(value)

    if isinstance(given, dict | list):
        add("", given)
    return found


def translations(path: Path, held: bytes | None, encoding: str) -> Iterator[list[str]]:
    """Each message of a PO file with its translation; one without is an empty row."""
    from babel.messages.pofile import read_po

    whole = b"\n".join(raw or b"" for raw in raw_lines(path, held, encoding))
    for message in read_po(io.StringIO(whole.decode("utf-8", "replace"))):
        sides = [
            each[0] if isinstance(each, list | tuple) else each
            for each in (message.id, message.string)
        ]
        if sides[0]:  # the message without a text is the file's header
            yield [str(each) for each in sides] if sides[1] and not message.fuzzy else []
