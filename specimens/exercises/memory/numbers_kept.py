"""Right and wrong answers to `attn_course.classroom.exercises.memory.numbers_kept`."""

from specimens.answers import named


def with_an_if(positions, groups, key_size, value_size, window):
    if window is not None and window < positions:
        positions = window
    return positions * groups * (key_size + value_size), key_size * value_size * groups


def as_floats(positions, groups, key_size, value_size, window):
    read = float(min(positions, window or positions))
    return read * groups * (key_size + value_size), float(groups * key_size * value_size)


def matrix_by_position(positions, groups, key_size, value_size, window):
    both = groups * key_size * value_size
    return positions * groups * (key_size + value_size), positions * both


def window_on_each_side(positions, groups, key_size, value_size, window):
    window = None if window is None else 2 * window + 1
    return with_an_if(positions, groups, key_size, value_size, window)


def matrix_of_what_was_read(positions, groups, key_size, value_size, window):
    read = positions if window is None else min(positions, window)
    pairs = groups * read * (key_size + value_size)
    return pairs, groups * min(read, key_size) * value_size


def all_scores(positions, groups, key_size, value_size, window):
    read = positions if window is None else min(positions, window)
    return groups * read**2, groups * key_size * value_size


RIGHT = [with_an_if, as_floats]
WRONG = {
    "two_numbers": named(
        one_number=lambda positions, groups, key_size, value_size, window: (
            groups * positions * (key_size + value_size)
        )
    ),
    "attention_keeps_pairs": named(
        all_scores,
        keys_alone=lambda positions, groups, key_size, value_size, window: (
            positions * groups * key_size,
            groups * key_size * value_size,
        ),
        products_of_sizes=lambda positions, groups, key_size, value_size, window: (
            positions * groups * key_size * value_size,
            groups * key_size * value_size,
        ),
        one_group=lambda positions, groups, key_size, value_size, window: (
            positions * (key_size + value_size),
            groups * key_size * value_size,
        ),
        swapped=lambda *given: with_an_if(*given)[::-1],
    ),
    "a_matrix_does_not_grow": named(
        matrix_by_position,
        matrix_of_what_was_read,
        matrix_without_groups=lambda positions, groups, key_size, value_size, window: (
            positions * groups * (key_size + value_size),
            key_size * value_size,
        ),
    ),
    "a_window_keeps_its_positions": named(
        window_on_each_side,
        without_the_window=lambda positions, groups, key_size, value_size, window: with_an_if(
            positions, groups, key_size, value_size, None
        ),
    ),
    "a_wide_window_keeps_the_source": named(
        window_for_positions=lambda positions, groups, key_size, value_size, window: with_an_if(
            window or positions, groups, key_size, value_size, None
        )
    ),
    "runs": named(
        window_without_a_case=lambda positions, groups, key_size, value_size, window: (
            min(positions, window) * groups * (key_size + value_size),
            groups * key_size * value_size,
        )
    ),
}
