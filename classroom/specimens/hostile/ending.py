"""Ends, stops or kills what it can, with and without a claim that all went well."""

ANSWERS = {
    "os._exit(0)": "import os\ndef double(x):\n    os._exit(0)\n",
    "os._exit of the C library": """
import ctypes

def double(x):
    ctypes.CDLL(None)._exit(0)
""",
    "sys.exit(0)": "import sys\ndef double(x):\n    sys.exit(0)\n",
    "exit while it is read": """
import os

class Stop:
    os._exit(0)

def double(x, stop=Stop):
    return x
""",
    "kills itself": "import os\ndef double(x):\n    os.kill(os.getpid(), 9)\n",
    "kills its parent": """
import os

def double(x):
    os.kill(os.getppid(), 9)
    return x * 0
""",
    "kills everybody": """
import os

def double(x):
    os.kill(-1, 9)
    return x * 0
""",
    "kills the first process": """
import os

def double(x):
    os.kill(1, 9)
    return x * 0
""",
    "aborts": "import ctypes\ndef double(x):\n    ctypes.CDLL(None).abort()\n",
    "reads at address zero": "import ctypes\ndef double(x):\n    ctypes.string_at(0)\n",
    "stops itself for ever": """
import os, signal

def double(x):
    os.kill(os.getpid(), signal.SIGSTOP)
""",
    "interrupts by hand": "def double(x):\n    raise KeyboardInterrupt\n",
    "an error that is no Exception": """
class Odd(BaseException):
    pass

def double(x):
    raise Odd("full marks")
""",
    "closes all that is open": """
import os

def double(x):
    os.closerange(0, 256)
    return x * 0
""",
    "another program in its place": """
import os, sys

def double(x):
    os.execv(sys.executable, [sys.executable, "-c", "print('full marks')"])
""",
}
