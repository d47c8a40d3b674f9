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
    made = json.loads(learnt.to_str())["model"]
    pairs = [each.split(" ") if isinstance(each, str) else each for each in made["merges"]]
    symbols = sorted(made["vocab"], key=made["vocab"].get)
    assert not set(WITHOUT) & set(symbols)
    return symbols, [" ".join(pair) for pair in pairs]


def write(path: Path, facts=None, without=(), own_readout=False) -> Path:
    """A small model as a file, with random weights in the packings that a real one has."""
    symbols, merges = symbols_of_prose()
    rng = np.random.default_rng(7)
    made = gguf.GGUFWriter(path, "llama")
    told = {
        **{"embedding_length": SIZE, "block_count": BLOCKS, "feed_forward_length": HIDDEN},
        **{"attention.head_count": HEADS, "attention.head_count_kv": GROUPS},
        "context_length": 40,
        **(facts or {}),
    }
    for name, value in told.items():
        made.add_uint32(f"llama.{name}", value)
    made.add_float32("llama.rope.freq_base", 53.0)
    made.add_float32("llama.attention.layer_norm_rms_epsilon", 1e-3)
    made.add_tokenizer_model("gpt2")
    made.add_tokenizer_pre("smollm")
    made.add_token_list(symbols)
    made.add_token_merges(merges)
    kinds, shared = gguf.GGMLQuantizationType, SIZE * GROUPS // HEADS
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
    for name, size in sizes.items():
        weights = rng.normal(size=size).astype(np.float32) * (0.15 if len(size) > 1 else 1)
        kind = kinds.F32 if len(size) == 1 else kinds.Q8_0 if "em" in name else kinds.Q4_1
        if name not in without:
            packed = gguf.quants.quantize(weights, kind)
            made.add_tensor(f"{name}.weight", packed, raw_dtype=kind)
    made.write_header_to_file()
    made.write_kv_data_to_file()
    made.write_tensors_to_file()
    made.close()
    return path
