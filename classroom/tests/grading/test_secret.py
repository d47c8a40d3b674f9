"""A secret is refused if it can be guessed, and never if it was drawn."""

import random
import secrets

import pytest

from attn_class.grading.secret import read_seed

WORDS = ["lamp", "river", "stone", "cactus", "umbrella", "pebble", "walnut", "harbour", "mitten"]


@pytest.fixture
def seed(tmp_path):
    def write(text):
        (tmp_path / "seed").write_text(text)
        return tmp_path / "seed"

    return write


@pytest.mark.parametrize(
    "text",
    [
        *("aaaaaaaaaaaaaaaa", "1234567890123456", "passwordpassword", "0000000000000000"),
        *("qwertyuiopasdfghjkl", "abcdefghijklmnopqrst", "1q2w3e4r5t6y7u8i", "P@ssw0rdP@ssw0rd"),
        *("abcabcabcabcabcabc", "secret secret secret", "helloworldhelloworld", "12" * 20),
        *("Password12345678", "attention attention", "the the the the the"),
        "2024-11-25 2024-11-25",
        *("Zx7!Zx7!Zx7!Zx7!Zx7!", "a" * 10000, "1111222233334444"),
        'python3 -c "import secrets; print(secrets.token_hex())"',
        "a text of sixteen characters or more that only you know",
    ],
)
def test_what_is_easy_to_guess_is_refused(seed, text):
    with pytest.raises(ValueError, match=r"easy to guess; expected five words .*token_hex"):
        read_seed(seed(text))


@pytest.mark.parametrize(
    "draw",
    [
        *(secrets.token_hex, secrets.token_urlsafe),
        *(lambda: secrets.token_hex(16), lambda: secrets.token_urlsafe(16)),
        lambda: " ".join(random.sample(WORDS, 5)),
        lambda: "-".join(random.sample(WORDS, 5)),
    ],
)
def test_what_was_drawn_is_never_refused(seed, draw):
    for _ in range(200):
        drawn = draw()
        assert read_seed(seed(drawn + "\n")) == drawn


def test_what_is_short_or_cannot_be_read_is_said(seed, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="at least 16 characters"):
        read_seed(seed("short"))
    with pytest.raises(ValueError, match="there is no file"):
        read_seed(tmp_path / "none")
    with pytest.raises(ValueError, match="cannot be read: Is a directory"):
        read_seed(tmp_path)
