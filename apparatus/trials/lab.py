"""``make try-lab``: the chapters in real JupyterLab and Notebook 7, operated with the keyboard.

JupyterLab is started on a copy of the course, and each chapter is opened in Chromium and run. No
cell may fail. Every widget must be drawn, and is then operated with keys that a notebook would take
as its own commands (``keys.py``): the notebook must not react, and Python must get the new value.

Every chapter runs in the course's own environment. A second environment is made as a JupyterHub
user would make it: ``pip install`` of the wheel, scikit-learn and Notebook 7, which includes
JupyterLab. There one chapter is tried in both, from a folder that contains only chapters.

This cannot show other browsers, or VS Code, which draws widgets with a manager of its own.
"""

import argparse
import shutil
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from attn_book.commands.browser import NoBrowser, chromium
from attn_book.model import left_out
from attn_course.model_file import PIN

from .environment import (
    PATIENCE,
    PLACE,
    ROOT,
    Environment,
    copy_course,
    install_torch,
    new_environment,
    wheels,
)
from .notebook import SCRIPT, Notebook, Trouble, faults, views
from .server import serving

PILOT = "02"
HARMLESS = "reading 'schema'"  # from Notebook 7, even if no notebook of ours is open


@dataclass(frozen=True)
class Application:
    module: str  # python -m ...
    path: str  # where it opens a file; JupyterLab would reopen the last session's too
    option: str


EXPOSED = "expose_app_in_browser=True"
LAB = Application("jupyterlab", "lab/workspaces/{stem}/tree", f"--LabApp.{EXPOSED}")
NOTEBOOK = Application("notebook", "notebooks", f"--JupyterNotebookApp.{EXPOSED}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make try-lab", description=__doc__.split("\n\n")[0])
    parser.add_argument("--chapter", help="only this one, by the beginning of its name, such as 02")
    parser.add_argument("--all", action="store_true", help="every chapter everywhere")
    wanted = parser.parse_args(arguments)
    every = chapters(wanted.chapter or "")
    some = every if wanted.all or wanted.chapter else chapters(PILOT)
    try:
        with chromium() as browser:
            wrong = try_course(browser, every) + try_wheel(browser, some)
    except NoBrowser as missing:
        sys.exit(str(missing))
    if wrong:
        sys.exit("A reader in Jupyter would have trouble:\n" + "\n".join(f"- {w}" for w in wrong))
    print("Everything runs, and every widget responds to keys.")


def chapters(beginning: str, root: Path = ROOT) -> list[Path]:
    paths = sorted({*(root / "chapters").glob(f"{beginning}*.ipynb")} - {*left_out(root)})
    if not paths:
        names = ", ".join(path.stem for path in chapters("", root))
        sys.exit(f"CHAPTER must be the beginning of one of {names}; got {beginning!r}")
    return paths


# ---- where they are tried


def try_course(browser, every: list[Path]) -> list[str]:
    """Try the course's environment on a copy of the course, so that no chapter is changed."""
    course = PLACE / "lab" / "course"
    shutil.rmtree(course, ignore_errors=True)
    copy_course(course)
    return try_all(browser, "JupyterLab", LAB, Environment(Path(sys.prefix)), course, every)


def try_wheel(browser, some: list[Path]) -> list[str]:
    """Try an environment with the wheel, and a folder with chapters."""
    print("installing the wheel and Notebook 7 in an empty environment")
    reader = new_environment(PLACE / "lab" / "reader")
    install_torch(reader)
    # scikit-learn has the digits of study C, which says so where it is absent
    course, *rooms = wheels(reader, PLACE / "lab" / "wheel")
    reader.install(f"{course}[model,tasks,views]", *rooms, "notebook>=7,<8", "scikit-learn")
    reader.install("--no-deps", "--requirement", str(PIN))
    home = PLACE / "lab" / "home"
    shutil.rmtree(home, ignore_errors=True)
    (home / "chapters").mkdir(parents=True)
    for chapter in some:
        shutil.copy(chapter, home / "chapters")
    wrong = lacking(reader)
    for name, what in (("JupyterLab", LAB), ("Notebook 7", NOTEBOOK)):
        wrong += try_all(browser, f"{name} with the wheel", what, reader, home, some)
    return wrong


def lacking(environment: Environment) -> list[str]:
    """Missing extensions that draw widgets, for JupyterLab and for VS Code without a network."""
    share = environment.folder / "share" / "jupyter"
    files = (
        "labextensions/@jupyter-widgets/jupyterlab-manager/package.json",
        "labextensions/anywidget/package.json",
        "nbextensions/anywidget/index.js",
    )
    return [
        f"the wheel's dependencies do not bring share/jupyter/{name}"
        for name in files
        if not (share / name).exists()
    ]


# ---- trying them


def try_all(
    browser, where: str, what: Application, environment: Environment, home: Path, some: list[Path]
) -> list[str]:
    version = environment.versions()[what.module]
    print(f"{where}: {what.module} {version}")
    wrong = []
    with serving(environment, home, what.module, (what.option,)) as address:
        for chapter in some:
            path = f"{what.path.format(stem=chapter.stem)}/chapters/{chapter.name}"
            messages = try_chapter(browser, address, f"{address}/{quote(path)}", environment)
            wrong += [f"{where}, {chapter.stem}: {message}" for message in messages]
    return wrong


def try_chapter(browser, server: str, address: str, environment: Environment) -> list[str]:
    with opened(browser, server, address) as (page, wrong):
        notebook, cells, worked = Notebook(page), [], Counter()
        try:
            cells = notebook.run()
            wrong += faults(cells)
            wrong += foreign_package(notebook, environment)
            for view in views(cells):
                try:
                    worked[notebook.work(view)] += 1
                except Trouble as trouble:
                    wrong.append(str(trouble))
            if not views(cells):
                wrong.append("it does not show any widget")
            notebook.call("close")
        except Exception as error:  # from Playwright, with its call log on further lines
            wrong.append(str(error).splitlines()[0])
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(worked.items()))
    print(f"  {Path(address).stem}: {len(cells)} cells; {counts}; {len(wrong)} faults", flush=True)
    return wrong


@contextmanager
def opened(browser, server: str, address: str):
    """A page, and a list that collects everything it complains about."""
    wrong = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.set_default_timeout(30_000 * PATIENCE)
        page.add_init_script(path=SCRIPT)
        page.on("pageerror", lambda error: HARMLESS in str(error) or wrong.append(str(error)))
        page.route(
            lambda url: not url.startswith((server, server.replace("http", "ws", 1))),
            lambda route: (wrong.append(f"the page asks {route.request.url}"), route.abort()),
        )
        page.goto(address)
        yield page, wrong
    finally:
        context.close()


def foreign_package(notebook: Notebook, environment: Environment) -> list[str]:
    """Require the environment's own package, since that of the course would hide faults."""
    origin = Path(notebook.ask("__import__('attn_course').__file__"))
    if environment.folder == Path(sys.prefix) or origin.is_relative_to(environment.folder):
        return []
    return [f"attn_course came from {origin}, not from {environment.folder}"]


if __name__ == "__main__":
    main()
