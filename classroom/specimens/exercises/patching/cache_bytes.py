def by_heads_per_group(blocks, heads, groups, part, positions, bits):
    numbers = blocks * positions * groups * (part + part) * bits / 8
    return numbers, numbers * (heads / groups)


def as_whole_numbers(blocks, heads, groups, part, positions, bits):
    def count(sets):
        return 2 * blocks * sets * part * positions * bits // 8

    return count(groups), count(heads)
