"""Numbers and texts as a reader sees them."""

import pytest

from attn_own.wording import counted, escaped, named, percent, quoted, unseen


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
def test_a_share_is_0_or_100_percent_only_if_it_is_exact(share, digits, expected):
    assert percent(share, digits) == expected


def test_one_is_one():
    assert [counted(n, "step") for n in (0, 1, 2000)] == ["0 steps", "1 step", "2,000 steps"]


def test_control_characters_are_written_out_and_no_others():
    assert escaped("a\x1b[31m\tb\n\x9b é字\\") == "a\\x1b[31m\\tb\\n\\x9b é字\\"


def test_text_from_right_to_left_is_isolated():
    assert quoted("ab") == "“ab”"
    assert quoted("אב") == "“\u2068אב\u2069”"
    assert len(quoted("x" * 99)) == 62


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        (" ", "space"),
        ("\u00a0", "no-break space (U+00A0)"),
        ("\u200b", "zero width space (U+200B)"),
        ("\u00ad", "soft hyphen (U+00AD)"),
        ("\u2028", "line separator (U+2028)"),
        ("\ufeff", "zero width no-break space (U+FEFF)"),
        ("\u3164", "hangul filler (U+3164)"),
        ("\ufe0f", "variation selector-16 (U+FE0F)"),
        ("a", "“a”"),
        ("\u06dd", "“\u2068\u06dd\u2069”"),
        ("a\u200d", "“a\u200d” with zero width joiner (U+200D)"),
    ],
)
def test_an_invisible_symbol_is_named(symbol, name):
    assert named(symbol) == name
    assert bool(unseen(symbol)) == ("U+" in name)
