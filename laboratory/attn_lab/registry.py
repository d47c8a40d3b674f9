"""Find the experiments by name. Nothing is imported but the one that is asked for."""

import ast
import functools
import importlib
from pathlib import Path
from types import ModuleType

from attn_lab.experiment import Experiment

ROOM = Path(__file__).parent
CHAPTERS = {  # of each folder
    "fixed_context": "01-fixed-context",
    "scores": "03-alignment-scores",
    "context_vectors": "04-context-vectors",
    "reading_dates": "05-reading-dates",
    "gradients": "06-gradient-paths",
    "translation": "10-word-order",
    "searching": "a-searching",
    "typos": "b-typos",
    "canvases": "c-seeing",
    "transformers": "07-self-attention",
    "writing": "08-write-a-language-model",
    "faithful_maps": "11-faithfulness",
    "recall": "09-cheaper-attention",
    "language_model": "12-a-language-model",
    "corpora": "13-capstone",
}
NO_CHAPTER = "of no chapter"


def files() -> dict[str, Path]:
    """The files in the folders, by the names of their modules, each of which is there once."""
    return {path.stem: path for path in sorted(ROOM.glob("*/[!_]*.py"), key=lambda path: path.stem)}


def module(name: str) -> ModuleType:
    """The module of this name, imported; a KeyError if there is none."""
    return importlib.import_module(f"{__package__}.{files()[name].parent.name}.{name}")


@functools.cache
def questions() -> dict[str, str]:
    """The question of each experiment, by its name."""
    names = {}
    for name, path in files().items():
        text = path.read_text(encoding="utf-8")
        if "\nEXPERIMENT = " in text:
            names[name] = ast.get_docstring(ast.parse(text)).splitlines()[0]
    return names


def by_chapter() -> dict[str, list[str]]:
    """The experiments of each chapter, then those that no chapter shows."""
    known, names_of = files(), {chapter: [] for chapter in (*CHAPTERS.values(), NO_CHAPTER)}
    for name in questions():
        names_of[CHAPTERS.get(known[name].parent.name, NO_CHAPTER)].append(name)
    return {chapter: names for chapter, names in names_of.items() if names}


def experiment(name: str) -> Experiment:
    """The experiment of this name; a ValueError that lists the names if there is none."""
    if name not in (known := questions()):
        raise ValueError(f"no experiment is called {name!r}; there are {', '.join(known)}")
    return module(name).EXPERIMENT
