"""Numbers and texts as a reader sees them."""

import pytest

from attn_course.capstone.wording import counted, escaped, percent, quoted


@pytest.mark.parametrize(
    ("share", "digits", "expected"),
    [
        (0, 0, "0%"),
        (1, 0, "100%"),
        (0.004, 0, "under 1%"),
        (0.997, 0, "over 99%"),
        (0.5, 0, "50%"),
        (0, 1, "0.0%"),
        (0.0004, 1, "under 0.1%"),
        (0.9996, 1, "over 99.9%"),
        (0.997, 1, "99.7%"),
    ],
)
def test_never_and_always_are_said_only_if_they_are_meant(share, digits, expected):
    assert percent(share, digits) == expected


def test_one_is_one():
    assert [counted(each, "step") for each in (0, 1, 2000)] == ["0 steps", "1 step", "2,000 steps"]


def test_control_characters_are_written_out_and_no_others():
    assert escaped("a\x1b[31m\tb\n\x9b é字\\") == "a\\x1b[31m\\tb\\n\\x9b é字\\"


def test_text_from_right_to_left_is_kept_apart():
    assert quoted("ab") == "“ab”"
    assert quoted("אב") == "“\u2068אב\u2069”"
    assert len(quoted("x" * 99)) == 62
