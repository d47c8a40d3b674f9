"""The packages that chapters import from, and where they are."""

import functools
import importlib.util
from pathlib import Path

ROOMS = ("attn_course", "attn_lab", "attn_class", "attn_own")


@functools.cache
def rooms() -> dict[str, Path]:
    """Their folders, as this Python imports them; one that is not installed is left out."""
    specs = {name: importlib.util.find_spec(name) for name in ROOMS}
    return {
        name: Path(spec.submodule_search_locations[0]).resolve()
        for name, spec in specs.items()
        if spec
    }
