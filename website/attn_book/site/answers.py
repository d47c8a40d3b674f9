"""Results that one build keeps for the next, in ``_build/.answers``.

The name of each result contains a digest of everything that it depends on, so it is never out of
date. A build that fails or is stopped leaves none behind: see `notebooks.build`. One that succeeds
keeps what it has asked for, and what that was worked out from.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

FOLDER = Path("_build", ".answers")
_FORM = 2  # the first line names the results that were asked for on the way
_used: set[Path] = set()


def remembered(root: Path, inputs: list, work_out: Callable[[], str]) -> str:
    """The result that follows from ``inputs``; both can be written as JSON."""
    name = hashlib.sha256(json.dumps([_FORM, inputs], sort_keys=True).encode()).hexdigest()[:32]
    path = root / FOLDER / name
    if path.exists():
        within, _, answer = path.read_bytes().decode().partition("\n")
        _used.update([path, *(path.with_name(other) for other in within.split())])
        return answer
    before = {path, *_used}
    _used.clear()
    answer = work_out()
    within = " ".join(sorted(other.name for other in _used))
    _used.update(before)
    path.parent.mkdir(parents=True, exist_ok=True)
    # whole or not at all, even if another process writes it too
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(f"{within}\n{answer}".encode())
    fresh.replace(path)
    return answer


def tidy(root: Path, sound: bool = True) -> None:
    """Remove what this build has not asked for; all if it has seen files change."""
    for path in {*(root / FOLDER).glob("*")} - (_used if sound else set()):
        path.unlink()
