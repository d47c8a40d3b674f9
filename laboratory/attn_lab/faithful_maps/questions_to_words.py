"""The four questions of `four_questions`, asked of a reader that points at a wrong letter."""

import random
from collections.abc import Sequence

import torch
from torch import Tensor

from attn_course.context import context_vectors
from attn_course.interventions import hidden
from attn_course.models.pointer import PointerReader, Read
from attn_course.symbols import FIRST_SYMBOL
from attn_course.tasks.typos import TypoPair, is_test_typo, typo_vocabulary, words
from attn_course.weights import attention_weights
from attn_lab.measuring import by_length, shares_of
from attn_lab.typos.typo_models import right_letter, unseen_pairs


@torch.no_grad()
def ask(model: PointerReader, seed: int) -> dict[str, object]:
    """Measure as `four_questions` does, on new mistakes in known words."""
    pairs = unseen_pairs(seed, "typos")
    chances: dict[str, list[Tensor]] = {}
    for group in by_length(pairs):
        for number, p in weakened(model, group).items():
            chances.setdefault(number, []).append(p)
    twins = [pair for pair in (twin(pair, seed) for pair in pairs) if pair]
    return {
        "exact": torch.cat(chances.pop("right")).double().mean().item(),
        **{number: [torch.cat(parts).double().mean().item()] for number, parts in chances.items()},
        **swaps(model, twins),
    }


def twin(pair: TypoPair, seed: int) -> tuple[TypoPair, TypoPair] | None:
    """This wrong word, and one of the same length with the same wrong letter at the same position.

    Its right letter is another one, and its mistake was not trained on. None if no such word can be
    found.
    """
    place, wrong, wrongly = pair.place, pair.source[pair.place], []
    for word in words():
        if len(word) == len(pair.target) and word[place] not in (wrong, right_letter(pair)):
            source = word[:place] + wrong + word[place + 1 :]
            if is_test_typo(source, word):
                wrongly.append(TypoPair(source, word, pair.kind, place))
    chosen = random.Random(f"{seed} {pair.source}")
    return (pair, chosen.choice(wrongly)) if wrongly else None


class Looked:
    """Some wrong words of one length, as a pointer reads them."""

    def __init__(self, model: PointerReader, pairs: Sequence[TypoPair]):
        sources = torch.tensor([typo_vocabulary().encode(pair.source) for pair in pairs])
        self.model = model
        self.read: Read = model.read(sources, torch.full((len(pairs),), sources.shape[1]))
        self.query = torch.tanh(model.ask(self.read.summary)).unsqueeze(1)
        letters = [typo_vocabulary().encode(right_letter(pair))[0] for pair in pairs]
        self.letters = torch.tensor(letters) - FIRST_SYMBOL
        self.places = torch.tensor([pair.place for pair in pairs])

    def look(self, annotations: Tensor) -> tuple[Tensor, Tensor]:
        """The weights on these annotations, and their context."""
        weights = attention_weights(self.model.score(self.query, annotations), self.read.readable)
        return weights, context_vectors(weights, annotations)

    def shares(self, context: Tensor, query: Tensor) -> Tensor:
        """How likely each letter is (batch letter)."""
        logits = self.model.readout(torch.cat([context, query], dim=-1))[:, 0]
        return logits[:, FIRST_SYMBOL:].softmax(dim=-1)

    def named(self, annotations: Tensor) -> Tensor:
        """The likeliest letter if these annotations are looked at."""
        return self.shares(self.look(annotations)[1], self.query).argmax(dim=-1)


def weakened(model: PointerReader, pairs: Sequence[TypoPair]) -> dict[str, Tensor]:
    """How likely the right letter is: as it is, without a context, without the largest weight."""
    looked = Looked(model, pairs)
    weights, context = looked.look(looked.read.annotations)
    top = weights == weights.amax(dim=-1, keepdim=True)
    contexts = {
        "p": context,
        "p, top hidden": context_vectors(hidden(weights, top), looked.read.annotations),
        "p, nothing": torch.zeros_like(context),
    }
    shares = {number: looked.shares(context, looked.query) for number, context in contexts.items()}
    right = looked.letters.unsqueeze(-1)
    chances = {number: share.gather(-1, right).squeeze(-1) for number, share in shares.items()}
    return chances | {"right": shares["p"].argmax(dim=-1) == looked.letters}


def swaps(model: PointerReader, twins: Sequence[tuple[TypoPair, TypoPair]]) -> dict[str, dict]:
    """Whose letter is named with annotations, or with the state, of the other word.

    Only pairs of words of which both letters are named count.
    """
    votes: dict[str, list[tuple[bool, bool]]] = {}
    for group in by_length(twins, lambda pair: pair[0]):
        one, other = (Looked(model, side) for side in zip(*group, strict=True))
        own, theirs = one.read.annotations, other.read.annotations
        mistake = torch.arange(own.shape[1]) == one.places.unsqueeze(-1)
        names = {
            "all others": one.named(torch.where(mistake.unsqueeze(-1), theirs, own)),
            "own": one.named(torch.where(mistake.unsqueeze(-1), own, theirs)),
            "before": one.shares(one.look(own)[1], other.query).argmax(dim=-1),
            "then": one.shares(other.look(theirs)[1], one.query).argmax(dim=-1),
        }
        both = (one.named(own) == one.letters) & (other.named(theirs) == other.letters)
        for number, named in names.items():
            pairs = torch.stack([named == other.letters, named == one.letters], dim=1)[both]
            votes.setdefault(number, []).extend(map(tuple, pairs.tolist()))
    return {
        "swap": {number: shares_of(votes[number]) for number in ("own", "all others")},
        "when": {number: shares_of(votes[number]) for number in ("then", "before")},
    }
