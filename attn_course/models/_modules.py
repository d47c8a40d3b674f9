"""Lists of modules that say of what."""

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from torch import nn

M = TypeVar("M", bound=nn.Module)


def module_list(modules: Iterable[M]) -> Sequence[M]:
    """An ``nn.ModuleList``, which torch itself takes for a list of any modules."""
    return cast(Sequence[M], nn.ModuleList(modules))
