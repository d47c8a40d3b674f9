"""An answer's memory is limited, and what PyTorch takes by itself is not the answer's."""

import sys

import pytest

from attn_course.exercises.context import contexts
from attn_course.grading.marks import Submission, grade
from attn_course.grading.sandbox import Limits, Sandbox, isolation

QUARTER = 1 << 28  # bytes: less than the smallest PyTorch has in use once it is loaded
GREEDY = """
import torch

def contexts_of(alpha, h):
    torch.empty({bytes}, dtype=torch.uint8)
    return alpha @ h
"""


@pytest.fixture(params=["walls", "plain"])
def box(request):
    if request.param == "walls" and isolation():
        pytest.skip(f"no bubblewrap: {isolation()}")
    with Sandbox(Limits(memory=QUARTER), isolated=request.param == "walls") as box:
        yield box


def mark(box, size):
    return grade(contexts.exercise, Submission("ada", [GREEDY.format(bytes=size)]), "seed", box)


def test_what_torch_takes_is_not_counted(box):
    found = mark(box, 1 << 20)
    assert found.points == found.maximum, found


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system limits no addresses")
def test_more_than_the_limit_is_not_given_and_the_sandbox_serves_on(box):
    assert mark(box, 2 * QUARTER).points == 0
    found = mark(box, 1 << 20)
    assert found.points == found.maximum, found
