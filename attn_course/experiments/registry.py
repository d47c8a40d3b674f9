"""Find the experiments by name. Nothing is imported but the one that is asked for."""

import ast
import functools
import importlib
from pathlib import Path

from attn_course.experiments.experiment import Experiment

ROOM = Path(__file__).parent


@functools.cache
def questions() -> dict[str, str]:
    """The question of each experiment, by its name."""
    names = {}
    for path in sorted(ROOM.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(_is_record(statement) for statement in tree.body):
            names[path.stem] = ast.get_docstring(tree).splitlines()[0]
    return names


def _is_record(statement: ast.stmt) -> bool:
    """Whether this is ``EXPERIMENT = ...``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(getattr(target, "id", None) == "EXPERIMENT" for target in targets)


def experiment(name: str) -> Experiment:
    """The experiment of this name; a ValueError that lists the names if there is none."""
    if name not in (known := questions()):
        raise ValueError(f"no experiment is called {name!r}; there are {', '.join(known)}")
    return importlib.import_module(f"{__package__}.{name}").EXPERIMENT
