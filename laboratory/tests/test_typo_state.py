"""Who knows the letter: which context and which state are read out together."""

import pytest
import torch

from attn_course.models.pointer import PointerReader, mend
from attn_course.tasks.typos import typo_vocabulary
from attn_lab.typos import typo_models, typo_state


@pytest.fixture(scope="module")
def pairs():
    return typo_models.unseen_pairs(5, "typos")[:83]


def untrained(name="pointer"):
    return typo_models.build(name).eval()


def test_its_own_context_and_state_give_its_own_letters(pairs):
    model = untrained()
    found = typo_models.read(model, pairs)
    numbers = typo_state.named(model, pairs, 0)
    judged = typo_models.judge(pairs, found)
    assert numbers["own"] == pytest.approx(judged["letter"])
    assert numbers["located"] == pytest.approx(judged["located"])


def test_the_mistake_is_looked_at_where_it_is(pairs, monkeypatch):
    model, right = untrained(), []
    for pair in pairs:
        with monkeypatch.context() as patch:
            scores = torch.full((1, 1, len(pair.source)), -1e9)
            scores[..., pair.place] = 0.0
            patch.setattr(model.score, "forward", lambda *_, scores=scores: scores)
            (one,) = mend(model, [pair.source], typo_vocabulary())
        right.append(one.letter == pair.target[pair.place])
    forced = sum(right) / len(pairs)
    assert typo_state.named(model, pairs, 0)["mistake"] == pytest.approx(forced)


def told_by(part):
    """A pointer that answers with a letter stored in one entry of what it reads."""

    class Reader(PointerReader):
        def read(self, sources, lengths):
            read = super().read(sources, lengths)
            here = torch.full_like(read.annotations, float(part == "context"))
            return read._replace(annotations=here, summary=torch.ones_like(read.summary))

    model = Reader(len(typo_vocabulary())).eval()
    with torch.no_grad():
        model.readout.weight.zero_()
        model.readout.bias.zero_()
        model.ask.weight.zero_()
        model.ask.bias.fill_(9.0 * (part == "state"))
        e, z = (typo_vocabulary().encode(letter)[0] for letter in "ez")
        model.readout.bias[z] = 0.5
        model.readout.weight[e, 0 if part == "context" else model.annotation_size] = 1.0
    return model


@pytest.mark.parametrize(("part", "other"), [("context", "state"), ("state", "context")])
def test_what_is_taken_away_is_what_knew(part, other, pairs):
    numbers = typo_state.named(told_by(part), pairs, 0)
    always = numbers['always "e"']
    z = sum(pair.target[pair.place] == "z" for pair in pairs) / len(pairs)
    assert always > z
    kept = {
        "context": ("random, no state", "mistake, mean state", "own"),
        "state": ("nothing", "mean", "random", "own"),
    }
    for name in kept[part]:
        assert numbers[name] == pytest.approx(always), name
    gone = {"context": ("nothing", "nothing, no state"), "state": ("random, no state",)}
    for name in gone[part]:
        assert numbers[name] == pytest.approx(z), name


@pytest.mark.parametrize("part", ["context", "state"])
def test_a_reader_of_one_part_is_deaf_to_the_other(part):
    model = untrained(f"{part} alone")
    size = model.annotation_size
    both = torch.randn(2, size + 64)
    moved = both.clone()
    moved[:, size:] += part == "context"
    moved[:, :size] += part == "state"
    torch.testing.assert_close(model.readout(both), model.readout(moved))
    changed = both + 1
    assert not torch.allclose(model.readout(both), model.readout(changed))
    (found,) = mend(model, ["pake"], typo_vocabulary())
    assert len(found.letters) == 26
