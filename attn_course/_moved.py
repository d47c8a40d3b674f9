"""Old import paths, for one release: each leads to the same module, and warns.

``attn_course.plots`` is ``attn_course.views.plots`` now, and so is everything below a name here.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import CodeType, ModuleType

GONE = "1.2"  # the release that has no old paths any more
ROOMS = {
    "views": ("canvas_pictures", "diagrams", "palette", "plots", "source", "widgets"),
    "classroom": ("exercises", "grading"),
}
OLD = {
    f"{__package__}.{name}": f"{__package__}.{room}.{name}"
    for room, names in ROOMS.items()
    for name in names
}


def current(name: str) -> str:
    """The path of a module today, given in full; its own if it has not moved."""
    old = ".".join(name.split(".")[:2])
    return OLD.get(old, old) + name[len(old) :]


class Moved:
    """Finds a module under its old path, and gives the one under the new path."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        new = current(name)
        there = find_spec(new) if new != name else None
        if there is None:
            return None
        package = there.submodule_search_locations is not None
        return ModuleSpec(name, self, origin=there.origin, is_package=package)

    def create_module(self, spec: ModuleSpec) -> None:
        """An empty one, whose place the real one takes."""

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name in OLD:
            warnings.warn(
                f"{name} is {OLD[name]} now; the old path goes with release {GONE}",
                DeprecationWarning,
                stacklevel=2,
            )
        sys.modules[name] = import_module(current(name))

    def get_code(self, name: str) -> CodeType | None:
        """What ``python -m`` runs."""
        return find_spec(current(name)).loader.get_code(current(name))


def install() -> None:
    """Look under old paths first: a package that moved finds its own modules under both names."""
    sys.meta_path.insert(0, Moved())
