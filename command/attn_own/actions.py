"""What the commands do: example, train, read and report."""

from __future__ import annotations

import itertools
import os
import shlex
import sys
import unicodedata
from argparse import Namespace
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

from attn_course.measures import correct, share_by_source
from attn_course.training import device
from attn_own import designs, findings, fitting, folder, verdicts
from attn_own.lines import Reading
from attn_own.links import MOST_ENTRIES
from attn_own.nearness import nearness
from attn_own.options import parsed
from attn_own.own_corpus import Files, OwnCorpus, read_corpus
from attn_own.suspicions import suspected
from attn_own.text_map import text_map
from attn_own.trained import Candidate, Trained, load, load_test, save, save_test
from attn_own.wording import HALF, Refusal, counted, escaped, isolated, named, percent

_AS_SET = ("model", "dropout", "seed", "longest", "form", "split_by")
_USUAL = ("size", "rate", "batch", "guide", "ensemble", "beams")  # what `designs.usual` decides
_OF_PART = ("size", "rate", "epochs")  # what a part of the pairs decides for itself
DEFAULTS = {"defaults": 2}  # marks a training whose defaults depend on its pairs
_FIRST = {"ensemble": 1, "guide": 0.0, "beams": 1, "words": "none"}  # defaults of versions before


def example(options: Namespace) -> None:
    """Write a small corpus, and train a model on it."""
    from attn_course.tasks.dates import date_pairs

    path = options.corpus
    pairs = date_pairs(1000, seed=0, locales=("en",))
    lines = dict.fromkeys(f"{pair.source}\t{pair.target}\t{pair.kind}\n" for pair in pairs)
    text = "".join(lines).encode()
    if path.exists() and path.read_bytes() != text:
        raise Refusal(f"{path} is there already, and is not the example: name another file")
    folder.write_whole(path, text)
    alone = ["--ensemble", "1", "--guide", "0", "--beams", "1", "--words", "none"]
    train(parsed(["train", str(path), "--epochs", "40", *alone]))
    into = path.with_name(f"{path.stem}-bahdanau")
    print(f'Or: python -m attn_course read {into} "Feb 29, 2024"')


def reading_of(options: Namespace) -> Reading:
    """How the files of a command are read."""
    separator = options.separator or "\t"
    texts = {
        name: getattr(options, name) for name in ("words", "longest", "form") if name in options
    }
    return Reading(
        **texts,
        separator=separator,
        quoted=options.separator is not None and len(separator) == 1 and separator != " ",
        columns=options.columns,
        header=options.header,
        encoding=options.encoding,
    )


# ---- train


def train(options: Namespace) -> None:
    """Train a model in a folder, or go on with it, and say how it went."""
    path = options.corpus
    into = options.into or path.with_name(f"{path.stem}-{options.model}")
    _expect_possible(options)
    if first := _choices_of_first_defaults(into):
        options.epochs = options.epochs or first.get("epochs")
        vars(options).update({name: _FIRST[name] for name in _unset(options)})
    reading, by_group = reading_of(options), options.split_by == "group"
    corpus = read_corpus(
        Files(path, reading, options.seed, options.test, options.validation, by_group)
    )
    for tally in () if options.anyway else corpus.tallies:
        tally.expect_most()
    choices = _choices(options, corpus) | ({} if first else DEFAULTS)
    _print_what_was_read(corpus, reading.words, into)
    with folder.locked(into):
        if _is_finished(into, choices):
            print(f"{into} already holds this training.")
            _renew(corpus, into)
        else:
            _list_left_out(corpus, into)
            _fit(corpus, choices, options, into)
        for name, share in findings.PARTS.items() if options.curve else ():
            _train_part(corpus, share, choices, options, into / name)
        _print_how_it_went(into)


def _fit(corpus: OwnCorpus, choices: dict, options: Namespace, into: Path) -> None:
    """Train in a folder that is locked, and leave in it what the other commands need."""
    save_test(corpus.test, into)
    _print_plan(corpus, choices, options)
    fitted = fitting.fit(corpus, choices, into, options.keep_every)
    save(fitting.as_trained(fitted, corpus, choices, options.corpus.name), into)
    for pattern in ("checkpoint.pt", "best.pt", "member-*.pt"):
        for left in into.glob(pattern):
            left.unlink()


def _train_part(
    corpus: OwnCorpus, share: float, choices: dict, options: Namespace, into: Path
) -> None:
    """Train on a share of the pairs, with the size, rate and epochs that are usual for so many.

    All else is as for the whole corpus, also what is usual only below a number of pairs: otherwise
    the learning curve would show an ensemble beside one model.
    """
    training = corpus.training.part(share, options.seed)
    part = replace(corpus, training=training, counts=(len(training), *corpus.counts[1:]))
    own = _choices(options, part)
    choices = choices | {name: own[name] for name in _OF_PART} | {"part": share}
    with folder.locked(into):
        if not _is_finished(into, choices):
            print(f"For the learning curve, on {counted(len(training), 'pair')}:")
            _fit(part, choices, options, into)


def _expect_possible(options: Namespace) -> None:
    """Refuse options that cannot go together."""
    path, size = options.corpus, options.size
    if options.model == "transformer" and size and size % (2 * designs.HEADS):
        raise Refusal(f"--size must be a multiple of 8 for a transformer; got {size}")
    if options.model == "fixed_context" and options.guide:
        raise Refusal("--guide teaches attention, and fixed_context has none: leave it out")
    if options.into is None and not path.is_file() and path.exists():
        raise Refusal(f"{path} is no file with a place of its own: name a folder with --into")


def _choices(options: Namespace, corpus: OwnCorpus) -> dict:
    """What a training is: the same choices on the same corpus come to the same model."""
    usual = designs.usual(options.model, len(corpus.training))
    if len(corpus.source_vocabulary) * len(corpus.target_vocabulary) > MOST_ENTRIES:
        usual = usual._replace(guide=0.0)
    own = {name: getattr(options, name) for name in (*_AS_SET, *_USUAL)}
    choices = {name: getattr(usual, name) if own[name] is None else own[name] for name in own}
    return choices | {
        "words": corpus.reading.words,
        "epochs": options.epochs or fitting.epochs_for(corpus, choices["batch"]),
        "corpus": corpus.digest,
    }


def _unset(options: Namespace) -> list[str]:
    """Of the options whose defaults depend on the pairs, those that nobody gave."""
    return [name for name in _FIRST if getattr(options, name) in (None, "auto")]


def _choices_of_first_defaults(into: Path) -> dict:
    """The choices of a training that a version with other defaults began here, if one did."""
    path = into / "choices.json"
    before = folder.read_json(path) if path.exists() else None
    return before if isinstance(before, dict) and "defaults" not in before else {}


def _is_finished(into: Path, choices: dict) -> bool:
    """Whether the folder holds this training, finished; a folder with another one is refused."""
    path = into / "choices.json"
    begun = (into / "rates.json").exists() or any(into.glob("*.pt"))
    if not (path.exists() and begun):  # a training that saved nothing may be replaced
        folder.write_json(path, choices)
    before = folder.read_json(path)
    if before != choices:
        names = choices if isinstance(before, dict) else ()
        other = [name for name in names if before.get(name) != choices[name]]
        numbered = (into.with_name(f"{into.name}-{number}") for number in itertools.count(2))
        free = next(path for path in numbered if not path.exists())
        raise Refusal(
            f"{into} holds a training with other settings ({', '.join(other) or 'unreadable'}): "
            f"choose another folder, such as --into {shlex.quote(str(free))}"
        )
    return (into / "model.pt").exists()


def _renew(corpus: OwnCorpus, into: Path) -> None:
    """Make test file and card anew, without training, if groups or links have changed."""
    _list_left_out(corpus, into)
    if not save_test(corpus.test, into):
        return
    print("Groups or links have changed: the test pairs are written anew.")
    if (into / "report.html").exists():
        _write_card(findings.find(into), into / "report.html")
        print(f"Wrote {into / 'report.html'} anew.")


def _list_left_out(corpus: OwnCorpus, into: Path) -> None:
    rows = "".join(f"{line}\n" for line in corpus.left_out)
    folder.write_whole(into / "left-out.txt", rows.encode("utf-8"))


def _print_what_was_read(corpus: OwnCorpus, words: str, into: Path) -> None:
    suspicions = [
        f"{tally.of and f'{tally.of}: '}{sentence}"
        for tally in corpus.tallies
        for sentence in suspected(tally.file)
    ]
    for sentence in verdicts.of_corpus(corpus, words, suspicions):
        print(sentence)
    if count := len(corpus.left_out):
        print(f"{counted(count, 'line')} {'are' if count > 1 else 'is'} left out:")
        for line in corpus.left_out[:10]:
            print(f"  {line}")
        if count > 10:
            print(f"  and {count - 10:,} more; {into / 'left-out.txt'} lists them all")
    sys.stdout.flush()


def _print_plan(corpus: OwnCorpus, choices: dict, options: Namespace) -> None:
    """Print what is about to be trained, and for how long."""
    steps = counted(corpus.training.count_batches(choices["batch"]), "step")
    times = f", {choices['ensemble']} times" if choices["ensemble"] > 1 else ""
    guided = ", attention guided by IBM model 1" if choices["guide"] else ""
    print(
        f"{options.model}, size {choices['size']}, on {device().type}: "
        f"{counted(choices['epochs'], 'epoch')} of {steps}{times}{guided}."
    )
    if "part" not in choices:  # of the whole corpus it has been said
        of_pairs = [name for name in _unset(options) if name != "words"]
        on = [name for name in of_pairs if choices[name] != _FIRST[name]]
        for sentence in verdicts.of_few(choices, on):
            print(sentence)
    sys.stdout.flush()


def _print_how_it_went(into: Path) -> None:
    trained = load(into)
    pairs = load_test(into, trained.reading)
    sources = [pair.source for pair in pairs]
    answers = [answer.text for answer in trained.ask(sources)]
    targets = [pair.target for pair in pairs]
    right = correct(answers, targets)
    mean, low, high = share_by_source(right, sources)
    print(
        f"Of {len(right):,} test pairs, {percent(mean, 1)} are exactly right; with many more of "
        f"them, the share would likely lie between {percent(low, 1)} and {percent(high, 1)}."
    )
    near = nearness(answers, sources, targets, trained.target_vocabulary.split)
    for sentence in verdicts.of_nearness(near):
        print(sentence)
    print(verdicts.of_training(trained.history, verdicts.for_longer(trained)))
    rivals = findings.rivals(trained, pairs, right)
    for sentence in verdicts.of_baselines(rivals, findings.why_not_joint(trained, pairs)):
        print(sentence)
    for sentence in verdicts.of_curve(findings.learning_curve(into, trained, pairs, right)):
        print(sentence)
    print(f"Next: python -m attn_course report {into}")


# ---- read


def read(options: Namespace) -> None:
    """Print the answer to each text, and a map of where the model looked."""
    trained, best, beams = load(options.folder), options.best, options.beams
    if best and beams and best > beams:
        raise Refusal(f"--best {best} needs --beams {best} or more; got --beams {beams}")
    if beams:
        trained = trained._replace(choices=trained.choices | {"beams": beams})
    longest, too_long = trained.choices["longest"], 0
    for number, text in enumerate(options.texts or _input_lines(), start=1):
        name = f"{'Text' if options.texts else 'Line'} {number}"
        if HALF.search(text):
            raise Refusal(f"{name} is not UTF-8")
        if options.texts and os.path.isfile(text):  # unlike Path's, it takes a text of any length
            _note(f"{name} is the name of a file, but read as a text: < {text} reads its lines.")
        tidied = trained.tidied(text)
        size = len(trained.source_vocabulary.split(tidied))
        if 0 < size <= longest:
            _read_one(trained, tidied, name, options)
            continue
        too_long += size > 0
        if not size:
            _note(f"{name} is empty: skipped.")
        else:
            _note(
                f"{name} has {size:,} symbols; this model was trained with --longest {longest} and "
                "takes no more: skipped."
            )
        if options.tsv:
            print(escaped(tidied), *[""] * (3 if best else 2), sep="\t", flush=True)
        elif options.no_map:
            print(flush=True)
    if options.texts and too_long:
        raise Refusal(f"{counted(too_long, 'text')} could not be read")


def _input_lines() -> Iterator[str]:
    """The lines of the standard input; a mark of byte order at its beginning is no character.

    They end with a line feed. In an input without one, they end with a carriage return.
    """
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(newline="\n")
    first = sys.stdin.readline()
    if "\0" in first[:8]:
        raise Refusal("the standard input seems to be UTF-16 or no text: expected UTF-8")
    if first:
        first = first.removeprefix("\ufeff")
        yield from [first] if first.endswith("\n") else first.removesuffix("\r").split("\r")
    yield from sys.stdin


def _note(text: str) -> None:
    """Say what is no answer, on the standard error, after the answers before it."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)


def _read_one(trained: Trained, text: str, name: str, options: Namespace) -> None:
    symbols, unknown = trained.source_vocabulary.split(text), trained.unknown(text)
    answers = _answers(trained, text, options.best)
    for rank, answer in enumerate(answers, start=1):
        cut = f" cut off at {trained.longest} symbols" if trained.was_cut(answer) else ""
        if options.tsv:
            ranked = f"\t{rank}" if options.best else ""
            cells = f"{escaped(text)}\t{escaped(answer.text)}\t{answer.probability:.4f}"
            print(f"{cells}{ranked}", flush=True)
        else:
            output = isolated(escaped(answer.text)) or "(nothing)"
            before = f"{isolated(escaped(text))} →" if rank == 1 else f"  {rank}."
            sure = f"{answer.probability:.0%} sure{cut and f',{cut}'}"
            print(f"{before} {output}   ({sure})", flush=True)
        if cut and options.tsv:
            which = f"answer {rank}" if rank > 1 else "the answer"
            _note(f"{name}: {which} is{cut}.")
    if trained.has_seen([text])[0]:
        _note(f"{name}: in training or validation, so a right answer may be memory, not skill.")
    if unknown:
        listed = ", ".join(named(symbol) + _twin(symbol, trained) for symbol in unknown)
        _note(f"{name}: never seen in training, and read as “unknown”: {listed}")
    longest = trained.facts["longest_source"]
    if len(symbols) > longest:
        has = counted(longest, "symbol")
        _note(f"{name}: longer than any source in training: the longest has {has}.")
    if not options.no_map and not options.tsv:
        if target := trained.target_vocabulary.split(answers[0].text):
            print(text_map(symbols, target, answers[0].weights))
        print(flush=True)


def _answers(trained: Trained, text: str, best: int | None) -> list[Candidate]:
    """The answer to a text; or so many, likeliest first."""
    if best:
        return trained.best(text, best)
    (answer,) = trained.ask([text])
    return [Candidate(answer.text, answer.weights, trained.probability(text, answer))]


def _twin(symbol: str, trained: Trained) -> str:
    """A symbol of the training that looks like this one, or means the same."""
    plain = unicodedata.normalize("NFKC", symbol)
    known = trained.source_vocabulary.symbols
    alike = [named(other) for other in known if unicodedata.normalize("NFKC", other) == plain]
    return f" (the training has {', '.join(alike)} instead)" if alike else ""


# ---- report


def report(options: Namespace) -> None:
    """Write the report card."""
    usual = f"report-{options.on.stem}.html" if options.on else "report.html"
    into = options.into or options.folder / usual
    result = findings.find(
        options.folder, options.on, options.against, reading_of(options), options.anyway
    )
    _write_card(result, into)
    to_stdout = str(options.json) == "-"
    if options.json:
        _write_record(result, None if to_stdout else options.json)
    with redirect_stdout(sys.stderr if to_stdout else sys.stdout):
        for rival in result.rivals:
            if rival.is_model:
                print(verdicts.of_rival(rival))
        print(f"Wrote {into}: open it in any browser.")


def _write_record(result: findings.CardFindings, into: Path | None) -> None:
    from attn_own.record import record  # here, since it draws on the card's curves

    text = record(result)
    if into is None:
        print(text, end="", flush=True)
    else:
        folder.write_whole(into, text.encode("utf-8"))


def _write_card(result: findings.CardFindings, into: Path) -> None:
    from attn_own.card import card  # here, since the other commands need no widgets

    folder.write_whole(into, card(result).encode("utf-8"))
