"""What all pages of one build have in common."""

from dataclasses import dataclass

from attn_book.address import Address


@dataclass(frozen=True)
class Edition:
    """``front`` is the front page's document; ``address`` is None while the site has none."""

    title: str
    front: str
    address: Address | None

    def url(self, file: str) -> str | None:
        """The full address of a file of the site, or None if the site has no address."""
        return self.address.page(file) if self.address else None
