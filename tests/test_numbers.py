"""Number names and their gold alignment, checked by computing the values independently."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from attn_course.tasks import numbers as task

NUMBERS = st.integers(1, 12).flatmap(lambda digits: st.integers(1, 10**digits - 1))
EVERY_LANGUAGE = ("en", *task.LANGUAGES)
JOINING = {"and", "und", "et"}

# An independent dictionary: nothing in it comes from the module under test
SMALL = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
    "seize",
}
TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
}
SCALE = {
    "en": {"hundred": 2, "thousand": 3, "million": 6, "billion": 9},
    "de": {"hundert": 2, "tausend": 3, "Million": 6, "Milliarde": 9}
    | {"Millionen": 6, "Milliarden": 9},
    "fr": {"cent": 2, "mille": 3, "million": 6, "milliard": 9}
    | {"cents": 2, "millions": 6, "milliards": 9},
}


@cache
def values(language):
    words = {word: n for n, word in enumerate(SMALL[language].split(), start=1)}
    words |= {word: 10 * n for n, word in enumerate(TENS[language].split(), start=2)}
    return words | {"ein": 1, "eine": 1, "vingts": 20}


def evaluate(words, language):
    """The value of a name, computed by adding and multiplying as people read it."""
    total = group = 0
    for n, word in enumerate(words):
        if word in JOINING:
            continue
        power = SCALE[language].get(word)
        if power is None:
            four_score = word.startswith("vingt") and n and words[n - 1] == "quatre"
            group += 76 if four_score else values(language)[word]  # 4 + 76 = 4 times 20
        elif power == 2:
            group = max(group, 1) * 100
        else:
            total += max(group, 1) * 10**power
            group = 0
    return total + group


@given(NUMBERS, st.sampled_from(EVERY_LANGUAGE))
def test_pieces_are_the_name_that_num2words_writes_and_are_worth_the_number(number, language):
    name = "".join(filter(str.isalpha, num2words(number, lang=language)))
    assert "".join(task.pieces(number, language)) == name
    assert evaluate(task.pieces(number, language), language) == number


@given(NUMBERS, st.sampled_from(task.LANGUAGES))
def test_what_is_linked_is_worth_the_same_on_both_sides(number, language):
    pair = task.render(number, language)
    for targets, sources in connected(task.gold_possible(pair)):
        value = worth(pair.target_pieces, targets, language)
        assert value == worth(pair.source_pieces, sources, "en"), (number, value)


def connected(gold):
    """Groups of target and source pieces that are connected by links."""
    left = set(zip(*map(list, gold.nonzero()), strict=True))
    while left:
        targets, sources = ({part} for part in left.pop())
        while grown := {(i, j) for i, j in left if i in targets or j in sources}:
            targets |= {i for i, _ in grown}
            sources |= {j for _, j in grown}
            left -= grown
        yield sorted(targets), sorted(sources)


def worth(words, places, language):
    """What these pieces of a name add to the number, and which words of scale they are."""
    total, scales, powers = 0, set(), SCALE[language]
    for unit in {multiplier(words, place, language) for place in places}:
        digits = [words[n] for n in places if multiplier(words, n, language) == unit]
        total += unit * evaluate([word for word in digits if word not in powers], language)
    for place in places:
        power = powers.get(words[place])
        if power:
            here = 10**power * multiplier(words, place, language)
            scales.add(here)
            alone = place == 0 or powers.get(words[place - 1], 0) > 2
            total += here if alone else 0  # mille and cent say one as well
    return total, scales


def multiplier(words, place, language):
    """The factor by which the words of scale after a piece multiply it."""
    unit, powers = 1, SCALE[language]
    for word in words[place + 1 :]:
        if powers.get(word) == 2 and powers.get(words[place]) is None:
            unit *= 100
        elif powers.get(word, 0) > 2:
            return unit * 10 ** powers[word] if powers.get(words[place], 0) < 3 else unit
    return unit


@given(NUMBERS, st.sampled_from(task.LANGUAGES))
def test_every_piece_that_denotes_something_is_linked(number, language):
    pair = task.render(number, language)
    gold = task.gold_possible(pair)
    assert gold.shape == (len(pair.target_pieces), len(pair.source_pieces))
    assert [row.any() for row in gold] == [word not in JOINING for word in pair.target_pieces]
    assert [row.any() for row in gold.T] == [word not in JOINING for word in pair.source_pieces]
    assert (task.gold_sure(pair).any(axis=1) == (gold.sum(axis=1) == 1)).all()
    written = {place for place, digit in enumerate(reversed(str(number))) if digit != "0"}
    for denoted in (pair.source_parts, pair.target_parts):
        assert {place for piece in denoted for kind, place in piece if kind == "digit"} == written


BY_HAND = [
    (21, "de", "ein-one zwanzig-twenty"),
    (1000, "fr", "mille-one mille-thousand"),
    (80, "fr", "quatre-eighty vingts-eighty"),
    (71, "fr", "soixante-seventy onze-seventy onze-one"),
    (1_000_001, "de", "eine-one Million-million eins-one"),
]


@pytest.mark.parametrize(("number", "language", "links"), BY_HAND)
def test_links_known_by_hand(number, language, links):
    pair = task.render(number, language)
    numbers = [
        f"{pair.target_pieces[i]}-{pair.source_pieces[j]}"
        for i, j in zip(*task.gold_possible(pair).nonzero(), strict=True)
    ]
    assert " ".join(numbers) == links


@pytest.mark.parametrize("language", task.LANGUAGES)
def test_a_vocabulary_is_what_the_dictionary_has_in_an_order_that_nothing_changes(language):
    # a trained model knows its pieces only by their numbers
    for vocabulary, code in zip(task.number_vocabularies(language), ("en", language), strict=True):
        known = {*SMALL[code].split(), *TENS[code].split(), *SCALE[code]} | {
            "en": {"and"},
            "de": {"und", "ein", "eine"},
            "fr": {"et", "vingts"},
        }[code]
        assert list(vocabulary.symbols) == sorted(known)


@pytest.mark.slow
def test_the_split_is_scattered():
    numbers = range(10, 200_000)
    some = [number for number in numbers if task.is_test_number(number)]
    assert len(some) / len(numbers) == pytest.approx(1 / 11, rel=0.02)
    for modulus in (2, 3, 10, 11, 100):  # whatever a name ends with is on both sides
        shares = [sum(n % modulus == rest for n in some) / len(some) for rest in range(modulus)]
        assert min(shares) > 0.7 / modulus
        assert max(shares) < 1.3 / modulus


def test_the_split_stays_what_it_was():
    # models trained with an earlier version must not be tested on what they saw
    low, high = range(200), range(task.LARGEST - 50, task.LARGEST + 1)
    assert list(filter(task.is_test_number, low)) == [*range(55, 74, 3), *range(131, 150, 3)]
    assert list(filter(task.is_test_number, high)) == list(
        range(task.LARGEST - 37, task.LARGEST - 18, 3)
    )


def test_every_number_of_its_side_is_drawn():
    ones = {pair.number for pair in task.number_pairs(200, 0, (1,), "fr")}
    assert ones == set(range(1, 10))
    sides = [task.number_pairs(1500, 0, (2,), "fr", split) for split in ("train", "test")]
    trained, tested = ({pair.number for pair in pairs} for pairs in sides)
    assert trained | tested == set(range(10, 100))
    assert not trained & tested


def test_all_twelve_digits_can_be_drawn_and_each_count_as_often():
    pairs = task.number_pairs(600, 0, range(1, 13), "fr")
    lengths = Counter(len(str(pair.number)) for pair in pairs)
    assert set(lengths) == set(range(1, 13))
    assert all(25 < times < 85 for times in lengths.values())


REFUSED = {
    task.render: [((10**12, "de"), "from 1 to 999999999999; got 1000000000000")],
    task.number_pairs: [
        ((3, 0, (3, 13), "de"), "from 1 to 12; got 13"),
        ((3, 0, (1, 2), "de", "test"), "digits must be 2 or more to test"),
    ],
    task.parts: [((81, "de", ["achtzig"]), "81 is written.*'achtzig'.* in 'de'; got")],
}
