"""The teacher's secret, from which every input and every variant is drawn."""

from pathlib import Path

SHORTEST = 16  # characters of a seed


def read_seed(path: Path) -> str:
    """The secret that all inputs are drawn from."""
    try:
        seed = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise ValueError(
            f"there is no file {path}; expected one with a text of at least {SHORTEST} characters "
            "that only you know"
        ) from None
    except (OSError, UnicodeDecodeError):
        seed = ""
    if len(seed) < SHORTEST:
        raise ValueError(
            f"{path} holds no seed; expected a text of at least {SHORTEST} characters that only "
            "you know"
        )
    return seed
