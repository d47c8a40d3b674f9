from collections import namedtuple

import torch

from attn_course.interventions import exchanged, hidden, replaced, reweighted
from attn_course.measures import correct
from attn_course.models.translator import bahdanau, fixed_context
from attn_course.search import answer
from attn_course.symbols import START
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import Settings, train

Pair = namedtuple("Pair", "source target")
SIZE = 48


def built(condition, symbols):
    """An untrained model; the two have the same parameters, to the last number."""
    if condition == "one vector":
        return fixed_context(*symbols, embedding_size=24, state_size=SIZE)
    sizes = {"embedding_size": 24, "encoder_size": SIZE, "state_size": SIZE}
    return bahdanau(*symbols, "dot", **sizes, directions=1)


def trained(condition, pairs, seed, epochs, rate):
    """A model, its vocabularies and the number of its steps."""
    pairs = [Pair(*pair) for pair in pairs]
    words = [Vocabulary.from_texts(side) for side in zip(*pairs, strict=True)]
    model, history = train(
        lambda: built(condition, [len(side) for side in words]),
        Corpus(pairs, *words),
        seed=seed,
        settings=Settings(epochs=epochs, batch_size=32, learning_rate=rate),
    )
    return model, words, len(history.losses)


def tested(model, words, pairs):
    """What the model writes, and how many of it are right."""
    texts = [result.text for result in answer(model, [source for source, _ in pairs], *words)]
    return texts, int(correct(texts, [target for _, target in pairs]).sum())


def baseline(train_pairs, pairs):
    """Each letter becomes what stood most often at its place, in pairs of equal length."""
    others = {}
    for source, target in train_pairs:
        if len(source) == len(target):
            for one, other in zip(source, target, strict=True):
                others.setdefault(one, []).append(other)
    table = {one: max(sorted(set(them)), key=them.count) for one, them in others.items()}
    return ["".join(table.get(letter, letter) for letter in source) for source, _ in pairs]


@torch.no_grad()
def questions(model, words, pairs, seed):
    """The report card: [question, how often the answer was yes, how often it was asked]."""
    counts = {name: [0, 0] for name in ("context", "darkest", "other", "swapped", "earlier")}
    generator = torch.Generator().manual_seed(seed)
    plain = [pair for pair in pairs if len(pair[0]) == len(pair[1])]
    for source, target in pairs:
        numbers = torch.tensor([words[0].encode(source)])
        symbols = torch.tensor([words[1].encode(target)])
        many = symbols.shape[1]
        numbers, symbols = numbers.expand(many, -1), symbols.expand(many, -1)
        lengths = torch.full((many,), numbers.shape[1])
        logits, weights = model(numbers, lengths, symbols)
        p, dark = _own_steps(logits, symbols), weights[0].argmax(-1)
        right = logits[0].argmax(-1) == symbols[0]
        shift = torch.randint(1, max(2, numbers.shape[1]), (many,), generator=generator)
        for name, place in (("context", None), ("darkest", dark), ("other", dark + shift)):
            with reweighted(model.decoder, _without(place, numbers.shape[1])):
                changed, _ = model(numbers, lengths, symbols)
            falls = _own_steps(changed, symbols) < p / 2
            _count(counts[name], falls, right)
        before = [weights[0, :i, dark[i]].max().item() if i else 0.0 for i in range(many)]
        _count(counts["earlier"], torch.tensor(before) > 0.1, right)
        _swap(counts["swapped"], model, words, (source, target), plain, dark, right)
    return [[name, *count] for name, count in counts.items()]


def _own_steps(logits, symbols):
    """Row r is about step r: the probability of the right symbol there."""
    p = logits.softmax(-1).gather(-1, symbols.unsqueeze(-1)).squeeze(-1)
    return p.diagonal()


def _without(place, length):
    """Row r loses, at step r alone, one place or the whole context."""

    def change(weights, step):
        places = torch.zeros_like(weights, dtype=torch.bool)
        places[step, 0, :] = True
        if place is not None:
            places[step, 0] = torch.arange(length) == place[step] % length
        return hidden(weights, places)

    return change


def _count(counts, yes, counted):
    counts[0] += int((yes & counted).sum())
    counts[1] += int(counted.sum())


def _swap(counts, model, words, pair, plain, dark, right):
    """The annotation of the darkest place, taken from another name of this length."""
    source, target = pair
    others = [other for other in plain if len(other[0]) == len(source) and other != pair]
    if not others or len(source) != len(target):
        return
    other, written = others[len(target) * 7 % len(others)]
    many = len(target)
    both = [torch.tensor([words[0].encode(text)]) for text in (source, other)]
    lengths = torch.full((1,), len(source))
    one, two = (model.read(numbers, lengths) for numbers in both)
    first = model.decoder.first_state(one).expand(many, -1)
    one, two = (_repeated(memory, many) for memory in (one, two))
    symbols = torch.tensor([[START, *words[1].encode(target)[:-1]]]).expand(many, -1)
    places = torch.arange(len(source)) == dark.unsqueeze(1)
    with replaced(model.decoder, first_state=lambda memory: first):
        logits, _ = model.decoder(exchanged(one, two, places), symbols)
    wanted = torch.tensor(words[1].encode(written))[dark]
    counted = right & (wanted != torch.tensor(words[1].encode(target)))
    _count(counts, logits.argmax(-1).diagonal() == wanted, counted)


def _repeated(memory, many):
    return type(memory)(
        memory.annotations.expand(many, -1, -1), memory.keys.expand(many, -1, -1), None
    )
