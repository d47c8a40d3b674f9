"""Read what was handed in: a notebook or a Python file, or something that is neither.

Nothing is executed and no link is followed. What cannot be graded is an `Unusable`, with a sentence
for the student and a line for the teacher.
"""

import errno
import io
import json
import os
import stat
import tokenize
from collections.abc import Iterable, Sequence
from pathlib import Path

LARGEST = 50 << 20  # bytes of a file
LARGE = 20 << 20  # a file that is larger is read, and the teacher told
_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
}
MOST_CELLS = 2000
MOST_CODE = 2 << 20  # characters in all code cells together


class Unusable(Exception):
    """A file that cannot be graded: what to tell the student, and what the teacher."""

    def __init__(self, note: str, warning: str):
        super().__init__(note)
        self.note, self.warning = note, warning


class Cells(list):
    """The texts of the code cells of a notebook.

    ``written_in`` is the version of Python that the notebook names, and ``others`` are the texts of
    the cells that are no code.
    """

    def __init__(self, code: Iterable[str], written_in: str = "", others: Sequence[str] = ()):
        super().__init__(code)
        self.written_in, self.others = written_in, others


def code_cells(path: Path) -> Cells:
    """The texts of the code cells of a notebook; a Python file is one cell."""
    raw = _bytes(path)
    for begins, kind in _ARCHIVES.items():
        if raw.startswith(begins):
            raise Unusable(
                f"Your file is {kind}, whatever its name says. Hand in the notebook itself, or a "
                "zip whose name ends in .zip.",
                kind,
            )
    is_python = ".py" in (suffix.lower() for suffix in path.suffixes)
    try:
        text = raw.decode(_encoding(raw) if is_python else "utf-8-sig")
    except (UnicodeError, SyntaxError, LookupError) as error:
        raise Unusable(
            "Your file is not text in UTF-8. Was it saved by a program other than Jupyter?",
            f"not UTF-8: {str(error)[:80]}",
        ) from None
    if not text.strip():
        raise Unusable("The file that you handed in is empty.", "empty")
    cells = Cells([text]) if is_python else _of_notebook(text)
    if sum(map(len, cells)) > MOST_CODE:
        raise Unusable(
            f"Your notebook contains more than {MOST_CODE:,} characters of code.",
            f"{sum(map(len, cells)):,} characters of code",
        )
    return cells


def _encoding(raw: bytes) -> str:
    """That of a Python file, which may name it in one of its first two lines."""
    return tokenize.detect_encoding(io.BytesIO(raw).readline)[0]


def _bytes(path: Path) -> bytes:
    """The file's content, if it is a plain file of a sensible size: no link, pipe or device."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Unusable(
                "What you handed in is a link: hand in the notebook itself.", "a link, not followed"
            ) from None
        raise Unusable(
            "Your file could not be opened; that need not be your fault, and your teacher is told.",
            f"cannot be opened: {error.strerror}",
        ) from None
    status = os.fstat(number)
    if not stat.S_ISREG(status.st_mode):
        os.close(number)
        raise Unusable(
            "What you handed in is a folder or something else that is not a file.",
            "not a plain file",
        )
    with os.fdopen(number, "rb") as file:
        if status.st_size > LARGEST:
            raise Unusable(
                f"Your file takes {status.st_size / 2**20:.0f} MB; {LARGEST >> 20} are allowed. "
                "Clear the outputs of all cells, save, and hand in again.",
                f"{status.st_size / 2**20:.0f} MB",
            )
        return file.read(LARGEST + 1)


def _of_notebook(text: str) -> Cells:
    try:
        # of numbers only the version matters, and one may have more digits than Python reads
        notebook = json.loads(text, parse_int=float)
    except (ValueError, RecursionError) as error:
        raise _no_notebook(f"not JSON: {str(error)[:80]}") from None
    cells = _cells_of(notebook) if isinstance(notebook, dict) else None
    if cells is None:
        raise _no_notebook("JSON without a list of cells")
    if len(cells) > MOST_CELLS:
        raise Unusable(
            f"Your notebook has {len(cells):,} cells; {MOST_CELLS:,} are allowed.",
            f"{len(cells):,} cells",
        )
    cells = [cell for cell in cells if isinstance(cell, dict)]
    code = [_source(cell) for cell in cells if cell.get("cell_type") == "code"]
    others = [_source(cell) for cell in cells if cell.get("cell_type") in ("markdown", "raw")]
    return Cells(code, _python_of(notebook), others)


def _cells_of(notebook: dict) -> list | None:
    """The cells; up to format 3 they lay on worksheets."""
    cells, sheets = notebook.get("cells"), notebook.get("worksheets")
    if isinstance(cells, list):
        return cells
    if not isinstance(sheets, list):
        return None
    lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells] if lists else None


def _python_of(notebook: dict) -> str:
    """The version of Python that the notebook was last run with, or ""."""
    value = notebook
    for name in ("metadata", "language_info", "version"):
        value = value.get(name) if isinstance(value, dict) else None
    return value[:20] if isinstance(value, str) else ""


def _source(cell: dict) -> str:
    """The text of a cell; half of a letter in UTF-16, which some editors leave behind, is none."""
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if source is None:  # an empty cell, in some editors
        return ""
    if not isinstance(source, str):
        raise _no_notebook("a cell whose source is not text")
    return source.encode("utf-8", "replace").decode()


def _no_notebook(warning: str) -> Unusable:
    return Unusable(
        "Your file is not a notebook. Save your notebook in Jupyter, and hand in the file whose "
        "name ends in .ipynb.",
        warning,
    )
