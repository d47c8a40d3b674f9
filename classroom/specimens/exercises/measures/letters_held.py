"""Right and wrong answers to `attn_class.exercises.measures.letters_held`."""

import itertools
import random

import numpy as np
import torch

from attn_class.exercises.measures.letters_held import solution
from specimens.answers import changed, named


def drawn(letters, longest, count, seed):
    """Texts of each length, from a generator of our own."""
    choose = np.random.default_rng(seed).choice
    return {
        n: ["".join(choose(list(letters), n)) for _ in range(count)] for n in range(1, longest + 1)
    }


def held_of(shares, bar):
    return len(list(itertools.takewhile(lambda share: share >= bar, shares)))


def in_numpy(write, models, letters, longest, count, bar, seed):
    texts = drawn(letters, longest, count, seed)
    exact = np.array(
        [
            [np.mean([write(m, t) == t for t in some]) for some in texts.values()]
            for m in range(models)
        ]
    )
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
        held.append(held_of(row, bar))
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


def measuring(texts=drawn, right=str.__eq__, held=held_of, each=list):
    """An answer that does one of these things in its own way."""

    def answer(write, models, letters, longest, count, bar, seed):
        given = texts(letters, longest, count, seed)
        exact = [
            [sum(right(write(m, t), t) for t in some) / count for some in given.values()]
            for m in range(models)
        ]
        return exact, [held(shares, bar) for shares in exact]

    return answer


def lengths_from_zero(letters, longest, count, seed):
    return {0: [""] * count} | drawn(letters, longest - 1, count, seed)


def the_longest_alone(letters, longest, count, seed):
    texts = drawn(letters, longest, count, seed)
    return dict.fromkeys(texts, texts[longest])


def no_letter_twice(letters, longest, count, seed):
    draws = random.Random(seed)
    some = {
        n: ["".join(draws.sample(letters, min(n, len(letters)))) for _ in range(count)]
        for n in range(1, longest + 1)
    }
    return {n: [(text + letters)[:n] for text in texts] for n, texts in some.items()}


def letters_right(wrote, text):
    return sum(a == b for a, b in zip(wrote, text, strict=False)) / len(text)


def the_last_good_one(shares, bar):
    return max((n for n, share in enumerate(shares, start=1) if share >= bar), default=0)


RIGHT = [in_numpy, with_the_seed_for_each_model, with_tensors, by_while]
WRONG = {
    "returns_a_table_and_a_list": named(
        a_mean_over_models=changed(
            solution, "return exact", "return [sum(column) / models for column in zip(*exact)]"
        ),
        held_alone=lambda *given: solution(*given)[1],
    ),
    "tries_every_length": named(
        lengths_from_zero=measuring(lengths_from_zero),
        one_text_less=measuring(lambda *given: {n: some[1:] for n, some in drawn(*given).items()}),
        the_longest_alone=measuring(the_longest_alone),
        always_the_first_model=lambda write, *others: solution(
            lambda _, text: write(0, text), *others
        ),
    ),
    "draws_texts_at_random": named(
        one_text_again_and_again=measuring(
            lambda *given: {n: some[:1] * len(some) for n, some in drawn(*given).items()}
        ),
        no_letter_twice=measuring(no_letter_twice),
        two_letters_only=measuring(lambda letters, *others: drawn(letters[:2], *others)),
        all_one_letter=measuring(
            lambda *given: {n: [text[0] * n for text in some] for n, some in drawn(*given).items()}
        ),
    ),
    "compares_on_the_same_texts": named(
        other_texts_for_each_model=changed(
            solution, "in texts", "in [generator.choices(each, k=count) for each in texts]"
        )
    ),
    "the_seed_decides": named(
        without_a_seed=measuring(lambda *given: drawn(*given[:-1], None)),
        a_seed_of_its_own=measuring(lambda *given: drawn(*given[:-1], 0)),
    ),
    "a_share_of_whole_texts": named(
        counts=changed(solution, "append(shares)", "append([count * share for share in shares])"),
        letters_right=measuring(right=letters_right),
        as_far_as_it_goes=measuring(right=lambda wrote, text: text.startswith(wrote)),
        how_it_begins=measuring(right=lambda wrote, text: wrote.startswith(text)),
        the_same_letters=measuring(right=lambda wrote, text: set(wrote) == set(text)),
        the_same_length=measuring(right=lambda wrote, text: len(wrote) == len(text)),
    ),
    "held_up_to_the_first_fall": named(
        the_last_good_one=measuring(held=the_last_good_one),
        how_many_are_good=measuring(held=lambda shares, bar: sum(share >= bar for share in shares)),
        one_too_many=measuring(held=lambda shares, bar: min(held_of(shares, bar) + 1, len(shares))),
        one_too_few=measuring(held=lambda shares, bar: max(held_of(shares, bar) - 1, 0)),
    ),
    "the_bar_itself_is_enough": named(
        above_the_bar=measuring(held=lambda shares, bar: held_of(shares, bar + 1e-6)),
        a_bar_of_its_own=measuring(held=lambda shares, bar: held_of(shares, 0.5)),
    ),
    "runs": named(
        gives_the_length=lambda write, models, *others: solution(write, range(models), *others)
    ),
}
