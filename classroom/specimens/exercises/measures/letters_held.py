import random

import numpy as np
import torch


def _drawn(letters, longest, count, seed):
    """Texts of each length, from a generator of our own."""
    choose, lengths = np.random.default_rng(seed).choice, range(1, longest + 1)
    return {n: ["".join(choose(list(letters), n)) for _ in range(count)] for n in lengths}


def in_numpy(write, models, letters, longest, count, bar, seed):
    texts = _drawn(letters, longest, count, seed)
    copied = [[[write(m, t) == t for t in some] for some in texts.values()] for m in range(models)]
    exact = np.mean(copied, axis=2)
    falls = np.hstack([exact < bar, np.ones((models, 1), bool)])
    return exact, falls.argmax(axis=1)


def with_the_seed_for_each_model(write, models, letters, longest, count, bar, seed):
    table, lengths = [], []
    for model in range(models):
        draws, row = random.Random(seed), []
        for length in range(1, longest + 1):
            right = 0
            for _ in range(count):
                text = "".join(draws.choice(letters) for _ in range(length))
                right += write(model, text) == text
            row.append(right / count)
        table.append(row)
        lengths.append(next((n for n, share in enumerate(row) if share < bar), longest))
    return table, lengths


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
    texts = _drawn(letters, longest, count, seed)
    exact, lengths = torch.empty((models, longest)), []
    for m in range(models):
        for n, some in texts.items():
            exact[m, n - 1] = sum(1 for t in some if write(m, t) == t) / len(some)
        n = 0
        while n < longest and exact[m, n].item() >= bar - 1e-9:
            n += 1
        lengths.append(n)
    return exact.double(), torch.tensor(lengths)


_TEXT = '"".join(generator.choices(letters, k=n))'
WRONG = {
    "draws_texts_at_random": [
        (f"[{_TEXT} for _ in range(count)]", f"[{_TEXT}] * count"),
        (_TEXT, '"".join((generator.sample(letters, len(letters)) * 2)[:n])'),
        ("choices(letters", "choices(letters[:2]"),
        (_TEXT, "generator.choice(letters) * n"),
    ],
    "compares_on_the_same_texts": [
        ("in texts", "in [generator.choices(each, k=count) for each in texts]")
    ],
    "the_seed_decides": [("Random(seed)", "Random()"), ("(seed)", "(0)")],
}
