"""The embedding map's Python side: what it accepts, refuses and says."""

from functools import partial

import numpy as np
from traitlets import TraitError

from attn_course.views.widgets.embedding_map import EmbeddingMap

STEPS, TOKENS, SIZE = (0, 20, 70), "abcdefg", 5
VECTORS = np.random.default_rng(3).normal(size=(len(STEPS), len(TOKENS), SIZE))


embedding_map = partial(EmbeddingMap, vectors=VECTORS, steps=STEPS, tokens=TOKENS, chosen="ae")


def test_what_it_begins_with():
    widget = embedding_map()
    assert (widget.frame, widget.view, widget.marked, widget.pointed) == (2, "spread", [0, 4], -1)
    assert (widget.steps, widget.tokens, widget.size) == (list(STEPS), list(TOKENS), SIZE)
    back = np.frombuffer(widget.vectors, "<f4").reshape(VECTORS.shape)
    np.testing.assert_allclose(back, VECTORS, rtol=1e-6)
    assert "a, e, one of 21 sets of 2" in widget.summary


REFUSED = {
    embedding_map: [
        ({"vectors": VECTORS[:2]}, r"\(3, 7\) and a size; got float64 \(2, 7, 5\)"),
        ({"vectors": VECTORS[0]}, "step token size"),
        ({"vectors": VECTORS.astype(int)}, "got int64"),
        ({"vectors": VECTORS[..., :1]}, "of size 2 or more"),
        ({"vectors": VECTORS * np.nan}, "finite"),
        ({"steps": (0, 20, 20)}, r"rise; got \[0, 20, 20\]"),
        ({"steps": (0, 20, -1)}, "0 or more"),
        ({"tokens": "abcdeff"}, "distinct"),
        ({"chosen": "ax"}, r"chosen must be tokens; got \['x'\]"),
        ({"chosen": "a"}, "2 to 6 tokens; got 1"),
        ({"chosen": TOKENS}, "2 to 6 tokens; got 7"),
        ({"frame": 3}, "below 3; got 3"),
        ({"view": "best"}, TraitError, "best"),
    ],
}
