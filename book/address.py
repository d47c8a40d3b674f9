"""``python -m book.address owner/name [site]``, which is what ``make address`` does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "_ext"))

from attn_book.address import main

if __name__ == "__main__":
    main()
