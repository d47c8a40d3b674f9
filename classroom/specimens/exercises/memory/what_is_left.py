import torch


def by_loop(decays):
    rows = []
    for t in range(len(decays)):
        row = [
            decays[j + 1 : t + 1].prod() if j <= t else 0 * decays[0] for j in range(len(decays))
        ]
        rows.append(torch.stack(row))
    return torch.stack(rows)


def row_by_row(decays):
    size, rows = len(decays), [torch.eye(len(decays))[0]]
    for t in range(1, size):
        rows.append(decays[t] * rows[-1] + torch.eye(size)[t])
    return torch.stack(rows)


def by_columns(decays):
    size = len(decays)
    later = torch.ones(size, size).tril(-1) > 0
    return torch.where(later, decays[:, None], torch.ones(())).cumprod(dim=0).tril()
