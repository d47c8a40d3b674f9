"""The score explorer's Python side: what it accepts, and what it refuses."""

import numpy as np
import pytest
import torch

from attn_course.alignment import SCORES
from attn_course.models.decoder import make_score
from attn_course.views.widgets.score_explorer import ScoreExplorer

KEYS = [[2.0, 1.0], [-1.0, 2.0], [0.0, -2.0]]


def matrices(name, hidden=5, longest=3):
    score = make_score(name, 2, 2, hidden, longest)
    return {part: array.numpy() for part, array in score.state_dict().items()}


def explorer(*names, **traits):
    options = {"keys": KEYS, "query": [1, 1]} | traits
    return ScoreExplorer({name: matrices(name) for name in names or SCORES}, **options)


def test_it_takes_every_score_as_the_package_has_it():
    widget = explorer()
    assert list(widget.matrices) == list(SCORES)
    assert widget.selected == next(iter(SCORES))
    assert widget.query == [1.0, 1.0]
    matrix = matrices("general")["key_projection.weight"]
    carried = explorer("general").matrices["general"]["key_projection.weight"]
    assert np.shape(carried) == matrix.shape == (2, 2)


def test_it_says_in_words_what_it_shows():
    assert "3 keys" in repr(explorer("dot", "cosine"))
    assert "dot, cosine" in explorer("dot", "cosine").summary


def dots(**traits):
    return explorer("dot", **traits)


def of(**changes):
    return ScoreExplorer(**{"matrices": {"dot": {}}, "keys": KEYS, "query": [1, 1]} | changes)


REFUSED = {
    dots: [
        ({"query": [1, 2, 3]}, "query must be"),
        ({"query": [1, 3.5]}, "from -3.0 to 3.0"),
        ({"query": [1, float("nan")]}, "query must be"),
        ({"keys": [[0, 1], [1, 0], [4, 0]]}, "key 3 must be"),
        ({"keys": [[0, 1]]}, "2 to 5 points; got 1"),
        ({"factor": 0.5}, "factor must lie between"),
        ({"selected": "location"}, "selected must be one of"),
    ],
    of: [
        ({"matrices": {}}, "matrices is empty"),
        ({"matrices": {"dots": {}}}, "must be one of.*'dots'"),
        ({"matrices": {"dot": {"key_projection.weight": np.eye(2)}}}, "dot needs the matrices"),
        ({"matrices": {"general": {}}}, "general needs the matrices"),
        ({"matrices": {"general": {"key_projection.weight": np.eye(3)}}}, r"\(2, 2\)"),
        (
            {"matrices": {"general": {"key_projection.weight": np.full((2, 2), np.inf)}}},
            "not finite",
        ),
        ({"matrices": {"location": {"position_projection.weight": np.ones((2, 2))}}}, r"\(3, 2\)"),
        (
            {
                "matrices": {
                    "stacked": {
                        "query_projection.weight": np.ones((5, 2)),
                        "key_projection.weight": np.ones((5, 2)),
                        "energy.weight": np.ones((1, 5)),
                    }
                }
            },
            r"\(1, 10\)",
        ),
    ],
}


def test_keys_move_but_do_not_come_or_go():
    widget = explorer("dot")
    widget.key_points = [[0, 0], [1, 1], [2, 2]]
    with pytest.raises(ValueError, match="stay 3"):
        widget.key_points = [[0, 0], [1, 1]]


def test_showing_draws_no_random_numbers():
    before = torch.random.get_rng_state()
    ScoreExplorer({"general": {"key_projection.weight": np.eye(2)}}, KEYS, [1, 1])
    assert torch.equal(torch.random.get_rng_state(), before)
