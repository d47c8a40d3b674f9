"""Wrong words in batches: each is asked once, with its answer and its place."""

import numpy as np
import pytest

from attn_course.tasks.typos import KINDS, render, typo_pairs, typo_vocabulary
from attn_lab.typo_corpus import TypoCorpus, ask_kind


def test_each_pair_is_asked_once_with_its_letter_and_its_place():
    pairs, vocabulary, questions = typo_pairs(211, seed=5), typo_vocabulary(), []
    for batch in TypoCorpus(pairs).batches(13, np.random.default_rng(0)):
        assert batch.targets.shape == (len(batch.sources), 1)
        assert batch.links.shape == (len(batch.sources), 1, batch.sources.shape[1])
        assert (batch.links.sum(dim=-1) == 1).all()
        for source, target, link in zip(batch.sources, batch.targets, batch.links, strict=True):
            questions.append(
                (vocabulary.decode(source), vocabulary.decode(target), link[0].tolist())
            )
    wanted = []
    for pair in pairs:
        differ = [one != other for one, other in zip(pair.source, pair.target, strict=True)]
        wanted.append((pair.source, pair.target[differ.index(True)], differ))
    assert sorted(questions) == sorted(wanted)


@pytest.mark.parametrize("pair", [render("attend", "deletion", 2), "attend", None])
def test_only_substitutions_are_asked_for(pair):
    with pytest.raises(ValueError, match="must be a substitution; got"):
        TypoCorpus([pair])


def test_the_kind_may_be_asked_for_instead():
    pairs, vocabulary, questions = typo_pairs(197, 5, KINDS), typo_vocabulary(), []
    for batch in TypoCorpus(pairs, ask_kind).batches(13, np.random.default_rng(0)):
        assert batch.targets.shape == (len(batch.sources), 1)
        for source, target, link in zip(batch.sources, batch.targets, batch.links, strict=True):
            (place,) = link[0].nonzero().flatten().tolist()
            questions.append((vocabulary.decode(source), vocabulary.decode(target), place))
    assert sorted(questions) == sorted((pair.source, pair.kind[0], pair.place) for pair in pairs)
    assert len({target for _, target, _ in questions}) == len(KINDS)
