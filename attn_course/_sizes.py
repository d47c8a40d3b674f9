"""The sizes that a score is made for, and whether queries and keys have them."""

from typing import TypeVar

from jaxtyping import Float
from torch import Tensor

from attn_course._signature import checked

Self = TypeVar("Self", bound="Sized")


class Sized:
    """A score's sizes.

    ``takes`` lists which of the four sizes of `of_sizes` the constructor takes; ``one_size`` says
    whether queries and keys must have the same size. ``query_size`` and ``key_size`` are None where
    any size will do. ``query_axis`` and ``key_axis`` are what the signature of a score calls them.
    """

    takes: tuple[str, ...] = ()
    one_size = False
    query_size: int | None = None
    key_size: int | None = None

    @property
    def query_axis(self) -> str:
        return f"query={self.query_size}" if self.query_size else "query"

    @property
    def key_axis(self) -> str:
        if self.key_size:
            return f"key={self.key_size}"
        return "query" if self.one_size else "key"

    @classmethod
    def of_sizes(
        cls: type[Self], query_size: int, key_size: int, hidden_size: int, max_source: int
    ) -> Self:
        """Make a score for these sizes, of which the constructor gets only those that it takes."""
        if cls.one_size and query_size != key_size:
            raise ValueError(
                f"{cls.__name__} needs a query and a key of the same size; "
                f"got {query_size} and {key_size}"
            )
        given = {
            "query_size": query_size,
            "key_size": key_size,
            "hidden_size": hidden_size,
            "max_source": max_source,
        }
        return cls(**{size: given[size] for size in cls.takes})

    @checked
    def check_keys(self, keys: Float[Tensor, "batch source {self.key_axis}"]) -> None:
        """Check what can be checked of the keys before there is a query."""

    def expect_sizes(self, query_size: int, key_size: int) -> None:
        """Raise a ValueError if the score was not made for queries and keys of these sizes."""
        fits = self.query_size in (None, query_size) and self.key_size in (None, key_size)
        if not fits or (self.one_size and query_size != key_size):
            raise ValueError(
                f"the {type(self).__name__} was not made for queries of {query_size} entries and "
                f"keys of {key_size}; it takes {self.query_size or 'any'} and "
                f"{self.key_size or 'any'}{', both of the same size' if self.one_size else ''}"
            )
