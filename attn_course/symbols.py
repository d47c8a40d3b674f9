"""The numbers that stand for no character: the same in every vocabulary, in Python and in a page.

`PADDING` fills a batch up to one length, `START` is the first input of a decoder, `END` is its last
output, `UNKNOWN` stands for every symbol that a vocabulary does not hold. A vocabulary's own
symbols are numbered from `FIRST_SYMBOL` on.
"""

PADDING, START, END, UNKNOWN = range(4)
FIRST_SYMBOL = 4

# As a widget's script is given them
SPECIAL = {
    "padding": PADDING,
    "start": START,
    "end": END,
    "unknown": UNKNOWN,
    "first_symbol": FIRST_SYMBOL,
}
