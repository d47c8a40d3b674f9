"""Asks the kernel for what outlives an answer, reaches the grader's program, or evades limits."""

# Calls go past the C library, by their number on x86_64; elsewhere the numbers mean other calls,
# which do not give what is looked for either.
CALL = """
import ctypes, os, time

def call(number, *given):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *given)

def found(result):
    raise ValueError("FO" + "UND" if result >= 0 else "nothing")
"""


def _asking(number: int, *given: str) -> str:
    """An answer that makes one call, and shouts if it succeeds."""
    arguments = ", ".join([str(number), *given])
    return f"{CALL}\ndef double(x):\n    found(call({arguments}))\n"


ANSWERS = {
    "a key for the next student": _asking(
        248, 'b"user"', 'b"mallory"', 'b"full marks"', "10", "ctypes.c_long(-4)"
    ),
    "the keyring of the session": _asking(250, "0", "ctypes.c_long(-3)", "1"),
    "follows the fork server": _asking(101, "16", "os.getppid()", "0", "0"),
    "follows the first process": _asking(101, "16", "1", "0", "0"),
    "a descriptor of the fork server": _asking(438, "os.pidfd_open(1)", "0", "0"),
    "a namespace of users": _asking(272, "0x10000000"),
    "a process in a namespace of users": _asking(56, "0x10000011", "0", "0", "0", "0"),
    "a file in memory": _asking(319, 'b"much"', "0"),
    "memory of System V": _asking(29, "0", "1 << 30", "0o1600"),
    "messages of System V": _asking(68, "0", "0o1600"),
    "a watch for files": _asking(294, "0"),
    "a ring of calls": _asking(425, "8", "ctypes.create_string_buffer(512)"),
    "limits of the fork server": _asking(302, "1", "7", "(ctypes.c_ulong * 2)(3, 3)", "None"),
    "the fork server waits for everybody": _asking(141, "0", "1", "19"),
    "a socket to the machine below": _asking(41, "40", "1", "0"),
    "a child of somebody else": _asking(56, "0x8011", "0", "0", "0", "0"),
    "the memory of the first process": """
import os

def double(x):
    found = []
    for name in ("mem", "environ", "maps", "fd", "root", "cwd"):
        path = f"/proc/1/{name}"
        try:
            found.append(os.listdir(path) if name in ("fd", "root", "cwd") else open(path, "rb"))
        except OSError:
            pass
    raise ValueError("FO" + "UND" if found else "nothing")
""",
    "memory that is shared and has no file": """
import mmap

def double(x):
    try:
        mmap.mmap(-1, 1 << 20)
    except OSError:
        raise ValueError("nothing")
    raise ValueError("FO" + "UND")
""",
    "files among the devices": """
import os

def double(x):
    for place in ("/dev", "/", "/grader", "/tmp/.."):
        try:
            open(place + "/much", "w").close()
        except OSError:
            continue
        raise ValueError("FO" + "UND")
    raise ValueError("nothing")
""",
    "a disk of its own": CALL
    + """
def double(x):
    user = os.getuid()
    call(272, 0x10020000)
    try:
        open("/proc/self/setgroups", "w").write("deny")
        open("/proc/self/uid_map", "w").write(f"0 {user} 1")
    except OSError:
        pass
    found(ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, b"size=8g"))
""",
    "six processes of a gigabyte": """
import os, time

def double(x):
    for _ in range(6):
        if os.fork() == 0:
            much = bytearray(b"x") * 10 ** 9
            time.sleep(9)
    time.sleep(9)
    raise ValueError("FO" + "UND")
""",
    "stops the fork server": """
import os, signal

def double(x):
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        os.kill(1, number)
    return x * 0
""",
    "holds all that may run": """
import os, time

def double(x):
    for _ in range(40):
        try:
            if os.fork() == 0:
                time.sleep(60)
        except OSError:
            break
    return x * 0
""",
}
