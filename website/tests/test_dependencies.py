"""What makes a chapter run again, and nothing else: its code, its imports, data, the lock."""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pytest
from making import ROOT
from sweeps import every

from attn_book import address
from attn_book.notebooks import dependencies, execution
from attn_book.rooms import ROOMS
from attn_lab import registry

pytestmark = pytest.mark.slow

CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))

# one for each way of importing, and modules that nothing imports
MODULES = {
    "attn_course/__init__.py": "VERSION = 1",
    "attn_course/sums.py": "from __future__ import annotations",
    "attn_course/shapes.py": "import math\n\ndef check():\n    from attn_course import late",
    "attn_course/late.py": "",
    "attn_course/models/__init__.py": "",
    "attn_course/models/reader.py": "from . import parts\nfrom ..sums import add",
    "attn_course/models/parts.py": "import attn_course.late, attn_course.deep.er as er",
    "attn_course/deep/__init__.py": "",
    "attn_course/deep/er.py": "try:\n    import torch\nexcept ImportError:\n    torch = None",
    "attn_lab/__init__.py": "",
    "attn_lab/dates.py": 'TRIALS = "trials"',
    "attn_lab/words.py": "",
    "attn_course/views/widgets/__init__.py": "",
    "attn_course/views/widgets/bars/__init__.py": "",
    "attn_course/views/widgets/bars/bars.js": "",
    "attn_course/views/widgets/bars/bars.css": "",
    "attn_course/views/widgets/shared/common.js": "",
    "attn_lab/results/dates.json": "{}",
    "attn_lab/results/words.json": "{}",
    "attn_lab/results/trials.json": "{}",
    "attn_lab/inner/__init__.py": "",
    "attn_lab/inner/marks.py": 'KEPT = "kept.json"',
    "attn_lab/inner/kept.json": "{}",
    "attn_lab/results/marks.json": "{}",
    "attn_lab/stem.txt": "",
    "attn_course/alone.py": "import attn_course.models.reader",
}
# what each chapter imports, and all that it depends on as a result
IMPORTS = {
    "chapters/01-one": (
        "from attn_course.models.reader import Reader",
        "attn_course/sums.py attn_course/models/__init__.py attn_course/models/reader.py "
        "attn_course/models/parts.py attn_course/deep/__init__.py attn_course/deep/er.py "
        "attn_course/late.py",
    ),
    "chapters/02-two": (
        "%matplotlib inline\nif 1:\n    from attn_course import shapes, sums as s\n"
        "from attn_lab.inner import marks",
        "attn_course/sums.py attn_course/shapes.py attn_course/late.py attn_lab/__init__.py "
        "attn_lab/inner/__init__.py attn_lab/inner/marks.py attn_lab/inner/kept.json "
        "attn_lab/results/marks.json",
    ),
    "chapters/03-three": (
        "from attn_lab import dates\nfrom attn_course.views.widgets import bars",
        "attn_lab/__init__.py attn_lab/dates.py attn_lab/results/dates.json "
        "attn_lab/results/trials.json attn_course/views/widgets/__init__.py "
        "attn_course/views/widgets/bars/__init__.py",
    ),
    "chapters/04-four": ("import math", ""),
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "chapters").mkdir()
    for name, (code, _) in IMPORTS.items():
        write(tmp_path, name, [code, "1 + 1"])
    (tmp_path / dependencies.LOCK).write_text("torch==1")
    rooms = {name: tmp_path / name for name in ("attn_course", "attn_lab")}
    monkeypatch.setattr(dependencies, "rooms", lambda: rooms)
    return tmp_path


def write(root: Path, name: str, codes: list[str], prose="# One", tags=()) -> None:
    cells = [{"cell_type": "markdown", "source": prose, "metadata": {}}]
    cells += [
        {"cell_type": "code", "source": code, "metadata": {"tags": list(tags)}} for code in codes
    ]
    (root / f"{name}.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))


def keys(root: Path) -> dict[str, str]:
    return {name: dependencies.key(root, name) for name in IMPORTS}


def run_again(root: Path, before: dict[str, str]) -> set[str]:
    return {name for name, _ in keys(root).items() ^ before.items()}


@pytest.mark.parametrize("name", MODULES)
def test_a_change_of_the_package_reaches_who_imports_it_and_nobody_else(course, name):
    before = keys(course)
    path = course / name
    path.write_text(f"{path.read_text()}\n\nmore = 1")
    importing = {chapter for chapter, (_, needed) in IMPORTS.items() if needed}
    expected = {chapter for chapter in importing if name in IMPORTS[chapter][1].split()}
    expected = {"attn_course/__init__.py": importing, "attn_lab/stem.txt": {*IMPORTS}}.get(
        name, expected
    )  # the text belongs to no module
    assert run_again(course, before) == expected
    path.write_text(MODULES[name])
    assert keys(course) == before


CODE = '''"""About it."""

EXPECTED = ()
__version__ = "1.0"


class Reader:
    """Reads."""

    def read(self, n=2):
        """Reads once."""
        return n + 1  # more
'''


LOCKED, CELL = "torch==1\nnumpy==2", "chapters/01-one.ipynb"
# in a file, what is changed to what, and whether the chapter then runs again
CHANGES = [
    *(
        (file, old, new, runs)
        for old, new, runs in (
            ("  # more", "  # less", False),
            ("class Reader", "# a comment\nclass Reader", False),
            ('"""Reads."""', '"""Reads all."""', False),
            ('        """Reads once."""\n', "", False),
            ("n + 1", "(\n            n + 1\n        )", False),
            ('"1.0"', '"1.1"', False),
            ("EXPECTED = ()", "EXPECTED = (1,)", True),
            ("n=2", "n=3", True),
            ("n + 1", '"""n"""', True),
        )
        for file in ("attn_course/sums.py", CELL)
    ),
    ("attn_course/sums.py", "About it.", "About it.\n\nAnd more.", False),
    ("attn_course/sums.py", "About it.", "Is it?", True),  # the question of an experiment
    (CELL, "# One", "# Two\n\nimport attn_course.late", False),
    (CELL, "a-tag", "hide-input", False),
    (CELL, "a-tag", "raises-exception", True),
    (CELL, "import attn_course.sums", "# why\nimport attn_course.sums", False),
    (CELL, "import attn_course.sums", "import attn_course.sums\n1 + 1", True),
    (dependencies.LOCK, LOCKED, "# by hand\nnumpy==2  # fast\n\ntorch==1\n", False),
    (dependencies.LOCK, LOCKED, "numpy==2\ntorch==1.1", True),
    (dependencies.LOCK, LOCKED, "numpy==2\ntorch==1 ; python_version < '3.11'", True),
]


@pytest.mark.parametrize(("file", "old", "new", "runs"), CHANGES)
def test_a_chapter_runs_again_for_what_it_computes_with_and_not_for_its_words(
    course, file, old, new, runs
):
    (course / dependencies.LOCK).write_text(LOCKED)
    (course / "attn_course/sums.py").write_text(CODE)
    write(course, "chapters/01-one", ["import attn_course.sums", CODE], tags=["a-tag"])
    before, text = dependencies.key(course, "chapters/01-one"), (course / file).read_text()
    if file == CELL:
        old, new = (json.dumps(words)[1:-1] for words in (old, new))
    assert old in text
    (course / file).write_text(text.replace(old, new))
    assert (dependencies.key(course, "chapters/01-one") != before) is runs


def test_a_semicolon_that_hides_a_result_and_a_text_that_is_one_count(course):
    different = set()
    for code in ("1", "1;", '"a"', '"b"', '"b"  # c', "%time 1", "%time 2"):
        write(course, "chapters/04-four", [code])
        different.add(dependencies.key(course, "chapters/04-four"))
    assert len(different) == 6


def test_an_address_runs_no_chapter_again(tmp_path):
    name = CHAPTERS[0]
    for folder in ("", "chapters", "book"):
        (tmp_path / folder).mkdir(exist_ok=True)
        for path in (ROOT / folder).glob("*"):
            if path.suffix in (".md", ".cff", ".toml", ".ipynb", ".txt"):
                shutil.copy(path, tmp_path / folder)
    before = dependencies.key(tmp_path, f"chapters/{name}")
    address.main(["ada/book", "--root", str(tmp_path)])
    assert "ada/book" in (tmp_path / "chapters" / f"{name}.ipynb").read_text("utf-8")
    assert dependencies.key(tmp_path, f"chapters/{name}") == before


def test_a_colour_reaches_the_chapters_that_draw():
    palette = dependencies.rooms()["attn_course"] / "views/palette.py"
    assert palette in dependencies.files(["from attn_course.views import plots"])
    assert palette not in dependencies.files(["from attn_course import weights"])


@pytest.mark.parametrize(
    ("old", "new", "valid"),
    [
        ("return n + 1  # more", "return n + 1", False),
        ("return n + 1", "return (n + 1)", False),
        ('"""Reads once."""', '"""Reads twice."""', True),
        ('"""Reads."""', '"""Reads."""  # all', True),
        ("class Reader:", "\n\n# further down\nclass Reader:", True),
    ],
)
def test_a_result_that_shows_code_is_good_while_that_code_stands_there(course, old, new, valid):
    listing = "# attn_course/sums.py\ndef read(self, n=2):\n    return n + 1  # more"
    outputs = [
        {"data": {"text/plain": listing, "text/markdown": ""}},
        {"name": "stdout", "text": ""},
    ]
    result = {"cells": [{"cell_type": "code", "outputs": outputs}, {"cell_type": "markdown"}]}
    path = course / "attn_course/sums.py"
    path.write_text(CODE)
    assert dependencies.up_to_date(course, "chapters/01-one", result)
    path.write_text(CODE.replace(old, new))
    assert dependencies.up_to_date(course, "chapters/01-one", result) is valid
    path.unlink()
    assert not dependencies.up_to_date(course, "chapters/01-one", result)


def test_the_version_of_python_reaches_every_chapter(course, monkeypatch):
    before = keys(course)
    monkeypatch.setattr(dependencies.platform, "python_version", lambda: "4.0.0")
    assert run_again(course, before) == set(IMPORTS)


@pytest.mark.parametrize(
    "code",
    [
        "import importlib\n\nimportlib.import_module(name)",
        "from importlib import import_module as get",
        "__import__(name)",
        "import pkgutil\n\npkgutil.walk_packages()",
        "from attn_course import *",
        "for",
    ],
)
@pytest.mark.parametrize("where", ["chapter", "module"])
def test_imports_that_cannot_be_read_are_taken_for_all(course, code, where):
    if where == "chapter":
        write(course, "chapters/04-four", [code])
    else:
        (course / "attn_course/sums.py").write_text(code)
        write(course, "chapters/04-four", ["import attn_course.sums"])
    before = dependencies.key(course, "chapters/04-four")
    (course / "attn_course/alone.py").write_text("1")
    assert dependencies.key(course, "chapters/04-four") != before


def code_of(name: str) -> list[str]:
    notebook = json.loads((ROOT / "chapters" / f"{name}.ipynb").read_text("utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


# What all chapters share is imported once; each chapter then goes on in a process of its own.
LOADED = """
import json, os, sys
import ipywidgets, matplotlib, sklearn.datasets, torch

ROOMS, chapters = json.load(sys.stdin)
for name, imports in chapters.items():
    if not os.fork():
        exec(imports, {})
        modules = [m for key, m in sys.modules.items() if key.partition(".")[0] in ROOMS]
        print(json.dumps([name, [module.__file__ for module in modules]]), flush=True)
        os._exit(0)
    if os.wait()[1]:
        raise SystemExit(f"the imports of {name} failed")
"""


def test_what_a_chapter_really_imports_is_all_foreseen():
    """The modules of the package that Python itself loads for its imports."""
    is_import = re.compile(r"^(?:import|from) attn_.*[^(]$", re.M)
    names = every(4, CHAPTERS)
    imports = {name: "\n".join(is_import.findall("\n".join(code_of(name)))) for name in names}
    command, request = [sys.executable, "-c", LOADED], json.dumps([ROOMS, imports])
    lines = subprocess.check_output(command, input=request, text=True).splitlines()
    for name, files in map(json.loads, lines):
        assert len(files) > 1
        assert {Path(file).resolve() for file in files} <= dependencies.files(code_of(name)), name
    assert len(lines) == len(names)


@pytest.mark.parametrize("name", CHAPTERS)
def test_an_experiment_whose_expectations_a_chapter_shows_is_foreseen(name):
    """`registry` imports it by its name, and is one of those whose choices are not looked at."""
    named = re.findall(r"^expected\((.*?)\)", "\n".join(code_of(name)), re.DOTALL | re.MULTILINE)
    expected = {experiment for names in named for experiment in ast.literal_eval(f"[{names}]")}
    files = dependencies.files(code_of(name))
    assert {registry.files()[experiment] for experiment in expected} <= files


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_chapter_depends_on_all_modules(name):
    rooms = dependencies.rooms()
    assert (rooms["attn_lab"].parent / dependencies.FORESEEN).is_file()
    assert rooms["attn_class"] / "grading/sandbox.py" not in dependencies.files(code_of(name))


# ---- the results


def executed(*models: str) -> dict:
    views = [{"data": {"view": {"model_id": model}}} for model in models]
    state = {model: {"state": {"layout": f"IPY_MODEL_{model}"}} for model in models}
    cells = [{"cell_type": "code", "outputs": views, "execution_count": 1}]
    return {"cells": cells, "metadata": {"widgets": {execution.STATE: {"state": state}}}}


def test_ids_of_widgets_follow_from_their_places():
    one = execution.same_ids(executed("b" * 32, "a" * 32), "chapters/01-x")
    assert one == execution.same_ids(executed("c" * 32, "d" * 32), "chapters/01-x")
    other = execution.same_ids(executed("b" * 32, "a" * 32), "chapters/02-y")
    notebooks = [json.loads(text) for text in (one, other)]
    ids, others = ([*book["metadata"]["widgets"][execution.STATE]["state"]] for book in notebooks)
    assert len({*ids, *others}) == 4
    displayed = [view["data"]["view"]["model_id"] for view in notebooks[0]["cells"][0]["outputs"]]
    assert displayed == ids


def test_a_chapter_takes_as_long_as_it_did_and_one_that_never_ran_may_take_longer(tmp_path):
    for key, seconds in (("old", 30), ("new", 3)):
        path = execution.result_path(tmp_path, "chapters/a", key)
        path.write_text(json.dumps({"metadata": {"seconds": seconds}}))
        os.utime(path, (seconds, 100 - seconds))
    assert execution.last_time("chapters/a", tmp_path) == 3
    assert execution.last_time("chapters/b", tmp_path) > 1e9


def test_what_imports_most_comes_first_when_nothing_ran(course):
    order = sorted(IMPORTS, key=lambda name: dependencies.weight(course, name))
    assert [name[9:11] for name in order] == ["04", "03", "01", "02"]


# ---- real kernels


def real(root: Path, **codes: str) -> dict[str, str]:
    (root / "chapters").mkdir()
    for name, code in codes.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        nbformat.write(notebook, root / "chapters" / f"{name}.ipynb")
    return {f"chapters/{name}": "key" for name in codes}


def test_a_chapter_that_fails_takes_no_other_with_it(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    code = "import os\n\nprint(os.environ['OMP_NUM_THREADS'])"
    wanted = real(tmp_path, a="1 / 0", b=code, c="raise SystemExit('gone')")
    faults = execution.run(tmp_path, wanted, tmp_path / "kept", 600, print)
    assert list(faults) == ["chapters/a", "chapters/c"]
    assert "1 / 0" in str(faults["chapters/a"])
    assert "ZeroDivisionError" in str(faults["chapters/a"])
    (path,) = (tmp_path / "kept").iterdir()
    assert path == execution.result_path(tmp_path / "kept", "chapters/b", "key")
    assert json.loads(path.read_text("utf-8"))["cells"][0]["outputs"][0]["text"] == "1\n"


@pytest.mark.parametrize(("folder", "transport"), [("t", "ipc"), ("t" * 100, "tcp")])
def test_a_kernel_waits_at_sockets_of_its_own_where_their_path_is_short_enough(
    folder, transport, tmp_path, monkeypatch
):
    short = tempfile.mkdtemp(dir="/tmp")
    code = (
        "from ipykernel.kernelapp import IPKernelApp\n\n"
        "app = IPKernelApp.instance()\nprint(app.transport, app.ip)"
    )
    wanted = real(tmp_path, a=code, b=code)
    (temporary := Path(short, folder)).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert not execution.run(tmp_path, wanted, tmp_path / "kept", 600, print)
    results = [json.loads(path.read_text("utf-8")) for path in (tmp_path / "kept").iterdir()]
    outputs = [result["cells"][0]["outputs"][0]["text"].split() for result in results]
    assert {name for name, _ in outputs} == {transport}
    if transport == "ipc":
        assert len({place for _, place in outputs if place.startswith(str(temporary))}) == 2
    assert [*temporary.iterdir()] == []
    shutil.rmtree(short)


def test_control_c_ends_all_that_runs_and_keeps_nothing_half_done(tmp_path):
    sleep = (
        "import os, pathlib, time\n\npathlib.Path('{}').write_text(str(os.getpid()))\n"
        "time.sleep(600)"
    )
    names = [f"s{n}" for n in range(execution.cores() + 1)]
    real(tmp_path, **{name: sleep.format(f"{name}.pid") for name in names})
    code = (
        "import pathlib\nfrom attn_book.notebooks import execution\n"
        f"wanted = {{f'chapters/{{name}}': 'key' for name in {names}}}\n"
        "root = pathlib.Path.cwd()\nexecution.run(root, wanted, root / 'kept', 900, print)\n"
    )
    builder = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(written := [*tmp_path.glob("chapters/*.pid")]) < min(execution.cores(), 2):
        assert builder.poll() is None, builder.stderr.read()
        time.sleep(0.1)
    builder.send_signal(signal.SIGINT)
    _, errors = builder.communicate(timeout=600)
    assert builder.returncode != 0
    assert "KeyboardInterrupt" in errors
    for path in written:
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.read_text()), 0)
    assert [*(tmp_path / "kept").iterdir()] == []
