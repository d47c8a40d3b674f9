"""What every model of the course must do, whatever its decoder."""

from functools import partial

import pytest
import torch

from attn_course.alignment import SCORES, AdditiveScore, GeneralScore
from attn_course.models.decoder import Memory, Sizes
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import LocalDecoder
from attn_course.models.luong import LuongDecoder
from attn_course.models.one_sequence import EmbeddedSource, OneSequenceDecoder
from attn_course.models.transformer import TransformerDecoder, TransformerEncoder
from attn_course.models.transformer_blocks import POSITIONS, Design
from attn_course.models.translator import (
    Translator,
    bahdanau,
    fixed_context,
    luong,
    one_sequence,
    transformer,
)
from attn_course.search import beam, greedy
from attn_course.symbols import END

SYMBOLS, SOURCE, TARGET, STATE = 11, 7, 5, 13
RECURRENT = {
    "bahdanau": partial(bahdanau, encoder_size=3),
    "luong": partial(luong, encoder_size=3),
    "luong, one direction": partial(luong, encoder_size=6, directions=1),
    "local-m": partial(luong, encoder_size=3, attention="local-m"),
    "local-p": partial(luong, encoder_size=3, attention="local-p"),
    "input feeding": partial(luong, encoder_size=3, input_feeding=True),
    "local-p, input feeding": partial(
        luong, encoder_size=3, attention="local-p", input_feeding=True
    ),
    "fixed context": fixed_context,
    "fixed context at the start": partial(fixed_context, every_step=False),
}
TINY = {"size": 6, "heads": 3, "hidden_size": 5}
MODELS = {
    **{
        name: partial(build, embedding_size=2, state_size=STATE)
        for name, build in RECURRENT.items()
    },
    **{
        f"transformer, {positions}": partial(transformer, **TINY, positions=positions)
        for positions in POSITIONS
    },
    "one sequence": partial(one_sequence, **TINY),
    "one sequence, prefix": partial(one_sequence, **TINY, prefix=True),
    "one sequence, one layer": partial(one_sequence, **TINY, layers=1),
}


@pytest.fixture(params=MODELS)
def model(request):
    torch.manual_seed(0)
    return MODELS[request.param](SYMBOLS, SYMBOLS)


def batch(*lengths):
    """Sources as wide as the longest one of another batch, and targets."""
    count = len(lengths)
    sources = torch.randint(4, SYMBOLS, (count, SOURCE))
    return sources, torch.tensor(lengths), torch.randint(4, SYMBOLS, (count, TARGET))


def test_a_source_gets_alone_what_it_gets_in_a_batch(model):
    sources, lengths, targets = batch(SOURCE - 1, 2, 5)
    together, weights = model(sources, lengths, targets)
    for row, length in enumerate(lengths):
        alone = model(sources[row, None, :length], length[None], targets[row, None])
        expected = together[row, None], weights[row, None, :, :length]
        torch.testing.assert_close(alone, expected, atol=1e-5, rtol=1e-5)
        assert not weights[row, :, length:].any()


def test_a_target_step_is_told_the_symbols_before_it_and_no_other(model):
    sources, lengths, targets = batch(SOURCE)
    before, _ = model(sources, lengths, targets)
    for place in range(TARGET):
        changed = targets.clone()
        changed[0, place] = 4 + (changed[0, place] - 3) % (SYMBOLS - 4)
        moved = (model(sources, lengths, changed)[0] - before).abs().amax(dim=(0, 2)) > 1e-7
        assert moved.tolist() == [step > place for step in range(TARGET)]


def test_a_greedy_search_is_a_beam_of_one_and_reads_no_padding(model):
    model, bias = model.double(), model.decoder.readout.bias.data
    bias[:2] = -100.0  # neither padding nor start
    bias[END] += 1.0  # some of the targets end
    inputs = *batch(SOURCE, 4, 1)[:2], 6
    symbols, weights, probabilities = greedy(model, *inputs)
    assert weights.shape == (*symbols.shape, SOURCE)
    for row, [best] in enumerate(beam(model, *inputs[:2], beams=1, longest=6)):
        written = [symbol for symbol in symbols[row].tolist() if symbol > END]
        steps = len(written) + (END in symbols[row].tolist())
        assert best.symbols == written
        assert best.log_probability == pytest.approx(probabilities[row, :steps].log().sum().item())
        assert best.weights == pytest.approx(weights[row, : len(written), : inputs[1][row]].numpy())


@pytest.mark.parametrize(("build", "usual"), [(bahdanau, AdditiveScore), (luong, GeneralScore)])
def test_sizes_are_as_asked_and_defaults_as_documented(build, usual):
    options = {"embedding_size": 2, "encoder_size": 3, "state_size": STATE, "hidden_size": 5}
    shapes = sizes(build(SYMBOLS, 17, **options, score="additive", cell="lstm"))
    assert shapes["encoder.embedding.weight"] == (SYMBOLS, 2)
    assert shapes["encoder.rnn.weight_hh_l0_reverse"] == (4 * 3, 3)
    assert shapes["decoder.score.query_projection.weight"] == (5, STATE)
    assert shapes["decoder.score.key_projection.weight"] == (5, 6)
    assert shapes["decoder.start.weight"] == (STATE, 3)
    assert shapes["decoder.readout.weight"][0] == shapes["decoder.embedding.weight"][0] == 17
    bare = build(SYMBOLS, 17)
    assert type(bare.encoder.rnn) is torch.nn.GRU
    assert type(bare.decoder.score) is usual
    for directions, model in ((2, bare), (1, build(SYMBOLS, 17, directions=1))):
        assert model.encoder.rnn.bidirectional == (directions == 2)
        assert model.decoder.directions == directions


def test_other_options_are_handed_to_the_part_they_belong_to():
    located = luong(SYMBOLS, SYMBOLS, "location", max_source=19, asks_with="before").decoder
    assert any(19 in shape for shape in sizes(located.score).values())
    assert located.asks_with == "before"
    fixed = fixed_context(SYMBOLS, SYMBOLS, cell="lstm", every_step=False)
    assert type(fixed.encoder.rnn) is torch.nn.LSTM
    assert not fixed.decoder.every_step


def sizes(module):
    return {name: tuple(part.shape) for name, part in module.state_dict().items()}


@pytest.mark.parametrize("score", SCORES)
def test_by_default_the_models_have_one_size_so_that_they_can_be_compared(score):
    first, later = (build(SYMBOLS, 17, score=score) for build in (bahdanau, luong))
    assert sizes(first.encoder) == sizes(later.encoder)
    assert sizes(first.decoder.score) == sizes(later.decoder.score)
    assert sizes(first.decoder.start) == sizes(later.decoder.start)
    assert sizes(first.decoder.embedding) == sizes(later.decoder.embedding)


def test_a_step_keeps_its_axes_where_a_batch_or_a_source_is_one(model, request):
    for batch, source in ((1, SOURCE), (2, 1), (1, 1)):
        sources = torch.randint(4, SYMBOLS, (batch, source))
        memory = model.read(sources, torch.full((batch,), source))
        previous = model.decoder.embedding(torch.full((batch,), 4))
        step = model.decoder.step(model.decoder.first_state(memory), previous, memory)
        if request.node.callspec.params["model"] in RECURRENT:
            assert getattr(step.state, "state", step.state).shape == (batch, STATE)
        assert step.context.shape == (batch, memory.annotations.shape[-1])
        assert step.weights.shape == (batch, source)


def test_a_decoder_names_inputs_that_do_not_fit(model, shapes_unchecked):
    sources, lengths, inputs = batch(SOURCE, 3)
    memory = model.read(sources, lengths)
    for wrong, words in [
        (inputs[[0, 1, 0]], r"the annotations' batch size, 2; got int64 \(3, 5\)"),
        (inputs[:1], r"the annotations' batch size, 2; got int64 \(1, 5\)"),
        (inputs[:, :0], r"at least 1 symbol per target; got int64 \(2, 0\)"),
        (inputs[0], r"\(batch target\); got int64 \(5,\)"),
        (0 * inputs + SYMBOLS, "from 0 to 10; got 11 to 11"),
    ]:
        with pytest.raises(ValueError, match=f"inputs must.*{words}"):
            model.decoder(memory, wrong)
    with pytest.raises(TypeError, match="memory"):
        model.decoder(memory.annotations, inputs)
    with pytest.raises(ValueError, match=r"targets must be of shape \(batch target\)"):
        model(sources, lengths, inputs[0])


@pytest.mark.parametrize("model", [name for name in MODELS if name not in RECURRENT], indirect=True)
def test_annotations_and_sources_that_do_not_fit_are_named(model, shapes_unchecked):
    size = model.encoder.annotation_size
    for wrong, words in [
        (torch.randn(2, SOURCE, size + 1), r"annotations must be .*annotation=6\); got"),
        (torch.randn(SOURCE, size), r"annotations must be .*\(batch source annotation=6\)"),
        (torch.randn(2, 0, size), r"annotations is empty: expected \(batch source annotation"),
    ]:
        with pytest.raises(ValueError, match=words):
            model.decoder.read(wrong)
    for symbols, length, words in (([[4, SYMBOLS]], 2, "source symbols"), ([[4, 5]], 3, "lengths")):
        with pytest.raises(ValueError, match=words):
            model.read(torch.tensor(symbols), torch.tensor([length]))


def test_gradients_reach_every_parameter(model, request):
    model(*batch(SOURCE, SOURCE))[0].logsumexp(-1).sum().backward()
    recurrent = request.node.callspec.params["model"] in RECURRENT
    for part, parameter in model.named_parameters():
        if recurrent or not part.endswith("key_projection.bias"):  # it changes no weight
            assert parameter.grad is not None, part
            assert parameter.grad.abs().sum() > 0, part


# ---- what the functions combine


LEAST = [
    ({}, LuongDecoder),
    ({"attention": "global"}, LuongDecoder),
    ({"attention": "local-m"}, LocalDecoder),
    ({"attention": "local-p"}, LocalDecoder),
    ({"input_feeding": True}, InputFeedingDecoder),
    ({"input_feeding": True, "attention": "local-p"}, InputFeedingDecoder),
]


@pytest.mark.parametrize(("options", "kind"), LEAST)
def test_a_luong_model_is_of_the_least_decoder_that_can_do_it(options, kind):
    decoder = luong(SYMBOLS, SYMBOLS, **options).decoder
    assert type(decoder) is kind
    assert getattr(decoder, "attention", "global") == options.get("attention", "global")
    if kind is LocalDecoder:
        usual = LocalDecoder(Sizes(SYMBOLS, 3, STATE, 6)).half_width
        assert decoder.half_width == usual
        assert luong(SYMBOLS, SYMBOLS, **options, half_width=7).decoder.half_width == 7


OTHER = {
    **{"size": 96, "heads": 2, "hidden_size": 37, "norm": "post", "residual": False},
    **{"feed_forward": False, "longest": 19},
}


@pytest.mark.parametrize("options", [{}, OTHER], ids=["usual", "other"])
@pytest.mark.parametrize("build", [transformer, one_sequence])
def test_the_options_of_a_transformer_are_those_of_a_design(build, options):
    positions = {transformer: "learned", one_sequence: "none"}[build]
    options = options | {"positions": positions} if options else {}
    ours, design = build(SYMBOLS, 17, **options), Design(**options)
    if build is transformer:
        parts = TransformerEncoder(SYMBOLS, 2, design), TransformerDecoder(17, 1, design)
    else:
        parts = EmbeddedSource(SYMBOLS, design), OneSequenceDecoder(17, 3, design)
    theirs = Translator(*parts)
    theirs.load_state_dict(ours.state_dict())
    inputs = batch(SOURCE, 3)
    assert all(map(torch.equal, ours(*inputs), theirs(*inputs)))


class Repeats(torch.nn.Module):
    """An encoder and a decoder without parameters."""

    def forward(self, sources, lengths):
        return sources.unsqueeze(-1)

    def read(self, annotations, readable=None):
        return Memory(annotations, annotations, readable)


def test_a_translator_without_parameters_reads_where_its_source_is():
    model = Translator(Repeats(), bahdanau(SYMBOLS, SYMBOLS).decoder)
    model.decoder = Repeats()
    sources = torch.randint(4, SYMBOLS, (2, SOURCE))
    memory = model.read(sources, torch.tensor([SOURCE, 3]))
    assert memory.annotations.equal(sources.unsqueeze(-1))
