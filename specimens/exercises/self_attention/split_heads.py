"""Right and wrong answers to `attn_course.classroom.exercises.self_attention.split_heads`."""

import torch


def by_slices(vectors, heads):
    return torch.stack(vectors.chunk(heads, dim=-1))


def by_permute(vectors, heads):
    return vectors.reshape(len(vectors), heads, -1).permute(1, 0, 2)


def viewed_at_once(vectors, heads):
    return vectors.reshape(heads, len(vectors), -1)


def not_swapped(vectors, heads):
    return vectors.reshape(len(vectors), heads, -1)


def every_other_entry(vectors, heads):
    return vectors.reshape(len(vectors), -1, heads).permute(2, 0, 1)


def heads_in_reverse(vectors, heads):
    return by_slices(vectors, heads).flip(0)


def parts_before_positions(vectors, heads):
    return by_slices(vectors, heads).transpose(1, 2)


def first_head_alone(vectors, heads):
    return by_slices(vectors, heads)[:1]


def cut_into_parts(vectors, heads):
    return vectors.reshape(heads, vectors.shape[1], -1)


def by_columns(vectors, heads):
    return vectors.T.reshape(heads, -1, len(vectors)).mT


def slices_of_so_many(vectors, heads):
    return torch.stack(vectors[:, : heads * (heads + 1)].split(heads, dim=-1))


RIGHT = [by_slices, by_permute, by_columns]
WRONG = {
    viewed_at_once: "keeps_positions_apart",
    not_swapped: "has_the_axes",
    every_other_entry: "heads_are_slices",
    heads_in_reverse: "heads_are_slices",
    parts_before_positions: "has_the_axes",
    first_head_alone: "has_the_axes",
    cut_into_parts: "runs",
    slices_of_so_many: "has_the_axes",
}
