"""What every experiment promises of its conditions: new draws, equal sizes, known names."""

import pytest
import torch
from sweeps import every
from torch import nn

from attn_course.tasks.own_corpora import CORPORA
from attn_lab.canvases import seeing_models
from attn_lab.context_vectors import context_models, contexts
from attn_lab.corpora import own_corpora
from attn_lab.fixed_context import bottleneck_models
from attn_lab.fixed_context.bottleneck_models import Condition
from attn_lab.gradients import gradient_paths, gradient_starts
from attn_lab.reading_dates import learnt_models, year_digits
from attn_lab.recall import memory_models, token_models
from attn_lab.scores import scaled_products, score_models
from attn_lab.transformers import attention_cost, beyond_length, transformer_models
from attn_lab.translation import word_order_models
from attn_lab.translation.word_order_models import TASKS, Design
from attn_lab.typos import typo_models


def read_by(module, draw):
    """What a function draws, with the pairs themselves in place of their corpus."""

    def drawn(seed):
        with pytest.MonkeyPatch.context() as patch:
            for name in {"Corpus", "TypoCorpus"} & {*vars(module)}:
                patch.setattr(module, name, lambda pairs, *_, **__: pairs)
            return draw(seed)

    return drawn


COPY = Condition("copy", "fixed", 5, 15, 0.01)
WRONG = {split: lambda seed, split=split: typo_models.unseen_pairs(seed, split)
         for split in typo_models.SPLITS}  # fmt: skip
# of each experiment: what a seed trains on, and all that its models are judged by
DRAWS = {
    "bottleneck": (
        read_by(bottleneck_models, lambda seed: bottleneck_models._data.__wrapped__(
            "copy", 300, seed).corpus),
        [lambda seed: [each for each in bottleneck_models.data_of(COPY, seed).test
                       if len(each.source) > 5]],
    ),
    "contexts": (context_models.training_pairs,
                 [context_models.test_pairs, context_models.validation_pairs]),
    "scores": (score_models.training_pairs,
               [score_models.test_pairs, score_models.validation_pairs]),
    "learnt": (read_by(learnt_models, learnt_models.corpus.__wrapped__), [learnt_models.unseen]),
    "typos": (read_by(typo_models, typo_models.corpus.__wrapped__), [*WRONG.values()]),
    **{f"word order, {task}": (
        lambda seed, task=task: word_order_models.training_pairs.__wrapped__(task, seed),
        [lambda seed, task=task: word_order_models.test_pairs.__wrapped__(task, seed),
         lambda seed, task=task: word_order_models.validation_pairs(task, seed)],
    ) for task in TASKS},
    **{f"own, {corpus}": (
        lambda seed, corpus=corpus: own_corpora.parts(corpus, seed).training,
        [lambda seed, corpus=corpus: own_corpora.parts(corpus, seed).test,
         lambda seed, corpus=corpus: own_corpora.parts(corpus, seed).validation],
    ) for corpus in CORPORA},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", every(2, DRAWS))
def test_a_seed_draws_anew_and_nothing_judged_was_trained_on(name, monkeypatch):
    for task, kind in TASKS.items():
        monkeypatch.setitem(TASKS, task, kind._replace(count=3_000))
    monkeypatch.setattr(typo_models, "PAIRS", 3_000)
    monkeypatch.setattr(typo_models, "TESTED", 500)
    word_order_models.training_pairs.cache_clear()
    training, judged = DRAWS[name]
    trained = {(each.source, each.target) for each in training(0)}
    assert len(trained ^ {(each.source, each.target) for each in training(1)}) > 50
    for draw in judged:
        one, other = ([(each.source, each.target) for each in draw(seed)] for seed in (0, 1))
        assert one == [(each.source, each.target) for each in draw(0)]
        assert len({*one} ^ {*other}) > 50
        assert not {*one} & trained
    word_order_models.training_pairs.cache_clear()


@pytest.mark.parametrize("scene", seeing_models.SCENES)
def test_a_seed_draws_canvases_anew(scene):
    one, same, other = (
        seeing_models.unseen(seed, seeing_models.SCENES[scene], 5).pixels for seed in (0, 0, 1)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


# models that are compared, and by how much their sizes may differ
SIZES = {
    "bottleneck": (lambda kind: bottleneck_models.build(COPY._replace(model=kind), (31, 29)),
                   ("fixed", "attending", "start only"), 1),
    "scores": (score_models.build, score_models.SCORES, 1.01),
    "contexts": (lambda kind: context_models.build(context_models.DESIGNS[kind]),
                 context_models.ENTRIES, 1.01),
    "transformers": (
        transformer_models.build,
        ("whole", "no residual", "no causal mask", "one head", "no positions", "sinusoidal"), 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("sizes", [context_models.state_sizes, score_models.embedding_size])
def test_a_seed_starts_the_same_model_whether_or_not_the_sizes_were_asked_before(sizes):
    made = context_models if sizes is context_models.state_sizes else score_models
    design = context_models.DESIGNS["cell"] if made is context_models else "dot"
    sizes.cache_clear()
    starts = []
    for _ in range(2):
        torch.manual_seed(7)
        starts.append(nn.utils.parameters_to_vector(made.build(design).parameters()))
    assert torch.equal(*starts)


@pytest.mark.parametrize("name", SIZES)
def test_what_is_compared_has_as_many_parameters(name):
    build, kinds, most = SIZES[name]
    counts = [sum(part.numel() for part in build(kind).parameters()) for kind in kinds]
    assert max(counts) <= most * min(counts)


@pytest.mark.parametrize(("make", "words"), [
    (lambda: attention_cost.reader("guessed"), "kind must be one of"),
    (lambda: attention_cost.writes("guessed", 3), "kind must be one of"),
    (lambda: beyond_length.Copier("sinusoidal"), "positions must be one of"),
    (lambda: context_models.build(context_models.Design(pool="maximum")), "pool='maximum'"),
    (lambda: contexts.condition("maximum"), "attention, mean.*got 'maximum'"),
    (lambda: gradient_paths.build("rnn, uniform"), "condition must be one of"),
    (lambda: gradient_paths.Reverser("gru", True, contexts="half"), "contexts must be one of"),
    (lambda: gradient_paths.route_shares(gradient_paths.fresh("rnn", 0, state_size=3), 5),
     "with attention, and not an LSTM"),
    (lambda: gradient_paths.route_shares(
        gradient_paths.fresh("lstm, attention", 0, state_size=3), 5),
     "with attention, and not an LSTM"),
    (lambda: gradient_starts.prepare(nn.RNNCell(7, 11), "+1", 23), "a start of rnn must be one of"),
    (lambda: learnt_models.build("frozen", {}), "'ready-made' alone; got 'frozen'"),
    (lambda: learnt_models.build("ready-made"), "'ready-made' alone; got 'ready-made'"),
    (lambda: learnt_models.build("cold"), "way must be one of joint, .*; got 'cold'"),
    (lambda: memory_models.Recaller("cache", 3), "memory must be one of"),
    (lambda: scaled_products.LookUp("halved", 7), "'halved'"),
    (lambda: score_models.build("genera"), "'genera'"),
    (lambda: token_models.StreamReader("shift", "window"), "memory must be one of"),
    (lambda: token_models.StreamReader("none", "sum"), "first must be one of"),
    (lambda: transformer_models.build("without a head"), "kind must be one of"),
    (lambda: word_order_models.build(Design("numbers", "soft")), "task must be one of"),
    (lambda: word_order_models.build(Design("poems", "dot")), "task must be one of"),
    (lambda: year_digits.build(year_digits.Condition("1600 to 2399")), "condition must be one of"),
])  # fmt: skip
def test_an_unknown_condition_is_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()
