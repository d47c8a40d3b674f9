"""The experiment `four_questions`: what is exchanged or hidden, and whose symbol is counted."""

import pytest
import torch

from attn_course.tasks.dates import date_pairs
from attn_course.tasks.typos import is_test_typo
from attn_lab.faithful_maps import four_questions as asked
from attn_lab.faithful_maps import questions_to_words as words
from attn_lab.faithful_maps.faithful_models import twins
from attn_lab.transformers.transformer_models import build
from attn_lab.typos import typo_models

PAIRS = date_pairs(40, seed=5, days="test")


def transformer():
    return build("whole").eval()


def wrong_words(count=400):
    found = [words.twin(pair, 0) for pair in typo_models.unseen_pairs(0, "typos")[:count]]
    return [pair for pair in found if pair]


# ---- dates


def test_an_empty_memory_gives_the_same_answer_to_every_date_and_a_whole_one_does_not():
    model = transformer()
    group = max(asked.by_length(PAIRS, lambda pair: pair), key=len)
    same = asked.tensors(group, "heads")
    memory = model.read(same.sources, same.lengths)
    inputs = torch.full((len(group), 3), 4)
    nothing, whole = (model.decoder(each, inputs)[0] for each in (asked.empty(memory), memory))
    torch.testing.assert_close(nothing, nothing[:1].expand_as(nothing))
    assert not torch.allclose(whole, whole[:1].expand_as(whole))


def test_a_swap_at_all_steps_writes_what_is_read_in_the_other_date_and_at_none_the_own():
    model = transformer()
    pairs = [pair for pair in twins(PAIRS, 1) if pair.field == "d"]
    group = max(asked.by_length(pairs, lambda pair: pair.one), key=len)
    memories = asked.read_both(model, group, "heads")
    alone = [
        asked.targets(model, each, model.decoder.first_state(each), "heads") for each in memories
    ]
    assert asked.swapped_at(model, memories, range(40), "heads") == alone[1]
    assert asked.swapped_at(model, memories, range(0), "heads") == alone[0]


@pytest.mark.parametrize(("time", "taken"), [("then", True), ("before", False)])
def test_when_counts_the_steps_of_the_field_apart_from_those_before(monkeypatch, time, taken):
    """A decoder that writes what it looks at, and remembers nothing."""
    pairs = twins(PAIRS, 1)

    def copies(model, memories, steps, name):
        sides = zip(memories["one"], memories["other"], strict=True)
        return [
            "".join(theirs[i] if i in steps else mine[i] for i in range(10))
            for mine, theirs in sides
        ]

    class Model:
        class decoder:
            first_state = staticmethod(lambda memory: None)

    def both(model, group, name):
        memories["one"] = [pair.one.target for pair in group]
        memories["other"] = [pair.other.target for pair in group]
        return list(memories.values())

    memories = {}
    monkeypatch.setattr(asked, "read_both", both)
    monkeypatch.setattr(asked, "targets", lambda model, memory, start, name: memory)
    monkeypatch.setattr(
        asked, "swapped_at", lambda model, _, steps, name: copies(model, memories, steps, name)
    )
    share = asked.when(Model, "heads", pairs)[time]
    assert share[:2] == ([1.0, 0.0] if taken else [0.0, 1.0])
    assert share[2] == sum(pair.field in "md" for pair in pairs)


# ---- words


def test_twins_of_words_share_the_wrong_letter_and_want_another():
    found = wrong_words()
    assert len(found) > 300
    for one, other in found:
        assert (one.place, len(one.source)) == (other.place, len(other.source))
        assert one.source[one.place] == other.source[one.place]
        assert len({one.target[one.place], other.target[one.place], one.source[one.place]}) == 3
        assert is_test_typo(other.source, other.target)


def test_what_is_asked_of_words_starts_from_what_the_reader_says():
    pairs = [pair for pair, _ in wrong_words(100)]
    model = typo_models.untrained("pointer", 0)
    said = {one: typo_models.read(model, [one])[0].letters for one in pairs}
    for group in words.by_length(pairs):
        p = words.weakened(model, group)["p"]
        for pair, share in zip(group, p.tolist(), strict=True):
            letter = "abcdefghijklmnopqrstuvwxyz".index(typo_models.right_letter(pair))
            assert share == pytest.approx(said[pair][letter], abs=1e-5)


@pytest.mark.slow
@torch.no_grad()
@pytest.mark.parametrize(
    ("heard", "follows", "stays"),
    [(slice(None, 128), "then", "before"), (slice(128, None), "before", "then")],
)
def test_a_letter_follows_the_context_or_the_state_whichever_is_heard(
    monkeypatch, heard, follows, stays
):
    """What an untrained reader names counts as right, so that every pair is counted."""

    class Sure(words.Looked):
        def __init__(self, *given):
            super().__init__(*given)
            self.letters = self.named(self.read.annotations)

    model, found = typo_models.untrained("pointer", 0), wrong_words()
    kept = model.readout.weight[:, heard].clone()
    model.readout.weight.zero_()
    model.readout.weight[:, heard] = 40 * kept
    monkeypatch.setattr(words, "Looked", Sure)
    differ = [
        pair
        for group in words.by_length(found)
        for pair, *letters in zip(
            group, *(Sure(model, side).letters for side in zip(*group, strict=True)), strict=True
        )
        if letters[0] != letters[1]
    ]
    shares = words.swaps(model, differ)["when"]
    assert shares[follows] == [1.0, 0.0, len(differ)]
    assert shares[stays] == [0.0, 1.0, len(differ)]


# ---- the answers


def test_the_four_answers_are_taken_from_the_stored_numbers(monkeypatch):
    digits = [0.9 if i in asked.DIGITS else 0.0 for i in range(10)]
    found = {
        "p": {"heads": [digits], "pointer": [[0.5]]},
        "p, top hidden": {"heads": [[0.4] * 10], "pointer": [[0.4]]},
        "p, nothing": {"heads": [[0.1] * 10], "pointer": [[0.2]]},
        "swap": {
            "heads": [{"all others": {"y": [0.3, 0.7, 9], "m": [0.0, 1.0, 9], "d": [0.0, 1.0, 9]}}],
            "pointer": [{"all others": [0.6, 0.1, 9]}],
        },
        "when": {"heads": [{"before": [0.02, 0.9, 9]}], "pointer": [{"before": [0.3, 0.5, 9]}]},
    }
    monkeypatch.setattr(asked, "results", lambda number, budget=1: found[number])
    assert asked.answers("heads")[0].tolist() == pytest.approx([0.8, 0.5, 0.1, 0.02])
    assert asked.answers("pointer")[0].tolist() == pytest.approx([0.3, 0.1, 0.6, 0.3])
