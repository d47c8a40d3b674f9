"""`make nbval` leaves out what cannot be run here."""

from pathlib import Path

from attn_book.model import left_out

collect_ignore = [path.name for path in left_out(Path(__file__).parent.parent)]
