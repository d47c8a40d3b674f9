"""Modules for the type checker: lists that say of what, and protocols that see a module's parts."""

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar, cast

from torch import nn

M = TypeVar("M", bound=nn.Module)


class Modules(nn.ModuleList, Generic[M]):
    """An ``nn.ModuleList``, which by itself is a list of any modules."""

    def __iter__(self) -> Iterator[M]:
        return cast(Iterator[M], super().__iter__())


class SeesParts(type(Protocol)):
    """Protocols that a module fulfils with its parts too.

    ``isinstance`` finds them up to Python 3.11; later ones overlook what ``__getattr__`` returns.
    """

    def __instancecheck__(cls, instance: object) -> bool:
        return all(hasattr(instance, name) for name in dir(cls) if not name.startswith("_"))
