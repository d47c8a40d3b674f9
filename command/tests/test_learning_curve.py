"""``train --curve``: a quarter, a half and all of the pairs."""

from types import SimpleNamespace

import numpy as np
import pytest
from capstone_corpora import ALONE, pairs, written

from attn_course.measures import Paired, correct, paired, share, share_by_source
from attn_course.tasks.vocabulary import Vocabulary
from attn_own import card, designs, findings, load
from attn_own.actions import DEFAULTS
from attn_own.compact import CompactCorpus
from attn_own.findings import Curve, Point
from attn_own.own_corpus import Pair
from attn_own.verdicts import of_curve

pytestmark = pytest.mark.slow

SMALL = [*ALONE, "--size", "8", "--epochs", "2", "--batch", "32", "--curve"]


def texts(corpus):
    """The pairs of a compact corpus, as numbers."""
    return {
        (tuple(source.tolist()), tuple(target.tolist()))
        for batch in corpus.batches(7, np.random.default_rng(0))
        for source, target in zip(batch.sources, batch.targets, strict=True)
    }


@pytest.mark.parametrize("share_of", [0.25, 0.5, 0.9])
def test_a_part_is_so_large_a_share_and_within_any_larger_one(share_of):
    sides = [*zip(*pairs(203), strict=True)]
    whole = CompactCorpus(sides, [*map(Vocabulary.from_texts, sides)])
    part = whole.part(share_of, seed=3)
    assert len(part) == np.ceil(share_of * 203)
    assert len(whole) == 203
    sources = {source for source, _ in texts(part)}
    assert sources < {source for source, _ in texts(whole)}
    assert sources >= {source for source, _ in texts(whole.part(share_of / 2, seed=3))}
    assert sources != {source for source, _ in texts(whole.part(share_of, seed=4))}


def test_the_parts_are_trained_tried_on_the_same_pairs_and_drawn(tmp_path, say, killed):
    corpus, into = written(tmp_path / "a.tsv", pairs()), tmp_path / "a-bahdanau"
    say("train", corpus, *SMALL[:-1])
    killed("checkpoint.pt", "train", corpus, *SMALL, "--keep-every", 0.001)  # in the first part
    assert not (into / "half").exists()
    output = say("train", corpus, *SMALL).out
    assert "already holds this training" in output
    assert "Resuming after step" in output
    assert output.count("For the learning curve, on ") == 2
    assert "step" not in say("train", corpus, *SMALL).out.split("exactly right")[0]
    whole, parts = load(into), [load(into / name) for name in ("quarter", "half")]
    training = whole.facts["pairs"][0]
    counts = [part.facts["pairs"][0] for part in parts]
    assert counts == [-(-training // 4), -(-training // 2)]
    assert [part.choices["epochs"] for part in parts] == [2, 2]
    results = findings.find(into)
    sources = [pair.source for pair in results.pairs]
    right = [correct(p.read(sources), [q.target for q in results.pairs]) for p in (*parts, whole)]
    assert results.curve == Curve(
        [
            Point(*row)
            for row in zip(
                [*counts, training], [share_by_source(own, sources) for own in right], strict=True
            )
        ],
        paired(right[2], right[1], sources),
    )
    assert of_curve(results.curve)[0] in output
    text = card.card(results)
    assert f'<th scope="row"><bdi>{counts[1]}</bdi></th>' in text
    assert "Would more pairs help?" in text


def test_all_pairs_are_compared_with_half_of_them(tmp_path, monkeypatch):
    listed = [Pair(f"{number}", "x") for number in range(60)]
    right = {"quarter": 7, "half": 24, "whole": 41}  # the first so many
    parts = {
        name: SimpleNamespace(
            facts={"pairs": [10 * count]},
            read=lambda sources, count=count: ["x"] * count + ["y"] * (60 - count),
        )
        for name, count in right.items()
    }
    for name in findings.PARTS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.pt").touch()
    monkeypatch.setattr(findings, "load", lambda path: parts[path.name])
    well = np.arange(60) < right["whole"]
    curve = findings.learning_curve(tmp_path, parts["whole"], listed, well)
    assert curve.points == [Point(10 * count, share(count, 60)) for count in right.values()]
    assert curve.doubled[:2] == (41 - 24, 0)
    (tmp_path / "quarter" / "model.pt").unlink()
    assert findings.learning_curve(tmp_path, parts["whole"], listed, well) is None


@pytest.fixture
def trainings(monkeypatch):
    """The counts and choices of each training, none of which is run."""
    trainings = []
    monkeypatch.setattr(
        "attn_own.actions._fit",
        lambda corpus, choices, *_: trainings.append((corpus.counts, choices)),
    )
    monkeypatch.setattr("attn_own.actions._print_how_it_went", lambda _: None)
    return trainings


def test_a_part_has_the_epochs_size_and_rate_for_its_count(tmp_path, say, trainings, monkeypatch):
    monkeypatch.setattr(designs, "MANY", 600)
    say("train", written(tmp_path / "a.tsv", pairs(1200)), "--curve")
    (_, whole), (first, quarter), (second, half) = trainings
    assert first[0] < second[0] < 600
    assert quarter["epochs"] > half["epochs"] > whole["epochs"]
    assert [(part["size"], part["rate"]) for part in (quarter, half)] == [(64, 0.004)] * 2
    assert (whole["size"], whole["rate"]) == (128, 0.003)


@pytest.mark.parametrize(("few", "usual"), [(2000, (1, 5, 4)), (600, (0, 1, 1))])
def test_all_else_is_as_for_the_whole(tmp_path, say, trainings, monkeypatch, few, usual):
    monkeypatch.setattr(designs, "FEW", few)
    say("train", written(tmp_path / "a.tsv", pairs(1200)), "--curve")
    for _, choices in trainings:
        assert tuple(choices[name] for name in ("guide", "ensemble", "beams")) == usual
        assert {**choices, **DEFAULTS, "words": "none"} == choices


def test_what_helps_with_few_pairs_is_printed_once(tmp_path, say):
    corpus = written(tmp_path / "a.tsv", pairs())
    output = say("train", corpus, "--ensemble", 1, *SMALL[len(ALONE) :]).out
    assert output.count("what helps with few is on: --guide 1 --beams 4.") == 1
    assert output.count("attention guided by IBM model 1") == 3


def test_a_model_without_parts_has_no_curve(tmp_path, say):
    say("train", written(tmp_path / "a.tsv", pairs()), *SMALL[:-1])
    results = findings.find(tmp_path / "a-bahdanau")
    assert results.curve is None
    assert of_curve(None) == []
    assert "more pairs help?" not in card.card(results)


@pytest.mark.parametrize(
    ("ahead", "behind", "words"),
    [
        (15, 3, "So more pairs helped. What yet more would bring is a guess"),
        (3, 15, "Here, more pairs did harm."),
        (4, 3, "That is too little to say that more pairs helped."),
        (0, 0, "to 20.0%. That is too little"),
    ],
)
def test_the_curve_says_what_twice_the_pairs_brought(ahead, behind, words):
    points = [Point(100 * 2**k, share(10 + 5 * k, 100)) for k in range(3)]
    right = [1] * ahead + [0] * behind, [0] * ahead + [1] * behind
    doubled = paired(*right) if ahead else Paired(0, 0, 1.0)
    (sentence,) = of_curve(Curve(points, doubled))
    assert sentence.startswith(
        "Twice as many training pairs, 400 instead of 200, brought the share that is exactly "
        "right from 15.0% to 20.0%"
    )
    assert words in sentence
    assert ("sign test" in sentence) == bool(ahead)
