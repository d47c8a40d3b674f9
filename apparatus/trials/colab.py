"""``make try-colab``: a chapter opened alone, in an environment like Colab's.

The environment has the packages that the course shares with Colab, in the versions that Colab
publishes (``colab.txt``), and a stand-in for the module ``google.colab``. The chapter is alone in
an empty folder. Its cell that installs is the one that ``make address`` writes for a repository,
but with the address of the same archive on this machine in place of GitHub's. Then the whole
chapter is run, as with *Run all*.

The trial fails if a cell fails, if that cell changes a package that Colab had, if something
already loaded would need a restart, or if anywidget does not ask for its widget manager.

It cannot show Colab's own page, or packages that Colab has updated since.
"""

import argparse
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from attn_book import address
from attn_book.commands import serve

from .environment import (
    PLACE,
    ROOT,
    Environment,
    copy_course,
    install_torch,
    interpreter,
    new_environment,
    version_of,
)

PYTHON = "3.13"  # Colab's
MADE_UP = address.Address("ada/attention", "https://ada.github.io/attention/", "v0")
CHAPTER = ROOT / "chapters" / "02-softmax.ipynb"
STARTUP = Path(__file__).with_name("colab_startup.py")
# run in the kernel after the last cell: what is installed, and what had been loaded before
LAST_CELL = """
import importlib.metadata, json, pathlib, sys
import attn_course
_loaded = {
    name: module.__version__ for name, module in list(sys.modules.items())
    if "." not in name and isinstance(getattr(module, "__version__", None), str)
}
_told = {"loaded": _loaded, "package": str(pathlib.Path(attn_course.__file__).parent)}
pathlib.Path(TOLD).write_text(json.dumps(_told))
"""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make try-colab", description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", help=f"the interpreter; Colab's is {PYTHON}")
    parser.add_argument("--chapter", type=Path, default=CHAPTER)
    wanted = parser.parse_args(arguments)

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

    packed = pack(place / "archive")
    with serve.running(packed.parent) as here:
        chapter = alone(wanted.chapter, place / "content", f"{here}{packed.name}")
        print(f"running {chapter.name}, which installs the course's archive")
        told, calls = run_all(chapter, colab)
    wrong = complaints(before, colab.versions(), told, calls, colab)
    if wrong:
        sys.exit("Colab's readers would have trouble:\n" + "\n".join(f"- {each}" for each in wrong))
    added = sorted(set(colab.versions()) - set(before))
    print(f"It runs, with no package of Colab's changed. Added: {', '.join(added)}")


# ---- the repository's archive, and a chapter without its repository


def pack(folder: Path, root: Path = ROOT) -> Path:
    """The zip file that GitHub makes for a tag: the course in one folder."""
    course = folder / "attention-0"
    copy_course(course, root)
    archive = folder / "v0.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(course.rglob("*")):
            packed.write(path, path.relative_to(folder))
    return archive


def alone(chapter: Path, folder: Path, archive: str) -> Path:
    """The chapter as a lone file, with the cell that installs, as a repository's has it."""
    notebook = json.loads(chapter.read_text(encoding="utf-8"))
    ids = [cell.get("id") for cell in notebook["cells"]]
    if address.INSTALL not in ids:
        raise ValueError(f"{chapter.name} must have a cell {address.INSTALL!r}; got {ids}")
    first = notebook["cells"][ids.index(address.INSTALL)]
    source = address.install_source(MADE_UP, address.reads_model(chapter.read_text("utf-8")))
    if source.count(MADE_UP.archive) != 1:
        raise ValueError(f"the cell must install {MADE_UP.archive}, got:\n{source}")
    first["source"] = source.replace(MADE_UP.archive, archive)
    notebook["cells"].append(last_cell(folder))
    folder.mkdir(parents=True)
    (folder / chapter.name).write_text(json.dumps(notebook), encoding="utf-8")
    return folder / chapter.name


def last_cell(folder: Path) -> dict:
    """A cell that writes down what the kernel knows at the end."""
    source = LAST_CELL.replace("TOLD", repr(str(folder / "told.json")))
    kind = {"cell_type": "code", "id": "told", "execution_count": None}
    return {**kind, "metadata": {}, "outputs": [], "source": source}


# ---- running it


def run_all(chapter: Path, colab: Environment) -> tuple[dict, list[str]]:
    """Run every cell; returns what the kernel reports at the end, and the calls of google.colab."""
    calls = chapter.with_name("calls.txt")
    variables = colab.variables(
        IPYTHONDIR=str(ipython_profile(chapter.with_name("ipython"))), COLAB_CALLS=str(calls)
    )
    command = [str(colab.bin / "jupyter"), "execute", "--timeout=300", chapter.name]
    if subprocess.run(command, cwd=chapter.parent, env=variables).returncode:
        sys.exit(f"{chapter.name} does not run as in Colab")
    told = json.loads(chapter.with_name("told.json").read_text(encoding="utf-8"))
    return told, calls.read_text(encoding="utf-8").split() if calls.exists() else []


def ipython_profile(folder: Path) -> Path:
    startup = folder / "profile_default" / "startup"
    startup.mkdir(parents=True)
    shutil.copy(STARTUP, startup / "00-colab.py")
    return folder


# ---- the verdict


def complaints(
    before: dict[str, str],
    after: dict[str, str],
    told: dict,
    calls: list[str],
    colab: Environment,
) -> list[str]:
    """What would trouble a reader in Colab; empty if all is well."""
    wrong = [
        f"{name} {version} was replaced by {after.get(name, 'nothing')}"
        for name, version in sorted(before.items())
        if after.get(name) != version
    ]
    wrong += [
        f"{name} {version} is loaded, {after[name]} is installed: a restart would be needed"
        for name, version in sorted(told["loaded"].items())
        if name in after and plain(after[name]) != plain(version)
    ]
    if not Path(told["package"]).is_relative_to(colab.folder):
        wrong.append(f"attn_course came from {told['package']}, not from the archive")
    if "enable_custom_widget_manager" not in calls:
        wrong.append("anywidget did not ask Colab for its widget manager: widgets stay empty")
    return wrong


def plain(version: str) -> str:
    """The version without the name of a build: 2.13.0+cpu is 2.13.0."""
    return version.partition("+")[0]


if __name__ == "__main__":
    main()
