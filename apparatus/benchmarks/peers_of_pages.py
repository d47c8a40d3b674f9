"""The same question as three sites: the course's way, Jupyter Book's and JupyterLite's.

All are made under ``_build/pages`` from what package managers install: the first two in the
course's own environment, the last in a separate one. Stock widgets load their manager from a CDN;
here its files are beside the page, on the same host, which favours them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from urllib.parse import quote

import nbformat

from apparatus.trials.environment import ROOT, Environment, new_environment
from attn_book.commands.small_book import Book

HERE = Path(__file__).parent
PLACE = ROOT / "_build" / "pages"
QUESTION = "The weights of [2, 1, 0]: what share does the largest get?"
OURS = f"""
from attn_course.views.widgets.prediction import Prediction

guess = Prediction("{QUESTION}", (0, 100, 1, "%"))
guess.reveal(67)
guess
"""
# Stock widgets need a kernel to compare a guess with a measurement. A link does not.
STOCK = f"""
import ipywidgets as widgets

question = widgets.Label("{QUESTION}")
guess = widgets.FloatSlider(value=50, min=0, max=100, step=1, description="Guess")
number = widgets.FloatText(description="%")
widgets.jslink((guess, "value"), (number, "value"))
widgets.VBox([question, guess, number])
"""
CDN = "https://cdn.invalid"  # stands for the two that stock uses, until files are local
CONFIG = f"""
title: Stock
author: Nobody
execute: {{ execute_notebooks: force }}
sphinx:
  config:
    # as by default, but without the checksum: npm has require.js not minified
    nb_ipywidgets_js:
      {CDN}/require.min.js: {{}}
      {CDN}/@jupyter-widgets/html-manager@1.0.6/dist/embed-amd.js:
        data-jupyter-widgets-cdn: {CDN}/
        crossorigin: anonymous
"""
CONTENTS = "format: jb-book\nroot: index\nchapters:\n- file: small\n"
# where its files are beside the page
NEAR = {
    f"{CDN}/require.min.js": "cdn/require.min.js",
    f"{CDN}/@jupyter-widgets/html-manager@1.0.6/dist/": "cdn/html-manager/",
    f"{CDN}/": "cdn/",
}
LITE = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {
                "pyodideUrl": "./static/pyodide/pyodide.mjs"
            }
        }
    },
}
WIDGETS_OF_LITE = ("comm", "ipywidgets", "jupyterlab_widgets")


def ours() -> tuple[Path, str]:
    """The site and its page, with the course's theme, extension and widget."""
    place = PLACE / "ours"
    site = place / "_build" / "html"
    if not (site / "chapters" / "01-small.html").exists():
        _fresh(place)
        book = Book(place)
        book.write_chapter(OURS)
        fault, said = book.build()
        if fault:
            sys.exit(said)
    return site, "chapters/01-small.html"


def stock() -> tuple[Path, str]:
    """The same, as `jupyter-book build` makes it of a book without any settings."""
    place = PLACE / "stock"
    site = place / "_build" / "html"
    if not (site / "cdn").exists():
        _fresh(place)
        (place / "_config.yml").write_text(CONFIG)
        (place / "_toc.yml").write_text(CONTENTS)
        (place / "index.md").write_text("# Front\n\nThe whole of the front page.\n")
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_markdown_cell("# Small\n\nA chapter."),
            nbformat.v4.new_code_cell(STOCK.strip()),
        ]
        nbformat.write(notebook, place / "small.ipynb")
        _run(str(Path(sys.executable).with_name("jupyter-book")), "build", "--quiet", str(place))
        _bring_near(site)
    return site, "small.html"


def lite() -> tuple[Path, str]:
    """JupyterLite's smallest app, the REPL, which runs the cell when it is opened."""
    place = PLACE / "lite"
    site = place / "site"
    if not (site / "static" / "pyodide").exists():
        environment = new_environment(_fresh(place) / "environment")
        environment.install("--requirement", str(HERE / "pages.txt"))
        (place / "source" / "pypi").mkdir(parents=True)
        (place / "source" / "jupyter-lite.json").write_text(json.dumps(LITE))
        versions = environment.versions()
        pins = [f"{name}=={versions[name.lower()]}" for name in WIDGETS_OF_LITE]
        _wheels(environment, pins, place / "source" / "pypi")
        environment.python(
            *("-m", "jupyterlite_core", "build", "--apps", "repl", "--no-sourcemaps"),
            *("--output-dir", str(site)),
            cwd=place / "source",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _bring_python(environment, site / "static" / "pyodide")
    code = "%pip install -q ipywidgets\n" + STOCK.strip()
    return site, f"repl/index.html?kernel=python&execute=1&code={quote(code)}"


def _bring_near(site: Path) -> None:
    html_manager, requirejs = npm("@jupyter-widgets/html-manager"), npm("requirejs")
    shutil.copytree(html_manager / "dist", site / "cdn" / "html-manager")
    shutil.copy(requirejs / "require.js", site / "cdn" / "require.js")
    minify = ROOT / "node_modules" / ".bin" / "esbuild"
    _run(
        *(str(minify), "--minify", "--log-level=error", str(site / "cdn" / "require.js")),
        f"--outfile={site / 'cdn' / 'require.min.js'}",
    )
    page = site / "small.html"
    text = page.read_text(encoding="utf-8")
    for far, near in NEAR.items():
        text = text.replace(far, near)
    page.write_text(text, encoding="utf-8")


def _bring_python(environment: Environment, folder: Path) -> None:
    """Pyodide from npm, and the wheels that its kernel requests, from an index of packages.

    npm's package contains none of them, and those of an index differ from Pyodide's own only in
    their checksums.
    """
    shutil.copytree(npm("pyodide"), folder)
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    entries = _with_what_they_need(lock["packages"], ["micropip", "packaging", "ipython", "jedi"])
    pins = [f"{entry['name']}=={entry['version']}" for entry in entries]
    _wheels(environment, ["--python-version", "3.14", *pins], folder)
    for entry in entries:
        wheel = (folder / entry["file_name"]).read_bytes()
        entry["sha256"] = hashlib.sha256(wheel).hexdigest()
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


def _with_what_they_need(packages: dict, wanted: list[str]) -> list[dict]:
    found = {}
    while wanted:
        name = wanted.pop().replace("_", "-").lower()
        if name not in found:
            found[name] = packages[name]
            wanted += packages[name]["depends"]
    return list(found.values())


def _wheels(environment: Environment, wanted: list[str], folder: Path) -> None:
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:")
    environment.python("-m", "pip", "download", *quiet, "--dest", str(folder), *wanted)


def npm(name: str) -> Path:
    """The unpacked package without its dependencies, in the version that pages-npm.txt pins."""
    pins = (HERE / "pages-npm.txt").read_text(encoding="utf-8").split()
    (pin,) = (pin for pin in pins if pin.rpartition("@")[0] == name)
    folder = PLACE / "npm" / pin.replace("/", "-")
    if not (folder / "package").exists():
        _fresh(folder)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        command = ["npm", "pack", "--silent", "--pack-destination", str(folder), pin]
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PATH": path}
        )
        (packed,) = folder.glob("*.tgz")
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


def versions() -> dict[str, str]:
    """The versions of what the peers use and the course's lock does not contain."""
    of_npm = (HERE / "pages-npm.txt").read_text(encoding="utf-8").split()
    of_pip = (HERE / "pages.txt").read_text(encoding="utf-8").split()
    return dict(pin.rsplit("@", 1) for pin in of_npm) | dict(pin.split("==") for pin in of_pip)


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
