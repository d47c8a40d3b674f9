"""A baseline without a network: each symbol is rewritten on its own, by a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from attn_course.symbols import FIRST_SYMBOL
from attn_course.tasks.vocabulary import Vocabulary
from attn_own.compact import Ragged

MOST_READ = 20_000  # pairs that a table is made from; drawn if there are more


def symbol_table(
    sources: Ragged, targets: Ragged, rows: np.ndarray, vocabularies: Sequence[Vocabulary]
) -> dict[str, str]:
    """For each symbol of a source the one that most often stands in its place.

    sources, targets  all pairs, encoded
    rows              the pairs to learn from; those whose sides differ in length are skipped
    vocabularies      of the sources and of the targets
    ->                symbol to symbol; of equally common partners, the first in the vocabulary
    """
    rows = rows[sources.lengths[rows] == targets.lengths[rows]]
    if len(rows) > MOST_READ:
        rows = np.random.default_rng(0).choice(rows, MOST_READ, replace=False)
    if not len(rows):
        return {}
    ours, theirs = (each.table(rows).numpy() for each in (sources, targets))
    known = ours >= FIRST_SYMBOL
    size = len(vocabularies[1])
    codes, counts = np.unique(ours[known] * size + theirs[known], return_counts=True)
    ones, others = np.divmod(codes, size)
    order = np.lexsort((-counts, ones))
    _, first = np.unique(ones[order], return_index=True)
    return {
        vocabularies[0].symbols[one - FIRST_SYMBOL]: vocabularies[1].symbols[other - FIRST_SYMBOL]
        for one, other in zip(ones[order][first], others[order][first], strict=True)
    }


def by_table(text: str, table: Mapping[str, str], vocabulary: Vocabulary, joined: str) -> str:
    """A source with each symbol rewritten; a symbol that the table lacks stays as it is.

    vocabulary  of the sources: it says where a symbol ends
    joined      what stands between two symbols of a target
    """
    return joined.join(table.get(each, each) for each in vocabulary.split(text))
