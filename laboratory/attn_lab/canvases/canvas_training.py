"""Train a reader of canvases, each batch of which is drawn anew."""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from torch import nn

from attn_course._values import expect_count
from attn_course.progress import Progress
from attn_course.tasks.digits import Canvases
from attn_course.training import Settings, adamw, descend, one_thread

BATCH = 64


def train_reader(
    build: Callable[[], nn.Module],
    draw: Callable[[int, np.random.Generator], Canvases],
    *,
    steps: int,
    rate: float,
    seed: int = 0,
    title: str = "",
) -> tuple[nn.Module, list[float]]:
    """Build a reader and train it; returns it, in evaluation mode, and the loss of each step.

    build  makes the model, whose ``loss(pixels, digits)`` is brought down
    draw   such as ``lambda count, rng: canvases(count, rng)``: draws so many canvases

    AdamW with `attn_course.training.Settings`: warm-up over 30 steps, linear decay, gradients of
    norm 1 at most, 64 canvases a step. The seed determines start and canvases; the caller's random
    state is left alone. A loss that is no longer finite is a FloatingPointError.
    """
    expect_count("steps", steps)
    settings, rng, losses = Settings(learning_rate=rate), np.random.default_rng(seed), []
    show = Progress(title or f"seed {seed}", steps)
    with torch.random.fork_rng(), one_thread(), show as progress:
        torch.manual_seed(seed)
        # this order in memory takes half the time of the usual one
        model = build().to(memory_format=torch.channels_last).train()
        optimiser = adamw(model, settings)
        for step in range(steps):
            scene = draw(BATCH, rng)
            loss = partial(model.loss, scene.pixels, scene.digits)
            losses.append(descend(optimiser, loss, settings, step, steps))
            progress.show(step + 1, losses[-1], [])
    return model.eval(), losses
