"""Train a reader of canvases, each batch of which is drawn anew."""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from attn_course._values import expect_count
from attn_course.progress import Progress
from attn_course.tasks.digits import Canvases
from attn_course.training import Settings

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
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(), Progress(title or f"seed {seed}", steps) as progress:
            torch.manual_seed(seed)
            # this order in memory takes half the time of the usual one
            model = build().to(memory_format=torch.channels_last).train()
            optimiser = torch.optim.AdamW(
                model.parameters(),
                betas=settings.betas,
                weight_decay=settings.weight_decay,
                fused=True,
            )
            for step in range(steps):
                optimiser.param_groups[0]["lr"] = rate * settings.rate(step, steps)
                scene = draw(BATCH, rng)
                optimiser.zero_grad()
                loss = model.loss(scene.pixels, scene.digits)
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
                optimiser.step()
                losses.append(loss.item())
                if not math.isfinite(losses[-1]):
                    raise FloatingPointError(
                        f"the loss is {losses[-1]}: a smaller learning rate may help"
                    )
                progress.show(step + 1, losses[-1], [])
    finally:
        torch.set_num_threads(threads)
    return model.eval(), losses
