"""The report card: what it is made of, and the four questions on models whose answer is known."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from capstone_corpora import ALONE, pairs, written

from attn_course.interventions import symbol_probabilities
from attn_course.measures import share
from attn_course.tasks.vocabulary import Vocabulary
from attn_own import card, designs, findings, questions
from attn_own.command import main
from attn_own.drawings import curves, smoothed
from attn_own.findings import Alignment, by_group, by_length, find
from attn_own.lines import Reading
from attn_own.sentences import interval
from attn_own.verdicts import doubts, of_questions, of_sample, of_training

pytestmark = pytest.mark.slow

MODELS = tuple(designs.MODELS)
LISTED = [SimpleNamespace(source=source, target=target) for source, target in pairs(37)]
VOCABULARIES = [Vocabulary.from_texts(side) for side in zip(*pairs(37), strict=True)]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder for each model, with groups and links."""
    rows = [
        (source, target, f"of {len(source)}", " ".join(f"{j}-{j}" for j in range(len(source))))
        for source, target in pairs()
    ]
    path = written(tmp_path_factory.mktemp("corpus") / "w<b>.tsv", rows)
    small = [*ALONE, "--size", "8", "--epochs", "3", "--batch", "16"]
    for model in MODELS:
        assert main(["train", str(path), "--model", model, *small]) == 0
    return {model: path.with_name(f"w<b>-{model}") for model in MODELS}


# ---- the four questions


def built(model, scale=3.0):
    torch.manual_seed(3)
    network = designs.build(model, 8, *map(len, VOCABULARIES))
    with torch.no_grad():
        for part in network.parameters():
            part *= scale if part.dim() > 1 else 1
    return network.eval()


def batch_of(count=11):
    return next(iter(questions._batches(LISTED[:count], *VOCABULARIES)))


@pytest.mark.parametrize("model", MODELS)
def test_a_walk_with_everything_in_place_gives_the_models_own_probabilities(model):
    network, batch = built(model), batch_of()
    walk = questions.walked(network, batch, torch.Generator())
    expected = symbol_probabilities(network, batch.sources, batch.lengths, batch.targets)
    torch.testing.assert_close(walk.whole, expected, atol=1e-5, rtol=1e-4)
    weights = network(batch.sources, batch.lengths, batch.targets)[1]
    torch.testing.assert_close(walk.weights, weights.expand_as(walk.weights), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_nothing_hidden_changes_nothing_and_everything_hidden_leaves_no_context(model):
    network, batch = built(model), batch_of()
    memory = network.read(batch.sources, batch.lengths)
    state = network.decoder.first_state(memory)
    embedded = network.decoder.embedding(torch.ones_like(batch.lengths))
    shape = len(batch.sources), 1, batch.sources.shape[1]
    usual = network.decoder.step(state, embedded, memory)
    with questions.hiding(network.decoder, torch.zeros(shape, dtype=torch.bool)):
        same = network.decoder.step(state, embedded, memory)
    torch.testing.assert_close(same.context, usual.context)
    with questions.hiding(network.decoder, torch.ones(shape, dtype=torch.bool)):
        blind = network.decoder.step(state, embedded, memory)
    assert blind.weights.abs().max() == 0
    if model != "transformer":
        assert blind.context.abs().max() == 0
    # the annotations, too, can then be anything; they are not looked at
    other = network.read(batch.sources.flip(0), batch.lengths.flip(0))
    with questions.hiding(network.decoder, torch.ones(shape, dtype=torch.bool)):
        again = network.decoder.step(state, embedded, other)
    torch.testing.assert_close(again.context, blind.context)
    torch.testing.assert_close(network.decoder.step(state, embedded, memory).context, usual.context)


@pytest.mark.parametrize("model", MODELS)
def test_hidden_places_do_not_count(model):
    network = built(model)
    source = torch.tensor([[4, 5, 6, 7]])
    memory = network.read(source, torch.tensor([4]))
    state = network.decoder.first_state(memory)
    embedded = network.decoder.embedding(torch.tensor([1]))
    places = torch.tensor([[False, True, False, True]])
    if model == "fixed_context":
        places = torch.tensor([[True, True, True, False]])
    moved = replace(memory, readable=~places.unsqueeze(1))
    step = questions._without(network.decoder, places, state, embedded, memory)
    if model == "fixed_context":
        moved = memory
    expected = network.decoder.step(state, embedded, moved)
    torch.testing.assert_close(step.context, expected.context, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_that_ignores_the_source_needs_no_look(model):
    network = built(model)
    with torch.no_grad():  # certain of one symbol, whatever it reads
        network.decoder.readout.weight.zero_()
        network.decoder.readout.bias.zero_()[7] = 9.0
    answers = questions.ask(network, LISTED, *VOCABULARIES, longest=5)
    assert answers.needs_look.mean == answers.darkest.mean == answers.other.mean == 0
    assert answers.earlier.mean == 0
    assert answers.swaps == 0
    assert answers.own is None


def test_a_model_that_sees_single_symbols_follows_the_changed_one():
    network = built("bahdanau", scale=4.0)
    recurrent = network.encoder.rnn
    with torch.no_grad():  # annotations know no neighbours, and the first state knows nothing
        for name, part in recurrent.named_parameters():
            if "hh" in name:
                part.zero_()
            elif "weight" in name:  # the gate that lets the state before through is shut
                part[recurrent.hidden_size : 2 * recurrent.hidden_size] = 0
            else:
                part[recurrent.hidden_size : 2 * recurrent.hidden_size] = -60
        network.decoder.start.weight.zero_()
    answers = questions.ask(network, LISTED, *VOCABULARIES, longest=9)
    assert answers.swaps > 0
    assert answers.own.mean == 1
    assert answers.others.mean < 1
    assert answers.first_state.mean == 0


def test_a_fixed_context_is_its_last_state():
    network = built("fixed_context", scale=4.0)
    answers = questions.ask(network, LISTED, *VOCABULARIES, longest=9)
    assert answers.swaps > 0
    assert answers.others.mean > answers.own.mean


def test_a_sorted_file_with_repeats_is_sampled_at_random_and_each_source_once(
    trained, tmp_path, monkeypatch
):
    once = sorted(pairs(90))
    path = written(tmp_path / "t.tsv", [row for row in once for _ in range(3)])
    results = find(trained["bahdanau"], path)
    assert results.questions.pairs == 90
    alone = find(trained["bahdanau"], written(tmp_path / "once.tsv", once)).questions
    assert results.questions.steps == alone.steps
    assert "about 90 of the 270 test pairs, one for each source." in card.card(results)
    monkeypatch.setattr(findings, "MOST_TRIED", 20)
    sample = []
    monkeypatch.setattr(questions, "ask", lambda _, pairs, *__, **___: sample.extend(pairs))
    results = find(trained["bahdanau"], path)
    assert len({pair.source for pair in sample}) == len(sample) == 20
    # what stands first on the card is no more from the beginning of the file than the rest
    texts = [card.own_reader(results).text, *card.own_reader(results).samples]
    assert len(texts) == card._SAMPLES + 1
    for sources in ([pair.source for pair in sample], texts, [p.source for p in results.pairs[:9]]):
        places = [[row[0] for row in once].index(source) for source in sources]
        assert max(places) > 45
    sentence = of_sample(results._replace(questions=alone._replace(pairs=20)))
    assert sentence.endswith("20 of the 270 test pairs, one for each source, drawn at random.")
    assert of_sample(results._replace(questions=alone._replace(pairs=270))) == ""


# ---- its numbers


def test_classes_of_length_hold_every_pair_once():
    rng = np.random.default_rng(0)
    lengths, right = rng.integers(3, 29, 211), rng.random(211) < 0.4
    rows = by_length(lengths, right, [str(at) for at in range(211)])
    assert sum(row.count for row in rows) == 211
    for row in rows:
        least, most = int(row.name.split()[0]), int(row.name.split()[-1])
        inside = (lengths >= least) & (lengths <= most)
        assert row.count == inside.sum()
        assert row.right == share(int(right[inside].sum()), row.count)


def test_each_group_has_a_row_and_none_is_invented():
    assert by_group(["", ""], np.array([True, False]), "ab") == []
    rows = by_group(["a", "b", "a", ""], np.array([True, False, False, True]), "wxyz")
    assert [(row.name, row.count, row.right.mean) for row in rows] == [
        ("a", 2, 0.5),
        ("b", 1, 0.0),
        ("without a group", 1, 1.0),
    ]


def test_groups_beyond_the_thirtieth_share_a_row():
    groups = [f"g{number:02}" for number in range(41) for _ in range(41 - number)]
    right = np.arange(len(groups)) % 3 == 0
    rows = by_group(groups, right, list(map(str, range(len(groups)))))
    assert [row.name for row in rows[29:]] == ["g29", "11 smaller groups"]
    assert sum(row.count for row in rows) == len(groups)
    assert sum(row.count * row.right.mean for row in rows) == pytest.approx(right.sum())


def test_pairs_of_one_source_make_no_interval_narrower():
    right = np.arange(90) % 3 == 0
    alone = by_length([4] * 90, right, list(map(str, range(90))))
    twice = by_length([4] * 180, np.repeat(right, 2), [str(at // 2) for at in range(180)])
    assert twice[0].right == pytest.approx(alone[0].right)
    assert twice[0].count == 180


def history(*losses):
    """The course of a training with these losses on the validation pairs."""
    return {
        "checked_at": [10 * (at + 1) for at in range(len(losses))],
        "validation_losses": list(losses),
        "scores": [0.5] * len(losses),
    }


def test_a_training_falls_until_its_lowest_loss_is_not_the_last():
    assert "still falling at the end: a longer training" in of_training(history(2, 1, 0.5, 0.49))
    for rest in ((0.5, 0.5), (0.5, 0.52), (0.4, 0.5)):
        sentence = of_training(history(2, 1, *rest))
        assert "was lowest at step 30. The model is kept as it was at step 30," in sentence
        assert "still falling" not in sentence
    assert "too seldom" in of_training(history(2, 1, 0.5))
    assert "too seldom" in of_training(history())


def test_mistakes_name_what_cannot_be_seen():
    assert card._readable(("a", " "), "") == "a␣"
    assert card._readable(("\u00a0",), "") == "\u00a0 with no-break space (U+00A0)"


def test_the_most_of_none_is_none():
    none = history(2, 1, 0.5, 0.5, 0.6) | {"scores": [0.0] * 5}
    assert "none of them was right" in of_training(none)
    assert "the most of them" not in of_training(none)


def test_the_card_reports_a_test_that_was_in_training(trained, tmp_path):
    rows = pairs()
    results = find(trained["luong"], written(tmp_path / "t.tsv", rows))
    text = card.card(results)
    assert "This is a leak" in text
    assert "The test pairs were used for nothing else" not in text
    assert f"{results.limits.shared} of the {len(rows)} test pairs" in text
    assert "The test pairs were used for nothing else" in card.card(find(trained["luong"]))
    split = card.PARTS.split
    assert "no source is in two parts" in split([], "source")
    assert split(["validation", "test"], "group") == "validation and test from files of their own"
    assert split(["test"], "group").startswith("test from files of their own; the rest by")


def test_a_long_curve_is_drawn_by_its_means():
    values = np.arange(1000.0)
    xs, ys = smoothed(values, 10)
    assert ys == pytest.approx([49.5 + 100 * part for part in range(10)])
    assert xs == pytest.approx([50 + 100 * part for part in range(10)])
    assert 'aria-label="loss: training 950 at step 1,000"' in curves(
        {"training": (xs, ys)}, name="loss", unit="", most=999, last=1000
    )


def heights(drawing, *names):
    return [float(re.search(rf'y="([\d.-]+)"[^>]*>{name}<', drawing)[1]) for name in names]


def test_two_curves_carry_their_names_which_do_not_overlap():
    for ends in [(0.5, 0.5), (0.5, 0.51), (0.0, 0.02), (0.98, 1.0), (0.1, 0.9), (0.9, 0.1)]:
        lines = {name: ([0, 7], [1, end]) for name, end in zip("ab", ends, strict=True)}
        drawing = curves(lines, name="loss", unit="", most=1, last=7)
        assert drawing.count("<polyline") == 2
        assert f"loss: a {ends[0]:.3g}, b {ends[1]:.3g} at step 7" in drawing
        first, second = heights(drawing, "a", "b")
        assert abs(first - second) >= 28
        if ends[0] != ends[1]:  # the upper curve has the upper name
            assert (first < second) == (ends[0] > ends[1])
        assert min(first, second) > 0


def test_a_curve_needs_as_many_values_as_steps():
    with pytest.raises(ValueError, match="got 2 and 3 in 'right'"):
        curves({"right": ([1, 2], [1, 2, 3])}, name="share", unit=" %", most=1, last=2)


def test_a_loss_that_rises_again_is_reported():
    sentence = of_training(history(2.0, 0.5, 0.6, 0.75))
    assert "lowest at step 20" in sentence
    assert "At the end, it was 50% higher, which may be a sign of overfitting" in sentence
    for slight in ((2.0, 0.5, 0.5, 0.52), (0.5, 0.0, 0.0, 0.1)):  # nor a share of nothing
        assert "overfitting" not in of_training(history(*slight))


def test_the_card_draws_the_loss_on_validation_beside_that_of_training(trained):
    results = find(trained["bahdanau"])
    history = results.trained.history
    assert len(history["validation_losses"]) == len(history["checked_at"]) > 3
    drawn = card._curves(results)
    assert "validation</text>" in drawn
    final = history["validation_losses"][-1]
    assert f"validation {final:.3g} at step {len(history['losses'])}" in drawn
    history["validation_losses"] = []  # a training too short to be validated
    assert "validation</text>" not in card._curves(results)


def test_an_interval_that_reaches_nearly_to_nothing_does_not_say_never():
    rows = [findings.Row("a", 900, share(1, 900))]
    assert "under 1% (under 1% to 1%)" in card.PARTS.shares("Length", rows)
    assert interval(share(899, 900)) == "over 99% (99% to over 99%)"
    assert interval(share(0, 900)) == "0% (0% to under 1%)"


# ---- the file


@pytest.mark.parametrize("model", MODELS)
def test_the_card_is_one_file_that_asks_nobody(trained, model, say):
    say("report", trained[model])
    text = (trained[model] / "report.html").read_text("utf-8")
    assert "default-src 'none'" in text
    outside = re.sub(r"http://www\.w3\.org/2000/svg", "", text)
    assert not re.search(r"https?://|<link rel=.stylesheet|\bimport\s*\(|^import ", outside, re.M)
    assert text.count("</script>") == 3  # the theme, the models and the program
    assert f"Report card: {model} on w&lt;b&gt;.tsv" in text
    results = find(trained[model])
    assert f"<b>{results.overall.mean:.1%}</b> of {len(results.pairs)} test pairs" in text
    assert "<b>.tsv" not in text.replace("w&lt;b&gt;.tsv", "")
    assert len(results.by_group) >= 2


def test_heads_stand_as_their_cells_and_options_are_code(trained):
    text = card.card(find(trained["luong"]))
    for head in ("Pairs", "Right", "Times"):
        assert f'<th scope="col" class="attn-card-number">{head}</th>' in text
    assert '<th scope="col">Kind</th>' in text
    assert "(<code>--seed 1</code>, <code>--seed 2</code>)" in text
    assert "(<code>--rate search</code>)" in text


def test_every_wrong_answer_can_be_read_in_the_card(trained):
    results = find(trained["bahdanau"])
    wrong = [pair for pair, well in zip(results.pairs, results.right, strict=True) if not well]
    text = card.card(results)
    assert len(wrong) > 6
    assert f"<summary>{len(wrong) - 6} more wrong answer" in text
    for pair in wrong:
        assert f"<li><bdi>{pair.source}</bdi> → " in text


def test_no_map_is_defended_where_there_is_none(trained):
    for model in MODELS:
        results = find(trained[model])
        results = results._replace(questions=results.questions._replace(steps=7))
        text = " ".join([*(answer for _, answer in of_questions(results)), *doubts(results)])
        assert ("reads the last place at every step" in text) == (model == "fixed_context")
        if model == "fixed_context":
            assert "the dark places" not in text
            assert "places together" not in text
            assert "The map:" not in text


def test_the_card_does_not_mention_zero_steps(trained):
    results = find(trained["luong"])
    results = results._replace(questions=results.questions._replace(steps=0))
    ((question, _),) = of_questions(results)
    assert question == "There was nothing to ask"
    assert "the 0 steps" not in card.card(results)


def test_gold_links_are_counted_where_answers_are_right(trained, monkeypatch):
    from attn_course.search import Answer

    listed = findings.load_test(trained["bahdanau"], Reading())
    answers = [
        Answer(pair.target, np.eye(len(pair.target)), np.ones(len(pair.target))) for pair in listed
    ]
    right = np.ones(len(listed), dtype=bool)
    alignment = findings._alignment(listed, answers, right)
    assert (alignment.pairs, alignment.error, alignment.diagonal) == (len(listed), 0.0, 0.0)
    turned = [Answer(text, np.roll(weights, 1, axis=1), p) for text, weights, p in answers]
    assert findings._alignment(listed, turned, right).error == 1.0
    assert findings._alignment(listed, answers, ~right) is None


def test_the_alignment_error_is_a_percentage_as_in_the_book():
    reader = SimpleNamespace(choices={"model": "bahdanau"})
    results = SimpleNamespace(trained=reader, alignment=Alignment(12, 0.0514, 0.3))
    text = card.PARTS.alignment(results)
    assert "the alignment error is 5.1%" in text
    assert "an error of 30.0%" in text


def test_the_reader_in_the_card_has_the_models_own_numbers(trained):
    from attn_course.packing import unpack

    results = find(trained["luong"])
    widget = card.own_reader(results)
    back = unpack(widget.weights, widget.layout_of_weights)
    for name, part in results.trained.model.state_dict().items():
        np.testing.assert_array_equal(back[name], part.cpu().numpy())
