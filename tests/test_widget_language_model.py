"""The language model in JavaScript, run by Node, and the same file read by Python.

The page multiplies in WebAssembly where it can (``wide``), and else in JavaScript.
"""

import base64
import json
import random
import struct
import unicodedata
from pathlib import Path

import in_node
import numpy as np
import pytest
import torch

pytest.importorskip("gguf")
pytest.importorskip("tokenizers")

from gguf import GGMLQuantizationType
from gguf.quants import dequantize
from small_language_file import BLOCKS, HEADS, PROSE, write
from sweeps import every

from attn_book.site.node import assembled
from attn_course.interventions import hidden
from attn_course.models.language_file import Text, load, model_file
from attn_course.patching import exchanged_at, heads_replaced, recorded, together

ROOT = Path(__file__).resolve().parents[1]
pytestmark = in_node.needs_node

ASK = """
import { openAsBlob } from "node:fs";
const [file, assembled] = words;
const wide = assembled && (await WebAssembly.compile(Buffer.from(assembled, "base64")));
const { emptyCache, forward, logits, openModel, silenced, exchanged } = module;
const blob = await openAsBlob(file);
const model = await openModel(blob.stream(), blob.size, undefined, wide);

function run(parts, changes) {
  const cache = emptyCache(model);
  const weights = [];
  const look = { weights: (b, i, h, row) => weights.push([b, i, h, [...row]]) };
  const vectors = parts.flatMap((part) => forward(model, part, cache, { ...look, ...changes }));
  return { cache, weights, logits: vectors.map((vector) => [...logits(model, vector)]) };
}

const answers = asked.runs.map(({ parts, heads, instead, swap }) => {
  const changes = heads
    ? silenced(model, heads, instead && ((b, h) => Float32Array.from(instead[`${b} ${h}`])))
    : swap && exchanged(swap, run([swap.symbols], {}).cache);
  const { logits, weights } = run(parts, changes);
  return { logits: asked.last ? logits.slice(-1) : logits, weights };
});
const texts = asked.texts.map((text) => {
  const symbols = model.text.read(text);
  return { symbols, pieces: model.text.pieces(symbols), written: model.text.write(symbols) };
});
console.log(JSON.stringify({ answers, texts }));
"""


def process(folder, path, wide="", runs=(), texts=(), last=False):
    tasks = {"runs": list(runs), "texts": list(texts), "last": last}
    return in_node.process(folder, "language_model", ASK, tasks, path, wide)


def answered(*arguments, **tasks):
    ran = process(*arguments, **tasks)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture(params=["plain", "wide"])
def wide(request) -> str:
    """packed.wat, assembled, or nothing."""
    if request.param == "plain":
        return ""
    if not (ROOT / "node_modules").exists():
        pytest.skip("needs `npm ci`, which `make book` runs")
    return assembled(ROOT, in_node.SHARED / "packed.wat")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    return write(tmp_path_factory.mktemp("model") / "small.gguf")


PRODUCTS = """
const { placed, product, rowOf } = module;
const [assembled] = words;
const wide = assembled && (await WebAssembly.compile(Buffer.from(assembled, "base64")));
const placedAt = placed(asked, wide);
placedAt.forEach(({ bytes }, m) => bytes.set(Buffer.from(asked[m].packed, "base64")));
const answers = placedAt.map((matrix, m) => {
  const vectors = asked[m].vectors.map((vector) => Float32Array.from(vector));
  const rows = Array.from({ length: matrix.rows }, (_, r) => [...rowOf(matrix, r)]);
  return { rows, products: product(matrix, vectors).map((vector) => [...vector]) };
});
console.log(JSON.stringify(answers));
"""
MATRICES = [  # kind, rows, columns, vectors
    *[("Q4_1", 124, 32, 9), ("Q4_1", 62, 352, 8), ("Q4_1", 31, 96, 19)],
    *[("Q8_0", 62, 32, 3), ("Q8_0", 31, 416, 9), ("Q8_0", 93, 224, 1), ("Q4_1", 31, 64, 1)],
    *[("F32", 3, 7, 5), ("F32", 1, 33, 1)],
]


def test_products_are_those_of_the_unpacked_weights(tmp_path, wide):
    """Halves are of all sizes, each row's of one: what is small would be lost beside the large."""
    rng = np.random.default_rng(11)
    tasks, expected = [], []
    for name, rows, columns, count in MATRICES:
        kind = GGMLQuantizationType[name]
        packs, halves = columns // 32, {"Q4_1": 2, "Q8_0": 1, "F32": 0}[name]
        if halves:
            bytes_ = rng.integers(0, 256, (rows, packs, {2: 20, 1: 34}[halves]), np.uint8)
            high = bytes_[:, :, 1 : 2 * halves : 2]
            high[...] = high & 0x83 | (np.arange(rows) % 31 << 2)[:, None, None].astype(np.uint8)
            bytes_ = bytes_.reshape(rows, -1)
        else:
            bytes_ = rng.normal(size=(rows, columns)).astype(np.float32).view(np.uint8)
        weights = dequantize(bytes_, kind).astype(float).reshape(rows, columns)
        vectors = rng.normal(size=(count, columns)).astype(np.float32)
        vectors[2:3] = 0  # as where all heads are silenced
        packed = base64.b64encode(bytes_.tobytes()).decode()
        sizes = {"rows": rows, "columns": columns, "kind": int(kind)}
        tasks.append({**sizes, "packed": packed, "vectors": vectors.tolist()})
        expected.append((weights, vectors.astype(float)))
    products = in_node.answer(tmp_path, "packed", PRODUCTS, tasks, wide)
    for (weights, vectors), one in zip(expected, products, strict=True):
        np.testing.assert_allclose(one["rows"], weights, rtol=1e-6)
        wrong = np.abs(one["products"] - vectors @ weights.T)
        assert (wrong <= 1e-6 * (np.abs(vectors) @ np.abs(weights.T))).all()


SYMBOLS = [3, 1, 4, 1, 5, 9, 2, 6, 503, 35, 8, 9, 79]
OTHER = [2, 7, 1, 8, 281, 8, 2, 8, 4, 59, 0, 45, 23]


def logits_of(model, symbols, changes=None) -> np.ndarray:
    with torch.no_grad():
        return model(torch.tensor([symbols]), changes=changes).logits[0].numpy()


@pytest.mark.parametrize("own_readout", [False, True])
def test_it_reads_as_python_reads_with_and_without_a_cache(tmp_path, own_readout, wide):
    path = write(tmp_path / "model.gguf", own_readout=own_readout)
    model, *_ = load(path)
    cuts = [[SYMBOLS], [SYMBOLS[:5], SYMBOLS[5:6], SYMBOLS[6:]], [[symbol] for symbol in SYMBOLS]]
    answers = answered(tmp_path, path, wide=wide, runs=[{"parts": parts} for parts in cuts])[
        "answers"
    ]
    expected = logits_of(model, SYMBOLS)
    assert np.abs(expected).max() > 3  # far from even, so every part matters
    for one in answers:
        np.testing.assert_allclose(one["logits"], expected, atol=2e-4)


def test_the_weights_of_all_heads_are_handed_out(tmp_path, small, wide):
    model, *_ = load(small)
    symbols = torch.tensor([SYMBOLS])
    expected = recorded(model, symbols, [("weights", b) for b in range(BLOCKS)])
    [reply] = answered(tmp_path, small, wide=wide, runs=[{"parts": [SYMBOLS]}])["answers"]
    assert len(reply["weights"]) == BLOCKS * HEADS * len(SYMBOLS)
    for b, i, h, row in reply["weights"]:
        np.testing.assert_allclose(row, expected["weights", b][0, h, i, : i + 1], atol=1e-5)


def test_heads_are_silenced_as_python_silences_them(tmp_path, small, wide):
    model, *_ = load(small)
    heads, symbols = [(0, 5), (2, 1), (2, 4)], torch.tensor([SYMBOLS])
    means = recorded(model, symbols, [("found", 0), ("found", 2)])
    means = {place: part.mean((0, 2), keepdim=True) for place, part in means.items()}
    instead = {f"{b} {h}": means["found", b][0, h, 0].tolist() for b, h in heads}
    runs = [{"parts": [SYMBOLS], "heads": heads}]
    runs += [{"parts": [SYMBOLS], "heads": heads, "instead": instead}]
    zero, mean = answered(tmp_path, small, wide=wide, runs=runs)["answers"]
    for reply, by in ((zero, None), (mean, means)):
        changes = together(heads_replaced(model, heads, by))
        np.testing.assert_allclose(reply["logits"], logits_of(model, SYMBOLS, changes), atol=2e-4)
    assert np.abs(np.subtract(zero["logits"], mean["logits"])).max() > 0.01


def test_values_are_swapped_as_python_swaps_them(tmp_path, small, wide):
    model, *_ = load(small)
    parts = recorded(model, torch.tensor([OTHER]), [("values", b) for b in range(BLOCKS)])
    chosen = torch.arange(len(SYMBOLS)) == 4
    for start in range(BLOCKS + 1):
        swap = {"position": 4, "symbols": OTHER, "from": start}
        [reply] = answered(tmp_path, small, wide=wide, runs=[{"parts": [SYMBOLS], "swap": swap}])[
            "answers"
        ]
        places = [("values", b) for b in range(start, BLOCKS)]
        changes = exchanged_at({place: parts[place] for place in places}, chosen)
        np.testing.assert_allclose(reply["logits"], logits_of(model, SYMBOLS, changes), atol=2e-4)


# ---- text

SPACES = " \n\t\r\x0b\x85\xa0\u200b\u2009\u3000\ufeff\u2028"
SIGNS = "'’-_.,;:!?()[]{}«»…€$%&@#*+=<>/\\|~^`\"\x00\x7f\xad\u0301\u0308\u200d\ufe0f"
NUMBERS = "0123456789²½Ⅷ٣৪๗零〇𝟙"
PIECES = ["'s", "'ll", "'RE", " the", "don't", "  ", "\r\n", "\U0001f469\u200d\U0001f52c", "été"]


def random_texts(count: int) -> list[str]:
    """Texts of all kinds of characters that Python knows, so as to be the same for any version."""
    rng = random.Random(5)

    def anything() -> str:
        while unicodedata.category(sign := chr(rng.randrange(0x20, 0x2FA1E))) in ("Cs", "Cn", "Co"):
            pass
        return sign

    kinds = [
        lambda: rng.choice("etaoinshrdluETA"),
        lambda: rng.choice(SPACES),
        lambda: rng.choice(" "),
        lambda: rng.choice(SIGNS),
        lambda: rng.choice(NUMBERS),
        lambda: rng.choice(PIECES),
        anything,
    ]
    return ["".join(rng.choice(kinds)() for _ in range(rng.randrange(1, 30))) for _ in range(count)]


def texts_agree(text: Text, texts: list[str], results: list[dict]) -> None:
    for typed, one in zip(texts, results, strict=True):
        symbols = text.read(typed)[0]
        assert one["symbols"] == symbols.tolist(), typed
        assert one["pieces"] == text.pieces(symbols), typed
        assert one["written"] == text.write(symbols), typed


def test_texts_have_the_symbols_that_they_have_in_python(tmp_path, small):
    texts = [*random_texts(500), PROSE.read_text("utf-8"), "12:34 a  7 \n\n 8"]
    texts_agree(load(small).text, texts, answered(tmp_path, small, texts=texts)["texts"])


# ---- what cannot be read


def refusal(folder, path, **tasks) -> str:
    ran = process(folder, path, **tasks)
    assert ran.returncode
    return ran.stderr


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path, small):
    whole, cut = small.read_bytes(), tmp_path / "cut.gguf"
    for length in (0, 3, 7, 23, 100, 5_000, len(whole) // 2, len(whole) - 1_000):
        cut.write_bytes(whole[:length])
        assert "This file is cut off" in refusal(tmp_path, cut)


FOREIGN = [
    (lambda whole: b"PK\x03\x04" + whole[4:], "This is no GGUF file"),
    (lambda whole: whole[:4] + struct.pack("<I", 2) + whole[8:], "This is GGUF 2; only"),
    (lambda whole: whole.replace(b"llama", b"gemma", 1), "must be “llama”; this file says “"),
    (lambda whole: whole.replace(b"gpt2", b"bert", 1), "must be “gpt2”; this file says “bert”"),
    (lambda whole: whole.replace(b"smollm", b"qwen-2", 1), "must be “smollm”"),
    (lambda whole: whole[:8] + struct.pack("<Q", 2**60) + whole[16:], "cut off|unknown way"),
    (lambda whole: whole.replace(b"ggml.tokens", b"ggml.tokons", 1), "lists no tokens"),
    (lambda whole: whole[:24] + struct.pack("<Q", 2**60) + whole[32:], "cut off"),
]


@pytest.mark.parametrize(("change", "words"), FOREIGN)
def test_a_foreign_file_is_refused(tmp_path, small, change, words):
    foreign = tmp_path / "foreign.gguf"
    foreign.write_bytes(change(small.read_bytes()))
    assert any(f"{part}" in refusal(tmp_path, foreign) for part in words.split("|"))


OTHERS = [
    ({"without": ["blk.1.attn_k"]}, "This file misses the weights blk.1.attn_k"),
    ({"facts": {"block_count": 2}}, "This file has blk.2."),
    ({"facts": {"feed_forward_length": 64}}, "blk.0.ffn_gate.weight must have 64 times 192"),
    ({"facts": {"attention.head_count": 5}}, "192 entries, 5 heads and 2 groups do not divide"),
    ({"facts": {"rope.scaling.factor": 4}}, "stretches its positions"),
]


@pytest.mark.parametrize(("changes", "words"), OTHERS)
def test_another_model_is_refused(tmp_path, changes, words):
    assert words in refusal(tmp_path, write(tmp_path / "other.gguf", **changes))


def test_impossible_symbols_are_refused(tmp_path, small):
    for symbols, words in [
        ([], "There must be a symbol to read"),
        ([700], "Symbols are numbers from 0 to 699"),
        ([1] * 41, "reads 40 symbols at most, not 41"),
    ]:
        assert words in refusal(tmp_path, small, runs=[{"parts": [symbols]}])


# ---- the real one

TEXTS = [
    "The capital of France is",
    "def add(a, b):\n    return a +",
    "In 1969, 3 people flew 384,400 km; «naïve»?",
    "Attention is a weighted average of values. Attention is a weighted",
    "日本の首都は",
]


@pytest.fixture(scope="module")
def real():
    """The file, how it reads texts, some texts' symbols, and the logits after each of them."""
    try:
        path = model_file()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    model, text, _ = load(path)
    ids = [text.read(string)[0].tolist() for string in every(4, TEXTS)]
    return path, text, ids, [logits_of(model, symbols)[-1] for symbols in ids]


@pytest.mark.slow
def test_the_real_file_gives_what_python_gives(tmp_path, wide, real):
    path, text, ids, logits = real
    random = random_texts(300)
    runs = [{"parts": [part]} for part in ids]
    results = answered(tmp_path, path, wide=wide, runs=runs, texts=random, last=True)
    for one, expected in zip(results["answers"], logits, strict=True):
        np.testing.assert_allclose(one["logits"][0], expected, atol=1e-3)
    texts_agree(text, random, results["texts"])


HIDE = """
const rows = asked.map((row) => Float32Array.from(row));
for (const row of rows) module.hidden({ position: 1 }).weights(0, 2, 0, row);
console.log(JSON.stringify(rows.map((row) => [...row])));
"""


def test_what_hides_a_position_with_nearly_all_weight_loses_no_digits(tmp_path):
    scores = np.random.default_rng().normal(size=(7, 3)) + np.array([[0, 30, 0]])
    rows = torch.softmax(torch.tensor(scores), -1).float()
    rows = torch.cat([rows, torch.tensor([[0.0, 1.0, 0.0]])])
    there = in_node.answer(tmp_path, "language_model", HIDE, rows.tolist())
    places = torch.tensor([False, True, False]).expand(1, *rows.shape)
    np.testing.assert_allclose(there, hidden(rows[None], places)[0], rtol=1e-6)
