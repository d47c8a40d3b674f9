"""Encoder and decoder in one model, which training and search work with."""

from typing import Any

import torch
from jaxtyping import Float, Int, Integer
from torch import Tensor, nn

from attn_course import masks
from attn_course._signature import checked, expect
from attn_course._values import Count, CountOrZero, Directions
from attn_course.alignment import Score
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Decoder, Memory, ScoreName, Sizes
from attn_course.models.encoder import Cell, Encoder
from attn_course.models.fixed_context import FixedContextDecoder
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import Attention, LocalDecoder
from attn_course.models.luong import AsksWith, LuongDecoder
from attn_course.models.one_sequence import EmbeddedSource, OneSequenceDecoder
from attn_course.models.transformer import TransformerDecoder, TransformerEncoder
from attn_course.models.transformer_blocks import Design
from attn_course.symbols import START

EMBEDDING = 16  # of a target symbol


class Translator(nn.Module):
    """Read a source and write a target: p(y | x) = Π_i p(y_i | y_1 .. y_{i-1}, x).

    Sources, lengths and targets may lie on any device; they are read where the parameters are.

    The decoder is any module with the methods of `Decoder`.
    """

    @checked
    def __init__(self, encoder: nn.Module, decoder: Decoder[Any, Any]):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def read(self, sources: Tensor, lengths: Tensor) -> Memory[Any]:
        """Annotate the sources, and hide their padding from the decoder."""
        sources, lengths = self._here(sources), self._here(lengths)
        annotations = self.encoder(sources, lengths)
        width = sources.shape[1]
        readable = None if (lengths == width).all() else masks.padding(lengths, width)
        return self.decoder.read(annotations, readable)

    def _here(self, symbols: Tensor) -> Tensor:
        """Symbols, or lengths, on the device of the parameters, if there are any."""
        own = next(self.parameters(), None)
        return symbols if own is None or not isinstance(symbols, Tensor) else symbols.to(own.device)

    def forward(
        self,
        sources: Int[Tensor, "batch source"],
        lengths: Int[Tensor, "batch"],
        targets: Int[Tensor, "batch target"],
    ) -> tuple[Float[Tensor, "batch target symbol"], Float[Tensor, "batch target source"]]:
        """Logits and weights for each target step, given the target's earlier symbols."""
        expect(Integer[Tensor, "batch target"], targets=targets)
        targets = self._here(targets)
        start = torch.full_like(targets[:, :1], START)
        inputs = torch.cat([start, targets[:, :-1]], dim=1)
        return self.decoder(self.read(sources, lengths), inputs)


@checked
def bahdanau(
    source_symbols: Count,
    target_symbols: Count,
    score: ScoreName | Score = "additive",
    *,
    embedding_size: Count = 48,
    encoder_size: Count = 48,
    state_size: Count = 96,
    hidden_size: CountOrZero = 48,
    cell: Cell = "gru",
    directions: Directions = 2,
) -> Translator:
    """The model of Bahdanau et al. 2015, scaled down for a chapter: read both ways, then attend.

    ``embedding_size`` is that of a source symbol (a target symbol has 16 entries), ``encoder_size``
    is the size of one direction, ``hidden_size`` that of the score's network.
    """
    encoder = Encoder(source_symbols, embedding_size, encoder_size, cell, directions)
    sizes = Sizes(
        target_symbols, EMBEDDING, state_size, encoder.annotation_size, hidden_size,
        directions=directions,
    )  # fmt: skip
    return Translator(encoder, BahdanauDecoder(sizes, score))


@checked
def fixed_context(
    source_symbols: Count,
    target_symbols: Count,
    *,
    embedding_size: Count = 48,
    state_size: Count = 96,
    every_step: bool = True,
    cell: Cell = "gru",
) -> Translator:
    """The model before attention, Cho et al. 2014: read from the left and keep the last state.

    The vector between encoder and decoder has ``state_size`` entries, as do the states of both.
    Without ``every_step``, it is given only at the decoder's start, as in Sutskever et al. 2014.
    ``bahdanau(..., encoder_size=n, state_size=n, score="dot", directions=1)`` is the same model
    with attention; its parameters have the same names and shapes.
    """
    encoder = Encoder(source_symbols, embedding_size, state_size, cell, directions=1)
    sizes = Sizes(target_symbols, EMBEDDING, state_size, state_size)
    return Translator(encoder, FixedContextDecoder(sizes, every_step))


@checked
def luong(
    source_symbols: Count,
    target_symbols: Count,
    score: ScoreName | Score = "general",
    *,
    embedding_size: Count = 48,
    encoder_size: Count = 48,
    state_size: Count = 96,
    hidden_size: CountOrZero = 48,
    cell: Cell = "gru",
    directions: Directions = 2,
    max_source: CountOrZero = 64,
    asks_with: AsksWith = "after",
    attention: Attention = "global",
    half_width: Count = 2,
    input_feeding: bool = False,
) -> Translator:
    """The model of Luong et al. 2015, scaled down: like `bahdanau`, but it moves before it looks.

    ``max_source`` is for the location score; ``asks_with`` is that of `LuongDecoder`, ``attention``
    ("global", "local-m" or "local-p") and ``half_width`` are those of `LocalDecoder`. With
    ``input_feeding`` the decoder is an `InputFeedingDecoder`.
    """
    encoder = Encoder(source_symbols, embedding_size, encoder_size, cell, directions)
    annotation_size = encoder.annotation_size
    sizes = Sizes(
        target_symbols, EMBEDDING, state_size, annotation_size, hidden_size, max_source, directions
    )
    if attention == "global" and not input_feeding:
        return Translator(encoder, LuongDecoder(sizes, score, asks_with))
    windowed = InputFeedingDecoder if input_feeding else LocalDecoder
    return Translator(encoder, windowed(sizes, score, asks_with, attention, half_width))


@checked
def transformer(
    source_symbols: Count,
    target_symbols: Count,
    *,
    encoder_layers: Count = 2,
    decoder_layers: Count = 1,
    causal: bool = True,
    **design: Any,
) -> Translator:
    """The model of Vaswani et al. 2017, scaled down for a chapter, and without dropout.

    It differs from the paper in two choices that train better at this size: the norm comes before
    each part, and positions are rotary. Besides, embeddings are not multiplied by √size, and the
    readout has a matrix of its own. Whatever a `Design` has can be chosen, such as ``heads=8``;
    ``causal`` is that of `TransformerDecoder`.
    """
    blocks = Design(**design)
    encoder = TransformerEncoder(source_symbols, encoder_layers, blocks)
    decoder = TransformerDecoder(target_symbols, decoder_layers, blocks, causal=causal)
    return Translator(encoder, decoder)


@checked
def one_sequence(
    source_symbols: Count,
    target_symbols: Count,
    *,
    layers: Count = 3,
    prefix: bool = False,
    **design: Any,
) -> Translator:
    """`transformer` without its encoder: as many blocks, all of them in the decoder."""
    blocks = Design(**design)
    decoder = OneSequenceDecoder(target_symbols, layers, blocks, prefix=prefix)
    return Translator(EmbeddedSource(source_symbols, blocks), decoder)
