"""Doubled letters: the gold alignment says which letter each came from."""

from attn_course.tasks.doubled import doubled_pairs, gold_alignment


def test_the_gold_alignment_reads_the_source_back():
    for pair in doubled_pairs(11, seed=3, length=5):
        read = [pair.source[j] for j in gold_alignment(pair).argmax(axis=1)]
        assert "".join(read) == pair.target
