from torch.nn import functional as F


def by_gather(logits, tokens):
    logs = logits.log_softmax(-1)[:, :-1]
    return -logs.gather(-1, tokens[:, 1:, None]).mean()


def one_by_one(logits, tokens):
    losses = []
    for row, rows in zip(tokens, logits, strict=True):
        for i in range(len(row) - 1):
            losses.append(-rows[i].softmax(0)[row[i + 1]].log())
    return sum(losses) / len(losses)


def by_transposing(logits, tokens):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:])
