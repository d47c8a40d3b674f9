"""The experiment on the place of a mistake: what is compared, judged and stored."""

import math
from collections import Counter
from string import ascii_lowercase

import numpy as np
import pytest
import torch

from attn_course.models.pointer import FlattenedReader, Mending
from attn_course.tasks.typo_corpus import TypoCorpus
from attn_course.tasks.typos import TypoPair, ceiling, typo_vocabulary, words
from attn_lab.measuring import loss_of_words
from attn_lab.typos import typo_ceiling, typo_models
from attn_lab.typos.typo_models import READERS, Trigrams, WordList, build


def test_the_readers_are_built_as_they_say():
    made = {name: build(name) for name in READERS}
    flattened, layers = made["flattened"], made["three layers"]
    assert isinstance(flattened, FlattenedReader)
    assert flattened.longest == 12
    for reader in (flattened, layers):  # only the read-out differs
        assert (reader.rnn.num_layers, reader.rnn.bidirectional) == (3, False)
    for name in ("pointer", "window"):
        assert (made[name].rnn.num_layers, made[name].rnn.bidirectional) == (1, True)
    assert (made["pointer"].reach, made["window"].reach) == (None, 2)


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


def found(pair, place, letter):
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
    given = [found(pair, *answer) for pair, answer in zip(PAIRS, answers, strict=True)]
    assert typo_models.judge(PAIRS, given) == {"located": 0.5, "letter": 0.5, "mended": 0.25}
    kinds = typo_models.by_kind_of_letter(PAIRS, given)
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
    counts, before = Counter(), Counter()
    for word in known:
        text = f"^^{word}$$"
        for k in range(2, len(text)):
            counts[text[k - 2 : k + 1]] += 1
            before[text[k - 2 : k]] += 1

    def likelihood(word):
        text = f"^^{word}$$"
        return sum(
            math.log((counts[text[k - 2 : k + 1]] + 0.1) / (before[text[k - 2 : k]] + 2.7))
            for k in range(2, len(text))
        )

    reader = Trigrams(known)
    for wrong in ("banxna", "xab", "canapa", "cabans", "bqnd"):
        changes = {
            (place, wrong[:place] + letter + wrong[place + 1 :])
            for place in range(len(wrong))
            for letter in ascii_lowercase
            if letter != wrong[place]
        }
        best = max(likelihood(word) for _, word in changes)
        place, word = reader.read(wrong)
        assert (place, word) in changes
        assert likelihood(word) == pytest.approx(best)


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
    for told in (False, True):
        each = []
        for pair in pairs:
            symbols = torch.tensor([typo_vocabulary().encode(pair.source)])
            with torch.no_grad():
                logits, weights = model(symbols, torch.tensor([len(pair.source)]))
            (letter,) = typo_vocabulary().encode(pair.target[pair.place])
            loss = -logits[0, 0].log_softmax(-1)[letter].item()
            each.append(loss - told * math.log(weights[0, 0, pair.place].item()))
        found = loss_of_words(model, TypoCorpus(pairs), float(told), 53)
        assert found == pytest.approx(np.mean(each), rel=1e-5)


def test_the_stored_ceilings_are_those_of_the_words():
    short = [word for word in words() if len(word) == 3]
    now = ceiling(known=short)
    for name in ("located", "mended"):  # the words change a little with Python
        stored = typo_ceiling.results(f"{name} by length")
        assert stored[3] == pytest.approx(getattr(now, f"{name}_by_length")[3], abs=0.02)
        assert list(stored) == list(range(3, 13))
        assert 0 < stored[3] < typo_ceiling.results(name) < 1
