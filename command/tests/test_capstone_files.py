"""Files of pairs that are not as expected: understood, or reported for what they are."""

import gzip
import io
import json
import os
import random
import shlex
import threading
import unicodedata
import zipfile
from collections import Counter
from typing import NamedTuple

import pytest
from babel import Locale
from capstone_corpora import pairs, written

from attn_own import own_corpus
from attn_own.actions import reading_of
from attn_own.lines import Bad, Line, PairFile, Reading, lines
from attn_own.options import parsed
from attn_own.own_corpus import (
    TEST,
    TRAINING,
    VALIDATION,
    Files,
    Pair,
    part_of,
    read_corpus,
    read_test,
)
from attn_own.suspicions import suspected
from attn_own.trained import load_test, save_test
from attn_own.verdicts import of_limits
from attn_own.wording import Refusal

PAIRS = pairs()
LETTERS = [(a, " ".join(b)) for a, b in PAIRS]
RNG = random.Random(0)


def joined(rows, separator="\t", end="\n"):
    return "".join(separator.join(row) + end for row in rows)


def reading_for(*options):
    return reading_of(parsed(["train", "x", *options]))


def read(path, *options):
    """The corpus as the command line reads it."""
    args = parsed(["train", str(path), *options])
    by_group, reading = args.split_by == "group", reading_of(args)
    return read_corpus(Files(path, reading, args.seed, args.test, args.validation, by_group))


def put(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def suspicion(path, *options):
    """What is suspected of a file, as one text."""
    return " ".join(suspected(PairFile(path, reading_for(*options))))


# ---- read as they are meant


def quoted(sign):
    rows = [(f'{a}{sign.strip()} "x"', b) for a, b in PAIRS]
    return joined(
        [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in rows], sign
    )


def json_lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def columns(*others):
    """Rows in which 1 and 2 stand for source and target."""
    return [[row[cell - 1] if isinstance(cell, int) else cell for cell in others] for row in PAIRS]


PO = 'msgid ""\nmsgstr "Language: fr\\n"\n\n'
PO += "".join(f'#: a.c:{at}\nmsgid "{a}"\nmsgstr "{b}"\n\n' for at, (a, b) in enumerate(PAIRS))
PO_OF = PO.replace("fr\\n", 'fr\\n"\n"Content-Type: text/plain; charset={}\\n')
INDEX = [("", "text", "y"), *[(str(n), a, b) for n, (a, b) in enumerate(PAIRS)]]


class Case(NamedTuple):
    """A file and the options to read it with; its first pair, and lines that are left out."""

    text: str | bytes
    options: str = ""
    first: tuple[str, str] = PAIRS[0]
    besides: int = 0


MIXED, JOINED = joined(columns("7", 1, "x", 2, "g", "y")), ("ecbdc x", "ECBDC")
HEADED = joined([("wort", "laut"), *PAIRS])
READ = {
    **{f"end {end!r}": Case(joined(PAIRS, end=end)) for end in ("\n", "\r\n", "\r", "\r\r\n")},
    **{
        f"csv {sign}": Case(quoted(sign), f"--separator '{sign}'", (f'ecbdc{sign} "x"', "ECBDC"))
        for sign in ",;|"
    },
    "csv with tabs": Case(quoted("\t"), "--separator tab", ('ecbdc "x"', "ECBDC")),
    "words after a space": Case(joined(LETTERS, " "), "--separator ' '", LETTERS[0]),
    "empty columns": Case(joined(columns(1, 2, "", " ", ""))),
    "columns": Case(MIXED, "--columns 2,4"),
    "columns joined": Case(MIXED, "--columns 2+3,4", JOINED),
    "PO": Case(PO),
    "PO, untranslated": Case(PO + 'msgid "a new text"\nmsgstr ""\n'),
    "PO, fuzzy": Case(PO + '#, fuzzy\nmsgid "a new text"\nmsgstr "b"\n', besides=1),
    "PO in Latin-1": Case(PO_OF.format("ISO-8859-1").encode("latin-1")),
    **{f"PO of {name}": Case(PO_OF.format(name)) for name in ("CHARSET", "hex", "idna", "utf-16")},
    "JSON lines": Case(json_lines(*({"source": a, "target": b} for a, b in PAIRS))),
    "JSON lines by name": Case(
        json_lines(*({"id": 7, "out": b, "in": a} for a, b in PAIRS)), "--columns in,out"
    ),
    "JSON lines, nested": Case(
        json_lines(*({"translation": {"en": a, "fr": b}} for a, b in PAIRS))
    ),
    "JSON lists": Case(json_lines(*PAIRS)),
    "comments #": Case("# a lexicon\n#\n## 2026\n#no space\n" + joined(PAIRS), besides=4),
    "comments ;;;": Case(";;; a lexicon\n;;;\n" + joined(PAIRS), besides=2),
    "comments by spaces": Case(
        ";;; a lexicon by somebody\n" + joined(LETTERS, "  "), "--separator '  '", LETTERS[0], 1
    ),
    "comments behind": Case(joined(columns(1, 2, "# checked"))),
    "header": Case(HEADED, "--header", besides=1),
    "header below a comment": Case("# made by hand\n\n" + HEADED, "--header", besides=3),
    "columns by name": Case(
        "# made by hand\n" + joined([("n", "to", "from"), *columns("7", 2, 1)]),
        "--columns from,to",
        besides=2,
    ),
    "columns by name in csv": Case(
        joined([("n", "Ziel", "die Quelle"), *columns("7", 2, 1)], ";"),
        "--separator ';' --columns 'die Quelle,Ziel'",
        besides=1,
    ),
    "columns joined by name": Case(
        joined([("n", "word", "tags", "out"), *columns("7", 1, "x", 2)]),
        "--columns 'word + 3 , out'",
        JOINED,
        besides=1,
    ),
    "names with signs": Case(
        joined([("n", '"in, C++"', "2020"), *columns("7", 1, 2)], ","),
        """--separator , --columns '"in, C++","2020"'""",
        besides=1,
    ),
    "names in another normal form": Case(
        joined([("n", "wo\u0308rt", "l\u00e4ute"), *columns("7", 1, 2)]),
        "--columns w\u00f6rt,la\u0308ute",
        besides=1,
    ),
    "index with a header": Case(joined(INDEX, ","), "--separator , --columns text,y", besides=1),
}


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_as_its_author_meant(tmp_path, name):
    text, options, first, besides = READ[name]
    corpus = read(put(tmp_path / "a.txt", text), *shlex.split(options))
    assert corpus.first == (*first, "", None)
    assert sum(corpus.counts) == len(PAIRS)
    assert corpus.lost == []
    assert len(corpus.left_out) >= besides
    assert "\ufffd" not in corpus.source_vocabulary


def test_a_message_is_called_by_its_line(tmp_path):
    more = '\n#, fuzzy\nmsgid "new"\nmsgstr "neu"\n\nmsgid "newer"\nmsgstr ""\n'
    path = put(tmp_path / "a.po", PO + more)
    at = PO.count("\n") + 3
    left_out = [f"line {at}: a fuzzy translation", f"line {at + 3}: not translated"]
    assert [str(line) for line in read(path).left_out] == left_out
    tally = read(put(path, PO_OF.format("UTF-8").encode("latin-1"))).tallies[0]
    assert {line.why for line in tally.left_out} == {"not UTF-8"}
    with pytest.raises(Refusal, match="--encoding windows-1252 reads it as"):
        tally.expect_most()


def test_a_mark_of_byte_order_within_a_file_is_a_character(tmp_path):
    rows = [(f"\ufeff{a}", b) for a, b in PAIRS]
    corpus = read(put(tmp_path / "a.tsv", "\ufeff" + joined(rows)))
    assert corpus.first[:2] == rows[0]
    save_test(corpus.test, tmp_path)
    assert load_test(tmp_path, Reading()) == corpus.test
    assert corpus.test[0].source.startswith("\ufeff")


def test_links_and_groups_are_read_from_the_columns_that_are_named(tmp_path):
    path = put(tmp_path / "a.tsv", MIXED)
    assert read(path, "--columns", "2,4,5").first == (*PAIRS[0], "g", None)
    for wrong in (
        *("1", "0,1", "00,1", "a", "1,2,3,4,5", "1,,2"),
        *("a,b+", "+a,b", '"a,b', ",1,2", "1+0,2"),
    ):
        with pytest.raises(SystemExit):
            reading_for("--columns", wrong)


def test_long_lines_among_carriage_returns_are_skipped(tmp_path):
    path = put(tmp_path / "a.tsv", "a\tA\r" + "x" * 70_000 + "\rb\tB\r")
    first, long, last = lines(path)
    assert (first.source, last.source) == ("a", "b")
    assert long == Bad("longer than 65,536 bytes")


def test_a_quoted_text_with_a_line_break_is_left_out_as_a_whole(tmp_path):
    reading = Reading(separator=",", quoted=True)
    path = put(tmp_path / "a.csv", 'a,"b\nc\nd"\ne,f\n')
    *bad, last = lines(path, reading)
    assert last[:2] == ("e", "f")
    assert len(bad) == 3
    assert "not closed in its line" in bad[0].why
    assert {line.why for line in bad[1:]} == {"part of a quoted text with a line break"}
    # a mark that is never closed takes no other line with it
    stray = put(tmp_path / "b.csv", 'a,"b\n' + "e,f\n" * 60)
    first, *others = lines(stray, reading)
    assert isinstance(first, Bad)
    assert [line[:2] for line in others] == [("e", "f")] * 60


SIGNS = ["->", " -> ", "|||", " ||| ", "|", ";", ",", " = ", "::", ":", "<SEP>", "~", "/", " – "]
SIGNS += ["=>", "\x1f", "  ", "→", "_", "#"]


@pytest.mark.parametrize("sign", SIGNS)
def test_another_separator_is_named_and_then_read(tmp_path, sign):
    path = put(tmp_path / "a.txt", "# made by hand\n\n" + joined(PAIRS, sign))
    with pytest.raises(Refusal) as refused:
        read(path)
    message = str(refused.value)
    assert "All 150 lines have" in message
    separator = message.split("give --separator ")[1].split("\n")[0].rstrip(".")
    bare = sign.strip() or sign
    assert separator == ("$'\\x1f'" if sign == "\x1f" else f'"{bare}"')
    corpus = read(path, "--separator", bare)
    assert sum(corpus.counts) == len(PAIRS)
    assert corpus.first[:2] == PAIRS[0]


def test_test_pairs_come_back_whatever_they_look_like(tmp_path):
    rows = [Pair(*row) for row in (("# a", "b"), ("#", "b", "# c"), ('msgid "a"', "b"))]
    rows += [Pair('msgstr "a"', "b"), Pair("[1]", "[2]", "", ((0, 1),))]
    for order in (rows, rows[::-1]):
        save_test(order, tmp_path)
        assert load_test(tmp_path, Reading()) == order


# ---- refused, with what to do

PROSE = """
    The committee met on Monday to discuss the budget for the coming year.
    Nobody had expected that the discussion would last until late at night.
    In the end, they agreed to raise the fees, although two members objected.
    The chair thanked everyone and closed the meeting shortly before midnight.
    Three weeks later the new rules were printed and sent to all the members.
    Some of them wrote back; most did not, and the matter was soon forgotten.
    """.strip().split("\n")
SENTENCES = [f"{line.strip()[:-1]} {at}." for at, line in enumerate(PROSE * 9)]
WORDS = [f"word{at % 40} again and again in other words than before" for at in range(60)]


def zipped(inner):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(inner, "x")
    return buffer.getvalue()


REFUSED = {  # the file, options, and what the refusal says
    "empty": (b"", "", "is empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0", "", "is not a text file"),
    "a program": (b"\x7fELF\0\0\0\0", "", "is not a text file"),
    "a sign without ink": (b"a\tb\n\0", "", "is not a text file"),
    "gzip": (gzip.compress(b"a\tb\n", mtime=0), "", "compressed (gzip)"),
    "older Excel": (b"\xd0\xcf\x11\xe0rest", "", "older Excel"),
    "PDF": (b"%PDF-1.7", "", "a PDF"),
    "UTF-16": ("a\tb\n".encode("utf-16"), "", "UTF-16: save it as UTF-8"),
    "UTF-16 without a mark": ("a\tb\n".encode("utf-16-le") * 99, "", "to be written in UTF-16"),
    "not UTF-16": (b"a\tb\n", "--encoding utf-16", "give utf-16-le or -be"),
    "not UTF-32": (b"\xff\xfe\0a", "--encoding UTF-32", "leave out --encoding, or give UTF-32-le"),
    "UTF-32": ("a\tb\n".encode("utf-32"), "", "UTF-32"),
    "JSON": (b'{"source": "a"}\n', "", "holds JSON"),
    "JSON over lines": (json.dumps(PAIRS, indent=1), "", "an object with both on each line"),
    "HTML": (b"\n<!DOCTYPE html>", "", "holds HTML"),
    "Excel": (zipped("xl/workbook.xml"), "", "an Excel workbook: save the sheet as “CSV UTF-8”"),
    "OpenDocument": (zipped("content.xml"), "", "an OpenDocument file"),
    "Word": (zipped("word/document.xml"), "", "a Word document"),
    "zip": (zipped("a.tsv"), "", "a zip archive: unpack it first"),
    "a long line": (b"x" * 10_000_000, "", "1 is left out for this reason: longer than 65,536"),
    "no tabs": (b"a\nb\nc\n", "", "3 are left out, 3 of them for this reason: no tab between"),
    "one good line": (b"a\tb\nc\nd\n", "", "1 good line; 2 are left out, 2 of them for this"),
    "another encoding": (b"a\xe9 b\n" * 30, "", "lines are not UTF-8: the file seems to be"),
    "no good line below a comment": ("# x\n\n# y\n\na\n", "", "5 are left out, 1 of them for"),
    "long lines": (
        joined((a * 99, b) for a, b in PAIRS),
        "",
        "150 of them for this reason: longer than 100 symbols",
    ),
    "two lines": (joined(PAIRS[:2]), "", "Expected a dozen good lines or more"),
    "prose": ("\n".join(SENTENCES), "", "running text has none"),
    "prose that begins alike": ("\n".join(WORDS), "", "running text has none"),
    "one word a line": ("\n".join(a for a, _ in PAIRS), "", "running text has none"),
    "other columns": (
        MIXED,
        "",
        "2 “ecbdc”, 3 “x”, 4 “ECBDC”, 5 “g”, 6 “y”. Name those that are meant, such as "
        "--columns 5,6",
    ),
    "a comment above other columns": ("# x\ty\n" + MIXED, "", "Line 2 of a.txt has these columns"),
    "other columns, of keys and numbers too": (
        joined((f"k-{n}", a, "7", b, f"{n:08x}ff", "0.5") for n, (a, b) in enumerate(PAIRS)),
        "",
        "such as --columns 2,4",
    ),
    "an empty first column": (joined(columns("", 1, 2)), "", "--columns 2,3"),
    "an empty column between": (joined(columns(1, "", 2)), "", "--columns 1,3"),
    "no links": (
        joined(columns("N;SG", 1, "N;PL", 2)),
        "",
        "The fourth column is read as links, such as 0-0 1-2, and holds none "
        f"(“{PAIRS[-1][1]}”): name the columns that you mean, such as --columns 1,2 or 2,4",
    ),
    "no column of this number": (joined(PAIRS), "--columns 2,7", "no column 7"),
    "a name that comes twice": (
        joined([("a", "b", "b"), *columns("7", 1, 2)]),
        "--columns a,b",
        "has 2 columns “b”: give one by its number",
    ),
    "no column of this name": (joined([("from", "to"), *PAIRS]), "--columns from,too", "“too”"),
    "no groups": (joined(PAIRS), "--split-by group", "has no groups to split by"),
    "one group": (joined(columns(1, 2, "g")), "--split-by group", "at least 3 different groups"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_what_to_do(tmp_path, name):
    contents, options, words = REFUSED[name]
    with pytest.raises(Refusal) as refused:
        read(put(tmp_path / "a.txt", contents), *options.split())
    message = str(refused.value)
    assert words in message
    assert message.count(words) == 1
    assert "--separator" not in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (joined([('"a"', '"b"'), *PAIRS]), '“"b"”; --separator tab takes the quotation marks off'),
        (joined([("a", "b"), *PAIRS], ";"), "are none, since no line has two columns (see --sep"),
    ],
)
def test_names_that_a_separator_would_find_are_refused_with_it(tmp_path, text, words):
    with pytest.raises(Refusal) as refused:
        read(put(tmp_path / "a.txt", text), "--columns", "a,b")
    assert words in str(refused.value)


def test_no_file_and_a_folder_are_refused(tmp_path):
    for path, words in ((tmp_path / "a", "there is no file"), (tmp_path, "is a folder")):
        with pytest.raises(Refusal, match=words):
            read(path)


def test_the_command_that_joins_two_parallel_files_is_printed(tmp_path, say):
    one, other = (
        put(tmp_path / f"a.{end}", "\n".join(row[at] for row in PAIRS) + "\n")
        for at, end in enumerate(("en", "fr"))
    )
    pasted = f"paste {one} {other} > "
    assert pasted in say("train", one, code=2).err
    assert pasted in say("train", one, other, code=2).err
    put(tmp_path / "a.fr", "another\nlength\n")
    assert "running text has none" in say("train", one, code=2).err


# ---- suspected

GROUPED = [(a, b, f"of {len(a)}") for a, b in PAIRS]
KEYS = [(f"{RNG.getrandbits(64):016x}", *row) for row in PAIRS]
NAMED = [(f"Q{RNG.randrange(10**6)}", *row) for row in PAIRS]
FORMS = [(a, tag, a + tag.lower()) for a, _ in PAIRS for tag in ("SG", "PL")]
SUSPECTED = {  # rows, and what is reported of them
    **{
        f"header {one} {two}": ([(one, two), *PAIRS], f"Line 1 (“{one}” and “{two}”) looks like")
        for one, two in (
            *(("Source", "Target"), ("#wort", "laut"), ("grapheme", "phoneme"), ("en", "de")),
            *(("English", "German"), ("入力", "出力"), ("src_text", "tgt_text")),
            *(("tekst", "uitkomst"), ("word1", "word2"), ("text_1", "text_2")),
        )
    },
    "header above groups": ([("id", "to", "group"), *GROUPED], "Line 1 (“id” and “to”) looks like"),
    "header of a third column": (
        [("bad", "DAB", "kind"), *[(*row, "xyz"[n % 3]) for n, row in enumerate(PAIRS)]],
        "Line 1 (“bad” and “DAB”) looks like a header",
    ),
    "header above numbers": (
        [("zug", "bahn", "menge"), *[(a, a[::-1], str(len(a))) for a, _ in PAIRS]],
        "looks like a header",
    ),
    "header below a comment": (
        [("#", "made by hand"), ("source1", "target1"), *PAIRS],
        "Line 2 (“source1” and “target1”) looks like a header: if it is one, give --header.",
    ),
    "an index": (
        INDEX,
        "Line 1 (“text” and “y”) looks like a header: if it is one, give --header. "
        "Column 1, the source, looks as if it counts the lines (“1”, “2”): if so, name the "
        "others, such as --columns 2,3",
    ),
    "an index in no order": (
        [INDEX[0], *[(str(n * 67 % 151), *row) for n, row in enumerate(PAIRS)]],
        "--columns 2,3",
    ),
    **{
        f"numbers {mark} {place}": (
            [(*row[:place], mark.format(n + 7), *row[place:]) for n, row in enumerate(PAIRS)],
            f"Column {place + 1}, the {side}, looks as if it counts the lines (“{mark.format(8)}”, "
            f"“{mark.format(9)}”): if so, name the others, such as --columns {left}",
        )
        for mark in ("{}", "{:05}", "w{}", "ID-{:03}", "{}.")
        for place, side, left in ((0, "source", "2,3"), (2, "group", "1,2"))
    },
    "keys": (KEYS, "a name of its own"),
    "names": (NAMED, "a name of its own"),
    "groups of one": ([(a, b, f"{b} of {a}") for a, b in PAIRS], "another one in nearly every"),
    "lemma, features, form": (
        FORMS,
        "Column 2, the target, has only 2 values. If these are lemma, features and form, "
        "--columns 1+2,3",
    ),
    "lemma, form, features": (
        [(a, form, tag) for a, tag, form in FORMS],
        "the group tells which is meant, but the model does not read it: give --columns 1+3,2",
    ),
    "quotation marks": ([(f'"{a}"', f'"{b}"') for a, b in PAIRS], "--separator tab takes them off"),
    "variants": (
        [(f"{a}({at % 3 + 1})" if at % 5 < 2 else a, b) for at, (a, b) in enumerate(PAIRS)],
        "“ecbdc(1)”. To the model it is part of the word",
    ),
    "comments in targets": (
        [(a, f"{b} # place, danish" if at % 9 == 0 else b) for at, (a, b) in enumerate(PAIRS)],
        "“ECBDC # place, danish”. The model learns to write them",
    ),
}


@pytest.mark.parametrize("name", SUSPECTED)
def test_a_suspicion_says_what_a_file_may_be(tmp_path, name):
    rows, words = SUSPECTED[name]
    path = put(tmp_path / "a.tsv", joined(rows))
    assert words in suspicion(path)
    if name.startswith("header"):
        assert suspicion(path, "--header") == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json_lines(*({"id": n, "in": a, "out": b} for n, (a, b) in enumerate(PAIRS))), "counts"),
        (json_lines({"a": "x", "b": ["y"]}, {"a": "x", "b": ["y", "z"]}), "1 other line, such as"),
        (joined([*PAIRS, ("a", "b", "c"), ("d", "e", "f")]), "2 lines with more: line 151 is"),
    ],
)
def test_lines_unlike_the_first_are_suspected(tmp_path, text, words):
    assert words in suspicion(put(tmp_path / "a", text))


def test_lines_that_begin_with_a_tab_have_no_header(tmp_path):
    assert suspicion(put(tmp_path / "a", joined(columns("", 1, 2)))) == ""


def test_a_reason_in_the_test_file_is_named_with_it(tmp_path):
    test = written(tmp_path / "t.tsv", ["no tab"] * 3)
    with pytest.raises(Refusal, match=r"3 of them in t\.tsv for this reason: no tab"):
        read(written(tmp_path / "a.tsv", PAIRS), "--test", str(test))


def test_nothing_is_suspected_of_clean_files(tmp_path):
    groups = [(a, b, RNG.choice("xyz")) for a, b in PAIRS]
    dates = [(f"{n % 28 + 1}. Mai {1900 + n}", f"{1900 + n}-05-{n % 28 + 1:02}") for n in range(99)]
    RNG.shuffle(dates)
    fifth = [row[: 2 + (at % 5 == 0)] for at, row in enumerate(groups)]
    for rows in (PAIRS, sorted(PAIRS), groups, fifth, sorted(LETTERS), dates):
        assert suspicion(put(tmp_path / "a.tsv", joined(rows))) == ""


def test_columns_of_numbers_are_reported_without_other_columns_to_take(tmp_path):
    rows = [(str(number), "x" * (number % 7 + 1)) for number in range(99)]
    text = suspicion(put(tmp_path / "a.tsv", joined(rows)))
    assert "looks as if it counts the lines" in text
    assert "--columns" not in text


# ---- other encodings

ENCODED = {"windows-1252": "de", "windows-1250": "pl", "windows-1251": "uk", "koi8_r": "ru"}
ENCODED |= {"cp932": "ja", "cp949": "ko", "gb18030": "zh", "windows-1255": "he"}


def countries(locale):
    return [(name, f"x{at}") for at, name in enumerate(Locale.parse(locale).territories.values())]


@pytest.mark.parametrize("encoding", ENCODED)
def test_a_file_in_another_encoding_is_not_read_by_halves(tmp_path, say, encoding):
    rows = [*countries(ENCODED[encoding]), *[row for row in PAIRS if "é" not in row[0]]]
    path = put(tmp_path / "a.tsv", joined(rows).encode(encoding, "replace"))
    output = say("train", path, code=2).err
    assert f"of the {len(rows)} lines are left out (not UTF-8: " in output
    assert f"--encoding {encoding} reads it as “" in output
    assert "add --anyway" in output
    assert list(tmp_path.iterdir()) == [path]
    corpus = read(path, "--encoding", encoding)
    assert sum(corpus.counts) == len(rows)
    assert corpus.lost == corpus.limits.lost == []
    assert corpus.first[:2] == rows[0]


def test_two_encodings_in_one_file_are_reported(tmp_path):
    both = [f"ä{a}\t{b}\n" for a, b in PAIRS]
    parts = [line.encode(["utf-8", "cp1252"][at % 2]) for at, line in enumerate(both)]
    text = suspicion(put(tmp_path / "a.tsv", b"".join(parts)))
    assert "seems to mix two encodings" in text
    assert "line 2 is the first" in text
    assert "--encoding" not in text
    one_in_ten = put(tmp_path / "b.tsv", b"".join([parts[0], *parts[1:21:2]]))
    assert "seems to be in another encoding" in suspicion(one_in_ten)
    assert "mix two encodings" in suspicion(put(one_in_ten, b"".join([*parts[:3], *parts[1:19:2]])))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_wide_encodings_are_read_if_they_are_named(tmp_path, encoding, end):
    path = put(tmp_path / "a.tsv", "".join(f"{a}\t{b}{end}" for a, b in PAIRS).encode(encoding))
    with pytest.raises(Refusal, match=f"give --encoding {encoding}"):
        read(path)
    assert sum(read(path, "--encoding", encoding).counts) == len(PAIRS)


def test_another_encoding_is_suspected(tmp_path):
    path = put(tmp_path / "a.tsv", joined(PAIRS).encode("latin-1"))
    assert "not UTF-8: the file seems to be in another encoding" in suspicion(path)
    long = joined([*pairs(3000, most=9), *PAIRS]).encode("latin-1")
    assert "--encoding windows-1252" in suspicion(put(tmp_path / "b.tsv", long))


def test_a_pipe_that_loses_much_is_not_read_again(tmp_path, say):
    os.mkfifo(tmp_path / "pipe")
    text = joined([*PAIRS, *[(f"{a}ä", b) for a, b in PAIRS]]).encode("latin-1")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(text,))
    writer.start()
    output = say("train", tmp_path / "pipe", "--into", tmp_path / "m", code=2).err
    writer.join()
    assert "are left out (not UTF-8: " in output


# ---- what is lost

LOST = {
    "source": ([("a" * 140, "x")] * 6, "longer than 100 symbols: ", "--longest 140 reads the"),
    "target": ([("a" * 140, "x" * 150)] * 6, "longer than 100 symbols: ", "--longest 150 reads"),
    "tab": (["no tab"] * 6, "no tab between source and target: ", "Line 112 is the first"),
    "empty": ([("a", "")] * 6, "an empty target: ", "Line 112 is the first"),
    "columns": ([tuple("abcde")] * 6, "more than four columns: ", "Line 112 is the first"),
}


@pytest.mark.parametrize("name", LOST)
def test_a_twentieth_may_be_lost_and_no_more(tmp_path, name):
    bad, why, help_ = LOST[name]
    path = written(tmp_path / "a.tsv", [*PAIRS[:111], *bad])
    corpus = read(path)
    with pytest.raises(Refusal) as refused:
        corpus.tallies[0].expect_most()
    assert f"6 of the 117 lines are left out ({why}6)." in str(refused.value)
    assert help_ in str(refused.value)
    assert read(written(tmp_path / "b.tsv", [*PAIRS[:111], *bad[:5]])).lost[0].too_many is False
    few = [read(written(path, [*PAIRS[:14], *bad[:count]])).lost[0].too_many for count in (1, 2)]
    assert few == [False, True]  # one line may always be lost


def test_much_is_lost_only_with_an_option(tmp_path, say):
    path = written(tmp_path / "a.tsv", [*PAIRS[:111], *["no tab"] * 6])
    lost, into = (
        "6 of the 117 lines are left out (no tab between source and target: 6).",
        tmp_path / "m",
    )
    options = ["--size", "8", "--epochs", "1", "--into", into]
    assert lost in say("train", path, *options, code=2).err
    assert not into.exists()
    say("train", path, *options, "--anyway")
    say("report", into)
    card = (into / "report.html").read_text("utf-8")
    assert lost in card.split("Known before the training")[1].split("</section>")[0]
    # a test file is no different, be it given to the training or to the report
    assert f"a.tsv: {lost}" in say("report", into, "--on", path, code=2).err
    say("report", into, "--on", path, "--anyway")
    good = written(tmp_path / "good.tsv", PAIRS)
    output = say("train", good, "--test", path, code=2).err
    assert lost.replace("lines", "lines of a.tsv") in output


def test_empty_lines_are_no_loss(tmp_path):
    corpus = read(written(tmp_path / "a.tsv", [row for pair in PAIRS for row in (pair, "")]))
    assert (len(corpus.left_out), corpus.lost) == (len(PAIRS), [])


@pytest.mark.parametrize(
    ("sign", "name", "form"),
    [
        ("\u00a0", "no-break space (U+00A0)", "NFKC"),
        ("\u202f", "narrow no-break space (U+202F)", "NFKC"),
        ("\u3000", "ideographic space (U+3000)", "NFKC"),
        ("\u200b", "zero width space (U+200B)", ""),
        ("\u00ad", "soft hyphen (U+00AD)", ""),
        ("\u2060", "word joiner (U+2060)", ""),
    ],
)
def test_invisible_characters_are_reported(tmp_path, sign, name, form):
    path = written(tmp_path / "a.tsv", [(f"{a}{sign}€", b) for a, b in PAIRS])
    text = suspicion(path)
    assert f"Of the first 150 pairs, 150 have {name}" in text
    assert ("--form NFKC makes it a plain space" in text) == (form == "NFKC")
    if form:
        assert suspicion(path, "--form", form) == ""
        assert read(path, "--form", form).first.source == f"{PAIRS[0][0]} €"
    limits = read(written(tmp_path / "b.tsv", PAIRS), "--test", str(path)).limits
    assert name in " ".join(of_limits(limits))


# ---- forms, and links that move


def test_links_move_with_composed_stripped_and_decomposed_text(tmp_path):
    row = "e\u0301ab\te\u0301AB\t\t0-0 1-1 2-2 3-3"
    composed = Line("éab", "éAB", "", ((0, 0), (1, 1), (2, 2)), True)
    assert list(lines(put(tmp_path / "a", row))) == [composed]
    short = put(tmp_path / "b", " éab\téAB\t\t1-0 2-1 3-2 0-1")
    (moved,) = lines(short)
    assert moved == composed._replace(rewritten=False)
    (apart,) = lines(short, Reading(form="NFD"))
    assert apart[:2] == ("e\u0301ab", "e\u0301AB")
    assert apart.links == ((0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (3, 3))
    (same,) = lines(put(tmp_path / "c", row), Reading(form="none"))
    assert same.source == "e\u0301ab"
    assert same.links == ((0, 0), (1, 1), (2, 2), (3, 3))


@pytest.mark.parametrize("text", ["한국어", "q\u0323\u0307x", "ẹ́lẹ́", "क़लम", "Å"])
def test_the_same_links_however_a_text_was_typed(tmp_path, text):
    """Each mark of the source is linked to the place of its letter in the target."""
    whole = unicodedata.normalize("NFC", text)
    target = "x" * 30
    outcomes = []
    for form in ("NFC", "NFD"):
        typed, links, at = "", [], 0
        for place in range(len(whole)):
            part = unicodedata.normalize(form, whole[place])
            links += [f"{at + k}-{place}" for k in range(len(part))]
            typed, at = typed + part, at + len(part)
        (line,) = lines(put(tmp_path / form, f"{typed}\t{target}\t\t{' '.join(links)}"))
        assert line.source == whole
        outcomes.append(line.links)
    assert all((place, place) in outcome for outcome in outcomes for place in range(len(whole)))
    if text in ("한국어", "Å"):
        assert outcomes[0] == outcomes[1]


def test_composed_lines_are_counted(tmp_path):
    rows = [(unicodedata.normalize("NFD", a), b) for a, b in PAIRS]
    with_marks = sum("é" in a for a, _ in PAIRS)
    path = put(tmp_path / "a.tsv", joined(rows))
    assert read(path).rewritten == with_marks > 0
    assert "é" in read(path).source_vocabulary
    assert read(path, "--form", "none").rewritten == 0
    assert "\u0301" in read(path, "--form", "none").source_vocabulary
    assert "é" not in read(path, "--form", "NFD").source_vocabulary


# ---- parts


def test_a_test_file_is_the_test_and_the_rest_is_for_training(tmp_path):
    corpus = written(tmp_path / "a.tsv", PAIRS)
    others = [(a + "f", b + "F") for a, b in PAIRS[:20]]
    test = written(tmp_path / "t.tsv", [*others, "no tab"])
    divided = read(corpus, "--test", str(test))
    assert [tuple(pair[:2]) for pair in divided.test] == others
    validation = [pair[:2] for pair in PAIRS if part_of(pair[0], 0) == VALIDATION]
    assert [tuple(pair[:2]) for pair in divided.validation] == validation
    assert divided.counts == (len(PAIRS) - len(validation), len(validation), 20)
    assert [str(line) for line in divided.left_out] == [
        "t.tsv, line 21: no tab between source and target"
    ]
    both = read(corpus, "--test", str(test), "--validation", str(test))
    assert both.counts == (len(PAIRS), 20, 20)
    assert both.digest != divided.digest != read(corpus).digest


def test_pairs_of_training_and_test_are_a_leak_that_is_counted(tmp_path):
    corpus = written(tmp_path / "a.tsv", PAIRS)
    rows = [*PAIRS[:7], *[(a, "other") for a, _ in PAIRS[7:10]], ("zzz", "ZZZ")]
    limits = read(corpus, "--test", str(written(tmp_path / "t.tsv", rows))).limits
    assert (limits.pairs, limits.known, limits.shared) == (11, 7, 10)
    assert read(corpus).limits.shared == read(corpus).leaked == 0
    with_training = read(corpus, "--validation", str(tmp_path / "t.tsv"))
    assert with_training.leaked == sum(part_of(a, 0) != TEST for a, _ in PAIRS[:10])


def test_no_group_is_in_two_parts(tmp_path):
    for count in (3, 5, 40):
        rows = [(a, b, f"g{at % count}") for at, (a, b) in enumerate(PAIRS)]
        corpus = read(written(tmp_path / "a.tsv", rows), "--split-by", "group")
        assert min(corpus.counts) > 0
        assert corpus.counts[0] >= len(PAIRS) / 3
        parts = [{pair.group for pair in part} for part in (corpus.validation, corpus.test)]
        assert not parts[0] & parts[1]
        in_training = len(PAIRS) - len(corpus.validation) - len(corpus.test)
        assert corpus.counts[0] == in_training
        sizes = {name: sum(row[2] == name for row in rows) for name in parts[0] | parts[1]}
        assert sum(sizes.values()) == len(corpus.validation) + len(corpus.test)


def test_a_few_lines_are_divided_so_that_no_part_is_empty(tmp_path):
    for count in (3, 4, 12, 20):
        path = written(tmp_path / "a.tsv", PAIRS[:count])
        assert all(min(read(path, "--seed", str(seed)).counts) >= 1 for seed in range(5))


# ---- what is known about the test


def test_symbols_that_the_training_lacks_are_counted_in_the_test(tmp_path):
    tested = [row for row in PAIRS if part_of(row[0], 0) == TEST]
    new = {a: (a, b) for a, b in PAIRS}
    source = next(a + "ß" for a, _ in PAIRS if part_of(a + "ß", 0) == TEST)
    new[source] = (source, "ok")
    new[tested[0][0]] = (tested[0][0], "Ω¥")
    limits = read(written(tmp_path / "a.tsv", new.values())).limits
    assert limits.pairs == len(tested) + 1
    assert (limits.unread, limits.unread_kinds, limits.unread_symbols) == (1, 1, ["ß"])
    assert limits.unwritten_symbols[:2] == sorted("Ω¥") or "Ω" in limits.unwritten_symbols
    assert limits.unwritten == 2  # also “ok”, in small letters
    assert limits.best == pytest.approx((len(tested) - 1) / (len(tested) + 1))


@pytest.mark.parametrize("words", [False, True])
def test_sources_that_are_the_same_to_the_model_get_one_answer(tmp_path, words):
    """Each of 67 test sources is one symbol that the training lacks; three pairs can be read."""
    rows = [(f"x{chr(0x4E00 + at)}x", b) for at, (_, b) in enumerate(PAIRS[:67])]
    rows += [("aa", "A"), ("aa", "A"), ("bb", "B")]
    if words:
        rows = [(" ".join(a), " ".join(b)) for a, b in rows]
    training = [(" ".join(a) if words else a, " ".join(b) if words else b) for a, b in PAIRS]
    corpus = written(tmp_path / "a.tsv", [*training, *[("x" if words else "xx", "A")] * 20])
    test = written(tmp_path / "t.tsv", rows)
    options = ["--words"] * words
    limits = read(corpus, "--test", str(test), *options).limits
    most = max(Counter(b for _, b in rows[:67]).values())
    assert limits.best == pytest.approx((3 + most) / 70)
    assert (limits.several, limits.alike) == (0, 67)
    whole = read(corpus, *options)
    vocabularies = whole.source_vocabulary, whole.target_vocabulary
    again = read_test(test, reading_for(*options), 0, vocabularies, []).limits
    assert (again.best, again.several, again.alike) == (limits.best, 0, 67)
    assert "cannot tell them apart" in " ".join(of_limits(limits))


@pytest.mark.parametrize("words", ["none", "source", "target", "both"])
def test_each_side_may_be_words(tmp_path, words):
    rows = [(" ".join(a), " ".join(b)) for a, b in PAIRS]
    corpus = read(written(tmp_path / "a.tsv", rows), "--words", words)
    separators = corpus.source_vocabulary.separator, corpus.target_vocabulary.separator
    assert separators == (" " * (words in ("source", "both")), " " * (words in ("target", "both")))


def test_words_alone_are_both_sides():
    for arguments in (["--words", "a.tsv"], ["a.tsv", "--words"], ["a.tsv", "--words=both"]):
        options = parsed(["train", *arguments])
        assert (options.words, options.corpus.name) == ("both", "a.tsv")
    assert parsed(["train", "a.tsv", "--words", "source"]).words == "source"


def test_the_ceiling_is_that_of_all_test_pairs(tmp_path, monkeypatch):
    monkeypatch.setitem(own_corpus.MOST_TRIED, TEST, 9)
    rows = [(a, b + end) for a, b in pairs(900, most=8) for end in "AB"]
    corpus = read(written(tmp_path / "a.tsv", rows))
    assert corpus.limits.asked == len(corpus.test) == 9
    assert corpus.limits.pairs == corpus.limits.several == corpus.counts[TEST] > 100
    assert corpus.limits.best == 0.5
    assert corpus.counts[TRAINING] > 1000
