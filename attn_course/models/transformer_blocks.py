"""The blocks of a Transformer: attention, a small network, and what goes around both."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from attn_course._signature import checked
from attn_course._values import Count, expect_multiple
from attn_course.models._modules import Modules
from attn_course.self_attention import Kept, MultiHeadAttention, sinusoidal_positions

Norm = Literal["pre", "post", "none"]
NORMS: tuple[Norm, ...] = ("pre", "post", "none")
Positions = Literal["rotary", "sinusoidal", "learned", "none"]
POSITIONS: tuple[Positions, ...] = ("rotary", "sinusoidal", "learned", "none")
SPREAD = 0.3  # the standard deviation of embeddings at the start


@checked
@dataclass(frozen=True)
class Design:
    """What the blocks of a Transformer are made of; each part can be left out.

    size          of the vectors, the same from the embedding to the readout
    heads         in each attention; their number divides ``size``
    hidden_size   of the feed-forward network
    norm          "pre" (before each part), "post" (after its sum, as in the paper) or "none"
    positions     "rotary", "sinusoidal", "learned" or "none"
    residual      whether a part adds to what it was given, or replaces it
    feed_forward  whether there is a feed-forward network
    longest       the length of the longest sequence for which "learned" has vectors
    """

    size: Count = 64
    heads: Count = 4
    hidden_size: Count = 128
    norm: Norm = "pre"
    positions: Positions = "rotary"
    residual: bool = True
    feed_forward: bool = True
    longest: Count = 64

    def __post_init__(self):
        expect_multiple("size", self.size, "heads", self.heads)
        if self.positions == "rotary" and self.size // self.heads % 2:
            raise ValueError(
                f"rotary positions need heads with an even number of entries; "
                f"got {self.size} / {self.heads}"
            )


class BlockOutput(NamedTuple):
    """The results of a block.

    vectors  (batch target size)
    cached   the keys and values that its self-attention has read
    inside   (batch head target target) weights on the sequence itself
    across   (batch head target source) weights on the other sequence, None if there is none
    """

    vectors: Tensor
    cached: Kept
    inside: Tensor
    across: Tensor | None

    @property
    def on_source(self) -> Tensor:
        """`across`, of a block that has another sequence to read."""
        if self.across is None:
            raise ValueError("this block has read no other sequence")
        return self.across


class ResidualNorm(nn.Module):
    """What goes around each part of a block: a residual connection and a normalisation.

        "pre"    x + f(norm(x))                       Xiong et al. 2020, figure 1
        "post"   norm(x + f(x))                       Vaswani et al. 2017, section 3.1
        "none"   x + f(x)

    Without ``residual``, "x +" is left out. With "pre", no norm lies on the path from one sum to
    the next, and a single one follows the last block; with "post", there is one after each sum.
    """

    @checked
    def __init__(self, design: Design):
        super().__init__()
        self.norm = nn.Identity() if design.norm == "none" else nn.LayerNorm(design.size)
        self.place, self.residual = design.norm, design.residual

    def enter(self, vectors: Tensor) -> Tensor:
        """The input of the part."""
        return self.norm(vectors) if self.place == "pre" else vectors

    def leave(self, vectors: Tensor, output: Tensor) -> Tensor:
        """The sum, of the input of the part and its output."""
        total = vectors + output if self.residual else output
        return self.norm(total) if self.place == "post" else total


class Block(nn.Module):
    """Self-attention, then attention to another sequence (in a decoder), then a small network.

        x <- x + attention(x, x, x)       x <- x + attention(x, y, y)       x <- x + W_2 relu(W_1 x)
                                                    Vaswani et al. 2017, section 3.1 and figure 1

    Attention moves vectors between positions and the network treats each position on its own;
    nothing else in the block knows that there are positions. `ResidualNorm` says in full what "x +"
    stands for.

    across  whether there is another sequence to read
    """

    @checked
    def __init__(self, design: Design, *, across: bool = False):
        super().__init__()
        self.turns = design.positions == "rotary"
        self.inside = MultiHeadAttention(design.size, design.heads)
        self.around_inside = ResidualNorm(design)
        self.across = MultiHeadAttention(design.size, design.heads) if across else None
        self.around_across = ResidualNorm(design) if across else None
        self.network = None
        if design.feed_forward:
            self.network = nn.Sequential(
                nn.Linear(design.size, design.hidden_size),
                nn.ReLU(),
                nn.Linear(design.hidden_size, design.size),
            )
            self.around_network = ResidualNorm(design)

    def offer(self, annotations: Float[Tensor, "batch source size"]) -> Kept:
        """The keys and values of the other sequence, which no step changes."""
        if self.across is None:
            raise ValueError("this block reads no other sequence")
        self.across.check("annotations", annotations, "batch source annotation")
        return self.across.offer(annotations, annotations)

    def forward(
        self,
        vectors: Float[Tensor, "batch target size"],
        positions: Tensor,
        *,
        readable: Tensor | None = None,
        earlier: Kept | None = None,
        source: Kept | None = None,
        source_readable: Tensor | None = None,
    ) -> BlockOutput:
        """One block over a sequence, or over its latest positions.

        positions        the number of each vector, (target) or (batch target)
        readable         which positions of the sequence itself may be read
        earlier          what this block kept from the positions before these
        source           `offer` of the other sequence
        source_readable  which of its positions may be read
        """
        turned = positions if self.turns else None
        entered = self.around_inside.enter(vectors)
        cached = self.inside.offer(entered, entered, turned)
        cached = cached if earlier is None else earlier.followed_by(cached)
        output, inside = self.inside.look(self.inside.ask(entered, turned), cached, readable)
        vectors, across = self.around_inside.leave(vectors, output), None
        if self.across is not None and self.around_across is not None:
            if source is None:
                raise ValueError("a block that reads another sequence needs a source")
            queries = self.across.ask(self.around_across.enter(vectors))
            output, across = self.across.look(queries, source, source_readable)
            vectors = self.around_across.leave(vectors, output)
        if self.network is not None:
            output = self.network(self.around_network.enter(vectors))
            vectors = self.around_network.leave(vectors, output)
        return BlockOutput(vectors, cached, inside, across)


class Places(nn.Module):
    """What is added to an embedding to say where it stands; "rotary" and "none" add nothing."""

    @checked
    def __init__(self, design: Design):
        super().__init__()
        self.positions, self.longest = design.positions, design.longest
        if design.positions == "learned":
            self.learned = nn.Embedding(design.longest, design.size)
            nn.init.normal_(self.learned.weight, std=SPREAD)

    def forward(
        self, embedded: Float[Tensor, "batch position size"], first: int = 0
    ) -> Float[Tensor, "batch position size"]:
        """The embeddings of the positions from ``first`` on, with their places."""
        end = first + embedded.shape[1]
        if self.positions == "sinusoidal":
            waves = sinusoidal_positions(end, embedded.shape[-1])
            return embedded + waves[first:].to(embedded)
        if self.positions == "learned":
            if end > self.longest:
                raise ValueError(
                    f"there are learnt vectors for {self.longest} positions; got {end}"
                )
            return embedded + self.learned.weight[first:end]
        return embedded


@checked
def embedding(vocabulary_size: Count, size: Count) -> nn.Embedding:
    """An embedding whose entries start small: large ones would drown out what attention adds."""
    table = nn.Embedding(vocabulary_size, size)
    nn.init.normal_(table.weight, std=SPREAD)
    return table


@checked
def stack(design: Design, layers: Count, *, across: bool = False) -> Modules[Block]:
    """Several blocks of one design."""
    return Modules(Block(design, across=across) for _ in range(layers))


@checked
def last_norm(design: Design) -> nn.Module:
    """The norm after the last block, which "pre" needs because its sums are not normalised."""
    return nn.LayerNorm(design.size) if design.norm == "pre" else nn.Identity()
