"""Exercise: how much does each head look just after the earlier occurrence of what is read?

score_h = mean of α^h_{i, j+1} over all i whose symbol came before; j is the last place before i
          with the same symbol                       after Olsson et al. 2022, "prefix matching"

weights (head position position), causal   symbols (position), whole numbers   ->   (head)
A text in which nothing comes twice is a ValueError.
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

HEADS, POSITIONS, SYMBOLS = Size(2, 5), Size(7, 13), Size(3, 5)


def solution(weights, symbols):
    """For each place, the place after the last earlier one with the same symbol."""
    listed, looks = symbols.tolist(), []
    for i, symbol in enumerate(listed):
        if symbol in listed[:i]:
            j = max(k for k in range(i) if listed[k] == symbol)
            looks.append(weights[:, i, j + 1])
    if not looks:
        raise ValueError("nothing comes twice")
    return torch.stack(looks).mean(dim=0)


def _weights(draw: Draw, positions: int) -> torch.Tensor:
    later = torch.ones(positions, positions, dtype=torch.bool).triu(1)
    scores = draw.normal(HEADS, positions, positions, scale=1.0)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1)


def _inputs(draw: Draw) -> dict:
    """Few symbols, so that most come several times, and not always at one distance."""
    symbols = [draw.integer(SYMBOLS) for _ in range(draw[POSITIONS])]
    symbols[draw[POSITIONS] - 1] = symbols[0]
    return {"weights": _weights(draw, draw[POSITIONS]), "symbols": torch.tensor(symbols)}


def _twice(draw: Draw) -> dict:
    """Symbols that are all different, and then once more."""
    half = draw.shuffled(range(draw[POSITIONS]))
    positions = 2 * draw[POSITIONS]
    return {"weights": _weights(draw, positions), "symbols": torch.tensor(half + half)}


def _one_pair(draw: Draw) -> dict:
    """A text in which only the last symbol came before."""
    new = torch.arange(100, 100 + draw[POSITIONS])
    new[draw[POSITIONS] - 1] = new[draw.integer(draw[POSITIONS] - 2)]
    return _inputs(draw) | {"symbols": new}


def _two_symbols(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"symbols": inputs["symbols"] % 2}


def _all_different(draw: Draw) -> dict:
    return _inputs(draw) | {"symbols": torch.tensor(draw.shuffled(range(draw[POSITIONS])))}


exercise = Exercise(
    "after_the_earlier(weights, symbols)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "In a text that comes twice, the place is one after that of the first time.",
            _twice,
            "At position i of the second half, the symbol stood at i - n, and what followed it at "
            "i - n + 1. Row i of the weights is what position i reads.",
        ),
        Case(
            "Only positions whose symbol came before are counted.",
            _one_pair,
            "Divide by the number of these positions, not by that of all.",
        ),
        Case(
            "Of several earlier occurrences the last one counts.",
            _two_symbols,
            "Search from position i back to the start. Position i itself is no earlier one.",
        ),
        Weak(
            "A text in which nothing comes twice is refused with a ValueError.",
            _all_different,
            "The mean of no numbers is NaN. Say so instead: `raise ValueError(...)`.",
        ),
    ],
    slips={
        "": [
            ("j + 1", "j"),
            (".mean(dim=0)", ".sum(dim=0) / len(listed)"),
            ("max(k", "min(k"),
            ('raise ValueError("nothing comes twice")', "return weights[:, 0, 0] * torch.nan"),
        ],
    },
    shape="The mean is over positions, in each head separately.",
)
check = exercise.check
