"""Do the book's claims hold with other seeds? Run every chapter again with other seeds.

python -m apparatus.robust                 all chapters, into apparatus/benchmarks/robust.md
python -m apparatus.robust --chapter 03    one chapter alone

The table is rewritten after each chapter, and keeps the rows of the other chapters of the book.

A chapter's seeds are the whole numbers that it passes as seeds: ``seed=0``, ``manual_seed(0)``,
``default_rng(0)``, ``seeds = (0, 1, 2)`` and ``for seed in range(3)``. Each run shifts all of them
by the same amount, so that a claim over three seeds meets three that were not used in writing it.
Claims about stored results keep their numbers, since grids are not measured again; claims that
compare the run with a stored result then compare two different seeds.
"""

import argparse
import ast
import os
import re
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbclient import NotebookClient

from attn_book.model import left_out
from attn_book.notebooks.execution import execute

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "apparatus" / "benchmarks" / "robust.md"
MOVES = (1000, 1003, 1006, 1009)  # four runs of three seeds each, far from any seed in use
OUTCOME = "application/vnd.attn-course.outcome+json"
# The start of each run: a claim that fails is recorded and the run continues.
SOFT = f"""
from attn_course import claims as _claims
from IPython.display import display as _display

def _soft(sentence, *others, _claim=_claims.claim, **values):
    fault = ""
    try:
        _claim(sentence, *others, **values)
    except _claims.ClaimError as error:
        fault = str(error).strip().splitlines()[-1].strip()
    numbers = str([one.values for one in values.values() if isinstance(one, _claims.Measured)])
    outcome = {{"sentence": sentence, "fault": fault, "numbers": numbers}}
    _display({{"{OUTCOME}": outcome}}, raw=True)

_claims.claim = _soft
"""


class Outcome(NamedTuple):
    """A claim in one run, how it failed, or "" if it held, and its numbers in that run."""

    claim: str
    fault: str
    numbers: str = ""


class Row(NamedTuple):
    """A claim, the numbers of runs in which it was tried and failed, and its last failure.

    ``numbers`` is "new" if they differed between the runs, otherwise "the same".
    """

    claim: str
    runs: int
    failed: int
    numbers: str
    reason: str


class Moved(ast.NodeTransformer):
    """Adds ``by`` to every seed that is written as a number."""

    def __init__(self, by: int):
        self.by = by

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ("manual_seed", "default_rng"):
            node.args = [self._moved(argument) for argument in node.args]
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        if node.arg in ("seed", "seeds"):
            node.value = self._moved(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        if {"seed", "seeds"} & {getattr(target, "id", "") for target in node.targets}:
            node.value = self._moved(node.value)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        return self._loop(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        return self._loop(node)

    def _loop(self, node):
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and node.target.id == "seed":
            node.iter = self._moved(node.iter)
        return node

    def _moved(self, node: ast.expr) -> ast.expr:
        """The number, the numbers, or the range, with ``by`` added."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return ast.Constant(node.value + self.by)
        if isinstance(node, ast.Tuple | ast.List):
            node.elts = [self._moved(element) for element in node.elts]
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            first, *others = node.args if len(node.args) > 1 else (ast.Constant(0), *node.args)
            node.args = [self._moved(first), self._moved(others[0]), *others[1:]]
        return node


def moved(source: str, by: int) -> str:
    """The code of a cell with its seeds shifted; unchanged if it has none."""
    tree = ast.parse(source)
    before = ast.unparse(tree)
    after = ast.unparse(ast.fix_missing_locations(Moved(by).visit(tree)))
    return source if after == before else after


def run(chapter: Path, by: int) -> list[Outcome]:
    """Run a chapter with shifted seeds: what became of each claim."""
    return claims_in(chapter, executed(chapter, by))


def executed(chapter: Path, by: int, start: str = "", **how) -> list[nbformat.NotebookNode]:
    """The code cells of a chapter that was run with shifted seeds, and what they put out.

    Any error other than a failed claim ends the run, unless nbclient is told ``how`` to go on.
    ``start`` is code that runs before the package is imported.
    """
    notebook = nbformat.read(chapter, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in cells:
        cell.source = moved(cell.source, by)
    cells[0].source += start + SOFT
    client = NotebookClient(notebook, timeout=1200, **how)
    execute(client, chapter.parent)
    print(f"{chapter.stem}, seeds moved by {by}", file=sys.stderr, flush=True)
    return cells


def claims_in(chapter: Path, cells: list[nbformat.NotebookNode]) -> list[Outcome]:
    """What became of each claim that the cells made."""
    outcomes = [
        output["data"][OUTCOME]
        for cell in cells
        for output in cell.outputs
        if OUTCOME in output.get("data", {})
    ]
    return [
        Outcome(f"{number(chapter)}: {one['sentence']}", one["fault"], one["numbers"])
        for one in outcomes
    ]


def number(chapter: Path) -> str:
    return chapter.stem.partition("-")[0].upper()


def rows_of(results: Iterable[Outcome]) -> list[Row]:
    """The outcomes, counted claim by claim."""
    by_claim: dict[str, list[Outcome]] = {}
    for outcome in results:
        by_claim.setdefault(outcome.claim, []).append(outcome)
    return [
        Row(
            claim,
            len(runs),
            sum(bool(outcome.fault) for outcome in runs),
            "new" if len({outcome.numbers for outcome in runs}) > 1 else "the same",
            next((outcome.fault for outcome in reversed(runs) if outcome.fault), ""),
        )
        for claim, runs in by_claim.items()
    ]


def table(rows: list[Row]) -> str:
    """The report that is committed; a claim that failed comes first."""
    lines = [
        "# The claims with other seeds",
        "",
        f"`make robust` runs every chapter {len(MOVES)} times with all its seeds moved, so that a",
        f"claim over three seeds meets {3 * len(MOVES)} that were not used in writing it.",
        f"{sum(row.numbers == 'the same' for row in rows)} have the same numbers in each run: they",
        "are of stored results, which are not measured again, or follow from arithmetic.",
    ]
    return "\n".join([*lines, *counted(rows)]) + "\n"


def counted(rows: list[Row]) -> list[str]:
    """How many claims failed, and a table of them, in Markdown."""
    failed = sum(row.failed > 0 for row in rows)
    lines = [
        f"{len(rows)} claims; {failed} failed in at least one run.",
        "",
        "| chapter and sentence | runs | failed | numbers | when it failed |",
        "| --- | ---: | ---: | --- | --- |",
    ]
    for row in sorted(rows, key=lambda row: (-row.failed, row.claim)):
        lines.append(f"| {' | '.join(map(str, row))} |")
    return lines


def rows_in(page: str) -> list[Row]:
    """The rows of a table that was written before."""
    row = r"^\| (.+) \| (\d+) \| (\d+) \| (new|the same) \| (.*) \|$"
    return [
        Row(claim, int(runs), int(failed), numbers, reason)
        for claim, runs, failed, numbers, reason in re.findall(row, page, flags=re.MULTILINE)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m apparatus.robust", description=__doc__)
    parser.add_argument(
        "--chapter", default="", help="the number of a chapter, or the letter of a study"
    )
    options = parser.parse_args()
    book = {number(path): path for path in sorted((ROOT / "chapters").glob("*.ipynb"))}
    wanted = [book[one] for one in book if options.chapter.upper() in ("", one)]
    chapters = sorted({*wanted} - {*left_out(ROOT)})
    if not chapters:
        raise SystemExit(f"no chapter {options.chapter!r} can be run here")
    all_rows = []
    for chapter in chapters:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = pool.map(lambda by, chapter=chapter: run(chapter, by), MOVES)
            rows = rows_of([result for one in runs for result in one])
        earlier = rows_in(TABLE.read_text("utf-8")) if TABLE.exists() else []
        others = book.keys() - {number(chapter)}
        earlier = [row for row in earlier if row.claim.partition(":")[0] in others]
        TABLE.write_text(table(rows + earlier), "utf-8")
        all_rows += rows
    failed = sum(row.failed > 0 for row in all_rows)
    print(f"{failed} of {len(all_rows)} claims failed at least once")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
