"""A small reader of dates whose answers differ, its arrays, and its steps as PyTorch takes them."""

from dataclasses import replace
from types import SimpleNamespace

import torch

from attn_course.context import context_vectors
from attn_course.models.translator import bahdanau
from attn_course.symbols import END, START
from attn_course.tasks.vocabulary import Vocabulary

SOURCE, TARGET = Vocabulary("0123456789. ,/-MaiprlJunyéж"), Vocabulary("0123456789-")
SIZES = {"embedding_size": 5, "encoder_size": 3, "state_size": 11, "hidden_size": 7}


@torch.no_grad()
def scaled(model, factor):
    """The model with weights so large that attention is sharp and answers differ."""
    for parameter in model.parameters():
        parameter.mul_(factor)
    return model.eval()


def random_reader(source=SOURCE, seed=0, scale=3.0, **sizes):
    torch.manual_seed(seed)
    return scaled(bahdanau(len(source), len(TARGET), **SIZES | sizes), scale)


def arrays_of(model) -> dict:
    return {name: part.numpy() for name, part in model.state_dict().items()}


def read(model, text, hidden=()):
    """What a model has read of a text, or of its symbols; some positions may be hidden."""
    ids = SOURCE.encode(text) if isinstance(text, str) else text
    readable = torch.tensor([[[place not in hidden for place in range(len(ids))]]])
    return replace(model.read(torch.tensor([ids]), torch.tensor([len(ids)])), readable=readable)


def steps_of(model, memory, *, longest=32, forced=(), at=None, change=None, other=None):
    """Greedy, or along the forced symbols: each step's tensors, and the symbol taken.

    At the step ``at``, ``change`` makes other weights, and the memory ``other`` is read.
    """
    decoder, state, symbol, count = model.decoder, model.decoder.first_state(memory), START, 0
    while count < longest and symbol != END:
        here = other if count == at and other else memory
        weights = decoder.look(state, here)
        if count == at and change:
            weights = change(weights)
        context = context_vectors(weights, here.annotations).squeeze(1)
        previous = decoder.embedding(torch.tensor([symbol]))
        state = decoder.cell(torch.cat([previous, context], dim=-1), state)
        logits = decoder.logits(state, context)[0]
        likely = logits.softmax(dim=-1)
        symbol = forced[count] if count < len(forced) else int(likely.argmax())
        count += 1
        yield SimpleNamespace(
            weights=weights[0, 0],
            context=context[0],
            state=state[0],
            logits=logits,
            probabilities=likely,
            symbol=symbol,
        )


def text_of(steps) -> str:
    """What is written at these steps, without the end."""
    signs = [*4 * "\ufffd", *TARGET.symbols]
    return "".join(signs[step.symbol] for step in steps if step.symbol != END)
