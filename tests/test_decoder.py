"""Every decoder has the methods of `Decoder`, and needs no other decoder's chapter."""

import importlib
import inspect
import pkgutil
import typing
from dataclasses import FrozenInstanceError, replace

import pytest
import torch
from decoders import (
    ANNOTATION,
    EMBEDDING,
    SIZES,
    SYMBOLS,
    with_a_cache,
    with_a_state,
    with_more_to_carry,
)

from attn_course import models
from attn_course.models import decoder as shared
from attn_course.models.decoder import Decoder, Memory, RecurrentDecoder, Step, Writer
from attn_course.models.translator import Translator
from attn_course.search import Model

TRIED = [*with_a_state(), *with_more_to_carry(), *with_a_cache()]
every_decoder = pytest.mark.parametrize("decoder", TRIED, ids=lambda one: type(one).__name__)
BASES = {"AttendingDecoder", "RecurrentDecoder", "MovingDecoder"}
BATCH, SOURCE = 2, 5


def test_all_decoders_are_tried():
    names = (f"{models.__name__}.{module.name}" for module in pkgutil.iter_modules(models.__path__))
    classes = (value for name in names for value in vars(importlib.import_module(name)).values())
    decoders = {
        kind.__name__
        for kind in classes
        if inspect.isclass(kind)
        and issubclass(kind, torch.nn.Module)
        and kind.__name__.endswith("Decoder")
    }
    assert decoders - BASES == {type(decoder).__name__ for decoder in TRIED}


@every_decoder
def test_a_step_takes_what_the_methods_before_it_give(decoder):
    assert isinstance(decoder, Decoder)
    memory = decoder.read(torch.randn(BATCH, SOURCE, ANNOTATION))
    assert type(memory) is Memory
    state = decoder.first_state(memory)
    for _ in range(2):
        step = decoder.step(state, decoder.embedding(torch.full((BATCH,), 4)), memory)
        assert type(step) is Step
        assert type(step.state) is type(state)
        assert decoder.logits(step.state, step.context).shape == (BATCH, SYMBOLS)
        state = step.state


@pytest.mark.parametrize("protocol", [Decoder, Writer, Model])
def test_parts_of_a_module_count_in_every_python(protocol, monkeypatch):
    """From Python 3.12 on, ``isinstance`` looks up without ``__getattr__``, which finds them."""
    monkeypatch.setattr(typing, "hasattr", _has_statically, raising=False)
    model = Translator(torch.nn.Identity(), TRIED[0])
    assert isinstance(model if protocol is Model else model.decoder, protocol)


def _has_statically(instance, name):
    nothing = object()
    return inspect.getattr_static(instance, name, nothing) is not nothing


def test_what_is_no_decoder_is_not_taken_for_one():
    for other in (torch.nn.Tanh(), shared.AttendingDecoder(SIZES, "dot"), object()):
        assert not isinstance(other, Decoder)
    with pytest.raises(TypeError, match="decoder"):
        Translator(torch.nn.Identity(), torch.nn.Tanh())


def test_a_step_unpacks_into_state_context_and_weights():
    parts = torch.zeros(1), torch.ones(2), torch.full((3,), 2.0)
    assert all(one is other for one, other in zip(parts, Step(*parts), strict=True))


def test_a_memory_is_changed_only_by_making_another():
    memory = Memory(torch.zeros(1, 2, 3), torch.zeros(1, 2, 4), None)
    with pytest.raises(FrozenInstanceError):
        memory.keys = None
    other = replace(memory, keys=memory.keys + 1)
    assert other.annotations is memory.annotations
    assert (other.keys == 1).all()


def test_a_recurrent_decoder_says_where_it_looks():
    decoder = RecurrentDecoder(SIZES, "dot")
    memory = decoder.read(torch.randn(1, 3, ANNOTATION))
    with pytest.raises(NotImplementedError, match="RecurrentDecoder does not say where it looks"):
        decoder.step(decoder.first_state(memory), torch.randn(1, EMBEDDING), memory)
