"""Right and wrong answers to `attn_class.exercises.memory.numbers_kept`."""

from functools import partial

from attn_class.exercises.memory.numbers_kept import solution
from specimens.answers import changed, named


def with_an_if(positions, groups, key_size, value_size, window):
    if window is not None and window < positions:
        positions = window
    return positions * groups * (key_size + value_size), key_size * value_size * groups


def as_floats(positions, groups, key_size, value_size, window):
    read = float(min(positions, window or positions))
    return read * groups * (key_size + value_size), float(groups * key_size * value_size)


but = partial(changed, solution)
RIGHT = [with_an_if, as_floats]
WRONG = {
    "two_numbers": named(one_number=but(", groups * key_size * value_size", "")),
    "attention_keeps_pairs": named(
        all_scores=but("read * (key_size + value_size)", "read**2"),
        keys_alone=but("(key_size + value_size)", "key_size"),
        products_of_sizes=but("(key_size + value_size)", "key_size * value_size"),
        one_group=but("groups * read", "read"),
        swapped=lambda *given: with_an_if(*given)[::-1],
    ),
    "a_matrix_does_not_grow": named(
        matrix_by_position=but(", groups * key_size", ", positions * groups * key_size"),
        matrix_of_what_was_read=but("groups * key_size", "groups * min(read, key_size)"),
        matrix_without_groups=but(", groups * key_size", ", key_size"),
    ),
    "a_window_keeps_its_positions": named(
        window_on_each_side=but("min(positions, window)", "min(positions, 2 * window + 1)"),
        without_the_window=but("min(positions, window)", "positions"),
    ),
    "a_wide_window_keeps_the_source": named(
        window_for_positions=but("min(positions, window)", "window")
    ),
    "runs": named(window_without_a_case=but("positions if window is None else min", "min")),
}
