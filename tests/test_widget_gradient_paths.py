"""The gradient paths' Python side: what it accepts, and what it says in words."""

import numpy as np

from attn_course.views.widgets.gradient_paths import ROUTES, GradientPaths

STAGES, TARGET, SOURCE = ["At the start", "After training"], 3, 5


def measured(seed=0, target=TARGET, source=SOURCE, stages=2):
    random = np.random.default_rng(seed)
    norms = 10 ** random.uniform(-6, 1, (stages, 2, target, source))
    shares = random.normal(0.25, 0.2, (stages, target, source, len(ROUTES)))
    shares[..., -1] = 1 - shares[..., :-1].sum(axis=-1)
    return norms, shares


def paths(seed=0, **traits):
    return GradientPaths(*measured(seed), STAGES, **traits)


def test_arrays_travel_as_they_came():
    norms, shares = measured(1)
    widget = paths(1)
    np.testing.assert_array_equal(
        np.frombuffer(widget.norms, "<f4").reshape(norms.shape), norms.astype(np.float32)
    )
    np.testing.assert_array_equal(
        np.frombuffer(widget.shares, "<f4").reshape(shares.shape), shares.astype(np.float32)
    )
    assert widget.sizes == {"source": SOURCE, "target": TARGET}


def test_it_begins_with_the_longest_way_and_says_so_in_words():
    norms, shares = measured()
    widget = paths()
    assert (widget.source, widget.target, widget.attention, widget.stage) == (1, TARGET, True, 0)
    for stage in (0, 1):
        assert f"norm {norms[stage, 0, -1, 0]:.1e} without attention" in widget.summary
        assert f"{shares[stage, -1, 0, :2].sum():.0%} comes through the read" in widget.summary
    assert paths(source=2, attention=False).source == 2


NORMS, SHARES = measured()
ONE = np.arange(NORMS.size).reshape(NORMS.shape) == 3  # an entry of the norms
REFUSED = {
    GradientPaths: [
        ((NORMS, SHARES, STAGES[:1]), r"\(stage 1, attention 2.*\(2, 2, 3, 5\)"),
        ((NORMS[:, :1], SHARES, STAGES), r"attention 2.*\(2, 1, 3, 5\)"),
        ((NORMS[:, :, 0], SHARES, STAGES), r"\(2, 2, 5\)"),
        ((np.where(ONE, 0.0, NORMS), SHARES, STAGES), "above zero"),
        ((np.where(ONE, 1e-60, NORMS), SHARES, STAGES), "in single precision too"),
        ((np.where(ONE, np.nan, NORMS), SHARES, STAGES), "finite"),
        ((NORMS.astype(int), SHARES, STAGES), TypeError, "norms must be floating point; got int"),
        ((NORMS.repeat(2, axis=3), SHARES, STAGES), "1 to 8.*3, 10"),
        ((NORMS, SHARES[..., :3], STAGES), r"\(2, 3, 5, 4\); got \(2, 3, 5, 3\)"),
        ((NORMS, SHARES.swapaxes(1, 2), STAGES), r"got \(2, 5, 3, 4\)"),
        ((NORMS, SHARES * 1.01, STAGES), "sum to 1; they are off by up to 0.01"),
        ((NORMS, SHARES + np.inf, STAGES), "shares must be finite"),
        ((NORMS, SHARES.astype(int), STAGES), TypeError, "shares must be floating point"),
    ],
    paths: [
        ({"source": 0}, "between 1 and 5; got 0"),
        ({"source": SOURCE + 1}, "got 6"),
        ({"target": TARGET + 1}, "between 1 and 3; got 4"),
        ({"stage": 2}, "between 0 and 1; got 2"),
        ({"stage": -1}, "got -1"),
    ],
}
