"""``make try-colab``: a chapter opened alone, in an environment like Colab's.

The environment has the packages that the course shares with Colab, in the versions that Colab
publishes (``colab.txt``). The chapter is alone in an empty folder. Its install cell is the one that
``make address`` writes for a repository, but with the address of the same archive on this machine
in place of GitHub's. Then the whole chapter is run, as with *Run all*.

The trial fails if a cell fails, if the install cell changes a package that Colab had, or if
anywidget does not ask for its widget manager.

It cannot show Colab's own page, or packages that Colab has updated since.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from attn_book import address
from attn_book.commands import serve

from .environment import (
    PLACE,
    ROOT,
    copy_course,
    install_torch,
    interpreter,
    new_environment,
    version_of,
)

PYTHON = "3.13"  # Colab's
EXAMPLE = address.Address("ada/attention", "https://ada.github.io/attention/", "v0")
CHAPTER = ROOT / "chapters" / "02-softmax.ipynb"
# what a Colab kernel has imported before the first cell: all that anywidget needs of it
STAND_IN = """
import sys, types
names = ("google", "google.colab", "google.colab.output")
google, colab, output = made = [types.ModuleType(name) for name in names]
google.colab, colab.output, output.calls = colab, output, []
output.enable_custom_widget_manager = lambda: output.calls.append(True)
sys.modules.update(zip(names, made))
"""
LAST_CELL = """
import sys, attn_course
from google.colab import output
place = attn_course.__file__
assert place.startswith(sys.prefix), f"attn_course came from {place}, not from the archive"
assert output.calls, "anywidget did not ask Colab for its widget manager: widgets stay empty"
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="make try-colab", description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", help=f"the interpreter; Colab's is {PYTHON}")
    parser.add_argument("--chapter", type=Path, default=CHAPTER)
    wanted = parser.parse_args()

    python = wanted.python or interpreter(PYTHON)
    if not version_of(python):
        sys.exit(f"--python must name an interpreter, got {python!r}")
    place = PLACE / "colab"
    shutil.rmtree(place, ignore_errors=True)
    print(f"making an environment like Colab's, with Python {version_of(python)}")
    colab = new_environment(place / "environment", python)
    install_torch(colab)
    colab.install("--requirement", str(Path(__file__).with_name("colab.txt")))
    before = colab.versions()

    copy_course(place / "archive" / "attention-0")
    shutil.make_archive(str(place / "v0"), "zip", place / "archive")
    with serve.running(place) as here:
        chapter = alone(wanted.chapter, place / "content", f"{here}v0.zip")
        print(f"running {chapter.name}, which installs the course's archive")
        command = [str(colab.bin / "jupyter"), "execute", "--timeout=600", chapter.name]
        if subprocess.run(command, cwd=chapter.parent, env=colab.variables()).returncode:
            sys.exit(f"{chapter.name} does not run as in Colab")
    after = colab.versions()
    if changed := [f"{name} {before[name]}" for name in before if after.get(name) != before[name]]:
        sys.exit(f"Colab's readers would have to restart: replaced were {', '.join(changed)}")
    added = sorted(set(after) - set(before))
    print(f"It runs, with no package of Colab's changed. Added: {', '.join(added)}")


def alone(chapter: Path, folder: Path, archive: str) -> Path:
    """The chapter as a lone file, with the install cell that a repository's chapter has."""
    notebook = json.loads(chapter.read_text(encoding="utf-8"))
    install = [cell for cell in notebook["cells"] if cell.get("id") == address.INSTALL]
    if len(install) != 1:
        raise ValueError(f"{chapter.name} must have one cell {address.INSTALL!r}: {len(install)}")
    source = address.install_source(EXAMPLE, address.reads_model(chapter.read_text("utf-8")))
    if source.count(EXAMPLE.archive) != 1:
        raise ValueError(f"its install cell must install {EXAMPLE.archive}, got:\n{source}")
    install[0]["source"] = source.replace(EXAMPLE.archive, archive)
    kind = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    notebook["cells"].insert(0, {**kind, "id": "stand-in", "source": STAND_IN})
    notebook["cells"].append({**kind, "id": "last", "source": LAST_CELL})
    folder.mkdir(parents=True)
    (folder / chapter.name).write_text(json.dumps(notebook), encoding="utf-8")
    return folder / chapter.name


if __name__ == "__main__":
    main()
