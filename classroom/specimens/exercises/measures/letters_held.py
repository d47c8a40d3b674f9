"""Right and wrong answers to `attn_class.exercises.measures.letters_held`."""

import random
from functools import partial

import numpy as np
import torch

from attn_class.exercises.measures.letters_held import solution
from specimens.answers import changed, named


def drawn(letters, longest, count, seed):
    """Texts of each length, from a generator of our own."""
    choose, lengths = np.random.default_rng(seed).choice, range(1, longest + 1)
    return {n: ["".join(choose(list(letters), n)) for _ in range(count)] for n in lengths}


def in_numpy(write, models, letters, longest, count, bar, seed):
    texts = drawn(letters, longest, count, seed)
    copied = [[[write(m, t) == t for t in some] for some in texts.values()] for m in range(models)]
    exact = np.mean(copied, axis=2)
    falls = np.hstack([exact < bar, np.ones((models, 1), bool)])
    return exact, falls.argmax(axis=1)


def with_the_seed_for_each_model(write, models, letters, longest, count, bar, seed):
    table, held = [], []
    for model in range(models):
        draws, row = random.Random(seed), []
        for length in range(1, longest + 1):
            right = 0
            for _ in range(count):
                text = "".join(draws.choice(letters) for _ in range(length))
                right += write(model, text) == text
            row.append(right / count)
        table.append(row)
        held.append(next((n for n, share in enumerate(row) if share < bar), longest))
    return table, held


def with_tensors(write, models, letters, longest, count, bar, seed):
    generator = torch.Generator().manual_seed(seed)
    exact = torch.zeros(models, longest)
    for length in range(longest):
        for places in torch.randint(len(letters), (count, length + 1), generator=generator):
            text = "".join(letters[place] for place in places)
            for model in range(models):
                exact[model, length] += write(model, text) == text
    return exact / count, (exact / count >= bar).long().cumprod(dim=1).sum(dim=1)


def by_while(write, models, letters, longest, count, bar, seed):
    texts = drawn(letters, longest, count, seed)
    exact, held = torch.empty((models, longest)), []
    for m in range(models):
        for n, some in texts.items():
            exact[m, n - 1] = sum(1 for t in some if write(m, t) == t) / len(some)
        n = 0
        while n < longest and exact[m, n].item() >= bar - 1e-9:
            n += 1
        held.append(n)
    return exact.double(), torch.tensor(held)


but = partial(changed, solution)
TEXT = '"".join(generator.choices(letters, k=n))'
RIGHT = [in_numpy, with_the_seed_for_each_model, with_tensors, by_while]
WRONG = {
    "draws_texts_at_random": named(
        one_text_again_and_again=but(f"[{TEXT} for _ in range(count)]", f"[{TEXT}] * count"),
        no_letter_twice=but(TEXT, '"".join((generator.sample(letters, len(letters)) * 2)[:n])'),
        two_letters_only=but("choices(letters", "choices(letters[:2]"),
        all_one_letter=but(TEXT, "generator.choice(letters) * n"),
    ),
    "compares_on_the_same_texts": named(
        other_texts_for_each_model=but(
            "in texts", "in [generator.choices(each, k=count) for each in texts]"
        )
    ),
    "the_seed_decides": named(
        without_a_seed=but("Random(seed)", "Random()"), a_seed_of_its_own=but("(seed)", "(0)")
    ),
}
