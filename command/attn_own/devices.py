"""The device that a command computes on."""

from __future__ import annotations

import torch

from attn_own.wording import Refusal


def named_device(name: str) -> torch.device | None:
    """The device of a name, or None for "auto"; a `Refusal` that lists those of this machine.

    The names are auto, cpu, cuda, cuda:1 and so on, and mps, the GPU of a Mac.
    """
    gpus = [f"cuda:{number}" for number in range(torch.cuda.device_count())]
    there = ["auto", "cpu", *(["cuda", *gpus] if gpus else [])]
    if torch.backends.mps.is_available():
        there.append("mps")
    if name not in there:
        raise Refusal(f"there is no device “{name}” here: expected {', '.join(there)}")
    return None if name == "auto" else torch.device(name)
