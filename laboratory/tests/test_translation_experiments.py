"""The experiments on translators: links by counting, what each attention is, and searches."""

import math
from itertools import product

import numpy as np
import pytest
import torch
from sweeps import sweep

from attn_course.search import Best, Hypothesis, beam
from attn_course.symbols import END
from attn_course.tasks import names, numbers
from attn_course.tasks.vocabulary import Vocabulary
from attn_lab.searching import likeliest
from attn_lab.translation import counted_links as links
from attn_lab.translation import word_order as grid
from attn_lab.translation import word_order_models as models
from attn_lab.translation.word_order_models import ATTENTIONS, Design, build

# ---- counted_links


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
    tables = links.maps(PAIRS, VOCABULARIES, model)
    counts = sum(links._both(group, model)[1] for group in links.texts(PAIRS, VOCABULARIES))
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
        np.testing.assert_allclose(tables[n], table / total)
        expected_counts += moved / total
    if jumps:
        np.testing.assert_allclose(counts, expected_counts)


def test_likelihood_never_falls_from_one_round_to_the_next():
    groups = links.texts(PAIRS, VOCABULARIES)

    def likelihood(model):
        total = 0.0
        for group in groups:
            p = model.becomes[group.sources[:, None, :], group.targets[:, :, None]].mean(axis=2)
            total += np.log(p[group.targets > 0]).sum()
        return total

    likelihoods = [
        likelihood(links.learn(groups, SIZES, rounds)["ibm1"]) for rounds in (1, 2, 3, 6)
    ]
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[-1] > likelihoods[0]


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


# ---- word_order


@pytest.mark.parametrize("directions", [2, 1])
def test_only_bahdanau_y_asks_with_what_it_wrote_last(directions):
    sizes = []
    for kind, differs in (("bahdanau", False), ("bahdanau-y", True)):
        model = build(Design("numbers", kind, directions))
        sizes.append(sum(part.numel() for part in model.parameters()))
        memory = model.read(torch.tensor([[4, 5, 6]]), torch.tensor([3]))
        decoder, state = model.decoder, model.decoder.first_state(memory)
        one, two = (
            decoder.step(state, decoder.embedding(torch.tensor([symbol])), memory).weights
            for symbol in (4, 7)
        )
        assert bool((one != two).any()) == differs
    assert sizes[1] - sizes[0] == 16 * models.HIDDEN  # what the last piece enters by


def test_only_guided_is_told_its_links(monkeypatch):
    guidance = {}

    def train(build, corpus, *, seed, settings):
        guidance[guidance["now"]] = settings.guidance
        return None, type("History", (), {"losses": [0.0]})

    monkeypatch.setattr(models, "train", train)
    monkeypatch.setattr(models, "corpus", lambda task, seed: None)
    for kind in ATTENTIONS:
        guidance["now"] = kind
        models.trained(Design("names", kind), 1, 0.01, 0)
    del guidance["now"]
    assert guidance == {kind: float(kind == "guided") for kind in ATTENTIONS}


# ---- the measures


def test_misread_is_what_has_links_and_points_at_none():
    table = np.array([[0.7, 0.3, 0], [0.2, 0.3, 0.5], [0.4, 0.35, 0.25]])
    possible = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]], dtype=bool)
    assert grid.misread(table, possible).tolist() == [False, True, False]


def test_nats_are_the_entropy_of_shares():
    table = np.array([[0.5, 0.5, 0], [1, 0, 0], [0.1, 0.1, 0]])
    np.testing.assert_allclose(grid.nats(table), [math.log(2), 0, math.log(2)], atol=1e-9)


def test_by_kind_tells_digits_from_words_of_scale():
    pair = numbers.render(325, "de")  # drei hundert fünf und zwanzig
    off = [np.array([False, True, True, False, False])]
    assert grid.by_kind([pair], off) == {"digits": pytest.approx(2 / 3), "scales": 0.0}


def test_bleu_is_nothing_for_what_has_no_run_of_four():
    pytest.importorskip("sacrebleu")
    assert grid.bleu(["a b c"], ["a b c"]) == 0
    assert grid.bleu(["a b c d"], ["a b c d"]) == pytest.approx(100)
    # one of five words wrong at the end: 4/5, 3/4, 2/3, 1/2
    expected = 100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert grid.bleu(["a b c d x"], ["a b c d e"]) == pytest.approx(expected)


def test_forced_weights_are_those_of_each_pair_alone():
    model = build(Design("numbers", "bahdanau")).eval()
    pairs = [numbers.render(number, "de") for number in (325, 48_007, 999_999)]
    together = grid.forced(model, "numbers", pairs)
    for pair, table in zip(pairs, together, strict=True):
        assert table.shape == (len(pair.target_pieces), len(pair.source_pieces))
        np.testing.assert_allclose(table, grid.forced(model, "numbers", [pair])[0], atol=1e-6)
        np.testing.assert_allclose(table.sum(axis=1), 1, atol=1e-5)
    assert grid.forced(build(Design("numbers", "none")).eval(), "numbers", pairs) is None


def test_the_quality_of_a_translator_that_is_always_right(monkeypatch):
    pairs = [numbers.render(number, "de") for number in (325, 48_007, 120_000)]
    targets = iter(pair.target for pair in pairs)
    answers = [type("Answer", (), {"text": text}) for text in targets]
    monkeypatch.setattr(grid, "answer", lambda *_, **__: answers)
    monkeypatch.setattr(grid, "bleu", lambda *_: 100.0)
    tables = [numbers.gold_possible(pair).astype(float) + 1e-6 for pair in pairs]
    monkeypatch.setattr(grid, "forced", lambda *_: tables)
    result = grid.quality(None, "numbers", pairs)
    assert (result["exact"], result["length"], result["error"], result["misread"]) == (1, 1, 0, 0)
    assert (result["digits"], result["scales"]) == (1, 1)
    tables[1] = np.roll(tables[1], 1, axis=1)
    result = grid.quality(None, "numbers", pairs)
    assert result["misread"] == pytest.approx(1 / 3)
    assert result["error"] > 0


# ---- likeliest


LISTS = names.name_pairs(23, 7)
VOCABULARY = names.name_vocabularies()[1]


def hypotheses_of(texts):
    """Hypotheses with these texts."""
    return [Hypothesis(VOCABULARY.encode(text), -1.0, -1.0, np.zeros(0)) for text in texts]


def test_shares_and_counts_are_those_of_the_lists():
    right = [pair.target for pair in LISTS]
    wrong = ["dollar" for _ in LISTS]
    greedy = hypotheses_of(wrong[:5] + right[5:])
    written = hypotheses_of(right[:3] + wrong[3:7] + right[7:])
    best = [Best(hypothesis, 1, proved=k != 4) for k, hypothesis in enumerate(hypotheses_of(right))]
    shares = likeliest.compared(written, greedy, best, LISTS)
    assert (shares["mended"], shares["spoilt"]) == (3, 2)
    assert shares["right"] == pytest.approx(19 / 23)
    assert shares["other"] == pytest.approx(5 / 23)
    assert shares["likeliest"] == pytest.approx(19 / 22)  # the fifth is not proved
    wanted = sum(len(pair.target.split()) for pair in LISTS)
    missing = sum(len(pair.target.split()) - 1 for pair in LISTS[3:7])
    assert shares["length"] == pytest.approx(1 - missing / wanted)
    assert likeliest.compared(hypotheses_of([""] * 23), greedy, best, LISTS)["empty"] == 1


def test_the_chance_of_the_right_one_is_that_which_a_search_would_give_it():
    model = build(Design("names", "general")).eval()
    probabilities = likeliest.chances(model, LISTS[:2])
    for pair, chance in zip(LISTS, probabilities, strict=False):
        ids = names.name_vocabularies()[0].encode(pair.source)
        source, length = torch.tensor([ids]), torch.tensor([len(ids)])
        target = [*VOCABULARY.encode(pair.target), END]
        logits, _ = model(source, length, torch.tensor([target]))
        logs = logits[0].double().log_softmax(-1)
        expected = sum(logs[i, symbol].item() for i, symbol in enumerate(target))
        assert chance == pytest.approx(expected, rel=1e-4)


def test_the_lists_are_searched_in_order_and_each_as_if_alone():
    model = build(Design("names", "none")).eval()
    together = likeliest.found(model, LISTS, beam)
    for pair, ranked in zip(LISTS[18:], together[18:], strict=True):
        [alone] = likeliest.found(model, [pair], beam)
        assert math.isclose(ranked[0].log_probability, alone[0].log_probability, rel_tol=1e-5)
        assert ranked[0].symbols == alone[0].symbols


def test_every_way_is_compared_and_none_is_likelier_than_the_exact_one(monkeypatch):
    monkeypatch.setattr(likeliest, "WIDTHS", (1, 3))
    model = build(Design("names", "bahdanau")).eval()
    with torch.no_grad():
        model.decoder.readout.bias[END] += 4
    result = likeliest.ways(model, LISTS[:4])
    assert list(result) == ["1", "3", "exact", "reference"]
    assert result["1"]["other"] == 0
    assert result["exact"]["likeliest"] == result["exact"]["proved"] == 1
    assert result["reference"]["wrong"] == 4
