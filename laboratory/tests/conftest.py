"""What the tests of several experiments stand on."""

import pytest
import torch

from attn_course.models.language_model import LanguageModel


@pytest.fixture(scope="module")
def tiny(request) -> LanguageModel:
    """A language model that nobody has trained, of the shape that a file of tests names."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return LanguageModel(request.module.SHAPE).requires_grad_(False).eval()
