"""How well does ``train`` read words aloud? Grapheme to phoneme, in twenty languages.

    python -m benchmarks.g2p FOLDER low --seeds 5 --guide 1 --test --table
    python -m benchmarks.g2p FOLDER medium --seeds 1 --test --table
    python -m benchmarks.g2p FOLDER low medium --joint --test

FOLDER holds the files of SIGMORPHON 2021's shared task 1 (Ashby et al. 2021), LANGUAGE_train.tsv,
LANGUAGE_dev.tsv and, where there is one, LANGUAGE_test.tsv: a word, a tab, and its phones with
spaces between them. Ten languages have 800, 100 and 100 words, ten have 8,000, 1,000 and 1,000.

Each language is trained on all of its training file, with the settings of
``python -m attn_course train``, Bahdanau's model, and several seeds, which also answer together
as an ensemble. Symbols are letters on the source side and phones on the target side. The
development file is the validation: of it, at most 300 words say which weights of a training are
kept. The test file is used for nothing but the last column. Korean words are decomposed into their
letters (NFD): of its development words, 46 have a syllable that training never has.

What a training found is kept in ``--into``; the same command goes on where it was stopped. The
seconds are those of one core (CPU time), for all seeds.
"""

from __future__ import annotations

import argparse
import json
import time
import unicodedata
from pathlib import Path

import numpy as np
import torch

from attn_course.measures import correct
from attn_course.search import answer
from attn_course.training import one_thread
from attn_own import designs, fitting
from attn_own.ensemble import Ensemble
from attn_own.joint import JointModel, cut
from attn_own.lines import Reading
from attn_own.own_corpus import Files, OwnCorpus, Pair, read_corpus
from attn_own.trained import SPARE

LOW = ("ady", "gre", "ice", "ita", "khm", "lav", "mlt_latn", "rum", "slv", "wel_sw")
MEDIUM = (
    *("arm_e", "bul", "dut", "fre", "geo"),
    *("hbs_latn", "hun", "jpn_hira", "kor", "vie_hanoi"),
)
PARTS = {"low": LOW, "medium": MEDIUM}
DECOMPOSED = ("kor",)
# word error rates in %, of the test files: with the settings of before, and the task's baseline
BEFORE = dict(zip(LOW, (52, 55, 62, 47, 73, 72, 53, 37, 80, 45), strict=True)) | dict(
    zip(MEDIUM, (8.8, 25.6, 18.9, 10.7, 0.2, 52.9, 3.4, 7.9, 34.5, 3.6), strict=True)
)
PUBLISHED = dict(zip(LOW, (22, 21, 12, 19, 34, 55, 19, 10, 49, 10), strict=True)) | dict(
    zip(MEDIUM, (7.0, 18.3, 14.7, 8.5, 0.0, 32.1, 1.8, 5.2, 16.3, 2.5), strict=True)
)


def pairs_of(folder: Path, language: str, part: str) -> list[Pair]:
    """The words of a file and their phones; none if there is no such file."""
    path = folder / f"{language}_{part}.tsv"
    if not path.exists():
        return []
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return [Pair(*(unicodedata.normalize(form_of(language), text) for text in row)) for row in rows]


def form_of(language: str) -> str:
    """The normal form in which a language is read; two texts are equal in either or in neither."""
    return "NFD" if language in DECOMPOSED else "NFC"


def corpus_of(folder: Path, language: str) -> OwnCorpus:
    """All the training pairs, letters to phones; what is called the test here is not used."""
    training, validation = (folder / f"{language}_{part}.tsv" for part in ("train", "dev"))
    reading = Reading(words="target", form=form_of(language))
    return read_corpus(Files(training, reading, test=validation, validation=validation))


def errors(
    model: torch.nn.Module, corpus: OwnCorpus, pairs: list[Pair], beams: int
) -> float | None:
    """The share of words in % whose answer differs from the only right one."""
    if not pairs:
        return None
    known = corpus.source_vocabulary, corpus.target_vocabulary
    words = [pair.source for pair in pairs]
    outputs = answer(model, words, *known, longest=corpus.longest[1] + SPARE, beams=beams)
    right = correct([output.text for output in outputs], [pair.target for pair in pairs])
    return 100 * float(1 - right.mean())


def place(into: Path, language: str, guide: float) -> Path:
    """Where a language's trainings are kept; guided ones are kept apart."""
    return into / (f"{language}-guided-{guide:g}" if guide else language)


def measure(language: str, seeds: int, options: argparse.Namespace) -> None:
    """Train with each seed that is still missing, and keep the errors."""
    folder, guide = options.folder, options.guide
    validation, test = (pairs_of(folder, language, part) for part in ("dev", "test"))
    test = test if options.test else []
    corpus = corpus_of(folder, language)
    usual = designs.usual("bahdanau", len(corpus.training))
    choices = {
        **{"model": "bahdanau", "size": usual.size, "rate": usual.rate, "batch": usual.batch},
        **{"epochs": fitting.epochs_for(corpus, usual.batch), "dropout": fitting.DROPOUT},
        **{"guide": guide, "ensemble": 1, "beams": options.beams},
    }
    members, results = [], place(options.into, language, guide)
    results.mkdir(parents=True, exist_ok=True)
    for seed in range(seeds):
        path, begun = results / f"seed-{seed}.pt", time.process_time()
        if not path.exists():
            fitted = fitting.fit(corpus, {**choices, "seed": seed}, results)
            record = fitted.stored() | {"seconds": time.process_time() - begun}
            fitting.write_tensors(path, record)
            (results / "checkpoint.pt").unlink(missing_ok=True)
        record = fitting.read_tensors(path)
        members.append((fitting.restored(record, choices, corpus).model, record))
    together = Ensemble([model for model, _ in members]).eval()
    alone = [record for _, record in members]
    result = {
        "epochs": choices["epochs"],
        "steps": [record["steps"] for record in alone],
        "seconds": sum(record["seconds"] for record in alone),
    }
    for part, pairs in (("dev", validation), ("test", test)):
        result[f"{part}_alone"] = [
            errors(model, corpus, pairs, options.beams) for model, _ in members
        ]
        result[part] = errors(together, corpus, pairs, options.beams)
    (results / f"result-{seeds}.json").write_text(json.dumps(result), "utf-8")
    print(row(language, result), flush=True)


def measure_joint(language: str, options: argparse.Namespace) -> None:
    """The errors of a joint n-gram model, which has nothing to do with seeds."""
    begun, corpus = time.process_time(), corpus_of(options.folder, language)
    known = corpus.source_vocabulary, corpus.target_vocabulary
    model, cells = JointModel(cut(corpus.training, known)), [language]
    for part in ("dev", "test") if options.test else ("dev",):
        pairs = pairs_of(options.folder, language, part)
        outputs = [" ".join(model.answer(known[0].split(pair.source))) for pair in pairs]
        right = correct(outputs, [pair.target for pair in pairs]) if pairs else None
        cells.append("–" if right is None else f"{100 * float(1 - right.mean()):.1f}")
    cells += [f"{PUBLISHED[language]:g}", f"{time.process_time() - begun:.1f}"]
    print(f"| {' | '.join(cells)} |", flush=True)


def row(language: str, result: dict) -> str:
    """A row of the table."""
    cells = [language, f"{BEFORE[language]:g}"]
    for part in ("dev", "test"):
        alone = [error for error in result[f"{part}_alone"] if error is not None]
        cells += [" ".join(f"{error:.1f}" for error in alone) or "–"]
        cells += ["–" if result[part] is None else f"{result[part]:.1f}"]
    cells += [f"{PUBLISHED[language]:g}", f"{result['seconds']:.0f}"]
    return f"| {' | '.join(cells)} |"


def table(into: Path, seeds: int, guide: float = 0.0) -> None:
    """All that has been measured, and the means."""
    for name, languages in PARTS.items():
        print(f"\n| {name} | before | dev, alone | dev | test, alone | test | published | CPU s |")
        print("|---" * 8 + "|")
        results = {
            language: json.loads(path.read_text("utf-8"))
            for language in languages
            if (path := place(into, language, guide) / f"result-{seeds}.json").exists()
        }
        for language, result in results.items():
            print(row(language, result))
        tested = [language for language in results if results[language]["test"] is not None]
        for what, part, chosen in (("dev", "dev", list(results)), ("test", "test", tested)):
            if chosen:
                ours = np.mean([results[language][part] for language in chosen])
                alone = np.mean([results[language][f"{part}_alone"] for language in chosen])
                best = np.mean([PUBLISHED[language] for language in chosen])
                print(
                    f"Mean of {len(chosen)} {what} files: alone {alone:.1f}, together {ours:.1f}; "
                    f"published for these languages {best:.1f}, {ours / best:.2f} times."
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the task's files")
    parser.add_argument("which", nargs="*", help="low, medium, or languages")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--guide", type=float, default=0.0, help="as of train (default: 0)")
    parser.add_argument("--beams", type=int, default=4, help="as of train (here: 4)")
    parser.add_argument("--into", type=Path, default=Path("_build/g2p"))
    parser.add_argument("--test", action="store_true", help="answer the test files too, at the end")
    parser.add_argument("--joint", action="store_true", help="the joint n-gram model alone")
    parser.add_argument("--table", action="store_true", help="print what has been measured")
    options = parser.parse_args()
    languages = [one for name in options.which for one in PARTS.get(name, (name,))]
    with one_thread():
        for language in languages if options.joint else ():
            measure_joint(language, options)
        # so that there is a whole table early on
        for seeds in range(1, options.seeds + 1) if not options.joint else ():
            for language in languages:
                measure(language, seeds, options)
    if options.table:
        table(options.into, options.seeds, options.guide)


if __name__ == "__main__":
    main()
