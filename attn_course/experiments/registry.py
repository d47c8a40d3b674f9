"""Find the experiments by name. Nothing is imported but the one that is asked for."""

import ast
import functools
import importlib
from pathlib import Path

from attn_course.experiments.experiment import Experiment

ROOM = Path(__file__).parent
CHAPTERS = {
    "01-fixed-context": ("bottleneck", "bottleneck_weights"),
    "03-alignment-scores": ("score_functions", "scaled_products"),
    "04-context-vectors": ("contexts",),
    "05-reading-dates": ("must_attention_be_learnt", "year_digits"),
    "06-gradient-paths": ("gradient_paths", "gradient_training"),
    "07-word-order": ("word_order", "counted_links"),
    "08-typos": ("typo_ceiling", "typo_place", "typo_state", "typo_kinds"),
    "09-seeing": ("seeing", "seeing_sizes"),
    "10-self-attention": (
        *("transformer_parts", "reading_seconds", "attention_cost", "heads_removed"),
        *("first_symbol", "beyond_length"),
    ),
    "11-faithfulness": (
        *("faithfulness", "map_tests", "four_questions", "number_swaps", "traced_back"),
    ),
    "12-one-vector-again": ("memories", "token_recall"),
    "13-a-language-model": (
        "first_token",
        "sink_values",
        "bits_and_cache",
        "copying_heads",
        "facts",
        "dates_in_a_prompt",
    ),
    "14-capstone": ("own_corpora",),
}


@functools.cache
def questions() -> dict[str, str]:
    """The question of each experiment, by its name."""
    names = {}
    for path in sorted(ROOM.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(_is_record(statement) for statement in tree.body):
            names[path.stem] = ast.get_docstring(tree).splitlines()[0]
    return names


def by_chapter() -> dict[str, list[str]]:
    """The experiments of each chapter, then those that no chapter shows."""
    others = {*questions()}.difference(*CHAPTERS.values())
    return {**CHAPTERS, "of no chapter": sorted(others)} if others else {**CHAPTERS}


def _is_record(statement: ast.stmt) -> bool:
    """Whether this is ``EXPERIMENT = ...``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(getattr(target, "id", None) == "EXPERIMENT" for target in targets)


def experiment(name: str) -> Experiment:
    """The experiment of this name; a ValueError that lists the names if there is none."""
    if name not in (known := questions()):
        raise ValueError(f"no experiment is called {name!r}; there are {', '.join(known)}")
    return importlib.import_module(f"{__package__}.{name}").EXPERIMENT
