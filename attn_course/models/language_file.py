"""Trained language models as files: read their weights, and turn text into their symbols.

The file is a GGUF, as llama.cpp and its tools write them. The course uses SmolLM2-135M-Instruct
(Allal et al. 2025) in 4 bits; `attn_course.model_file` says where it is.
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Integer
from torch import Tensor
from torch.overrides import TorchFunctionMode

from attn_course._check import expect_symbols
from attn_course._signature import checked
from attn_course.model_file import model_file
from attn_course.models.language_model import LanguageModel, Shape

PACKAGES = "pip install 'attn-course[model]'"
_OF_BLOCK = {
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
_KNOWN = {
    "general.architecture": "llama",
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "smollm",
}
_OF_MODEL = {"token_embd": "embedding", "output_norm": "norm", "output": "readout"}


class Text:
    """Turn text into the symbols of a language model, and back.

    Bytes are merged by the file's own list, the most frequent pairs first (Sennrich et al. 2016);
    digits are never merged. What looks like one of the model's marks, such as ``<|im_start|>``, is
    read as plain text.

    symbols  each written in letters that stand for bytes, as GPT-2 does (a space is ``Ġ``)
    merges   pairs of symbols with a space between them, such as ``Ġ t``; both, and what they make
             together, are among the symbols; otherwise a ValueError
    """

    @checked
    def __init__(self, symbols: Sequence[str], merges: Sequence[str]):
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        numbers = {symbol: number for number, symbol in enumerate(symbols)}
        if len(numbers) < len(symbols):
            raise ValueError(f"{len(symbols) - len(numbers)} of the symbols come twice")
        pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
        try:
            self._tokenizer = Tokenizer(models.BPE(numbers, pairs))
        except Exception as error:  # tokenizers raises no narrower one
            raise ValueError(f"the merges must join two symbols each: {error}") from None
        self._tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
        )
        self._tokenizer.decoder = decoders.ByteLevel()

    @checked
    def read(self, text: str) -> Integer[Tensor, "1 position"]:
        """The symbols of a text, as a batch of one.

        A text that is empty, or has characters that the symbols cannot write, is a ValueError.
        """
        whole = text.encode(errors="ignore").decode()  # without halves of surrogate pairs
        symbols = self._tokenizer.encode(whole).ids
        if lost := set(text) - set(self._written(symbols)):
            raise ValueError(f"the model has no symbols for {shortened(min(lost))} in the text")
        if not symbols:
            raise ValueError(f"the text must have a symbol; got {text!r}")
        return torch.tensor([symbols])

    @checked
    def pieces(self, symbols: Integer[Tensor, "position"]) -> list[str]:
        """The text of each symbol; of a part of a character, "\N{REPLACEMENT CHARACTER}"."""
        return [self._written([symbol]) for symbol in self._known(symbols)]

    @checked
    def write(self, symbols: Integer[Tensor, "position"]) -> str:
        """The text of all symbols together. A number that is no symbol's is a ValueError."""
        return self._written(self._known(symbols))

    def _known(self, symbols: Tensor) -> list[int]:
        if len(symbols):
            expect_symbols("symbols", symbols, self._tokenizer.get_vocab_size())
        return symbols.tolist()

    def _written(self, symbols: list[int]) -> str:
        return self._tokenizer.decode(symbols, skip_special_tokens=False)


class Loaded(NamedTuple):
    """What a file holds.

    model   in evaluation mode, its weights in float32 and without gradients
    text    turns text into symbols, and back
    digest  the SHA-256 of the file, which results are stored with
    """

    model: LanguageModel
    text: Text
    digest: str


@checked
def load(path: Path | None = None) -> Loaded:
    """Read a model, in some seconds; ``path`` is that of `model_file` unless given.

    Weights of 4 or 8 bits become float32, eight or four times as large in memory. A file that is
    not a GGUF or is cut off, an architecture other than "llama", a tokeniser other than SmolLM's,
    stretched positions, and a weight that is missing, unknown or of another shape are a ValueError
    that says what came. A path that is not a file is a FileNotFoundError. Where a package is
    missing, a ModuleNotFoundError says how to get it.
    """
    for name in ("gguf", "tokenizers"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"{name} reads the model, and is not here: {PACKAGES}")
    path = model_file() if path is None else path
    if not path.is_file():
        raise FileNotFoundError(f"path must be the path of a file; got {str(path)!r}")
    facts, tensors = _read(path)
    text = _text(facts, path.name)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Loaded(_model(tensors, facts, path.name), text, digest)


def _read(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """What a file says about its model, and its weights, which are read when they are used."""
    from gguf import GGUFReader

    class Reader(GGUFReader):
        def _get(self, offset: int, dtype: Any, count: Any = 1, override_order: Any = None) -> Any:
            """A part of the file; the original returns nothing for what is behind its end."""
            if type(self.data) is not np.ndarray:  # parts of a memory map take four times as long
                self.data = self.data.view(np.ndarray)
            if int(offset) + np.dtype(dtype).itemsize * int(count) > len(self.data):
                raise ValueError(f"it ends after {len(self.data)} bytes, in the middle of a value")
            return super()._get(offset, dtype, count, override_order)

    try:
        reader = Reader(path)
        return {name: field.contents() for name, field in reader.fields.items()}, reader.tensors
    except OSError:
        raise
    except Exception as error:  # which one depends on the place of the damage
        raise ValueError(f"{path.name} is no whole GGUF file: {error}") from None


def _text(facts: dict[str, Any], name: str) -> Text:
    """The symbols, if they are of the kind that this course reads."""
    for key, wanted in _KNOWN.items():
        if (value := _fact(facts, name, key, str)) != wanted:
            raise ValueError(f"{name}: {key} must be {wanted!r}; got {shortened(value)}")
    lists = (_fact(facts, name, f"tokenizer.ggml.{key}", list) for key in ("tokens", "merges"))
    try:
        return Text(*lists)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None


def _model(tensors: list[Any], facts: dict[str, Any], name: str) -> LanguageModel:
    """The model with its weights, of which none is missing and none is left over."""
    weights = {_name(tensor.name): tensor for tensor in tensors}
    shape = _shape(facts, name)
    if shape.blocks > len(weights):
        raise ValueError(f"{name} says {shape.blocks} blocks, and has {len(weights)} weights")
    with torch.device("meta"), _NoFirstWeights():  # the file replaces them
        model = LanguageModel(shape, own_readout="readout.weight" in weights)
    wanted = dict(model.named_parameters())
    if different := sorted(wanted.keys() ^ weights.keys()):
        kind = "misses" if different[0] in wanted else "has, and this model does not know,"
        raise ValueError(f"{name} {kind} the weight {different[0]} ({len(different)} in all)")
    for parameter, tensor in weights.items():
        actual, expected = tuple(reversed(tensor.shape.tolist())), tuple(wanted[parameter].shape)
        if actual != expected:
            raise ValueError(f"{parameter} in {name} must be {expected}; got {actual}")
    for parameter, tensor in weights.items():
        weight = torch.nn.Parameter(_weight(tensor, name), requires_grad=False)
        model.get_submodule(parameter.rpartition(".")[0]).weight = weight
    if "readout.weight" not in weights:
        model.readout.weight = model.embedding.weight
    return model.eval()


class _NoFirstWeights(TorchFunctionMode):
    """No weights are drawn; on the device "meta", normal ones would import a compiler first."""

    def __torch_function__(
        self, function: Any, types: Any, arguments: Any = (), options: Any = None
    ) -> Any:
        options = options or {}
        if getattr(function, "__module__", "") == "torch.nn.init":
            return options["tensor"]
        return function(*arguments, **options)


def _weight(tensor: Any, name: str) -> Tensor:
    """The two packings of the course's own file are read here: gguf takes five times as long."""
    from gguf.quants import dequantize

    shape, kind = tensor.shape.tolist()[::-1], tensor.tensor_type.name
    if kind in ("Q4_1", "Q8_0"):
        packs = torch.from_numpy(tensor.data.copy())
        return (_four_bits if kind == "Q4_1" else _eight_bits)(packs).reshape(shape)
    try:
        read = dequantize(tensor.data, tensor.tensor_type)
    except NotImplementedError as error:
        raise ValueError(f"{tensor.name} in {name} cannot be read: {error}") from None
    return torch.from_numpy(read.copy()).float()


def _four_bits(packs: Tensor) -> Tensor:
    """A scale, the least weight, and in 16 bytes the weights at k and k + 16, in steps above it."""
    halves, two = packs.reshape(-1, 20).split([4, 16], dim=1)
    scale, least = halves.contiguous().view(torch.float16).float().split(1, dim=1)
    return torch.cat([two & 15, two >> 4], dim=1).float().mul_(scale).add_(least)


def _eight_bits(packs: Tensor) -> Tensor:
    """A scale, and how often each of 32 weights contains it."""
    half, times = packs.reshape(-1, 34).split([2, 32], dim=1)
    return times.view(torch.int8).float().mul_(half.contiguous().view(torch.float16).float())


def _shape(facts: dict[str, Any], name: str) -> Shape:
    """The sizes, as a file of this architecture gives them."""
    if stretched := [key for key in facts if key.startswith("llama.rope.scaling")]:
        raise ValueError(
            f"{name} stretches its positions ({stretched[0]}), which is not known here"
        )

    def fact(key: str, kind: type = int, otherwise: Any = None) -> Any:
        return _fact(facts, name, f"llama.{key}", kind, otherwise)

    heads = fact("attention.head_count")
    sizes = {
        "symbols": len(facts["tokenizer.ggml.tokens"]),
        "blocks": fact("block_count"),
        "size": fact("embedding_length"),
        "heads": heads,
        "groups": fact("attention.head_count_kv", otherwise=heads),
        "hidden_size": fact("feed_forward_length"),
        "base": fact("rope.freq_base", float, 10_000.0),
        "epsilon": fact("attention.layer_norm_rms_epsilon", float),
        "longest": fact("context_length"),
    }
    try:
        shape = Shape(**sizes)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    turned = fact("rope.dimension_count", otherwise=shape.part)
    if turned != shape.part:
        raise ValueError(f"{name} turns {turned} of the {shape.part} entries of a head, not all")
    return shape


def _fact(facts: dict[str, Any], name: str, key: str, kind: type, otherwise: Any = None) -> Any:
    """What a file says; it must be of this kind, or be absent where there is something else."""
    value = facts.get(key, otherwise)
    if type(value) is not kind:
        text = shortened(value) if key in facts else "nothing"
        raise ValueError(f"{name}: {key} must be of the type {kind.__name__}; got {text}")
    return value


def _name(of_file: str) -> str:
    """``blk.3.attn_q.weight`` -> ``blocks.3.query_projection.weight``; others as they are."""
    first, *rest = of_file.split(".")
    if first == "blk" and len(rest) == 3 and rest[1] in _OF_BLOCK:
        return f"blocks.{rest[0]}.{_OF_BLOCK[rest[1]]}.{rest[2]}"
    return ".".join([_OF_MODEL.get(first, first), *rest])
