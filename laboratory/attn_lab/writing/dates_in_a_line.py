"""Can the language model read dates, if a date and its answer are one text?

The question. `attn_course.from_scratch.gpt` continues texts; chapter 05's translator reads dates
with an encoder and a decoder. Write `3. Mai 1998=1998-05-03` as one text, train the language model
to continue it, and take the loss on the answer alone: what share of dates on unseen days does it
read?

Three blocks, else as in chapter 08: vectors of 64, four heads; 20,000 tidy dates, 32 a step, 60
seconds of CPU time on one thread. The rate is the best of at least four by the mean of two seeds
that nothing else uses, in the full time. Three seeds; each draws dates, start and order. 2,000
dates are tested; a date counts if every character of its answer is the likeliest one after the
right ones before it, which is so exactly if the model writes the answer by itself.

Before `EXPECTED` was written down, one seed of a pilot had read 95.9 %.
"""

import time
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course.from_scratch import gpt
from attn_course.tasks.corpus import pad
from attn_course.tasks.dates import date_pairs
from attn_course.tasks.vocabulary import Vocabulary
from attn_lab.experiment import SEEDS, RateSearch, declared, results_of

DATES, TESTED, BATCH = 20_000, 2_000, 32
TRIED = (0.0025, 0.005, 0.01, 0.02)
BETWEEN = "="


class Condition(NamedTuple):
    """One training run."""

    seconds: int
    rate: float


def lines(pairs: list, known: Vocabulary) -> tuple[Tensor, Tensor]:
    """Each date and its answer in one row (date position), and which positions the answer has."""
    texts = [pair.source + BETWEEN + pair.target for pair in pairs]
    rows = pad([known.encode(text) for text in texts])
    places = torch.arange(rows.shape[1])
    begins = torch.tensor([[len(pair.source) + 1] for pair in pairs])
    ends = torch.tensor([[len(text)] for text in texts])
    return rows, (begins <= places) & (places < ends)


def answer_loss(model: nn.Module, rows: Tensor, is_answer: Tensor) -> Tensor:
    """The mean loss over the characters of the answers, in nats."""
    logits, _ = model(rows[:, :-1])
    return F.cross_entropy(logits[is_answer[:, 1:]], rows[:, 1:][is_answer[:, 1:]])


def trained(condition: Condition, seed: int) -> tuple[nn.Module, Vocabulary, int]:
    """The model after training, its characters, and how many steps it made."""
    pairs = date_pairs(DATES, seed)
    known = Vocabulary.from_texts(pair.source + BETWEEN + pair.target for pair in pairs)
    rows, is_answer = lines(pairs, known)
    torch.manual_seed(seed)
    model = gpt.LanguageModel(gpt.Config(len(known), blocks=3))
    optimiser = torch.optim.AdamW(
        model.parameters(), betas=(0.9, 0.99), weight_decay=0.1, fused=True
    )
    begun, steps = time.process_time(), 0
    while (over := (time.process_time() - begun) / condition.seconds) < 1:
        optimiser.param_groups[0]["lr"] = condition.rate * min(1, 20 * over) * (1 - over)
        at = torch.randint(len(rows), (BATCH,))
        longest = int((rows[at] > 0).sum(1).max())
        loss = answer_loss(model, rows[at, :longest], is_answer[at, :longest])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        steps += 1
    return model, known, steps


def measure(condition: Condition, seed: int) -> dict[str, float]:
    """Train once; the share of dates that are read, the loss on them, and the steps."""
    model, known, steps = trained(condition, seed)
    return tested(model, known, seed) | {"steps": steps}


@torch.no_grad()
def tested(model: nn.Module, known: Vocabulary, seed: int) -> dict[str, float]:
    """The share of unseen dates that are read, and the loss on their answers."""
    rows, is_answer = lines(date_pairs(TESTED, seed, "test"), known)
    read, losses = [], []
    for part, at in zip(rows.split(250), is_answer.split(250), strict=True):
        right = model(part[:, :-1])[0].argmax(-1) == part[:, 1:]
        read.append((right | ~at[:, 1:]).all(1).double().mean())
        losses.append(answer_loss(model, part, at))
    exact, loss = (torch.stack(values).mean().item() for values in (read, losses))
    return {"exact": exact, "loss": loss}


RATES = RateSearch(
    Condition, measure, results_of("dates_in_a_line_rates"), first=TRIED, seeds=(100, 101)
)
SECONDS = 60


def results(number: str) -> list[float]:
    """One number, for each seed."""
    return EXPERIMENT.of(number, SECONDS).tolist()


EXPECTED = """
2026-11-29

It reads at least 90 % of the dates in every seed.
    of("exact", SECONDS) >= 0.9
"""


PLAN = [([(SECONDS,)], SEEDS)]
EXPERIMENT = declared(__name__, measure, PLAN, Condition, rates=RATES)
