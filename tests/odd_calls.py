"""Call every public function with odd values, one at a time: what is returned or raised?

With its usual values, each function works. With an odd value, it returns a finite result, or raises
a ValueError or TypeError with a message. Nothing else may happen: no RuntimeError from torch, no
KeyError, no NaN. Run as a script, this tests only the functions' own checks, with one odd value in
as many as the script is told, or with all; after `attn_course.check_shapes`, it tests both.
"""

import contextlib
import datetime
import functools
import importlib
import importlib.util
import inspect
import io
import math
import os
import random
import sys
import warnings
from pathlib import Path

import numpy as np
import torch

MODULES = (
    *("alignment", "masks", "weights", "context", "gradients", "measures", "claims"),
    *("memory", "crosstalk", "tasks.recall", "tasks.own", "tasks.own_claim"),
    "tasks.own_corpora",
    *(
        f"tasks.{name}"
        for name in ("vocabulary", "corpus", "reversal", "numbers", "names", "typos", "dates")
    ),
    *(f"tasks.date_{name}" for name in ("patterns", "characters", "noise", "order", "ceiling")),
    "tasks.date_everyday",
    *(f"models.{name}" for name in ("encoder", "decoder", "bahdanau", "luong", "local")),
    "models.fixed_context",
    *("self_attention", "models.transformer_blocks", "models.transformer"),
    "models.one_sequence",
    *("models.input_feeding", "models.translator", "models.pointer", "tasks.typo_corpus"),
    *(f"models.{name}" for name in ("trunk", "one_look", "glimpse", "hard_look", "gaussian_look")),
    *("search", "interventions", "training", "progress"),
    *("models.language_model", "models.language_file", "patching"),
    # the digits are scikit-learn's, which the package does without
    *(["tasks.digits"] if importlib.util.find_spec("sklearn") else []),
)
BATCH, TARGET, SOURCE, QUERY = 2, 3, 5, 7
WHOLE = (torch.int8, torch.uint8, torch.int64, torch.bool)


def odd_values():
    """Odd values, made anew for each call, so that no call can spoil the next."""
    numbers = (None, True, -1, 0, 1, 2.5, 10**400, 1e-320, 1e38, 1e308, -1e308)
    others = (math.nan, math.inf, -math.inf, 1j, "", "xx", "de", "train", b"x", object(), len)
    several = ((), [], [1, 2], [-1], [[1, 2], [3]], ["a", 1], [None], "ab", {}, {1: 2}, range(3))
    arrays = (np.float32(0.5), np.int64(3), np.zeros((2, 3)), np.full(3, np.nan), np.array("x"))
    yield from (*numbers, *others, *several, *arrays, iter([1]), datetime.date(2001, 2, 3))
    for shape in ((), (0,), (3,), (2, 3), (2, 3, 5), (2, 5, 7), (0, 3, 5), (2, 0, 7), (1, 2, 3, 5)):
        yield from (torch.randn(shape), torch.zeros(shape), torch.ones(shape, dtype=torch.bool))
        yield torch.randn(shape, dtype=torch.float64, requires_grad=True)
    for shape in ((2,), (2, 3), (2, 5), (2, 3, 5)):
        yield from (torch.ones(shape, dtype=dtype) for dtype in WHOLE)
        yield from (torch.full(shape, value) for value in (math.nan, math.inf, -math.inf, 3e38))
        yield from (torch.ones(shape, dtype=dtype) for dtype in (torch.complex64, torch.bfloat16))
        yield torch.full(shape, 99)


def usual_calls():
    """A call that works for each public function and class: name -> (function, its arguments)."""
    found = {module: importlib.import_module(f"attn_course.{module}") for module in MODULES}
    at = lambda name: getattr(found[name.rpartition(".")[0]], name.rpartition(".")[2])  # noqa: E731
    day, rng = datetime.date(2005, 4, 3), random.Random(0)
    make = Examples(found)
    locales = {"locales": ["de"], "kinds": ["short"]}
    sizes = {"query_size": 7, "key_size": 7, "hidden_size": 3, "max_source": 5}
    decoder = {"vocabulary_size": 7, "embedding_size": 2, "state_size": 6, "annotation_size": 6}
    rest = {"hidden_size": 3, "max_source": 5}
    model = {"source_symbols": 7, "target_symbols": 7, "embedding_size": 2, "state_size": 6}
    block = {"size": 6, "heads": 3, "hidden_size": 5, "norm": "post", "positions": "learned"}
    block |= {"residual": True, "feed_forward": False, "longest": 9}
    word = {"vocabulary_size": 7, "embedding_size": 2, "hidden_size": 3}
    usual = {
        "masks.padding": {"lengths": torch.tensor([2, 5]), "source": SOURCE},
        "masks.causal": {"size": 3},
        "masks.local_window": {"centres": torch.zeros(2, 3), "source": 5, "half_width": 1},
        "weights.attention_weights": {
            "scores": make.scores,
            "readable": make.scores > -9,
            "temperature": 2.0,
        },
        "weights.sparsemax": {"scores": make.scores, "readable": make.scores > -9},
        "weights.hard_choice": {"scores": make.scores, "readable": make.scores > -9},
        "weights.softmax_jacobian": {"weights": make.weights},
        "weights.sparsemax_jacobian": {"weights": make.weights},
        "weights.entropy": {"weights": make.weights},
        "weights.effective_positions": {"weights": make.weights},
        "context.context_vectors": {"weights": make.weights, "annotations": make.keys},
        "context.attend": {
            "queries": make.queries,
            "keys": make.keys,
            "values": make.keys,
            "score": at("alignment.ScaledDotScore")(),
            "readable": make.scores > -9,
        },
        "gradients.gradient_norms": {"losses": make.losses, "states": make.states},
        "gradients.translator_graph": {"source": 2, "target": 2, "attention": True},
        "gradients.count_paths": make.ends,
        "gradients.all_paths": make.ends,
        "gradients.sum_over_paths": {
            "jacobians": {(("h", 1), ("h", 2)): torch.ones(1, 2)},
            "paths": [(("h", 1), ("h", 2))],
        },
        "memory.online_attention": make.parts | {"block": 2},
        "memory.shared_attention": {
            **{name: part.unsqueeze(1) for name, part in make.parts.items()},
            "readable": make.scores.unsqueeze(1) > -9,
        },
        "memory.shared_weights": {
            **{name: make.parts[name].unsqueeze(1) for name in ("queries", "keys")},
            "readable": make.scores.unsqueeze(1) > -9,
        },
        "memory.shared_contexts": {
            **{"weights": make.weights.unsqueeze(1), "values": make.keys.unsqueeze(1)},
        },
        "memory.positive_features": {"vectors": make.queries},
        "memory.linear_attention": make.sequence
        | {"rule": "sum", "decay": 0.5, "strength": 0.5, "normalised": True},
        "memory.memory_state": make.written | {"rule": "delta", "decay": 0.5, "strength": 0.5},
        "memory.LinearMemory": {
            **{"key_size": 3, "value_size": 2, "rule": "sum", "decay": 0.5, "normalised": True},
            **{"batch": 2, "dtype": torch.float64},
        },
        "crosstalk.relative_error": {"pairs": 3, "key_size": 5, "rule": "sum"},
        "crosstalk.expected_recall": {"pairs": 3, "key_size": 5, "value_size": 7, "values": 11},
        "crosstalk.pairs_held": {"key_size": 5, "value_size": 7, "values": 11, "share": 0.5},
        "tasks.recall.draw": {
            **{"count": 2, "seed": 0, "pairs": 3, "times": 2, "split": "test"},
            **{"keys": 5, "values": 7},
        },
        "tasks.recall.render": {"lists": make.lists, "number": 1},
        "tasks.recall.gold_alignment": {"pair": found["tasks.recall"].render(make.lists, 0)},
        "tasks.recall.is_test_list": {"written": np.array([[1, 2], [3, 4]])},
        "tasks.recall.recall_vocabulary": {"keys": 3, "values": 2},
        "measures.over_seeds": {"values": [1.0, 2.0, 3.0]},
        "measures.share": {"right": 2, "asked": 3},
        "measures.share_by_source": {"right": [1, 0, 1], "sources": ["a", "a", "b"]},
        "measures.paired": {"ours": [1, 0], "theirs": [0, 0], "sources": ["a", "b"]},
        "measures.correct": {"answers": ["a"], "targets": ["b"]},
        "measures.exact_match": {"answers": ["a"], "targets": ["b"]},
        "measures.by_group": {"values": [1.0, 2.0], "groups": ["a", "b"]},
        "measures.alignment_error_rate": {
            "weights": make.weights[0],
            "gold_sure": torch.eye(3, 5) > 0,
            "gold_possible": torch.eye(3, 5) > 0,
        },
        "claims.Measured": {"values": [0.5, 0.25], "unit": "percent", "items": 7, "of": "dates"},
        "claims.claim": {
            "sentence": "It is {x}.",
            "condition": (half := at("claims.Measured")(0.5)) > 0,
            "origin": "found",
            "x": half,
        },
        "claims.Printed": {"values": 0.5, "unit": "percent", "items": 7, "of": "dates"},
        "claims.closer": {"condition": at("claims.Measured")(0.5) > 0},
        "tasks.vocabulary.Vocabulary": {"symbols": "abc", "separator": ""},
        "tasks.corpus.pad": {"sequences": [[4, 5], [6]]},
        "tasks.corpus.Corpus": {
            "pairs": make.pairs,
            "source_vocabulary": make.letters,
            "target_vocabulary": make.letters,
            "gold": found["tasks.reversal"].gold_alignment,
        },
        "tasks.reversal.render": {"source": "abc", "task": "copy"},
        "tasks.reversal.letter_pairs": {
            **{"count": 2, "seed": 0, "lengths": (2, 3), "task": "copy", "split": "train"}
        },
        "tasks.reversal.is_test_sequence": {"source": "abc"},
        "tasks.reversal.gold_alignment": {"pair": make.pairs[0]},
        "tasks.reversal.letter_vocabulary": {},
        "tasks.own.own_locales": {"code": "00c0ffee"},
        "tasks.own.own_task": {"code": "00c0ffee"},
        "tasks.own.generator": {"what": "task", "code": "00c0ffee"},
        "tasks.own_claim.own_claim": {"code": "00c0ffee"},
        "tasks.own_corpora.welsh_dates": {"count": 2, "seed": 0},
        "tasks.own_corpora.euro_amounts": {"count": 2, "seed": 0},
        "tasks.own_corpora.serbian_names": {},
        "tasks.own_corpora.write_pairs": {
            "pairs": found["tasks.own_corpora"].euro_amounts(2),
            "path": Path(os.devnull),
        },
        "tasks.own_claim.claim_pairs": {
            "own": found["tasks.own_claim"].own_claim("00c0ffee"),
            **{"count": 2, "seed": 0, "split": "test", "lengths": [3, 4]},
        },
        "tasks.numbers.render": {"number": 81, "language": "de"},
        "tasks.numbers.number_pairs": {
            **{"count": 2, "seed": 0, "digits": (2, 3), "language": "fr", "split": "test"}
        },
        "tasks.numbers.is_test_number": {"number": 81},
        "tasks.numbers.gold_possible": {"pair": make.number},
        "tasks.numbers.gold_sure": {"pair": make.number},
        "tasks.numbers.number_vocabularies": {"language": "de"},
        "tasks.numbers.pieces": {"number": 81, "language": "de"},
        "tasks.numbers.parts": {
            **{"number": 81, "language": "de", "written": ["ein", "und", "achtzig"]}
        },
        "tasks.names.render": {"names": ["Denmark", "New Swiss Hard Franc"]},
        "tasks.names.name_pairs": {"count": 2, "seed": 0, "items": (1, 2), "split": "test"},
        "tasks.names.is_test_currency": {"adjective": "Swiss", "noun": "Franc"},
        "tasks.names.currencies": {"split": "test"},
        "tasks.names.gold_possible": {"pair": make.name},
        "tasks.names.gold_sure": {"pair": make.name},
        "tasks.names.name_vocabularies": {},
        "tasks.typos.misspell": {"word": "cake", "kind": "substitution", "place": 1, "letter": "o"},
        "tasks.typos.render": {"word": "cake", "kind": "insertion", "place": 1, "letter": "o"},
        "tasks.typos.typo_pairs": {"count": 2, "seed": 0, "kinds": ("deletion",), "split": "words"}
        | {"lengths": (3, 4)},
        "tasks.typos.is_test_word": {"word": "cake"},
        "tasks.typos.is_test_typo": {"source": "coke", "target": "cake"},
        "tasks.typos.words": {},
        "tasks.typos.gold_possible": {"pair": make.typo},
        "tasks.typos.gold_sure": {"pair": make.typo},
        "tasks.typos.typo_vocabulary": {},
        "tasks.typos.readings": {"source": "pake", "kinds": ("substitution",)}
        | {"known": ["cake", "poke"]},
        "tasks.typos.ceiling": {"kinds": ("deletion", "insertion"), "known": ["cake", "poke"]},
        "tasks.date_order.render": {"day": day, "locale": "en_GB", "kind": "full"},
        "tasks.date_order.order_pairs": {"count": 2, "seed": 0, "days": "test"}
        | {"locales": ["en_US"], "kinds": ["long"]},
        "tasks.date_order.gold_possible": {"pair": make.order},
        "tasks.date_order.gold_sure": {"pair": make.order},
        "tasks.date_order.order_vocabularies": {},
        "tasks.dates.render": {"day": day, "locale": "de", "kind": "long", "case": "cldr"}
        | {"noises": ["compact"], "seed": 0},
        "tasks.dates.date_pairs": {"count": 2, "seed": 0, "days": "test", "noise": 0.5} | locales,
        "tasks.dates.is_test_day": {"day": day},
        "tasks.dates.days_of": {"days": "test"},
        "tasks.dates.gold_possible": {"pair": make.date},
        "tasks.dates.gold_sure": {"pair": make.date},
        "tasks.dates.date_vocabularies": locales,
        "tasks.dates.longest_source": locales,
        "tasks.date_ceiling.readings": {"text": "03.04.05"} | locales,
        "tasks.date_patterns.write": {"day": day, "locale": "de", "kind": "long", "case": "cldr"},
        "tasks.date_patterns.template": {"locale": "de", "kind": "long", "case": "cldr"},
        "tasks.date_patterns.find_locale": {"locale": "de"},
        "tasks.date_patterns.check_choices": locales,
        "tasks.date_patterns.check_day": {"day": day},
        "tasks.date_patterns.digits": {"locale": "fa"},
        "tasks.date_patterns.digits_of": {"system": "latn"},
        "tasks.date_patterns.numeral": {"value": 3, "width": 2, "ten_digits": "0123456789"},
        "tasks.date_patterns.language": {"locale": "pt_BR"},
        "tasks.date_patterns.change_case": {"word": "Mai", "locale": "de", "case": "upper"},
        "tasks.date_characters.plain": {"text": "août"},
        "tasks.date_characters.keyboard": {"text": "août"},
        "tasks.date_characters.visible": {"text": "août"},
        "tasks.date_characters.typed_forms": {"word": "août"},
        "tasks.date_characters.other_digits_of": {"locale": "hi"},
        "tasks.date_noise.as_typed": {"writing": make.writing, "rng": rng},
        "tasks.dates.partial": {"day": day, "fields": ["y", "m"]},
        "tasks.dates.pair_of": {"writing": make.writing, "kind": "long"},
        "tasks.date_everyday.everyday_pairs": {"count": 2, "seed": 0, "days": "test"}
        | {"forms": ["american", "roman"]},
        "tasks.date_everyday.everyday_vocabularies": {},
        "tasks.date_noise.apply_noise": {"name": "ordinal", "writing": make.writing, "rng": rng},
        "tasks.date_noise.added_characters": {"locale": "fr"},
        "tasks.date_noise.ordinal_suffix": {"number": 2, "locale": "en_US"},
        "models.encoder.Encoder": {"vocabulary_size": 7, "embedding_size": 2, "hidden_size": 3}
        | {"cell": "gru", "directions": 2},
        "models.decoder.AttendingDecoder": decoder | {"score": "dot", "directions": 1} | rest,
        "models.bahdanau.BahdanauDecoder": decoder | {"score": "additive", "directions": 2} | rest,
        "models.decoder.make_score": {"name": "general"} | sizes,
        "models.luong.LuongDecoder": decoder
        | {"score": "general", "asks_with": "before", "directions": 2}
        | rest,
        "models.local.LocalDecoder": decoder
        | {"score": "dot", "attention": "local-m", "half_width": 2, "directions": 2}
        | rest,
        "models.input_feeding.InputFeedingDecoder": decoder
        | {"score": "dot", "attention": "local-p", "half_width": 1, "directions": 2}
        | rest,
        "models.fixed_context.FixedContextDecoder": decoder | {"every_step": True},
        "models.translator.Translator": {
            "encoder": make.model.encoder,
            "decoder": make.model.decoder,
        },
        "models.translator.bahdanau": model
        | {"encoder_size": 3, "score": "additive"}
        | {"hidden_size": 3, "cell": "gru", "directions": 2},
        "models.translator.luong": model
        | {"encoder_size": 3, "score": "location"}
        | {"hidden_size": 3, "cell": "gru", "max_source": 5, "asks_with": "after"}
        | {"directions": 2, "attention": "local-p", "half_width": 2, "input_feeding": True},
        "models.translator.fixed_context": model | {"every_step": True, "cell": "lstm"},
        "models.translator.transformer": {"source_symbols": 7, "target_symbols": 7}
        | {"encoder_layers": 1, "decoder_layers": 2, "causal": False}
        | block,
        "models.translator.one_sequence": {"source_symbols": 7, "target_symbols": 7}
        | {"size": 6, "heads": 3, "layers": 1, "hidden_size": 5, "norm": "none"}
        | {"positions": "none"},
        "models.one_sequence.EmbeddedSource": {"vocabulary_size": 7, "design": make.design},
        "models.one_sequence.OneSequenceDecoder": {"vocabulary_size": 7, "layers": 1}
        | {"design": make.design},
        "self_attention.MultiHeadAttention": {"size": 6, "heads": 3, "bias": False},
        "self_attention.sinusoidal_positions": {"length": 3, "size": 5},
        "self_attention.rotate": {
            "vectors": torch.randn(2, 1, 3, 4),
            "positions": torch.tensor([0, 3, -2]),
        },
        "models.transformer_blocks.Design": block,
        "models.transformer_blocks.Around": {"design": make.design},
        "models.transformer_blocks.Block": {"design": make.design, "across": True},
        "models.transformer_blocks.Places": {"design": make.design},
        "models.transformer_blocks.embedding": {"vocabulary_size": 7, "size": 6},
        "models.transformer_blocks.stack": {"design": make.design, "layers": 2, "across": True},
        "models.transformer_blocks.last_norm": {"design": make.design},
        "models.transformer.TransformerEncoder": {"vocabulary_size": 7, "layers": 1}
        | {"design": make.design},
        "models.transformer.TransformerDecoder": {"vocabulary_size": 7, "layers": 1}
        | {"design": make.design, "causal": True},
        "models.pointer.WordReader": word | {"layers": 2, "directions": 1},
        "models.pointer.PointerReader": word
        | {"score_size": 5, "layers": 1, "directions": 2, "reach": 1},
        "models.pointer.FlattenedReader": word | {"longest": 4, "layers": 2},
        "models.pointer.mend": {"model": make.pointer, "texts": ["ab", "c"]}
        | {"vocabulary": make.letters},
        "tasks.typo_corpus.TypoCorpus": {"pairs": [make.substitution]},
        "tasks.typo_corpus.ask_letter": {"pair": make.substitution},
        "tasks.typo_corpus.ask_kind": {"pair": make.substitution},
        "models.trunk.Trunk": {"normalise": False},
        "models.trunk.cell_centres": {"rows": 2, "columns": 3, "like": torch.ones(1)},
        "models.trunk.position_code": {"rows": 2, "columns": 3, "like": torch.ones(1)},
        "models.one_look.MaskReader": {"normalise": False},
        "models.one_look.AverageReader": {"normalise": False},
        "models.one_look.MaxReader": {"normalise": False},
        "models.hard_look.HardReader": {"normalise": True, "baseline": True, "entropy": 0.1},
        "models.gaussian_look.GaussianReader": {"normalise": True, "centre": "map"}
        | {"hidden_size": 3},
        "models.glimpse.GlimpseReader": {"looks": "step", "position": True, "normalise": True}
        | {"state_size": 3, "longest": 4},
        "models.glimpse.targets": {"digits": torch.tensor([[3, 4], [5, -1]])},
        "models.glimpse.read": {"model": make.glimpse, "pixels": make.pixels, "longest": 3},
        "search.greedy": {"model": make.model, "longest": 3} | make.read,
        "search.beam": {
            "model": make.model,
            "beams": 2,
            "longest": 3,
            "alpha": 0.5,
            "coverage": 0.5,
        }
        | make.read,
        "search.exact": {"model": make.model, "longest": 3, "beams": 2, "most": 50} | make.read,
        "search.answer": {"model": make.model, "texts": ["ab", "c"], "longest": 3}
        | {"source_vocabulary": make.letters, "target_vocabulary": make.letters, "batch_size": 2}
        | {"beams": 2},
        "interventions.replaced": {"decoder": make.model.decoder},
        "interventions.reweighted": {"decoder": make.model.decoder, "change": lambda w, _: w},
        "interventions.hidden": {"weights": make.weights, "places": make.scores > 0},
        "interventions.permuted": {"weights": make.weights, "generator": torch.Generator()},
        "interventions.exchanged": {"memory": make.memory, "other": make.memory}
        | {"places": make.memory.annotations[..., 0] > 0},
        "interventions.written": {"decoder": make.model.decoder, "memory": make.memory}
        | {"longest": 3},
        "interventions.symbol_probabilities": {"model": make.model}
        | make.read
        | {"targets": torch.tensor([[4, 2], [5, 2]])},
        "interventions.divergence": {"one": make.weights, "other": make.weights},
        "models.language_model.Shape": vars(make.writer.shape),
        "models.language_model.LanguageModel": {"shape": make.writer.shape, "own_readout": True},
        "patching.recorded": {"model": make.writer, "symbols": make.text}
        | {"places": [("found", 1)], "changes": {("found", 0): torch.neg}},
        "patching.all_weights": {"model": make.writer, "symbols": make.text[:1]},
        "patching.together": {},
        "patching.heads_replaced": {"model": make.writer, "heads": [(1, 2), (0, 1)]}
        | {"by": {("found", 0): torch.ones(1), ("found", 1): torch.ones(1)}},
        "patching.exchanged_at": {"other": {("residual", 1): torch.ones(2, 4, 12)}}
        | {"positions": torch.tensor([True, False, True, False])},
        "patching.position_hidden": {"model": make.writer, "position": 1, "blocks": [1]},
        "patching.taken_out": {"model": make.writer, "head": (0, 2), "part": "for keys"}
        | {"blocks": [1], "by": torch.ones(1)},
        "training.Settings": {"epochs": 1, "batch_size": 2, "learning_rate": 0.1, "warm_up": 3}
        | {"floor": 0.1, "weight_decay": 0.1, "betas": (0.9, 0.99), "clip": 1.0}
        | {"check_every": 2, "guidance": 0.5},
        "training.alignment_loss": {"weights": make.weights, "links": make.scores > 0},
        "training.device": {},
        "training.one_thread": {},
        "progress.Progress": {"title": "x", "steps": 3, "begun": 1},
    }
    if "tasks.digits" in found:
        usual |= {
            "tasks.digits.digit_images": {"split": "test"},
            "tasks.digits.canvases": {"count": 2, "seed": 0, "split": "test", "height": 12}
            | {"width": 20, "digits": (1, 2), "pieces": 1, "shapes": 1, "noise": 0.1},
            "tasks.digits.cells_inside": {"boxes": torch.tensor([[1, 2, 9, 10]])}
            | {"height": 12, "width": 20},
        }
    for name, kind in found["alignment"].SCORES.items():
        usual[f"alignment.{kind.__name__}"] = {size: sizes[size] for size in kind.takes}
        score = kind.of_sizes(**sizes)
        yield f"SCORES[{name!r}](...)", score, {"queries": make.queries, "keys": make.keys}
    for name, arguments in usual.items():
        yield name, at(name), arguments
    corpus, model = make.corpus, make.model
    order = np.random.default_rng(0)
    yield "Corpus.count_batches", corpus.count_batches, {"size": 2}
    yield "Corpus.batches", corpus.batches, {"size": 2, "order": order}
    yield "Vocabulary.encode", make.letters.encode, {"text": "ab", "end": True}
    yield "Vocabulary.decode", make.letters.decode, {"ids": [4, 5]}
    yield "Vocabulary.from_texts", type(make.letters).from_texts, {"texts": ["ab", "c"]}
    yield "Encoder.forward", model.encoder, make.read
    yield "Translator.read", model.read, make.read
    yield "Translator.forward", model, make.read | {"targets": torch.tensor([[4, 2], [5, 2]])}
    yield "BahdanauDecoder.read", model.decoder.read, {"annotations": torch.randn(2, 5, 6)}
    memory = model.read(*make.read.values())
    inputs = torch.tensor([[1, 4], [1, 5]])
    yield "BahdanauDecoder.forward", model.decoder, {"memory": memory, "inputs": inputs}
    matrix = found["memory"].LinearMemory(3, 2, "delta", batch=2)
    pair = {"key": torch.randn(2, 3), "value": torch.randn(2, 2)}
    yield "LinearMemory.write", matrix.write, pair | {"strength": 0.5}
    yield "LinearMemory.read", matrix.read, {"query": torch.randn(2, 3)}
    attention = found["self_attention"].MultiHeadAttention(QUERY, 1)
    asked = {"queries": make.queries, "keys": make.keys, "values": make.keys}
    yield "MultiHeadAttention.forward", attention, asked | {"readable": make.scores > -9}
    writer = found["models.translator"].transformer(7, 7, size=4, heads=2, hidden_size=3).eval()
    yield "TransformerEncoder.forward", writer.encoder, make.read
    yield "TransformerEncoder.head_weights", writer.encoder.head_weights, make.read
    yield "TransformerDecoder.read", writer.decoder.read, {"annotations": torch.randn(2, 5, 4)}
    looked = {"memory": writer.read(*make.read.values()), "inputs": inputs}
    yield "TransformerDecoder.forward", writer.decoder, looked
    yield "TransformerDecoder.head_weights", writer.decoder.head_weights, looked
    joined = found["models.translator"].one_sequence(7, 7, size=4, heads=2, hidden_size=3).eval()
    yield "EmbeddedSource.forward", joined.encoder, make.read
    yield "OneSequenceDecoder.read", joined.decoder.read, {"annotations": torch.randn(2, 5, 4)}
    looked = {"memory": joined.read(*make.read.values()), "inputs": inputs}
    yield "OneSequenceDecoder.forward", joined.decoder, looked
    yield "PointerReader.forward", make.pointer, make.read
    yield "FlattenedReader.forward", found["models.pointer"].FlattenedReader(7, 2, 3), make.read
    for name, reader in make.lookers.items():
        yield f"{name}.forward", reader, {"pixels": make.pixels}
        yield f"{name}.loss", reader.loss, {"pixels": make.pixels, "digits": make.digits}
    yield "MaskReader.evidence", make.lookers["MaskReader"].evidence, {"pixels": make.pixels}
    yield "GlimpseReader.forward", make.glimpse, {"pixels": make.pixels, "steps": 2}
    yield "GlimpseReader.loss", make.glimpse.loss, {"pixels": make.pixels, "digits": make.digits}
    text = {"symbols": make.text, "changes": {("found", 0): torch.neg}}
    yield "LanguageModel.forward", make.writer, text | {"cache": make.writer.empty(2)}
    yield "LanguageModel.empty", make.writer.empty, {"batch": 2}
    patching, reading = found["patching"], {"model": make.writer}

    def changed(function, **given):
        return lambda **odd: make.writer(make.text, changes=function(**given, **odd))

    one = changed(lambda by: patching.heads_replaced(make.writer, [(1, 2)], {("found", 1): by}))
    yield "heads_replaced, forward", one, {"by": torch.ones(2, 3, 4, 4)}
    one = changed(lambda there, at: patching.exchanged_at({("residual", 1): there}, at))
    at = torch.tensor([True, False, True, False])
    yield "exchanged_at, forward", one, {"there": torch.ones(2, 4, 12), "at": at}
    one = changed(patching.position_hidden, **reading, blocks=[1])
    yield "position_hidden, forward", one, {"position": 1}
    one = changed(patching.taken_out, **reading, head=(0, 2), part="for keys", blocks=[1])
    yield "taken_out, forward", one, {"by": torch.ones(2, 3, 4, 4)}
    if importlib.util.find_spec("tokenizers"):
        letters = {"symbols": ["a", "b", "ab"], "merges": ["a b"]}
        yield "Text", found["models.language_file"].Text, letters
        text = found["models.language_file"].Text(**letters)
        yield "Text.read", text.read, {"text": "abba"}
        yield "Text.write", text.write, {"symbols": torch.tensor([2, 0])}
        yield "Text.pieces", text.pieces, {"symbols": torch.tensor([2, 0])}
    yield "Settings.rate", found["training"].Settings().rate, {"step": 1, "steps": 3}


class Examples:
    """The arguments of which usual calls are made."""

    def __init__(self, found):
        self.scores = torch.randn(BATCH, TARGET, SOURCE)
        self.weights = self.scores.softmax(dim=-1)
        self.queries, self.keys = (
            torch.randn(BATCH, TARGET, QUERY),
            torch.randn(BATCH, SOURCE, QUERY),
        )
        self.parts = {"queries": self.queries, "keys": self.keys, "values": self.keys}
        positive = torch.rand(BATCH, SOURCE, QUERY) + 0.1
        self.written = {"keys": positive / positive.norm(dim=-1, keepdim=True), "values": self.keys}
        self.sequence = self.written | {"queries": positive}
        self.lists = found["tasks.recall"].draw(2, 0, 3)
        self.states = torch.randn(BATCH, SOURCE, QUERY, requires_grad=True)
        self.losses = self.states.pow(2).sum(dim=(1, 2)).unsqueeze(1)
        graph = found["gradients"].translator_graph(2, 2, True)
        self.ends = {"graph": graph, "start": ("h", 1), "end": ("L", 2)}
        self.letters = found["tasks.vocabulary"].Vocabulary("abc")
        self.pairs = [found["tasks.reversal"].render(text, "copy") for text in ("abc", "ab", "cab")]
        self.corpus = found["tasks.corpus"].Corpus(self.pairs, self.letters, self.letters)
        self.number = found["tasks.numbers"].render(81, "de")
        self.name = found["tasks.names"].render(["Denmark", "Swiss Franc"])
        self.typo = found["tasks.typos"].render("cake", "deletion", 1)
        self.substitution = found["tasks.typos"].render("cake", "substitution", 0, "p")
        self.pointer = found["models.pointer"].PointerReader(7, 2, 3).eval()
        self.glimpse = found["models.glimpse"].GlimpseReader(state_size=3).eval()
        kinds = {"one_look": ("MaskReader", "AverageReader", "MaxReader")}
        kinds |= {"hard_look": ("HardReader",), "gaussian_look": ("GaussianReader",)}
        self.lookers = {
            name: getattr(found[f"models.{module}"], name)().eval()
            for module, names in kinds.items()
            for name in names
        }
        self.pixels, self.digits = torch.rand(BATCH, 8, 12), torch.tensor([[3], [0]])
        language = found["models.language_model"]
        sizes = {"symbols": 7, "blocks": 2, "size": 12, "heads": 3, "groups": 1, "hidden_size": 5}
        self.writer = language.LanguageModel(language.Shape(**sizes)).eval()
        self.text = torch.tensor([[3, 1, 4, 1], [5, 2, 6, 5]])
        self.design = found["models.transformer_blocks"].Design(size=4, heads=2, hidden_size=3)
        day = datetime.date(2005, 4, 3)
        self.order = found["tasks.date_order"].render(day, "en_US", "full")
        self.date = found["tasks.dates"].render(day, "de", "long")
        self.writing = found["tasks.date_noise"].Writing.of(day, "en_US", "long")
        sizes = {"embedding_size": 2, "encoder_size": 3, "state_size": 6}
        self.model = found["models.translator"].bahdanau(7, 7, **sizes).eval()
        self.read = {
            "sources": torch.tensor([[4, 5, 6], [4, 5, 0]]),
            "lengths": torch.tensor([3, 2]),
        }
        self.memory = self.model.read(*self.read.values())


# Called only by `apply_noise`, `as_typed` and `everyday_pairs`, which check their arguments
HABITS = ("tasks.date_noise.", "tasks.date_everyday.")
# Too slow to be called hundreds of times, or covered by others in this list
LEFT_OUT = {
    "models.language_file.load",  # which other tests give damaged files
    "tasks.date_ceiling.ceiling",
    "tasks.date_ceiling.american_ceilings",
    "models.decoder.expect_inputs",
    "models.decoder.last_place",
    "models.decoder.real_lengths",
    "models.one_look.expect_digits",
    "training.adamw",
    "training.descend",
    "training.loss_on",
    "training.train",
    "training.teacher_forced_loss",
}


def missing(called):
    """Public functions of the modules that have no usual call."""
    for module in MODULES:
        names = vars(importlib.import_module(f"attn_course.{module}")).items()
        for name, value in names:
            own = getattr(value, "__module__", "") == f"attn_course.{module}"
            if own and inspect.isfunction(value) and not name.startswith("_"):
                full = f"{module}.{name}"
                if full not in called | LEFT_OUT and not full.startswith(HABITS):
                    yield full


def is_finite(value):
    """Whether no number in a result is NaN or infinite."""
    if isinstance(value, torch.Tensor):
        return not value.is_floating_point() or bool(value.isfinite().all())
    if isinstance(value, np.ndarray):
        return value.dtype.kind != "f" or bool(np.isfinite(value).all())
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list | tuple | set):
        return all(map(is_finite, value))
    return not isinstance(value, dict) or all(map(is_finite, value.values()))


@functools.cache
def first_of(function):
    """The names of the arguments that are positional only."""
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY]


def call(function, arguments):
    """Call a function with arguments by name; positional-only arguments come first."""
    by_place = [name for name in first_of(function) if name in arguments]
    by_name = {name: value for name, value in arguments.items() if name not in by_place}
    return function(*(arguments[name] for name in by_place), **by_name)


def fault_of(function, arguments, may_refuse=True):
    """What is wrong with the result of a call; None if all is well."""
    try:
        result = call(function, arguments)
        if inspect.isgenerator(result):
            result = list(result)
    except (ValueError, TypeError) as error:
        return None if may_refuse and str(error) else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:90]}"
    return None if is_finite(result) else "a result that is not finite"


def faults(every):
    """Each call with a bad result, as a line; of the odd calls, one in ``every`` is made."""
    number = 0
    for name, function, arguments in usual_calls():
        if wrong := fault_of(function, arguments, may_refuse=False):
            yield f"{name} as usual: {wrong}"
        for changed in arguments:
            for odd in odd_values():
                number += 1
                if number % every == 0 and (
                    wrong := fault_of(function, arguments | {changed: odd})
                ):
                    shown = " ".join(repr(odd).split())[:60]
                    yield f"{name}({changed}={shown}): {wrong}"


def of_another_type():
    """Whole numbers that are refused if they are NumPy's, and truth values taken for numbers."""
    for name, function, arguments in usual_calls():
        for changed, usual in arguments.items():
            several = type(usual) in (tuple, list) and {type(each) for each in usual} == {int}
            if type(usual) is not int and not several:
                continue
            other = list(map(np.int64, usual)) if several else np.int64(usual)
            if wrong := fault_of(function, arguments | {changed: other}, False):
                yield f"{name}({changed}={other!r}): {wrong}"
            with contextlib.suppress(ValueError, TypeError):
                call(function, arguments | {changed: [True] if several else True})
                yield f"{name}({changed}=True): taken for a number"


def main(every=1, enforced=False):
    """Print all faults, one per line; return whether there is none."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):  # a claim prints its sentence
            # signatures, where they are enforced, take plain ints only
            others = () if enforced else of_another_type()
            found = [*faults(every), *others]
    print(*found, sep="\n")
    return not found


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
