"""Run an experiment: ``python -m attn_lab NAME``, or ``--list`` for the names.

``--reproduce [NAME ...]`` measures the stored results anew, and compares. ``--on`` the address of a
Dask scheduler, either runs on that scheduler's workers.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from attn_lab.experiment import Experiment
from attn_lab.grid import GridError
from attn_lab.registry import by_chapter, experiment, questions
from attn_lab.reproduce import reproduce

INTO = Path("_build/reproduced")


def main(words: list[str] | None = None) -> int | str:
    """Run what these words of a command line ask for; returns the exit status."""
    parser = argparse.ArgumentParser("python -m attn_lab", description=main.__doc__)
    parser.add_argument("names", nargs="*", help="the experiment to run")
    parser.add_argument("--all", action="store_true", help="also what its question can do without")
    parser.add_argument("--workers", type=int, help="cells at a time (default: one per core)")
    parser.add_argument("--on", default="", help="a Dask scheduler (tcp://host:port)")
    parser.add_argument("--reproduce", action="store_true", help="compare stored results with new")
    parser.add_argument("--into", type=Path, default=INTO, help=f"for new results ({INTO})")
    parser.add_argument("--list", action="store_true", help="names and questions, by chapter")
    options = parser.parse_args(words)
    if options.list:
        width = max(map(len, questions()))
        for chapter, names in by_chapter().items():
            print(chapter, *(f"  {name:{width}}  {questions()[name]}" for name in names), sep="\n")
        return 0
    if not options.reproduce and len(options.names) > 1:
        parser.error(f"one experiment is expected; there came {', '.join(options.names)}")
    try:
        chosen = [experiment(name) for name in options.names or ([] if options.reproduce else [""])]
    except ValueError as error:
        parser.error(str(error))
    try:
        if options.reproduce:
            _reproduce(chosen or map(experiment, questions()), options)
        else:
            chosen[0].run(options.workers, everything=options.all, on=options.on)
    except GridError as error:
        return str(error)
    return 0


def _reproduce(experiments: Iterable[Experiment], options: argparse.Namespace) -> None:
    lines = list(reproduce(experiments, options.into, options.workers, options.on))
    (options.into / "report.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("", *lines, sep="\n")


if __name__ == "__main__":
    sys.exit(main())
