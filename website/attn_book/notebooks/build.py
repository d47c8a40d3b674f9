"""Builds that can be interrupted, and chapters that run again when what they depend on changes.

Sphinx writes its pages to ``_build/raw``, and only `publish` touches ``_build/html``. While a build
runs, there is a marker in ``_build``. If the next build finds it, pages may be half written or
warnings unseen, so everything except the results of chapters is made again.

A chapter is run before Sphinx reads it, unless there is a result for its current dependencies;
Sphinx reads the notebook with that result in it. One that reads the language model is not run where
the model is missing (`attn_book.model`), and its page says so.
"""

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging

from attn_book.model import left_out
from attn_book.rooms import rooms

from . import dependencies, execution

logger = logging.getLogger(__name__)
MARKER = ".unfinished"
RESULTS = ".executed"
LEFT_OUT = (
    "This page was made without the language model, so it has no results. "
    "The course's README says how to get it."
)
# what every page depends on, besides its own text and the package, which has the colours
MEANS = (
    *(f"website/{folder}/**/*" for folder in ("attn_book", "templates", "assets")),
    *("book/references.bib", "package-lock.json", "pyproject.toml", "requirements.txt"),
)


def setup(app: Sphinx) -> None:
    app.add_config_value("attn_book_means", "", "env")
    app.connect("config-inited", prepare, priority=100)
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", run_chapters)
    app.connect("source-read", read, priority=600)  # after `citations`
    app.connect("env-updated", write_all)
    app.connect("build-finished", finish, priority=990)


def prepare(app: Sphinx, config) -> None:
    """Choose the folders of this build before Sphinx looks at any of them."""
    root, build = Path(app.srcdir), Path(app.outdir).parent
    if (build / MARKER).exists():
        clear(build)
    app.outdir = type(app.outdir)(build / "raw")
    for folder in (app.outdir, app.doctreedir):
        Path(folder).mkdir(parents=True, exist_ok=True)
    (build / MARKER).touch()
    packages = [digest(room, ("**/*.py",)) for room in rooms().values()]
    config.attn_book_means = "".join([digest(root, MEANS), *packages])


def clear(build: Path) -> None:
    """Remove what an interrupted build may have left half done."""
    for name in ("raw", ".doctrees", "jupyter_execute", "assets", ".answers"):
        shutil.rmtree(build / name, ignore_errors=True)


def results(app: Sphinx) -> Path:
    """The folder of the chapters' results."""
    return Path(app.outdir).with_name(RESULTS)


def keys(app: Sphinx, env: BuildEnvironment) -> dict[str, str]:
    """All chapters of this build, with the keys of what they depend on; none if it is not there.

    Results that show code as it was before are removed.
    """
    root = Path(app.srcdir)
    names = sorted(name for name in env.found_docs if env.doc2path(name).endswith(".ipynb"))
    out = {path.relative_to(root).with_suffix("").as_posix() for path in left_out(root)}
    of_all = dependencies.all_files()
    by_name = {name: "" if name in out else dependencies.key(root, name, of_all) for name in names}
    for name, key in by_name.items():
        path = execution.result_path(results(app), name, key)
        if not path.exists():
            continue
        if not dependencies.up_to_date(root, name, executed(results(app), name, key)):
            path.unlink()
    return by_name


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """The documents to read again: Sphinx goes by the times of files, this by their contents."""
    env.attn_results = keys(app, env)
    if removed:
        return [*env.found_docs]
    read = getattr(env, "attn_read", {})
    return [name for name, text in texts(app, env).items() if read.get(name) != text]


def texts(app: Sphinx, env: BuildEnvironment) -> dict[str, str]:
    """A digest of each document, with the files that it includes and its result."""
    root = Path(app.srcdir)
    digests = {}
    for name in env.found_docs:
        key = env.attn_results.get(name, "")
        ran = execution.result_path(results(app), name, key).exists()
        content = hashlib.sha256(f"{key} {ran}".encode())
        for file in (env.doc2path(name), *sorted(env.dependencies.get(name, ()))):
            path = root / file
            content.update(b"\0" + (path.read_bytes() if path.is_file() else b""))
        digests[name] = content.hexdigest()
    return digests


def write_all(app: Sphinx, env: BuildEnvironment) -> set[str] | None:
    """Write the pages whose own text changed; all of them if anything changed that they share.

    Each page lists others in its menu, and refers to their headings, equations and sources.
    """
    text, read, common = texts(app, env), getattr(env, "attn_read", {}), shared(env)
    changed = {name for name in text if text[name] != read.get(name)}
    old = {*app.builder.get_outdated_docs()} - changed
    if not (changed or old):
        return None
    env.attn_read = text
    if not old and common == getattr(env, "attn_shared", None):
        return changed
    env.attn_shared = common
    return env.found_docs


def shared(env: BuildEnvironment) -> str:
    """A digest of what any page may take from the others: titles, menus, targets and sources."""
    metadata = [
        (name, {**about, "wordcount": None})  # which changes with each sentence
        for name, about in sorted(env.metadata.items())
    ]
    parts = (env.titles, env.longtitles, env.tocs, env.toctree_includes, metadata)
    parts += (env.toc_secnumbers, env.toc_fignumbers, env.images, env.dlfiles)
    domains = {**env.domaindata}
    if cited := domains.get("cite"):  # where citations of a page that is read again come last
        domains["cite"] = {**cited, "citation_refs": {*map(_as_text, cited["citation_refs"])}}
    parts += (domains,)
    return hashlib.sha256(_as_text(parts).encode()).hexdigest()


def _as_text(thing: object) -> str:
    """The same text for equal things, in whatever order their sets are."""
    if isinstance(thing, nodes.Node):
        return thing.pformat()
    if isinstance(thing, dict):
        return f"{{{', '.join(sorted(f'{key}: {_as_text(thing[key])}' for key in thing))}}}"
    if isinstance(thing, set | frozenset):
        return f"{{{', '.join(sorted(map(_as_text, thing)))}}}"
    if isinstance(thing, list | tuple):
        return f"[{', '.join(map(_as_text, thing))}]"
    if isinstance(thing, type) or not hasattr(thing, "__dict__"):
        return repr(thing)
    return f"{type(thing)} {_as_text(vars(thing))}"


def run_chapters(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Run the chapters that have no result yet."""
    folder, root = results(app), Path(app.srcdir)
    wanted = [
        name
        for name, key in env.attn_results.items()
        if key and not execution.result_path(folder, name, key).exists()
    ]
    if not wanted:
        return
    logger.info("running %s, %d at a time", ", ".join(wanted), execution.cores())
    wanted.sort(key=lambda name: dependencies.weight(root, name), reverse=True)
    keyed = {name: env.attn_results[name] for name in wanted}
    faults = execution.run(root, keyed, folder, app.config.nb_execution_timeout, logger.info)
    for name, fault in faults.items():
        logger.error("%s: %s: %s", name, type(fault).__name__, fault)
    if faults:
        raise ExtensionError(f"these chapters cannot be run: {', '.join(faults)}")


def read(app: Sphinx, name: str, content: list[str]) -> None:
    """Put the result of a chapter into the notebook that Sphinx reads."""
    if (key := app.env.attn_results.get(name)) is None:
        return
    notebook = json.loads(content[0])
    if key:
        notebook = execution.with_result(notebook, executed(results(app), name, key))
    else:
        logger.info("%s is not run: %s", name, LEFT_OUT)
        notebook = without_result(notebook)
    content[0] = json.dumps(notebook, ensure_ascii=False)


def without_result(notebook: dict) -> dict:
    """The notebook of a chapter that was not run: it says so, and its words set no widgets."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    for cell in cells:
        text = "".join(cell["source"])
        cell["source"] = re.sub(r"<span data-set=[^>]*>(.*?)</span>", r"\1", text, flags=re.S)
    cells[0]["source"] += f"\n\n*{LEFT_OUT}*"
    notebook["metadata"]["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    return notebook


def notebooks(root: Path, folder: Path, keys: dict[str, str]) -> dict[str, dict]:
    """The chapters' notebooks as they are written now, with their results."""
    by_name = {}
    for name, key in keys.items():
        notebook = json.loads((root / f"{name}.ipynb").read_text(encoding="utf-8"))
        by_name[name] = (
            execution.with_result(notebook, executed(folder, name, key)) if key else notebook
        )
    return by_name


def executed(folder: Path, name: str, key: str) -> dict:
    """The notebook of a chapter as it was run."""
    path = execution.result_path(folder, name, key)
    if not path.exists():
        raise ExtensionError(f"{name} was not executed by this build")
    return json.loads(path.read_text(encoding="utf-8"))


def finish(app: Sphinx, exception: Exception | None) -> None:
    """After a successful build, remove the marker and the results that are no longer used."""
    if failed(app, exception):
        return
    folder = results(app)
    used = {execution.result_path(folder, *item) for item in app.env.attn_results.items()}
    for path in {*folder.glob("*")} - used:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    folder.with_name(MARKER).unlink(missing_ok=True)


def failed(app: Sphinx, exception: Exception | None) -> bool:
    """Whether this build will fail; Sphinx counts its warnings only later."""
    return bool(exception or app.statuscode or (app.keep_going and app._warncount))


def digest(root: Path, patterns) -> str:
    """A key that changes with the files under ``root`` that match, and with Python's version."""
    content = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        if path.is_file() and "__pycache__" not in path.parts:
            content.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return content.hexdigest()[:16]
