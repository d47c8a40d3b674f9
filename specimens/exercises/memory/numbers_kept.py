"""Right and wrong answers to `attn_course.classroom.exercises.memory.numbers_kept`."""


def with_an_if(positions, groups, key_size, value_size, window):
    if window is not None and window < positions:
        positions = window
    return positions * groups * (key_size + value_size), key_size * value_size * groups


def as_floats(positions, groups, key_size, value_size, window):
    read = float(min(positions, window or positions))
    return read * groups * (key_size + value_size), float(groups * key_size * value_size)


def one_number(positions, groups, key_size, value_size, window):
    return groups * positions * (key_size + value_size)


def keys_alone(positions, groups, key_size, value_size, window):
    return positions * groups * key_size, groups * key_size * value_size


def products_of_sizes(positions, groups, key_size, value_size, window):
    return positions * groups * key_size * value_size, groups * key_size * value_size


def one_group(positions, groups, key_size, value_size, window):
    return positions * (key_size + value_size), groups * key_size * value_size


def matrix_by_position(positions, groups, key_size, value_size, window):
    both = groups * key_size * value_size
    return positions * groups * (key_size + value_size), positions * both


def matrix_without_groups(positions, groups, key_size, value_size, window):
    return positions * groups * (key_size + value_size), key_size * value_size


def swapped(positions, groups, key_size, value_size, window):
    return with_an_if(positions, groups, key_size, value_size, window)[::-1]


def without_the_window(positions, groups, key_size, value_size, window):
    return with_an_if(positions, groups, key_size, value_size, None)


def window_for_positions(positions, groups, key_size, value_size, window):
    return with_an_if(window or positions, groups, key_size, value_size, None)


def window_on_each_side(positions, groups, key_size, value_size, window):
    window = None if window is None else 2 * window + 1
    return with_an_if(positions, groups, key_size, value_size, window)


def window_without_a_case(positions, groups, key_size, value_size, window):
    return min(positions, window) * groups * (key_size + value_size), groups * key_size * value_size


def matrix_of_what_was_read(positions, groups, key_size, value_size, window):
    read = positions if window is None else min(positions, window)
    pairs = groups * read * (key_size + value_size)
    return pairs, groups * min(read, key_size) * value_size


def all_scores(positions, groups, key_size, value_size, window):
    read = positions if window is None else min(positions, window)
    return groups * read**2, groups * key_size * value_size


RIGHT = [with_an_if, as_floats]
WRONG = {
    one_number: "two_numbers",
    keys_alone: "attention_keeps_pairs",
    products_of_sizes: "attention_keeps_pairs",
    one_group: "attention_keeps_pairs",
    swapped: "attention_keeps_pairs",
    matrix_by_position: "a_matrix_does_not_grow",
    matrix_without_groups: "a_matrix_does_not_grow",
    without_the_window: "a_window_keeps_its_positions",
    window_on_each_side: "a_window_keeps_its_positions",
    window_for_positions: "a_wide_window_keeps_the_source",
    window_without_a_case: "runs",
    matrix_of_what_was_read: "a_matrix_does_not_grow",
    all_scores: "attention_keeps_pairs",
}
