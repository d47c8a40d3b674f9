import torch


def by_slices(vectors, heads):
    return torch.stack(vectors.chunk(heads, dim=-1))


def by_permute(vectors, heads):
    return vectors.reshape(len(vectors), heads, -1).permute(1, 0, 2)


def by_columns(vectors, heads):
    return vectors.T.reshape(heads, -1, len(vectors)).mT
