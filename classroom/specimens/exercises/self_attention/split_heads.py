"""Right and wrong answers to `attn_class.exercises.self_attention.split_heads`."""

import torch

from specimens.answers import changed, named


def by_slices(vectors, heads):
    return torch.stack(vectors.chunk(heads, dim=-1))


def by_permute(vectors, heads):
    return vectors.reshape(len(vectors), heads, -1).permute(1, 0, 2)


def by_columns(vectors, heads):
    return vectors.T.reshape(heads, -1, len(vectors)).mT


RIGHT = [by_slices, by_permute, by_columns]
WRONG = {
    "keeps_positions_apart": named(
        viewed_at_once=lambda vectors, heads: vectors.reshape(heads, len(vectors), -1)
    ),
    "has_the_axes": named(
        not_swapped=lambda vectors, heads: vectors.reshape(len(vectors), heads, -1),
        parts_before_positions=lambda vectors, heads: by_slices(vectors, heads).transpose(1, 2),
        first_head_alone=lambda vectors, heads: by_slices(vectors, heads)[:1],
        slices_of_so_many=changed(by_slices, ".chunk", "[:, : heads * (heads + 1)].split"),
    ),
    "heads_are_slices": named(
        every_other_entry=lambda vectors, heads: vectors.reshape(len(vectors), -1, heads).permute(
            2, 0, 1
        ),
        heads_in_reverse=lambda vectors, heads: by_slices(vectors, heads).flip(0),
    ),
    "runs": named(
        cut_into_parts=lambda vectors, heads: vectors.reshape(heads, vectors.shape[1], -1)
    ),
}
