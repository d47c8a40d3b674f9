"""Record what all heads of the language model read in eight sentences, for the wall of their maps.

    python -m attn_book.commands.head_maps

It writes the file that `attn_course.views.widgets.wall.stored` reads, so that pages and notebooks
show the maps where the model is absent. Beside the sentences stands the digest of the model's file.
"""

import base64
import json
import zlib

import torch

from attn_course.models.language_file import Loaded, load
from attn_course.patching import all_weights
from attn_course.views.widgets.wall import STORED, triangles

SENTENCES = {
    "A phrase comes twice": "The old lamp stood by the door, and the old lamp still gave light.",
    "A plain sentence": "She put the letter on the table and went out into the rain.",
    "A capital": "The capital of France is",
    "Random words, twice": " cloud seven fork Berlin green tax river shoe" * 2,
    "A date to write": "3. Mai 1998 = 1998-05-03\n7. Juni 2004 =",
    "It begins with a full stop": ". The first token gets the weight, whatever it is.",
    "A long sentence": (
        "When the encoder has read the whole sentence, the decoder writes one word after another, "
        "and before each of them it looks back at all that was read and decides where to look."
    ),
    "A line of code": "for word in words:\n    print(word)\nfor line in lines:\n    print(",
}


def read(loaded: Loaded, text: str) -> dict:
    """The pieces of a text, and the weights of all heads as bytes."""
    symbols = loaded.text.read(text)
    weights = all_weights(loaded.model, symbols).numpy()
    packed = zlib.compress(triangles(weights), 9)
    return {
        "pieces": loaded.text.pieces(symbols[0]),
        "shape": list(weights.shape),
        "weights": base64.b64encode(packed).decode(),
    }


def main() -> None:
    torch.set_num_threads(1)  # so that every sum is added in the same order
    loaded = load()
    sentences = [{"name": name, **read(loaded, text)} for name, text in SENTENCES.items()]
    whole = {"digest": loaded.digest, "sentences": sentences}
    STORED.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
