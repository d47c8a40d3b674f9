"""Sweeps over all pages, chapters or answers, of which `make quick` and `make test` try a sample.

Every test runs in `make test`. Everything is tried by `make test ALL=1`, by pytest without make,
and by the workflow on every push, on the Python that builds the site.
"""

import os
from collections.abc import Collection, Iterable

SAMPLE = os.environ.get("SAMPLE") == "1"


def sweep(values: Iterable, sample: Collection) -> list:
    """The parameters of a sweep; in a sample, those alone that it names."""
    return [one for one in values if one in sample or not SAMPLE]


def every(step: int, values: Iterable) -> list:
    """The parameters of a sweep; in a sample, one of so many."""
    return list(values)[:: step if SAMPLE else 1]


def examples(all_of_them: int, sample: int) -> int:
    """How many examples are drawn at random."""
    return sample if SAMPLE else all_of_them
