"""The house in numbers: ``python -m apparatus.house [--than COMMIT ...]`` prints a Markdown table.

It has a column for each commit, which is checked out beside the working tree, and one for the
working tree. All are counted by the same rules. What a commit cannot answer is a dash.
"""

import argparse
import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from apparatus import checks_share
from apparatus.imports import FOLDERS, circle, imports

ROOT = Path(__file__).resolve().parents[1]
EQUATIONS = "alignment|masks|weights|context|self_attention|gradients|memory|crosstalk"
VIEWS = "views|widgets|diagrams|plots|palette|source|canvas_pictures"
ANSWERS = r"exercises/|grading/hostile/|classroom/coursework/(\w+_answers|tried)\.py"
NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    tokenize.ENDMARKER,
}
ROOMS = {  # the first that a path begins with, where the files are now and where they were
    "equations": rf"attn_course/({EQUATIONS})\.py",
    **{room: rf"attn_course/{room}/" for room in ("tasks", "models", "experiments", "capstone")},
    "views": rf"attn_course/({VIEWS})\b",
    "classroom": "attn_course/(classroom|exercises|grading)/",
    "package, the rest": "attn_course/",
    "specimens": rf"specimens/|tests/({ANSWERS})",
    **{room: f"{room}/" for room in ("tests", "tools", "benchmarks", "coursework", "website")},
    "elsewhere": "",
}


def circles(folder: Path, above: Path) -> int:
    """How many circles have to be taken out until none is left."""
    count, gone = 0, set[str]()
    while one := circle(folder, above, gone):
        count, gone = count + 1, gone.union(one)
    return count


def room_of(path: str) -> str:
    """The room of a file whose path begins at the root."""
    return next(room for room, start in ROOMS.items() if re.match(start, path))


def code_lines(text: str) -> int:
    """The lines that hold code: neither blank, nor a comment, nor part of a docstring."""
    said = {
        line
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        for line in range(each.lineno, each.end_lineno + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    held = (range(each.start[0], each.end[0] + 1) for each in tokens if each.type not in NO_CODE)
    return len({line for lines in held for line in lines} - said)


def arrows(package: Path) -> set[tuple[str, str]]:
    """Which of the package's modules and folders import from which."""
    rooms = {path.stem: path for path in package.iterdir()}
    found = {
        (name, imported.split(".")[1])
        for name, room in rooms.items()
        for path in (room.rglob("*.py") if room.is_dir() else [room] * (room.suffix == ".py"))
        for imported in imports(path)
        if imported.startswith("attn_course.")
    }
    return {(one, other) for one, other in found if one != other and other in rooms}


def numbers(tree: Path) -> dict[str, object]:
    """The rows of the table for one tree."""
    rows: Counter[str] = Counter(dict.fromkeys(ROOMS, 0))
    code = 0
    for name in _run("git", "ls-files", "*.py", cwd=tree).split():
        text = (tree / name).read_text("utf-8")
        rows[room_of(name)] += len(text.splitlines())
        code += code_lines(text)
    checks = ("masks", "weights", "alignment", "context", "tasks", "models", "training", "search")
    cells = [cell for path in tree.glob("chapters/*.ipynb") for cell in _cells(path)]
    drawn = arrows(tree / "attn_course")
    return {
        **{f"lines: {room}": f"{count:,}" for room, count in rows.items()},
        "lines of Python": f"{rows.total():,}",
        "of these with code": f"{code:,}",
        **{f"share that checks: {name}": _checks(tree / "attn_course", name) for name in checks},
        "arrows in the package": len(drawn),
        "of these from and to what is public": sum("_" not in (a[0], b[0]) for a, b in drawn),
        "circles": sum(circles(tree / name, tree / above) for name, above in FOLDERS.items()),
        "type errors": _type_errors(tree),
        "claims": sum(len(re.findall(r"\bclaim\(", cell)) for cell in cells),
        "exercises": len([*tree.glob("attn_course/**/exercises/*/[!_]*.py")]),
        "pages in the contents": len(
            re.findall("(?:file|root): ", (tree / "_toc.yml").read_text("utf-8"))
        ),
    }


def _run(*command: str, cwd: Path) -> str:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False).stdout


def _cells(notebook: Path) -> Iterator[str]:
    """The code of a notebook's cells."""
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"])


def _checks(package: Path, name: str) -> str:
    files = [*(package / name).rglob("*.py"), *package.glob(f"{name}.py")]
    if not files:
        return "–"
    checks, every = map(sum, zip(*map(checks_share.share, files), strict=True))
    return f"{checks / every:.0%}"


def _type_errors(tree: Path) -> object:
    """What pyright finds with the settings of this working tree."""
    node = Path(sys.executable).with_name("node")
    pyright = (str(node), str(ROOT / "node_modules/pyright/index.js"), "--outputjson")
    found = _run(*pyright, "--pythonpath", sys.executable, cwd=tree)
    return json.loads(found)["summary"]["errorCount"] if found else "–"


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A commit's files in a folder of their own, with the settings of this working tree."""
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        subprocess.run(
            ("git", "worktree", "add", "--quiet", "--detach", str(tree), commit),
            cwd=ROOT,
            check=True,
        )
        try:
            shutil.copy(ROOT / "pyproject.toml", tree)
            yield tree
        finally:
            _run("git", "worktree", "remove", "--force", str(tree), cwd=ROOT)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m apparatus.house", description=main.__doc__)
    parser.add_argument("--than", nargs="*", default=[], metavar="COMMIT", help="columns before")
    columns = {}
    for commit in parser.parse_args().than:
        with checked_out(commit) as tree:
            columns[commit[:8]] = numbers(tree)
    columns["now"] = numbers(ROOT)
    print(
        "| ", *(f" | {name}" for name in columns), " |\n|---", "|---:" * len(columns), "|", sep=""
    )
    for row in dict.fromkeys(row for column in columns.values() for row in column):
        print(f"| {row} |", *(f"{column.get(row, '–')} |" for column in columns.values()))


if __name__ == "__main__":
    main()
