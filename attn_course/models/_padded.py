"""Run a recurrent network over sources that end at different places."""

from typing import Any

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def annotate(rnn: nn.RNNBase, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Any]:
    """The annotations, which are 0 beyond the end of a source, and the last states of each."""
    source = embedded.shape[1]
    if (lengths == source).all():  # nothing is padded: no need to pack
        return rnn(embedded)
    packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
    annotations, states = rnn(packed)
    return pad_packed_sequence(annotations, batch_first=True, total_length=source)[0], states
