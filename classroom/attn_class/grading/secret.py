"""The teacher's secret, from which every input and every variant is drawn."""

import hashlib
import re
from pathlib import Path

SHORTEST = 16  # characters of a seed
JUDGED = 500  # characters, from the first
LEAST = 26  # bits that a seed must hold, by the estimate below
MAKE = 'python3 -c "import secrets; print(secrets.token_hex())"'
_ROWS = (
    *("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop"),
    *(
        "1234567890",
        "!@#$%^&*()",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
        "1q2w3e4r5t6y7u8i9o0p",
        "q1w2e3r4t5y6u7i8o9p0",
    ),
)
# what people write when they are asked for a secret, and what this course prints as an example
_KNOWN = re.compile(
    r"pass(word|wort)?|secret|geheim|admin|teacher|student|letmein|welcome|changeme|default|course"
    r"|attention|moodle|canvas|login|iloveyou|monkey|dragon|abc|qwert[yz]|test|seed|token|hello|world"
    r"|(19|20)\d\d"
)
_REPEATED = re.compile(r"(.+?)[\W_]*(?:\1[\W_]*)+", re.DOTALL | re.IGNORECASE)
_LIKE = str.maketrans("@4301!5$7", "aaeoiisst")  # signs that people write for letters
_PRINTED = ("import secrets", "token_hex", "a text of sixteen characters or more")
_LETTER, _DIGIT, _MIXED, _WORD = 2.5, 3.3, 4.0, 10.0  # bits


def digest(*parts: object) -> str:
    """What these texts, in this order, are known by."""
    hashed = hashlib.sha256()
    for part in parts:
        text = str(part).encode("utf-8", "replace")
        hashed.update(len(text).to_bytes(8, "big") + text)
    return hashed.hexdigest()


def read_seed(path: Path) -> str:
    """The secret that all inputs are drawn from; what is short or easy to guess is none."""
    try:
        seed = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise ValueError(
            f"there is no file {path}; expected one with a text of at least {SHORTEST} characters "
            "that only you know"
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}; expected a secret") from None
    except UnicodeDecodeError:
        seed = ""
    if len(seed) < SHORTEST:
        raise ValueError(
            f"{path} holds no seed; expected a text of at least {SHORTEST} characters that only "
            "you know"
        )
    if _is_weak(seed[:JUDGED]):
        raise ValueError(
            f"{path} holds a seed that is easy to guess; expected five words chosen at random, or "
            f"what this prints: {MAKE}"
        )
    return seed


def _is_weak(seed: str) -> bool:
    """Whether a seed is what the course prints, a short text repeated, or easy to guess."""
    printed = any(text in seed for text in _PRINTED)
    repeated = _REPEATED.fullmatch(seed)
    return printed or bool(repeated and len(repeated[1]) < SHORTEST) or bits(seed) < LEAST


def bits(seed: str) -> float:
    """How much there is to guess in a seed: a rough estimate.

    Repetitions, runs such as "4567" or "fghj", and words that everybody uses count once or not at
    all. Of what remains, a letter of a word counts less than one among digits and signs, and a
    word as much as one that is drawn from a thousand.
    """
    left = "".join(
        " " if letter == " " else "x"[: _is_new(seed, at)] for at, letter in enumerate(seed)
    )
    new = [seed[at] for at in range(len(seed)) if _is_new(seed, at) and seed[at] != " "]
    if all(letter.isdigit() for letter in new):
        return _DIGIT * len(new)
    if any(re.search(r"[\d_]|[^\W_][A-Z]", word) for word in re.split(r"[\s.,:;'-]+", seed)):
        return (_DIGIT if re.fullmatch(r"[0-9a-fA-F]+", seed) else _MIXED) * len(new)
    long = [word for word in left.split() if len(word) > 2]
    return max(_LETTER * len(new), _WORD * len(long))


def _is_new(seed: str, at: int) -> bool:
    """Whether this letter does not follow from those before it."""
    text = seed.lower() if len(seed.lower()) == len(seed) else seed
    before, here = text[at - 1 : at], text[at]
    known = _KNOWN.finditer(text.translate(_LIKE))
    if any(match.start() < at < match.end() for match in known):
        return False
    if before and (before == here or abs(ord(here) - ord(before)) == 1):
        return False
    if before and any(before + here in row or here + before in row for row in _ROWS):
        return False
    piece = text[max(0, at - 2) : at + 1]
    return len(piece) < 3 or piece not in text[:at]
