"""The special symbol numbers: the same in every vocabulary, in Python and in a web page.

`PADDING` fills the sequences of a batch up to one length. `START` is the first input of a decoder,
`END` its last output, and `UNKNOWN` stands for every symbol that a vocabulary does not contain. A
vocabulary's own symbols are numbered from `FIRST_SYMBOL` on.
"""

PADDING, START, END, UNKNOWN = range(4)
FIRST_SYMBOL = 4

# In the form in which a widget's script receives them
SPECIAL = {
    "padding": PADDING,
    "start": START,
    "end": END,
    "unknown": UNKNOWN,
    "first_symbol": FIRST_SYMBOL,
}
