"""What several experiments measure in the same way."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from attn_course.models.pointer import WordReader
from attn_course.tasks.corpus import pad
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import teacher_forced_loss
from attn_lab.typo_corpus import TypoCorpus


def fresh(build: Callable[[], nn.Module], seed: int) -> nn.Module:
    """A model as training starts it; the caller's random numbers are left alone."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return build()


def parameters(model: nn.Module) -> int:
    """How many numbers are learnt."""
    return sum(part.numel() for part in model.parameters() if part.requires_grad)


def by_length(pairs: Iterable, one: Callable = lambda pair: pair) -> Iterator[list]:
    """Pairs in groups whose sources have one length; of pairs of them, that of ``one``."""
    groups: dict[int, list] = {}
    for pair in pairs:
        groups.setdefault(len(one(pair).source), []).append(pair)
    return iter(groups.values())


def shares_of(votes: Sequence[tuple[bool, ...]]) -> list:
    """The share of votes for each choice, and how many votes there are."""
    return [*np.mean(votes, axis=0).tolist(), len(votes)] if votes else [0.0, 0.0, 0]


@torch.no_grad()
def loss_of_words(model: WordReader, pairs: TypoCorpus, guidance: float, size: int) -> float:
    """The mean loss of a wrong word, in nats: of its letter, and with guidance of the position.

    ``size`` is the batch size.
    """
    total, count = 0.0, 0
    for batch in pairs.batches(size, np.random.default_rng(0)):
        total += len(batch.sources) * teacher_forced_loss(model, batch, guidance).item()
        count += len(batch.sources)
    return total / count


def as_numbers(
    pairs: Sequence, vocabularies: tuple[Vocabulary, Vocabulary], end: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """The sources of some pairs (pair source), their lengths, and the targets, all padded.

    With ``end`` the targets have their END.
    """
    source, target = vocabularies
    sources = [source.encode(pair.source) for pair in pairs]
    targets = [target.encode(pair.target, end=end) for pair in pairs]
    return pad(sources), torch.tensor([len(source) for source in sources]), pad(targets)


def held(shares: dict[str, float], bar: float = 0.9) -> float:
    """The length, or number of pairs, at which a share first falls to a bar: text -> share.

    Between two that were tried it is interpolated. It is the most that were tried if that never
    happens, and 0 if the fewest are already below.
    """
    counts, values = [int(count) for count in shares], list(shares.values())
    if values[0] < bar:
        return 0.0
    for index in range(1, len(values)):
        if values[index] < bar:
            part = (values[index - 1] - bar) / (values[index - 1] - values[index])
            return counts[index - 1] + part * (counts[index] - counts[index - 1])
    return float(counts[-1])
