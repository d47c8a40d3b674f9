"""Uses up time, memory, processes and files."""

ANSWERS = {
    "an endless loop": "def double(x):\n    while True:\n        pass\n",
    "an endless loop that catches everything": """
def double(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""",
    "an endless loop that waits for no signal": """
import signal

def double(x):
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass
""",
    "a loop in C": """
import signal

def double(x):
    return sum(1 for _ in iter(int, 1))
""",
    "a regular expression that takes for ever": """
import re

def double(x):
    re.match("(a*)*b", "a" * 100)
    return x * 0
""",
    "a loop while it is read": """
class Slow:
    while True:
        pass

def double(x, slow=Slow):
    return 2 * x
""",
    "sleeps": "import time\ndef double(x):\n    time.sleep(10 ** 6)\n",
    "a fork bomb": """
import os

def double(x):
    while True:
        try:
            os.fork()
        except OSError:
            pass
""",
    "daemons left behind": """
import os, time

def double(x):
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(10 ** 6)
            os._exit(0)
    return x * 0
""",
    "threads left behind": """
import threading, time

def double(x):
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(10 ** 6,)).start()
    return x * 0
""",
    "a hundred gigabytes": "import torch\ndef double(x):\n    return torch.ones(25 * 10 ** 9)\n",
    "a list that grows": """
def double(x):
    kept = []
    while True:
        kept.append(bytearray(1 << 26))
""",
    "memory out of reach of Python": """
import ctypes

def double(x):
    while ctypes.CDLL(None).malloc(1 << 28):
        pass
    return x * 0
""",
    "ten to the ninth characters of output": """
import sys

def double(x):
    for _ in range(1000):
        print("x" * 10 ** 6)
        sys.stderr.write("x" * 10 ** 6)
    return x * 0
""",
    "deep recursion": "def double(x):\n    return double(x)\n",
    "deep recursion without the limit": """
import sys

def double(x):
    sys.setrecursionlimit(10 ** 9)
    return double(x) + 0
""",
    "a number with ten to the ninth digits": "def double(x):\n    return 10 ** 10 ** 9\n",
    "a full disk": """
def double(x):
    for number in range(10 ** 4):
        for place in ("/tmp", "/dev/shm"):
            with open(f"{place}/{number}", "wb") as file:
                file.write(bytes(1 << 20))
    return x * 0
""",
    "a million files": """
def double(x):
    for number in range(10 ** 6):
        open(f"/tmp/{number}", "w").close()
    return x * 0
""",
}
