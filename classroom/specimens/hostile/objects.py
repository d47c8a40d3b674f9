"""Returns what is equal to everything, never ends, contains itself or is not what it seems."""

ANSWERS = {
    "equal to everything": """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self
    def __bool__(self): return True

def double(x):
    return Yes()
""",
    "a tensor that computes otherwise": """
import torch

class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.ones(3, dtype=torch.bool)

def double(x):
    return torch.zeros(3).as_subclass(Yes)
""",
    "a number that is equal": """
class Yes(float):
    def __eq__(self, other): return True
    def __float__(self): return self

def double(x):
    return Yes(1.0)
""",
    "a text that is equal": """
class Yes(str):
    def __eq__(self, other): return True
    def __str__(self): return self

def double(x):
    return Yes("1")
""",
    "lies about its class": """
import torch

class Yes:
    __class__ = torch.Tensor

def double(x):
    return Yes()
""",
    "a pickle that runs": """
import os

class Bomb:
    def __reduce__(self):
        return os.system, ("touch SECRET.pickled",)

def double(x):
    return Bomb()
""",
    "a generator without end": """
def double(x):
    while True:
        yield 1
""",
    "a list that holds itself": """
def double(x):
    result = []
    result.append(result)
    return result
""",
    "nested ten thousand times": """
def double(x):
    result = 1
    for _ in range(10 ** 4):
        result = (result,)
    return result
""",
    "an array of objects": """
import numpy

def double(x):
    return numpy.array([object()] * 3, dtype=object)
""",
    "not a number": "import torch\ndef double(x):\n    return torch.full_like(x, torch.nan)\n",
    "infinite": "import torch\ndef double(x):\n    return torch.full_like(x, torch.inf)\n",
    "a lazy tensor of the wrong device": """
import torch

def double(x):
    return torch.empty(x.shape, device="meta")
""",
    "a sparse tensor": "def double(x):\n    return (x * 0).to_sparse()\n",
    "forty megabytes": "import torch\ndef double(x):\n    return torch.zeros(10 ** 7)\n",
    "a million small parts": "def double(x):\n    return ('x',) * 10 ** 6\n",
}
