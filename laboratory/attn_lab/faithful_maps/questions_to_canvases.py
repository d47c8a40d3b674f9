"""The four questions of `four_questions`, asked of a reader of several digits on a canvas."""

import numpy as np
import torch
from torch import Tensor

from attn_course.interventions import hidden
from attn_course.models.glimpse import GlimpseReader
from attn_course.tasks.digits import CELL, NOTHING, Canvases, digit_images
from attn_lab.canvases.seeing_models import SCENES, TESTED, judge_reading, unseen

NOISE = 0.1  # of the scene, as `canvases` draws it


@torch.no_grad()
def ask(model: GlimpseReader, seed: int) -> dict[str, object]:
    """Measure as `four_questions` does, on canvases with two or three digits."""
    scene = unseen(seed, SCENES["several"], TESTED)
    own = model.annotate(scene.pixels)
    there = scene.digits != NOTHING
    boxes = overlapping(scene.boxes, *scene.pixels.shape[1:])
    ways = {
        "p": lambda weights, _: weights,
        "p, top hidden": lambda weights, _: hidden(
            weights, weights == weights.amax(dim=-1, keepdim=True)
        ),
        "p, digit hidden": lambda weights, look: hidden(weights, boxes[:, look : look + 1]),
        "p, nothing": lambda weights, _: torch.zeros_like(weights),
    }
    chances = {
        number: right(named(model, lambda _: own, scene, change), scene.digits, there)
        for number, change in ways.items()
    }
    return {"exact": judge_reading(model, scene)["right"], **chances, **swaps(model, scene, seed)}


def named(model: GlimpseReader, annotations, scene: Canvases, change=None) -> Tensor:
    """The probability of each digit at each look (batch look symbol).

    ``annotations(look)`` says what is looked at, ``change(weights, look)`` with which weights.
    """
    state, shares = model.begin(len(scene.pixels)), []
    for look in range(scene.digits.shape[1]):
        vectors = annotations(look)
        weights = model.look(vectors, state, look)
        weights = weights if change is None else change(weights, look)
        state, logits = model.take_in(weights, vectors, state)
        shares.append(logits.softmax(dim=-1))
    return torch.stack(shares, dim=1)


def right(shares: Tensor, digits: Tensor, there: Tensor) -> list[float]:
    """How likely the right digit is, for the first, second and third of a canvas."""
    p = shares.gather(-1, digits.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return [p[:, k][there[:, k]].double().mean().item() for k in range(p.shape[1])]


def overlapping(boxes: Tensor, height: int, width: int) -> Tensor:
    """Which cells have a pixel inside a box: boolean, (... cell); none where there is no box."""
    top, left, bottom, right_ = (boxes[..., None, k] for k in range(4))
    rows, columns = (torch.arange(-(-side // CELL)) * CELL for side in (height, width))
    in_rows = (rows < bottom) & (top < rows + CELL)
    in_columns = (columns < right_) & (left < columns + CELL)
    return (in_rows[..., :, None] & in_columns[..., None, :]).flatten(-2)


def twins(scene: Canvases, seed: int) -> tuple[Canvases, Tensor]:
    """The same canvases with another digit in one box of each, and which box that is.

    Clutter never lies in a box, so a box can be drawn anew, with its noise, and all else stays.
    """
    rng = np.random.default_rng(5_000 + seed)
    images, labels = digit_images("test")
    pixels, digits = scene.pixels.clone(), scene.digits.clone()
    chosen = torch.from_numpy(rng.integers((digits != NOTHING).sum(dim=1).numpy()))
    for canvas, k in enumerate(chosen.tolist()):
        drawn = rng.choice(np.flatnonzero(labels != digits[canvas, k].item()))
        top, left, bottom, right_ = scene.boxes[canvas, k].tolist()
        noise = NOISE * rng.standard_normal(images[drawn].shape)
        box = (images[drawn] + noise).clip(0, 1).astype(np.float32)
        pixels[canvas, top:bottom, left:right_] = torch.from_numpy(box)
        digits[canvas, k] = int(labels[drawn])
    return Canvases(pixels, digits, scene.boxes), chosen


def swaps(model: GlimpseReader, scene: Canvases, seed: int) -> dict[str, dict]:
    """Whose digit is named if annotations come from the other canvas, in some cells or looks.

    Only pairs of canvases of which all digits are read count.
    """
    other, chosen = twins(scene, seed)
    own, theirs = (model.annotate(canvases.pixels) for canvases in (scene, other))
    rows, there = torch.arange(len(own)), scene.digits != NOTHING
    box = overlapping(scene.boxes, *scene.pixels.shape[1:])[rows, chosen].unsqueeze(-1)

    def likeliest(annotations) -> Tensor:
        return named(model, annotations, scene).argmax(dim=-1)

    def at(looks) -> Tensor:
        """Everything comes from the other canvas at the looks for which this is true."""
        return likeliest(lambda look: torch.where(looks(look)[:, None, None], theirs, own))

    both = torch.ones(len(own), dtype=torch.bool)
    for annotations, digits in ((own, scene.digits), (theirs, other.digits)):
        read = likeliest(lambda _, source=annotations: source)
        both &= ((read == digits) | ~there).all(dim=-1)

    def votes(named_digits: Tensor, counted: Tensor) -> list[float]:
        wrote = named_digits[rows, chosen]
        sides = [(wrote == s.digits[rows, chosen])[counted] for s in (other, scene)]
        return [*(side.double().mean().item() for side in sides), int(counted.sum())]

    mixed = {"own": torch.where(box, theirs, own), "all others": torch.where(box, own, theirs)}
    later = both & (chosen > 0)
    return {
        "swap": {
            name: votes(likeliest(lambda _, source=h: source), both) for name, h in mixed.items()
        },
        "when": {
            "then": votes(at(lambda look: chosen == look), later),
            "before": votes(at(lambda look: chosen > look), later),
        },
    }
