"""Exercise: replace heads by their means, and as many others of the same block as a control.

c'_h = mean of c_h over the batch and the positions of *other* texts, for each chosen head
control: the same for as many heads that were not chosen, drawn without replacement by a generator
made from ``seed``, ``torch.Generator().manual_seed(seed)``

found (batch head position part)   others (text head place part)   chosen, a list of whole numbers
seed, a whole number   ->   found with the chosen heads replaced, found with the control replaced
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TEXTS, HEADS = Size(1, 3), Size(2, 5), Size(7, 11)
POSITIONS, PLACES, PART = Size(2, 5), Size(3, 7), Size(2, 3)
exercise = Exercise("replace(found, others, chosen, seed)", minutes=15, difficulty="moderate")
check = exercise.check


def solution(found, others, chosen, seed):
    """One mean vector for each head; the control is drawn among the heads that are left."""
    means = others.mean(dim=(0, 2))  # (head part)
    left = [head for head in range(found.shape[1]) if head not in chosen]
    order = torch.randperm(len(left), generator=torch.Generator().manual_seed(seed)).tolist()
    control = [left[place] for place in order[: len(chosen)]]

    def replaced(heads):
        result = found.clone()
        result[:, heads] = means[heads][:, None]
        return result

    return replaced(chosen), replaced(control)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    return {
        "found": draw.normal(BATCH, HEADS, POSITIONS, PART, scale=1.0),
        "others": draw.normal(TEXTS, HEADS, PLACES, PART, scale=1.0),
        "chosen": sorted(draw.shuffled(range(draw[HEADS]))[: 2 + draw.integer(2)]),
        "seed": draw.integer(1_000_000),
    }


def _drawn(answer: Answer, inputs: dict) -> set[int]:
    """The heads that the control changes."""
    control = answer(**inputs)[1]
    changed = (control != inputs["found"]).flatten(2).any(dim=2).any(dim=0)
    return set(changed.nonzero().squeeze(1).tolist())


@exercise.must_also(
    "Two results of the same shape come back.",
    hint="First with the chosen heads replaced, then with the control: `return one, other`.",
)
def two_of_one_shape(answer: Answer, draw: Draw, inputs: dict) -> bool:
    result = answer(**inputs)
    return len(result) == 2 and all(shaped(part, *inputs["found"].shape) for part in result)


@exercise.must(
    "The chosen heads find their means over the other texts, and the rest is as it was.",
    hint="One vector of `part` entries for each head: the mean over texts and places, not over "
    "heads, and not of `found`.",
)
def chosen_are_replaced(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[0], solution(**inputs)[0])


@exercise.must_also(
    "The control replaces as many heads, and none of the chosen ones.",
    hint="Draw among the heads that are left, without replacement: `torch.randperm`.",
)
def control_has_as_many_others(answer: Answer, draw: Draw, inputs: dict) -> bool:
    drawn = [_drawn(answer, inputs | {"seed": inputs["seed"] + n}) for n in range(20)]
    chosen = set(inputs["chosen"])
    return all(len(heads) == len(chosen) and not heads & chosen for heads in drawn)


@exercise.must(
    "The control's heads find their own means, and the rest is as it was.",
    hint="The same replacement as for the chosen heads, starting from `found` again.",
)
def control_is_replaced(answer: Answer, draw: Draw, inputs: dict) -> bool:
    drawn, means = sorted(_drawn(answer, inputs)), inputs["others"].mean(dim=(0, 2))
    expected = inputs["found"].clone()
    expected[:, drawn] = means[drawn][:, None]
    return bool(drawn) and same(answer(**inputs)[1], expected)


@exercise.must_also(
    "Another seed draws other heads, the same seed the same ones, and every head can be drawn.",
    hint="Make a generator of your own from the seed. The first heads that are left are no draw.",
)
def the_seed_decides(answer: Answer, draw: Draw, inputs: dict) -> bool:
    drawn = [_drawn(answer, inputs | {"seed": inputs["seed"] + n}) for n in range(40)]
    left = set(range(draw[HEADS])) - set(inputs["chosen"])
    return drawn[0] == _drawn(answer, inputs) and set.union(*drawn) == left
