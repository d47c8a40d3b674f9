"""The experiments on maps: who may see what, what is exchanged, and what is counted."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attn_course.interventions import divergence, written
from attn_course.search import greedy
from attn_course.tasks import numbers
from attn_course.tasks.dates import TARGET_LENGTH, TARGET_PLACES, date_pairs
from attn_course.tasks.typos import is_test_typo
from attn_lab.faithful_maps import faithful_models as readers
from attn_lab.faithful_maps import faithfulness as grid
from attn_lab.faithful_maps import four_questions as questions
from attn_lab.faithful_maps import map_tests as tests
from attn_lab.faithful_maps import number_swaps as swaps
from attn_lab.faithful_maps import questions_to_words as words
from attn_lab.faithful_maps import traced_back as traced
from attn_lab.faithful_maps.faithful_models import twins
from attn_lab.measuring import as_numbers, by_length
from attn_lab.reading_dates import learnt_models
from attn_lab.transformers.transformer_models import build as build_transformer
from attn_lab.translation.word_order_models import Design, build
from attn_lab.typos import typo_models

# ---- faithfulness


PAIRS = date_pairs(40, seed=5, days="test")


def built(name):
    """A reader, and dates of one length."""
    return readers.build(name).double().eval(), grid.tensors(max(by_length(PAIRS), key=len), name)


@pytest.fixture
def forbidden():
    return built("forbidden")


def test_a_marked_text_holds_its_characters_and_their_fields():
    characters, marked = learnt_models.vocabularies()[0], readers.marked_vocabulary()
    for pair in PAIRS:
        symbols = torch.tensor([marked.encode(readers.text(pair, "forbidden"))])
        plain, fields = readers.unmarked(symbols)
        assert plain[0].tolist() == characters.encode(pair.source)
        assert [readers.FIELDS[field] for field in fields[0]] == list(pair.fields)
    assert [part.tolist() for part in readers.unmarked(torch.tensor([0, 3]))] == [[0, 3], [0, 0]]


def test_the_encoder_does_not_see_the_marks(forbidden):
    model, same = forbidden
    plain, _ = readers.unmarked(same.sources)
    memory = model.read(same.sources, same.lengths)
    assert torch.equal(memory.annotations, model.read(plain, same.lengths).annotations)


def test_no_weight_lies_on_the_field_that_is_being_written_and_all_else_may_be_read(forbidden):
    model, same = forbidden
    targets = torch.randint(4, 14, (len(same.pairs), TARGET_LENGTH + 2))
    _, weights = model(same.sources, same.lengths, targets)
    for pair, table in zip(same.pairs, weights, strict=True):
        for step, row in enumerate(table):
            field = next((f for f, places in TARGET_PLACES.items() if step in places), None)
            assert [own == field for own in pair.fields] == (row == 0).tolist()


def test_what_is_padded_is_not_read_either(forbidden):
    model, same = forbidden
    wider = torch.nn.functional.pad(same.sources, (0, 3))
    before = written(model.decoder, model.read(same.sources, same.lengths), None, 5)
    assert torch.equal(before, written(model.decoder, model.read(wider, same.lengths), None, 5))
    allowed = model.read(wider, same.lengths).readable
    assert not allowed[..., -3:].any()


def test_step_by_step_it_writes_as_all_at_once(forbidden):
    model, same = forbidden
    symbols, weights, shares = greedy(model, same.sources, same.lengths, 7)
    logits, together = model(same.sources, same.lengths, symbols)
    real = symbols != 0
    torch.testing.assert_close(weights[real], together[real])
    torch.testing.assert_close(shares[real], logits.softmax(dim=-1).amax(dim=-1)[real])


@pytest.mark.parametrize("name", ["blind start", "single characters"])
def test_a_blind_start_knows_nothing(name):
    model, same = built(name)
    states = model.decoder.first_state(model.read(same.sources, same.lengths))
    assert (states == states[0]).all()


def test_twins_differ_in_one_field_and_in_nothing_else():
    pairs = readers.twins(PAIRS, 1)
    assert {pair.field for pair in pairs} == set(TARGET_PLACES)
    for one, other, field in pairs:
        assert one.fields == other.fields
        for here, there, own in zip(one.source, other.source, one.fields, strict=True):
            assert here == there or own == field
        other_places = [i for f, places in TARGET_PLACES.items() if f != field for i in places]
        assert one.target != other.target
        assert [one.target[i] for i in other_places] == [other.target[i] for i in other_places]


def test_each_date_is_written_from_its_own_first_state(monkeypatch):
    decoder = SimpleNamespace(first_state=lambda memory: f"start of {memory}")
    monkeypatch.setattr(grid, "targets", lambda model, memory, start, name: (memory, start))
    both = grid.alone(SimpleNamespace(decoder=decoder), ["one", "other"], "")
    assert both == [("one", "start of one"), ("other", "start of other")]


def test_swapping_is_counted_by_whose_field_is_written(monkeypatch):
    """Whoever is asked writes the field, and not the hyphens; the last pair is not read."""
    group = max(by_length(readers.twins(PAIRS, 1), lambda pair: pair.one), key=len)
    sides = [[pair.one.target for pair in group], [pair.other.target for pair in group]]
    own = torch.tensor([[field == pair.field for field in pair.one.fields] for pair in group])

    def exchanged(memory, other, chosen):
        assert not torch.equal(memory.annotations, other.annotations)
        return chosen

    def targets(model, chosen, start, name):
        return [text.replace("-", "?") for text in sides[torch.equal(chosen, own)]]

    monkeypatch.setattr(grid, "exchanged", exchanged)
    monkeypatch.setattr(grid, "targets", targets)
    monkeypatch.setattr(grid, "alone", lambda *_: [[*sides[0][:-1], "?"], sides[1]])
    shares = grid.swap(built("attending")[0], "attending", group)
    for field in {pair.field for pair in group[:-1]}:
        count = sum(pair.field == field for pair in group[:-1])
        assert shares["own field"][field] == [1.0, 0.0, count]
        assert shares["all others"][field] == [0.0, 1.0, count]


def test_the_top_place_is_hidden_or_any_other():
    weights = torch.rand(3, 5, 7).softmax(dim=-1)
    top = grid._top(weights)
    assert (top.sum(dim=-1) == 1).all()
    assert torch.equal(top.float().argmax(dim=-1), weights.argmax(dim=-1))
    drawn = [grid._another(weights, torch.Generator().manual_seed(seed)) for seed in range(40)]
    for places in drawn:
        assert (places.sum(dim=-1) == 1).all()
        assert not (places & top).any()
    assert (torch.stack(drawn).any(dim=0) | top).float().mean() > 0.95


# ---- map_tests


DATES = date_pairs(90, seed=5, days="test")
GROUP = max(by_length(DATES), key=len)


def forced(name):
    model = readers.build(name).double().eval()
    for part in model.decoder.score.parameters():
        part.data *= 5  # otherwise an untrained map is nearly even
    return tests.Forced(model, GROUP[:5], name)


@pytest.fixture(params=["attending", "forbidden", "luong"])
def some(request):
    return forced(request.param)


@pytest.mark.parametrize("name", ["attending", "forbidden"])
def test_a_guided_reader_looks_where_it_is_told_and_sees_single_characters(name):
    teacher = forced(name)
    student = tests.Guided(teacher.model, name, even=False).double().eval()
    logits, weights = student(teacher.sources, teacher.lengths, teacher.targets)
    torch.testing.assert_close(weights, teacher.weights)
    for part in student.student.decoder.score.parameters():
        part.data = torch.randn_like(part)
    torch.testing.assert_close(
        student(teacher.sources, teacher.lengths, teacher.targets)[0],
        logits,
        msg="its score is not used",
    )
    assert not any(
        part is own for part in student.parameters() for own in teacher.model.parameters()
    )


def test_an_even_map_is_even():
    teacher = forced("attending")
    student = tests.Guided(teacher.model, "attending", even=True).double()
    _, weights = student(teacher.sources, teacher.lengths, teacher.targets)
    torch.testing.assert_close(weights, torch.full_like(weights, 1 / teacher.sources.shape[1]))


def test_permuted_weights_are_the_same_weights_on_the_same_places(some):
    changed = []
    some.changed = lambda change: changed.append(change(some.weights, 0)) or some.shares
    assert tests.stays(some, 1).all()
    (new,) = changed
    torch.testing.assert_close(new.sort(dim=-1).values, some.weights.sort(dim=-1).values)
    assert torch.equal(new > 0, some.weights > 0)
    assert not torch.allclose(new, some.weights)


@pytest.mark.slow
def test_an_adversary_moves_far_if_no_answer_depends_on_weights(some, monkeypatch):
    monkeypatch.setattr(tests, "ASCENTS", 25)
    some.model.decoder.logits = lambda states, contexts: (
        torch.zeros(*contexts.shape[:-1], some.shares.shape[-1], dtype=torch.double)
        + 0 * contexts.sum(dim=-1, keepdim=True)
    )
    some.shares = torch.full_like(some.shares, 1 / some.shares.shape[-1])
    own = some.weights
    alone = torch.eye(own.shape[-1], dtype=torch.double).view(1, 1, *[own.shape[-1]] * 2)
    bounds = torch.stack(
        [divergence(own, alone[:, :, j].expand_as(own)) for j in range(own.shape[-1])], dim=-1
    )
    bounds = bounds.masked_fill(own == 0, 0).amax(dim=-1)
    distances = tests.adversarial(some, 1)
    assert distances.shape == (5, 10)
    assert (distances <= bounds + 1e-9).all()
    assert (distances / bounds).mean() > 0.9


def test_hiding_one_place_is_hiding_the_first_of_an_order_that_names_it(some):
    place = 2
    worth = torch.zeros_like(some.weights)
    worth[..., place] = 1
    points = tests.curve(some, worth)
    assert points.shape == (5, tests.HIDDEN + 1)
    torch.testing.assert_close(points[:, 0], some.p[:, tests.DIGITS].mean(dim=1))
    left = (some.p - tests.falls(some)[..., place])[:, tests.DIGITS].mean(dim=1)
    torch.testing.assert_close(points[:, 1], left)


def test_the_rank_correlation_is_that_of_scipy():
    spearmanr = pytest.importorskip("scipy.stats").spearmanr
    one, other = torch.randn(2, 3, 5, 11, dtype=torch.double)
    ours = tests.rank_correlation(one, other)
    for index in range(3):
        for row in range(5):
            theirs = spearmanr(one[index, row], other[index, row]).statistic
            assert ours[index, row].item() == pytest.approx(theirs)


@pytest.mark.parametrize("nth", range(4))
def test_only_the_digit_at_a_place_of_the_year_is_exchanged(nth):
    for pair in (pair for pair in DATES if pair.fields.count("y") == 4):
        both = [*zip(pair.source, tests.year_exchanged(pair, nth).source, strict=True)]
        assert [i for i, (a, b) in enumerate(both) if a != b] == [pair.fields.index("y") + nth]
        assert sum(map(int, both[pair.fields.index("y") + nth])) == 9


# ---- four_questions


def transformer():
    return build_transformer("whole").eval()


def wrong_words(count=400):
    pairs = [words.twin(pair, 0) for pair in typo_models.unseen_pairs(0, "typos")[:count]]
    return [pair for pair in pairs if pair]


# ---- dates


def test_an_empty_memory_gives_the_same_answer_to_every_date_and_a_whole_one_does_not():
    model = transformer()
    group = max(questions.by_length(PAIRS), key=len)
    same = questions.tensors(group, "heads")
    memory = model.read(same.sources, same.lengths)
    inputs = torch.full((len(group), 3), 4)
    nothing, whole = (
        model.decoder(source, inputs)[0] for source in (questions.empty(memory), memory)
    )
    torch.testing.assert_close(nothing, nothing[:1].expand_as(nothing))
    assert not torch.allclose(whole, whole[:1].expand_as(whole))


def test_a_swap_at_all_steps_writes_what_is_read_in_the_other_date_and_at_none_the_own():
    model = transformer()
    pairs = [pair for pair in twins(PAIRS, 1) if pair.field == "d"]
    group = max(questions.by_length(pairs, lambda pair: pair.one), key=len)
    memories = questions.read_both(model, group, "heads")
    alone = grid.alone(model, memories, "heads")
    assert questions.swapped_at(model, memories, range(40), "heads") == alone[1]
    assert questions.swapped_at(model, memories, range(0), "heads") == alone[0]


@pytest.mark.parametrize(("time", "taken"), [("then", True), ("before", False)])
def test_when_counts_the_steps_of_the_field_apart_from_those_before(monkeypatch, time, taken):
    """A decoder that writes what it looks at, and remembers nothing."""
    pairs = twins(PAIRS, 1)

    def both(model, group, name):
        return [[pair.one.target for pair in group], [pair.other.target for pair in group]]

    def swapped_at(model, memories, steps, name):
        return [
            "".join(theirs[i] if i in steps else own[i] for i in range(10))
            for own, theirs in zip(*memories, strict=True)
        ]

    monkeypatch.setattr(questions, "read_both", both)
    monkeypatch.setattr(questions, "swapped_at", swapped_at)
    monkeypatch.setattr(grid, "alone", lambda model, memories, name: memories)
    share = questions.when(None, "heads", pairs)[time]
    assert share[:2] == ([1.0, 0.0] if taken else [0.0, 1.0])
    assert share[2] == sum(pair.field in "md" for pair in pairs)


# ---- words


def test_twins_of_words_share_the_wrong_letter_and_want_another():
    pairs = wrong_words()
    assert len(pairs) > 300
    for one, other in pairs:
        assert (one.place, len(one.source)) == (other.place, len(other.source))
        assert one.source[one.place] == other.source[one.place]
        assert len({one.target[one.place], other.target[one.place], one.source[one.place]}) == 3
        assert is_test_typo(other.source, other.target)


def test_what_is_asked_of_words_starts_from_what_the_reader_says():
    pairs = [pair for pair, _ in wrong_words(100)]
    model = typo_models.untrained("pointer", 0)
    letters_of = {one: typo_models.read(model, [one])[0].letters for one in pairs}
    for group in by_length(pairs):
        p = words.weakened(model, group)["p"]
        for pair, share in zip(group, p.tolist(), strict=True):
            letter = "abcdefghijklmnopqrstuvwxyz".index(typo_models.right_letter(pair))
            assert share == pytest.approx(letters_of[pair][letter], abs=1e-5)


@pytest.mark.slow
@torch.no_grad()
@pytest.mark.parametrize(
    ("columns", "follows", "stays"),
    [(slice(None, 128), "then", "before"), (slice(128, None), "before", "then")],
)
def test_a_letter_follows_the_context_or_the_state_whichever_is_heard(
    monkeypatch, columns, follows, stays
):
    """What an untrained reader names counts as right, so that every pair is counted."""

    class Sure(words.Looked):
        def __init__(self, *inputs):
            super().__init__(*inputs)
            self.letters = self.named(self.read.annotations)

    model, pairs = typo_models.untrained("pointer", 0), wrong_words()
    weights = model.readout.weight[:, columns].clone()
    model.readout.weight.zero_()
    model.readout.weight[:, columns] = 40 * weights
    monkeypatch.setattr(words, "Looked", Sure)
    differ = [
        pair
        for group in by_length(pairs, lambda pair: pair[0])
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
    digits = [0.9 if i in questions.DIGITS else 0.0 for i in range(10)]
    stored = {
        "p": {"heads": [digits], "pointer": [[0.5]]},
        "p, top hidden": {"heads": [[0.4] * 10], "pointer": [[0.4]]},
        "p, nothing": {"heads": [[0.1] * 10], "pointer": [[0.2]]},
        "swap": {
            "heads": [{"all others": {"y": [0.3, 0.7, 9], "m": [0.0, 1.0, 9], "d": [0.0, 1.0, 9]}}],
            "pointer": [{"all others": [0.6, 0.1, 9]}],
        },
        "when": {"heads": [{"before": [0.02, 0.9, 9]}], "pointer": [{"before": [0.3, 0.5, 9]}]},
    }
    monkeypatch.setattr(questions, "results", lambda number, budget=1: stored[number])
    assert questions.answers("heads")[0].tolist() == pytest.approx([0.8, 0.5, 0.1, 0.02])
    assert questions.answers("pointer")[0].tolist() == pytest.approx([0.3, 0.1, 0.6, 0.3])


# ---- number_swaps


NUMBERS = tuple(numbers.number_pairs(40, 5, (3, 4, 5), "de", "test"))


def compared(kind="general"):
    model = build(Design("numbers", kind)).eval()
    return swaps.Compared(model, swaps.twins(NUMBERS, 2))


def test_twins_differ_in_one_piece_of_either_language_and_these_are_linked():
    pairs = swaps.twins(NUMBERS, 2)
    assert len(pairs) > 2 * len(NUMBERS)
    for one, other, place, row in pairs:
        assert np.flatnonzero(numbers.gold_possible(one)[row]).tolist() == [place]
        for side, at in (("source_pieces", place), ("target_pieces", row)):
            pieces = zip(getattr(one, side), getattr(other, side), strict=True)
            assert [k for k, (a, b) in enumerate(pieces) if a != b] == [at]


def test_a_number_that_is_written_in_other_places_is_no_twin():
    twenty, twelve, thirty = (numbers.render(n, "de") for n in (123, 112, 133))
    assert swaps._differ_once(twenty, twelve) is None
    assert swaps._differ_once(twenty, thirty) == (twenty, thirty, 3, 4)


@pytest.mark.parametrize("kind", ["general", "bahdanau"])
@torch.no_grad()
def test_all_swapped_is_the_other_number_and_the_places_are_those_named(kind):
    both = compared(kind)
    own, others, everywhere = (both.where(name) for name in ("own", "others", "all"))
    assert torch.equal(own ^ others, everywhere)
    assert own.sum(dim=1).tolist() == [1] * len(own)
    theirs = both.write(both.start, both.memories[1])
    assert torch.equal(both.swapped("all"), theirs)
    rows = both.weights[torch.arange(len(own)), both.rows]
    heaviest = both.where("dark").float().argmax(dim=-1)
    assert torch.equal(rows[torch.arange(len(own)), heaviest], rows.max(dim=-1).values)


@torch.no_grad()
def test_before_swaps_nothing_where_the_digit_comes_first_and_its_state_where_it_does_not():
    both = compared("bahdanau")
    before, plain = both.swapped("before"), both.write(both.start)
    width = min(before.shape[1], plain.shape[1])
    first = both.rows == 0
    assert torch.equal(before[first, :width], plain[first, :width])
    everywhere = both.swapped("all")
    both.rows = torch.full_like(both.rows, 99)
    width = min(before.shape[1], everywhere.shape[1])
    assert torch.equal(both.swapped("before")[:, :width], everywhere[:, :width])


class Copied:
    """In place of `Compared`: it reads the rows of a list of maps, and copies what it reads."""

    def __init__(self, model, pairs):
        size = len(pairs)
        self.places, self.rows = (
            torch.tensor([getattr(pair, name) for pair in pairs]) for name in ("place", "row")
        )
        self.read = torch.ones(size, dtype=torch.bool)
        self.read[-1] = False
        self.twin = torch.ones(size, dtype=torch.long)
        self.weights = torch.full((size, 12, 12), 0.01)
        at = torch.arange(size)
        self.weights[at, self.rows, self.places] = 0.6
        wrong = at % 3 > 0  # two of three rows are dark one place late, half of these very dark
        late = (self.places + 1) % 12
        self.weights[at[wrong], self.rows[wrong], late[wrong]] = 0.7 + 0.2 * (at[wrong] % 3 == 2)
        self.followed = {"own": at % 3 < 2, "others": at % 3 > 0, "dark": at % 3 == 2}

    def swapped(self, swap):
        return self.followed.get(swap, torch.zeros_like(self.read)).long()

    def at_row(self, symbols):
        return symbols

    def chance(self, change):
        even = torch.full((1, 1, 4), 0.25)
        is_same = torch.equal(change(even, 0), even)
        return torch.full((len(self.rows),), 0.9 if is_same else 0.4)

    def text(self, symbols):
        return str(symbols.item())


def test_rows_are_counted_by_what_their_map_shows(monkeypatch):
    pairs = swaps.twins(NUMBERS, 2)
    monkeypatch.setattr(swaps, "Compared", Copied)
    result = swaps.asked(None, pairs)
    kinds = [result[kind]["count"] for kind in swaps.KINDS]
    at = np.arange(len(pairs) - 1)  # the last is not read
    assert kinds == [sum(at % 3 == 0), sum(at % 3 > 0), sum(at % 3 == 2)]
    assert (result["well read"]["own"], result["well read"]["others"]) == (1, 0)
    assert result["dark"]["table"] == [0, 1, 0, 0]
    assert result["dark"]["dark"] == 1
    share = sum(at % 3 == 1) / sum(at % 3 > 0)
    assert result["misread"]["table"] == pytest.approx([0, 1 - share, share, 0])
    assert result["misread"]["lost"] == pytest.approx([0.5, 0.5])
    assert result["read"] == pytest.approx(len(at) / len(pairs))
    assert result["example"] is None


def test_the_stored_example_is_misread_and_is_said_as_it_was_written():
    examples = [
        example for values in swaps.results("example").values() for example in values if example
    ]
    assert len(examples) > 5
    for example in examples:
        one, other = (numbers.render(example[name], "de") for name in ("number", "other"))
        assert example["place"] != np.argmax(example["weights"][example["row"]])
        assert (example["own"], example["dark"]) == (one.target, other.target)


# ---- traced_back


TWO = [numbers.render(number, "de") for number in (3_325, 4_127)]


def as_tensors(pairs):
    return as_numbers(pairs, numbers.number_vocabularies("de"))


@pytest.mark.parametrize("kind", ["general", "bahdanau"])
def test_gradient_times_input_is_the_slope_along_the_embedding(kind):
    """ln p with the embedding of one place scaled up a little, and down."""
    model = build(Design("numbers", kind)).eval().double()
    sources, lengths, targets = as_tensors(TWO[:1])
    slopes, weights = traced.saliency(model, sources, lengths, targets)
    torch.testing.assert_close(weights, model(sources, lengths, targets)[1])
    place, step, size = 2, 3, 1e-5

    def chance(factor):
        def scaled(module, inputs, output):
            output = output.clone()
            output[:, place] *= factor
            return output

        hook = model.encoder.embedding.register_forward_hook(scaled)
        logs = model(sources, lengths, targets)[0].log_softmax(dim=-1)
        hook.remove()
        return logs[0, step, targets[0, step]].item()

    slope = (chance(1 + size) - chance(1 - size)) / (2 * size)
    assert slopes[0, step, place].item() == pytest.approx(abs(slope), rel=1e-4)


def test_a_batch_is_traced_one_by_one():
    model = build(Design("numbers", "bahdanau")).eval()
    together = traced.saliency(model, *as_tensors(TWO))[0]
    alone = torch.cat([traced.saliency(model, *as_tensors([pair]))[0] for pair in TWO])
    torch.testing.assert_close(together, alone)


def test_a_rollout_sums_to_one_and_mixes_each_layer_with_the_identity():
    model = build_transformer("whole").eval()
    group = max(traced.by_length(date_pairs(20, seed=3)), key=len)
    texts = as_numbers(group, traced.vocabularies("heads"))
    table, plain = traced.rollout(model, *texts), model(*texts)[1]
    torch.testing.assert_close(table.sum(dim=-1), torch.ones_like(table[..., 0]))
    one, two = (layer.mean(dim=1) for layer in model.encoder.head_weights(*texts[:2]).inside)
    mixed = plain @ (two + torch.eye(two.shape[-1])) / 2
    torch.testing.assert_close(table, (mixed @ one + mixed) / 2)


def test_digits_are_told_apart_by_their_map(monkeypatch):
    """A map that is right for the first digit alone, and a gradient that is right for all."""

    def maps_of(model, sources, lengths, targets):
        gold = torch.stack([torch.tensor(numbers.gold_possible(pair)) for pair in TWO])
        gold = gold.double()
        wrong = gold.roll(1, dims=2)
        wrong[:, 0] = gold[:, 0]
        return gold, wrong

    monkeypatch.setattr(traced, "saliency", maps_of)
    result = traced.named_in_numbers(None, TWO)
    digits = sum(any(kind == "digit" for kind, _ in p) for one in TWO for p in one.target_parts)
    assert result == {"well read": 1.0, "misread": 1.0, "count": digits - len(TWO)}
