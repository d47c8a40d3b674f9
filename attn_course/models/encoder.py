"""The encoder: an annotation for each source position."""

from typing import Literal

from jaxtyping import Float, Int
from torch import Tensor, nn

from attn_course._check import expect_sources
from attn_course._signature import checked
from attn_course._values import Count, Directions
from attn_course.models._padded import annotate

Cell = Literal["gru", "lstm"]
CELLS = {"gru": nn.GRU, "lstm": nn.LSTM}


class Encoder(nn.Module):
    """Annotate each source symbol with what comes before and after it.

        h→_j = f(x_j, h→_{j-1})      h←_j = f(x_j, h←_{j+1})      h_j = [h→_j ; h←_j]
                                                   Bahdanau et al. 2015, section 3.2

    One direction alone would annotate the first symbol without having seen any other. Each half
    also carries information about neighbouring symbols, so an annotation describes a *place* rather
    than a single symbol. This is why attention may look at the position next to the right one and
    still read the right thing.

    Padding never reaches an annotation: the backward direction starts at the last real symbol.
    Annotations of padded positions are zero.

    vocabulary_size  symbols, with padding as symbol 0
    embedding_size   of a source symbol
    hidden_size      of one direction; with two, an annotation has twice as many entries
    cell             "gru" or "lstm"
    directions       2, or 1 to read from the left only: h_j is then h→_j alone
    """

    @checked
    def __init__(
        self,
        vocabulary_size: Count,
        embedding_size: Count,
        hidden_size: Count,
        cell: Cell = "gru",
        directions: Directions = 2,
    ):
        super().__init__()
        self.annotation_size = directions * hidden_size
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        self.rnn = CELLS[cell](
            embedding_size, hidden_size, batch_first=True, bidirectional=directions == 2
        )

    def forward(
        self, sources: Int[Tensor, "batch source"], lengths: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch source annotation"]:
        """The annotations of each source; ``lengths`` are the numbers of its real symbols."""
        expect_sources(sources, lengths, self.embedding.num_embeddings)
        return annotate(self.rnn, self.embedding(sources.long()), lengths)[0]
