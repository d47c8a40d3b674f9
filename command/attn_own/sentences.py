"""Sentences from the template ``sentences.txt.j2``."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from attn_course.measures import Interval
from attn_own import wording


def interval(share: Interval | None) -> str:
    """A share with its interval, in a sentence."""
    if share is None:
        return "none (nothing could be asked)"
    percent = wording.percent
    return f"{percent(share.mean)} ({percent(share.low)} to {percent(share.high)})"


_TEXTS = Environment(  # of texts, not of HTML: the card escapes them
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEXTS.filters |= {"n": "{:,}".format, "p": wording.percent, "i": interval}
_TEXTS.filters |= {name: getattr(wording, name) for name in ("counted", "named", "quoted")}


def sentences(macro: str, *values: object) -> list[str]:
    """What a macro of the template says of some values."""
    text = getattr(_TEXTS.get_template("sentences.txt.j2").module, macro)(*values)
    parts = re.split(r"\n\s*\n", text.strip())
    return [re.sub(r"\s*\n\s*", " ", part) for part in parts if part]
