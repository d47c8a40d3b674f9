"""Bahdanau's translator: it looks back at the source before each token.

    h_j = [h→_j ; h←_j]        e_ij = v · tanh(W s_{i-1} + U h_j)
    α_i = softmax_j(e_i)       c_i = Σ_j α_ij h_j
    s_i = f(s_{i-1}, y_{i-1}, c_i)      p(y_i) = softmax(W_o [s_i ; c_i])
                                     Bahdanau et al. 2015, section 3 and A.2

Tensors of tokens are (batch, position), filled up with `PADDING`.
"""

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PADDING, START, END = range(3)


class Encoder(nn.Module):
    def __init__(self, tokens, embedding_size, annotation_size):
        super().__init__()
        self.embedding = nn.Embedding(tokens, embedding_size)
        sizes = embedding_size, annotation_size // 2  # of each direction
        self.rnn = nn.GRU(*sizes, batch_first=True, bidirectional=True)

    def forward(self, source):
        lengths = (source != PADDING).sum(1).cpu()
        embedded = self.embedding(source)
        packed = pack_padded_sequence(embedded, lengths, True, False)
        return pad_packed_sequence(self.rnn(packed)[0], True)[0]


class Attention(nn.Module):
    def __init__(self, state_size, annotation_size, hidden_size):
        super().__init__()
        self.W = nn.Linear(state_size, hidden_size, bias=False)
        self.U = nn.Linear(annotation_size, hidden_size, bias=False)
        self.v = nn.Linear(hidden_size, 1, bias=False)

    def forward(self, state, annotations, readable):
        meet = torch.tanh(self.W(state)[:, None] + self.U(annotations))
        scores = self.v(meet).squeeze(-1)  # (batch, source)
        weights = scores.masked_fill(~readable, -torch.inf).softmax(-1)
        return (weights[:, None] @ annotations).squeeze(1), weights


class Decoder(nn.Module):
    def __init__(self, tokens, embedding_size, state_size, annotation_size):
        super().__init__()
        self.embedding = nn.Embedding(tokens, embedding_size)
        self.start = nn.Linear(annotation_size // 2, state_size)
        self.attention = Attention(state_size, annotation_size, 48)
        self.cell = nn.GRUCell(embedding_size + annotation_size, state_size)
        self.readout = nn.Linear(state_size + annotation_size, tokens)

    def first_state(self, annotations):
        return torch.tanh(self.start(annotations[:, 0].chunk(2, -1)[1]))

    def forward(self, token, state, *memory):
        context, weights = self.attention(state, *memory)
        seen = torch.cat([self.embedding(token), context], -1)
        state = self.cell(seen, state)
        return self.readout(torch.cat([state, context], -1)), state, weights


class Translator(nn.Module):
    def __init__(self, sources, targets, size=96):
        super().__init__()
        self.encoder = Encoder(sources, 48, size)
        self.decoder = Decoder(targets, 16, size, size)

    def forward(self, source, target=None, longest=10):
        memory = self.encoder(source), source != PADDING
        state, steps = self.decoder.first_state(memory[0]), []
        token = torch.full_like(source[:, 0], START)
        for i in range(longest if target is None else target.shape[1]):
            logits, state, weights = self.decoder(token, state, *memory)
            steps.append((logits, weights))
            token = logits.argmax(-1) if target is None else target[:, i]
        return [torch.stack(parts, 1) for parts in zip(*steps, strict=True)]


def train(model, batches, rate=1e-2):
    adam = torch.optim.AdamW(model.parameters(), rate, betas=(0.9, 0.99))
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1, 0.02, len(batches))
    for source, target in batches:
        logits, _ = model(source, target)
        loss = cross_entropy(logits.mT, target, ignore_index=PADDING)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        falling.step()


if __name__ == "__main__":
    from attn_course.from_scratch.run import read_dates

    read_dates(Translator, train)
