"""Lists of modules that say of what."""

from collections.abc import Iterator
from typing import Generic, TypeVar, cast

from torch import nn

M = TypeVar("M", bound=nn.Module)


class Modules(nn.ModuleList, Generic[M]):
    """An ``nn.ModuleList``, which by itself is a list of any modules."""

    def __iter__(self) -> Iterator[M]:
        return cast(Iterator[M], super().__iter__())
