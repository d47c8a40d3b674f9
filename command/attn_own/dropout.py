"""Dropout: in training, hide some entries of the vectors that a model hands on."""

from typing import TypeVar

import torch
from torch import Tensor, nn

from attn_course._signature import checked
from attn_course._values import NotAll

M = TypeVar("M", bound=nn.Module)


def dropped(vectors: Tensor, share: float | int) -> Tensor:
    """The vectors with about a ``share`` of their entries at 0, and the others enlarged.

        m ~ Bernoulli(1 - share)        x' = m x / (1 - share)        Srivastava et al. 2014

    The mean of x' is x, so nothing needs to be scaled when dropout is off. The mask is drawn from
    torch's random state.
    """
    mask = torch.rand_like(vectors) >= share
    return vectors * mask / (1 - share)


@checked
def with_dropout(model: M, share: NotAll) -> M:
    """The same translator; from now on, while it trains, it drops entries in four places.

        x_j, y_{i-1}     the embeddings of source and target
        h_j              the annotations: one mask for all steps that read them
        [s_i ; c_i]      what the readout is given; in Luong's decoder s~_i,
                         in a Transformer norm(x_i)
                                                    after Zaremba et al. 2015 and Gal 2016

    The recurrence itself is left alone: masks in it would be applied again at every step. In
    evaluation mode nothing is dropped, and the parameters and their names stay as they are.

    model  a `Translator`, or anything with its encoder and decoder
    share  from 0 (the model is left as it is) to below 1; anything else is a ValueError
    """
    if not share:
        return model

    def after(module: nn.Module, _: object, output: Tensor) -> Tensor:
        return dropped(output, share) if module.training else output

    def before(module: nn.Module, inputs: tuple[Tensor]) -> tuple[Tensor]:
        return (dropped(inputs[0], share),) if module.training else inputs

    for part in ("encoder.embedding", "encoder", "decoder.embedding"):
        model.get_submodule(part).register_forward_hook(after)
    model.get_submodule("decoder.readout").register_forward_pre_hook(before)
    return model
