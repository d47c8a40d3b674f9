"""The encoder: an annotation for each source position."""

from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attn_course._check import expect_symbols, is_whole
from attn_course._values import describe, expect_choice, expect_counts

CELLS = {"gru": nn.GRU, "lstm": nn.LSTM}


class Encoder(nn.Module):
    """Annotate each source symbol with what comes before and after it.

        h→_j = f(x_j, h→_{j-1})      h←_j = f(x_j, h←_{j+1})      h_j = [h→_j ; h←_j]
                                                   Bahdanau et al. 2015, section 3.2

    One direction alone would annotate the first symbol without having seen any other. Each half
    also carries its neighbours along, so an annotation describes a *place* rather than a single
    symbol. This is why attention may look one position aside and still read the right thing.

    Padding never reaches an annotation: the backward direction starts at the last real symbol.
    Annotations of padded positions are zero.

    vocabulary_size  symbols, with padding as symbol 0
    hidden_size      of one direction; an annotation has twice as many entries
    cell             "gru" or "lstm"
    directions       2, or 1 to read from the left only: h_j is then h→_j alone
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_size: int,
        hidden_size: int,
        cell: str = "gru",
        directions: int = 2,
    ):
        super().__init__()
        expect_counts(
            vocabulary_size=vocabulary_size, embedding_size=embedding_size, hidden_size=hidden_size
        )
        expect_choice("cell", cell, CELLS)
        if not isinstance(directions, int) or directions not in (1, 2):
            raise ValueError(f"directions must be 1 or 2; got {directions!r}")
        self.annotation_size = directions * hidden_size
        self.embedding = nn.Embedding(vocabulary_size, embedding_size)
        self.rnn = CELLS[cell](
            embedding_size, hidden_size, batch_first=True, bidirectional=directions == 2
        )

    def forward(
        self, sources: Int[Tensor, "batch source"], lengths: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch source annotation"]:
        """The annotations of each source; ``lengths`` says how much of a row is real."""
        self._check(sources, lengths)
        embedded = self.embedding(sources.long())
        source = sources.shape[1]
        if (lengths == source).all():  # nothing is padded: no need to pack
            return self.rnn(embedded)[0]
        packed = pack_padded_sequence(
            embedded, lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        return pad_packed_sequence(self.rnn(packed)[0], batch_first=True, total_length=source)[0]

    def _check(self, sources: Tensor, lengths: Tensor) -> None:
        if not is_whole(sources) or sources.dim() != 2:
            raise ValueError(
                f"sources must be symbol numbers (batch source); got {describe(sources)}"
            )
        if sources.numel() == 0:
            raise ValueError(f"sources must hold at least 1 symbol; got {describe(sources)}")
        if not is_whole(lengths) or lengths.shape != sources.shape[:1]:
            raise ValueError(
                f"lengths must be whole numbers, one entry per source, ({sources.shape[0]},); "
                f"got {describe(lengths)}"
            )
        if lengths.min() < 1:
            raise ValueError("a source is empty: each needs at least 1 symbol")
        if lengths.max() > sources.shape[1]:
            raise ValueError(
                f"lengths must be at most {sources.shape[1]}, the width of the batch; "
                f"got {lengths.max().item()}"
            )
        expect_symbols("source symbols", sources, self.embedding.num_embeddings)
