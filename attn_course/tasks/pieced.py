"""Texts that are written as pieces, separated by spaces."""


class PiecedPair:
    """A pair of texts, ``source`` and ``target``, that are written as pieces."""

    source: str
    target: str

    @property
    def source_pieces(self) -> list[str]:
        return self.source.split(" ")

    @property
    def target_pieces(self) -> list[str]:
        return self.target.split(" ")
