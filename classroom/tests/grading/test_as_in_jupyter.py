"""What runs in Jupyter runs here: notebooks made at random, executed by IPython and in the sandbox.

The same function must come out, or a remark that says what was left out.
"""

import concurrent.futures
import contextlib
import io
import multiprocessing
import re
import sys

import pytest
from handing_in import needs_walls, opened
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from sweeps import examples
from traitlets.config import Config

from attn_class.grading.extract import is_jupyters
from attn_class.grading.remote import Absent
from attn_class.grading.sandbox import Limits, Sandbox

NAMES = ("number", "table", "items", "Thing", "helper", "wrapped", "row", "stream", "draws")
VALUES = st.integers(0, 9)
NAME = st.sampled_from(NAMES)


def lines(*templates):
    """One of these lines of code, with numbers and names put in."""

    @st.composite
    def line(draw):
        text = draw(st.sampled_from(templates))
        while "{v}" in text:
            text = text.replace("{v}", str(draw(VALUES)), 1)
        while "{n}" in text:
            text = text.replace("{n}", draw(NAME), 1)
        return text

    return line()


# cells, and what the function reads: what `:=` binds in a comprehension; what is put off; what a
# function keeps from call to call; what is changed without its name, and by PyTorch and NumPy
SHARED = r"""
table = [j for k in range(3) if (number := k) or 1 for j in range(k)] ;; number

use = lambda: [(number := k) for k in range(3)] ;; use() ;; number

def genexpr():
    global number; number = 8
;; table = genexpr() ;; number

PUT_OFF ;; table = list(stream) ;; items

PUT_OFF ;; table = 3 ;; items

stream = ((number := k) for k in range(3)) ;; for k in stream: pass ;; number

stream = (helper(k) for k in range(3)) ;; def use(): return list(stream)
;; def helper(x): items.append(x) ;; table = use() ;; items

draws = __import__('random').Random(3) ;; table = draws.random() ;; draws.random()

KEEPS ;; table = list(map(helper, items)) ;; helper(x)

KEEPS ;; wrapped = helper; wrapped(3) ;; helper(x)

class Child(Thing): pass ;; type(Child()).kept.append(3) ;; Child.kept

def count():
    n = 0
    def step(): nonlocal n; n += 1; items.append(n)
    return [step]
;; steps = count() ;; for step in steps: step() ;; items

import functools
@functools.cache
def kept(): return number
;; kept() ;; number = 9 ;; kept()

TORCH ;; loss = (w * 2).sum() ;; loss.backward() ;; optimizer.step() ;; w.detach().tolist()

TORCH ;; array = np.zeros(2); one = torch.from_numpy(array) ;; array[0] = 3 ;; one[0].item()

TORCH ;; layer.register_forward_hook(lambda *_: items.append(3)) ;; layer(one) ;; items

TORCH ;; torch.manual_seed(0) ;; torch.rand(1) ;; number = torch.rand(1) ;; number.item()

TORCH ;; def setup(): torch.set_default_dtype(torch.float64)
;; setup() ;; torch.ones(1).dtype
"""
OFTEN = {
    "PUT_OFF": "stream = (items.append(k) for k in range(3))",
    "KEEPS": "def helper(x, seen=[]):\n    seen.append(x)\n    return len(seen)",
    "TORCH": "import numpy as np\nimport torch\nlayer = torch.nn.Linear(2, 2)\n"
    "one, w = torch.ones(2, 2), torch.ones(2, requires_grad=True)\n"
    "optimizer = torch.optim.SGD([w], lr=0.5)",
}


BINDING = lines(
    *("number = {v}", "number: int = {v}"),
    "table = {{}}".format(),
    *("table = dict(a={v}, b=[{v}])", "items = [{v}, {v}]", "number, items = {v}, [{v}]"),
    *("row = items", "row = table.setdefault('b', [])", "(number := {v})", "print(number := {v})"),
    "class Thing:\n    size = {v}\n    kept = []\n    def grow(self, by):\n        return by",
    "def helper(x):\n    return x + {v}",
    "def helper(x, seen=[]):\n    seen.append(x)\n    return len(seen)",
    "def helper(x):\n    global number\n    number = {v}\n    return x",
    "def helper(x):\n    table['h'] = x\n    return x",
    "def helper(x):\n    items.append(x)\n    return x",
    *("def helper(x):\n    x.append({v})\n    return {v}", "helper = lambda x: [x, {v}]"),
    "def outer():\n    kept = [{v}]\n    def inner(x):\n        kept.append(x)\n"
    "        return list(kept)\n    return inner\nhelper = outer()",
    *("thing = Thing()", "from math import floor as helper", "import math as row"),
)
CHANGING = lines(
    *("number += {v}", "number -= {v}\nnumber *= 2", "items.append({v})", "del items[0]"),
    *("del {n}", "helper.__defaults__ = ({v},)", "x, items[0] = {v}, {v}"),
    "if number > {v}:\n    number = {v}\nelse:\n    items = [{v}]",
    "if number:\n    def helper(x):\n        return -x",
    "for k in range(3):\n    items.append(k)\nelse:\n    number = {v}",
    "while number < {v}:\n    number += 1",
    "with contextlib.suppress(Exception):\n    items[0] = {v}\n    table['w'] = {v}",
    "try:\n    number = int('x')\nexcept ValueError as fault:\n    number = {v}\nfinally:\n"
    "    items = [*items, {v}]",
    "try:\n    import nowhere\nexcept ImportError:\n    !pip install nowhere\n    number = {v}",
    *("table['b'] = table.get('b', []) + [{v}]", "items[:1] = [{v}, {v}]", "first, *row = items"),
    *("Thing.size = {v}", "Thing.grow = helper", "setattr(Thing, 'size', {v})", "thing.grow({v})"),
    *("wrapped = helper", "helper = (lambda f: lambda x: (f(x), {v}))(helper)"),
    "def helper(x, *, seen=items):\n    seen.append(x)\n    return len(seen)",
    *("table = [[(number := k) for k in range(j)] for j in range({v})]", "helper.calls = {v}"),
    *("helper({v})", "out = helper(items)", "result = [helper(k) for k in range(2)]"),
    "def setup():\n    global number, items\n    number, items = {v}, [{v}]\nsetup()",
    "@(lambda f: items.append({v}) or f)\ndef other(x):\n    return x",
    "import random\nrandom.shuffle(items)\nitems = sorted(items)",
    *("exec('number = {v}')", "globals()['number'] = {v}", "from __future__ import annotations"),
    "match number:\n    case {v}:\n        items = []\n    case number:\n        pass",
    *("number = max((number := {v}), {v})", "row = items\nrow += [{v}]"),
    "class Child(Thing):\n    pass\nChild.kept.append({v})\nThing = Child",
    "def make():\n    n = 0\n    def step(x):\n        nonlocal n\n        n += 1\n"
    "        return n\n    return step\nhelper = make()\nhelper(0)",
    *("gen = iter([{v}, {v}, {v}])\nnext(gen)\nnumber = next(gen)", "del number\nnumber = {v}"),
    "while (number := number + 1) < {v}:\n    items.append(number)",
    "import functools\n@functools.wraps(helper)\ndef wrapped(x):\n    return {v}",
    "for items[0] in range(3):\n    pass",
    "with contextlib.nullcontext({v}) as number:\n    pass",
    "async def later():\n    return {v}\nnumber = await later()",
)
JUPYTER = lines(
    *("%matplotlib inline", "%time number = {v}", "t = %time {v} + 1", "!ls", "!echo a \\\n    b"),
    *("files = !ls", "items?", "%%time\nnumber = {v}\nitems = [{v}]"),
    *("%%capture\nprint({v})\ntable = dict(z={v})", "%%bash\nnumber = {v}"),
    *("%%html\n<b>number = {v}</b>", "text = '''\n%number\n!items\n'''"),
    *("raise_it = ('a %d'\n    % {v})", "In [1]: number = {v}"),
    *(">>> number = {v}\n>>> items = [{v}]", "    number = {v}\n    items = [{v}]"),
    "get_ipython().run_line_magic('time', 'number = {v}')",
)
SCRATCH = lines(
    *("print({n})", "number / 0", "this is no Python", "- a list\n- of *words*", "undefined_name"),
    *("assert helper({v}) == {v}", "print(items, table)", "x = y = {v}", "return {v}"),
    "def broken(x)\n    pass",
)


# what comes first, so that little is missing
HEAD = """import contextlib
number, table, items = 3, {'a': 1}, [2, 1]
row = items
class Thing:
    size = 4
    kept = []
    def grow(self, by):
        self.size += by
        self.kept.append(by)
        return self.size
thing = Thing()
def helper(x):
    return [x]
wrapped = helper
stream, draws = iter([4, 5]), __import__('random').Random(6)"""
READ = {
    "stream": "[k for k, _ in zip(stream, range(9))]",
    "draws": "draws.random()",
    "Thing": "(Thing.size, str(Thing.kept), Thing().grow(x), thing.size)",
    "helper": "str(helper(x))[:40]",
    "wrapped": "str(wrapped(x))[:40]",
}
CASES = [
    [OFTEN.get(part, part) for part in re.split(r"\s*;;\s*", case)]
    for case in SHARED.strip().split("\n\n")
]
SHARED_CELL = st.sampled_from(sorted({cell for *cells, _ in CASES for cell in cells}))
CHANGE = st.one_of(BINDING, CHANGING, CHANGING, SHARED_CELL, SHARED_CELL)
QUIET = {"HistoryManager": {"enabled": False}, "InteractiveShell": {"cache_size": 0}}


@st.composite
def notebook(draw):
    """Cells of one thing each: where one raises an error, IPython leaves out the rest of a cell."""
    before = draw(st.lists(st.one_of(CHANGE, CHANGE, CHANGE, JUPYTER, SCRATCH), max_size=7))
    read = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    parts = ", ".join(READ.get(name, f"str({name})[:80]") for name in read)
    body = f"def answer(x):\n    return repr([{parts}])"
    after = draw(st.lists(st.one_of(CHANGE, CHANGE, JUPYTER, SCRATCH), max_size=4))
    return [HEAD, *before, body, *after]


def in_jupyter(cells):
    """What the function returns, or the error, after IPython has executed all cells.

    Its history, its numbered outputs and its drawings of errors are looked at by nobody.
    """
    shell = InteractiveShell.instance(config=Config(QUIET))
    shell.reset()
    shell.compile.reset_compiler_flags()
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    shell.system = lambda *_: None
    shell.getoutput = lambda *_, **__: ["a file"]
    with capture_output(), contextlib.redirect_stderr(io.StringIO()):
        for cell in cells:
            shell.run_cell(cell, silent=False, store_history=False)
        function = shell.user_ns.get("answer")
        if function is None:
            return "absent"
        try:
            return function(5)
        except BaseException as error:
            return type(error).__name__


def in_the_sandbox(cells, box):
    """The same here, and whatever is said."""
    try:
        with opened(box, cells, "answer") as answer:
            outcome = answer([5])
    except Absent as error:
        return "absent", str(error)
    if outcome.problem is None:
        return outcome.returned, answer.remark + answer.aside + answer.cut
    has_cause = "Not run" in outcome.problem.text or "raised" in outcome.problem.text
    return outcome.problem.kinds[0], answer.remark + (outcome.problem.text if has_cause else "")


@pytest.fixture(scope="module")
def jupyter():
    """A process of IPython's own: in this one a browser's tests may have an event loop running."""
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        yield pool


@pytest.fixture(scope="module")
def box():
    with Sandbox(Limits(call_seconds=3.0, submission_seconds=1e5)) as box:
        box.start(["%pass", "torch.optim"])  # with what takes long to load, which some of them need
        yield box


@needs_walls
@settings(
    max_examples=examples(300, 50),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(cells=notebook())
def test_the_same_function_or_a_remark(box, jupyter, cells):
    expected = jupyter.submit(in_jupyter, cells).result()
    outcome, remarks = in_the_sandbox(cells, box)
    assert outcome == expected or remarks, "\n# ----\n".join(cells)


@needs_walls
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_put_off_kept_or_shared_is_as_in_jupyter(box, jupyter, case):
    *cells, read = case
    cells = [HEAD, *cells, f"def answer(x):\n    return repr({read})"]
    expected = jupyter.submit(in_jupyter, cells).result()
    assert in_the_sandbox(cells, box) == (expected, "")


def graded(box, *cells, written_in=""):
    """What comes of a call with 5, and all that is said."""
    try:
        with opened(box, cells, "answer", written_in=written_in) as answer:
            outcome = answer([5])
    except Absent as error:
        return None, str(error)
    problem = outcome.problem
    texts = [answer.remark, answer.aside, *((problem.where, problem.text) if problem else ())]
    return outcome.returned, "\n".join(filter(None, texts))


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("type Number = int", "3.12"),
        ("def other[T](x: T) -> T:\n    return x", "3.12"),
        ("class Box[T = int]:\n    pass", "3.13"),
        ("words = t'{1}'", "3.14"),
    ],
)
def test_a_newer_python_is_named(box, text, version):
    if sys.version_info[:2] >= tuple(map(int, version.split("."))):
        pytest.skip("this Python can read it")
    returned, remarks = graded(box, text, "def answer(x):\n    return x")
    assert returned == 5
    assert f"written for Python {version}" in remarks
    returned, remarks = graded(box, f"{text}\ndef answer(x):\n    return x")
    assert returned is None
    assert f"written for Python {version}" in remarks


def test_the_notebooks_own_version_is_named_too(box):
    cells = "def answer(x):\n    return f'{'a'}'  # not before 3.12\n)"
    assert "written for Python 3.99" in graded(box, cells, written_in="3.99.1")[1]
    assert "written for" not in graded(box, cells + "(", written_in="3.9.1")[1]


ENDLESS = "items = []\nwhile True:\n    items.append(1)"
DEAF = "items = []\ntry:\n    while True:\n        items.append(1)\nexcept:\n    print('failed')"
USES_ITEMS = "def answer(x):\n    return x + len(items)"
SAME = "def answer(x):\n    return x"
KILLED = "import os\nos.kill(os.getpid(), 9)"  # which restarts the kernel, in Colab
IGNORES = """import signal
def go_on():
    for each in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(each, signal.SIG_IGN)
    while True:
        pass
go_on()"""


def test_what_takes_too_long_is_cut_short(box):
    """It is said if the function names what it is about, and else where points are lost."""
    with opened(box, [ENDLESS, SAME], "answer") as answer:
        assert answer([5]).returned == 5
    assert answer.remark == answer.aside == ""
    assert answer.cut == "Not run to its end when graded: code cell 1, line 2: while True:."
    for endless, line in ((ENDLESS, "while True:"), (DEAF, "try:")):
        remarks = graded(box, endless, USES_ITEMS)[1]
        assert remarks == f"Code cell 1, line 2: {line} was not run to its end"


def test_many_long_statements_leave_time_for_short_ones(box):
    endless = ["while True:\n    pass"] * 4
    returned, _ = graded(box, "items = []", *endless, "items.append(1)", USES_ITEMS)
    assert returned == 6


@needs_walls
@pytest.mark.parametrize("ends", [KILLED, IGNORES])
def test_where_a_cell_ends_the_process_the_function_is_executed_alone(ends):
    with Sandbox(Limits(call_seconds=0.5, grace=1.0, submission_seconds=1e5)) as box:
        returned, remarks = graded(box, "items = [1]", "items.append(2)", ends, USES_ITEMS)
    assert returned == 6  # and not 7: by its names the function does not need what changes the list
    assert remarks.startswith("Only what the function needs was executed, since the whole notebook")


WORKERS = """import multiprocessing as mp
pool = mp.get_context('fork').Pool(2)
items = pool.map(abs, [-1, 2])
pool.close(); pool.join()"""
LOADER = """from torch.utils.data import DataLoader
items = []
for batch in DataLoader([1, 2], num_workers=2):
    items.append(batch.item())"""


def test_reading_a_cell_takes_time_in_proportion_to_its_length():
    """Of many empty lines, whose number counts twice where each may begin what is sought."""
    cells = ["\n" * 1_000_000, " \n" * 500_000, "?\n" * 300_000, "= \n" * 300_000]
    assert [is_jupyters(text + "x = 1") for text in cells] == [True, True, True, False]


PAIR = [
    "from __future__ import annotations\nimport dataclasses\nimport pickle",
    "@dataclasses.dataclass\nclass Pair:\n    one: int\n    two: Later\nclass Later: pass",
    "def answer(x):\n    return pickle.loads(pickle.dumps(Pair(x, 2))).one",
]
DOUBLE = "class Double:\n    def __call__(self, x):\n        return 2 * x"
MAKE = "def make():\n    global answer\n    def answer(x):\n        return 2 * x\nmake()"
SCALED = "def answer(x):\n    return scale * x"
READS = "def read(path):\n    for line in open(path):\n        items.append(line)"
NOWHERE = ["import nowhere", "rows = len(nowhere.read())", "items = []", "items.append(rows)"]
NONE = "There is no function answer in what you handed in."
TIMED = "%%time\ndef answer(x):\n    return 2 * x"
COMPILED = "import torch\n\n@torch.compile\ndef answer(x):\n    return torch.tensor(x) + 1"
FINE = {  # nothing is said
    "modules and types find the notebook as their main": (5, PAIR),
    "it fails in Jupyter too": (5, ["items = []", "items.append(1 / 0)", "items[3]", USES_ITEMS]),
    "a sum too long to write out": (5, ["total = " + "1 + " * 600 + "1", SAME]),
    "a number too long to write out": (5, [f"total = {hex(16**5000)}", SAME]),
    "brackets too deep": (5, ["[" * 60 + "]" * 60, SAME]),
    "an encoding": (5, ["# -*- coding: latin-1 -*-\n" + SAME]),
    "no encoding": (5, ["# coding: no-such-encoding\n" + SAME]),
    "a breakpoint": (5, ["breakpoint()", SAME.replace("  r", "  breakpoint()\n    r")]),
    "IPython's": (
        *(5, ["breakpoint(header='')", SAME.replace("  r", "  breakpoint(header='')\n    r")]),
    ),
    "global": (10, [MAKE]),
    "exec": (10, ["exec('def answer(x): return 2 * x')"]),
    "globals": (10, ["globals()['answer'] = lambda x: 2 * x"]),
    "an object": (10, [DOUBLE, "answer = Double()"]),
    "partial": (10, ["import functools, operator", "answer = functools.partial(operator.mul, 2)"]),
    "timed": (10, [TIMED]),
    "compiled": (6, [COMPILED]),
    "what fails and is not needed": (5, [*NOWHERE, SAME]),
    **{  # worker processes do not answer
        f"workers, {at}": (7, [cell, USES_ITEMS])
        for at in range(3)
        for cell in (WORKERS, LOADER, "import os\nitems = [1, 2]\nos.fork()")
    },
}
REMARKS = {  # what was left out is said where it is missing
    "code cell 1, line 1: %run setup.py": (None, ["%run setup.py", SCALED]),
    "code cell 2, line 2: %load_ext": (
        None,
        ["x = 1", "import math\n%load_ext autoreload", SCALED],
    ),
    "code cell 1, line 1: %%writefile helper.py": (
        *(None, ["%%writefile helper.py\nscale = 3", SCALED]),
    ),
    "Code cell 1, line 1: scale = !nproc raised NotHere": (None, ["scale = !nproc", SCALED]),
    "raised FileNotFoundError": (None, ["scale = open('data.csv').read()", SCALED]),
    "put its code into the notebook": (None, ["from helper import scale", SCALED]),
    "Code cell 1 cannot be read and was left out": (None, ["scale = 3\nscale = = 4", SCALED]),
    "name 'scale' is not defined": (None, ["from helper import scale", SCALED]),
    "code cell 1, line 5: return x / 0": (
        None,
        [
            "!echo \\\n  two\n\ndef half(x):\n    return x / 0",
            "import math\n\ndef answer(x):\n    return half(x)",
        ],
    ),
    "Code cell 4, line 1: items.append(rows) raised NameError": (5, [*NOWHERE, USES_ITEMS]),
    "Code cell 3, line 1: read('lines.txt') raised FileNotFoundError": (
        *(5, ["items = []", READS, "read('lines.txt')", USES_ITEMS]),
    ),
    "answer is not a function.": (None, ["answer = 3"]),
    NONE: (None, ["exec('x = 1')"]),
    **{
        f"{NONE} If {name} is meant, rename it.": (
            *(None, [f"def other(x):\n    return x\ndef {name}(x):\n    return x"]),
        )
        for name in ("Answer", "an_swer", "answers", "anwser")
    },
    **{
        f"(line 2, {fence.strip()}, belongs to Markdown: delete it) in code cell 2": (
            *(None, ["items = 1", f"import math\n{fence}\n{SAME}\n{fence}"]),
        )
        for fence in ("```python", "```", "  ~~~py")
    },
}
OUTCOMES = [(*case, "") for case in FINE.values()] + [
    (*case, words) for words, case in REMARKS.items()
]


@pytest.mark.parametrize(("expected", "cells", "words"), OUTCOMES, ids=[*FINE, *REMARKS])
def test_what_comes_of_unusual_cells_and_what_is_said(box, expected, cells, words):
    returned, remarks = graded(box, *cells)
    assert returned == expected
    assert words in remarks
    assert words or remarks == ""


def test_many_failures_are_told_once(box):
    cells = ["items = undefined", *["items = items * 2"] * 30, "items = []"]
    returned, remarks = graded(box, *cells, USES_ITEMS)
    assert returned == 5
    assert remarks.count("raised NameError") == 3
    assert "28 more failed." in remarks
