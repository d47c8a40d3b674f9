"""The readers of the experiment `seeing`, the canvases that they read, and how they are judged."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course.models import one_look
from attn_course.models.gaussian_look import GaussianReader
from attn_course.models.glimpse import GlimpseReader, read
from attn_course.models.hard_look import HardReader
from attn_course.models.trunk import Trunk
from attn_course.tasks.digits import CELL, NOTHING, Canvases, canvases, cells_inside
from attn_lab.canvases.canvas_training import train_reader
from attn_lab.measuring import parameters

TESTED = 1_024
EACH_SIZE = 512
WARM = (400, 6e-3)  # steps and rate of the mask whose trunk a recurrent reader starts from
SCENES = {
    "clean": {"pieces": 0, "shapes": 0},
    "few": {"pieces": 2, "shapes": 0},
    "clutter": {"pieces": 5, "shapes": 1},
    "large": {"height": 32, "width": 32, "pieces": 8, "shapes": 2},
    "several": {"height": 24, "width": 32, "digits": (2, 3), "pieces": 5, "shapes": 1},
}
# what is never trained on: other sizes with as much clutter for their area; a wider canvas
SIZES = {
    str(side): {
        "height": side,
        "width": side,
        "pieces": round(5 * side**2 / 24**2),
        "shapes": round(side**2 / 24**2),
    }
    for side in (16, 24, 32, 48, 64)
}
MIXED = (16, 24, 32)  # sides of the canvases of the scene "mixed"
OTHERS = {
    "one": SCENES["several"] | {"digits": 1},
    "wide": SCENES["several"] | {"width": 48, "pieces": 8, "shapes": 2},
    "four": SCENES["several"] | {"width": 48, "digits": 4, "pieces": 8, "shapes": 2},
}


class ExactReader(HardReader):
    """Hard attention that tries every cell: the mean of `HardReader`'s loss over all draws.

        L = Σ_j α_j (-ln p(digit | h_j)) - Σ_j α_j R_j - entropy · H(α)

    As there, α is a constant in the first sum, and R_j in the second. A baseline would change
    nothing.
    """

    def loss(self, pixels: Tensor, digits: Tensor) -> Tensor:
        """L."""
        digits = one_look.expect_digits(digits, len(pixels), most=1)
        features = self.trunk(pixels)
        weights = self.weights(features)[:, 0]
        logits = self.readout(features.flatten(1, 2))
        wanted = digits.expand_as(weights)
        surprise = F.cross_entropy(logits.transpose(1, 2), wanted, reduction="none")
        reward = (logits.argmax(dim=-1) == wanted).to(weights.dtype)
        spread = -(weights * weights.clamp(min=1e-9).log()).sum(dim=-1).mean()
        both = weights.detach() * surprise - weights * reward
        return both.sum(dim=-1).mean() - self.entropy * spread


READERS = {
    "mask": one_look.MaskReader,
    "average": one_look.AverageReader,
    "max": one_look.MaxReader,
    "mask, no batch norm": lambda: one_look.MaskReader(normalise=False),
    "hard": HardReader,
    "exact": ExactReader,
    "gaussian, map": GaussianReader,
    "gaussian, linear": lambda: GaussianReader(centre="linear"),
    "state": GlimpseReader,
    "step": lambda: GlimpseReader(looks="step"),
    "blind": lambda: GlimpseReader(looks="blind"),
    "state, no position": lambda: GlimpseReader(position=False),
    "state, cold": GlimpseReader,
}
COLD = ("state, cold",)
RECURRENT = ("state", "step", "blind", "state, no position", *COLD)


class Condition(NamedTuple):
    """A reader, the canvases that it is trained on, steps of 64 canvases, learning rate.

    reader  a name of `READERS`
    scene   a name of `SCENES`, or "mixed": one of the sides in `MIXED` is drawn for each step
    """

    reader: str
    scene: str
    steps: int
    rate: float


def draw(count: int, seed: int | np.random.Generator, split: str, scene: dict) -> Canvases:
    """Canvases of a scene; different splits have no images in common, whatever the seed."""
    return canvases(count, seed, split, **scene)


def drawn_for_training(count: int, rng: np.random.Generator, scene: str) -> Canvases:
    """The canvases of one step."""
    chosen = SIZES[str(rng.choice(MIXED))] if scene == "mixed" else SCENES[scene]
    return draw(count, rng, "train", chosen)


def unseen(seed: int, scene: dict, count: int = TESTED) -> Canvases:
    """The canvases that a seed is tested on."""
    return draw(count, 2_000 + seed, "test", scene)


def trained(condition: Condition, seed: int) -> nn.Module:
    """One reader after training."""
    build = READERS[condition.reader]
    if condition.reader in RECURRENT and condition.reader not in COLD:
        build = warm(condition.reader, seed)
    return train_reader(
        build,
        partial(drawn_for_training, scene=condition.scene),
        steps=condition.steps,
        rate=condition.rate,
        seed=seed,
        title=f"{condition.reader}, seed {seed}",
    )[0]


def warm(reader: str, seed: int):
    """A builder of recurrent readers that start with a trunk trained on single digits."""
    start = trunk_of_mask(seed)

    def build() -> nn.Module:
        model = READERS[reader]()
        model.trunk.load_state_dict(start)
        return model

    return build


@lru_cache(maxsize=4)
def trunk_of_mask(seed: int) -> dict[str, Tensor]:
    """The trunk of a mask trained on single digits; each seed has its own."""
    steps, rate = WARM
    return trained(Condition("mask", "clutter", steps, rate), 10_000 + seed).trunk.state_dict()


def measure(condition: Condition, seed: int) -> dict:
    """Train one reader and judge it."""
    model = trained(condition, seed)
    numbers = {"parameters": parameters(model)}
    scene = unseen(seed, SCENES[condition.scene])
    if condition.reader in RECURRENT:
        return numbers | judge_reading(model, scene) | beyond(model, seed)
    numbers |= judge(model, scene)
    if condition.scene == "clutter" and condition.reader in ("mask", "average", "max"):
        for size, other in SIZES.items():
            for name, share in judge(model, unseen(seed, other, EACH_SIZE)).items():
                numbers.setdefault(f"{name} by size", {})[size] = share
    return numbers


@torch.no_grad()
def judge(model: one_look.OneLookReader, scene: Canvases) -> dict[str, float]:
    """How well the one digit of each canvas is named and found.

    right     the digit is named
    hit       the cell with the largest weight has its centre in the digit's box
    inside    the mean weight of the cells whose centre is in the box
    evidence  the cell that adds most to the logit of what is named is in the box
    """
    logits, weights = model(scene.pixels)
    inside = cells_inside(scene.boxes, *scene.pixels.shape[1:])
    return {
        "right": share(logits[:, 0].argmax(dim=-1) == scene.digits[:, 0]),
        "hit": share(hits(weights, inside)),
        "inside": float((weights * inside).sum(dim=-1).mean()),
        "evidence": share(hits(model.evidence(scene.pixels), inside)),
    }


@torch.no_grad()
def saliency(pixels: Tensor, trunk: Trunk) -> dict[str, Tensor]:
    """Maps of where something stands out, without attention (batch 1 cell), for `hits`.

    ink       the brightness of the cell
    field     that of its receptive field, 12 by 12 pixels
    features  the length of its vector of features
    """
    canvas = pixels.unsqueeze(1)
    maps = {
        "ink": F.avg_pool2d(canvas, CELL),
        "field": F.avg_pool2d(canvas, 3 * CELL, stride=CELL, padding=CELL),
        "features": trunk(pixels).norm(dim=-1),
    }
    return {name: table.reshape(len(pixels), 1, -1) for name, table in maps.items()}


def judge_reading(model: GlimpseReader, scene: Canvases) -> dict[str, float]:
    """How well all digits of each canvas are read, from left to right.

    right  the digits are read, and no more of them
    ends   as many digits are read as there are
    hit    of the looks for digit i, how many have their largest weight in the box of digit i
    moves  of the looks after the first, how many have it at another cell than the look before
    """
    digits, weights, inside = reading(model, scene)
    there = scene.digits != NOTHING
    wanted = [row[row != NOTHING].tolist() for row in scene.digits]
    best = weights.argmax(dim=-1)[:, : there.shape[1]]
    numbers = {
        "right": float(np.mean([one == other for one, other in zip(digits, wanted, strict=True)])),
        "ends": float(
            np.mean([len(one) == len(other) for one, other in zip(digits, wanted, strict=True)])
        ),
        "hit": share(hits(weights[:, : there.shape[1]], inside)[there]),
    }
    if there.shape[1] > 1:
        numbers["moves"] = share((best[:, 1:] != best[:, :-1])[there[:, 1:]])
    return numbers


def beyond(model: GlimpseReader, seed: int) -> dict[str, float]:
    """`judge_reading` on scenes never trained on, and `swapped` if the reader has a state."""
    numbers = {}
    for name, other in OTHERS.items():
        judged = judge_reading(model, unseen(seed, other, EACH_SIZE))
        numbers |= {f"{name} {what}": share for what, share in judged.items()}
    if model.looks == "state":
        numbers |= swapped(model, unseen(seed, SCENES["several"]))
    return numbers


@torch.no_grad()
def swapped(model: GlimpseReader, scene: Canvases) -> dict[str, float]:
    """Where does a reader look next if it is given the state of *another* canvas's first look?

    If the state holds a *number*, the look goes to the second digit. If it holds a *place*, it goes
    to the leftmost digit that lies wholly to the right of the other canvas's first. The canvases
    judged are those where that is their own first digit, which a reader that counts would pass by.

    swaps                    how many canvases these are
    swap follows the place   the share of them whose first digit is looked at
    swap follows the number  the share of them whose second digit is looked at
    """
    other = torch.arange(len(scene.pixels)).roll(1)
    differ = scene.boxes[:, 0, 1] >= scene.boxes[other, 0, 3]
    hit = _second_looks(model, scene)[1](other)[differ]
    return {
        "swaps": int(differ.sum()),
        "swap follows the place": share(hit[:, 0]),
        "swap follows the number": share(hit[:, 1]),
    }


@torch.no_grad()
def told_apart(model: GlimpseReader, scene: Canvases) -> dict[str, float]:
    """What does the state of a first look hold: a place, a number, or which digit was read?

    As in `swapped`, but the other canvas's first digit is another digit than this one's, and it
    lies between the middles of this one's second and third. Then a place leads to the third digit,
    a number to the second, and a digit that was read to the first, which was not. Only states
    count that come from a look at a digit.

    states                the number of different states that were put into another canvas
    first, second, third  the share of the canvases on which the next look goes there
    """
    hit, looks_with = _second_looks(model, scene)
    left, right = scene.boxes[..., 1], scene.boxes[..., 3]
    middle = (left + right) / 2
    between = (left[:, 0] >= middle[:, 1:2]) & (right[:, 0] <= middle[:, 2:3])
    differ = (scene.digits[:, 0] != scene.digits[:, :1]) & (scene.digits[:, 2:3] != NOTHING)
    fits = between & differ & hit & hit[:, None]  # (canvas, other canvas)
    which, row = fits.any(dim=1), torch.arange(len(fits))
    other = (fits * ((row[:, None] - row) % len(fits))).argmax(dim=1)  # the next that fits
    shares = looks_with(other)[which].float().mean(dim=0).tolist()
    names = ("first", "second", "third")
    return {"states": len(other[which].unique()), **dict(zip(names, shares, strict=True))}


def _second_looks(
    model: GlimpseReader, scene: Canvases
) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """Whether each first look hits the first digit, and what each second one hits (batch object).

    The latter is a function of the canvases whose states are put in the place of the own ones.
    """
    annotations, begin = model.annotate(scene.pixels), model.begin(len(scene.pixels))
    inside = cells_inside(scene.boxes, *scene.pixels.shape[1:])
    weights = model.look(annotations, begin, 0)
    state, _ = model.take_in(weights, annotations, begin)
    first = hits(weights, inside)[:, 0]
    return first, lambda other: hits(model.look(annotations, state[other], 1), inside)


@torch.no_grad()
def reading(model: GlimpseReader, scene: Canvases) -> tuple[list[list[int]], Tensor, Tensor]:
    """The digits read, the weights of one look more than there may be digits, and the boxes."""
    most = scene.digits.shape[1] + 1
    digits, _ = read(model, scene.pixels, most)
    return digits, model(scene.pixels, most)[1], cells_inside(scene.boxes, *scene.pixels.shape[1:])


def hits(weights: Tensor, inside: Tensor) -> Tensor:
    """Whether the largest weight of row i lies in box i, boolean (batch object).

    A single row of weights is compared with every box.
    """
    best = weights.argmax(dim=-1).expand(*inside.shape[:2])
    return inside.gather(2, best.unsqueeze(-1))[..., 0]


def share(which: Tensor) -> float:
    """The share that are true."""
    return float(which.float().mean())
