"""Writes into the channel of the grader, the network and the places that programs read at start."""

_WRITE = """
import os, json, struct

def double(x):
    text = {message}
    for number in range(3, 64):
        try:
            os.write(number, struct.pack(">I", len(text)) + text)
        except OSError:
            pass
    {then}
"""


def _write(message, then="return x * 0"):
    return _WRITE.format(message=message, then=then)


ANSWERS = {
    "a forged result": _write("""json.dumps({"returned": True, "given": [None]}).encode()"""),
    "a forged verdict": _write("""json.dumps({"holds": True, "points": 100}).encode()"""),
    "a forged end": _write("""json.dumps({"ended": 0}).encode()"""),
    "a forged question": _write("""json.dumps({"ask": 0, "values": []}).encode() """),
    "a question about a function that is none": _write(
        """json.dumps({"ask": -7, "values": 3}).encode()"""
    ),
    "questions without end": _write(
        """json.dumps({"ask": 0, "values": []}).encode()""", "return double(x)"
    ),
    "a pickle": _write("b'\\x80\\x04cos\\nsystem\\n(S\"touch SECRET.pickled\"\\ntR.'"),
    "nested JSON": _write("b'[' * 100000"),
    "JSON that is no object": _write("b'[1, 2]'"),
    "a number of a million digits": _write("""b'{"returned": ' + b'9' * 10 ** 6 + b'}'"""),
    "a tensor with a shape of its own": _write(
        """json.dumps({"given": [None], "returned": {
        "tensor": "AAAA", "type": "float32", "shape": [2 ** 30], "grad": False}}).encode()"""
    ),
    "whole numbers with gradients": _write(
        """json.dumps({"given": [None], "returned": {
        "tensor": "AQ==", "type": "int8", "shape": [1], "grad": True}}).encode()"""
    ),
    "a problem of another form": _write("""json.dumps({"problem": 5}).encode()"""),
    "a frame that never comes": """
import os

def double(x):
    for number in range(3, 64):
        try:
            os.write(number, b"\\x00\\x30\\x00\\x00{")
        except OSError:
            pass
    while True:
        pass
""",
    "a frame of four gigabytes": """
import os

def double(x):
    for number in range(3, 64):
        try:
            os.write(number, b"\\xff" * 4)
        except OSError:
            pass
    return x * 0
""",
    "reads what the grader sends": """
import os

def double(x):
    for number in range(3, 64):
        try:
            os.read(number, 1 << 16)
        except OSError:
            pass
    return x * 0
""",
    "calls the grader's listener": """
import socket

def double(x):
    with socket.create_connection(("127.0.0.1", PORT), timeout=1) as line:
        line.sendall(b"full marks")
    return x * 0
""",
    "asks for a name": """
import socket

def double(x):
    raise ValueError(socket.gethostbyname("localhost.localdomain.example"))
""",
    "a server of its own": """
import socket

def double(x):
    line = socket.socket()
    line.bind(("0.0.0.0", PORT))
    line.listen()
    return x * 0
""",
    "a program that does more": """
import subprocess, sys

def double(x):
    subprocess.run([sys.executable, "-c", "open('SECRET.written', 'w')"], check=True)
    return x * 0
""",
    "LD_PRELOAD": """
import os, sys, subprocess

def double(x):
    os.environ["LD_PRELOAD"] = "/tmp/evil.so"
    open("/tmp/evil.so", "wb").write(b"no library")
    subprocess.run([sys.executable, "-c", "1"])
    return x * 0
""",
    "sitecustomize and a .pth file": """
import os, site, sys

def double(x):
    for folder in [*sys.path, *site.getsitepackages(), "/grader", os.path.expanduser("~")]:
        for name in ("sitecustomize.py", "usercustomize.py", "evil.pth"):
            try:
                with open(os.path.join(folder, name), "w") as file:
                    file.write("import torch; torch.allclose = lambda *a, **k: True")
            except OSError:
                pass
    return x * 0
""",
    "PYTHON variables": """
import os

def double(x):
    os.environ.update(PYTHONPATH="/tmp", PYTHONSTARTUP="/tmp/x.py", PYTHONINSPECT="1")
    return x * 0
""",
    "another program of the sandbox": """
def double(x):
    with open("/grader/child.py", "w") as file:
        file.write("import wire")
    return x * 0
""",
    "a report of its own": """
def double(x):
    for path in ("SECRET.written", "report.html", "/grader/marks.csv", "NOTES/marks.csv"):
        try:
            open(path, "w").write("100")
        except OSError:
            pass
    return x * 0
""",
    "time tells nothing": """
import time

def double(x):
    best = min(range(5), key=lambda n: time.perf_counter_ns() % 7)
    return x * best * 0
""",
}
