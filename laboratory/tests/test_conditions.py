"""What every experiment promises of its conditions: new draws, equal sizes, known names."""

from functools import reduce

import pytest
import torch
from sweeps import every
from torch import nn

from attn_course.alignment import SCORES, AdditiveScore, DotScore, GeneralScore, LocationScore
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Unasked
from attn_course.models.encoder import Encoder
from attn_course.models.fixed_context import FixedContextDecoder
from attn_course.models.input_feeding import InputFeedingDecoder
from attn_course.models.local import LocalDecoder
from attn_course.models.luong import LuongDecoder
from attn_course.models.transformer import TransformerDecoder
from attn_course.models.transformer_blocks import Block
from attn_lab.canvases import seeing_models
from attn_lab.context_vectors import context_models, contexts
from attn_lab.context_vectors.context_models import DESIGNS, READERS
from attn_lab.corpora import own_corpora
from attn_lab.corpora.readers_corpora import CORPORA
from attn_lab.fixed_context import bottleneck_models
from attn_lab.fixed_context.bottleneck_models import Condition
from attn_lab.gradients import gradient_paths, gradient_starts
from attn_lab.reading_dates import learnt_models, year_digits
from attn_lab.recall import memory_models, token_models
from attn_lab.scores import scaled_products, score_models
from attn_lab.transformers import attention_cost, beyond_length, transformer_models
from attn_lab.translation import word_order_models
from attn_lab.translation.word_order_models import ATTENTIONS, TASKS, Design
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
        [lambda seed: [pair for pair in bottleneck_models.data_of(COPY, seed).test
                       if len(pair.source) > 5]],
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
    trained = {(pair.source, pair.target) for pair in training(0)}
    assert len(trained ^ {(pair.source, pair.target) for pair in training(1)}) > 50
    for draw in judged:
        one, other = ([(pair.source, pair.target) for pair in draw(seed)] for seed in (0, 1))
        assert one == [(pair.source, pair.target) for pair in draw(0)]
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


LOCAL, NO_NORM = ("local-m", "local-p"), ("no norm", "six layers, no norm")
ONE_WAY = ("fixed_context", "reversed", "double state", "both", "one direction")
FIXED = ("fixed_context", "reversed", "double state", "both")
# of models with names: what is usual of a part, and what each other has instead
BUILT = {
    "transformers": (transformer_models.build, transformer_models.CHANGES, {
        "decoder.causal": (True, {"no causal mask": False}),
        "decoder.places.positions": ("rotary", {
            "no positions": "none", "sinusoidal": "sinusoidal", "learned": "learned"}),
        "decoder.blocks.0.inside.heads": (4, {"one head": 1}),
        "decoder.blocks.0.network": (nn.Sequential, {"no feed-forward": None}),
        "decoder.blocks.0.around_inside.residual": (True, {"no residual": False}),
        "decoder.blocks.0.around_inside.place": ("pre", dict.fromkeys(NO_NORM, "none") | {
            kind: "post" for kind in transformer_models.CHANGES if "post-norm" in kind}),
        "encoder.blocks.1": (Block, {}),
        "encoder.blocks.5": (None, {
            kind: Block for kind in transformer_models.CHANGES if "six" in kind}),
    }),
    "own corpora": (
        lambda kind: own_corpora.build(kind, 11, 13), own_corpora.MODELS + own_corpora.CONTROLS, {
            "decoder": (BahdanauDecoder, dict.fromkeys(FIXED, FixedContextDecoder) | {
                "transformer": TransformerDecoder, "luong": LuongDecoder}),
            "encoder.rnn.hidden_size": (48, dict.fromkeys(ONE_WAY, 96) | {
                "double state": 192, "both": 192, "transformer": None}),
            "encoder.rnn.bidirectional": (
                True, dict.fromkeys(ONE_WAY, False) | {"transformer": None}),
        },
    ),
    "word order": (lambda kind: word_order_models.build(Design("dates", kind)), ATTENTIONS, {
        "decoder": (LuongDecoder, dict.fromkeys(LOCAL, LocalDecoder) | {
            "none": FixedContextDecoder, "feeding": InputFeedingDecoder,
            "bahdanau": BahdanauDecoder, "bahdanau-y": word_order_models.AsksWithBoth}),
        "decoder.score": (GeneralScore, dict.fromkeys(("bahdanau", "bahdanau-y"), AdditiveScore) | {
            "none": Unasked, "location": LocationScore, "dot": DotScore}),
        "decoder.attention": (None, {kind: kind for kind in LOCAL} | {"feeding": "global"}),
        "decoder.half_width": (None, dict.fromkeys((*LOCAL, "feeding"), 2)),
    }),
    "one direction": (lambda kind: word_order_models.build(Design("dates", kind, 1)),
                      ("general", "local-m", "bahdanau"), {
        "encoder.annotation_size": (96, {}),
        "encoder.rnn.bidirectional": (False, {}),
    }),
    "scores": (score_models.build, score_models.SCORES, {
        "encoder.annotation_size": (64, {}),
        "decoder.rnn.hidden_size": (64, {}),
        "decoder.asks_with": ("after", {}),
        "decoder.score": (score_models.SharpCosine, {
            kind: SCORES[kind] for kind in score_models.PLAIN}),
    }),
    "contexts": (lambda kind: context_models.build(DESIGNS[kind]), DESIGNS, {
        "decoder": (READERS["cell and readout"], {
            kind: READERS[kind] for kind in DESIGNS if kind in READERS}),
        "encoder": (Encoder, {"backward": context_models.BackwardEncoder}),
        "encoder.rnn.bidirectional": (True, {"forward": False, "backward": False}),
    }),
    "words": (typo_models.build, typo_models.READERS, {
        "longest": (None, {"flattened": 12}),
        "reach": (None, {"window": 2}),
        "rnn.num_layers": (1, {"three layers": 3, "flattened": 3}),
        "rnn.bidirectional": (True, {"three layers": False, "flattened": False}),
    }),
    "canvases": (lambda kind: seeing_models.READERS[kind](), seeing_models.READERS, {
        "trunk.layers.1": (nn.BatchNorm2d, {"mask, no batch norm": nn.ReLU}),
        "looks": (None, dict.fromkeys(seeing_models.RECURRENT, "state") | {
            "step": "step", "blind": "blind"}),
        "position": (None, dict.fromkeys(seeing_models.RECURRENT, True) | {
            "state, no position": False}),
    }),
}  # fmt: skip


@pytest.mark.parametrize(
    ("family", "kind"),
    [(family, kind) for family, (_, kinds, _) in BUILT.items() for kind in kinds],
)
def test_a_model_is_what_its_name_says_and_differs_in_nothing_else(family, kind):
    build, _, parts = BUILT[family]
    model = build(kind)
    for path, (usual, others) in parts.items():
        part = reduce(lambda whole, name: getattr(whole, name, None), path.split("."), model)
        expected = others.get(kind, usual)
        assert (type(part) if isinstance(expected, type) else part) == expected, path


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
    module = context_models if sizes is context_models.state_sizes else score_models
    design = context_models.DESIGNS["cell"] if module is context_models else "dot"
    sizes.cache_clear()
    starts = []
    for _ in range(2):
        torch.manual_seed(7)
        starts.append(nn.utils.parameters_to_vector(module.build(design).parameters()))
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
