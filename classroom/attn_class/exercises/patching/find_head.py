"""Exercise: find the head that reads the month, and say honestly how well it does.

hit = whether the largest weight of a row lies on the gold position      rows without gold: -1
The head is chosen on the first half of the examples, and its share of hits is measured on the rest.
control: the share of hits, on the rest, of the mean of all maps

maps (example block head target source)   gold (example target), whole numbers
    ->   (block, head), share of hits of this head, share of hits of the mean map
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

EXAMPLES, BLOCKS, HEADS, TARGETS, SOURCE = (
    Size(5, 13),
    Size(2, 5),
    Size(2, 5),
    Size(3, 7),
    Size(5, 11),
)


def solution(maps, gold):
    """Hits of every head at once; the first half chooses, and the rest judges."""
    half = len(maps) // 2

    def shares(some, wanted):
        counted = wanted >= 0
        hits = some.argmax(dim=-1) == wanted[:, None, None]
        return (hits & counted[:, None, None]).sum(dim=(0, 3)) / counted.sum()

    chosen = shares(maps[:half], gold[:half])
    block, head = divmod(int(chosen.argmax()), maps.shape[2])
    mean = maps[half:].mean(dim=(1, 2), keepdim=True)
    tested = shares(maps[half:], gold[half:])[block, head]
    return (block, head), tested, shares(mean, gold[half:])[0, 0]


def _inputs(draw: Draw, strength: float = 2.0, missing: float = 0.3) -> dict:
    """One head looks at the gold, more or less; the others look anywhere."""
    sizes = draw[EXAMPLES, BLOCKS, HEADS, TARGETS, SOURCE]
    scores = draw.normal(*sizes, scale=1.0)
    places = [[draw.integer(SOURCE) for _ in range(sizes[3])] for _ in range(sizes[0])]
    gold = torch.tensor(places)
    block, head = draw.integer(BLOCKS), draw.integer(HEADS)
    scores[:, block, head] += strength * torch.nn.functional.one_hot(gold, sizes[4])
    left_out = draw.booleans(EXAMPLES, TARGETS, share=missing)
    left_out[:, 0] = False  # each example asks for something
    gold[left_out] = -1
    return {"maps": scores.softmax(dim=-1), "gold": gold}


def _clear(draw: Draw) -> dict:
    return _inputs(draw, strength=20.0, missing=0.0)


def _other_in_the_rest(draw: Draw) -> dict:
    """In the second half another head is the best."""
    inputs = _clear(draw)
    half, maps, (block, head) = draw[EXAMPLES] // 2, inputs["maps"], solution(**inputs)[0]
    block_2, head_2 = (block + 1) % draw[BLOCKS], (head + 1) % draw[HEADS]
    swapped = maps.clone()
    swapped[half:, block, head] = maps[half:, block_2, head_2]
    swapped[half:, block_2, head_2] = maps[half:, block, head]
    return inputs | {"maps": swapped}


exercise = Exercise(
    "find(maps, gold)",
    minutes=25,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "A head that always looks at the gold is found, with a share of 1.",
            _clear,
            "A hit is a row whose largest weight lies on the gold position.",
            part=0,
        ),
        Weak(
            "Rows without gold count neither as hits nor as misses.",
            lambda draw: _inputs(draw, strength=20.0, missing=0.6),
            "Gold of -1 means that nothing is asked of this row. Divide by the number of rows that "
            "have gold.",
            part=1,
        ),
        Case(
            "The first half alone chooses.",
            _other_in_the_rest,
            "The first `len(maps) // 2` examples choose. What happens in the others must not "
            "change which head is chosen: there the best head may be another one.",
            part=0,
        ),
        Case(
            "The rest judges.",
            lambda draw: _inputs(draw, strength=1.5),
            "A head that was chosen for its luck is lucky on these examples only. Measure it on "
            "the examples that did not choose it, all of them.",
            part=1,
        ),
        Case(
            "The control is the mean of all maps, judged on the same rows.",
            lambda draw: _inputs(draw, strength=1.5),
            "First average the maps over blocks and heads, then ask where the largest weight lies. "
            "The mean of all shares is something else.",
            part=2,
        ),
    ],
    slips={
        "": [
            ("shares(mean, gold[half:])[0, 0]", "shares(maps[half:], gold[half:]).mean()"),
            ("chosen.argmax()", "chosen.argmin()"),
            ("/ counted.sum()", "/ counted.numel()"),
            ("shares(maps[:half], gold[:half])", "shares(maps[half:], gold[half:])"),
            ("shares(maps[half:], gold[half:])[block", "shares(maps[:half], gold[:half])[block"),
            ("shares(maps[:half], gold[:half])", "shares(maps, gold)"),
            ("shares(maps[half:], gold[half:])[block", "shares(maps, gold)[block"),
            (
                "maps[half:].mean(dim=(1, 2), keepdim=True)",
                "maps[half:, block : block + 1].mean(dim=2, keepdim=True)",
            ),
        ],
    },
    shape="As in `return (block, head), tested, control`. A share lies between 0 and 1.",
)
check = exercise.check
