"""Readers that point: where in this word is the mistake, and which letter belongs there?

Three ways to read annotations. `PointerReader` looks with attention, and its weights are the
answer; with ``reach``, it reads only the few letters around each place. `FlattenedReader` lays all
annotations end to end and multiplies once, as one of the notes behind this book does.
"""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course import masks
from attn_course._check import expect_sources
from attn_course._signature import checked
from attn_course._values import Count, CountOrZero, Directions, Some, expect_count
from attn_course.alignment import AdditiveScore
from attn_course.context import context_vectors
from attn_course.models._padded import annotate
from attn_course.tasks.corpus import pad
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.weights import attention_weights


class Read(NamedTuple):
    """What a reader knows of its sources before it looks for the mistake.

    embedded     (batch source embedding)    each letter alone
    annotations  (batch source annotation)   each letter with what surrounds it; padding is 0
    summary      (batch annotation)          the last state of each direction
    states       the last states of all layers, as `nn.LSTM` returns them
    readable     (batch 1 source)            which positions are not padding
    """

    embedded: Tensor
    annotations: Tensor
    summary: Tensor
    states: tuple[Tensor, Tensor]
    readable: Tensor


class Mending(NamedTuple):
    """What a reader makes of one wrong word.

    place    the position with the largest weight, from 0
    letter   the letter that it would write there
    text     the word with this letter in that place
    weights  how likely each position is the wrong one
    letters  how likely each letter of the vocabulary is the right one, in its order
    """

    place: int
    letter: str
    text: str
    weights: np.ndarray
    letters: np.ndarray


class WordReader(nn.Module):
    """Annotate the letters of a word with an LSTM; the part that all readers share.

    Sources and lengths may lie on any device; they are read where the parameters are.

    vocabulary_size  symbols, with padding as symbol 0
    hidden_size      of one direction and layer
    layers           how many LSTMs are stacked
    directions       2, or 1 to read from the left only
    """

    @checked
    def __init__(
        self,
        vocabulary_size: Count,
        embedding_size: Count,
        hidden_size: Count,
        *,
        layers: Count = 1,
        directions: Directions = 2,
    ):
        super().__init__()
        self.annotation_size = directions * hidden_size
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        self.rnn = nn.LSTM(
            embedding_size, hidden_size, layers, batch_first=True, bidirectional=directions == 2
        )

    def read(self, sources: Int[Tensor, "batch source"], lengths: Int[Tensor, "batch"]) -> Read:
        """Read whole words, once; padding changes nothing."""
        expect_sources(sources, lengths, self.embedding.num_embeddings)
        at = self.embedding.weight.device
        sources, lengths = sources.to(at), lengths.to(at)
        embedded = self.embedding(sources.long())
        annotations, states = annotate(self.rnn, embedded, lengths)
        directions = 1 + self.rnn.bidirectional
        summary = torch.cat(tuple(states[0][-directions:]), dim=-1)  # of the topmost layer
        return Read(
            embedded, annotations, summary, states, masks.padding(lengths, sources.shape[1])
        )


class PointerReader(WordReader):
    """Look for the mistake with attention; where it looks is the answer.

        d   = tanh(W_d [h→_n ; h←_1])                  what was read, as a query
        e_j = v · tanh(W_a d + U_a h_j)                Bahdanau et al. 2015
        α   = softmax(e)        p(place = j) = α_j     a pointer, Vinyals et al. 2015
        c   = Σ_j α_j v_j       p(letter) = softmax(W_o [c ; d])

    The values v_j are the annotations. As d has read the whole word too, the letter can be named
    without a look, and nothing makes the weights point at the mistake unless a loss says so.
    With a ``reach`` of r, v_j is made of the letters x_{j-r} .. x_{j+r} alone, and W_o reads c
    alone.

    No array depends on how long a word is, so a word may have any length.
    """

    @checked
    def __init__(
        self,
        vocabulary_size: Count,
        embedding_size: Count = 16,
        hidden_size: Count = 64,
        *,
        score_size: Count = 64,
        layers: Count = 1,
        directions: Directions = 2,
        reach: CountOrZero | None = None,
    ):
        super().__init__(
            vocabulary_size, embedding_size, hidden_size, layers=layers, directions=directions
        )
        self.reach = reach
        size = self.annotation_size
        self.ask = nn.Linear(size, hidden_size)  # W_d
        self.score = AdditiveScore(hidden_size, size, score_size)
        if reach is None:
            self.readout = nn.Linear(size + hidden_size, vocabulary_size)  # W_o
        else:
            self.window = nn.Linear((2 * reach + 1) * embedding_size, size)
            self.readout = nn.Linear(size, vocabulary_size)

    def forward(
        self,
        sources: Int[Tensor, "batch source"],
        lengths: Int[Tensor, "batch"],
        targets: Tensor | None = None,
    ) -> tuple[Float[Tensor, "batch 1 symbol"], Float[Tensor, "batch 1 source"]]:
        """The logits of the right letter, and the weights. One step needs no ``targets``."""
        read = self.read(sources, lengths)
        query = torch.tanh(self.ask(read.summary)).unsqueeze(1)
        weights = attention_weights(self.score(query, read.annotations), read.readable)
        if self.reach is None:
            context = context_vectors(weights, read.annotations)
            return self.readout(torch.cat([context, query], dim=-1)), weights
        context = context_vectors(weights, self.windows(read))
        return self.readout(context), weights

    def windows(self, read: Read) -> Float[Tensor, "batch source annotation"]:
        """tanh(W [x_{j-r} ; .. ; x_{j+r}]); what lies outside of the word is 0."""
        reach = expect_count("reach", self.reach, least=0)
        letters = read.embedded * read.readable.transpose(1, 2)
        beside = F.pad(letters, (0, 0, reach, reach)).unfold(1, 2 * reach + 1, 1)
        return torch.tanh(self.window(beside.transpose(2, 3).flatten(2)))


class FlattenedReader(WordReader):
    """The read-out of one of the notes, which calls it a cheat: all annotations in one product.

        x        = w · [h_1 ; .. ; h_N] + b            N is the longest word, the rest is 0
        o        = LSTM(x), from the encoder's last states, one step
        p(place) = softmax(W_p o)    p(letter) = softmax(W_o o)

    w has entries of its own for each place, and W_p a row: what is learnt at one place does not
    carry over to another, and a word longer than N does not fit. A single number enters the
    decoder; the rest of what it knows comes from the encoder's last states, a fixed context.

    longest  N, in letters; a longer word is a ValueError
    """

    @checked
    def __init__(
        self,
        vocabulary_size: Count,
        embedding_size: Count = 16,
        hidden_size: Count = 64,
        *,
        longest: Count = 12,
        layers: Count = 3,
    ):
        super().__init__(vocabulary_size, embedding_size, hidden_size, layers=layers, directions=1)
        self.longest = longest
        self.flat = nn.Linear(longest * hidden_size, 1)  # w and b
        self.decoder = nn.LSTM(1, hidden_size, layers, batch_first=True)
        self.places = nn.Linear(hidden_size, longest)  # W_p
        self.readout = nn.Linear(hidden_size, vocabulary_size)  # W_o

    def forward(
        self,
        sources: Int[Tensor, "batch source"],
        lengths: Int[Tensor, "batch"],
        targets: Tensor | None = None,
    ) -> tuple[Float[Tensor, "batch 1 symbol"], Float[Tensor, "batch 1 source"]]:
        """The logits of the right letter, and how likely each place is the wrong one."""
        read = self.read(sources, lengths)
        width = sources.shape[1]
        if width > self.longest:
            raise ValueError(
                f"a word may have at most {self.longest} letters, since w has entries for no more; "
                f"got {width}"
            )
        flat = F.pad(read.annotations, (0, 0, 0, self.longest - width)).flatten(1)
        output, _ = self.decoder(self.flat(flat).unsqueeze(1), read.states)
        return self.readout(output), attention_weights(
            self.places(output)[..., :width], read.readable
        )


@checked
@torch.no_grad()
def mend(model: WordReader, texts: Some[str], vocabulary: Vocabulary) -> list[Mending]:
    """What a reader makes of each of these words, replacing one letter in each.

    An empty text is a ValueError. Only letters of the vocabulary are written, never padding, start,
    end or unknown.
    """
    if not all(texts):
        raise ValueError("each of the texts must have at least 1 letter; got an empty one")
    symbols = [vocabulary.encode(text) for text in texts]
    first = len(vocabulary) - len(vocabulary.symbols)
    logits, weights = model(pad(symbols), torch.tensor([len(row) for row in symbols]))
    letters = torch.softmax(logits[:, 0, first:], dim=-1).cpu().numpy()
    mended: list[Mending] = []
    for text, chances, places in zip(texts, letters, weights[:, 0].cpu().numpy(), strict=True):
        place, letter = int(places.argmax()), vocabulary.symbols[int(chances.argmax())]
        text_ = text[:place] + letter + text[place + 1 :]
        mended.append(Mending(place, letter, text_, places[: len(text)], chances))
    return mended
