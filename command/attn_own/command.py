"""``python -m attn_course``: train a model on your own pairs, read with it, report on it."""

from __future__ import annotations

import argparse
import codecs
import itertools
import math
import shlex
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

from attn_course import __version__
from attn_own.refusal import Refusal
from attn_own.wording import counted, escaped, isolated, named, percent, quoted

_ABOUT = "Train a small model with attention on your own pairs of texts, and find out what it does."
_BEGIN = """\
try it, in a minute
  python -m attn_course example

begin with
  python -m attn_course train corpus.tsv --model bahdanau
  python -m attn_course read corpus-bahdanau "a text of yours"
  python -m attn_course report corpus-bahdanau

corpus.tsv is UTF-8, and each line is  source<TAB>target , such as
  3. Mai 1998<TAB>1998-05-03
Two more columns may follow: <TAB>group, a name under which the report counts the pair, and
<TAB>links, the exact alignment, if you know it. In 0-8 1-9, place 0 of the source became place 8
of the target, and place 1 became place 9. The model reads neither: it learns the target from the
source alone. A line that cannot be used is left out and reported with its number; if many are, the
training does not begin, and you are told what would help. A few hundred
pairs are not many; several thousand are good. Each command has its own --help."""
_FILES = """\
Other files: --separator "," reads csv, with texts in quotation marks; --separator "->" reads lines
with these signs between their columns. --columns 1,3 takes source and target from these columns;
--columns 1+2,3 makes the source of two, such as lemma and features; --columns word,sounds finds
them by their names in the header. --header leaves out the first line. Lines that begin with # or
;;; are comments. Lines of JSON, and PO files, are read as well; save workbooks (xlsx, ods) as csv
first, and put two files that belong together line by line into one: paste a.en a.fr > a.tsv. What a
file looks like, but was not read as, is told before the training begins.

Texts are composed (NFC), so that é is one symbol however it was typed, and links move with them;
--form NFKC also makes no-break spaces plain, and full-width signs and ligatures. --form NFD takes
letters and marks apart, and --form none leaves texts as they are.

"""
_TRAIN = """\
A tenth of the sources is set aside for validation and a tenth for the test. The text of a source
and --seed decide which part it is in, so no source is in two parts. With --split-by group no group
is in two parts. With --test FILE and --validation FILE the parts are yours, and the rest of the
corpus is all for the training.

Models: "bahdanau" looks at the source before each step, "luong" after it; "transformer" has no
recurrence; "fixed_context" has no attention, so it shows what attention is worth on your pairs.

Begin with the defaults. The weights with which most validation pairs were right are kept, and a
training ends early if nothing has improved for long. If the loss was still falling at the end,
double --epochs, and name another folder with --into, since the rate falls until the last step.
With --ensemble 3, three models are trained that answer together: this takes three times as long,
and they are usually right more often than any of them. With --guide 1, attention is taught to look
where IBM model 1 links the symbols, a method that counts which symbols come together and prefers
the diagonal. This can help where pairs are few and in the same order on both sides, but the map
then shows what was taught, and the card says so. The learning rate is the setting that matters
most: --rate search trains at each of five rates, which takes five times as long, and keeps the
model with the smallest loss on the validation pairs. Compare two models only if each was trained
at a rate of its own.

If a training is stopped or killed, run the same command again, and it goes on. A GPU is used if
there is one."""

_SIDES = ("source", "target", "both")
_NAME = 256  # characters of a file's name
_FEW = 100  # pairs; fewer are warned about


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 for a refusal, 130 for an interrupt."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    given = None
    try:
        given = _parsed(arguments)
        from attn_course.training import one_thread  # not above: --help needs no torch

        with one_thread():
            given.run(given)
    except Refusal as refusal:
        print(f"{refusal}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        trains = given is not None and given.run in (_train, _example)
        more = " What was saved is complete; the same command goes on." if trains else ""
        print(f"Interrupted.{more}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # as of `... | head`
        sys.stdout = None
        return 0
    return 0


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments; a text to read may also stand after an option, which argparse cannot do."""
    parser = _parser()
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if "--words" in arguments:  # without a side, so that a corpus may follow it
        after = arguments.index("--words") + 1
        if after == len(arguments) or arguments[after] not in _SIDES:
            arguments[after - 1] = "--words=both"
    if "--separator" in arguments[:-1]:  # whose value may begin with a hyphen
        at = arguments.index("--separator")
        arguments[at : at + 2] = [f"--separator={arguments[at + 1]}"]
    given, more = parser.parse_known_args(arguments)
    if more and given.run is _train and Path(more[0]).is_file():
        raise Refusal(
            f"train takes one file with both sides; got {given.corpus} and {more[0]}. If they "
            f"belong together line by line: paste {given.corpus} {more[0]} > corpus.tsv"
        )
    if more and (given.run is not _read or any(each.startswith("-") for each in more)):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:
        given.texts += more
    return given


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attn_course",
        description=_ABOUT,
        epilog=_BEGIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"attn-course {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    example = commands.add_parser(
        "example",
        help="write a small corpus, English dates, and train a model on it in about a minute",
        description="Write 1,000 English dates, such as Jan 7, 2033, each with its ISO form and "
        "the kind of date as its group, to a file, and train a model on them in about a minute.",
    )
    example.add_argument(
        "corpus",
        type=_path,
        nargs="?",
        default="example.tsv",
        help="the file (default: %(default)s)",
    )
    example.set_defaults(run=_example)
    _add_train(commands)
    read = commands.add_parser(
        "read",
        help="read texts of your own with a trained model",
        description="Print the model's answer to each text, and a map of where it looked: one row "
        "for each symbol written, darker where the weight is larger. Without texts, each line of "
        "the standard input is read. With --no-map or --tsv there is one line of output for each "
        "text, an empty answer for one that cannot be read, and none of them stops the rest. Notes "
        "go to the standard error, with the number of the line.",
    )
    read.add_argument("folder", type=_path, help="the folder that train made")
    read.add_argument("texts", nargs="*", metavar="TEXT", help="a text to read")
    read.add_argument("--no-map", action="store_true", help="leave out the map")
    read.add_argument(
        "--tsv",
        action="store_true",
        help="write text<TAB>answer<TAB>probability, a line for each text, and no map",
    )
    read.set_defaults(run=_read)
    report = commands.add_parser(
        "report",
        help="write the report card of a trained model as one HTML file",
        description="Try the model on all test pairs, put its map to the test, and write one HTML "
        "file in which the trained model runs. The file needs no internet connection, and can be "
        "opened from a USB stick.",
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
    _add_reading(report)
    report.set_defaults(run=_report)
    return parser


def _add_train(commands) -> None:
    train = commands.add_parser(
        "train",
        help="train a model on a file of pairs",
        description="Train a model on lines source<TAB>target.",
        epilog=_FILES + _TRAIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    models = ("bahdanau", "luong", "transformer", "fixed_context")
    train.add_argument("corpus", type=_path, help="a UTF-8 file, source<TAB>target on each line")
    train.add_argument("--model", choices=models, default="bahdanau", help="default: bahdanau")
    train.add_argument(
        "--into", type=_path, help="the model's folder (default: such as corpus-bahdanau)"
    )
    train.add_argument(
        "--epochs",
        type=_COUNT,
        help="passes over the pairs (default: 15, or as many as 800 pairs need for 2,000 steps, "
        "3,200 for 4,000, and so on)",
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
        default=0.0,
        metavar="STRENGTH",
        help="teach attention where to look, such as with 1: the weight of the links that IBM "
        "model 1 finds, beside the loss (default: 0)",
    )
    train.add_argument(
        "--ensemble",
        type=_SEVERAL,
        default=1,
        help="how many models to train, from different seeds, to answer together (default: 1)",
    )
    train.add_argument(
        "--beams",
        type=_SEVERAL,
        default=1,
        help="how many beginnings the search for an answer keeps, such as 4 (default: 1, greedy)",
    )
    train.add_argument(
        "--seed", type=_SEED, default=0, help="of the split, the start and the order (default: 0)"
    )
    train.add_argument(
        "--words",
        nargs="?",
        choices=_SIDES,
        const="both",
        default="none",
        help="symbols are words, not characters: in the source, in the target, or in both (default "
        "if no side is named)",
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
    _add_reading(train)
    train.add_argument(
        "--keep-every",
        type=_SECONDS,
        default=20.0,
        help="seconds between checkpoints (default: 20)",
    )
    train.set_defaults(run=_train)


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
        "names in the header (default: 1,2,3,4); 1+2 joins two of them",
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


def _separator(text: str) -> str:
    if not text or "\n" in text or "\r" in text:
        raise argparse.ArgumentTypeError(f"expected signs between two columns; got {text!r}")
    return "\t" if text == "tab" else text


def _encoding(text: str) -> str:
    try:
        "".encode(text)
    except (LookupError, UnicodeError):
        raise argparse.ArgumentTypeError(
            f"expected an encoding that Python knows, such as windows-1252; got {text!r}"
        ) from None
    return codecs.lookup(text).name if codecs.lookup(text).name == "utf-8" else text


def _columns(text: str) -> tuple[tuple[int | str, ...], ...]:
    parts = [part.split("+") for part in text.split(",")]
    names = [name.strip() for part in parts for name in part]
    if not 2 <= len(parts) <= 4 or not all(names) or any(name.strip("0") == "" for name in names):
        raise argparse.ArgumentTypeError(
            "expected two to four numbers or names of columns, such as 1,3 or 1+2,3 or "
            f"source,target; got {text!r}"
        )
    return tuple(
        tuple(int(name) if name.strip().isdecimal() else name.strip() for name in part)
        for part in parts
    )


def _path(text: str) -> Path:
    if not text:  # Path("") would be the current folder
        raise argparse.ArgumentTypeError("expected a name; got an empty one")
    return Path(text)


def _number(what: str, least: float, most: float, read: Callable = float) -> Callable:
    """What reads an option's number and refuses one that is out of bounds."""

    def number(text: str) -> float:
        try:
            found = read(text)
        except ValueError:
            found = math.nan
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"expected {what}; got {text!r}")
        return found

    return number


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


# ---- the commands; torch is imported only when it is needed


def _example(given: argparse.Namespace) -> None:
    from attn_course.tasks.dates import date_pairs
    from attn_own.folder import write_whole

    pairs = date_pairs(1000, seed=0, locales=("en",))
    lines = dict.fromkeys(f"{pair.source}\t{pair.target}\t{pair.kind}\n" for pair in pairs)
    text = "".join(lines).encode()
    if given.corpus.exists() and given.corpus.read_bytes() != text:
        raise Refusal(f"{given.corpus} is there already, and is not the example: name another file")
    write_whole(given.corpus, text)
    _train(_parsed(["train", str(given.corpus), "--epochs", "40"]))
    folder = given.corpus.with_name(f"{given.corpus.stem}-bahdanau")
    print(f'Or: python -m attn_course read {folder} "Feb 29, 2024"')


def _train(given: argparse.Namespace) -> None:
    from attn_course.training import device
    from attn_own import designs, fitting, folder, own_corpus, trained

    if given.model == "transformer" and given.size and given.size % (2 * designs.HEADS):
        raise Refusal(f"--size must be a multiple of 8 for a transformer; got {given.size}")
    if given.model == "fixed_context" and given.guide:
        raise Refusal("--guide teaches attention, and fixed_context has none: leave it out")
    if given.into is None and not given.corpus.is_file() and given.corpus.exists():
        raise Refusal(
            f"{given.corpus} is no file with a place of its own: name a folder with --into"
        )
    files = own_corpus.Files(
        given.corpus,
        _reading(given),
        given.seed,
        given.test,
        given.validation,
        given.split_by == "group",
    )
    corpus = own_corpus.read_corpus(files)
    if not given.anyway:
        paths = [path for path in (files.corpus, files.validation, files.test) if path]
        own_corpus.expect_kept(corpus.lost, corpus.left_out, paths, files.reading)
    usual = designs.usual(given.model, len(corpus.training))
    batch = given.batch or usual.batch
    choices = {
        "model": given.model,
        "size": given.size or usual.size,
        "rate": given.rate or usual.rate,
        "batch": batch,
        "epochs": given.epochs or fitting.epochs_for(corpus, batch),
        "dropout": given.dropout,
        "guide": given.guide,
        "ensemble": given.ensemble,
        "beams": given.beams,
        "seed": given.seed,
        "words": given.words,
        "longest": given.longest,
        "form": given.form,
        "split_by": given.split_by,
        "corpus": corpus.digest,
    }
    into = given.into or given.corpus.with_name(f"{given.corpus.stem}-{given.model}")
    _say_what_was_read(files, corpus, into)
    with folder.locked(into):
        if _finished(into, choices):
            print(f"{into} already holds this training.")
            _renew(corpus, into)
        else:
            trained.save_test(corpus.test, into)
            _list_left_out(corpus, into)
            steps = counted(corpus.training.count_batches(choices["batch"]), "step")
            print(
                f"{given.model}, size {choices['size']}, on {device().type}: "
                f"{counted(choices['epochs'], 'epoch')} of {steps}{_times(choices)}"
                f"{', attention guided by IBM model 1' if choices['guide'] else ''}.",
                flush=True,
            )
            fitted = fitting.fit(corpus, choices, into, given.keep_every)
            done = fitting.as_trained(fitted, corpus, choices, given.corpus.name)
            trained.save(done, into)
            for pattern in ("checkpoint.pt", "best.pt", "member-*.pt"):
                for left in into.glob(pattern):
                    left.unlink()
        _say_how_it_went(into)


def _times(choices: dict) -> str:
    return f", {choices['ensemble']} times" if choices["ensemble"] > 1 else ""


def _reading(given: argparse.Namespace):
    """How the files of a command are read."""
    from attn_own.lines import Reading

    separator = given.separator or "\t"
    quoted = given.separator is not None and len(separator) == 1 and separator != " "
    how = {"separator": separator, "quoted": quoted, "columns": given.columns}
    how |= {"header": given.header, "encoding": given.encoding}
    if "form" in given:
        return Reading(given.words, given.longest, given.form, **how)
    return Reading(**how)


def _renew(corpus, into: Path) -> None:
    """Make test file and card anew, without training, if groups or links have changed."""
    from attn_own import card, trained

    _list_left_out(corpus, into)
    if not trained.save_test(corpus.test, into):
        return
    print("Groups or links have changed: the test pairs are written anew.")
    if (into / "report.html").exists():
        card.write(into, into / "report.html")
        print(f"Wrote {into / 'report.html'} anew.")


def _finished(into: Path, choices: dict) -> bool:
    """Whether the folder holds this training, finished; a folder with another one is refused."""
    from attn_own.folder import read_json, write_json

    path = into / "choices.json"
    begun = (into / "rates.json").exists() or any(into.glob("*.pt"))
    if not (path.exists() and begun):  # a training that saved nothing may be replaced
        write_json(path, choices)
    before = read_json(path)
    if before != choices:
        names = choices if isinstance(before, dict) else ()
        other = [name for name in names if before.get(name) != choices[name]]
        raise Refusal(
            f"{into} holds a training with other settings ({', '.join(other) or 'unreadable'}): "
            f"choose another folder, such as --into {shlex.quote(str(_free(into)))}"
        )
    return (into / "model.pt").exists()


def _free(into: Path) -> Path:
    """A folder beside this one that does not exist yet."""
    numbered = (into.with_name(f"{into.name}-{number}") for number in itertools.count(2))
    return next(path for path in numbered if not path.exists())


def _say_what_was_read(files, corpus, into: Path) -> None:
    from attn_own.own_corpus import TEST
    from attn_own.suspicions import suspected
    from attn_own.verdicts import of_limits

    training, validation, test = corpus.counts
    print(
        f"{files.corpus.name}: {sum(corpus.counts):,} pairs, {training:,} for training, "
        f"{validation:,} for validation, {test:,} for the test."
    )
    print(_first(corpus.first))
    for path in (files.corpus, files.validation, files.test):
        for said in suspected(path, files.reading) if path is not None and path.is_file() else ():
            print(f"{'' if path == files.corpus else f'{path.name}: '}{said}")
    if corpus.rewritten:
        form = files.reading.form
        how = {"NFC": "composed", "NFD": "decomposed", "NFKC": "made plain"}[form]
        print(
            f"{counted(corpus.rewritten, 'line')} had text that was {how} ({form}), and links "
            "moved with it; --form none leaves text as it is."
        )
    if corpus.several:
        print(
            f"{corpus.several:,} of the pairs share their source with a pair that has another "
            "target."
        )
    if corpus.repeated:
        print(f"Repeats of an earlier pair, each of which counts: {corpus.repeated:,}.")
    for said in of_limits(corpus.limits):
        print(said)
    if files.reading.words in ("source", "both") and corpus.limits.unread > test / 2:
        print("Words that come once cannot be learnt: --words target reads sources by letters.")
    if corpus.told:
        print(
            f"{corpus.told:,} of the {validation:,} validation pairs have a source that is in "
            "training as well. This is a leak: they cannot tell when to stop."
        )
    if sum(corpus.counts) < _FEW:
        print(
            f"{sum(corpus.counts)} pairs are very few: a model learns little from {training}, and "
            f"{counted(corpus.counts[TEST], 'test pair')} can hardly tell what."
        )
    if corpus.left_out:
        count = len(corpus.left_out)
        print(f"{counted(count, 'line')} {'are' if count > 1 else 'is'} left out:")
        for each in corpus.left_out[:10]:
            print(f"  {each}")
        if count > 10:
            print(f"  and {count - 10:,} more; {into / 'left-out.txt'} lists them all")
    sys.stdout.flush()


def _first(pair) -> str:
    """How the first pair was read."""
    said = f"The first pair: {quoted(pair.source)} → {quoted(pair.target)}, "
    group = f"group {quoted(pair.group)}" if pair.group else "no group"
    links = counted(len(pair.links), "link") if pair.links else "no links"
    more = "" if not pair.group and not pair.links else " The model does not read groups or links."
    return f"{said}{group}, {links}.{more}"


def _list_left_out(corpus, into: Path) -> None:
    from attn_own.folder import write_whole

    rows = "".join(f"{each}\n" for each in corpus.left_out)
    write_whole(into / "left-out.txt", rows.encode("utf-8"))


def _say_how_it_went(into: Path) -> None:
    from attn_course.measures import correct, share_by_source
    from attn_own import findings, trained, verdicts

    loaded = trained.load(into)
    pairs = trained.load_test(into, loaded.reading)
    sources = [pair.source for pair in pairs]
    answers = [each.text for each in loaded.ask(sources)]
    right = correct(answers, [pair.target for pair in pairs])
    mean, low, high = share_by_source(right, sources)
    print(
        f"Of {len(right):,} test pairs, {percent(mean, 1)} are exactly right; with many more of "
        f"them, the share would likely lie between {percent(low, 1)} and {percent(high, 1)}."
    )
    print(verdicts.of_training(loaded.history, verdicts.for_longer(loaded)))
    for said in verdicts.of_baselines(findings.rivals(loaded, pairs, right)):
        print(said)
    print(f"Next: python -m attn_course report {into}")


def _read(given: argparse.Namespace) -> None:
    from attn_own import trained

    loaded = trained.load(given.folder)
    kind = "Text" if given.texts else "Line"
    too_long = 0
    for number, text in enumerate(given.texts or _input_lines(), start=1):
        said = f"{kind} {number}"
        if given.texts and len(text) < _NAME and Path(text).is_file():
            _note(f"{said} is the name of a file, but read as a text: < {text} reads its lines.")
        tidied = loaded.tidied(text)
        size = len(loaded.source_vocabulary.split(tidied))
        if 0 < size <= loaded.choices["longest"]:
            _read_one(loaded, tidied, said, given)
            continue
        too_long += size > 0
        _note(
            f"{said} is empty: skipped."
            if not size
            else f"{said} has {size:,} symbols; this model was trained with --longest "
            f"{loaded.choices['longest']} and takes no more: skipped."
        )
        if given.tsv:
            print(f"{escaped(tidied)}\t\t", flush=True)
        elif given.no_map:
            print(flush=True)
    if given.texts and too_long:
        raise Refusal(f"{counted(too_long, 'text')} could not be read")


def _input_lines():
    """The lines of the standard input; a mark of byte order at its beginning is no character.

    They end with a line feed. In an input without one, they end with a carriage return.
    """
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(newline="\n")
    for number, line in enumerate(sys.stdin):
        if number:
            yield line
            continue
        if "\0" in line[:8]:
            raise Refusal("the standard input seems to be UTF-16 or no text: expected UTF-8")
        line = line.removeprefix("\ufeff")
        yield from [line] if line.endswith("\n") else line.removesuffix("\r").split("\r")


def _note(said: str) -> None:
    """Say what is no answer, on the standard error, after the answers before it."""
    sys.stdout.flush()
    print(said, file=sys.stderr, flush=True)


def _read_one(loaded, tidied: str, number: str, given: argparse.Namespace) -> None:
    from attn_own.text_map import text_map

    symbols, unknown = loaded.source_vocabulary.split(tidied), loaded.unknown(tidied)
    (found,) = loaded.ask([tidied])
    sure = loaded.probability(tidied, found)
    cut = f" cut off at {loaded.longest} symbols" if loaded.was_cut(found) else ""
    if given.tsv:
        print(f"{escaped(tidied)}\t{escaped(found.text)}\t{sure:.4f}", flush=True)
    else:
        answer = isolated(escaped(found.text)) or "(nothing)"
        print(
            f"{isolated(escaped(tidied))} → {answer}   ({sure:.0%} sure{cut and f',{cut}'})",
            flush=True,
        )
    if unknown:
        each = ", ".join(named(symbol) + _twin(symbol, loaded) for symbol in unknown)
        _note(f"{number}: never seen in training, and read as “unknown”: {each}")
    if cut and given.tsv:
        _note(f"{number}: the answer is{cut}.")
    seen = loaded.facts["longest_source"]
    if len(symbols) > seen:
        _note(
            f"{number}: longer than any source in training: the longest has "
            f"{counted(seen, 'symbol')}."
        )
    if not given.no_map and not given.tsv:
        if found.text:
            print(text_map(symbols, loaded.target_vocabulary.split(found.text), found.weights))
        print(flush=True)


def _twin(symbol: str, loaded) -> str:
    """A symbol of the training that looks like this one, or means the same."""
    plain = unicodedata.normalize("NFKC", symbol)
    alike = [
        each
        for each in loaded.source_vocabulary.symbols
        if unicodedata.normalize("NFKC", each) == plain
    ]
    return f" (the training has {', '.join(map(named, alike))} instead)" if alike else ""


def _report(given: argparse.Namespace) -> None:
    from attn_own import card, findings, verdicts

    usual = f"report-{given.on.stem}.html" if given.on else "report.html"
    into = given.into or given.folder / usual
    found = findings.find(given.folder, given.on, given.against, _reading(given), given.anyway)
    for rival in found.rivals[verdicts.BASELINES :]:
        print(verdicts.of_rival(rival))
    card.write(given.folder, into, found)
    print(f"Wrote {into}: open it in any browser.")
