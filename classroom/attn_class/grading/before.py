"""Before you hand in: what the grader reads of a notebook, and what may cost points.

    look("my-notebook.ipynb", {"safe_softmax": ["softmax"]})

The notebook is read as it is when it is graded, but nothing in it is executed and no test is tried:
what is said here depends on the text alone. It says for each function where it stands, what is left
out, and which of its statements use something forbidden, change an argument in place or fix the
precision. Save the notebook first, since the file is what is read.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attn_class.forbidden import KINDS
from attn_class.grading import course
from attn_class.grading.extract import NoAnswer, Statement, answer_in, is_stub
from attn_class.grading.handed_in import gathered, read
from attn_class.grading.notebooks import Cells, Unusable

COURSE = (course.NAME, *course.ROOMS)
_FIXED = ("float", "double", "half", "bfloat16")
_UNFILLED = ("zeros", "empty")  # what is then filled


def look(
    path: str | Path,
    functions: Mapping[str, Sequence[str]],
    refused: Sequence[str] = COURSE,
) -> None:
    """Print what the grader would read in this file.

    ``functions`` are those asked for, each with the kinds of functions that its text forbids, of
    `forbidden.KINDS`; ``refused`` are the modules that may not be imported. Nothing is raised, so
    that a notebook runs to its end.
    """
    path = Path(path)
    if not path.exists():
        print(f"There is no {path} in {Path.cwd()}: put the name under which you save this file.")
        return
    try:
        cells, _, note = read(gathered("you", [path]))
    except Unusable as error:
        print(f"This would get no points. {error.note}")
        return
    print(*filter(None, (f"{path} can be read: {len(cells)} code cells.", note)), sep="\n")
    known: set[str] = set()  # what is left out of a cell is said once
    for name, kinds in functions.items():
        lines = [line for line in about(cells, name, kinds, refused) if line not in known]
        print("\n".join(f"{name}: {line}" for line in lines))
        known |= {*lines}
    print("Nothing was executed here, and no test was tried.")


def about(
    cells: Cells | Sequence[str], name: str, kinds: Sequence[str], refused: Sequence[str] = COURSE
) -> list[str]:
    """What to know about one function before it is graded: first where it stands."""
    try:
        answer = answer_in(cells, name, getattr(cells, "written_in", ""))
    except NoAnswer as error:
        return [str(error)]
    needed = [
        one for one, is_needed in zip(answer.statements, answer.needed, strict=True) if is_needed
    ]
    own = [one for one in needed if getattr(one.node, "name", "") == name]
    if own and all(is_stub(one.node) for one in own):
        return [f"not written yet ({own[-1]})"]
    faults = dict.fromkeys(
        f"{answer.place(line)}: {fault}"
        for one in needed
        for line, fault in sorted(_faults(one, kinds, refused))
    )
    place = f"{own[-1]}" if own else "found"
    return [place, *faults, *filter(None, (answer.remark, answer.aside))]


def _faults(
    one: Statement, kinds: Sequence[str], refused: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """The lines of a statement that may cost points, and why."""
    banned = re.compile("|".join(_words(kinds)) or r"(?!)", re.IGNORECASE)
    for node in ast.walk(one.node):
        for name in _imported(node):
            root = name.partition(".")[0]
            if root in refused or name in refused:
                yield node.lineno, f"{root} may not be imported"
            elif _is_own_file(root):
                yield node.lineno, f"{root} is a file of your own, which is not there when graded"
            elif banned.search(name.rpartition(".")[2]):
                yield node.lineno, f"{name} may not be used"
        if isinstance(node, ast.Attribute) and banned.search(node.attr):
            yield node.lineno, f"{ast.unparse(node)} may not be used"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from _of_call(node, node.func.attr)
    for function in ast.walk(one.node):
        if isinstance(function, ast.FunctionDef):
            yield from _changes(function)


def _words(kinds: Sequence[str]) -> list[str]:
    """What the names of forbidden functions have in common."""
    patterns = [name for kind in kinds for name in KINDS[kind]]
    return [re.escape(re.split(r"::|\.", pattern)[-1].strip("*_")) for pattern in patterns]


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module or ''}.{alias.name}" for alias in node.names]
    return []


def _is_own_file(module: str) -> bool:
    """Whether a module lies beside the notebook."""
    return any(Path(place).exists() for place in (f"{module}.py", f"{module}/__init__.py"))


def _of_call(node: ast.Call, method: str) -> Iterator[tuple[int, str]]:
    """Calls that fix the precision."""
    called, keywords = ast.unparse(node.func), {keyword.arg for keyword in node.keywords}
    if method in _FIXED:
        yield node.lineno, f"{called}() fixes the precision; results have that of the inputs"
    if method in _UNFILLED and called.startswith("torch.") and not keywords & {"dtype", "out"}:
        yield node.lineno, f"{called}(...) has float32 whatever the inputs have: dtype=x.dtype"


def _changes(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Statements that change an argument in place."""
    arguments = function.args
    named = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    grown = [node.target for node in ast.walk(function) if isinstance(node, ast.AugAssign)]
    stored = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    rebound = {one.id for one in stored if isinstance(one.ctx, ast.Store) and one not in grown}
    for node in ast.walk(function):
        changed = []
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            changed = [one.value for one in targets if isinstance(one, ast.Subscript)]
            changed += [one for one in targets if isinstance(node, ast.AugAssign)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            ends = node.func.attr.endswith("_") and not node.func.attr.endswith("__")
            changed = [node.func.value] if ends else []
        for value in changed:
            if isinstance(value, ast.Name) and value.id in named - rebound:
                yield node.lineno, f"{ast.unparse(node)} changes the argument {value.id} in place"
