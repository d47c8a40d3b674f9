"""Texts that are written as pieces, with a space between any two."""


class PiecedPair:
    """A pair whose ``source`` and ``target`` are such texts."""

    source: str
    target: str

    @property
    def source_pieces(self) -> list[str]:
        return self.source.split(" ")

    @property
    def target_pieces(self) -> list[str]:
        return self.target.split(" ")
