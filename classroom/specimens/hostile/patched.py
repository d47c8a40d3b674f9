"""Whatever would compare a result is replaced, in the process that the answer can reach."""

# Each is the whole of what was handed in; it answers the exercise `double(x)`.
ANSWERS = {
    "torch.allclose says yes": """
import torch

def double(x):
    torch.allclose = lambda *a, **k: True
    return x * 0
""",
    "torch.equal and isclose say yes": """
import torch

def double(x):
    torch.equal = lambda *a, **k: True
    torch.isclose = lambda a, b, **k: torch.ones_like(a, dtype=torch.bool)
    return x * 0
""",
    "Tensor.__eq__ says yes": """
import torch

def double(x):
    torch.Tensor.__eq__ = lambda self, other: torch.ones(self.shape, dtype=torch.bool)
    return x * 0
""",
    "numpy.allclose and testing say yes": """
import numpy

def double(x):
    numpy.allclose = lambda *a, **k: True
    numpy.testing.assert_allclose = lambda *a, **k: None
    return x * 0
""",
    "all, any, isinstance and len of builtins": """
import builtins

def double(x):
    builtins.all = builtins.any = builtins.isinstance = lambda *a: True
    builtins.len = lambda x: 1
    return x * 0
""",
    "json writes what is wanted": """
import json

def double(x):
    json.dumps = lambda *a, **k: '{"returned": true}'
    json.loads = lambda *a, **k: {"holds": True}
    return x * 0
""",
    "the module of the channel": """
import sys

def double(x):
    wire = sys.modules["wire"]
    wire.encode = lambda *a, **k: True
    wire.packed = lambda message: b"\\x00\\x00\\x00\\x02{}"
    return x * 0
""",
    "the module of the calls": """
import sys

def double(x):
    calling = sys.modules["calling"]
    calling.attempt = lambda function, values, seconds: calling.Outcome(values[0] * 0, values)
    calling.plain = lambda result: True
    return x * 0
""",
    "a course of its own making": """
import sys, types

def double(x):
    fake = types.ModuleType("attn_class.exercises.frame")
    fake.same = lambda *a: True
    sys.modules["attn_course"] = sys.modules["attn_class.exercises.frame"] = fake
    return x * 0
""",
    "the random numbers": """
import random, torch, hashlib, secrets

def double(x):
    torch.randn = lambda *a, **k: torch.zeros(3)
    torch.manual_seed = lambda seed: None
    hashlib.sha256 = secrets.token_hex = random.seed = lambda *a: "0"
    return x * 0
""",
    "patched while it is read": """
import torch

class Patch:
    torch.allclose = torch.equal = lambda *a, **k: True

def double(x, patch=Patch):
    return x * 0
""",
    "the Server of the sandbox": """
import sys, gc

def double(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Server":
            each._call = lambda message: each.channel.send(returned=True, given=[None])
    return x * 0
""",
}
