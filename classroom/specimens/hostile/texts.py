"""Texts that are made for whoever reads the report, and answers that were written down."""

ANSWERS = {
    "markup in an error": """
def double(x):
    raise ValueError("</pre><script>alert('full marks')</script>")
""",
    "letters that steer the terminal": """
def double(x):
    raise ValueError("\\x1b[2J\\x1b[H 9 of 9 points \\x07")
""",
    "letters that turn the line": """
def double(x):
    raise ValueError("\\u202estniop 9 fo 9\\u2066")
""",
    "an error with ten million characters": """
def double(x):
    raise ValueError("x" * 10 ** 7)
""",
    "an error that cannot be shown": """
class Odd(Exception):
    def __str__(self):
        raise Odd

def double(x):
    raise Odd
""",
    "an error whose text takes for ever": """
class Odd(Exception):
    def __str__(self):
        while True:
            pass

def double(x):
    raise Odd
""",
    "a class with a name of a megabyte": """
def double(x):
    raise type("X" * 10 ** 6, (Exception,), {})("no")
""",
    "results that were recorded": """
import torch

RECORDED = {3: [0.2, 0.4, 0.6], 5: [1.0, 1.0, 1.0, 1.0, 1.0], 2: [0.5, 0.5], 7: [0.1] * 7}

def double(x):
    return torch.tensor(RECORDED.get(len(x), [0.0]))
""",
    "the same for everything": "def double(x):\n    return 42\n",
    "nothing": "def double(x):\n    return None\n",
    "the stub": "def double(x):\n    raise NotImplementedError('write it')\n",
    "brackets without end": "double = lambda x: " + "(" * 10**5 + "\n",
    "minus without end": "def double(x):\n    return " + "-" * 10**5 + "x\n",
    "a sum without end": "def double(x):\n    return " + "x+" * 10**5 + "x\n",
    "null bytes": "def double(x):\n    return x\0\n",
    "another exercise": "def triple(x):\n    return 3 * x\n",
    "two of them, the last one wrong": """
def double(x):
    return 2 * x

def double(x):
    return 42
""",
}
