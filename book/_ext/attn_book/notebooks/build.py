"""Builds that can be interrupted, and chapters that run again when what they stand on changed.

Sphinx writes its pages to ``_build/raw``, and only `publish` touches ``_build/html``. While a
build runs, a marker lies in ``_build``. Found at the start of the next one, it means that pages
may be half written or warnings unseen, so everything but the executed notebooks is made afresh.
"""

import hashlib
import shutil
import sys
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_client.manager import KernelManager
from sphinx.application import Sphinx

MARKER = ".unfinished"
CACHES = ".executed"
# what a chapter's result depends on, besides the chapter itself
GROUNDS = ("attn_course/**/*", "requirements.txt")
# what every page depends on, besides its own text
MEANS = (
    "book/_ext/**/*",
    "book/_templates/**/*",
    "book/assets/**/*",
    "package-lock.json",
    "pyproject.toml",
)


def setup(app: Sphinx) -> None:
    app.add_config_value("attn_book_means", "", "env")
    app.connect("config-inited", prepare, priority=100)
    encrypt()
    app.connect("build-finished", finish, priority=990)


def encrypt() -> None:
    """Have kernels started as ipykernel asks, or it warns for each chapter of a plain channel.

    The executor hands no settings through, so the default is what can be set.
    """
    # earlier releases have none, and do not warn
    if hasattr(KernelManager, "transport_encryption"):
        KernelManager.transport_encryption.default_value = "auto"


def prepare(app: Sphinx, config) -> None:
    """Choose the folders of this build, before Sphinx looks at any of them."""
    root, build = Path(app.srcdir), Path(app.outdir).parent
    cache = build / CACHES / digest(root, GROUNDS)
    if (build / MARKER).exists():
        clear(build, cache)
    app.outdir = type(app.outdir)(build / "raw")
    for folder in (app.outdir, app.doctreedir):
        Path(folder).mkdir(parents=True, exist_ok=True)
    (build / MARKER).touch()

    config.attn_book_means = digest(root, MEANS)
    config.nb_execution_cache_path = str(cache)


def clear(build: Path, cache: Path) -> None:
    """Remove what an interrupted build may have left half done."""
    for name in ("raw", ".doctrees", "jupyter_execute", "assets"):
        shutil.rmtree(build / name, ignore_errors=True)
    try:
        executed = get_cache(cache)
        for record in executed.list_cache_records():
            executed.get_cache_bundle(record.pk)
    except Exception:  # whatever is wrong with it: the chapters can run again
        shutil.rmtree(cache, ignore_errors=True)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Take the marker away after a build without fault, and executions that no page uses now."""
    if failed(app, exception):
        return
    used = Path(app.config.nb_execution_cache_path)
    for cache in used.parent.glob("*"):
        if cache != used:
            shutil.rmtree(cache)
    (used.parent.parent / MARKER).unlink(missing_ok=True)


def failed(app: Sphinx, exception: Exception | None) -> bool:
    """Whether this build will end with a fault; Sphinx counts its warnings only later."""
    return bool(exception or app.statuscode or (app.keep_going and app._warncount))


def digest(root: Path, patterns) -> str:
    """A key that changes with the files under ``root`` that match, and with Python's version."""
    seen = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        if path.is_file() and "__pycache__" not in path.parts:
            seen.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return seen.hexdigest()[:16]
