"""The context mixer's Python side: the plane, the context, and what is refused."""

import numpy as np
import pytest

from attn_course.views.widgets.context_mixer import ContextMixer, principal_axes

SOURCE, ANNOTATION, STEPS = 7, 13, 3
random = np.random.default_rng(5)
ANNOTATIONS = random.normal(size=(SOURCE, ANNOTATION))
ROWS = random.dirichlet(np.ones(SOURCE), STEPS)


def mixer(**changes):
    steps = [(f"y{i}", row) for i, row in enumerate(ROWS)]
    options = {"annotations": ANNOTATIONS, "source": "3. Mai␣", "steps": steps, **changes}
    return ContextMixer(**options)


def test_the_axes_are_those_of_the_largest_variance():
    axes, share = principal_axes(ANNOTATIONS)
    values, vectors = np.linalg.eigh(np.cov(ANNOTATIONS.T))
    np.testing.assert_allclose(np.abs(axes @ vectors[:, [-1, -2]]), np.eye(2), atol=1e-8)
    assert share == pytest.approx(values[-2:].sum() / values.sum())


def test_the_projected_context_is_the_mix_of_the_projected_annotations():
    axes, _ = principal_axes(ANNOTATIONS)
    for row in ROWS:
        np.testing.assert_allclose(axes @ (row @ ANNOTATIONS), row @ (ANNOTATIONS @ axes.T))


def test_the_context_follows_the_weights():
    widget = mixer()
    np.testing.assert_allclose(widget.context, ROWS[0] @ ANNOTATIONS, atol=1e-5)
    widget.weights = list(np.eye(SOURCE)[4])
    np.testing.assert_allclose(widget.context, ANNOTATIONS[4], atol=1e-6)


def test_it_begins_with_the_first_step_or_evenly_or_as_told():
    np.testing.assert_allclose(mixer().weights, ROWS[0])
    np.testing.assert_allclose(mixer(steps=()).weights, np.full(SOURCE, 1 / SOURCE))
    single = ROWS[2].astype(np.float32)
    np.testing.assert_allclose(mixer(weights=single).weights, ROWS[2], atol=1e-7)


def test_it_says_in_words_what_the_model_did():
    widget = mixer(source=list("abcdefg"), steps=[("x", np.eye(SOURCE)[2])])
    assert "Mix the annotations of a b c d e f g" in widget.summary
    assert "x reads c" in widget.summary


REFUSED = {
    mixer: [
        ({"annotations": np.ones((SOURCE, 3), int)}, TypeError, "floating point; got int"),
        ({"annotations": np.ones((SOURCE, 3))}, "all alike"),
        ({"annotations": ANNOTATIONS[:2], "source": "ab"}, r"3 to 20 rows.*\(2, 13\)"),
        ({"annotations": ANNOTATIONS[:, :1]}, r"\(7, 1\)"),
        ({"annotations": ANNOTATIONS * np.nan}, "infinite or NaN"),
        ({"source": "short"}, "one token for each of 7"),
        ({"source": ["", *"abcdef"]}, "one token for each of 7"),
        ({"steps": [("x", ROWS[0][:-1])]}, r"step 'x' must have one weight.*\(6,\)"),
        ({"steps": [("x", 2 * ROWS[0])]}, "step 'x' must sum to 1; they sum to 2"),
        ({"weights": -ROWS[0]}, "weights must be finite and not negative"),
        ({"weights": ROWS[0] * np.nan}, "weights must be finite"),
        ({"weights": [0.5] * SOURCE}, "weights must sum to 1"),
    ],
}
