"""Looks for expected values, the seed, files, other students: what it finds it shouts."""

# In these texts SECRET, NOTES, OTHER and COURSE are paths on the machine of the grader.
ANSWERS = {
    "frames of all callers": """
import sys

def double(x):
    frame, seen = sys._getframe(), []
    while frame:
        seen += [f"{k}={v!r}"[:200] for k, v in frame.f_locals.items() if k in ("expected", "seed")]
        frame = frame.f_back
    raise ValueError(" ".join(seen) or "nothing")
""",
    "all objects of the collector": """
import gc

def double(x):
    names = {type(each).__name__ for each in gc.get_objects()}
    raise ValueError("FO" + "UND" if {"Exercise", "Property", "Draw"} & names else "nothing")
""",
    "the stack through inspect": """
import inspect

def double(x):
    names = [each.function for each in inspect.stack()]
    if {"check", "grade", "gives"} & set(names):
        return inspect.stack()
    raise ValueError("nothing")
""",
    "closures of what it is given": """
def double(x):
    for name in dir(x):
        cells = getattr(getattr(x, name, None), "__closure__", None) or ()
        for cell in cells:
            if "expected" in repr(cell.cell_contents):
                return cell.cell_contents
    raise ValueError("nothing")
""",
    "subclasses of object": """
def double(x):
    names = {each.__name__ for each in object.__subclasses__()}
    raise ValueError("FO" + "UND" if {"Exercise", "Size", "Draw"} & names else "nothing")
""",
    "the traceback of its own error": """
import sys

def double(x):
    try:
        raise RuntimeError
    except RuntimeError as error:
        frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
    raise ValueError(str([k for k in frame.f_globals if k in ("expected", "exercise")]))
""",
    "memory that was not cleared": """
import torch

def double(x):
    return torch.empty(x.shape).clone()
""",
    "a secret file": """
def double(x):
    raise ValueError(open("SECRET").read())
""",
    "the notes of the teacher": """
from pathlib import Path

def double(x):
    found = [each.read_text() for each in Path("NOTES").rglob("*.txt")]
    raise ValueError(" ".join(found) or "nothing")
""",
    "what another student handed in": """
def double(x):
    raise ValueError(open("OTHER").read())
""",
    "the solutions of the course": """
def double(x):
    raise ValueError(open("COURSE/exercises/weights/safe_softmax.py").read()[-200:])
""",
    "the course as a module": """
def double(x):
    from attn_class.exercises.weights import safe_softmax
    raise ValueError("FO" + "UND " + safe_softmax.__file__)
""",
    "the tests of the course": """
import os

def double(x):
    raise ValueError(str(os.listdir("COURSE/../tests")))
""",
    "the environment": """
import os

def double(x):
    raise ValueError(str(dict(os.environ)))
""",
    "the environment of other processes": """
import glob

def double(x):
    found = [open(each).read() for each in glob.glob("/proc/[0-9]*/environ")]
    raise ValueError(" ".join(each for each in found if "SEED" in each)[:250])
""",
    "the memory of the grader": """
import os

def double(x):
    parent = os.getppid()
    with open(f"/proc/{parent}/maps") as maps, open(f"/proc/{parent}/mem", "rb") as memory:
        for line in maps:
            low, high = (int(part, 16) for part in line.split()[0].split("-"))
            if "heap" in line:
                memory.seek(low)
                if b"TOKEN" in memory.read(high - low):
                    raise ValueError("FO" + "UND")
    raise ValueError("nothing")
""",
    "open files": """
import os

def double(x):
    found = []
    for number in range(64):
        try:
            found.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            pass
    outside = [each for each in found if each.startswith("/") and each != "/dev/null"]
    raise ValueError("FO" + "UND" if outside else "nothing")
""",
    "the root of the first process": """
import os

def double(x):
    raise ValueError(open("/proc/1/root" + "SECRET").read())
""",
    "folders above": """
import os

def double(x):
    raise ValueError(str(os.listdir("../" * 9 + os.path.dirname("SECRET"))))
""",
    "passwords and names of the machine": """
import os

def double(x):
    places = "/etc/passwd", "/etc/shadow", "/etc/hosts", "/root/.ssh"
    raise ValueError("FO" + "UND" if any(map(os.path.exists, places)) else "nothing")
""",
    "a link that leads out": """
import os

def double(x):
    os.symlink("SECRET", "/tmp/link")
    raise ValueError(open("/tmp/link").read())
""",
}
