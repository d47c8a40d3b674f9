"""Readers that point: compared with loops, and what each read-out can and cannot do."""

import pytest
import torch

from attn_course.models.pointer import FlattenedReader, PointerReader, mend
from attn_course.tasks.typos import typo_vocabulary
from attn_course.tasks.vocabulary import Vocabulary

SYMBOLS, EMBEDDING, HIDDEN, SCORE, LONGEST = 13, 3, 5, 7, 11
LENGTHS = (4, 11, 1)

KINDS = {
    "pointer": lambda: PointerReader(SYMBOLS, EMBEDDING, HIDDEN, score_size=SCORE),
    "three layers": lambda: PointerReader(
        SYMBOLS, EMBEDDING, HIDDEN, score_size=SCORE, layers=3, directions=1
    ),
    "two layers both ways": lambda: PointerReader(
        SYMBOLS, EMBEDDING, HIDDEN, score_size=SCORE, layers=2
    ),
    "window": lambda: PointerReader(SYMBOLS, EMBEDDING, HIDDEN, score_size=SCORE, reach=2),
    "flattened": lambda: FlattenedReader(SYMBOLS, EMBEDDING, HIDDEN, longest=LONGEST),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(3)


def batch(lengths=LENGTHS):
    sources = torch.randint(4, SYMBOLS, (len(lengths), max(lengths)))
    lengths = torch.tensor(lengths)
    return sources * (torch.arange(sources.shape[1]) < lengths[:, None]), lengths


# ---- by hand


def lstm(rnn, name, inputs, state):
    """One layer over a word: the states h_1 .. h_n and the last c."""
    W, U, b, d = (getattr(rnn, f"{part}_{name}") for part in PARTS)
    h, c = state
    states = []
    for x in inputs:
        i, f, g, o = (W @ x + b + U @ h + d).chunk(4)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        states.append(h)
    return states, (h, c)


PARTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def annotate(model, word):
    """Annotations and last states, one letter and one layer after another."""
    nothing = (torch.zeros(HIDDEN), torch.zeros(HIDDEN))
    below, last = [model.embedding.weight[letter] for letter in word], []
    for layer in range(model.rnn.num_layers):
        above, end = lstm(model.rnn, f"l{layer}", below, nothing)
        last.append(end)
        if model.rnn.bidirectional:
            back, end = lstm(model.rnn, f"l{layer}_reverse", below[::-1], nothing)
            above = [torch.cat(pair) for pair in zip(above, back[::-1], strict=True)]
            last.append(end)
        below = above
    return below, last


def window(model, word, j):
    """The letters around place j, and zeros beyond the word."""
    places = range(j - model.reach, j + model.reach + 1)
    letters = [
        model.embedding.weight[word[k]] if 0 <= k < len(word) else torch.zeros(EMBEDDING)
        for k in places
    ]
    return torch.tanh(model.window.weight @ torch.cat(letters) + model.window.bias)


def point_by_hand(model, word):
    annotations, last = annotate(model, word)
    directions = 1 + model.rnn.bidirectional
    summary = torch.cat([h for h, _ in last[-directions:]])
    d = torch.tanh(model.ask.weight @ summary + model.ask.bias)
    W, U, v = (
        model.score.query_projection.weight,
        model.score.key_projection.weight,
        model.score.energy.weight[0],
    )
    powers = [torch.exp(v @ torch.tanh(W @ d + U @ h)) for h in annotations]
    alpha = torch.stack([power / sum(powers) for power in powers])
    values = annotations
    if model.reach is not None:
        values = [window(model, word, j) for j in range(len(word))]
    c = sum(a * value for a, value in zip(alpha, values, strict=True))
    joined = c if model.reach is not None else torch.cat([c, d])
    return model.readout.weight @ joined + model.readout.bias, alpha


def flatten_by_hand(model, word):
    annotations, last = annotate(model, word)
    x = model.flat.bias.clone()
    for j, h in enumerate(annotations):
        x = x + model.flat.weight[0, j * HIDDEN : (j + 1) * HIDDEN] @ h
    o = [x]
    for layer, state in enumerate(last):
        o, _ = lstm(model.decoder, f"l{layer}", o, state)
    scores = (model.places.weight @ o[0] + model.places.bias)[: len(word)]
    return model.readout.weight @ o[0] + model.readout.bias, scores.exp() / scores.exp().sum()


@every_kind
@torch.no_grad()
def test_equals_the_equations_by_loops(kind):
    model, (sources, lengths) = KINDS[kind](), batch()
    logits, weights = model(sources, lengths)
    assert logits.shape == (len(LENGTHS), 1, SYMBOLS)
    assert weights.shape == (len(LENGTHS), 1, max(LENGTHS))
    by_hand = flatten_by_hand if kind == "flattened" else point_by_hand
    for row, length in enumerate(LENGTHS):
        expected, alpha = by_hand(model, sources[row, :length].tolist())
        torch.testing.assert_close(logits[row, 0], expected)
        torch.testing.assert_close(weights[row, 0, :length], alpha)
        assert not weights[row, 0, length:].any()


# ---- what each can do


@every_kind
@torch.no_grad()
def test_padding_changes_nothing(kind):
    model, (sources, lengths) = KINDS[kind](), batch()
    logits, weights = model(sources, lengths)
    for row, length in enumerate(LENGTHS):
        alone = model(sources[row : row + 1, :length], lengths[row : row + 1])
        torch.testing.assert_close(alone[0][0], logits[row])
        torch.testing.assert_close(alone[1][0], weights[row, :, :length])
    changed = sources + (sources == 0) * 7
    torch.testing.assert_close(model(changed, lengths)[0], logits)


def test_without_a_loss_on_the_place_nothing_flattened_is_told_where():
    """The letter alone teaches a pointer's weights something, and the flattened places nothing."""
    sources, lengths = batch()
    for kind, taught in (("pointer", True), ("window", True), ("flattened", False)):
        model = KINDS[kind]()
        model(sources, lengths)[0].logsumexp(-1).sum().backward()
        part = model.places if kind == "flattened" else model.score.energy
        assert (part.weight.grad is not None and bool(part.weight.grad.any())) is taught


def test_mend_writes_one_letter_where_it_looks():
    vocabulary = typo_vocabulary()
    model = PointerReader(len(vocabulary), EMBEDDING, HIDDEN)
    texts = ["attemd", "wrd", "documentatiom"]
    for text, mending in zip(texts, mend(model, texts, vocabulary), strict=True):
        assert mending.weights.shape == (len(text),)
        assert mending.place == mending.weights.argmax()
        assert mending.letters.shape == (26,)
        assert mending.letters.sum() == pytest.approx(1, abs=1e-5)
        assert mending.letter == vocabulary.symbols[mending.letters.argmax()]
        assert mending.text == text[: mending.place] + mending.letter + text[mending.place + 1 :]


def test_mend_never_writes_a_special_symbol():
    vocabulary = Vocabulary("xyz")
    model = PointerReader(len(vocabulary), EMBEDDING, HIDDEN)
    with torch.no_grad():
        model.readout.bias[:4] += 100
    assert mend(model, ["xy", "q"], vocabulary)[0].letter in "xyz"


SOURCES, COUNTS = batch()
REFUSED = {
    mend: [
        (
            (KINDS["pointer"](), ["ab", ""], typo_vocabulary()),
            "at least 1 letter; got an empty one",
        )
    ],
    KINDS["flattened"](): [(batch((LONGEST + 1,)), r"at most 11 letters.*got 12")],
    KINDS["pointer"](): [
        ((SOURCES, COUNTS - 1), "a source is empty"),
        ((SOURCES, COUNTS + 1), "lengths must be at most 11"),
        ((SOURCES + SYMBOLS, COUNTS), "source symbols must be numbers from 0 to 12"),
    ],
}
