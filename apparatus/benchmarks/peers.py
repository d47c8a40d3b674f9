"""Two readers of dates built from other packages, and trained as their authors train them.

A peer is a module that is called like the course's models, ``forward(sources, lengths, targets)``,
with the greedy search of its own package. It is trained as its authors published, batch by batch:
initialisation, loss, optimiser, clipping, sizes. All sources of a batch have the same length, so no
peer spends time on padding, as all of them would outside this benchmark.
"""

import torch
from d2l import torch as d2l
from joeynmt.batch import Batch as JoeyBatch
from joeynmt.builders import build_gradient_clipper, build_optimizer
from joeynmt.model import build_model
from joeynmt.search import recurrent_greedy
from torch import Tensor, nn

from attn_course.tasks.corpus import Batch
from attn_course.tasks.vocabulary import END, PADDING, START, UNKNOWN

CPU = torch.device("cpu")


class D2L(nn.Module):
    """Dive into Deep Learning: two stacked GRUs on either side, additive attention.

    The encoder, the attention, the loss, the optimiser and the greedy search are in the package;
    the decoder is only in the book (section 11.4), so it is assembled here from parts.
    The default sizes and the dropout are those of that section.
    """

    def __init__(
        self,
        source_symbols: int,
        target_symbols: int,
        *,
        embedding_size: int = 256,
        state_size: int = 256,
        layers: int = 2,
        dropout: float = 0.2,
    ):
        super().__init__()
        sizes = (embedding_size, state_size, layers, dropout)
        encoder = d2l.Seq2SeqEncoder(source_symbols, *sizes)
        decoder = D2LDecoder(target_symbols, *sizes)
        self.whole = d2l.Seq2Seq(encoder, decoder, tgt_pad=PADDING, lr=D2LTraining.learning_rate)
        symbol = torch.ones(1, 1, dtype=torch.long)
        self.whole(symbol, symbol, symbol[0])  # lazy layers take their sizes from the first call

    def forward(self, sources: Tensor, lengths: Tensor, targets: Tensor) -> tuple[Tensor, None]:
        return self.whole(sources, _after_start(targets)[:, :-1], lengths), None

    def greedy(self, sources: Tensor, lengths: Tensor, longest: int) -> Tensor:
        starts = torch.full_like(sources[:, :1], START)
        return self.whole.predict_step((sources, starts, lengths, starts), CPU, longest)[0]


class D2LDecoder(d2l.AttentionDecoder):
    """The query is the top state before each step, as in Bahdanau et al."""

    def __init__(self, symbols: int, embedding_size: int, state_size: int, layers: int, dropout):
        super().__init__()
        self.embedding = nn.Embedding(symbols, embedding_size)
        self.attention = d2l.AdditiveAttention(state_size, dropout)
        self.rnn = nn.GRU(embedding_size + state_size, state_size, layers, dropout=dropout)
        self.dense = nn.LazyLinear(symbols)
        self.apply(d2l.init_seq2seq)

    def init_state(self, encoded, lengths):
        annotations, state = encoded
        return annotations.transpose(0, 1), state, lengths

    def forward(self, symbols, memory):
        annotations, state, lengths = memory
        outputs = []
        for previous in self.embedding(symbols).unbind(dim=1):
            query = state[-1].unsqueeze(1)
            context = self.attention(query, annotations, annotations, lengths).squeeze(1)
            output, state = self.rnn(torch.cat([context, previous], dim=-1)[None], state)
            outputs.append(output)
        return self.dense(torch.cat(outputs)).transpose(0, 1), (annotations, state, lengths)


class D2LTraining:
    """Batch, rate and clipping of the book's section 11.4; Adam is in the package's ``Seq2Seq``."""

    batch_size = 128
    learning_rate = 0.005
    clip = 1

    def __init__(self, model: D2L):
        self.model = model
        self.optimiser = model.whole.configure_optimizers()

    def update(self, batch: Batch) -> None:
        logits, _ = self.model(batch.sources, batch.lengths, batch.targets)
        loss = self.model.whole.loss(logits, batch.targets)
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimiser.step()


# The configuration of JoeyNMT's own tutorial (docs/source/tutorial.rst and configs/rnn_reverse.yaml
# of version 2.3.0): short strings of symbols, on a CPU. Of its published recurrent configurations
# it was the first to reach the bar. One word is changed: the attention, there
# "luong". Its plateau rule is left out, since it waits for 5,000 batches without progress.
JOEY_TRAINING = {
    "optimizer": "adamw",
    "adam_betas": (0.9, 0.999),  # the package's default
    "learning_rate": 0.001,
    "weight_decay": 0.0,
    "clip_grad_norm": 1.0,
    "clip_grad_val": None,
    "batch_size": 12,
    "batch_multiplier": 2,
    "normalization": "batch",  # the package's default
}
JOEY_MODEL = {
    "initializer": "xavier_uniform",
    "embed_initializer": "normal",
    "embed_init_weight": 0.1,
    "bias_initializer": "zeros",
    "init_rnn_orthogonal": False,
    "lstm_forget_gate": 0.0,
    "encoder": {
        "type": "recurrent",
        "rnn_type": "lstm",
        "embeddings": {"embedding_dim": 16, "scale": False},
        "hidden_size": 64,
        "bidirectional": True,
        "dropout": 0.1,
        "num_layers": 1,
        "activation": "tanh",
    },
    "decoder": {
        "type": "recurrent",
        "rnn_type": "lstm",
        "embeddings": {"embedding_dim": 16, "scale": False},
        "hidden_size": 64,
        "dropout": 0.1,
        "hidden_dropout": 0.1,
        "num_layers": 1,
        "activation": "tanh",
        "input_feeding": True,
        "init_hidden": "zero",
        "attention": "bahdanau",
    },
}


class JoeyNMT(nn.Module):
    """JoeyNMT: model, initialisation and greedy search as its package configures them."""

    def __init__(self, source_symbols: int, target_symbols: int, settings: dict = JOEY_MODEL):
        super().__init__()
        vocabularies = (JoeyVocabulary(source_symbols), JoeyVocabulary(target_symbols))
        self.whole = build_model(settings, *vocabularies)
        self.whole.loss_function = ("crossentropy", 0.0)

    def forward(self, sources: Tensor, lengths: Tensor, targets: Tensor) -> tuple[Tensor, None]:
        memory = self._read(sources, lengths)
        inputs = _after_start(targets)[:, :-1]
        steps = inputs.shape[1]
        return self.whole("decode", trg_input=inputs, unroll_steps=steps, **memory)[0], None

    def greedy(self, sources: Tensor, lengths: Tensor, longest: int) -> Tensor:
        memory = self._read(sources, lengths)
        return recurrent_greedy(max_output_length=longest, model=self.whole, **memory)[0]

    def _read(self, sources: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        readable = (sources != PADDING).unsqueeze(1)
        annotations, last, _, _ = self.whole(
            "encode", src=sources, src_length=lengths, src_mask=readable
        )
        return {"encoder_output": annotations, "encoder_hidden": last, "src_mask": readable}


class JoeyTraining:
    """A step as in JoeyNMT's trainer, with the package's loss, optimiser and clipping."""

    batch_size = JOEY_TRAINING["batch_size"]
    gathered = JOEY_TRAINING["batch_multiplier"]  # batches per step of the optimiser

    def __init__(self, model: JoeyNMT):
        self.model = model
        self.optimiser = build_optimizer(JOEY_TRAINING, model.parameters())
        self.clip = build_gradient_clipper(JOEY_TRAINING)
        self.batches = 0

    def update(self, batch: Batch) -> None:
        targets, rows = _after_start(batch.targets), torch.arange(len(batch.sources))
        whole = JoeyBatch(
            batch.sources, batch.lengths, None, targets, None, rows, CPU, PADDING, END
        )
        loss = self.model.whole("loss", **vars(whole))[0]
        normalization = JOEY_TRAINING["normalization"]
        whole.normalize(loss, normalization, n_accumulation=self.gathered).backward()
        self.batches += 1
        if self.batches % self.gathered == 0:
            self.clip(self.model.parameters())
            self.optimiser.step()
            self.optimiser.zero_grad()


def d2l_in_our_size(source_symbols: int, target_symbols: int) -> D2L:
    """D2L's parts in the course's sizes; its encoder and decoder have the same width."""
    return D2L(
        source_symbols, target_symbols, embedding_size=48, state_size=96, layers=1, dropout=0.0
    )


def joeynmt_in_our_size(source_symbols: int, target_symbols: int) -> JoeyNMT:
    """JoeyNMT's parts in the course's sizes; its score is as wide as the decoder."""
    small = {"type": "recurrent", "rnn_type": "gru", "num_layers": 1, "dropout": 0.0}
    encoder = small | {"embeddings": {"embedding_dim": 48}, "hidden_size": 48}
    decoder = small | {"embeddings": {"embedding_dim": 16}, "hidden_size": 96}
    return JoeyNMT(source_symbols, target_symbols, {"encoder": encoder, "decoder": decoder})


class JoeyVocabulary:
    """What JoeyNMT needs of a vocabulary, with the course's symbol numbers."""

    pad_index, bos_index, eos_index, unk_index, sep_index = PADDING, START, END, UNKNOWN, None
    specials, lang_tags = (), []

    def __init__(self, size: int):
        self.size = size

    def __len__(self) -> int:
        return self.size


def _after_start(targets: Tensor) -> Tensor:
    """The targets, each preceded by the start symbol."""
    return torch.cat([torch.full_like(targets[:, :1], START), targets], dim=1)
