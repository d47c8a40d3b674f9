"""A decoder that always looks at the first position. Made up for a test of the recipes."""

from torch import Tensor

from attn_course.models.decoder import Memory, RecurrentDecoder, Sizes, Unasked


class FirstPlaceDecoder(RecurrentDecoder):
    """Write one symbol after another, and read the first annotation before each.

    c_i = h_1                                  made up for a test of the recipes
    """

    def __init__(self, sizes: Sizes):
        super().__init__(sizes, Unasked())

    def look(self, previous_state: Tensor, memory: Memory[Tensor]) -> Tensor:
        """All the weight on the first position, whatever the state."""
        batch, source, _ = memory.annotations.shape
        weights = memory.annotations.new_zeros(batch, 1, source)
        weights[..., 0] = 1
        return weights
