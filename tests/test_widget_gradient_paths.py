"""The gradient paths' Python side: what it accepts, and what it says in words."""

import numpy as np
import pytest

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


REFUSED = {
    paths: [
        ({"source": 0}, "between 1 and 5; got 0"),
        ({"source": SOURCE + 1}, "got 6"),
        ({"target": TARGET + 1}, "between 1 and 3; got 4"),
        ({"stage": 2}, "between 0 and 1; got 2"),
        ({"stage": -1}, "got -1"),
    ],
}


def changed(norms=lambda x: x, shares=lambda x: x, stages=STAGES):
    one, two = measured()
    return norms(one), shares(two), stages


def with_entry(value):
    def change(array):
        array = array.copy()
        array.flat[3] = value
        return array

    return change


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (changed(stages=STAGES[:1]), ValueError, r"\(stage 1, attention 2.*\(2, 2, 3, 5\)"),
        (changed(norms=lambda x: x[:, :1]), ValueError, r"attention 2.*\(2, 1, 3, 5\)"),
        (changed(norms=lambda x: x[:, :, 0]), ValueError, r"\(2, 2, 5\)"),
        (changed(norms=with_entry(0.0)), ValueError, "above zero"),
        (changed(norms=with_entry(1e-60)), ValueError, "in single precision too"),
        (changed(norms=with_entry(np.nan)), ValueError, "finite"),
        (
            changed(norms=lambda x: x.astype(int)),
            TypeError,
            "norms must be floating point; got int",
        ),
        (changed(norms=lambda x: x.repeat(2, axis=3)), ValueError, "1 to 8.*3, 10"),
        (changed(shares=lambda x: x[..., :3]), ValueError, r"\(2, 3, 5, 4\); got \(2, 3, 5, 3\)"),
        (changed(shares=lambda x: x.swapaxes(1, 2)), ValueError, r"got \(2, 5, 3, 4\)"),
        (changed(shares=lambda x: x * 1.01), ValueError, "sum to 1; they are off by up to 0.01"),
        (changed(shares=with_entry(np.inf)), ValueError, "shares must be finite"),
        (changed(shares=lambda x: x.astype(int)), TypeError, "shares must be floating point"),
    ],
)
def test_what_cannot_be_shown(arguments, error, words):
    with pytest.raises(error, match=words):
        GradientPaths(*arguments)
