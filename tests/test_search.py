"""Greedy search, compared with a model whose answers are known."""

import math

import pytest
import torch

from attn_course.models.translator import bahdanau
from attn_course.search import answer, beam, greedy
from attn_course.tasks.corpus import pad
from attn_course.tasks.vocabulary import END, PADDING, START, Vocabulary

LETTERS = Vocabulary("abcdefghi")
TEXTS = ["abc", "i", "hgfedcba", "bb", "idea"]


@pytest.fixture
def model():
    model = bahdanau(len(LETTERS), len(LETTERS), embedding_size=5, encoder_size=7, state_size=11)
    for part in model.parameters():  # far from even, so that argmax has no ties
        torch.nn.init.normal_(part, std=0.7)
    return model.eval()


def step_by_step(model, text, longest):
    """The answer to one text, recomputed from the start at each step: no state is carried."""
    source = torch.tensor([LETTERS.encode(text)])
    length = torch.tensor([source.shape[1]])
    chosen, probabilities = [], []
    while len(chosen) < longest and END not in chosen:
        logits, _ = model(source, length, torch.tensor([[*chosen, START]]))
        likely = logits[0, -1].softmax(-1).max(-1)
        chosen.append(likely.indices.item())
        probabilities.append(likely.values.item())
    return chosen, probabilities


def test_equals_the_whole_model_run_again_for_each_symbol(model):
    for text in TEXTS:
        source = torch.tensor([LETTERS.encode(text)])
        symbols, weights, probabilities = greedy(model, source, torch.tensor([len(text)]), 9)
        chosen, expected = step_by_step(model, text, 9)
        assert symbols[0].tolist() == chosen
        torch.testing.assert_close(probabilities[0], torch.tensor(expected))
        torch.testing.assert_close(weights.sum(-1), torch.ones(1, len(chosen)))


def test_answers_come_in_order_and_do_not_depend_on_the_batch(model):
    together = answer(model, TEXTS, LETTERS, LETTERS, batch_size=3, longest=9)
    for text, result in zip(TEXTS, together, strict=True):
        [alone] = answer(model, [text], LETTERS, LETTERS, longest=9)
        assert alone.text == result.text
        assert result.weights.shape == (len(result.text), len(text))
        assert result.probabilities.shape == (len(result.text),)
        torch.testing.assert_close(
            torch.tensor(alone.weights), torch.tensor(result.weights), atol=1e-5, rtol=1e-5
        )


def test_the_best_of_a_beam_has_its_own_probabilities_and_weights(model):
    results = answer(model, TEXTS, LETTERS, LETTERS, batch_size=3, longest=9, beams=4)
    differ = 0
    for text, result in zip(TEXTS, results, strict=True):
        source, length = torch.tensor([LETTERS.encode(text)]), torch.tensor([len(text)])
        [[best, *_]] = beam(model, source, length, 4, 9)
        assert result.text == LETTERS.decode(best.symbols)
        places = [k for k, symbol in enumerate(best.symbols) if symbol not in (PADDING, START)]
        assert result.weights == pytest.approx(best.weights[places], abs=1e-5)
        last, _ = model(source, length, torch.tensor([[*best.symbols, END]]))
        ended = last[0, -1].softmax(-1)[END].item()
        chance = result.probabilities.prod() * (ended if len(best.symbols) < 9 else 1)
        assert chance == pytest.approx(math.exp(best.log_probability), rel=1e-4)
        [greedy_one] = answer(model, [text], LETTERS, LETTERS, longest=9)
        differ += greedy_one.text != result.text
    assert differ


def test_gradients_can_use_what_was_found(model):
    """Though not what is made in inference mode, in which a search runs."""
    source, length = torch.tensor([LETTERS.encode("abc")]), torch.tensor([3])
    symbols, weights, probabilities = greedy(model, source, length, 9)
    assert not any(part.requires_grad for part in (symbols, weights, probabilities))
    scale = torch.ones(3, requires_grad=True)
    (scale * weights).sum().backward()
    assert scale.grad.sum().item() == pytest.approx(weights.sum().item())
    (scale[:1] * probabilities).sum().backward()
    beam(model, source, length, 3, 9)
    logits, _ = model(source, length, symbols)
    logits.logsumexp(dim=-1).sum().backward()
    assert all(part.grad is not None for part in model.parameters())


def test_nothing_comes_after_the_end(model):
    with torch.no_grad():
        model.decoder.readout.bias[END] += 3
    lengths = torch.tensor([*map(len, TEXTS)])
    symbols, _, _ = greedy(model, pad([*map(LETTERS.encode, TEXTS)]), lengths, 9)
    ended = (symbols == END).cumsum(1).cumsum(1) > 1
    assert ended.any()
    assert (symbols[ended] == PADDING).all()


def test_texts_of_like_length_are_read_together(model):
    widths = []
    model.encoder.register_forward_pre_hook(lambda _, inputs: widths.append(inputs[0].shape[1]))
    answer(model, TEXTS, LETTERS, LETTERS, batch_size=2, longest=3)
    lengths = sorted(map(len, TEXTS))
    assert widths == [lengths[1], lengths[3], lengths[4]]


def test_an_answer_without_an_end_is_as_long_as_it_may_be(model):
    with torch.no_grad():
        model.decoder.readout.bias[[PADDING, START, END]] = -1000.0
    for options, longest in (({}, 32), ({"longest": 7}, 7), ({"longest": 1}, 1)):
        for result in answer(model, TEXTS, LETTERS, LETTERS, **options):
            assert len(result.text) == len(result.weights) == len(result.probabilities) == longest
    symbols, _, _ = greedy(model, torch.tensor([[4, 5]]), torch.tensor([2]))
    assert symbols.shape == (1, 32)


def test_no_texts_have_no_answers(model):
    assert answer(model, [], LETTERS, LETTERS) == []


def test_an_empty_text_is_named(model):
    with pytest.raises(ValueError, match="text 1 is empty"):
        answer(model, ["a", ""], LETTERS, LETTERS)


@pytest.mark.parametrize("part", ["decoder", "read"])
def test_a_module_without_a_part_that_a_search_calls_is_refused(model, part):
    arguments = torch.tensor([[4, 5]]), torch.tensor([2])
    module = torch.nn.Module()
    for name in {"decoder", "read"} - {part}:
        setattr(module, name, getattr(model, name))
    with pytest.raises(TypeError, match=r"^model must be of the type Model; got Module$"):
        greedy(module, *arguments)
    setattr(module, part, getattr(model, part))
    greedy(module, *arguments)


def test_rows_of_weights_belong_to_the_symbols_that_were_written(model, monkeypatch):
    """START and padding may be written too; they are not symbols of the text."""
    written = torch.tensor([[1, 4, 0, 5, 1, 6, 2, 0]])  # start a padding b start c end
    weights = torch.arange(8.0)[None, :, None].expand(1, 8, 3)
    monkeypatch.setattr(
        "attn_course.search.greedy", lambda *_: (written, weights, torch.arange(8.0)[None])
    )
    [result] = answer(model, ["xyz"], LETTERS, LETTERS)
    assert result.text == "abc"
    assert result.weights[:, 0].tolist() == result.probabilities.tolist() == [1, 3, 5]


def test_symbols_of_any_whole_type_are_read(model):
    sources, lengths = torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2])
    expected = greedy(model, sources, lengths, 5)
    result = greedy(model, sources.to(torch.int8), lengths.to(torch.int16), 5)
    assert all(torch.equal(*parts) for parts in zip(result, expected, strict=True))
