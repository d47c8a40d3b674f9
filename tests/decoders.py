"""One decoder of each kind, by what its keys and its state are. pyright reads this file too."""

from typing import Any

import torch
from torch import Tensor

from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Decoder, Sizes
from attn_course.models.fixed_context import FixedContextDecoder
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import Carried, LocalDecoder
from attn_course.models.luong import LuongDecoder
from attn_course.models.one_sequence import OneSequenceDecoder
from attn_course.models.transformer import Cache, TransformerDecoder
from attn_course.models.transformer_blocks import Design
from attn_course.self_attention import Kept

SYMBOLS, EMBEDDING, STATE, ANNOTATION = 11, 3, 8, 8
SIZES = Sizes(SYMBOLS, EMBEDDING, STATE, ANNOTATION)


def with_a_state() -> list[Decoder[Tensor, Tensor]]:
    return [
        FixedContextDecoder(SIZES),
        BahdanauDecoder(SIZES),
        LuongDecoder(SIZES),
    ]


def with_more_to_carry() -> list[Decoder[Tensor, Carried]]:
    return [LocalDecoder(SIZES), InputFeedingDecoder(SIZES)]


def with_a_cache() -> list[Decoder[tuple[Kept, ...], Cache]]:
    design = Design(size=ANNOTATION, heads=2, hidden_size=5)
    return [TransformerDecoder(SYMBOLS, 2, design), OneSequenceDecoder(SYMBOLS, 2, design)]


def assert_step_by_step_is_all_at_once(
    model: Decoder[Any, Any], memory: Any, inputs: Tensor
) -> list[Any]:
    """Weights and logits agree at each step. Returns the states, one after each step."""
    logits, weights = model(memory, inputs)
    state, states = model.first_state(memory), []
    for i, symbol in enumerate(inputs.unbind(dim=1)):
        state, context, looked = model.step(state, model.embedding(symbol), memory)
        torch.testing.assert_close(looked, weights[:, i])
        torch.testing.assert_close(model.logits(state, context), logits[:, i])
        states.append(state)
    assert len(states) == inputs.shape[1] > 1
    return states
