"""The experiments on misspelt words: what is compared, judged and stored."""

import math
from collections import Counter
from string import ascii_lowercase

import numpy as np
import pytest
import torch

from attn_course.models.pointer import Mending, PointerReader, mend
from attn_course.tasks import typos
from attn_course.tasks.typos import KINDS, TypoPair, is_test_word, render, typo_vocabulary
from attn_lab.measuring import loss_of_words
from attn_lab.typo_corpus import TypoCorpus
from attn_lab.typos import typo_ceiling, typo_kinds, typo_models, typo_state
from attn_lab.typos.typo_kinds import Condition, judge
from attn_lab.typos.typo_models import Trigrams, WordList, build

# ---- typo_kinds


def pointed(place, letter):
    return Mending(place, letter, "", np.ones(7), np.ones(26))


def test_place_and_kind_are_judged_apart():
    pairs = [
        render("attend", kind, 2, "o" * (kind in ("substitution", "insertion"))) for kind in KINDS
    ]
    right = [pointed(pair.place, pair.kind[0]) for pair in pairs]
    assert judge(pairs, right) == {"located": 1, "kind": 1}
    assert judge(pairs, [pointed(pair.place + 1, "s") for pair in pairs]) == {
        "located": 0,
        "kind": 0.25,
    }
    assert len({one.letter for one in right}) == len(KINDS)


def test_what_is_judged_was_not_trained_on(monkeypatch):
    monkeypatch.setattr(typo_kinds, "TESTED", 53)
    for kind in KINDS:
        for pair in typo_kinds.unseen_pairs(3, "typos", kind):
            assert (pair.kind, is_test_word(pair.target)) == (kind, False)
            assert typos.is_test_typo(pair.source, pair.target)
        for pair in typo_kinds.unseen_pairs(3, "words", kind):
            assert is_test_word(pair.target)


def test_a_pointer_is_trained_measured_and_its_rate_judged(monkeypatch):
    monkeypatch.setattr(typo_kinds, "PAIRS", 301)
    monkeypatch.setattr(typo_kinds, "TESTED", 29)
    numbers = typo_kinds.measure(Condition(1, 0.01), 5)
    assert numbers["steps"] > 2
    for split in ("typos", "words"):
        for name in ("located", "kind"):
            assert set(numbers[f"{split} {name}"]) == set(KINDS)
    assert 0 < typo_kinds.loss(Condition(1, 0.01), 5)["loss"] < 10


# ---- typo_place


def test_short_training_words_leave_the_long_ones_out(monkeypatch):
    monkeypatch.setattr(typo_models, "PAIRS", 97)
    typo_models.corpus.cache_clear()
    sizes = [
        b.sources.shape[1] for b in typo_models.corpus(3, 8).batches(7, np.random.default_rng())
    ]
    typo_models.corpus.cache_clear()
    assert max(sizes) == 8


def test_an_untrained_reader_is_where_training_begins():
    one, other = (typo_models.untrained("pointer", seed) for seed in (5, 6))
    torch.manual_seed(5)
    begun = build("pointer")
    for mine, its in zip(one.parameters(), begun.parameters(), strict=True):
        assert torch.equal(mine, its)
    assert not torch.equal(one.embedding.weight, other.embedding.weight)


def mending(pair, place, letter):
    text = pair.source[:place] + letter + pair.source[place + 1 :]
    return Mending(place, letter, text, np.ones(len(pair.source)), np.ones(26))


PAIRS = [
    TypoPair("pake", "cake", "substitution", 0),  # consonant for consonant
    TypoPair("cuke", "cake", "substitution", 1),  # vowel for vowel
    TypoPair("cske", "cake", "substitution", 1),  # consonant for vowel
    TypoPair("caoe", "cake", "substitution", 2),  # vowel for consonant
]


def test_what_is_judged():
    answers = [(0, "c"), (1, "e"), (2, "a"), (3, "s")]
    mendings = [mending(pair, *answer) for pair, answer in zip(PAIRS, answers, strict=True)]
    assert typo_models.judge(PAIRS, mendings) == {"located": 0.5, "letter": 0.5, "mended": 0.25}
    kinds = typo_models.by_kind_of_letter(PAIRS, mendings)
    assert {name for name in kinds if name.endswith("located")} == {
        f"{kind} located" for kind in ("C>C", "V>V", "V>C", "C>V")
    }
    assert (kinds["C>C mended"], kinds["V>V located"], kinds["V>V mended"]) == (1, 1, 0)
    assert (kinds["V>C located"], kinds["V>C letter"], kinds["C>V letter"]) == (0, 1, 0)


def test_entropy_is_in_nats():
    assert typo_models.entropy(np.full(7, 1 / 7)) == pytest.approx(math.log(7))
    assert typo_models.entropy(np.array([0.0, 1.0])) == 0


def test_counting_takes_the_change_that_makes_the_word_most_usual():
    known = ("banana", "bandana", "cabana", "canada", "band", "cab")

    def triples(word):
        text = f"^^{word}$$"
        return [text[k - 2 : k + 1] for k in range(2, len(text))]

    counts = Counter(triple for word in known for triple in triples(word))
    before = Counter(triple[:2] for word in known for triple in triples(word))

    def likelihood(word):
        return sum(math.log((counts[t] + 0.1) / (before[t[:2]] + 2.7)) for t in triples(word))

    reader = Trigrams(known)
    for wrong in ("banxna", "xab", "canapa", "cabans", "bqnd"):
        changes = {
            (place, wrong[:place] + letter + wrong[place + 1 :])
            for place in range(len(wrong))
            for letter in ascii_lowercase
            if letter != wrong[place]
        }
        place, word = reader.read(wrong)
        assert (place, word) in changes
        assert likelihood(word) == pytest.approx(max(likelihood(word) for _, word in changes))


def test_a_word_list_names_the_words_one_letter_away():
    reader = WordList(("cake", "make", "pate", "cakes", "band"), Trigrams(("band", "bank")))
    assert sorted(reader.readings("pake")) == [(0, "cake"), (0, "make"), (2, "pate")]
    assert reader.readings("bxnx") == [reader.otherwise.read("bxnx")]
    assert (0, "cake") not in reader.readings("cake")
    pairs = [*PAIRS[:1], TypoPair("bane", "band", "substitution", 3)]
    assert reader.judge(pairs) == pytest.approx(((2 / 3 + 1) / 2, (1 / 3 + 1) / 2))


def test_the_loss_that_rates_are_judged_by(monkeypatch):
    monkeypatch.setattr(typo_models, "TESTED", 53)
    model = build("pointer").eval()
    pairs = typo_models.unseen_pairs(7, "typos")
    for has_place in (False, True):
        losses = []
        for pair in pairs:
            symbols = torch.tensor([typo_vocabulary().encode(pair.source)])
            with torch.no_grad():
                logits, weights = model(symbols, torch.tensor([len(pair.source)]))
            (letter,) = typo_vocabulary().encode(pair.target[pair.place])
            loss = -logits[0, 0].log_softmax(-1)[letter].item()
            losses.append(loss - has_place * math.log(weights[0, 0, pair.place].item()))
        mending = loss_of_words(model, TypoCorpus(pairs), float(has_place), 53)
        assert mending == pytest.approx(np.mean(losses), rel=1e-5)


def test_the_stored_ceilings_are_those_of_the_words():
    short = [word for word in typos.words() if len(word) == 3]
    now = typos.ceiling(known=short)
    for name in ("located", "mended"):  # the words change a little with Python
        stored = typo_ceiling.results(f"{name} by length")
        assert stored[3] == pytest.approx(getattr(now, f"{name}_by_length")[3], abs=0.02)
        assert list(stored) == list(range(3, 13))
        assert 0 < stored[3] < typo_ceiling.results(name) < 1


# ---- typo_state


@pytest.fixture(scope="module")
def pairs():
    return typo_models.unseen_pairs(5, "typos")[:83]


def untrained(name="pointer"):
    return typo_models.build(name).eval()


def test_its_own_context_and_state_give_its_own_letters(pairs):
    model = untrained()
    mendings = typo_models.read(model, pairs)
    numbers = typo_state.named(model, pairs, 0)
    judged = typo_models.judge(pairs, mendings)
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
    unharmed = {
        "context": ("random, no state", "mistake, mean state", "own"),
        "state": ("nothing", "mean", "random", "own"),
    }
    for name in unharmed[part]:
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
    (mending_,) = mend(model, ["pake"], typo_vocabulary())
    assert len(mending_.letters) == 26
