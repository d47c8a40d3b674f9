"""The encoder's annotations, compared with a loop over torch's own cells."""

import pytest
import torch
from torch import nn

from attn_course._check import expect_sources
from attn_course.models.encoder import Encoder

SYMBOLS, EMBEDDING, HIDDEN, LONGEST = 13, 5, 7, 11


@pytest.fixture(params=["gru", "lstm"])
def encoder(request):
    return Encoder(SYMBOLS, EMBEDDING, HIDDEN, request.param)


def random_sources(*lengths):
    sources = torch.zeros(len(lengths), max(lengths), dtype=torch.long)
    for row, length in zip(sources, lengths, strict=True):
        row[:length] = torch.randint(4, SYMBOLS, (length,))
    return sources, torch.tensor(lengths)


def loop(encoder, source):
    """Annotations of one source, one symbol after another, in both directions."""
    cell = {nn.GRU: nn.GRUCell, nn.LSTM: nn.LSTMCell}[type(encoder.rnn)]
    halves = []
    for suffix in ("", "_reverse"):
        one = cell(EMBEDDING, HIDDEN)
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(one, name).data = getattr(encoder.rnn, f"{name}_l0{suffix}").data
        embedded = encoder.embedding(source)
        state, states = None, []
        for symbol in embedded.flip(0) if suffix else embedded:
            state = one(symbol.unsqueeze(0), state)
            states.append((state if cell is nn.GRUCell else state[0])[0])
        halves.append(torch.stack(states[::-1] if suffix else states))
    return torch.cat(halves, dim=-1)


def test_a_batch_equals_a_loop_over_cells_and_padding_is_annotated_with_zeros(encoder):
    sources, lengths = random_sources(3, LONGEST, 1)
    wide = torch.cat([sources, torch.full((3, 4), 5)], dim=1)  # as where no source fills the width
    annotations = encoder(wide, lengths)
    assert annotations.shape == (3, LONGEST + 4, 2 * HIDDEN)
    for row, source, length in zip(annotations, sources, lengths, strict=True):
        torch.testing.assert_close(row[:length], loop(encoder, source[:length]))
        assert not row[length:].any()


def test_one_direction_reads_from_the_left_alone():
    one = Encoder(SYMBOLS, EMBEDDING, HIDDEN, directions=1)
    two = Encoder(SYMBOLS, EMBEDDING, HIDDEN)
    missing = two.load_state_dict(one.state_dict(), strict=False).missing_keys
    assert all(name.endswith("_reverse") for name in missing)
    assert (one.annotation_size, two.annotation_size) == (HIDDEN, 2 * HIDDEN)
    sources, lengths = random_sources(3, LONGEST)
    torch.testing.assert_close(one(sources, lengths), two(sources, lengths)[..., :HIDDEN])


SOURCES, WHOLE = torch.zeros(2, 3, dtype=torch.long), torch.tensor([3, 3])
REFUSED = {
    expect_sources: [
        ((SOURCES, torch.tensor([3, 0]), SYMBOLS), "empty"),
        ((SOURCES, torch.tensor([3, 5]), SYMBOLS), "at most 3"),
        ((SOURCES + SYMBOLS, WHOLE, SYMBOLS), "0 to 12; got 13"),
        ((torch.tensor([[4, 5, -1], [4, 5, 6]]), WHOLE, SYMBOLS), "0 to 12; got -1 to 6"),
        ((torch.tensor([[4, SYMBOLS, 1], [4, 5, 6]]), WHOLE, SYMBOLS), "0 to 12; got 1 to 13"),
        ((SOURCES[:, :0], torch.tensor([0, 0]), SYMBOLS), "at least 1 symbol"),
    ],
}
