"""The experiments on copying, facts and dates: with a small model that nobody has trained."""

import re

import numpy as np
import pytest
import torch

from attn_course.models.language_model import LanguageModel, Shape
from attn_course.patching import heads_replaced, recorded
from attn_course.tasks.dates import render
from attn_lab.language_model import copying_heads, facts
from attn_lab.language_model import dates_in_a_prompt as dates
from attn_lab.reading_on import Reading, places, read_before

SHAPE = Shape(symbols=300, blocks=3, size=12, heads=6, groups=3, hidden_size=7, base=53.0)
FEEDS = (1, 0)


@pytest.fixture(scope="module")
def model(tiny) -> LanguageModel:
    return tiny


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


class Words:
    """Stands for `Text`: words with the space before them, digits and signs one by one."""

    def __init__(self):
        self.known: dict[str, int] = {}

    def read(self, text: str) -> torch.Tensor:
        pieces = re.findall(r"\d| ?[^\W\d]+|\s|.", text)
        return torch.tensor([[self.known.setdefault(piece, len(self.known)) for piece in pieces]])


SMALL = {
    **{"FEEDS": FEEDS, "READERS": (2,), "BESIDE": ((1, 1),), "WATCHED": ((2, 0), (2, 5))},
    **{"BEST": 2, "SOME": (1, 2), "DRAWS": 3, "PAIRS": (2, 3)},
}


@pytest.fixture
def small(monkeypatch):
    for name, value in SMALL.items():
        monkeypatch.setattr(copying_heads, name, value)


# ---- reading on


def test_it_reads_on_as_if_it_began_anew(model):
    symbols = torch.arange(14).view(2, 7)
    changes = heads_replaced(model, [(1, 2), (2, 0)])
    for change in ({}, changes):
        whole = model(symbols, changes=change).logits
        torch.testing.assert_close(Reading(model, symbols).logits(change), whole)
    same = torch.cat([torch.full((2, 3), 9), symbols], dim=1)
    before = read_before(model, same[:1, :3], 2)
    after = Reading(model, symbols, before=before).logits(at=slice(2, None))
    torch.testing.assert_close(after, model(same).logits[:, 5:])


def test_the_loss_is_that_of_what_follows(model):
    symbols = torch.tensor([[5, 3, 8]])
    chances = model(symbols).logits.log_softmax(-1)[0]
    losses = Reading(model, symbols).losses(at=slice(0, 2))[0]
    torch.testing.assert_close(losses, -torch.stack([chances[0, 3], chances[1, 8]]))


# ---- copying


def test_scores_are_1_for_heads_that_only_look_there(rng, model):
    symbols = copying_heads.twice(model, rng, 5, gap=2)
    assert symbols.shape == (3, 12)
    assert (symbols[:, :5] == symbols[:, 7:]).all()
    assert len({*symbols[0].tolist()}) == 7
    looks = torch.zeros(1, 2, 12, 12)
    for target in range(7, 11):
        (before,) = (symbols[0, :7] == symbols[0, target]).nonzero()[0]
        looks[0, 0, target, before + 1] = 1.0
    looks[0, 1, range(1, 12), range(11)] = 1.0
    torch.testing.assert_close(copying_heads.behind(looks, 5, 2), torch.tensor([1.0, 0.0]))
    assert copying_heads.one_back(looks)[1] == 1
    assert copying_heads.best(torch.tensor([[0.1, 0.3], [0.2, 0.4]]), 3) == [(1, 1), (0, 1), (1, 0)]


def test_what_is_measured_of_symbols(small, model, rng):
    numbers = copying_heads.in_symbols(model, rng)
    assert np.shape(numbers["behind"]) == np.shape(numbers["one back"]) == (3, 6)
    assert set(numbers["rivals"]) == {f"1.{head}" for head in range(1, 6)}
    assert len(numbers["same blocks"]["zero"]) == len(numbers["anywhere"]) == 3
    assert not {(*head,) for draw in numbers["drawn"] for head in draw} & {*numbers["best"]}
    assert numbers["fewer"]["2"] == numbers["mean"] != numbers["zero"]
    assert set(numbers["path"]["1.0"]) == {"mean", "queries", "keys", "values"}
    losses = [numbers_["loss"] for numbers_ in numbers["path"]["1.0"].values()]
    assert len({round(loss, 6) for loss in losses}) == 4


def test_each_head_alone(small, model, rng):
    costs = copying_heads.singly(model, np.random.default_rng(5))["alone"]
    assert np.shape(costs) == (3, 6)
    others = copying_heads.twice(model, rng, 40)
    means = copying_heads.means_seen(Reading(model, others, ("found",)))
    symbols = copying_heads.twice(model, rng, 40)[: copying_heads.SINGLE]
    reading, targets = Reading(model, symbols), copying_heads.second(40)
    with_it = reading.losses(heads_replaced(model, [(1, 4)], means), targets)
    assert costs[1][4] == pytest.approx((with_it - reading.losses(at=targets)).mean().item())


def test_pairs_are_asked_for_in_a_new_order(small, model, rng):
    symbols, orders = copying_heads.pairs_in_a_new_order(model, rng, 4)
    for row, order in zip(symbols.tolist(), orders.tolist(), strict=True):
        pairs = [row[2 * i : 2 * i + 2] for i in range(8)]
        assert pairs[4:] == [pairs[i] for i in order]
    numbers = copying_heads.in_pairs(model, rng)
    assert [*numbers["right"]] == ["2", "3"]
    assert set(copying_heads.with_gaps(model, rng)["2.5"]) == {"0", "1", "7", "40"}


def test_runs_of_pairs_keep_their_order(small, monkeypatch, model, rng):
    monkeypatch.setattr(copying_heads, "RUN", 8)
    monkeypatch.setattr(copying_heads, "RUNS", (2, 8))
    _, orders = copying_heads.pairs_in_a_new_order(model, rng, 8, 4)
    assert {tuple(sorted(row[:4])) for row in orders.tolist()} <= {(0, 1, 2, 3), (4, 5, 6, 7)}
    assert all(row[1] == row[0] + 1 and row[5] == row[4] + 1 for row in orders.tolist())
    numbers = copying_heads.in_runs(model, rng)
    assert [*numbers["right"]] == ["2", "8"]
    (looks, more) = numbers["looks"].values()
    assert len(looks) == copying_heads.BEST
    assert {*looks} == {*more}


def test_what_a_head_wrote_is_moved_by_a_place(small, monkeypatch, model, rng):
    moves = {}

    def logits(reading, changes, at):
        vectors = reading.seen["residual", 2]
        if changes:
            moves[len(moves)] = changes["for keys", 2](vectors) - vectors
        return real(reading, changes, at)

    real = Reading.logits
    monkeypatch.setattr(Reading, "logits", logits)
    numbers = copying_heads.moved(model, rng)
    assert {*numbers} == {"two blocks", "all later", "beside"}
    plain, later, earlier = (moves[move] for move in range(3))
    assert (plain == 0).all()
    assert (later[:, [*range(4), *range(40, 80)]] == 0).all()
    # later: the place has what the next one had; earlier: what the one before had
    torch.testing.assert_close(later[:, 5:39], -earlier[:, 6:40], atol=1e-6, rtol=1e-4)
    reading = Reading(model, copying_heads.twice(model, np.random.default_rng(5), 40), ("found",))
    wrote = copying_heads.written_by(reading, FEEDS)
    torch.testing.assert_close(later[:, 7], wrote[:, 8] - wrote[:, 7], atol=1e-6, rtol=1e-4)
    as_it_is = numbers["two blocks"]["as it is"]
    assert as_it_is == numbers["beside"]["as it is"]
    assert as_it_is["1"]["loss"] == pytest.approx(
        reading.losses(at=slice(48, 72)).mean().item(), rel=1e-4
    )


def test_kinds_of_symbols_in_prose():
    assert copying_heads.kinds([1, 2, 3, 1, 2, 2, 9]) == [
        *("new", "new", "symbol", "pair", "symbol", "new")
    ]


# ---- facts


def test_a_swap_of_everything_at_the_subject_is_the_other_prompt(model):
    prompts = torch.tensor([[7, 8, subject, 9, 6] for subject in (20, 21, 22, 23)])
    pairs = facts.Pairs(model, prompts, torch.tensor([30, 31, 32, 33]))
    assert pairs.subject == 2
    logits = model(prompts).logits[:, -1]
    own, other = torch.arange(30, 34), torch.arange(30, 34).roll(1)
    rows = torch.arange(4)
    plain = logits[rows, own] - logits[rows, other]
    swapped = logits.roll(1, 0)[rows, own] - logits.roll(1, 0)[rows, other]
    torch.testing.assert_close(pairs.margins(), plain)
    everything = pairs.exchanged([("residual", 0)], 0)
    torch.testing.assert_close(pairs.margins(everything), swapped)
    last = pairs.exchanged([("residual", 2)], 2)
    assert not torch.isclose(pairs.margins(last), plain).any()
    numbers = facts.swaps(pairs)
    assert {kind: len(shares) for kind, shares in numbers["follows"].items()} == dict.fromkeys(
        ("residual", "last", "both", "values", "keys"), 3
    )


RELATION = facts.Relation(
    "The capital of {} is",
    " {}",
    "A a, B b, C c, D d",
    silent=("I like {}", "Yesterday in {} it"),
    asking=("The language of {} is",),
    read=range(1, 3),
)


@pytest.fixture
def known(model, monkeypatch) -> facts.Pairs:
    """Four facts that are all known: whatever the model writes is the answer."""
    words = Words()
    monkeypatch.setattr(facts, "READS", (1, 4))
    prompts = torch.cat([words.read(f"The capital of {name} is") for name in "ABCD"])
    pairs = facts.Pairs(model, prompts, torch.tensor([30, 31, 32, 33]))
    pairs.text = words
    return pairs


def test_values_out_of_the_same_sentence_are_those_of_a_swap(known):
    same = RELATION._replace(silent=("The capital of {} is",))
    result = facts.controls(known, known.text, same)
    swap = [("values", block) for block in range(3)]
    assert result["sources"]["The capital of {} is"] == {
        "all": pytest.approx(known.outcome(known.exchanged(swap, 0)), abs=1e-6),
        "late": pytest.approx(known.outcome(known.exchanged(swap[1:], 0)), abs=1e-6),
    }
    # the own values, made from what enters the block itself, change nothing in the first that reads
    plain = known.outcome()
    one = RELATION._replace(silent=same.silent, read=range(1, 2))
    early = facts.controls(known, known.text, one)["early"]
    assert early["1"]["own"] == pytest.approx(plain, abs=1e-5)
    swapped = known.outcome(known.exchanged([("values", 1)], 0))
    assert early["1"]["other"] == pytest.approx(swapped, abs=1e-5)
    assert early["0"]["other"] != pytest.approx(swapped, abs=1e-5)


def test_what_is_shared_at_the_subject_tells_no_two_apart(known):
    parts = {}

    def look(contexts):
        parts["here"] = contexts
        return contexts

    with facts.networks_shared(known.model, [2]):
        known.logits({("residual", 0): lambda vectors: vectors, ("values", 2): look})
    assert not torch.allclose(parts["here"][0, :, 0], parts["here"][1, :, 0])  # it reads before
    here = torch.arange(24.0).view(2, 3, 4)
    shared = facts.shared_at_subject(here)
    torch.testing.assert_close(shared[:, 0], here[:, 0].mean(0).expand(2, -1))
    assert torch.equal(shared[:, 1:], here[:, 1:])
    plain, changed = known.outcome(), facts.controls(known, known.text, RELATION)["shared"]
    for kind in ("networks", "heads"):
        assert changed[kind]["0"]["margin"] != pytest.approx(plain["margin"], abs=1e-4)
    assert not [hook for block in known.model.blocks for hook in block.network._forward_hooks]


def test_groups_are_compared_by_how_much_they_do(known, rng):
    result = facts.groups(known, rng)
    assert np.shape(result["effect"]) == np.shape(result["times"]) == (3, 3)
    assert (np.array(result["size"]) >= np.abs(result["effect"]) - 1e-6).all()
    # with one group's values alone exchanged, the sum of its heads changes by as much as it says
    block, group = 2, 1
    weights = known.reading.seen["weights", block][:, 2:4, -1, known.subject]
    values = known.reading.seen["values", block][:, group, 0]
    matrices = facts.output_of_heads(known.model, block)[2:4]
    added = torch.einsum("fh,fp,hsp->fs", weights, values.roll(1, 0) - values, matrices)
    assert result["times"][block][group] == pytest.approx(added.norm(dim=1).mean().item(), rel=1e-4)
    low, high = result["alike"]["weight"][1:]
    assert low <= high
    assert facts.ranked(np.array([1, 2, 9]), np.array([3, 5, 6])) == pytest.approx(1)


def test_a_head_is_silenced_by_what_all_facts_share(known, monkeypatch):
    calls = []

    def replaced(model, heads, by):
        calls.append(([*heads], by["found", 1]))
        return heads_replaced(model, calls[-1][0], by)

    monkeypatch.setattr(facts, "heads_replaced", replaced)
    result = facts.heads(known, known.text, RELATION)
    assert np.shape(result["silenced"]) == np.shape(result["writes"]["rank"]) == (3, 6)
    chosen, by = map(list, zip(*calls, strict=True))
    assert [(1, head) for head in range(6)] in chosen
    assert all([(block, head)] in chosen for block in range(3) for head in range(6))
    of_all = known.reading.seen["found", 1]  # (fact head position part)
    torch.testing.assert_close(by[0][0, 4, 1], of_all[:, 4, 1].mean(0))
    symbols, at = facts.in_sentence(known.text, RELATION.silent[0], known.subjects)
    values = recorded(known.model, symbols, [("values", 2)])["values", 2][:, 2, at]
    wrote = values @ known.model.blocks[2].output_projection.weight[:, 10:12].T
    logits = known.model.readout(known.model.norm(wrote - wrote.mean(0)))
    ranks = [1 + int((row > row[own]).sum()) for row, own in zip(logits, known.own, strict=True)]
    assert result["writes"]["rank"][2][5] == sorted(ranks)[1]  # torch's median of four
    assert len(result["lens"]["last"]["first"]) == 3


def test_maps_of_the_last_place(model):
    prompts = torch.tensor([[7, 8, subject, 9, 6] for subject in (20, 21)])
    numbers = facts.maps(facts.Pairs(model, prompts, torch.tensor([30, 31])))
    weights = recorded(model, prompts, places(model, "weights"))["weights", 1]
    assert numbers["heads"][1][4] == pytest.approx(weights[:, 4, -1, 2].mean().item())


def test_rollout_multiplies_from_the_last_block_down():
    first, last = torch.rand(2, 1, 2, 4, 4)
    same = torch.eye(4)
    expected = (last.mean(1) + same) / 2 @ ((first.mean(1) + same) / 2)
    torch.testing.assert_close(facts.rollout([first, last]), expected)


# ---- dates


def test_the_exact_characters_of_a_prompt():
    pair = render(dates.datetime.date(2005, 12, 15), "de", "long")
    pieces = [*"4/4/2001 = 2001-04-04", "\n", *"15", ".", " Dezember", *" 2005 =", " "]
    start = len(pieces) - len(" 2005 =") - 1
    links = dates.exact([*pieces, *"2005-12-15"], pair)
    assert [step for step, _, _ in links] == [0, 1, 2, 3, 8, 9]
    assert [place for _, place, _ in links][:4] == [start + 1 + i for i in range(4)]
    assert links[2][2] == start + 2  # the second 0 is the same digit as the first
    assert [pieces[place] for _, place, _ in links[4:]] == ["1", "5"]
    assert links[3][2] == links[5][1]  # the first 5 of the source is that of the day


def test_a_date_is_judged_at_the_places_that_foretell_it(model):
    symbols = torch.arange(30).unsqueeze(0)
    right, looks = dates.read(model, symbols)
    assert looks.shape == (19, 10)
    assert (
        right.tolist() == (model(symbols).logits[0, 19:29].argmax(-1) == symbols[0, 20:]).tolist()
    )
    weights = recorded(model, symbols, places(model, "weights"))
    assert looks[6 + 2].tolist() == weights["weights", 1][0, 2, 19:29].argmax(-1).tolist()


def test_examples_are_of_other_days_and_drawn_anew():
    cases = dates.drawn(7, 2)
    assert len(cases) == dates.DATES
    assert all(len(examples) == 2 for examples, _ in cases)
    days = {pair.day for _, pair in cases}
    assert not days & {date.day for examples, _ in cases for date in examples}
    assert len({examples[0].source for examples, _ in cases}) > dates.DATES // 2


@pytest.mark.parametrize(("looks_at", "index"), [("exact", 0), ("rule", 3)])
def test_like_digits_are_counted_date_by_date(monkeypatch, model, looks_at, index):
    """A head that always looks at the exact character, or at the first one like it."""
    monkeypatch.setattr(dates, "ALIKE", 20)
    monkeypatch.setattr(dates, "CHOSEN", (0, 0))

    class Pieces(Words):
        def pieces(self, symbols):
            return [[*self.known][symbol] for symbol in symbols.tolist()]

    words, pairs = Pieces(), iter([pair for _, pair in dates.drawn(3, 4, 20, 3_000)])

    def read(model, symbols):
        looks = torch.zeros(1, 10, dtype=int)
        for step, there, alike in dates.copied(words.pieces(symbols[0]), next(pairs)):
            looks[0, step] = there if looks_at == "exact" else alike[0]
        return None, looks

    monkeypatch.setattr(dates, "read", read)
    counts = {name: np.array(rows) for name, rows in dates.among_alike(model, words, 3).items()}
    once, more = counts["once"].sum(0), counts["more"].sum(0)
    assert len(counts["once"]) == 20
    assert once[0] == once[1] == once[3] == once[4] > 0
    assert once[2] == 0
    assert more[0] > more[3] > 0  # the rule may miss
    assert more[0] / 2 >= more[4] > 0
    assert more[1] == more[index]
    assert more[2] == more[0] - more[1]


def test_swaps_of_the_month(monkeypatch, model):
    monkeypatch.setattr(dates, "LATER", (0, 2))
    monkeypatch.setattr(dates, "SWAPPED", 4)
    calls = []
    monkeypatch.setattr(dates, "exchanged_at", lambda *arguments: calls.append(arguments) or {})
    numbers = dates.swapped(model, Words(), 0)
    assert [*numbers["own"]] == [*numbers["others"]] == ["0", "2"]
    parts, own = calls[0]
    assert own.nonzero().ravel().tolist() == [2]  # two digits of the day stand before it
    assert calls[2][1].tolist() == [i != 2 for i in range(len(own) - 10)] + [False] * 10
    assert {block for _, block in calls[1][0]} == {2}
    assert len(parts) == 6
