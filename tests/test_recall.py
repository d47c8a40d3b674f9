"""Lists of pairs: what was written last, where it stands, and who is tested on what."""

import numpy as np
import pytest
import torch

from attn_course.tasks import recall

COUNT, PAIRS, TIMES, KEYS, VALUES = 29, 7, 3, 11, 5


def lists(**changes):
    options = {"count": COUNT, "seed": 2, "pairs": PAIRS, "times": TIMES}
    return recall.draw(**options | {"keys": KEYS, "values": VALUES} | changes)


@pytest.mark.parametrize("times", [1, TIMES])
def test_the_answer_is_what_was_written_last(times):
    some = lists(times=times)
    for keys, values, queries, answers, places in zip(
        *(part.tolist() for part in some), strict=True
    ):
        assert len(keys) == len(values) == PAIRS * times
        last = dict(zip(keys, values, strict=True))  # a dictionary keeps the last
        assert answers == [last[query] for query in queries]
        assert sorted(queries) == sorted(last)
        assert [keys[place] for place in places] == queries
        assert [values[place] for place in places] == answers


def test_each_key_is_written_as_often_as_asked_with_values_that_differ():
    some = lists()
    for keys, values in zip(some.keys.tolist(), some.values.tolist(), strict=True):
        for key in set(keys):
            of_key = [value for k, value in zip(keys, values, strict=True) if k == key]
            assert len(of_key) == len(set(of_key)) == TIMES


def test_the_gold_alignment_reads_back_the_target():
    some = lists()
    for number in range(COUNT):
        pair = recall.render(some, number)
        source, gold = pair.source.split(), recall.gold_alignment(pair)
        assert gold.shape == (PAIRS, len(source))
        assert (gold.sum(axis=1) == 1).all()
        assert [source[j] for j in gold.argmax(axis=1)] == pair.target.split()
        assert gold.argmax(axis=1).tolist() == [2 * j + 1 for j in some.places[number].tolist()]


def test_the_gold_alignment_by_hand():
    pair = recall.RecallPair("k7 v3 k2 v9 k7 v1 ? k2 k7", "v9 v1")
    assert recall.gold_alignment(pair).argmax(axis=1).tolist() == [3, 5]


def test_all_keys_values_and_places_are_drawn_alike():
    some = lists(count=4000)
    for numbers, size in ((some.keys, KEYS), (some.values, VALUES), (some.queries, KEYS)):
        shares = torch.bincount(numbers.flatten(), minlength=size) / numbers.numel()
        torch.testing.assert_close(shares, torch.full((size,), 1 / size), atol=0.01, rtol=0)
    # the last of three random places among 21 is the 16.5th on average, counted from 1
    assert some.places.double().mean().item() == pytest.approx(22 * 3 / 4 - 1, abs=0.1)


def test_nothing_tested_was_trained_on():
    for split in ("train", "test"):
        some = lists(split=split, pairs=2, times=1, keys=3, values=2)
        rows = torch.stack([some.keys, some.values], dim=-1).numpy()
        assert {recall.is_test_list(row) for row in rows} == {split == "test"}
    drawn = torch.stack(lists(count=1000, times=1)[:2], dim=-1).numpy()
    assert not any(map(recall.is_test_list, drawn))


def test_about_one_list_in_eight_is_for_testing():
    written = torch.randint(1_000_003, (8_000, 5, 2)).numpy()
    assert sum(map(recall.is_test_list, written)) / 8_000 == pytest.approx(1 / 8, abs=0.01)


def test_the_lists_for_testing_stay_so_in_every_release():
    """Nobody may be tested on what an earlier release has trained on; and on any machine."""
    written = [np.array([[n, 3], [5, n]]) for n in range(64)]
    reserved = [24, 26, 28, 30, 57, 59, 61, 63]
    for kind in ("<i8", ">i8", "<i4", "<u2"):
        numbers = [n for n, one in enumerate(written) if recall.is_test_list(one.astype(kind))]
        assert numbers == reserved, kind


@pytest.mark.parametrize(("split", "share"), [("train", 7 / 8), ("test", 1 / 8)])
@pytest.mark.parametrize("count", [1, 17, 1009])
def test_enough_lists_are_drawn_at_once_and_not_many_too_many(split, share, count):
    expected = recall._more(count, split) * share
    assert count < expected < 1.2 * count + 10


def test_the_same_arguments_give_the_same_lists_and_others_do_not():
    assert all(map(torch.equal, lists(), lists()))
    assert not torch.equal(lists().keys, lists(seed=3).keys)
    assert recall.draw(3, -1, 2).keys.shape == (3, 2)


def test_every_text_can_be_read():
    vocabulary = recall.recall_vocabulary(KEYS, VALUES)
    pair = recall.render(lists(), 0)
    for text in (pair.source, pair.target):
        assert vocabulary.decode(vocabulary.encode(text)) == text
    assert len(vocabulary) == 4 + 1 + KEYS + VALUES


REFUSED = {
    lists: [
        ({"pairs": KEYS + 1}, "11 keys and 5 values make no list of 12 different keys"),
        ({"times": VALUES + 1}, "with 6 different values each"),
    ],
    recall.is_test_list: [
        ((np.array(rows),), r"whole numbers \(write, 2\); got")
        for rows in ([3, 5], [[1, 2, 3]], [[0.5, 1.0]])
    ],
    recall.render: [((lists(), COUNT), f"number must be below {COUNT}.* got {COUNT}")],
}
