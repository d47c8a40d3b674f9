"""Search: find the target that a model considers right for a source."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from attn_course._values import expect_count, expect_kind, expect_several, expect_text
from attn_course.models.translator import Translator
from attn_course.symbols import END, PADDING, START
from attn_course.tasks.corpus import pad
from attn_course.tasks.vocabulary import Vocabulary


class Answer(NamedTuple):
    """What a model wrote for one source.

    text           the target, without its end symbol
    weights        (target source) where it looked for each symbol of the text
    probabilities  (target) the probability that it gave to each symbol of the text
    """

    text: str
    weights: np.ndarray
    probabilities: np.ndarray


@torch.no_grad()
def greedy(
    model: Translator, sources: Tensor, lengths: Tensor, longest: int = 32
) -> tuple[Tensor, Tensor, Tensor]:
    """Take the likeliest symbol at each step, until every target of the batch has ended.

        y_i = argmax_y p(y | y_1 .. y_{i-1}, x)

    The likeliest *symbols*, one by one, are not always the likeliest *target*: a poor choice cannot
    be undone. Beam search would keep several candidates.

    sources (batch source), lengths (batch); at most ``longest`` steps.
    Returns symbols (batch target), padding after the end; weights (batch target source);
    probabilities (batch target) of the symbols chosen.
    """
    expect_count("longest", longest, what="number of steps")
    expect_kind("model", model, nn.Module)
    decoder = model.decoder
    memory = model.read(sources, lengths)
    state = decoder.first_state(memory)
    symbol = torch.full_like(lengths, START, dtype=torch.long)
    ended = torch.zeros_like(lengths, dtype=torch.bool)
    symbols, weights, probabilities = [], [], []
    while len(symbols) < longest and not ended.all():
        state, context, looked = decoder.step(state, decoder.embedding(symbol), memory)
        likeliest = decoder.logits(state, context).softmax(dim=-1).max(dim=-1)
        symbol = likeliest.indices.masked_fill(ended, PADDING)
        ended = ended | (symbol == END)
        symbols.append(symbol)
        weights.append(looked)
        probabilities.append(likeliest.values)
    return tuple(torch.stack(part, dim=1) for part in (symbols, weights, probabilities))


def answer(
    model: Translator,
    texts: Sequence[str],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    batch_size: int = 256,
    longest: int = 32,
) -> list[Answer]:
    """The model's greedy answer to each text, in the order of the texts.

    Texts of similar length are read together. This saves time and does not change the answers,
    since padding is hidden. An empty text is a ValueError.
    """
    expect_kind("model", model, nn.Module)
    expect_kind("source_vocabulary", source_vocabulary, Vocabulary)
    expect_kind("target_vocabulary", target_vocabulary, Vocabulary)
    expect_count("batch_size", batch_size, what="number of texts")
    expect_count("longest", longest, what="number of steps")
    texts = expect_several("texts", texts, least=0)
    for text in texts:
        expect_text("each of the texts", text)
    empty = [index for index, text in enumerate(texts) if not text]
    if empty:
        raise ValueError(f"text {empty[0]} is empty: a source needs at least 1 symbol")
    at = next(model.parameters()).device
    answers: list[Answer | None] = [None] * len(texts)
    sources = [source_vocabulary.encode(text) for text in texts]
    by_length = sorted(range(len(texts)), key=lambda index: len(sources[index]))
    for start in range(0, len(texts), batch_size):
        chosen = by_length[start : start + batch_size]
        encoded = [sources[index] for index in chosen]
        lengths = torch.tensor([len(source) for source in encoded], device=at)
        batch = greedy(model, pad(encoded).to(at), lengths, longest)
        for index, symbols, weights, probabilities in zip(
            chosen, *(part.cpu().numpy() for part in batch), strict=True
        ):
            text, rows = target_vocabulary.decode(symbols), _written(symbols)
            source = len(sources[index])
            answers[index] = Answer(text, weights[rows, :source], probabilities[rows])
    return answers


def _written(symbols: np.ndarray) -> list[int]:
    """The steps that wrote a symbol of the text: before END, and neither PADDING nor START."""
    steps = []
    for step, symbol in enumerate(symbols):
        if symbol == END:
            break
        if symbol not in (PADDING, START):
            steps.append(step)
    return steps
