"""Files of pairs that are not as expected: understood, or said as what they are."""

import gzip
import json
import os
import random
import re
import threading
import unicodedata
import zipfile
from collections import Counter

import pytest
from babel import Locale
from capstone_corpora import pairs, written

from attn_own import command
from attn_own.lines import Bad, Line, Reading, lines
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
from attn_own.refusal import Refusal
from attn_own.suspicions import suspected
from attn_own.trained import load_test, save_test
from attn_own.verdicts import of_limits

PAIRS = pairs()


def joined(rows, separator):
    return "".join(separator.join(row) + "\n" for row in rows)


def read(path, *options):
    """The corpus as the command line reads it."""
    given = command._parsed(["train", str(path), *options])
    by_group = given.split_by == "group"
    reading = command._reading(given)
    return read_corpus(Files(path, reading, given.seed, given.test, given.validation, by_group))


def put(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def told(path, *options):
    """What is suspected of a file, as one text."""
    return " ".join(suspected(path, command._reading(command._parsed(["train", "x", *options]))))


# ---- ends, separators, csv


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_every_kind_of_line_end_is_one(tmp_path, end):
    text = "".join(f"{source}\t{target}{end}" for source, target in PAIRS)
    corpus = read(put(tmp_path / "a.tsv", text))
    assert sum(corpus.counts) == len(PAIRS)
    assert not corpus.left_out


def test_a_long_line_among_carriage_returns_is_skipped(tmp_path):
    path = put(tmp_path / "a.tsv", "a\tA\r" + "x" * 70_000 + "\rb\tB\r")
    first, long, last = lines(path)
    assert (first.source, last.source) == ("a", "b")
    assert long == Bad("longer than 65,536 bytes")


SIGNS = (
    "->",
    " -> ",
    "|||",
    " ||| ",
    "|",
    ";",
    ",",
    " = ",
    "::",
    ":",
    "<SEP>",
    "~",
    "/",
    " – ",
    "=>",
)


@pytest.mark.parametrize("sign", [*SIGNS, "\x1f", "  ", "→", "_", "#"])
def test_another_separator_is_named_and_then_read(tmp_path, sign):
    path = put(tmp_path / "a.txt", joined(PAIRS, sign))
    with pytest.raises(Refusal) as refused:
        read(path)
    said = str(refused.value)
    assert "All 150 lines have" in said
    given = said.split("give --separator ")[1].split("\n")[0].rstrip(".")
    bare = sign.strip() or sign
    assert given == ("$'\\x1f'" if sign == "\x1f" else f'"{bare}"')
    corpus = read(path, "--separator", bare)
    assert sum(corpus.counts) == len(PAIRS)
    assert corpus.first[:2] == PAIRS[0]


def test_words_before_the_first_space_are_a_source(tmp_path):
    path = put(tmp_path / "a.txt", joined([(a, " ".join(b)) for a, b in PAIRS], " "))
    with pytest.raises(
        Refusal, match='have a space where a tab was expected: give --separator " "'
    ):
        read(path)
    assert read(path, "--separator", " ").first[:2] == ("ecbdc", "E C B D C")


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_csv_has_quotation_marks_separators_and_quotes_within(tmp_path, sign):
    rows = [(f'{a}{sign} "x"', f"{b}{sign}") for a, b in PAIRS]
    cells = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in rows]
    path = put(tmp_path / "a.csv", joined(cells, sign))
    if sign == "\t":  # else a tab would be a control character
        rows = [(a.replace("\t", ""), b.replace("\t", "")) for a, b in rows]
        cells = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in rows]
        path = put(tmp_path / "a.csv", joined(cells, sign))
    corpus = read(path, "--separator", "tab" if sign == "\t" else sign)
    assert corpus.first[:2] == rows[0]
    assert not corpus.left_out
    assert sum(corpus.counts) == len(PAIRS)


def test_a_quoted_text_with_a_line_break_is_left_out_as_a_whole(tmp_path):
    reading = Reading(separator=",", quoted=True)
    path = put(tmp_path / "a.csv", 'a,"b\nc\nd"\ne,f\n')
    *bad, last = lines(path, reading)
    assert last[:2] == ("e", "f")
    assert len(bad) == 3
    assert "not closed in its line" in bad[0].why
    assert {each.why for each in bad[1:]} == {"part of a quoted text with a line break"}
    # a mark that is never closed takes no other line with it
    stray = put(tmp_path / "b.csv", 'a,"b\n' + "e,f\n" * 60)
    first, *others = lines(stray, reading)
    assert isinstance(first, Bad)
    assert [each[:2] for each in others] == [("e", "f")] * 60


def test_texts_in_quotation_marks_are_told_where_nobody_asked_for_csv(tmp_path):
    path = put(tmp_path / "a.tsv", joined([(f'"{a}"', f'"{b}"') for a, b in PAIRS], "\t"))
    assert "--separator tab takes them off" in told(path)


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (gzip.compress(b"a\tb\n", mtime=0), "compressed (gzip)"),
        (b"\xd0\xcf\x11\xe0rest", "older Excel"),
        (b"%PDF-1.7", "a PDF"),
        (b"a\tb\n\0", "is not a text file"),
        ("a\tb\n".encode("utf-16-le") * 99, "seems to be written in UTF-16"),
        ("a\tb\n".encode("utf-32"), "UTF-32"),
        (b'{"source": "a"}\n', "holds JSON"),
        (b"\n<!DOCTYPE html>", "holds HTML"),
    ],
)
def test_what_is_no_text_is_named_with_a_remedy(tmp_path, contents, words):
    with pytest.raises(Refusal) as refused:
        read(put(tmp_path / "a.tsv", contents))
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("inner", "words"),
    [
        ("xl/workbook.xml", "an Excel workbook: save the sheet as “CSV UTF-8”"),
        ("content.xml", "an OpenDocument file"),
        ("word/document.xml", "a Word document"),
        ("a.tsv", "a zip archive: unpack it first"),
    ],
)
def test_a_workbook_is_named_with_a_remedy(tmp_path, inner, words):
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr(inner, "x")
    with pytest.raises(Refusal) as refused:
        read(tmp_path / "a.xlsx")
    assert words in str(refused.value)


# ---- columns


def test_empty_columns_at_the_end_are_none(tmp_path):
    corpus = read(put(tmp_path / "a.tsv", joined([(*row, "", " ", "") for row in PAIRS], "\t")))
    assert sum(corpus.counts) == len(PAIRS)
    assert corpus.first == (*PAIRS[0], "", None)


def test_columns_can_be_named_and_joined(tmp_path):
    rows = [(str(n), a, "x", b, "g", "y") for n, (a, b) in enumerate(PAIRS)]
    path = put(tmp_path / "a.tsv", joined(rows, "\t"))
    with pytest.raises(Refusal, match=r"2 “ecbdc”, 3 “x”, 4 “ECBDC”.*--columns 5,6"):
        read(path)
    assert read(path, "--columns", "2,4,5").first == (*PAIRS[0], "g", None)
    assert read(path, "--columns", "2+3,4").first[:2] == ("ecbdc x", "ECBDC")
    with pytest.raises(Refusal, match="no column 7"):
        read(path, "--columns", "2,7")
    for wrong in ("1", "0,1", "a", "1,2,3,4,5", "1,,2", "a,b+"):
        with pytest.raises(SystemExit):
            command._parsed(["train", "a", "--columns", wrong])


def test_four_columns_that_are_no_links_are_named(tmp_path):
    rows = [("N;SG", a, "N;PL", a + "it") for a, _ in PAIRS]
    with pytest.raises(Refusal, match=r"fourth column is read as links.*holds none.*--columns"):
        read(put(tmp_path / "a.tsv", joined(rows, "\t")))


@pytest.mark.parametrize(
    "header",
    [
        *(("Source", "Target"), ("#wort", "laut"), ("grapheme", "phoneme"), ("en", "de")),
        *(("English", "German"), ("入力", "出力"), ("src_text", "tgt_text"), ("id", "to", "group")),
        ("tekst", "uitkomst"),
    ],
)
def test_a_header_is_suspected_and_can_be_left_out(tmp_path, header):
    rows = [(a, b, f"of {len(a)}")[: len(header)] for a, b in PAIRS]
    path = put(tmp_path / "a.tsv", joined([header, *rows], "\t"))
    assert f"Line 1 (“{header[0]}” and “{header[1]}”) looks like a header" in told(path)
    assert told(path, "--header") == ""
    corpus = read(path, "--header")
    assert corpus.first[:2] == PAIRS[0]
    assert [str(each) for each in corpus.left_out] == ["line 1: the header"]


def test_a_header_below_a_comment_is_the_header(tmp_path):
    path = put(tmp_path / "a.tsv", "# made by hand\n\n" + joined([("wort", "laut"), *PAIRS], "\t"))
    assert "Line 3 (“wort” and “laut”) looks like a header" in told(path)
    corpus = read(path, "--header")
    assert sum(corpus.counts) == len(PAIRS)
    assert [str(each) for each in corpus.left_out][2:] == ["line 3: the header"]


def test_a_header_above_numbers_is_suspected_by_its_column(tmp_path):
    rows = [("zug", "bahn", "menge"), *[(a, a[::-1], str(len(a))) for a, _ in PAIRS]]
    assert "looks like a header" in told(put(tmp_path / "a.tsv", joined(rows, "\t")))


def test_nothing_is_suspected_of_clean_files(tmp_path):
    rng = random.Random(0)
    groups = [(a, b, rng.choice("xyz")) for a, b in PAIRS]
    spelt = sorted((a, " ".join(b)) for a, b in PAIRS)
    dates = [(f"{n % 28 + 1}. Mai {1900 + n}", f"{1900 + n}-05-{n % 28 + 1:02}") for n in range(99)]
    rng.shuffle(dates)
    for rows in (PAIRS, sorted(PAIRS), groups, spelt, dates):
        assert told(put(tmp_path / "a.tsv", joined(rows, "\t"))) == ""


def test_a_column_before_or_between_that_is_empty_can_be_left_out(tmp_path):
    for empty, named in ((0, "2,3"), (1, "1,3")):
        rows = [list(row) for row in PAIRS]
        for row in rows:
            row.insert(empty, "")
        path = put(tmp_path / "a.tsv", joined(rows, "\t"))
        with pytest.raises(Refusal, match=f"--columns {named}"):
            read(path)
        assert read(path, "--columns", named).first[:2] == PAIRS[0]


def test_numbers_that_are_read_are_told_without_other_columns_to_take(tmp_path):
    rows = [(str(number), "x" * (number % 7 + 1)) for number in range(99)]
    said = told(put(tmp_path / "a.tsv", joined(rows, "\t")))
    assert "looks as if it counts the lines" in said
    assert "--columns" not in said


@pytest.mark.parametrize("mark", ["{}", "{:05}", "w{}", "ID-{:03}", "{}."])
@pytest.mark.parametrize("place", [0, 2])
def test_running_numbers_are_suspected(tmp_path, mark, place):
    rows = []
    for number, row in enumerate(PAIRS):
        cells = list(row)
        cells.insert(place, mark.format(number + 7))
        rows.append(cells)
    said = told(put(tmp_path / "a.tsv", joined(rows, "\t")))
    assert f"Column {place + 1}, the {'source' if place == 0 else 'group'}, looks as if" in said
    assert f"--columns {'2,3' if place == 0 else '1,2'}" in said


def test_keys_without_an_order_are_suspected(tmp_path):
    rng = random.Random(0)
    rows = [(f"{rng.getrandbits(64):016x}", a, b) for a, b in PAIRS]
    assert "a name of its own" in told(put(tmp_path / "a.tsv", joined(rows, "\t")))
    rows = [(f"Q{rng.randrange(10**6)}", a, b) for a, b in PAIRS]
    assert "a name of its own" in told(put(tmp_path / "a.tsv", joined(rows, "\t")))


def test_one_group_a_pair_and_lemma_features_form_are_suspected(tmp_path):
    rows = [(a, b, f"{b} of {a}") for a, b in PAIRS]
    assert "another one in nearly every line" in told(put(tmp_path / "a", joined(rows, "\t")))
    rows = [(a, tag, a + tag.lower()) for a, _ in PAIRS for tag in ("SG", "PL")]
    said = told(put(tmp_path / "b", joined(rows, "\t")))
    assert "Column 2, the target, has only 2 values" in said
    assert "--columns 1+2,3" in said
    rows = [(a, a + tag.lower(), tag) for a, _ in PAIRS for tag in ("SG", "PL")]
    said = told(put(tmp_path / "c", joined(rows, "\t")))
    assert "the group tells which is meant" in said
    assert "--columns 1+3,2" in said


ENCODED = {"windows-1252": "de", "windows-1250": "pl", "windows-1251": "uk", "koi8_r": "ru"}
ENCODED |= {"cp932": "ja", "cp949": "ko", "gb18030": "zh", "windows-1255": "he"}


def countries(locale):
    return [(name, f"x{at}") for at, name in enumerate(Locale.parse(locale).territories.values())]


@pytest.mark.parametrize("encoding", ENCODED)
def test_a_file_in_another_encoding_is_not_read_by_halves(tmp_path, capsys, encoding):
    ascii_ = [row for row in PAIRS if "é" not in row[0]]
    rows = [*countries(ENCODED[encoding]), *ascii_]
    path = put(tmp_path / "a.tsv", joined(rows, "\t").encode(encoding, "replace"))
    assert command.main(["train", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"of the {len(rows)} lines are left out (not UTF-8: " in said
    assert f"--encoding {encoding} reads it as “" in said
    assert "add --anyway" in said
    assert list(tmp_path.iterdir()) == [path]
    corpus = read(path, "--encoding", encoding)
    assert sum(corpus.counts) == len(rows)
    assert corpus.lost == corpus.limits.lost == []
    assert corpus.first[:2] == rows[0]


def test_two_encodings_in_one_file_are_told_apart(tmp_path):
    both = [f"ä{a}\t{b}\n" for a, b in PAIRS]
    parts = [each.encode(["utf-8", "cp1252"][at % 2]) for at, each in enumerate(both)]
    said = told(put(tmp_path / "a.tsv", b"".join(parts)))
    assert "seems to mix two encodings" in said
    assert "line 2 is the first" in said
    assert "--encoding" not in said


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_wide_encodings_are_read_if_they_are_named(tmp_path, encoding, end):
    path = put(tmp_path / "a.tsv", "".join(f"{a}\t{b}{end}" for a, b in PAIRS).encode(encoding))
    with pytest.raises(Refusal, match=f"give --encoding {encoding}"):
        read(path)
    assert sum(read(path, "--encoding", encoding).counts) == len(PAIRS)


LOST = {
    "source": ([("a" * 140, "x")] * 6, "longer than 100 symbols: ", "--longest 140 reads the"),
    "target": ([("a" * 140, "x" * 150)] * 6, "longer than 100 symbols: ", "--longest 150 reads"),
    "tab": (["no tab"] * 6, "no tab between source and target: ", "Line 112 is the first"),
    "empty": ([("a", "")] * 6, "an empty target: ", "Line 112 is the first"),
    "columns": ([tuple("abcde")] * 6, "more than four columns: ", "Line 112 is the first"),
}


@pytest.mark.parametrize("name", LOST)
def test_a_twentieth_may_be_lost_and_no_more(tmp_path, capsys, name):
    bad, why, help_ = LOST[name]
    rows = PAIRS[:111]
    path = written(tmp_path / "a.tsv", [*rows, *bad])
    options = [str(path), "--size", "8", "--epochs", "1", "--into", str(tmp_path / "m")]
    assert command.main(["train", *options]) == 2
    said = capsys.readouterr().err
    assert f"6 of the 117 lines are left out ({why}6)." in said
    assert help_ in said
    assert not (tmp_path / "m").exists()
    assert read(written(tmp_path / "b.tsv", [*rows, *bad[:5]])).lost[0].too_many is False
    assert command.main(["train", *options, "--anyway"]) == 0
    assert command.main(["report", str(tmp_path / "m")]) == 0
    card = (tmp_path / "m" / "report.html").read_text("utf-8")
    known = card.split("Known before the training")[1].split("</section>")[0]
    assert f"6 of the 117 lines are left out ({why}6)." in known
    # a test file is no different, be it given to the training or to the report
    on = ["--on", str(path)]
    assert command.main(["report", str(tmp_path / "m"), *on]) == 2
    assert f"a.tsv: 6 of the 117 lines are left out ({why}6)." in capsys.readouterr().err
    assert command.main(["report", str(tmp_path / "m"), *on, "--anyway"]) == 0
    good = written(tmp_path / "good.tsv", PAIRS)
    assert command.main(["train", str(good), "--test", str(path)]) == 2
    assert f"6 of the 117 lines of a.tsv are left out ({why}6)." in capsys.readouterr().err


def test_empty_lines_are_no_loss(tmp_path):
    corpus = read(written(tmp_path / "a.tsv", [row for pair in PAIRS for row in (pair, "")]))
    assert (len(corpus.left_out), corpus.lost) == (len(PAIRS), [])


def test_another_encoding_is_suspected(tmp_path):
    path = put(tmp_path / "a.tsv", joined(PAIRS, "\t").encode("latin-1"))
    assert "not UTF-8: the file seems to be in another encoding" in told(path)
    long = joined([*pairs(3000, most=9), *PAIRS], "\t").encode("latin-1")
    assert "--encoding windows-1252" in told(put(tmp_path / "b.tsv", long))


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
def test_what_cannot_be_seen_is_told(tmp_path, sign, name, form):
    path = written(tmp_path / "a.tsv", [(f"{a}{sign}€", b) for a, b in PAIRS])
    said = told(path)
    assert f"Of the first 150 pairs, 150 have {name}" in said
    assert ("--form NFKC makes it a plain space" in said) == (form == "NFKC")
    if form:
        assert told(path, "--form", form) == ""
        assert read(path, "--form", form).first.source == f"{PAIRS[0][0]} €"
    limits = read(written(tmp_path / "b.tsv", PAIRS), "--test", str(path)).limits
    assert name in " ".join(of_limits(limits))


# ---- files as other programs write them: read as they are meant, or refused with what to do

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
PO = 'msgid ""\nmsgstr "Language: fr\\n"\n\n'
PO += "".join(f'#: a.c:{at}\nmsgid "{a}"\nmsgstr "{b}"\n\n' for at, (a, b) in enumerate(PAIRS))
LETTERS = [(a, " ".join(b)) for a, b in PAIRS]
READ = {
    "PO": (PO, [], 0),
    "PO, untranslated": (PO + 'msgid "a new text"\nmsgstr ""\n', [], 0),
    "JSON lines": (
        "".join(json.dumps({"source": a, "target": b}) + "\n" for a, b in PAIRS),
        [],
        0,
    ),
    "JSON lines by name": (
        "".join(json.dumps({"id": n, "out": b, "in": a}) + "\n" for n, (a, b) in enumerate(PAIRS)),
        ["--columns", "in,out"],
        0,
    ),
    "JSON lines, nested": (
        "".join(json.dumps({"translation": {"en": a, "fr": b}}) + "\n" for a, b in PAIRS),
        [],
        0,
    ),
    "JSON lists": ("".join(json.dumps(row) + "\n" for row in PAIRS), [], 0),
    "comments #": ("# a lexicon\n#\n## 2026\n#no space\n" + joined(PAIRS, "\t"), [], 4),
    "comments ;;;": (";;; a lexicon\n;;;\n" + joined(PAIRS, "\t"), [], 2),
    "comments by spaces": (
        ";;; a lexicon by somebody\n" + joined([(a, b) for a, b in LETTERS], "  "),
        ["--separator", "  "],
        1,
    ),
    "comments behind": (joined([(*row, "# checked") for row in PAIRS], "\t"), [], 0),
    "columns by name": (
        "# made by hand\n" + joined([("n", "to", "from"), *[("7", b, a) for a, b in PAIRS]], "\t"),
        ["--columns", "from,to"],
        2,
    ),
    "columns by name in csv": (
        joined([("n", "Ziel", "die Quelle"), *[("7", b, a) for a, b in PAIRS]], ";"),
        ["--separator", ";", "--columns", "die Quelle,Ziel"],
        1,
    ),
    "index with a header": (
        joined([("", "text", "y"), *[(str(n), a, b) for n, (a, b) in enumerate(PAIRS)]], ","),
        ["--separator", ",", "--columns", "text,y"],
        1,
    ),
}


@pytest.mark.parametrize("name", READ)
def test_files_of_other_programs_are_read_as_they_are_meant(tmp_path, name):
    text, options, besides = READ[name]
    corpus = read(put(tmp_path / "a.txt", text), *options)
    first = LETTERS[0] if name == "comments by spaces" else PAIRS[0]
    assert corpus.first == (*first, "", None)
    assert sum(corpus.counts) == len(PAIRS)
    assert corpus.lost == []
    assert len(corpus.left_out) >= besides


def test_test_pairs_come_back_whatever_they_look_like(tmp_path):
    rows = [Pair(*row) for row in (("# a", "b"), ("#", "b", "# c"), ('msgid "a"', "b"))]
    rows += [Pair('msgstr "a"', "b"), Pair("[1]", "[2]", "", ((0, 1),))]
    for order in (rows, rows[::-1]):
        save_test(order, tmp_path)
        assert load_test(tmp_path, Reading()) == order


def test_a_pipe_that_loses_much_is_not_read_again(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    text = joined([*PAIRS, *[(f"{a}ä", b) for a, b in PAIRS]], "\t").encode("latin-1")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(text,))
    writer.start()
    assert command.main(["train", str(tmp_path / "pipe"), "--into", str(tmp_path / "m")]) == 2
    writer.join()
    assert "are left out (not UTF-8: " in capsys.readouterr().err


TOLD = {
    "prose": ("\n".join(SENTENCES), [], "running text has none"),
    "prose that begins alike": ("\n".join(WORDS), [], "running text has none"),
    "one word a line": ("\n".join(a for a, _ in PAIRS), [], "running text has none"),
    "no such column": (joined([("from", "to"), *PAIRS], "\t"), ["--columns", "from,too"], "“too”"),
    "JSON": (json.dumps(PAIRS, indent=1), [], "an object with both on each line"),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_holds_no_pairs_is_refused_with_what_to_do(tmp_path, name):
    text, options, words = TOLD[name]
    with pytest.raises(Refusal) as refused:
        read(put(tmp_path / "a.txt", text), *options)
    assert words in str(refused.value)
    assert "--separator" not in str(refused.value)


SUSPECTED = {
    "variants": (
        [(f"{a}({at % 3 + 1})" if at % 5 < 2 else a, b) for at, (a, b) in enumerate(PAIRS)],
        "“ecbdc(1)”. To the model it is part of the word",
    ),
    "comments in targets": (
        [(a, f"{b} # place, danish" if at % 9 == 0 else b) for at, (a, b) in enumerate(PAIRS)],
        "“ECBDC # place, danish”. The model learns to write them",
    ),
    "digits in a header": ([("word1", "word2"), *PAIRS], "looks like a header"),
    "digits alone in a header": ([("text_1", "text_2"), *PAIRS], "looks like a header"),
    "a comment above a header": (
        [("#", "made by hand"), ("source1", "target1"), *PAIRS],
        "Line 2 (“source1” and “target1”) looks like a header",
    ),
    "an index": (
        [("", "source", "target"), *[(str(n), *row) for n, row in enumerate(PAIRS)]],
        "Line 1 (“source” and “target”) looks like a header: if it is one, give --header. "
        "Column 1, the source, looks as if it counts the lines (“1”, “2”): if so, name the "
        "others, such as --columns 2,3",
    ),
    "an index in no order": (
        [("", "source", "target"), *[(str(n * 67 % 151), *row) for n, row in enumerate(PAIRS)]],
        "--columns 2,3",
    ),
}


@pytest.mark.parametrize("name", SUSPECTED)
def test_more_that_a_file_may_be_is_told(tmp_path, name):
    rows, words = SUSPECTED[name]
    assert words in told(put(tmp_path / "a.tsv", joined(rows, "\t")))


def test_two_files_that_belong_together_line_by_line_are_told(tmp_path, capsys):
    one, other = (
        put(tmp_path / f"a.{end}", "\n".join(row[at] for row in PAIRS) + "\n")
        for at, end in enumerate(("en", "fr"))
    )
    pasted = f"paste {one} {other} > "
    with pytest.raises(Refusal, match=re.escape(pasted)):
        read(one)
    assert command.main(["train", str(one), str(other)]) == 2
    assert pasted in capsys.readouterr().err
    put(tmp_path / "a.fr", "another\nlength\n")
    with pytest.raises(Refusal, match="running text has none"):
        read(one)


# ---- forms, and links that move


def test_links_move_with_composed_stripped_and_decomposed_text(tmp_path):
    row = "e\u0301ab\te\u0301AB\t\t0-0 1-1 2-2 3-3"
    composed = Line("éab", "éAB", "", ((0, 0), (1, 1), (2, 2)), True)
    assert list(lines(put(tmp_path / "a", row))) == [composed]
    short = put(tmp_path / "b", " éab\téAB\t\t1-0 2-1 3-2 0-1")
    (found,) = lines(short)
    assert found == composed._replace(rewritten=False)
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
    path = put(tmp_path / "a.tsv", joined(rows, "\t"))
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
    found = read(corpus, "--test", str(test))
    assert [tuple(pair[:2]) for pair in found.test] == others
    kept = [pair[:2] for pair in PAIRS if part_of(pair[0], 0) == VALIDATION]
    assert [tuple(pair[:2]) for pair in found.validation] == kept
    assert found.counts == (len(PAIRS) - len(kept), len(kept), 20)
    assert [str(each) for each in found.left_out] == [
        "t.tsv, line 21: no tab between source and target"
    ]
    both = read(corpus, "--test", str(test), "--validation", str(test))
    assert both.counts == (len(PAIRS), 20, 20)
    assert both.digest != found.digest != read(corpus).digest


def test_pairs_of_training_and_test_are_a_leak_that_is_counted(tmp_path):
    corpus = written(tmp_path / "a.tsv", PAIRS)
    rows = [*PAIRS[:7], *[(a, "other") for a, _ in PAIRS[7:10]], ("zzz", "ZZZ")]
    limits = read(corpus, "--test", str(written(tmp_path / "t.tsv", rows))).limits
    assert (limits.pairs, limits.known, limits.shared) == (11, 7, 10)
    assert read(corpus).limits.shared == read(corpus).told == 0
    with_training = read(corpus, "--validation", str(tmp_path / "t.tsv"))
    assert with_training.told == sum(part_of(a, 0) != TEST for a, _ in PAIRS[:10])


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
    with pytest.raises(Refusal, match="has no groups to split by"):
        read(written(tmp_path / "a.tsv", PAIRS), "--split-by", "group")
    with pytest.raises(Refusal, match="at least 3 different groups"):
        read(written(tmp_path / "a.tsv", [(a, b, "one") for a, b in PAIRS]), "--split-by", "group")


def test_a_few_lines_are_divided_so_that_no_part_is_empty(tmp_path):
    for count in (3, 4, 12, 20):
        for seed in range(5):
            path = written(tmp_path / "a.tsv", PAIRS[:count])
            assert min(read(path, "--seed", str(seed)).counts) >= 1
    for count in (1, 2):
        with pytest.raises(Refusal, match="Expected a dozen good lines or more"):
            read(written(tmp_path / "a.tsv", PAIRS[:count]))


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
    kept = [(" ".join(a) if words else a, " ".join(b) if words else b) for a, b in PAIRS]
    corpus = written(tmp_path / "a.tsv", [*kept, *[("x" if words else "xx", "A")] * 20])
    test = written(tmp_path / "t.tsv", rows)
    options = ["--words"] * words
    limits = read(corpus, "--test", str(test), *options).limits
    most = max(Counter(b for _, b in rows[:67]).values())
    assert limits.best == pytest.approx((3 + most) / 70)
    assert (limits.several, limits.alike) == (0, 67)
    found = read(corpus, *options)
    vocabularies = found.source_vocabulary, found.target_vocabulary
    reading = command._reading(command._parsed(["train", str(test), *options]))
    again = read_test(test, reading, 0, vocabularies, []).limits
    assert (again.best, again.several, again.alike) == (limits.best, 0, 67)
    assert "cannot tell them apart" in " ".join(of_limits(limits))


@pytest.mark.parametrize("words", ["none", "source", "target", "both"])
def test_each_side_may_be_words(tmp_path, words):
    rows = [(" ".join(a), " ".join(b)) for a, b in PAIRS]
    corpus = read(written(tmp_path / "a.tsv", rows), *(["--words", words] * (words != "none")))
    separators = corpus.source_vocabulary.separator, corpus.target_vocabulary.separator
    assert separators == (
        " " * (words in ("source", "both")),
        " " * (words in ("target", "both")),
    )


def test_words_alone_are_both_sides():
    for given in (["--words", "a.tsv"], ["a.tsv", "--words"], ["a.tsv", "--words=both"]):
        parsed = command._parsed(["train", *given])
        assert (parsed.words, parsed.corpus.name) == ("both", "a.tsv")
    assert command._parsed(["train", "a.tsv", "--words", "source"]).words == "source"


def test_the_ceiling_is_that_of_all_test_pairs(tmp_path, monkeypatch):
    from attn_own import own_corpus

    monkeypatch.setitem(own_corpus.MOST_ASKED, TEST, 9)
    rows = [(a, b + end) for a, b in pairs(900, most=8) for end in "AB"]
    corpus = read(written(tmp_path / "a.tsv", rows))
    assert corpus.limits.asked == len(corpus.test) == 9
    assert corpus.limits.pairs == corpus.limits.several == corpus.counts[TEST] > 100
    assert corpus.limits.best == 0.5
    assert corpus.counts[TRAINING] > 1000
