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
RIGHT_ONE = "write(model, text) == text"
HELD = "low[0] - 1 if low else longest"
RIGHT = [in_numpy, with_the_seed_for_each_model, with_tensors, by_while]
WRONG = {
    "returns_a_table_and_a_list": named(
        a_mean_over_models=but(
            "return exact", "return [sum(column) / models for column in zip(*exact)]"
        ),
        held_alone=lambda *given: solution(*given)[1],
    ),
    "tries_every_length": named(
        lengths_from_zero=but("range(1, longest + 1)", "range(longest)"),
        one_text_less=but("range(count)]", "range(count - 1)]"),
        the_longest_alone=but("for some in texts]", "for some in texts[-1:] * longest]"),
        always_the_first_model=but("write(model, text)", "write(0, text)"),
    ),
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
    "a_share_of_whole_texts": named(
        counts=but("append(shares)", "append([count * share for share in shares])"),
        letters_right=but(RIGHT_ONE, "sum(map(str.__eq__, write(model, text), text)) / len(text)"),
        as_far_as_it_goes=but(RIGHT_ONE, "text.startswith(write(model, text))"),
        how_it_begins=but(RIGHT_ONE, "write(model, text).startswith(text)"),
        the_same_letters=but(RIGHT_ONE, "set(write(model, text)) == set(text)"),
        the_same_length=but(RIGHT_ONE, "len(write(model, text)) == len(text)"),
    ),
    "held_up_to_the_first_fall": named(
        the_last_good_one=but(HELD, "max({0, *lengths} - {*low})"),
        how_many_are_good=but(HELD, "longest - len(low)"),
        one_too_many=but(HELD, "low[0] if low else longest"),
        one_too_few=but(HELD, "max(0, low[0] - 2) if low else longest - 1"),
    ),
    "the_bar_itself_is_enough": named(
        above_the_bar=but("< bar", "<= bar"), a_bar_of_its_own=but("< bar", "< 0.5")
    ),
    "runs": named(
        gives_the_length=lambda write, models, *others: solution(write, range(models), *others)
    ),
}
