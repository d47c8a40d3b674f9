"""Record what all heads of the language model read in nine sentences, and what follows if changed.

    python -m attn_book.commands.head_maps

It writes the two files that `attn_course.views.widgets.wall.stored` reads, so that pages and
notebooks show maps and answers where the model is absent: the sentences with their maps, and the
runs of six of them. Beside each stands the digest of the model's file.
"""

import base64
import json
import zlib
from itertools import product

import torch
from torch import Tensor

from attn_course import patching
from attn_course.models.language_file import Loaded, load
from attn_course.models.language_model import Changes, Place
from attn_course.views.widgets import wall

FRANCE = "The capital of France is"
DATES = "12. April = 04-12\n9. {} = 0"
LAMP = "The {} stood by the door, and the {} still gave light."
OUT = "{} put the letter on the table and went out into the rain."
WORDS = " {} seven fork Berlin green tax river shoe"
LINES = "for word in words:\n    print(word)\nfor {0} in {0}s:\n    print("
SENTENCES = {
    "A phrase comes twice": LAMP.format("old lamp", "old lamp"),
    "A plain sentence": OUT.format("She"),
    "A capital": FRANCE,
    "Random words, twice": WORDS.format("cloud") * 2,
    "A date to write": DATES.format("Juli"),
    "It begins with a full stop": ". The first token gets the weight, whatever it is.",
    "A long sentence": (
        "When the encoder has read the whole sentence, the decoder writes one word after another, "
        "and before each of them it looks back at all that was read and decides where to look."
    ),
    "A line of code": LINES.format("line"),
    "The first token twice": f"The {FRANCE}",
}
OTHERS = {  # of as many tokens: where they differ, keys and values can be exchanged
    "A phrase comes twice": LAMP.format("new clock", "new clock"),
    "A plain sentence": OUT.format("He"),
    "A capital": "The capital of Germany is",
    "Random words, twice": WORDS.format("stone") * 2,
    "A date to write": DATES.format("Juni"),
    "A line of code": LINES.format("name"),
}
LIKELIEST = 10  # tokens whose probability is kept


def read(loaded: Loaded, text: str) -> dict:
    """The pieces of a text, and the weights of all heads as bytes."""
    symbols = loaded.text.read(text)
    weights = patching.all_weights(loaded.model, symbols).numpy()
    packed = zlib.compress(wall.triangles(weights), 9)
    return {
        "pieces": loaded.text.pieces(symbols[0]),
        "shape": list(weights.shape),
        "weights": base64.b64encode(packed).decode(),
    }


def answers(loaded: Loaded, symbols: Tensor, changes: Changes | None = None) -> Tensor:
    """The probability of each token to follow, (batch token)."""
    with torch.inference_mode():
        return loaded.model(symbols, changes=changes).logits[:, -1].softmax(dim=-1)


def run(loaded: Loaded, text: str, other: str) -> dict:
    """What follows a text: as it is, with each head silenced, and with each part exchanged."""
    symbols, others = loaded.text.read(text), loaded.text.read(other)
    places = (symbols != others)[0].nonzero().flatten()
    shape, blocks = loaded.model.shape, range(loaded.model.shape.blocks)
    outputs = [answers(loaded, symbols)]
    for block in blocks:
        outputs.append(answers(loaded, symbols.expand(shape.heads, -1), _one_head_each(block)))
    vectors = patching.recorded(loaded.model, others, list(product(("keys", "values"), blocks)))
    rows = symbols.expand(len(places), -1)
    own = torch.arange(symbols.shape[1]) == places[:, None]  # (batch position)
    for part, first in product(wall.PARTS, blocks):
        names = ("keys", "values") if part == "both" else (part,)
        changed = product(names, range(first, shape.blocks))
        changes = {place: _instead(vectors[place], own) for place in changed}
        outputs.append(answers(loaded, rows, changes))
    shares = torch.cat(outputs)
    tokens = shares.amax(dim=0).topk(LIKELIEST).indices
    tokens = tokens[shares[0, tokens].argsort(descending=True)]
    pieces = {"tokens": loaded.text.pieces(tokens), "other": loaded.text.pieces(others[0])}
    packed = wall.packed_shares(shares[:, tokens].numpy())
    return pieces | {"places": places.tolist(), "shares": packed}


def _one_head_each(block: int) -> Changes:
    """In text h of the batch, head h finds zeros."""

    def change(vectors: Tensor) -> Tensor:  # (batch head position part)
        return vectors * (1 - torch.eye(vectors.shape[1]))[:, :, None, None]

    return {("found", block): change}


def _instead(there: Tensor, own: Tensor):
    """In each text of the batch, what another text has at one position."""
    return lambda here: torch.where(own[:, None, :, None], there, here)


def tried(loaded: Loaded, experiment: dict) -> dict:
    """What an experiment answers: as it is, and changed."""
    symbols = loaded.text.read(SENTENCES[experiment["sentence"]])
    plain = answers(loaded, symbols)[0]
    changed = answers(loaded, symbols, changes_of(loaded, symbols, **experiment["changes"]))[0]
    tokens = torch.maximum(plain, changed).topk(LIKELIEST).indices
    was, now = ([round(float(shares[token]), 5) for token in tokens] for shares in (plain, changed))
    answer = {"tokens": loaded.text.pieces(tokens), "was": was, "now": now}
    if not {"hidden", "unkeyed"} & set(experiment["changes"]):
        return answer  # its maps are those of the sentence, or nearly
    return {**answer, "weights": _maps(loaded, symbols, experiment["changes"])}


def _maps(loaded: Loaded, symbols: Tensor, changes: dict) -> str:
    """The weights of all heads with the changes, as bytes."""
    places: list[Place] = [("weights", block) for block in range(loaded.model.shape.blocks)]
    joined = changes_of(loaded, symbols, **changes)
    weights = patching.recorded(loaded.model, symbols, places, joined)
    maps = torch.cat([*weights.values()]).numpy()
    return base64.b64encode(zlib.compress(wall.triangles(maps), 9)).decode()


def changes_of(loaded: Loaded, symbols: Tensor, **changes) -> Changes:
    """What the page calls changes, for `LanguageModel`: a silenced head finds zeros."""
    model, blocks = loaded.model, range(loaded.model.shape.blocks)
    joined = [patching.heads_replaced(model, map(tuple, changes.get("silenced", [])))]
    if hidden := changes.get("hidden"):
        joined.append(patching.position_hidden(model, hidden["position"], blocks[hidden["from"] :]))
    if head := changes.get("unkeyed"):
        zeros = torch.zeros(1, model.shape.heads, 1, model.shape.part)
        joined.append(patching.taken_out(model, head, "for keys", blocks[head[0] + 1 :], zeros))
    if swap := changes.get("exchange"):
        other = loaded.text.read(swap["text"])
        names = ("keys", "values") if swap["part"] == "both" else (swap["part"],)
        vectors = patching.recorded(model, other, list(product(names, blocks[swap["from"] :])))
        joined.append({place: _moved(there, **swap) for place, there in vectors.items()})
    return patching.together(*joined)


def _moved(there: Tensor, *, source: int, position: int, **_):
    """What stands at ``source`` in another text, at ``position``."""

    def change(here: Tensor) -> Tensor:
        new = here.clone()
        new[..., position, :] = there[..., source, :]
        return new

    return change


def main() -> None:
    torch.set_num_threads(1)  # so that every sum is added in the same order
    loaded = load()
    sentences = [{"name": name, **read(loaded, text)} for name, text in SENTENCES.items()]
    _write(wall.STORED, loaded, sentences=sentences)
    runs = {name: run(loaded, SENTENCES[name], other) for name, other in OTHERS.items()}
    experiments = json.loads(wall.EXPERIMENTS.read_text("utf-8"))
    _write(wall.RUNS, loaded, runs=runs, answers=[tried(loaded, one) for one in experiments])


def _write(path, loaded: Loaded, **what) -> None:
    whole = {"digest": loaded.digest, **what}
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
