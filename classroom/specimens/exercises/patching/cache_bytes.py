"""Right and wrong answers to `attn_class.exercises.patching.cache_bytes`."""

from attn_class.exercises.patching.cache_bytes import solution
from specimens.answers import changed, named


def by_heads_per_group(blocks, heads, groups, part, positions, bits):
    kept = blocks * positions * groups * (part + part) * bits / 8
    return kept, kept * (heads / groups)


def as_whole_numbers(blocks, heads, groups, part, positions, bits):
    def count(sets):
        return 2 * blocks * sets * part * positions * bits // 8

    return count(groups), count(heads)


def squared(blocks, heads, groups, part, positions, bits):
    kept = 2 * blocks * groups * part * positions * positions * bits / 8
    return kept, kept * heads / groups


def heads_divided(blocks, heads, groups, part, positions, bits):
    numbers = 2 * blocks * part * positions * bits / 8
    return numbers * groups, numbers * groups * groups


def whole_bytes_each(blocks, heads, groups, part, positions, bits):
    numbers = 2 * blocks * part * positions * max(bits // 8, 1)
    return numbers * groups, numbers * heads


def unknown_name(blocks, heads, groups, part, positions, bits):
    return 2 * blocks * groups * part * length, 0


RIGHT = [by_heads_per_group, as_whole_numbers]
WRONG = {
    "two_numbers": named(only_one=changed(unknown_name, "length, 0", "positions * bits / 8")),
    "groups_are_kept": named(
        squared,
        keys_alone=changed(squared, "2 * blocks", "blocks", "part * positions", "part"),
        one_block=lambda blocks, heads, groups, part, positions, bits: (
            2 * groups * part * positions * bits / 8,
            2 * heads * part * positions * bits / 8,
        ),
        swapped=lambda *given: by_heads_per_group(*given)[::-1],
        in_bits=changed(solution, "groups * bits / 8", "groups * bits", "/ 8", ""),
    ),
    "heads_of_their_own": named(
        heads_divided,
        part_shared_out=changed(squared, "positions * bits", "bits", "* heads / groups", ""),
    ),
    "bits_become_bytes": named(
        whole_bytes_each,
        in_numbers=changed(solution, "groups * bits / 8", "groups", "* bits / 8", ""),
    ),
    "runs": [unknown_name],
}
