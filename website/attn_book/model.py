"""The chapters that read the language model are not run where its file is missing."""

from pathlib import Path

from attn_course.model_file import model_file

from .address import reads_model


def left_out(root: Path) -> list[Path]:
    """The notebooks that cannot be run here."""
    try:
        model_file()
    except FileNotFoundError:
        chapters = sorted((root / "chapters").glob("*.ipynb"))
        return [path for path in chapters if reads_model(path.read_text(encoding="utf-8"))]
    return []
