"""What the two files do when they are run, and their weights under the package's names.

    python -m attn_course.from_scratch.seq2seq "3 May 1998" ...        trains, and reads dates
    python -m attn_course.from_scratch.gpt "The capital of France is"  continues a text

The files hand over their own classes, so that nothing here runs but what a reader has written.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn_course.models import language_file
from attn_course.models.translator import Translator, bahdanau
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import date_pairs
from attn_course.tasks.vocabulary import Vocabulary

# a module of the package's models -> of the files'; those of the same name are left out
TRANSLATOR = {
    "decoder.score.query_projection.": "decoder.attention.W.",
    "decoder.score.key_projection.": "decoder.attention.U.",
    "decoder.score.energy.": "decoder.attention.v.",
}
LANGUAGE_MODEL = {
    ".network_norm.": ".norm2.",
    ".norm.": ".norm1.",
    ".network.": ".",
    ".query_projection.": ".attention.q.",
    ".key_projection.": ".attention.k.",
    ".value_projection.": ".attention.v.",
    ".output_projection.": ".attention.o.",
}


def renamed(weights: Mapping[str, Tensor], names: Mapping[str, str]) -> dict[str, Tensor]:
    """The same weights, with every part of their names replaced that ``names`` knows."""
    found = {}
    for name, weight in weights.items():
        for old, new in names.items():
            name = name.replace(old, new)
        found[name] = weight
    return found


def packaged(model: nn.Module) -> Translator:
    """The package's translator with the weights of ``seq2seq.Translator``.

    It computes the same, and can also be told what to hide, or give the likeliest answers.
    """
    embedded = [part.embedding.weight for part in (model.encoder, model.decoder)]
    theirs = bahdanau(*(len(each) for each in embedded))
    back = {new: old for old, new in TRANSLATOR.items()}
    theirs.load_state_dict(renamed(model.state_dict(), back))
    return theirs.eval()


def read_dates(
    make: Callable[[int, int], nn.Module],
    train: Callable[..., None],
    arguments: Sequence[str] | None = None,
) -> None:
    """Train a translator for about half a minute, test it on days that it never saw, and use it."""
    parser = ArgumentParser(
        prog="python -m attn_course.from_scratch.seq2seq",
        description="Train a translator on dates, test it, and read dates.",
    )
    parser.add_argument("dates", nargs="*", default=["May 3, 1998"], help="such as 'May 3, 1998'")
    parser.add_argument("--pairs", type=int, default=20_000, help="to train on, twice")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    if given.pairs < 1:
        parser.error(f"--pairs must be at least 1; got {given.pairs}")
    pairs, test = date_pairs(given.pairs, given.seed), date_pairs(2_000, given.seed, "test")
    sources = Vocabulary.from_texts(pair.source for pair in pairs)
    for text in given.dates:
        if not text:
            parser.error("a date must have a character; got ''")
        if unknown := set(text) - set(sources.symbols):
            parser.error(f"no date in training has the character {min(unknown)!r} of {text!r}")
    targets = Vocabulary("0123456789-")
    corpus, order = Corpus(pairs, sources, targets), np.random.default_rng(given.seed)
    torch.manual_seed(given.seed)
    model = make(len(sources), len(targets))
    print(f"training on {len(pairs):,} dates, twice")
    train(model, [one[::2] for _ in range(2) for one in corpus.batches(64, order)])

    right = 0
    with torch.no_grad():
        for source, _, target, _ in Corpus(test, sources, targets).batches(100, order):
            written = model(source, longest=target.shape[1])[0].argmax(-1)
            right += (written == target).all(1).sum().item()
    print(f"{right / len(test):.1%} of {len(test):,} dates on days that it never saw are right")
    for text in given.dates:
        with torch.no_grad():
            logits, _ = model(torch.tensor([sources.encode(text)]))
        print(f"{text} -> {targets.decode(logits[0].argmax(-1))}")


def continue_text(
    Config: Callable[..., Any],
    LanguageModel: Callable[[Any], nn.Module],
    generate: Callable[..., Tensor],
    arguments: Sequence[str] | None = None,
) -> None:
    """Fill the model with SmolLM2's weights, and continue a text."""
    parser = ArgumentParser(
        prog="python -m attn_course.from_scratch.gpt",
        description="Continue a text with the weights of SmolLM2.",
    )
    parser.add_argument("text")
    parser.add_argument("--count", type=int, default=40, help="of tokens to generate")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 takes the likeliest")
    parser.add_argument("--top", type=int, help="draw from this many tokens only")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    try:
        theirs, text, _ = language_file.load()
        tokens = text.read(given.text)
    except (FileNotFoundError, ModuleNotFoundError, ValueError) as error:
        parser.error(str(error))
    shape = theirs.shape
    model = LanguageModel(
        Config(
            tokens=shape.symbols,
            size=shape.size,
            heads=shape.heads,
            groups=shape.groups,
            blocks=shape.blocks,
            hidden=shape.hidden_size,
            base=shape.base,
            epsilon=shape.epsilon,
        )
    )
    weights = renamed(dict(theirs.named_parameters()), LANGUAGE_MODEL)
    if "readout.weight" in weights:
        parser.error("the file has a readout of its own; gpt.py reads out by the embeddings")
    model.load_state_dict(weights)
    torch.manual_seed(given.seed)
    written = generate(model, tokens, given.count, given.temperature, given.top)
    print(text.write(written[0]))
