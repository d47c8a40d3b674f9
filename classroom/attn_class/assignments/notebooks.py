"""Notebooks made from cells: the same cells always give the same text."""

import hashlib

import nbformat
from nbformat import v4

from attn_class.assignments.source import Cell


def notebook(cells: list[tuple[Cell, str]]) -> str:
    """The text of a notebook with the cells that are not empty."""
    return written([new for cell, text in cells if (new := cell_of(cell, text)) is not None])


def cell_of(cell: Cell, text: str) -> nbformat.NotebookNode | None:
    """A cell of the notebook, or None if nothing is left of it."""
    if not text.strip():
        return None
    return v4.new_markdown_cell(text) if cell.is_text else v4.new_code_cell(text)


def written(cells: list[nbformat.NotebookNode]) -> str:
    """The text of a notebook with these cells."""
    document = v4.new_notebook(
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        }
    )
    for number, cell in enumerate(cells):
        cell["id"] = hashlib.sha256(f"{number}:{cell.source}".encode()).hexdigest()[:12]
        document.cells.append(cell)
    nbformat.validate(document)
    return nbformat.writes(document) + "\n"
