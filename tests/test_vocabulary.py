import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_course.tasks.vocabulary import END, PADDING, START, UNKNOWN, Vocabulary

SYMBOLS = "0123456789-aéж日٣"
KNOWN = Vocabulary(SYMBOLS)


@given(st.text(SYMBOLS), st.booleans())
def test_text_survives_the_round_trip(text, end):
    assert KNOWN.decode(KNOWN.encode(text, end)) == text


@given(st.text())
def test_one_number_for_each_character_and_one_for_the_end(text):
    numbers = KNOWN.encode(text, end=True)
    assert len(numbers) == len(text) + 1
    assert numbers[-1] == END
    assert all(3 <= number < len(KNOWN) for number in numbers[:-1])


@given(st.text())
def test_characters_outside_are_unknown_and_shown_as_lost(text):
    numbers = KNOWN.encode(text)
    assert [number == UNKNOWN for number in numbers] == [c not in SYMBOLS for c in text]
    assert KNOWN.decode(numbers) == "".join(c if c in SYMBOLS else "\ufffd" for c in text)


@given(st.text(SYMBOLS), st.lists(st.integers(0, len(KNOWN) - 1)))
def test_nothing_behind_the_end_is_read(text, rest):
    assert KNOWN.decode(KNOWN.encode(text, end=True) + rest) == text


def test_padding_and_start_are_no_characters():
    assert KNOWN.decode([START, PADDING, *KNOWN.encode("7"), PADDING]) == "7"


def test_special_numbers_come_first_and_symbols_keep_their_order():
    assert (PADDING, START, END, UNKNOWN) == (0, 1, 2, 3)
    assert [KNOWN.encode(symbol) for symbol in SYMBOLS] == [[4 + i] for i in range(len(SYMBOLS))]
    assert KNOWN.symbols == tuple(SYMBOLS)
    assert len(KNOWN) == 4 + len(SYMBOLS)


def test_tensors_can_be_decoded():
    assert KNOWN.decode(torch.tensor(KNOWN.encode("2005-04-03", end=True))) == "2005-04-03"


@given(st.lists(st.text()))
def test_from_texts_does_not_depend_on_order_or_number_of_texts(texts):
    built = Vocabulary.from_texts(texts)
    assert built == Vocabulary.from_texts(reversed(texts * 2))
    assert list(built.symbols) == sorted(set("".join(texts)))
    assert all(character in built for text in texts for character in text)


def test_the_special_numbers_come_with_it():
    names = {}
    exec("from attn_course.tasks.vocabulary import *", names)
    names.pop("__builtins__")
    assert names == {
        **{"PADDING": PADDING, "START": START, "END": END, "UNKNOWN": UNKNOWN},
        "Vocabulary": Vocabulary,
    }


PIECES = ["one", "twenty", "hundred", "élan", "日"]
WORDS = Vocabulary(PIECES, separator=" ")


@given(st.lists(st.sampled_from(PIECES)), st.booleans())
def test_pieces_survive_the_round_trip_and_have_one_number_each(pieces, end):
    text = " ".join(pieces)
    assert WORDS.split(text) == pieces
    numbers = WORDS.encode(text, end)
    assert numbers == [4 + PIECES.index(piece) for piece in pieces] + [END] * end
    assert WORDS.decode(numbers) == text


def test_a_piece_that_is_not_known_is_shown_as_lost():
    assert WORDS.decode(WORDS.encode("one million")) == "one \ufffd"


def test_the_separator_decides_what_a_piece_is():
    pieces = Vocabulary(["five and", "twenty"], separator="-")
    assert pieces.split("five and-twenty") == ["five and", "twenty"]


REFUSED = {
    Vocabulary: [
        *(
            ((symbols,), r"symbols must be (single characters|distinct)")
            for symbols in ("aba", ["ab", "c"], ["a", ""], ["a", 3])
        ),
        *(
            ((symbols, " "), r"symbols must be (single pieces without ' '|distinct)")
            for symbols in (["twenty one"], ["one", ""], ["one", "one"])
        ),
        (("abcb",), "'b' came more than once"),
    ],
    KNOWN.decode: [(([number],), f"got {number}") for number in (-1, len(KNOWN))],
    Vocabulary.from_texts: [(("2005",), TypeError, "single string")],
    setattr: [((KNOWN, "symbols", ("a",)), AttributeError, "symbols")],
}
