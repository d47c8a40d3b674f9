"""Beam search and exact search, held against all strings and against greedy search."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
import torch
from sweeps import every

from attn_course.models.translator import bahdanau, fixed_context, luong
from attn_course.search import beam, exact
from attn_course.symbols import END, PADDING, START, UNKNOWN

SOURCE_SYMBOLS, SYMBOLS, SOURCE, LONGEST = 11, 7, 5, 3
WRITABLE = (UNKNOWN, 4, 5, 6)
STRINGS = [list(s) for n in range(LONGEST) for s in itertools.product(WRITABLE, repeat=n)]
BUILDERS = {
    "bahdanau": partial(bahdanau, encoder_size=3),
    "luong": partial(luong, encoder_size=3),
    "fixed context": fixed_context,
}
every_model = pytest.mark.parametrize("name", BUILDERS)
PRIZES = [(0.0, 0.0), (0.7, 0.0), (0.0, 0.3), (1.0, 0.2)]


def built(name="bahdanau", spread=0.8, symbols=SYMBOLS):
    model = BUILDERS[name](SOURCE_SYMBOLS, symbols, embedding_size=5, state_size=13)
    for part in model.parameters():  # far from uniform, so that there are no ties
        torch.nn.init.normal_(part, std=spread)
    return model.eval()


def some(batch=3):
    return torch.randint(4, SOURCE_SYMBOLS, (batch, SOURCE)), torch.tensor([SOURCE, 2, 3])[:batch]


@torch.no_grad()
def whole(model, source, length, string):
    """ln p(string, END | source) and the weights, from one teacher-forced pass."""
    logits, weights = model(source[None, :length], length[None], torch.tensor([[*string, END]]))
    logs = logits[0].double().log_softmax(-1)
    chosen = sum(logs[i, symbol].item() for i, symbol in enumerate([*string, END]))
    return chosen, weights[0, : len(string)].double().numpy()


def score_by_hand(log_probability, weights, alpha, coverage):
    penalty = (5 + len(weights)) ** alpha / (5 + 1) ** alpha
    total = log_probability / penalty
    for column in weights.T:
        total += coverage * math.log(min(max(column.sum(), 2**-126), 1.0)) if coverage else 0.0
    return total


@every_model
@pytest.mark.parametrize(("alpha", "coverage"), every(3, PRIZES))
def test_with_as_many_beams_as_strings_it_finds_them_all_in_order(name, alpha, coverage):
    model = built(name)
    sources, lengths = some()
    results = beam(model, sources, lengths, len(STRINGS), LONGEST, alpha, coverage)
    for source, length, hypotheses in zip(sources, lengths, results, strict=True):
        expected = []
        for string in STRINGS:
            log_probability, weights = whole(model, source, length, string)
            score = score_by_hand(log_probability, weights, alpha, coverage)
            expected.append((score, log_probability, string, weights))
        expected.sort(key=lambda pair: -pair[0])
        assert [h.symbols for h in hypotheses] == [string for *_, string, _ in expected]
        for hypothesis, (score, log_probability, _, weights) in zip(
            hypotheses, expected, strict=True
        ):
            assert hypothesis.score == pytest.approx(score, rel=1e-4, abs=1e-4)
            assert hypothesis.log_probability == pytest.approx(log_probability, rel=1e-4, abs=1e-4)
            np.testing.assert_allclose(hypothesis.weights, weights, atol=1e-5)
            assert hypothesis.weights.shape == (len(hypothesis.symbols), length)


@every_model
def test_fewer_beams_that_drop_no_beginning_give_the_best_of_all(name):
    model = built(name)
    sources, lengths = some()
    every = beam(model, sources, lengths, len(STRINGS), LONGEST)
    wide = beam(model, sources, lengths, 16, LONGEST)  # all prefixes of two symbols
    assert all(len(hypotheses) == 16 for hypotheses in wide)
    for some_, all_ in zip(wide, every, strict=True):
        assert [h.symbols for h in some_] == [h.symbols for h in all_[:16]]


class Table(torch.nn.Module):
    """A decoder that only looks up a table: the next symbol given the last one."""

    def __init__(self, table):
        super().__init__()
        self.table = torch.tensor(table, dtype=torch.float64).log()
        self.embedding = torch.nn.Embedding(SYMBOLS, 1)
        self.embedding.weight.data = torch.arange(SYMBOLS).float().unsqueeze(1)

    @property
    def decoder(self):
        return self

    def read(self, sources, lengths):
        return (sources,)

    def first_state(self, memory):
        return torch.zeros(len(memory[0]), 1)

    def step(self, state, previous, memory):
        last = previous.long().squeeze(1)
        weights = torch.nn.functional.one_hot(last % SOURCE, SOURCE).float()
        return self.table[last], weights, weights

    def logits(self, state, context):
        return state


def table(**rows):
    """Probabilities by the last symbol; a symbol that is not named is followed by END."""
    filled = [[0.0] * SYMBOLS for _ in range(SYMBOLS)]
    for row in filled:
        row[END] = 1.0
    for name, row in rows.items():
        filled[{"start": START, "a": 4, "b": 5, "c": 6}[name]] = row
    return Table(filled)


#                         pad  start end  unk  a    b    c
GARDEN = {"start": [0.0, 0.0, 0.0, 0.0, 0.6, 0.4, 0.0], "a": [0.0, 0.0, 0.3, 0.0, 0.4, 0.3, 0.0]}


ONE = torch.ones(1, SOURCE).long(), torch.tensor([SOURCE])  # a source and its length


def test_it_takes_back_a_poor_choice():
    model = table(**GARDEN)
    [[alone]] = beam(model, *ONE, beams=1, longest=3)
    [[best, second]] = beam(model, *ONE, beams=2, longest=3)
    assert alone.symbols == [4, 4, 4]  # the likeliest symbol is a each time, and nothing has ended
    assert best.symbols == [5]
    assert best.log_probability == pytest.approx(math.log(0.4))
    assert second.symbols in ([4], [4, 5])  # 0.6 times 0.3, both
    assert second.log_probability == pytest.approx(math.log(0.18))


def test_what_has_not_ended_counts_only_where_nothing_has():
    never = table(start=[0, 0, 0, 0, 0.7, 0.3, 0], a=[0, 0, 0, 0, 0.9, 0.1, 0])
    never.table[5] = never.table[4]
    [hypotheses] = beam(never, *ONE, beams=3, longest=3)
    assert [h.symbols for h in hypotheses] == [[4, 4, 4], [5, 4, 4], [4, 4, 5]]
    assert hypotheses[0].log_probability == pytest.approx(math.log(0.7 * 0.9 * 0.9))
    assert [h.weights.shape for h in hypotheses] == [(3, SOURCE)] * 3
    rare = table(start=[0, 0, 1e-9, 0, 0.7, 0.3, 0], a=[0, 0, 0, 0, 0.9, 0.1, 0])
    rare.table[5] = rare.table[4]
    [[hypothesis]] = beam(rare, *ONE, beams=3, longest=3)
    assert hypothesis.symbols == []
    assert hypothesis.weights.shape == (0, SOURCE)


def test_several_sources_may_all_have_an_empty_target():
    sources, lengths = some(batch=3)
    results = beam(table(), sources, lengths, beams=2, longest=4)
    assert [h.symbols for [h] in results] == [[], [], []]
    assert [h.weights.shape for [h] in results] == [(0, length) for length in lengths.tolist()]


def test_it_ends_only_where_the_end_is_among_the_likeliest():
    rare = table(start=[0, 0, 0.2, 0, 0.5, 0.3, 0])
    for beams, expected in ((1, [[4]]), (2, [[4], [5]]), (3, [[4], [5], []])):
        [hypotheses] = beam(rare, *ONE, beams=beams, longest=3)
        assert [h.symbols for h in hypotheses] == expected


def steps_taken(model, *options, **more):
    taken, step = [], model.step
    model.step = lambda *inputs: taken.append(len(inputs[0])) or step(*inputs)
    try:
        beam(model, *ONE, *options, **more)
    finally:
        model.step = step
    return taken


def test_it_stops_when_nothing_can_overtake_the_best_and_not_before():
    model = table(**GARDEN)
    assert steps_taken(model, 1, 30) == [1] * 30  # after a, END is never the likeliest
    # a a has .24 and then .096 left, while the second-best answer has ended with .18
    assert steps_taken(model, 2, 30) == [1, 2, 2]
    assert len(steps_taken(model, 2, 30, alpha=1.0)) == 10  # normalisation may let a longer one win
    assert steps_taken(model, 64, 3) == [1, 7, 49]  # every possible prefix


def test_a_memory_is_read_anew_only_where_the_beam_widens():
    memories, model = [], table(**GARDEN)
    step = model.step
    model.step = lambda *inputs: memories.append(inputs[2][0]) or step(*inputs)
    beam(model, torch.arange(2 * SOURCE).view(2, SOURCE), torch.tensor([SOURCE, SOURCE]), 2, 30)
    assert [len(memory) for memory in memories] == [2, 4, 4]
    assert memories[1] is memories[2]
    assert memories[1][:, 0].tolist() == [0, 0, SOURCE, SOURCE]


@every_model
@pytest.mark.parametrize("beams", [1, 3, 5])
def test_a_source_gets_alone_what_it_gets_in_a_batch(name, beams):
    model = built(name, symbols=SYMBOLS + 4)
    sources, lengths = some()
    options = {"beams": beams, "longest": 6, "alpha": 0.5, "coverage": 0.1}
    together = beam(model, sources, lengths, **options)
    for row, length in enumerate(lengths):
        [alone] = beam(model, sources[row, None, :length], length[None], **options)
        assert [h.symbols for h in alone] == [h.symbols for h in together[row]]
        for one, other in zip(alone, together[row], strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-4)
            np.testing.assert_allclose(one.weights, other.weights, atol=1e-5)


@every_model
def test_each_hypothesis_is_scored_as_the_model_scores_it(name):
    torch.manual_seed(1)
    model = built(name, symbols=SYMBOLS + 4, spread=0.5)
    with torch.no_grad():
        model.decoder.readout.bias[END] += 2.0
    sources, lengths = some()
    for alpha, coverage in PRIZES:
        results = beam(model, sources, lengths, 5, 6, alpha, coverage)
        for source, length, hypotheses in zip(sources, lengths, results, strict=True):
            scores = [h.score for h in hypotheses]
            assert 1 <= len(scores) <= 5
            assert scores == sorted(scores, reverse=True)
            assert len({tuple(h.symbols) for h in hypotheses}) == len(hypotheses)
            for h in hypotheses:
                assert not {PADDING, START, END} & set(h.symbols)
                log_probability, weights = whole(model, source, length, h.symbols)
                assert h.log_probability == pytest.approx(log_probability, abs=1e-4)
                score = score_by_hand(log_probability, weights, alpha, coverage)
                assert h.score == pytest.approx(score, abs=1e-4)


def test_by_default_five_beams_and_32_steps():
    model = built(symbols=SYMBOLS + 4)
    with torch.no_grad():
        model.decoder.readout.bias[[PADDING, START, END]] = -1000.0
    [hypotheses] = beam(model, *some(1))
    assert [len(h.symbols) for h in hypotheses] == [32] * 5
    assert all(h.score == h.log_probability for h in hypotheses)


@every_model
@pytest.mark.parametrize("seed", range(5))
def test_an_exact_search_finds_what_a_beam_of_all_strings_finds(name, seed):
    torch.manual_seed(seed)
    model = built(name)
    sources, lengths = some()
    with torch.no_grad():  # the longer the targets, the more there is to cut
        model.decoder.readout.bias[END] -= seed
    every = beam(model, sources, lengths, len(STRINGS), LONGEST)
    for best, [likeliest, *_] in zip(
        exact(model, sources, lengths, LONGEST, 1), every, strict=True
    ):
        assert best.proved
        assert best.hypothesis.symbols == likeliest.symbols
        assert best.hypothesis[1:3] == pytest.approx(likeliest[1:3], rel=1e-5)
        np.testing.assert_allclose(best.hypothesis.weights, likeliest.weights, atol=1e-6)
        assert 1 <= best.visited <= len(STRINGS)


def test_an_exact_search_cuts_what_cannot_win_and_says_where_it_stopped():
    model = table(**GARDEN)
    [best] = exact(model, *ONE, longest=30, beams=1)
    # greedy search never ends, so nothing is to beat at first; b has .4, and so a a (.24) is cut
    assert (best.hypothesis.symbols, best.visited, best.proved) == ([5], 3, True)
    [best] = exact(model, *ONE, longest=30, beams=2)
    assert (best.hypothesis.symbols, best.visited, best.proved) == ([5], 2, True)
    [best] = exact(model, *ONE, longest=30, beams=2, most=1)
    assert (best.hypothesis.symbols, best.visited, best.proved) == ([5], 1, False)
    never = table(start=[0, 0, 0, 0, 1.0, 0, 0], a=[0, 0, 0, 0, 1.0, 0, 0])
    [best] = exact(never, *ONE, longest=3)
    assert (best.hypothesis.symbols, best.proved) == ([4, 4, 4], False)


def test_an_exact_search_knows_where_the_model_looked_on_the_way():
    two = table(start=[0, 0, 0, 0, 0.55, 0.45, 0], a=[0, 0, 0.3, 0, 0.7, 0, 0], b=[0] * 6 + [1.0])
    [best] = exact(two, *ONE, longest=4, beams=1)
    assert best.hypothesis.symbols == [5, 6]  # b, behind a at first, and c
    assert best.hypothesis.weights.argmax(axis=1).tolist() == [START, 5 % SOURCE]


def searched(**changes):
    usual = dict(zip(("sources", "lengths"), some(1), strict=True)) | {"model": built()}
    return beam(**usual | changes)


REFUSED = {
    searched: [
        ({"alpha": 10.1}, "alpha must be a number from 0 to 10; got 10.1"),
        ({"coverage": 11}, "coverage must be a number from 0 to 10; got 11"),
        ({"sources": torch.ones(1, 0).long()}, "sources must hold at least 1 symbol"),
        ({"lengths": torch.tensor([SOURCE + 1])}, "lengths must be at most 5.*got 6"),
        ({"sources": torch.full((1, SOURCE), 99)}, "source symbols must be numbers from 0 to 10"),
    ],
}
