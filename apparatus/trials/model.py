"""``make try-model``: the language model beside ``LlamaForCausalLM`` of Hugging Face's library.

transformers is installed in an environment of its own, which sees the course's packages too. There
both models read the same symbols: with random weights, and with those of the course's file, if it
is here. The largest difference between two logits is printed; one of 1e-3 or more fails. Then both
read one more symbol behind a cache, in turns: CPU seconds of one thread, medians of 21 rounds.

transformers turns entry k together with entry k + part / 2 of a head, and GGUF files, as the
course, entry 2k together with 2k + 1: the rows of W_q and W_k are put in the other order.
"""

import sys
import sysconfig
import time
from pathlib import Path
from statistics import median

from .environment import PLACE, new_environment

PEER = "transformers>=5,<6"
LARGEST = 1e-3
ROUNDS = 21
TEXTS = (
    "The capital of France is",
    "Once upon a time there was a decoder that read its source one word at a time.",
    "def add(a, b):\n    return a + b\n\nprint(add(19, 23))  # 42",
    "Grüße aus Zürich, 3. April 2005 — 東京 🙂",
    "a a a a b a a a a b a a a a",
)


def main() -> None:
    own = new_environment(PLACE / "model")
    packages = sysconfig.get_path("purelib")
    (folder,) = own.folder.glob("lib/python*/site-packages")
    (folder / "course.pth").write_text(packages, encoding="utf-8")
    own.install(PEER)
    own.python("-m", "apparatus.trials.model", "--compare", cwd=Path(__file__).parents[2])


def compare() -> None:
    """The differences, in an environment that has transformers."""
    import torch
    import transformers

    from attn_course.models.language_file import load
    from attn_course.models.language_model import LanguageModel, Shape

    print(f"transformers {transformers.__version__}, torch {torch.__version__}")
    torch.manual_seed(0)
    shape = Shape(symbols=97, blocks=3, size=48, heads=6, groups=2, hidden_size=31, base=53.0)
    worst = 0.0
    for own_readout in (False, True):
        tiny = LanguageModel(shape, own_readout).eval()
        for parameter in tiny.parameters():
            torch.nn.init.normal_(parameter, std=0.3)
        largest = difference(tiny, peer(tiny), torch.randint(97, (3, 40)))
        print(f"random weights, own readout {own_readout}: {largest:.1e}")
        worst = max(worst, largest)
    try:
        model, text, _ = load()
    except FileNotFoundError as missing:
        sys.exit(f"{missing}")
    other = peer(model)
    for sample in TEXTS:
        largest = difference(model, other, text.read(sample))
        print(f"{largest:.1e}  {sample!r}")
        worst = max(worst, largest)
    if worst >= LARGEST:
        sys.exit(f"logits differ by {worst:.1e}; {LARGEST} is allowed")
    torch.set_num_threads(1)
    for length in (64, 512):
        ours, theirs = paces(model, other, length)
        print(f"a symbol behind {length}: {ours:.4f} CPU s, transformers {theirs:.4f}")


def paces(model, other, length: int) -> tuple[float, float]:
    """The median CPU seconds of each to read a symbol behind as many others."""
    import torch

    symbols, times = torch.randint(100, 40_000, (1, length + 1)), ([], [])
    for number in range(ROUNDS):
        with torch.inference_mode():
            cache = model(symbols[:, :-1]).cache
            past = other(symbols[:, :-1], use_cache=True).past_key_values
            goes_on = (
                lambda cache=cache: model(symbols[:, -1:], cache),
                lambda past=past: other(symbols[:, -1:], past_key_values=past, use_cache=True),
            )
            for which in (0, 1) if number % 2 else (1, 0):  # neither is always the first
                before = time.process_time()
                goes_on[which]()
                times[which].append(time.process_time() - before)
    return median(times[0]), median(times[1])


def difference(model, other, symbols) -> float:
    """The largest one between logits."""
    import torch

    with torch.inference_mode():
        return (model(symbols).logits - other(symbols).logits).abs().max().item()


def peer(model):
    """The same model, as transformers has it."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    shape = model.shape
    tied = model.readout.weight is model.embedding.weight
    config = LlamaConfig(
        vocab_size=shape.symbols,
        hidden_size=shape.size,
        intermediate_size=shape.hidden_size,
        num_hidden_layers=shape.blocks,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.groups,
        max_position_embeddings=shape.longest,
        rms_norm_eps=shape.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": shape.base},
        tie_word_embeddings=tied,
    )
    with torch.device("meta"):
        other = LlamaForCausalLM(config)
    weights = {of_peer(name): value for name, value in model.state_dict().items()}
    for name, value in weights.items():
        if name.endswith(("q_proj.weight", "k_proj.weight")):  # 0 1 2 3 4 5 -> 0 2 4 1 3 5
            pairs = value.unflatten(0, (-1, shape.part // 2, 2))
            weights[name] = pairs.transpose(1, 2).flatten(0, 2)
    other.load_state_dict(weights, assign=True)
    if tied:
        other.tie_weights()
    # the rotary wavelengths are computed, not loaded, and are still on "meta"
    other.model.rotary_emb = type(other.model.rotary_emb)(config)
    return other.eval()


NAMES = {
    "embedding": "model.embed_tokens",
    "readout": "lm_head",
    "norm": "model.norm",
    "query_projection": "self_attn.q_proj",
    "key_projection": "self_attn.k_proj",
    "value_projection": "self_attn.v_proj",
    "output_projection": "self_attn.o_proj",
    "network.gate": "mlp.gate_proj",
    "network.up": "mlp.up_proj",
    "network.down": "mlp.down_proj",
    "network_norm": "post_attention_layernorm",
}


def of_peer(of_ours: str) -> str:
    """``blocks.3.norm.weight`` -> ``model.layers.3.input_layernorm.weight``"""
    name = of_ours.removesuffix(".weight")
    if name in NAMES:
        return f"{NAMES[name]}.weight"
    _, block, part = name.split(".", 2)
    inside = "input_layernorm" if part == "norm" else NAMES[part]
    return f"model.layers.{block}.{inside}.weight"


if __name__ == "__main__":
    compare() if "--compare" in sys.argv else main()
