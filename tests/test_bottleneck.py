"""What the bottleneck experiment counts, held against counting by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_course.experiments import bottleneck
from attn_course.tasks.numbers import gold_possible, render

TEXTS = st.lists(st.text("ab", min_size=5, max_size=5), min_size=1, max_size=7)


@given(TEXTS, st.data())
def test_by_position_counts_what_stands_at_each_place(targets, data):
    written = [data.draw(st.text("ab", max_size=7)) for _ in targets]
    expected = [0.0] * 5
    for text, target in zip(written, targets, strict=True):
        for i in range(min(5, len(text))):
            expected[i] += (text[i] == target[i]) / len(targets)
    assert bottleneck.by_position(targets, written) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("exact", "length"),
    [
        ({"2": 1.0, "3": 1.0, "4": 0.0, "5": 0.0}, 3.5),
        ({"2": 1.0, "3": 0.5, "4": 0.0}, 3),
        ({"2": 1.0, "3": 0.75, "5": 0.25}, 4),
        ({"2": 0.9, "3": 0.4, "4": 0.9}, 2.8),  # a lucky length behind the fall does not count
        ({"2": 0.3, "3": 0.9}, 2),
        ({"2": 0.9, "7": 0.8}, 7),
    ],
)
def test_half_length_is_where_the_curve_first_crosses_a_half(exact, length):
    assert bottleneck.half_length(exact) == pytest.approx(length)


@given(st.integers(1, 999_999_999))
def test_a_turned_pair_has_the_same_links_to_other_places(number):
    pair = render(number, "de")
    turned = bottleneck.turned(pair)
    assert turned.source_pieces == pair.source_pieces[::-1]
    assert (gold_possible(turned) == gold_possible(pair)[:, ::-1]).all()
    assert turned.target == pair.target


def test_the_models_compared_have_equally_many_parameters():
    for task in ("copy", "reversal"):
        for size in (16, 64):
            counts = {
                sum(
                    part.numel()
                    for part in bottleneck.build(f"{task}, {model}, {size}").parameters()
                )
                for model in ("fixed", "attending", "start only")
            }
            assert len(counts) == 1


def test_every_condition_is_named_once():
    assert len(set(bottleneck.CONDITIONS)) == len(bottleneck.CONDITIONS)
