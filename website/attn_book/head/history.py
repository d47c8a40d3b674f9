"""When each page was last changed: the date of the last commit that touched its source.

We do not use sphinx-last-updated-by-git. It keeps the date of the day on which Sphinx read the
page, so that the next build after a commit shows an old one; and if git does not know a date, its
warning ends a strict build.
"""

import shutil
import subprocess
from datetime import date
from pathlib import Path

from babel.dates import format_date

from ..site import contents
from ..site.find import of_class
from ..site.page import Page


def changed(root: Path, source: str) -> date | None:
    """The day of the last commit that changed ``source``, or None if git does not know it.

    Git does not know it if it is missing, if the file is not committed, and in a shallow clone,
    whose oldest commit seems to have created every file.
    """
    if not shutil.which("git") or _git(root, "rev-parse", "--is-shallow-repository") != "false":
        return None
    day = _git(root, "log", "-1", "--format=%cs", "--", source)
    return date.fromisoformat(day) if day else None


def _git(root: Path, *words: str) -> str:
    said = subprocess.run(["git", "-C", root, *words], capture_output=True, encoding="utf-8")
    return said.stdout.strip() if said.returncode == 0 else ""


def dates(root: Path, names: list[str]) -> dict[str, date]:
    """The days of the documents for which they are known, by name."""
    found = {}
    for name in names:
        source = contents.source(root, name)
        if source and (day := changed(root, source.relative_to(root).as_posix())):
            found[name] = day
    return found


def show(page: Page, day: date | None) -> None:
    """Show the date in the page's footer, where the template has a place for it."""
    for place in of_class(page.soup, "attn-changed"):
        if day is None:
            place.decompose()
            continue
        time = page.soup.new_tag("time", attrs={"datetime": day.isoformat()})
        time.string = format_date(
            day, "d MMMM y", locale="en"
        )  # strftime would depend on the machine's language
        place.extend([" Last changed on ", time, "."])
