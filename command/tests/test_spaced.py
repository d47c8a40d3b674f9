"""Which texts are symbols with spaces between them, and which only look like them."""

import random

import pytest
from capstone_corpora import written
from hypothesis import given
from hypothesis import strategies as st

from attn_own.lines import PairFile, Reading
from attn_own.own_corpus import Files, read_corpus
from attn_own.spaced import is_spaced, words_of

RNG = random.Random(0)


def drawn(pieces, least=2, most=6, count=300):
    """Texts of so many of these pieces."""
    pieces = pieces.split() if isinstance(pieces, str) else pieces
    return [" ".join(RNG.choices(pieces, k=RNG.randint(least, most))) for _ in range(count)]


IPA = "k æ t ʃ t͡ʃʰ d͡zʲ ɑː n̩ kʷ oʊ ʔ ˈa t̪ˠ ɫ s z m e"
SPACED = {
    "phones": drawn(IPA),
    "phones of words with one": [*drawn(IPA), *"aeiou"],
    "ARPABET": drawn("AH0 K T CH EY1 IY2 ZH NG HH S Z M N"),
    "tones": drawn("t a m ɓ ɔ ŋ ˧˧ ˨˩ ˧˨ʔ"),
    "Cyrillic letters": drawn("а б в г д дж е ж"),
    "few lines": drawn(IPA, count=20),
}
WORDS = """
    the of and to in is you that it he was for on are as with his they at be this have from or one
    had by word but not what all were we when your can said there use an which she do how their if
"""
ALIKE = {
    "sentences": drawn(WORDS, 4, 9),
    "short words": drawn("i am to go on up we do it in so my the dog", 3, 7),
    "number words": drawn("one two three six ten and"),
    "dates": drawn([*map(str, range(1, 32))], 3, 3),
    "months": [f"{day} {month} 19" for day in range(1, 31) for month in ("Jan", "Mai", "Oct")],
    "numbers": [f"{n:,}".replace(",", " ") for n in range(1_000, 900_000, 2_777)],
    "digits": [" ".join(str(n)) for n in range(1_000, 9_000, 23)],
    "amounts": [f"{n} {unit}" for n in range(2, 150) for unit in ("kg", "cm")],
    "French amounts": [f"{n // 1000}\u00a0{n % 1000},03 €" for n in range(1_111, 99_000, 271)],
    "phones and no-break spaces": [text.replace(" ", "\u00a0") for text in drawn(IPA)],
    "letters, and words apart": [text.replace("a", " a") for text in drawn("a b c d")],
    "one letter": drawn("A B C D", 1, 1),
    "one letter or two": drawn("A B C D", 1, 2),
    "Chinese": drawn("我 你 喜欢 吃 苹果 的 人 不 是 学生 老师"),
    "Japanese": drawn("わ を に は の が いぬ ねこ"),
    "words without cases": drawn("שלום a b c d"),
    "Korean": drawn("나 는 개 를 좋아 해"),
    "Morse": drawn(".- -... -.-. . .."),
    "names and initials": [f"J R {chr(97 + n % 26)}{chr(97 + n // 26)}son" for n in range(300)],
    "pieces that come once": [f"{chr(97 + n // 26)}{chr(97 + n % 26)} b" for n in range(300)],
    "too few": drawn(IPA, count=19),
    "none": [],
}


@pytest.mark.parametrize("name", SPACED)
def test_symbols_with_spaces_are_recognised(name):
    assert is_spaced(SPACED[name])


@pytest.mark.parametrize("name", ALIKE)
def test_what_only_looks_like_them_is_not(name):
    assert not is_spaced(ALIKE[name])


@given(st.lists(st.text("ab ʃ1\u00a0", max_size=9), max_size=40))
def test_only_what_single_spaces_divide_is_read_so(texts):
    if is_spaced(texts):
        assert all(text.split(" ") == text.split() for text in texts)


@pytest.mark.parametrize(
    ("sides", "words"), [((0, 1), "target"), ((1, 0), "source"), ((1, 1), "both"), ((0, 0), "none")]
)
def test_each_side_is_judged_by_itself_and_an_option_overrides_it(tmp_path, sides, words):
    phones = drawn(IPA)
    texts = [text.replace(" ", "") for text in phones], phones
    rows = [*zip(*(texts[side] for side in sides), strict=True)]
    path = written(tmp_path / "a.tsv", rows)
    assert words_of(PairFile(path, Reading())) == words
    corpus = read_corpus(Files(path, Reading("auto"), test=path))
    assert corpus.reading.words == corpus.tallies[1].file.reading.words == words
    assert corpus.source_vocabulary.separator == " " * sides[0]
    assert corpus.target_vocabulary.separator == " " * sides[1]
    assert read_corpus(Files(path, Reading("none"))).reading.words == "none"
