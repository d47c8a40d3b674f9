"""``python -m attn_course``: train a model on your own pairs, read with it, report on it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attn_course.capstone.refusal import Refusal
from attn_course.capstone.wording import counted, escaped, percent

_ABOUT = "Train a small model with attention on your own pairs of texts, and find out what it does."
_BEGIN = """\
begin with
  python -m attn_course train corpus.tsv --model bahdanau
  python -m attn_course read corpus-bahdanau "a text of yours"
  python -m attn_course report corpus-bahdanau

corpus.tsv is UTF-8, and each line is  source<TAB>target , such as
  3. Mai 1998<TAB>1998-05-03
Two more columns may follow: <TAB>group, a name under which the report counts the pair, and
<TAB>links, the exact alignment, if you know it. In 0-8 1-9, place 0 of the source became place 8
of the target, and place 1 became place 9. A line that cannot be used is left out and reported
with its number. A few hundred pairs are not many; several thousand are good. Each command has its
own --help."""
_TRAIN = """\
A tenth of the sources is set aside for validation and a tenth for the test. The text of a source
and --seed decide which part it is in, so no source is in two parts.

Models: "bahdanau" looks at the source before each step, "luong" after it; "transformer" has no
recurrence; "fixed_context" has no attention, so it shows what attention is worth on your pairs.

Begin with the defaults. If the validation is still rising at the end, double --epochs. The learning
rate is the setting that matters most: --rate search trains at each of five rates, which takes five
times as long, and keeps the model with the smallest loss on the validation pairs. Compare two
models only if each was trained at a rate of its own.

If a training is stopped or killed, run the same command again, and it goes on. A GPU is used if
there is one."""


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
        trains = given is not None and given.run is _train
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
    given, more = parser.parse_known_args(arguments)
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
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_train(commands)
    read = commands.add_parser(
        "read",
        help="read texts of your own with a trained model",
        description="Print the model's answer to each text, and a map of where it looked: one row "
        "for each symbol written, darker where the weight is larger. Without texts, each line of "
        "the standard input is read.",
    )
    read.add_argument("folder", type=_path, help="the folder that train made")
    read.add_argument("texts", nargs="*", metavar="TEXT", help="a text to read")
    read.add_argument("--no-map", action="store_true", help="leave out the map")
    read.set_defaults(run=_read)
    report = commands.add_parser(
        "report",
        help="write the report card of a trained model as one HTML file",
        description="Try the model on all test pairs, put its map to the test, and write one HTML "
        "file in which the trained model runs. The file needs no internet connection, and can be "
        "opened from a USB stick.",
    )
    report.add_argument("folder", type=_path, help="the folder that train made")
    report.add_argument("--into", type=_path, help="the file (default: report.html in the folder)")
    report.set_defaults(run=_report)
    return parser


def _add_train(commands) -> None:
    train = commands.add_parser(
        "train",
        help="train a model on a file of pairs",
        description="Train a model on lines source<TAB>target.",
        epilog=_TRAIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    models = ("bahdanau", "luong", "transformer", "fixed_context")
    train.add_argument("corpus", type=_path, help="a UTF-8 file, source<TAB>target on each line")
    train.add_argument("--model", choices=models, default="bahdanau", help="default: bahdanau")
    train.add_argument(
        "--into", type=_path, help="the model's folder (default: such as corpus-bahdanau)"
    )
    train.add_argument(
        "--epochs", type=_whole, default=15, help="passes over the pairs (default: 15)"
    )
    train.add_argument("--size", type=_whole, help="of the vectors (default: 48; transformer: 64)")
    train.add_argument(
        "--rate",
        type=_rate,
        help='the learning rate, or "search" (default: 0.006; transformer: 0.003)',
    )
    train.add_argument("--batch", type=_whole, help="pairs per step (default: 64; transformer: 40)")
    train.add_argument(
        "--seed", type=_seed, default=0, help="of the split, the start and the order (default: 0)"
    )
    train.add_argument("--words", action="store_true", help="symbols are words, not characters")
    train.add_argument(
        "--longest", type=_whole, default=100, help="most symbols in a text (default: 100)"
    )
    train.add_argument(
        "--keep-every",
        type=_seconds,
        default=20.0,
        help="seconds between checkpoints (default: 20)",
    )
    train.set_defaults(run=_train)


# ---- what an option may be


def _path(text: str) -> Path:
    if not text:  # Path("") would be the current folder
        raise argparse.ArgumentTypeError("expected a name; got an empty one")
    return Path(text)


def _whole(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10**6:
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 1 to 1,000,000; got {text!r}"
        )
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 0 to {2**32 - 1:,}; got {text!r}"
        )
    return int(text)


def _seconds(text: str) -> float:
    return _positive(text, 1e6, "a number of seconds above 0")


def _rate(text: str) -> float | str:
    if text == "search":
        return text
    return _positive(text, 1.0, 'a rate above 0 and at most 1, or "search"')


def _positive(text: str, most: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= most:
        raise argparse.ArgumentTypeError(f"expected {what}; got {text!r}")
    return number


# ---- the commands; torch is imported only when it is needed


def _train(given: argparse.Namespace) -> None:
    from attn_course.capstone import designs, fitting, folder, own_corpus, trained
    from attn_course.training import device

    usual = designs.MODELS[given.model]
    choices = {
        "model": given.model,
        "size": given.size or usual.size,
        "rate": given.rate or usual.rate,
        "batch": given.batch or usual.batch,
        "epochs": given.epochs,
        "seed": given.seed,
        "words": given.words,
        "longest": given.longest,
    }
    if given.model == "transformer" and choices["size"] % (2 * designs.HEADS):
        raise Refusal(f"--size must be a multiple of 8 for a transformer; got {given.size}")
    corpus = own_corpus.read_corpus(
        given.corpus, seed=given.seed, words=given.words, longest=given.longest
    )
    choices["corpus"] = corpus.digest
    into = given.into or given.corpus.with_name(f"{given.corpus.stem}-{given.model}")
    _say_what_was_read(given.corpus, corpus, into)
    with folder.locked(into):
        if _finished(into, choices):
            print(f"{into} already holds this training.")
        else:
            trained.save_test(corpus.test, into)
            _list_left_out(corpus, into)
            steps = counted(corpus.training.count_batches(choices["batch"]), "step")
            print(
                f"{given.model}, size {choices['size']}, on {device().type}: "
                f"{counted(given.epochs, 'epoch')} of {steps}.",
                flush=True,
            )
            fitted = fitting.fit(corpus, choices, into, given.keep_every)
            done = fitting.as_trained(fitted, corpus, choices, given.corpus.name)
            trained.save(done, into)
            for name in ("checkpoint.pt", "best.pt"):
                (into / name).unlink(missing_ok=True)
        _say_how_it_went(into)


def _finished(into: Path, choices: dict) -> bool:
    """Whether the folder holds this training, finished; a folder with another one is refused."""
    from attn_course.capstone.folder import read_json, write_json

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
            "choose another folder with --into"
        )
    return (into / "model.pt").exists()


def _say_what_was_read(path: Path, corpus, into: Path) -> None:
    from attn_course.capstone.own_corpus import ceiling
    from attn_course.capstone.verdicts import of_ceiling

    training, validation, test = corpus.counts
    print(
        f"{path.name}: {sum(corpus.counts):,} pairs, {training:,} for training, {validation:,} for "
        f"validation, {test:,} for the test."
    )
    if corpus.several:
        print(
            f"{corpus.several:,} of them share their source with a pair that has another target. "
            f"{of_ceiling(ceiling(corpus.test))}"
        )
    if corpus.repeated:
        print(f"Repeats of an earlier pair, each of which counts: {corpus.repeated:,}.")
    if corpus.left_out:
        count = len(corpus.left_out)
        print(f"{counted(count, 'line')} {'are' if count > 1 else 'is'} left out:")
        for number, why in corpus.left_out[:10]:
            print(f"  line {number}: {why}")
        if count > 10:
            print(f"  and {count - 10:,} more; {into / 'left-out.txt'} lists them all")
    sys.stdout.flush()


def _list_left_out(corpus, into: Path) -> None:
    from attn_course.capstone.folder import write_whole

    rows = "".join(f"line {number}: {why}\n" for number, why in corpus.left_out)
    write_whole(into / "left-out.txt", rows.encode("utf-8"))


def _say_how_it_went(into: Path) -> None:
    from attn_course.capstone import trained
    from attn_course.measures import correct, share

    loaded = trained.load(into)
    pairs = trained.load_test(into, loaded.choices["words"])
    answers = [each.text for each in loaded.ask([pair.source for pair in pairs])]
    right = correct(answers, [pair.target for pair in pairs])
    mean, low, high = share(int(right.sum()), len(right))
    print(
        f"Of {len(right):,} test pairs, {percent(mean, 1)} are exactly right; with many more of "
        f"them, the share would likely lie between {percent(low, 1)} and {percent(high, 1)}."
    )
    print(f"Next: python -m attn_course report {into}")


def _read(given: argparse.Namespace) -> None:
    from attn_course.capstone import trained

    loaded = trained.load(given.folder)
    for number, text in enumerate(given.texts or sys.stdin, start=1):
        if loaded.tidied(text):
            _read_one(loaded, text, not given.no_map)
        else:
            print(f"Text {number} is empty: skipped.", file=sys.stderr)


def _read_one(loaded, text: str, with_map: bool) -> None:
    from attn_course.capstone.text_map import text_map

    tidied, unknown = loaded.tidied(text), loaded.unknown(text)
    symbols = loaded.source_vocabulary.split(tidied)
    if len(symbols) > loaded.choices["longest"]:
        raise Refusal(
            f"a text has {len(symbols)} symbols; this model was trained with --longest "
            f"{loaded.choices['longest']} and takes no more"
        )
    (found,) = loaded.ask([tidied])
    sure = float(found.probabilities.prod())
    print(f"{escaped(tidied)} → {escaped(found.text) or '(nothing)'}   ({sure:.0%} sure)")
    if unknown:
        each = ", ".join(f"“{escaped(symbol)}”" for symbol in unknown)
        print(f"Never seen in training, and read as “unknown”: {each}")
    seen = loaded.facts["longest_source"]
    if len(symbols) > seen:
        print(f"Longer than any source in training: the longest has {counted(seen, 'symbol')}.")
    if with_map and found.text:
        print(text_map(symbols, loaded.target_vocabulary.split(found.text), found.weights))
    print(flush=True)


def _report(given: argparse.Namespace) -> None:
    from attn_course.capstone import card

    into = given.into or given.folder / "report.html"
    card.write(given.folder, into)
    print(f"Wrote {into}: open it in any browser.")
