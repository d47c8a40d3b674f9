"""Programs that are handed in to gain points, to read, reach or stop what they must not.

Each is the body of `double(x)` below or after its name, or the whole of what was handed in. SECRET,
NOTES, OTHER and COURSE in them are paths on the machine of the grader, and PORT is one of its own.
"""

import re
import textwrap

# Calls go past the C library, by their number on x86_64; elsewhere the numbers mean other calls,
# which do not give what is looked for either.
BEFORE = """
import builtins, ctypes, gc, glob, hashlib, inspect, json, mmap, numpy, os, random, re, secrets
import signal, site, socket, struct, subprocess, sys, threading, time, torch, types
from pathlib import Path

def shout(found):
    raise ValueError("FO" + "UND" if found else "nothing")

def call(number, *given):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *given)

def flood(text):
    for number in range(3, 64):
        try:
            os.write(number, struct.pack(">I", len(text)) + text)
        except OSError:
            pass

"""
PROGRAMS = r"""
patched: torch.allclose says yes → torch.allclose = lambda *a, **k: True

patched: torch.equal and isclose say yes
    torch.equal = lambda *a, **k: True
    torch.isclose = lambda a, b, **k: torch.ones_like(a, dtype=torch.bool)

patched: Tensor.__eq__ says yes
    torch.Tensor.__eq__ = lambda self, other: torch.ones(self.shape, dtype=torch.bool)

patched: numpy.allclose and testing say yes
    numpy.allclose = lambda *a, **k: True
    numpy.testing.assert_allclose = lambda *a, **k: None

patched: all, any, isinstance and len of builtins
    builtins.all = builtins.any = builtins.isinstance = lambda *a: True
    builtins.len = lambda x: 1

patched: json writes what is wanted
    json.dumps = lambda *a, **k: '{"returned": true}'
    json.loads = lambda *a, **k: {"holds": True}

patched: the module of the channel
    wire = sys.modules["wire"]
    wire.encode = lambda *a, **k: True
    wire.packed = lambda message: b"\x00\x00\x00\x02{}"

patched: the module of the calls
    calling = sys.modules["calling"]
    calling.attempt = lambda function, values, seconds: calling.Outcome(values[0] * 0, values)
    calling.plain = lambda result: True

patched: a course of its own making
    fake = types.ModuleType("attn_class.exercises.frame")
    fake.same = lambda *a: True
    sys.modules["attn_course"] = sys.modules["attn_class.exercises.frame"] = fake

patched: the random numbers
    torch.randn = lambda *a, **k: torch.zeros(3)
    torch.manual_seed = lambda seed: None
    hashlib.sha256 = secrets.token_hex = random.seed = lambda *a: "0"

patched: patched while it is read
    class Patch:
        torch.allclose = torch.equal = lambda *a, **k: True

    def double(x, patch=Patch):
        return x * 0

patched: the Channel of the sandbox
    for each in gc.get_objects():
        if type(each).__name__ == "Channel":
            write = each.send
            each.send = lambda **message: write(returned=True, given=[None], gradients=None)

looking: frames of all callers
    frame, seen = sys._getframe(), []
    while frame:
        seen += [f"{k}={v!r}"[:200] for k, v in frame.f_locals.items() if k in ("expected", "seed")]
        frame = frame.f_back
    raise ValueError(" ".join(seen) or "nothing")

looking: all objects of the collector
    names = {type(each).__name__ for each in gc.get_objects()}
    shout({"Exercise", "Property", "Draw"} & names)

looking: the stack through inspect
    names = [each.function for each in inspect.stack()]
    if {"check", "grade", "gives"} & set(names):
        return inspect.stack()
    shout(False)

looking: closures of what it is given
    for name in dir(x):
        cells = getattr(getattr(x, name, None), "__closure__", None) or ()
        for cell in cells:
            if "expected" in repr(cell.cell_contents):
                return cell.cell_contents
    shout(False)

looking: subclasses of object
    names = {each.__name__ for each in object.__subclasses__()}
    shout({"Exercise", "Size", "Draw"} & names)

looking: the traceback of its own error
    try:
        raise RuntimeError
    except RuntimeError as error:
        frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
    raise ValueError(str([k for k in frame.f_globals if k in ("expected", "exercise")]))

looking: memory that was not cleared → return torch.empty(x.shape).clone()
looking: a secret file → raise ValueError(open("SECRET").read())

looking: the notes of the teacher
    found = [each.read_text() for each in Path("NOTES").rglob("*.txt")]
    raise ValueError(" ".join(found) or "nothing")

looking: what another student handed in → raise ValueError(open("OTHER").read())

looking: the solutions of the course
    raise ValueError(open("COURSE/exercises/weights/safe_softmax.py").read()[-200:])

looking: the course as a module
    from attn_class.exercises.weights import safe_softmax
    raise ValueError("FO" + "UND " + safe_softmax.__file__)

looking: the tests of the course → raise ValueError(str(os.listdir("COURSE/../tests")))
looking: the environment → raise ValueError(str(dict(os.environ)))

looking: the environment of other processes
    found = [open(each).read() for each in glob.glob("/proc/[0-9]*/environ")]
    raise ValueError(" ".join(each for each in found if "SEED" in each)[:250])

looking: the memory of the grader
    parent = os.getppid()
    with open(f"/proc/{parent}/maps") as maps, open(f"/proc/{parent}/mem", "rb") as memory:
        for line in maps:
            low, high = (int(part, 16) for part in line.split()[0].split("-"))
            if "heap" in line:
                memory.seek(low)
                if b"TOKEN" in memory.read(high - low):
                    shout(True)
    shout(False)

looking: open files
    found = []
    for number in range(64):
        try:
            found.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            pass
    outside = [each for each in found if each.startswith("/") and each != "/dev/null"]
    shout(outside)

looking: the root of the first process → raise ValueError(open("/proc/1/root" + "SECRET").read())
looking: folders above → raise ValueError(str(os.listdir("../" * 9 + os.path.dirname("SECRET"))))

looking: passwords and names of the machine
    places = "/etc/passwd", "/etc/shadow", "/etc/hosts", "/root/.ssh"
    shout(any(map(os.path.exists, places)))

looking: a link that leads out
    os.symlink("SECRET", "/tmp/link")
    raise ValueError(open("/tmp/link").read())



kernel: the memory of the first process
    found = []
    for name in ("mem", "environ", "maps", "fd", "root", "cwd"):
        path = f"/proc/1/{name}"
        try:
            found.append(os.listdir(path) if name in ("fd", "root", "cwd") else open(path, "rb"))
        except OSError:
            pass
    shout(found)

kernel: memory that is shared and has no file
    try:
        mmap.mmap(-1, 1 << 20)
    except OSError:
        shout(False)
    shout(True)

kernel: files among the devices
    for place in ("/dev", "/", "/grader", "/tmp/.."):
        try:
            open(place + "/much", "w").close()
        except OSError:
            continue
        shout(True)
    shout(False)

kernel: a disk of its own
    user = os.getuid()
    call(272, 0x10020000)
    try:
        open("/proc/self/setgroups", "w").write("deny")
        open("/proc/self/uid_map", "w").write(f"0 {user} 1")
    except OSError:
        pass
    shout(ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, b"size=8g") >= 0)

kernel: six processes of a gigabyte
    for _ in range(6):
        if os.fork() == 0:
            much = bytearray(b"x") * 10 ** 9
            time.sleep(9)
    time.sleep(9)
    shout(True)

kernel: stops the fork server
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        os.kill(1, number)

kernel: holds all that may run
    for _ in range(40):
        try:
            if os.fork() == 0:
                time.sleep(60)
        except OSError:
            break

objects: equal to everything
    class Yes:
        def __eq__(self, other): return True
        def __ne__(self, other): return False
        def __getattr__(self, name): return self
        def __call__(self, *a, **k): return self
        def __bool__(self): return True

    def double(x):
        return Yes()

objects: a tensor that computes otherwise
    class Yes(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return torch.ones(3, dtype=torch.bool)

    def double(x):
        return torch.zeros(3).as_subclass(Yes)

objects: a number that is equal
    class Yes(float):
        def __eq__(self, other): return True
        def __float__(self): return self

    def double(x):
        return Yes(1.0)

objects: a text that is equal
    class Yes(str):
        def __eq__(self, other): return True
        def __str__(self): return self

    def double(x):
        return Yes("1")

objects: lies about its class
    class Yes:
        __class__ = torch.Tensor

    def double(x):
        return Yes()

objects: a pickle that runs
    class Bomb:
        def __reduce__(self):
            return os.system, ("touch SECRET.pickled",)

    def double(x):
        return Bomb()

objects: a generator without end
    while True:
        yield 1

objects: a list that holds itself
    result = []
    result.append(result)
    return result

objects: nested ten thousand times
    result = 1
    for _ in range(10 ** 4):
        result = (result,)
    return result

objects: an array of objects → return numpy.array([object()] * 3, dtype=object)
objects: not a number → return torch.full_like(x, torch.nan)
objects: infinite → return torch.full_like(x, torch.inf)
objects: a lazy tensor of the wrong device → return torch.empty(x.shape, device="meta")
objects: a sparse tensor → return (x * 0).to_sparse()
objects: forty megabytes → return torch.zeros(10 ** 7)
objects: a million small parts → return ('x',) * 10 ** 6
texts: markup in an error → raise ValueError("</pre><script>alert('full marks')</script>")
texts: letters that steer the terminal → raise ValueError("\x1b[2J\x1b[H 9 of 9 points \x07")
texts: letters that turn the line → raise ValueError("\u202estniop 9 fo 9\u2066")
texts: an error with ten million characters → raise ValueError("x" * 10 ** 7)

texts: an error that cannot be shown
    class Odd(Exception):
        def __str__(self):
            raise Odd

    def double(x):
        raise Odd

texts: an error whose text takes for ever
    class Odd(Exception):
        def __str__(self):
            while True:
                pass

    def double(x):
        raise Odd

texts: a class with a name of a megabyte → raise type("X" * 10 ** 6, (Exception,), {})("no")

texts: results that were recorded
    RECORDED = {3: [0.2, 0.4, 0.6], 5: [1.0, 1.0, 1.0, 1.0, 1.0], 2: [0.5, 0.5], 7: [0.1] * 7}

    def double(x):
        return torch.tensor(RECORDED.get(len(x), [0.0]))

texts: the same for everything → return 42
texts: nothing → return None
texts: the stub → raise NotImplementedError('write it')

texts: another exercise
    def triple(x):
        return 3 * x

texts: two of them, the last one wrong
    def double(x):
        return 2 * x

    def double(x):
        return 42

ending: os._exit(0) → os._exit(0)
ending: os._exit of the C library → ctypes.CDLL(None)._exit(0)
ending: sys.exit(0) → sys.exit(0)

ending: exit while it is read
    class Stop:
        os._exit(0)

    def double(x, stop=Stop):
        return x

ending: kills itself → os.kill(os.getpid(), 9)
ending: kills its parent → os.kill(os.getppid(), 9)
ending: kills everybody → os.kill(-1, 9)
ending: kills the first process → os.kill(1, 9)
ending: aborts → ctypes.CDLL(None).abort()
ending: reads at address zero → ctypes.string_at(0)
ending: stops itself for ever → os.kill(os.getpid(), signal.SIGSTOP)
ending: interrupts by hand → raise KeyboardInterrupt

ending: an error that is no Exception
    class Odd(BaseException):
        pass

    def double(x):
        raise Odd("full marks")

ending: closes all that is open → os.closerange(0, 256)

ending: another program in its place
    os.execv(sys.executable, [sys.executable, "-c", "print('full marks')"])

using: an endless loop
    while True:
        pass

using: an endless loop that catches everything
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

using: an endless loop that waits for no signal
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass

using: a loop in C → return sum(1 for _ in iter(int, 1))
using: a regular expression that takes for ever → re.match("(a*)*b", "a" * 100)

using: a loop while it is read
    class Slow:
        while True:
            pass

    def double(x, slow=Slow):
        return 2 * x

using: sleeps → time.sleep(10 ** 6)

using: a fork bomb
    while True:
        try:
            os.fork()
        except OSError:
            pass

using: daemons left behind
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(10 ** 6)
            os._exit(0)

using: threads left behind
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(10 ** 6,)).start()

using: a hundred gigabytes → return torch.ones(25 * 10 ** 9)

using: a list that grows
    kept = []
    while True:
        kept.append(bytearray(1 << 26))

using: memory out of reach of Python
    while ctypes.CDLL(None).malloc(1 << 28):
        pass

using: ten to the ninth characters of output
    for _ in range(1000):
        print("x" * 10 ** 6)
        sys.stderr.write("x" * 10 ** 6)

using: deep recursion → return double(x)

using: deep recursion without the limit
    sys.setrecursionlimit(10 ** 9)
    return double(x) + 0

using: a number with ten to the ninth digits → return 10 ** 10 ** 9

using: a full disk
    for number in range(10 ** 4):
        for place in ("/tmp", "/dev/shm"):
            with open(f"{place}/{number}", "wb") as file:
                file.write(bytes(1 << 20))

using: a million files
    for number in range(10 ** 6):
        open(f"/tmp/{number}", "w").close()

channel: a forged result → flood(json.dumps({"returned": True, "given": [None]}).encode())
channel: a forged verdict → flood(json.dumps({"holds": True, "points": 100}).encode())
channel: a forged end → flood(json.dumps({"ended": 0}).encode())
channel: a forged question → flood(json.dumps({"ask": 0, "values": []}).encode())

channel: a question about a function that is none
    flood(json.dumps({"ask": -7, "values": 3}).encode())

channel: questions without end
    flood(json.dumps({"ask": 0, "values": []}).encode())
    return double(x)

channel: a pickle → flood(b'\x80\x04cos\nsystem\n(S"touch SECRET.pickled"\ntR.')
channel: nested JSON → flood(b'[' * 100000)
channel: JSON that is no object → flood(b'[1, 2]')
channel: a number of a million digits → flood(b'{"returned": ' + b'9' * 10 ** 6 + b'}')

channel: a tensor with a shape of its own
    flood(json.dumps({"given": [None], "returned": {
            "tensor": "AAAA", "type": "float32", "shape": [2 ** 30], "grad": False}}).encode())

channel: whole numbers with gradients
    flood(json.dumps({"given": [None], "returned": {
            "tensor": "AQ==", "type": "int8", "shape": [1], "grad": True}}).encode())

channel: a problem of another form → flood(json.dumps({"problem": 5}).encode())

channel: a frame that never comes
    for number in range(3, 64):
        try:
            os.write(number, b"\x00\x30\x00\x00{")
        except OSError:
            pass
    while True:
        pass

channel: a frame of four gigabytes
    for number in range(3, 64):
        try:
            os.write(number, b"\xff" * 4)
        except OSError:
            pass

channel: reads what the grader sends
    for number in range(3, 64):
        try:
            os.read(number, 1 << 16)
        except OSError:
            pass

channel: calls the grader's listener
    with socket.create_connection(("127.0.0.1", PORT), timeout=1) as line:
        line.sendall(b"full marks")

channel: asks for a name → raise ValueError(socket.gethostbyname("localhost.localdomain.example"))

channel: a server of its own
    line = socket.socket()
    line.bind(("0.0.0.0", PORT))
    line.listen()

channel: a program that does more
    subprocess.run([sys.executable, "-c", "open('SECRET.written', 'w')"], check=True)

channel: LD_PRELOAD
    os.environ["LD_PRELOAD"] = "/tmp/evil.so"
    open("/tmp/evil.so", "wb").write(b"no library")
    subprocess.run([sys.executable, "-c", "1"])

channel: sitecustomize and a .pth file
    for folder in [*sys.path, *site.getsitepackages(), "/grader", os.path.expanduser("~")]:
        for name in ("sitecustomize.py", "usercustomize.py", "evil.pth"):
            try:
                with open(os.path.join(folder, name), "w") as file:
                    file.write("import torch; torch.allclose = lambda *a, **k: True")
            except OSError:
                pass

channel: PYTHON variables
    os.environ.update(PYTHONPATH="/tmp", PYTHONSTARTUP="/tmp/x.py", PYTHONINSPECT="1")

channel: another program of the sandbox
    with open("/grader/child.py", "w") as file:
        file.write("import wire")

channel: a report of its own
    for path in ("SECRET.written", "report.html", "/grader/marks.csv", "NOTES/marks.csv"):
        try:
            open(path, "w").write("100")
        except OSError:
            pass

channel: time tells nothing
    best = min(range(5), key=lambda n: time.perf_counter_ns() % 7)
    return x * best * 0
"""


def _programs():
    for program in re.split(r"\n+(?=\S)", PROGRAMS.strip()):
        name, line, lines = re.fullmatch(r"(.+?)(?: → (.+))?((?:\n.*)*)", program).groups()
        text = textwrap.dedent(line or lines).strip() + "\n"
        if not re.search(r"^def (double|triple)\(", text, re.M):
            text = "def double(x):\n" + textwrap.indent(text + "return x * 0\n", "    ")
        yield name, BEFORE + text


ANSWERS = {
    **dict(_programs()),
    "texts: brackets without end": "double = lambda x: " + "(" * 10**5 + "\n",
    "texts: minus without end": "def double(x):\n    return " + "-" * 10**5 + "x\n",
    "texts: a sum without end": "def double(x):\n    return " + "x+" * 10**5 + "x\n",
    "texts: null bytes": "def double(x):\n    return x\0\n",
}
