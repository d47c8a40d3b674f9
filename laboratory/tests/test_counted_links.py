"""IBM's first model and the hidden Markov model: posteriors by hand, and what they learn."""

from itertools import product

import numpy as np
import pytest
from sweeps import sweep

from attn_course.tasks import numbers
from attn_course.tasks.vocabulary import Vocabulary
from attn_lab.translation import counted_links as links


class Pair:
    def __init__(self, source, target):
        self.source, self.target = source, target
        self.source_pieces, self.target_pieces = source.split(), target.split()


VOCABULARIES = tuple(Vocabulary(text.split(), separator=" ") for text in ("a b c", "x y z w"))
PAIRS = [Pair("a b c", "x y z w"), Pair("b a", "y"), Pair("c b", "z y x")]
SIZES = tuple(map(len, VOCABULARIES))


def some(jumps):
    rng = np.random.default_rng(3)
    becomes = rng.random(SIZES)
    return links.Learnt(becomes, rng.random(2 * links.LONGEST + 1) if jumps else None)


@pytest.mark.parametrize("jumps", [False, True])
def test_the_posterior_sums_over_all_alignments(jumps):
    """Each alignment of a pair, one after another, with its probability."""
    model = some(jumps)
    found = links.maps(PAIRS, VOCABULARIES, model)
    counts = sum(links._both(given, model)[1] for given in links.texts(PAIRS, VOCABULARIES))
    expected_counts = np.zeros(2 * links.LONGEST + 1)
    for n, pair in enumerate(PAIRS):
        rows, columns = len(pair.target.split()), len(pair.source.split())
        sources, targets = (
            vocabulary.encode(text)
            for vocabulary, text in zip(VOCABULARIES, (pair.source, pair.target), strict=True)
        )
        table, total, moved = np.zeros((rows, columns)), 0.0, np.zeros_like(expected_counts)
        for places in product(range(columns), repeat=rows):
            p, before, steps = 1.0, -1, []
            for i, j in enumerate(places):
                p *= model.becomes[sources[j], targets[i]]
                if jumps:
                    c = [model.jumps[k - before + links.LONGEST] for k in range(columns)]
                    p *= c[j] / sum(c)
                    steps.append(j - before + links.LONGEST)
                before = j
            total += p
            for i, j in enumerate(places):
                table[i, j] += p
            np.add.at(moved, steps, p)
        np.testing.assert_allclose(found[n], table / total)
        expected_counts += moved / total
    if jumps:
        np.testing.assert_allclose(counts, expected_counts)


def test_likelihood_never_falls_from_one_round_to_the_next():
    groups = links.texts(PAIRS, VOCABULARIES)

    def likelihood(model):
        total = 0.0
        for given in groups:
            p = model.becomes[given.sources[:, None, :], given.targets[:, :, None]].mean(axis=2)
            total += np.log(p[given.targets > 0]).sum()
        return total

    found = [likelihood(links.learn(groups, SIZES, rounds)["ibm1"]) for rounds in (1, 2, 3, 6)]
    assert found == sorted(found)
    assert found[-1] > found[0]


def test_numbers_are_aligned_and_only_jumps_tell_one_three_from_another():
    pairs = numbers.number_pairs(600, 1, (3, 4), "de")
    vocabularies = numbers.number_vocabularies("de")
    learnt = links.learn(links.texts(pairs, vocabularies), tuple(map(len, vocabularies)))
    twice = [numbers.render(number, "de") for number in (3_325, 353, 737)]
    wrong = {}
    for name, model in learnt.items():
        wrong[name] = 0
        for pair, table in zip(twice, links.maps(twice, vocabularies, model), strict=True):
            gold = numbers.gold_possible(pair)
            points = table.argmax(axis=1)
            wrong[name] += int((gold.any(axis=1) & ~gold[np.arange(len(gold)), points]).sum())
    assert wrong["ibm1"] > wrong["hmm"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("task", sweep(["numbers"], []))
def test_what_is_stored_is_what_is_measured(task):
    one = links.Condition(task, links.ROUNDS)
    for name, numbers_ in links.measure(one, 1).items():
        assert numbers_ == pytest.approx(links.results(name)[one][1], abs=1e-4)
