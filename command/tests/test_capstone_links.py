"""IBM model 1, against a sum over all alignments, and training that is guided by its links."""

import itertools
import math

import numpy as np
import pytest
import torch
from capstone_corpora import ALONE, corpus_of, pairs, written

from attn_course import training
from attn_course.symbols import END, FIRST_SYMBOL, PADDING
from attn_own import fitting, links, trained
from attn_own.links import DIAGONAL, ROUNDS, Linked, posteriors, translation_table
from attn_own.own_corpus import Files, read_corpus
from attn_own.wording import Refusal

pytestmark = pytest.mark.slow

TINY = [("ab", "XY"), ("ba", "YXX"), ("b", "Y"), ("abc", "XZ"), ("cab", "ZXXY")]
SMALL = [*ALONE, "--size", "8", "--epochs", "2", "--batch", "32"]


def prior(i, j, m, n):
    return math.exp(-DIAGONAL * abs((i + 0.5) / m - (j + 0.5) / n))


def chances(table, source, target):
    """The probability of each whole alignment, a place of the source for each target symbol."""
    n, m = len(source), len(target)
    joint = {
        places: math.prod(
            prior(i, j, m, n) * table[source[j], target[i]] for i, j in enumerate(places)
        )
        for places in itertools.product(range(n), repeat=m)
    }
    total = sum(joint.values())
    return {places: product / total for places, product in joint.items()}


def brute_force(rows, sources, targets, size, unseen=1e-3):
    """The same estimate, from sums over all alignments."""
    table = dict.fromkeys(itertools.product(sources, targets), 1 / size)
    for _ in range(ROUNDS):
        counts = dict.fromkeys(table, unseen)
        for source, target in rows:
            for places, chance in chances(table, source, target).items():
                for i, j in enumerate(places):
                    counts[source[j], target[i]] += chance
        # numbers that stand for no symbol of the corpus have been given a little, too
        totals = {x: sum(counts[x, y] for y in targets) for x in sources}
        others = (size - len(targets)) * unseen
        table = {(x, y): counts[x, y] / (totals[x] + others) for x, y in table}
    return table


def test_the_table_is_that_of_a_sum_over_all_alignments():
    corpus, vocabularies = corpus_of(TINY)
    sizes = tuple(map(len, vocabularies))
    table = translation_table(corpus, *sizes)
    letters = [vocabulary.symbols for vocabulary in vocabularies]
    expected = brute_force(TINY, *letters, sizes[1])
    assert table.shape == sizes
    torch.testing.assert_close(table.sum(dim=1), torch.ones(sizes[0], dtype=torch.float64))
    for (x, y), value in expected.items():
        at = vocabularies[0].encode(x)[0], vocabularies[1].encode(y)[0]
        assert table[at].item() == pytest.approx(value, rel=1e-9), (x, y)
    assert {y: max(letters[0], key=lambda x: expected[x, y]) for y in "XYZ"} == {
        **{"X": "a", "Y": "b", "Z": "c"}
    }


def test_posteriors_are_sums_over_alignments_and_end_has_none():
    _, (read, write) = corpus_of(TINY)
    table = torch.rand(len(read), len(write), dtype=torch.float64)
    rows = [("cab", "ZXXY"), ("abc", "XZ")]
    sources = torch.tensor([read.encode(source) for source, _ in rows])
    targets = torch.full((2, 5), PADDING)
    for row, (_, target) in zip(targets, rows, strict=True):
        row[: len(target) + 1] = torch.tensor(write.encode(target, end=True))
    assert (targets == END).sum(dim=1).tolist() == [1, 1]
    posterior = posteriors(table, sources, targets)
    linked = links.links(table, sources, targets)
    for k, (source, target) in enumerate(rows):
        values = {
            (x, y): table[read.encode(x)[0], write.encode(y)[0]].item()
            for x in source
            for y in target
        }
        expected = torch.zeros(5, 3, dtype=torch.float64)
        for places, chance in chances(values, source, target).items():
            for i, j in enumerate(places):
                expected[i, j] += chance
        torch.testing.assert_close(posterior[k], expected)
        best = torch.zeros(5, 3, dtype=torch.bool)
        best[range(len(target)), expected[: len(target)].argmax(dim=1)] = True
        assert torch.equal(linked[k], best)


def test_a_table_of_too_many_symbols_is_refused_at_once():
    with pytest.raises(Refusal, match="30,000 × 20,000 are too many: read characters on one"):
        translation_table(None, 30_000, 20_000)


def test_words_written_in_other_letters_are_linked_letter_by_letter():
    rows = pairs()
    corpus, vocabularies = corpus_of(rows)
    linked = Linked(corpus, *map(len, vocabularies))
    assert linked.count_batches(16) == corpus.count_batches(16)
    count = 0
    plain = corpus.batches(16, np.random.default_rng(3))
    for batch, other in zip(linked.batches(16, np.random.default_rng(3)), plain, strict=True):
        assert torch.equal(batch.sources, other.sources)
        assert torch.equal(batch.targets, other.targets)
        size = batch.sources.shape[1]
        assert batch.targets.shape[1] == size + 1
        assert (batch.targets >= FIRST_SYMBOL).sum() == size * len(batch.sources)
        expected = torch.eye(size, dtype=torch.bool).expand(len(batch.sources), -1, -1)
        assert torch.equal(batch.links[:, :-1], expected)
        assert not batch.links[:, -1].any()
        count += len(batch.sources)
    assert count == len(rows)


# ---- a guided training


@pytest.mark.parametrize("model", ["bahdanau", "transformer"])
def test_a_guided_model_looks_where_the_links_are_and_a_free_one_is_as_before(model, tmp_path, say):
    path = written(tmp_path / "a.tsv", pairs())
    corpus = read_corpus(Files(path))
    sizes = len(corpus.source_vocabulary), len(corpus.target_vocabulary)
    lessons = Linked(corpus.training, *sizes)
    far = {}
    for guide in ("0", "9"):
        into = tmp_path / guide
        options = ["--model", model, "--size", "16", "--epochs", "8", "--batch", "16"]
        options += ["--dropout", "0", "--rate", "0.02", "--ensemble", "1"]
        say("train", path, *options, "--guide", guide, "--into", into)
        loaded = trained.load(into)
        with torch.no_grad():
            batches = lessons.batches(64, np.random.default_rng(0))
            losses = [training.alignment_loss(loaded.model(*b[:3])[1], b.links) for b in batches]
        far[guide] = sum(losses).item() / len(losses)
    assert far["9"] < 0.5 * far["0"]
    settings = fitting.settings_of(trained.load(tmp_path / "0").choices, corpus)
    assert settings.guidance == 0


def test_the_card_says_plainly_that_attention_was_taught(tmp_path, say):
    rows = [(*pair, "", " ".join(f"{j}-{j}" for j in range(len(pair[0])))) for pair in pairs()]
    path = written(tmp_path / "a.tsv", rows)
    cards = {}
    for guide in ("0", "0.5"):
        into = tmp_path / guide
        output = say("train", path, *SMALL, "--guide", guide, "--into", into).out
        assert ("attention guided by IBM model 1." in output) == (guide != "0")
        say("report", into)
        cards[guide] = (into / "report.html").read_text("utf-8")
    taught = ("is no finding about attention by itself", "strength 0.5", "compare the maps before")
    for words in taught:
        assert words in cards["0.5"]
        assert words not in cards["0"]
    assert "learnt from the pairs alone" in cards["0"]
