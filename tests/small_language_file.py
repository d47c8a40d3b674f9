"""A small language model as a file, packed as real ones are."""

import json
from pathlib import Path

import gguf
import numpy as np
import tokenizers

# sizes that are all different
SIZE, HEADS, GROUPS, HIDDEN, BLOCKS = 192, 6, 2, 96, 3
PROSE = Path(__file__).parent.parent / "README.md"
WITHOUT = "\xc0\xf5"  # bytes for which there is no symbol, as in real files


def symbols_of_prose() -> tuple[list[str], list[str]]:
    """Symbols and merges, learnt from the project's own prose."""
    learnt = tokenizers.Tokenizer(tokenizers.models.BPE())
    learnt.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(False)
    alphabet = sorted(set(tokenizers.pre_tokenizers.ByteLevel.alphabet()) - set(WITHOUT))
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=700, initial_alphabet=alphabet, show_progress=False
    )
    learnt.train_from_iterator([PROSE.read_text("utf-8")], trainer)
    model = json.loads(learnt.to_str())["model"]
    pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in model["merges"]]
    symbols = sorted(model["vocab"], key=model["vocab"].get)
    assert not set(WITHOUT) & set(symbols)
    return symbols, [" ".join(pair) for pair in pairs]


def write_file(path: Path, facts, weights, kind_of, architecture="llama") -> Path:
    """A file of these facts and weights; each weight is packed in its kind, if it has one."""
    writer = gguf.GGUFWriter(path, architecture)
    add = {str: writer.add_string, list: writer.add_array, float: writer.add_float32}
    for key, value in facts.items():
        add.get(type(value), writer.add_uint32)(key, value)
    for name, value in weights.items():
        kind = kind_of(name, value)
        packed = value if kind is None else gguf.quants.quantize(value, kind)
        writer.add_tensor(name, packed, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write(path: Path, facts=None, without=(), own_readout=False) -> Path:
    """A small model as a file, with random weights in the packings that a real one has."""
    symbols, merges = symbols_of_prose()
    rng = np.random.default_rng(7)
    about = {
        **{"embedding_length": SIZE, "block_count": BLOCKS, "feed_forward_length": HIDDEN},
        **{"attention.head_count": HEADS, "attention.head_count_kv": GROUPS},
        "context_length": 40,
        **(facts or {}),
        **{"rope.freq_base": 53.0, "attention.layer_norm_rms_epsilon": 1e-3},
    }
    text = {"model": "gpt2", "pre": "smollm", "tokens": symbols, "merges": merges}
    shared = SIZE * GROUPS // HEADS
    sizes = {"token_embd": (len(symbols), SIZE), "output_norm": (SIZE,)}
    if own_readout:
        sizes["output"] = (len(symbols), SIZE)
    for b in range(BLOCKS):
        parts = {
            **{"attn_norm": (SIZE,), "attn_q": (SIZE, SIZE), "attn_k": (shared, SIZE)},
            **{"attn_v": (shared, SIZE), "attn_output": (SIZE, SIZE), "ffn_norm": (SIZE,)},
            **{"ffn_gate": (HIDDEN, SIZE), "ffn_up": (HIDDEN, SIZE), "ffn_down": (SIZE, HIDDEN)},
        }
        sizes |= {f"blk.{b}.{name}": size for name, size in parts.items()}
    kinds, weights = gguf.GGMLQuantizationType, {}
    for name, size in sizes.items():
        drawn = rng.normal(size=size).astype(np.float32) * (0.15 if len(size) > 1 else 1)
        if name not in without:
            weights[f"{name}.weight"] = drawn

    def kind_of(name, value):
        return None if value.ndim == 1 else kinds.Q8_0 if "em" in name else kinds.Q4_1

    facts = {f"llama.{name}": value for name, value in about.items()}
    facts |= {f"tokenizer.ggml.{name}": value for name, value in text.items()}
    return write_file(path, facts, weights, kind_of)
