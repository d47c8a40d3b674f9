"""When each page was last changed: the date of the last commit that touched its source.

sphinx-last-updated-by-git keeps the date that it found on the day on which Sphinx read the page, so
that the next build after a commit shows an old one; and where there is no git, its warning ends a
strict build.
"""

import shutil
import subprocess
from datetime import date
from pathlib import Path

from babel.dates import format_date

from ..site import contents
from ..site.find import of_class
from ..site.page import Page


def dates(root: Path, names: list[str]) -> dict[str, date]:
    """The days of the documents for which they are known, by name.

    Git does not know them if it is missing, if a file is not committed, and in a shallow clone,
    whose oldest commit seems to have created every file.
    """
    if not shutil.which("git") or _git(root, "rev-parse", "--is-shallow-repository") != "false":
        return {}
    days: dict[str, date] = {}  # by file; the last commit comes first
    log = _git(root, "log", "--format=%x00%cs", "--name-only", "--relative", "--", ".")
    for commit in log.split("\0")[1:]:
        day, *files = commit.splitlines()
        for file in files:
            days.setdefault(file, date.fromisoformat(day))
    sources = {name: contents.source(root, name) for name in names}
    paths = {name: path and path.relative_to(root).as_posix() for name, path in sources.items()}
    return {name: days[file] for name, file in paths.items() if file in days}


def _git(root: Path, *words: str) -> str:
    process = subprocess.run(["git", "-C", root, *words], capture_output=True, encoding="utf-8")
    return process.stdout.strip("\n") if process.returncode == 0 else ""


def show(page: Page, day: date | None) -> None:
    """Show the date in the page's footer, where the template has a place for it."""
    for place in of_class(page.soup, "attn-changed"):
        if day is None:
            place.decompose()
            continue
        time = page.soup.new_tag("time", attrs={"datetime": day.isoformat()})
        # strftime would depend on the machine's language
        time.string = format_date(day, "d MMMM y", locale="en")
        place.extend([" Last changed on ", time, "."])
