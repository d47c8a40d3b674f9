"""Pieces are what stands between spaces, whatever it is."""

from hypothesis import given
from hypothesis import strategies as st

from attn_course.tasks.pieced import PiecedPair

pieces = st.lists(st.text().filter(lambda piece: " " not in piece), min_size=1)


@given(pieces, pieces)
def test_the_pieces_are_those_that_were_joined_even_if_they_are_spaces_of_another_kind(one, other):
    pair = PiecedPair()
    pair.source, pair.target = " ".join(one), " ".join(other)
    assert (pair.source_pieces, pair.target_pieces) == (one, other)
    pair.source = "31.\N{NO-BREAK SPACE}de \N{NO-BREAK SPACE} enero"
    assert pair.source_pieces == ["31.\N{NO-BREAK SPACE}de", "\N{NO-BREAK SPACE}", "enero"]
