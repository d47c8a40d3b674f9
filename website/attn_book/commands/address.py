"""``python -m attn_book.commands.address``, which is ``make address``."""

from attn_book.address import main

if __name__ == "__main__":
    main()
