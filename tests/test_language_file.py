"""Files of language models: small ones as written here, and damaged ones.

A small file has the 256 symbols of the bytes, four that merges make, and one that nothing makes.
"""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_course.models.language_file import Text, load
from attn_course.models.language_model import LanguageModel, Shape

pytestmark = pytest.mark.slow

gguf = pytest.importorskip("gguf")
tokenizers = pytest.importorskip("tokenizers")
write_file = pytest.importorskip("small_language_file").write_file

MERGES = ["a b", "ab c", "Ġ d", "Ã ¼"]
MARK = "<|im_start|>"
SYMBOLS = [
    *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
    *(merge.replace(" ", "") for merge in MERGES),
    MARK,
]
SHAPE = Shape(
    symbols=len(SYMBOLS), blocks=2, size=64, heads=4, groups=2, hidden_size=96, base=53.0,
    epsilon=0.25, longest=29,
)  # fmt: skip
PARTS = {
    "attn_norm": "norm",
    "attn_q": "query_projection",
    "attn_k": "key_projection",
    "attn_v": "value_projection",
    "attn_output": "output_projection",
    "ffn_norm": "network_norm",
    "ffn_gate": "network.gate",
    "ffn_up": "network.up",
    "ffn_down": "network.down",
}
FACTS = {
    "llama.block_count": 2,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "llama.feed_forward_length": 96,
    "llama.rope.freq_base": 53.0,
    "llama.rope.dimension_count": 16,
    "llama.attention.layer_norm_rms_epsilon": 0.25,
    "llama.context_length": 29,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "smollm",
    "tokenizer.ggml.tokens": SYMBOLS,
    "tokenizer.ggml.merges": MERGES,
}


def a_model(own_readout: bool = False, shape: Shape = SHAPE) -> LanguageModel:
    model = LanguageModel(shape, own_readout).eval().requires_grad_(False)
    generator = torch.Generator().manual_seed(7)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4, generator=generator)
    return model


def weights_of(model: LanguageModel) -> dict[str, np.ndarray]:
    """The weights by their names in a file."""
    named = {name: value.numpy() for name, value in model.named_parameters()}
    result = {
        "token_embd.weight": named["embedding.weight"],
        "output_norm.weight": named["norm.weight"],
    }
    if "readout.weight" in named:
        result["output.weight"] = named["readout.weight"]
    for block in range(model.shape.blocks):
        for there, here in PARTS.items():
            result[f"blk.{block}.{there}.weight"] = named[f"blocks.{block}.{here}.weight"]
    assert len(result) == len(named)
    return result


def write(path: Path, weights=None, facts=None, architecture="llama", kind=None) -> Path:
    """A file of these weights and facts; matrices in the quantisation ``kind``."""
    facts = {key: value for key, value in (FACTS | (facts or {})).items() if value is not None}
    weights = weights_of(a_model()) if weights is None else weights
    return write_file(
        path, facts, weights, lambda _, value: None if value.ndim == 1 else kind, architecture
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "small.gguf"


def some_symbols() -> torch.Tensor:
    return torch.randint(SHAPE.symbols, (2, 11))


# ---- what is read is what was written


@pytest.mark.parametrize("own_readout", [False, True])
def test_a_model_comes_back_as_it_was(path: Path, own_readout: bool):
    model = a_model(own_readout)
    loaded, _, digest = load(write(path, weights_of(model)))
    assert loaded.shape == SHAPE
    assert (loaded.readout.weight is loaded.embedding.weight) == (not own_readout)
    assert not loaded.training
    assert not any(parameter.requires_grad for parameter in loaded.parameters())
    assert len(digest) == 64
    symbols = some_symbols()
    torch.testing.assert_close(loaded(symbols).logits, model(symbols).logits, rtol=0, atol=0)
    before = digest
    assert load(write(path, weights_of(a_model(not own_readout)))).digest != before


def test_without_them_heads_are_not_shared_and_the_base_is_that_of_the_paper(path: Path):
    shape = Shape(**{**vars(SHAPE), "groups": 4, "base": 10_000.0})
    left_out = ("attention.head_count_kv", "rope.freq_base", "rope.dimension_count")
    facts = {f"llama.{key}": None for key in left_out}
    assert load(write(path, weights_of(a_model(shape=shape)), facts)).model.shape == shape


@pytest.mark.parametrize("kind", ["Q8_0", "Q4_1", "F16", "BF16"])
def test_fewer_bits_are_read_as_the_numbers_they_stand_for(path: Path, kind: str):
    kind = gguf.GGMLQuantizationType[kind]
    weights = weights_of(a_model())
    model = load(write(path, weights, kind=kind)).model
    rounded = {
        name: weight if weight.ndim == 1 else
        gguf.quants.dequantize(gguf.quants.quantize(weight, kind), kind)
        for name, weight in weights.items()
    }  # fmt: skip
    assert not np.array_equal(rounded["token_embd.weight"], weights["token_embd.weight"])
    other = load(write(path.with_name("rounded.gguf"), rounded)).model
    for here, there in zip(model.parameters(), other.parameters(), strict=True):
        assert here.dtype == torch.float32
        assert torch.equal(here, there)


# ---- what is refused


def refused(path: Path, words: str) -> str:
    with pytest.raises(ValueError, match=words) as error:
        load(path)
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__ or error.value.__context__ is None
    assert path.name in str(error.value)
    return str(error.value)


def test_a_file_that_is_cut_off(path: Path):
    whole = write(path).read_bytes()
    assert load(path)
    generator = np.random.default_rng(0)
    for end in (0, 3, 4, 7, 8, 23, 24, *generator.integers(25, len(whole) - 1, 60)):
        path.write_bytes(whole[:end])
        why = f"it ends after {end} bytes" if end else ""  # of an empty one, the system says it
        refused(path, f"small.gguf is no whole GGUF file: {why}")


@pytest.mark.parametrize("content", [b"", b"not a model, but a letter\n" * 9, b"GGUF", bytes(999)])
def test_a_file_that_is_something_else(path: Path, content: bytes):
    path.write_bytes(content)
    refused(path, "small.gguf is no whole GGUF file: ")


HEAD = 4_384  # bytes: all that stands before the weights of a small file


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, HEAD), st.integers(0, 255)), min_size=1, max_size=4))
@pytest.mark.slow
def test_a_damaged_file_is_read_or_refused(tmp_path_factory, damage: list[tuple[int, int]]):
    path = tmp_path_factory.getbasetemp() / "damaged.gguf"
    content = bytearray(whole_file(tmp_path_factory))
    for place, value in damage:
        content[place] = value
    path.write_bytes(content)
    try:
        load(path)
    except ValueError as error:
        assert path.name in str(error)  # noqa: PT017 (it may be read as well)


def whole_file(tmp_path_factory) -> bytes:
    path = tmp_path_factory.getbasetemp() / "whole.gguf"
    return (path if path.exists() else write(path)).read_bytes()


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"tokenizer.ggml.model": "llama"}, "tokenizer.ggml.model must be 'gpt2'; got 'llama'"),
        ({"tokenizer.ggml.model": None}, "tokenizer.ggml.model must be .* str; got nothing"),
        ({"tokenizer.ggml.pre": "qwen2"}, "tokenizer.ggml.pre must be 'smollm'; got 'qwen2'"),
        ({"tokenizer.ggml.tokens": None}, "tokenizer.ggml.tokens must be .* list; got nothing"),
        ({"tokenizer.ggml.merges": "a b"}, "tokenizer.ggml.merges must be .* list; got 'a b'"),
        ({"tokenizer.ggml.merges": ["a b c"]}, "the merges must join two symbols each"),
        ({"tokenizer.ggml.merges": ["a"]}, "the merges must join two symbols each"),
        ({"tokenizer.ggml.tokens": [*SYMBOLS, "a"]}, "1 of the symbols come"),
        ({"tokenizer.ggml.tokens": [1, 2]}, r"symbols\[0\] must be a string; got 1"),
        ({"llama.rope.scaling.type": "yarn"}, r"stretches its positions \(llama.rope.scaling.type"),
        ({"llama.rope.dimension_count": 8}, "turns 8 of the 16 entries of a head, not all"),
        ({"llama.block_count": None}, "llama.block_count must be .* int; got nothing"),
        ({"llama.block_count": "two"}, "llama.block_count must be of the type int; got 'two'"),
        ({"llama.block_count": 3_000_000_000}, "says 3000000000 blocks, and has 20 weights"),
        ({"llama.block_count": 3}, "misses the weight blocks.2.key_projection.weight .9 in all"),
        ({"llama.block_count": 1}, "does not know, the weight blocks.1.key_proj.* .9 in all"),
        ({"llama.block_count": 0}, "blocks must be a whole number, 1 or more; got 0"),
        ({"llama.attention.head_count_kv": 3}, "heads must be a multiple of groups; got 4 and 3"),
        ({"llama.attention.head_count_kv": [2, 1]}, r"head_count_kv must .* int; got \[2, 1\]"),
        ({"llama.feed_forward_length": 95}, r"network.gate.* must be \(95, 64\); got \(96, 64\)"),
        ({"llama.rope.freq_base": 0.0}, "base must be a number above 0; got 0.0"),
        ({"llama.rope.freq_base": math.nan}, "base must be a number; got NaN"),
        ({"llama.attention.layer_norm_rms_epsilon": None}, "epsilon must be .* float; got nothing"),
    ],
    ids=str,
)  # fmt: skip
def test_facts_that_are_refused(path: Path, facts, words: str):
    refused(write(path, facts=facts), words)


def test_another_architecture(path: Path):
    refused(write(path, architecture="qwen2"), "architecture must be 'llama'; got 'qwen2'")


def test_weights_that_are_refused(path: Path):
    weights = weights_of(a_model())
    less = {name: weight for name, weight in weights.items() if name != "blk.1.ffn_up.weight"}
    refused(write(path, less), r"misses the weight blocks.1.network.up.weight \(1 in all\)")
    more = weights | {"blk.0.attn_q.bias": np.zeros(64, np.float32)}
    refused(write(path, more), r"does not know, the weight blocks.0.query_projection.bias \(1 in")
    turned = weights | {"blk.0.attn_k.weight": np.zeros((64, 32), np.float32)}
    refused(write(path, turned), r"key_projection.weight .* must be \(32, 64\); got \(64, 32\)")


def test_bits_that_gguf_does_not_read(path: Path, monkeypatch: pytest.MonkeyPatch):
    write(path)

    def not_yet(*_):
        raise NotImplementedError("Dequantization for X is not yet implemented")

    monkeypatch.setattr(gguf.quants, "dequantize", not_yet)
    refused(path, "token_embd.weight in small.gguf cannot be read: Dequantization for X")


# ---- where it is


@pytest.mark.parametrize("name", ["", "nothing.gguf"])
def test_no_file_at_a_path(tmp_path: Path, name: str):
    with pytest.raises(FileNotFoundError, match=r"path must be the path of a file; got '.*'"):
        load(tmp_path / name)


def test_the_path_in_the_environment(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ATTN_MODEL", str(write(path)))
    assert load().model.shape == SHAPE


@pytest.mark.parametrize("name", ["gguf", "tokenizers"])
def test_no_package_that_reads_it(path: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    write(path)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=f"{name} reads the model, and .*: pip install"):
        load(path)


# ---- text

SMALL = Text(SYMBOLS, MERGES)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back(text: str):
    symbols = SMALL.read(text)
    assert symbols.shape[0] == 1
    assert SMALL.write(symbols[0]) == text
    if text.isascii():
        assert "".join(SMALL.pieces(symbols[0])) == text


def test_pieces():
    for text, pieces in {
        "abcd abc d": ["abc", "d", " ", "abc", " d"],
        "19.3.05": list("19.3.05"),
        "abab\n": ["ab", "ab", "\n"],
        "üß": ["ü", "\N{REPLACEMENT CHARACTER}", "\N{REPLACEMENT CHARACTER}"],
        MARK: list(MARK),
    }.items():
        assert SMALL.pieces(SMALL.read(text)[0]) == pieces
    assert SMALL.pieces(torch.tensor([len(SYMBOLS) - 1])) == [MARK]
    assert SMALL.pieces(torch.zeros(0, dtype=torch.long)) == []
    assert SMALL.write(torch.zeros(0, dtype=torch.long)) == ""


def test_digits_are_never_merged():
    merged = Text([*SYMBOLS, "12", "a1"], [*MERGES, "1 2", "a 1"])
    assert merged.pieces(merged.read("a12 12")[0]) == ["a", "1", "2", " ", "1", "2"]


def test_text_that_cannot_be_read():
    with pytest.raises(ValueError, match="the text must have a symbol; got ''"):
        SMALL.read("")
    with pytest.raises(ValueError, match=r"no symbols for '\\ud800' in the text"):
        SMALL.read("a\ud800b")
    without_x = Text([symbol for symbol in SYMBOLS if symbol != "x"], MERGES)
    with pytest.raises(ValueError, match="no symbols for 'x' in the text"):
        without_x.read("an ax")
    assert without_x.write(without_x.read("a bc")[0]) == "a bc"


@pytest.mark.parametrize("number", [-1, len(SYMBOLS)])
def test_a_number_that_is_no_symbol(number: int):
    for function in (SMALL.write, SMALL.pieces):
        with pytest.raises(ValueError, match=f"from 0 to 260; got {min(3, number)} to"):
            function(torch.tensor([3, number]))


def test_a_text_longer_than_the_model_reads(path: Path):
    model, text, _ = load(write(path))
    assert model(text.read("x" * 29)).logits.shape == (1, 29, len(SYMBOLS))
    with pytest.raises(ValueError, match="reads 29 positions at most; got 30"):
        model(text.read("x" * 30))
