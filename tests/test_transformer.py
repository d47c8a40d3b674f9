"""The Transformer, compared with PyTorch's own attention, and what each of its parts changes."""

import pytest
import torch
from decoders import assert_step_by_step_is_all_at_once
from sweeps import every
from test_self_attention import twin_of
from torch import nn

from attn_course import masks
from attn_course.models import transformer_blocks as blocks
from attn_course.models.one_sequence import EmbeddedSource, OneSequenceDecoder
from attn_course.models.transformer import TransformerDecoder, TransformerEncoder
from attn_course.models.translator import one_sequence, transformer
from attn_course.search import beam
from attn_course.self_attention import sinusoidal_positions
from attn_course.symbols import END

SYMBOLS, SIZE, HEADS, HIDDEN, SOURCE, TARGET, BATCH = 11, 12, 3, 17, 7, 5, 2
WRITING = 13
every_position = pytest.mark.parametrize("positions", blocks.POSITIONS)
every_norm = pytest.mark.parametrize("norm", blocks.NORMS)


def design(**options):
    return blocks.Design(**{"size": SIZE, "heads": HEADS, "hidden_size": HIDDEN} | options)


def small(**options):
    sizes = {"size": SIZE, "heads": HEADS, "hidden_size": HIDDEN, "decoder_layers": 2}
    return redrawn(transformer(SYMBOLS, WRITING, **sizes | options)).eval().double()


def redrawn(module):
    """Parameters that differ from one another, also where PyTorch starts with 0 or 1."""
    for part in module.parameters():
        nn.init.normal_(part, std=0.4)
    return module


def read(model, lengths=(SOURCE, 4), source=SOURCE):
    symbols = torch.randint(4, SYMBOLS, (len(lengths), source))
    return model.read(symbols, torch.tensor(lengths))


def written():
    return torch.randint(4, WRITING, (BATCH, TARGET))


# ---- PyTorch's own attention with our weights


@every_norm
@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("feed_forward", [True, False])
def test_a_block_is_its_parts_one_after_another(norm, residual, feed_forward):
    options = {"residual": residual, "feed_forward": feed_forward, "positions": "none"}
    ours = redrawn(blocks.Block(design(norm=norm, **options), across=True)).double().eval()
    source, x = (torch.randn(BATCH, many, SIZE, dtype=torch.float64) for many in (SOURCE, TARGET))
    offered, causal = ours.across.offer(source, source), masks.causal(TARGET)
    vectors = ours(x, torch.arange(TARGET), readable=causal, source=offered).vectors
    inside, across = (twin_of(part).double() for part in (ours.inside, ours.across))
    parts = [
        (ours.around_inside, lambda x: inside(x, x, x, attn_mask=~causal)[0]),
        (ours.around_across, lambda x: across(x, source, source)[0]),
    ]
    if feed_forward:
        first, _, second = ours.network
        parts.append((ours.around_network, lambda x: second(first(x).clamp(min=0))))
    for around, part in parts:
        result = part(around.norm(x) if norm == "pre" else x) + (x if residual else 0)
        x = around.norm(result) if norm == "post" else result
    torch.testing.assert_close(vectors, x)


# ---- what is laid around, and where a symbol stands


def test_a_place_is_added_to_whatever_stands_there():
    embedded = torch.randn(BATCH, TARGET, SIZE)
    for first in (0, 3):
        learned = blocks.Places(design(positions="learned", longest=first + TARGET))
        expected = {
            "sinusoidal": sinusoidal_positions(SOURCE + 3, SIZE)[first : first + TARGET],
            "learned": learned.learned(torch.arange(first, first + TARGET)),
        }
        for positions in blocks.POSITIONS:
            places = (
                learned if positions == "learned" else blocks.Places(design(positions=positions))
            )
            added = expected.get(positions, torch.zeros(TARGET, SIZE))
            torch.testing.assert_close(
                places(embedded, first) - embedded, added.expand(BATCH, -1, -1)
            )


@every_position
def test_places_keep_the_precision(positions):
    places = blocks.Places(design(positions=positions)).half()
    assert places(torch.randn(1, TARGET, SIZE).half()).dtype == torch.float16


def test_embeddings_start_small_and_so_do_learned_places():
    places = blocks.Places(design(size=30, positions="learned", longest=997))
    for table in (blocks.embedding(997, 31), places.learned):
        assert table.weight.std().item() == pytest.approx(blocks.SPREAD, rel=0.03)
        assert abs(table.weight.mean().item()) < 0.02


# ---- the whole


@every_position
@pytest.mark.parametrize("norm", every(2, blocks.NORMS))
@pytest.mark.parametrize("without", every(2, ["nothing", "residual", "feed_forward"]))
def test_with_a_cache_equals_without(positions, norm, without):
    options = {} if without == "nothing" else {without: False}
    model = small(positions=positions, norm=norm, **options)
    states = assert_step_by_step_is_all_at_once(model.decoder, read(model), written())
    assert [state.written for state in states] == [1, 2, 3, 4, 5]


def test_a_beam_carries_the_cache_of_the_beginning_that_it_goes_on_with():
    model = small()
    sources, lengths = torch.randint(4, SYMBOLS, (1, SOURCE)), torch.tensor([SOURCE])
    for hypotheses in beam(model, sources, lengths, beams=7, longest=4):
        for hypothesis in hypotheses:
            targets = torch.tensor([[*hypothesis.symbols, END][:4]])
            logs = model(sources, lengths, targets)[0].log_softmax(dim=-1)
            total = logs[0].gather(1, targets[0][:, None]).sum().item()
            assert hypothesis.log_probability == pytest.approx(total, abs=1e-9)


def test_without_the_causal_mask_it_does():
    model, inputs = small(causal=False), written()
    memory = read(model)
    before, _ = model.decoder(memory, inputs)
    inputs[:, 3] = (inputs[:, 3] - 3) % (WRITING - 4) + 4
    assert not torch.allclose(model.decoder(memory, inputs)[0][:, :3], before[:, :3])


@every_position
def test_only_without_positions_is_an_encoder_blind_to_order(positions):
    encoder = small(positions=positions).encoder
    symbols, order = torch.arange(4, SYMBOLS)[None], torch.randperm(SOURCE)
    lengths = torch.tensor([SOURCE])
    same = torch.allclose(
        encoder(symbols[:, order], lengths), encoder(symbols, lengths)[:, order], atol=1e-9
    )
    assert same == (positions == "none")


def test_the_weights_of_all_heads_and_their_mean():
    model, inputs = small(encoder_layers=3), written()
    memory = read(model)
    heads = model.decoder.head_weights(memory, inputs)
    _, mean = model.decoder(memory, inputs)
    assert [part.shape for part in heads.inside] == [(BATCH, HEADS, TARGET, TARGET)] * 2
    torch.testing.assert_close(heads.across[-1].mean(dim=1), mean)
    sources, lengths = torch.randint(4, SYMBOLS, (BATCH, SOURCE)), torch.tensor([4, SOURCE])
    inside, across = model.encoder.head_weights(sources, lengths)
    assert [part.shape for part in inside] == [(BATCH, HEADS, SOURCE, SOURCE)] * 3
    assert across == []
    assert (inside[0][0, :, :, 4:] == 0).all()


# ---- one sequence


def joined(**options):
    sizes = {"size": SIZE, "heads": HEADS, "hidden_size": HIDDEN}
    return redrawn(one_sequence(SYMBOLS, WRITING, **sizes | options)).eval().double()


@pytest.mark.parametrize("options", [{}, {"positions": "none"}, {"layers": 1}, {"prefix": True}])
def test_one_sequence_equals_its_blocks_over_source_separator_and_target(options):
    model, inputs = joined(**options), written()[:1]
    source = torch.randint(4, SYMBOLS, (1, SOURCE))
    logits, _ = model.decoder(model.read(source, torch.tensor([SOURCE])), inputs)
    vectors = torch.cat([model.encoder.embedding(source), model.decoder.embedding(inputs)], dim=1)
    places = torch.arange(SOURCE + TARGET) + 23  # any other start: only differences count
    readable = masks.causal(SOURCE + TARGET)
    readable[:SOURCE, :SOURCE] |= options.get("prefix", False)
    for block in model.decoder.blocks:
        vectors = block(vectors, places, readable=readable).vectors
    expected = model.decoder.readout(model.decoder.norm(vectors[:, SOURCE:]))
    torch.testing.assert_close(logits, expected)


@pytest.mark.parametrize("lengths", [(SOURCE, 4), (SOURCE, SOURCE)])
def test_one_sequence_with_a_cache_equals_without(lengths):
    model = joined()
    memory = read(model, lengths)
    states = assert_step_by_step_is_all_at_once(model.decoder, memory, written())
    assert [state.written - SOURCE for state in states] == [1, 2, 3, 4, 5]


def test_one_sequence_knows_no_places_that_count_from_a_start():
    with pytest.raises(ValueError, match="'rotary' or 'none'; got 'learned'"):
        OneSequenceDecoder(WRITING, design=design(positions="learned"))


def test_what_is_left_out_has_no_parameters():
    def count(**options):
        model = transformer(SYMBOLS, WRITING, **options)
        return sum(part.numel() for part in model.parameters())

    whole = count()
    assert count(residual=False) == count(heads=1) == whole
    assert whole - count(norm="none") == 2 * 64 * (2 * 2 + 3 + 2)
    assert whole - count(feed_forward=False) == 3 * (2 * 64 * 128 + 128 + 64 + 2 * 64)
    assert count(positions="learned", longest=19) - whole == 2 * 19 * 64


@pytest.mark.parametrize(
    "part", [TransformerEncoder, TransformerDecoder, EmbeddedSource, OneSequenceDecoder]
)
def test_without_a_design_a_part_is_of_the_usual_one(part):
    usual, same = part(SYMBOLS), part(SYMBOLS, design=blocks.Design())
    same.load_state_dict(usual.state_dict())
    assert str(usual) == str(same)


def test_bad_input_is_explained():
    model = small(positions="learned", longest=SOURCE)
    long = torch.full((1, SOURCE + 1), 4)
    for call, words in (
        (lambda: blocks.Design(size=10, heads=3), "multiple of heads"),
        (lambda: blocks.Design(size=9, heads=3), "even number of entries; got 9 / 3"),
        (lambda: model.read(long, torch.tensor([SOURCE + 1])), "for 7 positions; got 8"),
        (lambda: model.decoder(read(model), written()[:1]), "batch size, 2"),
        (lambda: model.decoder(read(model), written() + 90), "numbers from 0 to 12"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_a_block_reads_another_sequence_if_it_is_made_to_and_only_then():
    alone, across = blocks.Block(design()), blocks.Block(design(), across=True)
    vectors, places = torch.randn(BATCH, TARGET, SIZE), torch.arange(TARGET)
    with pytest.raises(ValueError, match="this block reads no other sequence"):
        alone.offer(vectors)
    with pytest.raises(ValueError, match="this block has read no other sequence"):
        alone(vectors, places).on_source  # noqa: B018
    with pytest.raises(ValueError, match="needs a source"):
        across(vectors, places)
    looked = across(vectors, places, source=across.offer(torch.randn(BATCH, SOURCE, SIZE)))
    assert looked.on_source.shape == (BATCH, HEADS, TARGET, SOURCE)
