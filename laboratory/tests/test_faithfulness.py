"""The experiment `faithfulness`: each reader may see what its name says, and no more."""

import pytest
import torch

from attn_course.interventions import written
from attn_course.search import greedy
from attn_course.tasks.dates import TARGET_LENGTH, TARGET_PLACES, date_pairs
from attn_lab.faithful_maps import faithful_models as readers
from attn_lab.faithful_maps import faithfulness as grid
from attn_lab.reading_dates import learnt_models

PAIRS = date_pairs(40, seed=5, days="test")


def built(name):
    return readers.build(name).double().eval()


def of_one_length(name):
    return grid.tensors(max(grid.by_length(PAIRS, lambda pair: pair), key=len), name)


def test_a_marked_text_holds_its_characters_and_their_fields():
    characters, marked = learnt_models.vocabularies()[0], readers.marked_vocabulary()
    for pair in PAIRS:
        symbols = torch.tensor([marked.encode(readers.text(pair, "forbidden"))])
        plain, fields = readers.unmarked(symbols)
        assert plain[0].tolist() == characters.encode(pair.source)
        assert [readers.FIELDS[field] for field in fields[0]] == list(pair.fields)
    assert [part.tolist() for part in readers.unmarked(torch.tensor([0, 3]))] == [[0, 3], [0, 0]]


def test_the_encoder_does_not_see_the_marks():
    model, same = built("forbidden"), of_one_length("forbidden")
    plain, _ = readers.unmarked(same.sources)
    memory = model.read(same.sources, same.lengths)
    assert torch.equal(memory.annotations, model.read(plain, same.lengths).annotations)


def test_no_weight_lies_on_the_field_that_is_being_written_and_all_else_may_be_read():
    model, same = built("forbidden"), of_one_length("forbidden")
    targets = torch.randint(4, 14, (len(same.pairs), TARGET_LENGTH + 2))
    _, weights = model(same.sources, same.lengths, targets)
    for pair, table in zip(same.pairs, weights, strict=True):
        for step, row in enumerate(table):
            field = next((f for f, places in TARGET_PLACES.items() if step in places), None)
            assert [each == field for each in pair.fields] == (row == 0).tolist()


def test_what_is_padded_is_not_read_either():
    model, same = built("forbidden"), of_one_length("forbidden")
    wider = torch.nn.functional.pad(same.sources, (0, 3))
    before = written(model.decoder, model.read(same.sources, same.lengths), None, 5)
    assert torch.equal(before, written(model.decoder, model.read(wider, same.lengths), None, 5))
    allowed = model.read(wider, same.lengths).readable
    assert not allowed[..., -3:].any()


def test_step_by_step_it_writes_as_all_at_once():
    model, same = built("forbidden"), of_one_length("forbidden")
    symbols, weights, shares = greedy(model, same.sources, same.lengths, 7)
    logits, together = model(same.sources, same.lengths, symbols)
    real = symbols != 0
    torch.testing.assert_close(weights[real], together[real])
    torch.testing.assert_close(shares[real], logits.softmax(dim=-1).amax(dim=-1)[real])


@pytest.mark.parametrize("name", ["blind start", "single characters"])
def test_a_blind_start_knows_nothing(name):
    model, same = built(name), of_one_length(name)
    states = model.decoder.first_state(model.read(same.sources, same.lengths))
    assert (states == states[0]).all()


def test_twins_differ_in_one_field_and_in_nothing_else():
    found = readers.twins(PAIRS, 1)
    assert {pair.field for pair in found} == set(TARGET_PLACES)
    for one, other, field in found:
        assert one.fields == other.fields
        for here, there, own in zip(one.source, other.source, one.fields, strict=True):
            assert here == there or own == field
        other_places = [i for f, places in TARGET_PLACES.items() if f != field for i in places]
        assert one.target != other.target
        assert [one.target[i] for i in other_places] == [other.target[i] for i in other_places]


def test_swapping_is_counted_by_whose_field_is_written(monkeypatch):
    pairs = readers.twins(PAIRS, 1)
    said = iter(("one", "other", "other", "one"))  # both plain; own field swapped; all others

    def copies(model, memory, start, name):
        which = next(said)
        return [getattr(pair, which).target for pair in group]

    monkeypatch.setattr(grid, "targets", copies)
    group = max(grid.by_length(pairs, lambda pair: pair.one), key=len)
    shares = grid.swap(built("attending"), "attending", group)
    for field in {pair.field for pair in group}:
        count = sum(pair.field == field for pair in group)
        assert shares["own field"][field] == [1.0, 0.0, count]
        assert shares["all others"][field] == [0.0, 1.0, count]


def test_the_top_place_is_hidden_or_any_other():
    weights = torch.rand(3, 5, 7).softmax(dim=-1)
    top = grid._top(weights)
    assert (top.sum(dim=-1) == 1).all()
    assert torch.equal(top.float().argmax(dim=-1), weights.argmax(dim=-1))
    drawn = [grid._another(weights, torch.Generator().manual_seed(seed)) for seed in range(40)]
    for each in drawn:
        assert (each.sum(dim=-1) == 1).all()
        assert not (each & top).any()
    assert (torch.stack(drawn).any(dim=0) | top).float().mean() > 0.95
