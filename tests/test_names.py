"""Names of currencies and places, compared with CLDR's own French."""

import re
from collections import defaultdict

import numpy as np
import pytest
from babel import Locale

from attn_course.tasks import names as task

ENGLISH, FRENCH = Locale("en"), Locale("fr")
PAIRS = task.name_pairs(701, seed=3) + task.name_pairs(211, 5, (5,), "test")


def accepted(names):
    """CLDR's names that the task knows: code -> pair."""
    for code, name in names.items():
        try:
            yield code, task.render([name])
        except ValueError:
            continue


def test_a_currency_is_written_as_cldr_writes_it():
    written = dict(accepted(ENGLISH.currencies))
    others = {
        pair.names[0]: FRENCH.currencies[code]
        for code, pair in written.items()
        if pair.target != FRENCH.currencies[code]
    }
    assert len(written) > 130
    # The commonest way to write a word, and the commonest order, are taken for all of them
    assert (
        others.items()
        <= {
            "Turkish Lira": "livre turque",
            "Uzbekistani Som": "sum ouzbek",
            "Cuban Convertible Peso": "peso cubain convertible",
            "Bulgarian Hard Lev": "lev bulgare (1962–1999)",
            "Yemeni Dinar": "dinar du Yémen",
        }.items()
    )


def test_a_place_is_written_as_cldr_writes_it():
    written = dict(accepted(ENGLISH.territories))
    assert len(written) > 200
    for code, pair in written.items():
        assert pair.target == FRENCH.territories[code]


def test_every_place_of_two_words_is_one_that_cldr_has():
    codes = [*task.TURNED, *task.STRAIGHT]
    assert len(codes) == len(set(codes))
    for code in codes:
        english, french = ENGLISH.territories[code], FRENCH.territories[code]
        pair = task.render([english])
        assert (pair.source_pieces, pair.target) == (english.split(), french)
        places = [int(row.argmax()) for row in task.gold_sure(pair)]
        assert places == ([1, 0] if code in task.TURNED else [0, 1])


@pytest.mark.parametrize("words", [list(task.MIDDLE), ["New"]])
def test_what_stands_before_or_between_is_attested_too(words):
    english = " ".join(ENGLISH.currencies.values()).lower().split()
    french = re.findall(r"\w+", " ".join(FRENCH.currencies.values()))
    for word in words:
        assert word.lower() in english or f"({word.lower()})" in english
        assert set(task.MIDDLE.get(word, ("nouveau",))) & set(french), word


def test_nouns_have_the_gender_that_cldr_s_adjectives_give_them():
    """By the endings of adjectives in CLDR alone: which nouns are feminine?"""
    she, he = "(enne|aise|oise|aine|ole)", "(ien|ais|ois|ain|éen)"
    endings = defaultdict(set)
    for name in FRENCH.currencies.values():
        noun, *rest = name.split()
        if len(rest) == 1:
            endings[noun] |= {True} if re.search(f"{she}$", rest[0]) else set()
            endings[noun] |= {False} if re.search(f"{he}$", rest[0]) else set()
    nouns = {task.render([f"{a} {n}"]).target_pieces[0] for a, n in task.currencies()}
    known = {noun: genders for noun, genders in endings.items() if genders and noun in nouns}
    assert len(known) > 40
    for noun, genders in known.items():
        assert genders == {noun in task.FEMININE}, noun


def test_what_is_added_to_a_noun_in_french_is_no_adjective():
    """CLDR's French Gold Franc is a *franc or*, and its British Pound a *livre sterling*."""
    known = {*task.currencies("train"), *task.currencies("test")}
    assert not {"French Gold", "British"} & {adjective for adjective, _ in known}


def test_the_currencies_for_testing_stay_so():
    assert task.currencies() == task.currencies("train")
    afghan = sorted(noun for adjective, noun in task.currencies("test") if adjective == "Afghan")
    assert {"Balboa", "Boliviano", "Ekwele", "Forint", "Kip", "Kyat"} <= {*afghan}


def test_adjectives_agree_with_their_nouns():
    forms = defaultdict(lambda: defaultdict(set))
    for split in ("train", "test"):
        for adjective, noun in task.currencies(split):
            french, agreed = task.render([f"{adjective} {noun}"]).target_pieces
            forms[adjective][french in task.FEMININE].add(agreed)
    for table in forms.values():
        assert all(len(some) == 1 for some in table.values())
        if len(table) == 2:
            [he], [she] = table[False], table[True]
            assert she == he if he.endswith("e") else she in (he + "e", he + "ne")
    assert forms["Turkish"] == {True: {"turque"}}  # attested in the feminine alone
    assert forms["Australian"] == {False: {"australien"}, True: {"australienne"}}
    words = {agreed for table in forms.values() for some in table.values() for agreed in some}
    assert not words & task.NO_ADJECTIVES


BY_HAND = [
    ("Australian Dollar", "dollar australien", [[1], [0]]),
    ("European Monetary Unit", "unité monétaire européenne", [[2], [1], [0]]),
    ("New Australian Dollar", "nouveau dollar australien", [[0], [2], [1]]),
    ("New Kenyan Escudo", "nouvel escudo kényan", [[0], [2], [1]]),
    ("New Swiss Pound", "nouvelle livre suisse", [[0], [2], [1]]),
    ("New Danish Hard Króna", "nouvelle couronne forte danoise", [[0], [3], [2], [1]]),
    ("New Zealand Dollar", "dollar néo-zélandais", [[2], [0, 1]]),
    ("New New Zealand Dollar", "nouveau dollar néo-zélandais", [[0], [3], [1, 2]]),
    ("Costa Rican Financial Franc", "franc financier costaricain", [[3], [2], [0, 1]]),
    ("French Polynesia", "Polynésie française", [[1], [0]]),
    ("Burkina Faso", "Burkina Faso", [[0], [1]]),
    ("Denmark", "Danemark", [[0]]),
]


@pytest.mark.parametrize(("name", "french", "links"), BY_HAND)
def test_a_name_by_hand(name, french, links):
    pair = task.render([name])
    assert pair.target == french
    possible, sure = task.gold_possible(pair), task.gold_sure(pair)
    assert [row.nonzero()[0].tolist() for row in possible] == links
    assert [row.nonzero()[0].tolist() for row in sure] == [
        places if len(places) == 1 else [] for places in links
    ]


def test_a_list_keeps_its_order_and_its_joints_are_linked():
    pair = task.render(["Swiss Franc", "Denmark", "Thai Baht"])
    assert pair.source == "Swiss Franc , Denmark , and Thai Baht"
    assert pair.target == "franc suisse , Danemark et baht thaïlandais"
    sure = {0: 1, 1: 0, 2: 2, 3: 3, 4: 5, 5: 7, 6: 6}
    assert dict(zip(*map(list, task.gold_sure(pair).nonzero()), strict=True)) == sure
    only_possible = task.gold_possible(pair) & ~task.gold_sure(pair)
    assert list(zip(*map(list, only_possible.nonzero()), strict=True)) == [(4, 4)]
    two = task.render(["Denmark", "Swiss Franc"])
    assert (two.source, two.target) == ("Denmark and Swiss Franc", "Danemark et franc suisse")


def test_lists_are_their_names_one_after_the_other():
    for pair in PAIRS:
        cut = [re.split(r" (?:, and|,|and|et) ", text) for text in (pair.source, pair.target)]
        assert cut[0] == list(pair.names)
        assert cut[1] == [task.render([name]).target for name in pair.names]
        place = [0, 0]
        for english, french in zip(*cut, strict=True):
            rows, columns = len(french.split()), len(english.split())
            while pair.source_pieces[place[1]] in (",", "and"):
                place[1] += 1
            while pair.target_pieces[place[0]] in (",", "et"):
                place[0] += 1
            block = np.s_[place[0] : place[0] + rows], np.s_[place[1] : place[1] + columns]
            for gold in (task.gold_possible, task.gold_sure):
                np.testing.assert_array_equal(gold(pair)[block], gold(task.render([english])))
            place = [place[0] + rows, place[1] + columns]
        assert task.gold_possible(pair).any(axis=1).all()


def test_what_is_tested_was_never_trained_on():
    train, test = ({*task.currencies(split)} for split in ("train", "test"))
    assert not train & test
    assert 0.1 < len(test) / len(train | test) < 0.15
    assert all(task.is_test_currency(*pair) for pair in test)
    for part in range(2):  # every word is in the vocabulary
        assert {pair[part] for pair in test} <= {pair[part] for pair in train}
    for split, other in (("train", test), ("test", train)):
        for pair in task.name_pairs(307, 0, (1, 3), split):
            places = [name.removeprefix("New ") for name in pair.names]
            plain = {
                tuple(re.sub(" (" + "|".join(task.MIDDLE) + ")", "", n).rsplit(" ", 1))
                for n in places
            }
            assert not plain & other
            if split == "test":
                assert plain & test or "Zealand" in pair.source


def test_draws_are_as_documented():
    pairs = task.name_pairs(1009, seed=1)
    lengths = np.bincount([len(pair.names) for pair in pairs], minlength=4)
    assert (abs(lengths[1:] / 1009 - 1 / 3) < 0.05).all()
    names = [name for pair in pairs for name in pair.names]
    share = lambda test: np.mean([test(name) for name in names])  # noqa: E731
    places = set(ENGLISH.territories.values())
    assert share(lambda name: name in places) == pytest.approx(0.2, abs=0.03)
    middle = share(lambda name: bool(set(name.split()) & set(task.MIDDLE)))
    assert middle == pytest.approx(0.8 * 0.35, abs=0.03)
    new = share(lambda name: name.startswith("New ") and not name.startswith("New Zealand"))
    assert new == pytest.approx(0.8 * 0.15, abs=0.03)
    assert {len(pair.names) for pair in task.name_pairs(53, 0, [5], "test")} == {5}


REFUSED = {
    task.render: [
        ((["Denmark"] * 10,), "names must be at most 9; got 10"),
        ((["Atlantis"],), "names must be places, or currencies.*got 'Atlantis'"),
        *((([name],), f"names must be places.*got '{name}'") for name in ("", "New", "Hard")),
        ((["Turkish Dollar"],), "that agree.*got 'Turkish Dollar'"),
        ((["New  Swiss Franc"],), "got 'New  Swiss Franc'"),
    ],
    task.name_pairs: [
        ((3, 0, (0, 1)), "from 1 to 9; got 0"),
        ((3, 0, (10,)), "from 1 to 9; got 10"),
    ],
}
