"""Exercise: find the head that reads the month, and say honestly how well it does.

hit = whether the largest weight of a row lies on the gold position      rows without gold: -1
The head is chosen on the first half of the examples, and its share of hits is measured on the rest.
control: the share of hits, on the rest, of the mean of all maps

maps (example block head target source)   gold (example target), whole numbers
    ->   (block, head), share of hits of this head, share of hits of the mean map
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

EXAMPLES, BLOCKS, HEADS, TARGETS, SOURCE = (
    Size(5, 13),
    Size(2, 5),
    Size(2, 5),
    Size(3, 7),
    Size(5, 11),
)
exercise = Exercise("find(maps, gold)", minutes=25, difficulty="hard")
check = exercise.check


def solution(maps, gold):
    """Hits of every head at once; the first half chooses, and the rest judges."""
    half = len(maps) // 2

    def shares(some, wanted):
        asked = wanted >= 0
        hits = some.argmax(dim=-1) == wanted[:, None, None]
        return (hits & asked[:, None, None]).sum(dim=(0, 3)) / asked.sum()

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


@exercise.must_also(
    "Three results come back: a pair of whole numbers, and two shares.",
    hint="As in `return (block, head), tested, control`. A share lies between 0 and 1.",
)
def three_results(answer: Answer, draw: Draw) -> bool:
    (block, head), *shares = answer(**_inputs(draw))
    inside = int(block) < draw[BLOCKS] and int(head) < draw[HEADS]
    return inside and len(shares) == 2 and all(0 <= float(share) <= 1 for share in shares)


@exercise.must(
    "A head that always looks at the gold is found, with a share of 1.",
    hint="A hit is a row whose largest weight lies on the gold position.",
)
def a_perfect_head_is_found(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, strength=20.0, missing=0.0)
    found, tested, _ = answer(**inputs)
    expected = solution(**inputs)
    return same(tuple(map(int, found)), expected[0]) and same(float(tested), 1.0)


@exercise.must_also(
    "Rows without gold count neither as hits nor as misses.",
    hint="Gold of -1 means that nothing is asked of this row. Divide by the number of rows that "
    "have gold.",
)
def rows_without_gold_are_left_out(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, strength=20.0, missing=0.6)
    return same(float(answer(**inputs)[1]), 1.0)


@exercise.must(
    "The first half alone chooses.",
    hint="The first `len(maps) // 2` examples choose. What happens in the others must not change "
    "which head is chosen: there the best head may be another one.",
)
def the_first_half_chooses(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, strength=20.0, missing=0.0)
    half, expected = draw[EXAMPLES] // 2, solution(**inputs)[0]
    other = ((expected[0] + 1) % draw[BLOCKS], (expected[1] + 1) % draw[HEADS])
    maps = inputs["maps"]
    swapped = maps[half:, expected[0], expected[1]].clone()
    maps[half:, expected[0], expected[1]] = maps[half:, other[0], other[1]]
    maps[half:, other[0], other[1]] = swapped
    return same(tuple(map(int, answer(**inputs)[0])), expected)


@exercise.must(
    "The rest judges.",
    hint="A head that was chosen for its luck is lucky on these examples only. Measure it on the "
    "examples that did not choose it, all of them.",
)
def the_rest_judges(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, strength=1.5)
    return same(float(answer(**inputs)[1]), float(solution(**inputs)[1]))


@exercise.must(
    "The control is the mean of all maps, judged on the same rows.",
    hint="First average the maps over blocks and heads, then ask where the largest weight lies. "
    "The mean of all shares is something else.",
)
def the_control_is_the_mean_map(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, strength=1.5)
    return same(float(answer(**inputs)[2]), float(solution(**inputs)[2]))
