"""Run an experiment: ``python -m attn_course.experiments NAME``, or ``--list`` for the names."""

import argparse
import sys

from attn_course.experiments.registry import experiment, questions


def main(words: list[str] | None = None) -> int:
    """Run what these words of a command line ask for; returns the exit status."""
    parser = argparse.ArgumentParser("python -m attn_course.experiments", description=main.__doc__)
    parser.add_argument("name", nargs="?", help="the experiment to run")
    parser.add_argument("--all", action="store_true", help="also what its question can do without")
    parser.add_argument("--workers", type=int, help="cells at a time (default: one per core)")
    parser.add_argument("--list", action="store_true", help="the names, with their questions")
    asked = parser.parse_args(words)
    if asked.list:
        width = max(map(len, questions()))
        for name, question in questions().items():
            print(f"{name:{width}}  {question}")
        return 0
    try:
        found = experiment(asked.name or "")
    except ValueError as error:
        parser.error(str(error))
    found.run(asked.workers, everything=asked.all)
    return 0


if __name__ == "__main__":
    sys.exit(main())
