"""Right and wrong answers to `attn_course.classroom.exercises.patching.cache_bytes`."""


def by_heads_per_group(blocks, heads, groups, part, positions, bits):
    kept = blocks * positions * groups * (part + part) * bits / 8
    return kept, kept * (heads / groups)


def as_whole_numbers(blocks, heads, groups, part, positions, bits):
    def count(sets):
        return 2 * blocks * sets * part * positions * bits // 8

    return count(groups), count(heads)


def only_one(blocks, heads, groups, part, positions, bits):
    return 2 * blocks * groups * part * positions * bits / 8


def keys_alone(blocks, heads, groups, part, positions, bits):
    kept = blocks * groups * part * positions * bits / 8
    return kept, kept * heads / groups


def one_block(blocks, heads, groups, part, positions, bits):
    return 2 * groups * part * positions * bits / 8, 2 * heads * part * positions * bits / 8


def swapped(blocks, heads, groups, part, positions, bits):
    return by_heads_per_group(blocks, heads, groups, part, positions, bits)[::-1]


def part_shared_out(blocks, heads, groups, part, positions, bits):
    kept = 2 * blocks * groups * part * positions * bits / 8
    return kept, kept


def squared(blocks, heads, groups, part, positions, bits):
    kept = 2 * blocks * groups * part * positions * positions * bits / 8
    return kept, kept * heads / groups


def in_bits(blocks, heads, groups, part, positions, bits):
    numbers = 2 * blocks * part * positions
    return numbers * groups * bits, numbers * heads * bits


def in_numbers(blocks, heads, groups, part, positions, bits):
    numbers = 2 * blocks * part * positions
    return numbers * groups, numbers * heads


def heads_divided(blocks, heads, groups, part, positions, bits):
    numbers = 2 * blocks * part * positions * bits / 8
    return numbers * groups, numbers * groups * groups


def whole_bytes_each(blocks, heads, groups, part, positions, bits):
    numbers = 2 * blocks * part * positions * max(bits // 8, 1)
    return numbers * groups, numbers * heads


def unknown_name(blocks, heads, groups, part, positions, bits):
    return 2 * blocks * groups * part * length, 0  # noqa: F821


RIGHT = [by_heads_per_group, as_whole_numbers]
WRONG = {
    only_one: "two_numbers",
    keys_alone: "groups_are_kept",
    one_block: "groups_are_kept",
    swapped: "groups_are_kept",
    squared: "groups_are_kept",
    in_bits: "groups_are_kept",
    part_shared_out: "heads_of_their_own",
    heads_divided: "heads_of_their_own",
    in_numbers: "bits_become_bytes",
    whole_bytes_each: "bits_become_bytes",
    unknown_name: "runs",
}
