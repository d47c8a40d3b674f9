"""What one build has worked out and the next one would work out again, in ``_build/.answers``.

Each answer is named by all that it depends on, so none is ever wrong, whatever was edited since. A
build that fails or is stopped leaves none behind: see `notebooks.build`.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

FOLDER = Path("_build", ".answers")
MOST = 5000  # files; beyond it, only those stay that the last build asked for
_asked: set[Path] = set()


def remembered(root: Path, grounds: list, work_out: Callable[[], str]) -> str:
    """The answer that follows from ``grounds``, which can be written as JSON."""
    name = hashlib.sha256(json.dumps(grounds, sort_keys=True).encode()).hexdigest()[:32]
    path = root / FOLDER / name
    _asked.add(path)
    if path.exists():
        return path.read_bytes().decode()
    answer = work_out()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")  # whole or not at all, whoever else writes it
    fresh.write_bytes(answer.encode())
    fresh.replace(path)
    return answer


def tidy(root: Path) -> None:
    """Keep the folder from growing for ever."""
    found = {*(root / FOLDER).glob("*")}
    if len(found) > MOST:
        for path in found - _asked:
            path.unlink()
