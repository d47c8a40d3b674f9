"""The options of the commands, and what each of them may be."""

from __future__ import annotations

import argparse
import codecs
import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from attn_course import __version__
from attn_own.wording import Refusal

_HERE = Path(__file__).parent
_ABOUT = "Train a small model with attention on your own pairs of texts, and find out what it does."
_SIDES = ("source", "target", "both", "none", "auto")


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options; a text to read may also stand after an option, which argparse cannot do."""
    parser = _parser()
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if "--words" in arguments:  # without a side, so that a corpus may follow it
        after = arguments.index("--words") + 1
        if after == len(arguments) or arguments[after] not in _SIDES:
            arguments[after - 1] = "--words=both"
    if "--separator" in arguments[:-1]:  # whose value may begin with a hyphen
        at = arguments.index("--separator")
        arguments[at : at + 2] = [f"--separator={arguments[at + 1]}"]
    options, more = parser.parse_known_args(arguments)
    if more and options.command == "train" and Path(more[0]).is_file():
        raise Refusal(
            f"train takes one file with both sides; got {options.corpus} and {more[0]}. If they "
            f"belong together line by line: paste {options.corpus} {more[0]} > corpus.tsv"
        )
    if more and (options.command != "read" or any(text.startswith("-") for text in more)):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:
        options.texts += more
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attn_course",
        description=_ABOUT,
        epilog=(_HERE / "begin.txt").read_text("utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"attn-course {__version__}")
    commands = parser.add_subparsers(
        title="commands", required=True, metavar="COMMAND", dest="command"
    )
    for add in (_add_example, _add_train, _add_read, _add_report):
        add(commands)
    return parser


def _add_example(commands) -> None:
    example = commands.add_parser(
        "example",
        help="write a small corpus, English dates, and train a model on it in about a minute",
        description="Write 1,000 English dates, such as Jan 7, 2033, each with its ISO form and "
        "the kind of date as its group, to a file, and train a model on them in about a minute.",
    )
    _add_device(example)
    example.add_argument(
        "corpus",
        type=_path,
        nargs="?",
        default="example.tsv",
        help="the file (default: %(default)s)",
    )


def _add_read(commands) -> None:
    read = commands.add_parser(
        "read",
        help="read texts of your own with a trained model",
        description="Print the model's answer to each text, and a map of where it looked: one row "
        "for each symbol written, darker where the weight is larger. Without texts, each line of "
        "the standard input is read. With --no-map or --tsv there is one line of output for each "
        "text (with --best, for each answer), an empty answer for one that cannot be read, and "
        "none of them stops the rest. Notes go to the standard error, with the number of the line.",
    )
    read.add_argument("folder", type=_path, help="the folder that train made")
    read.add_argument("texts", nargs="*", metavar="TEXT", help="a text to read")
    read.add_argument("--no-map", action="store_true", help="leave out the map")
    read.add_argument(
        "--tsv",
        action="store_true",
        help="write text<TAB>answer<TAB>probability, a line for each text, and no map; with --best "
        "a line for each answer, and its rank as a fourth column",
    )
    read.add_argument(
        "--best",
        type=_SEVERAL,
        metavar="N",
        help="give the N likeliest answers that are found, likeliest first, not one; it takes as "
        "many beams, if there are fewer",
    )
    read.add_argument(
        "--beams",
        type=_SEVERAL,
        help="how many beginnings the search keeps (default: as the model was trained)",
    )
    _add_device(read)


def _add_report(commands) -> None:
    report = commands.add_parser(
        "report",
        help="write the report card of a trained model as one HTML file",
        description="Try the model on all test pairs, put its map to the test, and write one HTML "
        "file in which\nthe trained model runs. The file needs no internet connection, and can be "
        "opened from a USB stick.",
        epilog=(_HERE / "json.txt").read_text("utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_argument("folder", type=_path, help="the folder that train made")
    report.add_argument(
        "--into",
        type=_path,
        help="the file (default: report.html in the folder; with --on, named after that file too)",
    )
    report.add_argument(
        "--on",
        type=_path,
        metavar="FILE",
        help="test pairs to use instead, in lines source<TAB>target; --separator, --columns and "
        "--header say how to read them",
    )
    report.add_argument(
        "--against",
        type=_path,
        metavar="FOLDER",
        help="another model that is asked the same pairs, and compared pair by pair",
    )
    report.add_argument(
        "--json",
        type=_path,
        metavar="FILE",
        help="write the card's numbers to this file too, for other programs; - writes them to the "
        "standard output, and all else to the standard error",
    )
    _add_reading(report)
    _add_device(report)


def _add_train(commands) -> None:
    train = commands.add_parser(
        "train",
        help="train a model on a file of pairs",
        description="Train a model on lines source<TAB>target.",
        epilog=(_HERE / "train.txt").read_text("utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    models = ("bahdanau", "luong", "transformer", "fixed_context")
    train.add_argument("corpus", type=_path, help="a UTF-8 file, source<TAB>target on each line")
    train.add_argument("--model", choices=models, default="bahdanau", help="default: bahdanau")
    train.add_argument(
        "--into", type=_path, help="the model's folder (default: such as corpus-bahdanau)"
    )
    _add_training(train)
    _add_texts(train)
    _add_reading(train)
    _add_device(train)


def _add_device(command) -> None:
    command.add_argument(
        "--device",
        default="auto",
        help="cpu, cuda, cuda:1 and so on, or mps, a Mac's GPU (default: auto, which is cuda if it "
        "is there, otherwise cpu)",
    )


def _add_training(train) -> None:
    """How the model is trained."""
    train.add_argument(
        "--epochs",
        type=_COUNT,
        help="passes over the pairs (default: 15, or as many as make 4,000 steps of up to 3,200 "
        "pairs, 8,000 of 12,800, and so on)",
    )
    train.add_argument(
        "--size",
        type=_COUNT,
        help="of the vectors (default: 64; from 4,000 training pairs on 128; transformer: 64)",
    )
    train.add_argument(
        "--rate",
        type=_rate,
        help='the learning rate, or "search" (default: 0.004; from 4,000 training pairs on, and '
        "for a transformer, 0.003)",
    )
    train.add_argument("--batch", type=_COUNT, help="pairs per step (default: 32; transformer: 40)")
    train.add_argument(
        "--dropout",
        type=_SHARE,
        default=0.3,  # as fitting.DROPOUT, which needs torch
        help="share of the vectors' entries that is hidden in training (default: 0.3)",
    )
    train.add_argument(
        "--guide",
        type=_STRENGTH,
        metavar="STRENGTH",
        help="teach attention where to look: the weight of the links that IBM model 1 finds, "
        "beside the loss (default: 0; below 2,000 training pairs 1)",
    )
    train.add_argument(
        "--ensemble",
        type=_SEVERAL,
        help="how many models to train, from different seeds, to answer together (default: 1; "
        "below 2,000 training pairs 5)",
    )
    train.add_argument(
        "--beams",
        type=_SEVERAL,
        help="how many beginnings the search for an answer keeps (default: 1, greedy; below 2,000 "
        "training pairs 4)",
    )
    train.add_argument(
        "--seed", type=_SEED, default=0, help="of the split, the start and the order (default: 0)"
    )
    train.add_argument(
        "--curve",
        action="store_true",
        help="train on a quarter and on half of the pairs too, so that the card can say what more "
        "pairs brought; this takes once to twice as long again",
    )
    train.add_argument(
        "--keep-every",
        type=_SECONDS,
        default=20.0,
        help="seconds between checkpoints (default: 20)",
    )


def _add_texts(train) -> None:
    """What the texts are made of, and how they are divided."""
    train.add_argument(
        "--words",
        nargs="?",
        choices=_SIDES,
        const="both",
        default="auto",
        help="symbols are words, not characters: in the source, in the target, or in both (if no "
        "side is named). auto, the default: where nearly every text is symbols with spaces between "
        "them, as phones are (k æ t). none: nowhere",
    )
    train.add_argument(
        "--longest", type=_COUNT, default=100, help="most symbols in a text (default: 100)"
    )
    train.add_argument(
        "--test", type=_path, metavar="FILE", help="pairs for the test, and for nothing else"
    )
    train.add_argument(
        "--validation", type=_path, metavar="FILE", help="pairs for the validation alone"
    )
    train.add_argument(
        "--split-by",
        choices=("source", "group"),
        default="source",
        help="what is in no two parts (default: source)",
    )
    train.add_argument(
        "--form",
        choices=("NFC", "NFKC", "NFD", "none"),
        default="NFC",
        help="normal form of the texts (default: NFC; NFKC: with plain spaces, digits and letters; "
        "none: as they are)",
    )


def _add_reading(command) -> None:
    """The options that say how a file is read."""
    command.add_argument(
        "--separator",
        type=_separator,
        help='what stands between columns (default: a tab); one sign, such as "," or tab, reads '
        "csv, and takes off quotation marks",
    )
    command.add_argument(
        "--columns",
        type=_columns,
        metavar="N,N",
        help="the columns of source and target, perhaps of group and links, by number or by their "
        "names in the header (default: 1,2,3,4); 1+2 joins two of them; a name with a comma or +, "
        "and a number that is a name, stand in quotation marks",
    )
    command.add_argument("--header", action="store_true", help="leave out the first line")
    command.add_argument(
        "--encoding",
        type=_encoding,
        default="utf-8",
        help="that of the files, such as windows-1252 (default: utf-8)",
    )
    command.add_argument(
        "--anyway",
        action="store_true",
        help="go on even if more than a twentieth of the lines is left out for one reason",
    )


# ---- what an option may be

# of --columns: what stands before a column, and its name, in quotation marks or without
_COLUMN = re.compile(r'(^|[,+])\s*(?:"([^"]+)"|([^",+]*[^",+\s]))\s*')


def _separator(text: str) -> str:
    if not text or "\n" in text or "\r" in text:
        raise argparse.ArgumentTypeError(f"expected signs between two columns; got {text!r}")
    return "\t" if text == "tab" else text


# for names of hosts, mail and source code: some of their characters are half a pair
_OF_NO_FILE = ("idna", "punycode", "utf-7", "unicode-escape", "raw-unicode-escape")


def _encoding(text: str) -> str:
    try:
        "".encode(text)
        if codecs.lookup(text).name in _OF_NO_FILE:
            raise LookupError
    except (LookupError, UnicodeError):
        raise argparse.ArgumentTypeError(
            f"expected an encoding that Python knows, such as windows-1252; got {text!r}"
        ) from None
    return "utf-8" if codecs.lookup(text).name == "utf-8" else text


def _columns(text: str) -> tuple[tuple[int | str, ...], ...]:
    parts: list[list[int | str]] = []
    matches = [*_COLUMN.finditer(text)]
    for sign, in_marks, plain in (match.groups() for match in matches):
        if sign != "+" or not parts:
            parts.append([])
        parts[-1].append(in_marks or (int(plain) if plain.isdecimal() else plain))
    is_whole = "".join(match[0] for match in matches) == text and text[:1] not in ",+"
    if not is_whole or not 2 <= len(parts) <= 4 or any(0 in part for part in parts):
        raise argparse.ArgumentTypeError(
            "expected two to four numbers or names of columns, such as 1,3 or 1+2,3 or "
            f"source,target; got {text!r}"
        )
    return tuple(map(tuple, parts))


def _path(text: str) -> Path:
    if not text:  # Path("") would be the current folder
        raise argparse.ArgumentTypeError("expected a name; got an empty one")
    return Path(text)


def _number(what: str, least: float, most: float, read: Callable = float) -> Callable:
    """What reads an option's number and refuses one that is out of bounds."""

    def checked(text: str) -> float:
        try:
            number = read(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected {what}; got {text!r}")
        return number

    return checked


def _whole(least: int, most: int) -> Callable:
    return _number(f"a whole number from {least:,} to {most:,}", least, most, int)


def _above_0(what: str, most: float) -> Callable:
    return _number(what, math.nextafter(0, 1), most)


_COUNT, _SEVERAL, _SEED = _whole(1, 10**6), _whole(1, 99), _whole(0, 2**32 - 1)
_SECONDS = _above_0("a number of seconds above 0", 1e6)
_SHARE = _number("a share from 0 to below 1", 0, math.nextafter(1, 0))
_STRENGTH = _number("a number from 0 to 100", 0, 100)
_RATE = _above_0('a rate above 0 and at most 1, or "search"', 1)


def _rate(text: str) -> float | str:
    return text if text == "search" else _RATE(text)
