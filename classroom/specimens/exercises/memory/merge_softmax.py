import torch


def stacked(one, other):
    highest = torch.stack([one[0], other[0]])
    shares = (highest - highest.amax(dim=0)).exp()
    z = (shares * torch.stack([one[1], other[1]])).sum(dim=0)
    c = (shares[..., None] * torch.stack([one[2], other[2]])).sum(dim=0)
    return highest.amax(dim=0), z, c


def by_loop(one, other):
    rows = []
    for m1, z1, c1, m2, z2, c2 in zip(*one, *other, strict=True):
        m = max(m1, m2)
        s1, s2 = torch.exp(m1 - m), torch.exp(m2 - m)
        rows.append((m, s1 * z1 + s2 * z2, s1 * c1 + s2 * c2))
    return tuple(torch.stack(part) for part in zip(*rows, strict=True))


def by_logarithms(one, other):
    (m1, z1, c1), (m2, z2, c2) = one, other
    a, b, m = m1 + z1.log(), m2 + z2.log(), torch.where(m1 > m2, m1, m2)
    z, share = torch.exp(torch.logaddexp(a, b) - m), torch.sigmoid(a - b)[:, None]
    return m, z, z[:, None] * (share * c1 / z1[:, None] + (1 - share) * c2 / z2[:, None])
