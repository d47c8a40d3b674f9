"""What the chapters of a commit had that today's have not: ``python -m apparatus.kept COMMIT``.

Claims, guesses and widgets are known by the ids of their cells, exercises and widgets also by their
modules; a cell may have moved to any chapter. Rows of the notes are known by their headings, terms
by their forms in the glossary, and places by their addresses, unless ``book/moved.yml`` leads on.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml
from docutils.nodes import make_id

ROOT = Path(__file__).resolve().parents[1]
NOTES, GLOSSARY, MOVED = "book/notes.md", "book/glossary.md", "book/moved.yml"
CALLS = {"claims": r"\bclaim\(", "guesses": r"\b(?:Drawn)?Prediction\("}
MODULES = {
    "exercises": r"\bexercises\.(\w+ import \w+)",
    "widgets": r"\bwidgets\.\w+ import (\w+)",
}


def files_of(commit: str) -> dict[str, str]:
    """The chapters and the two pages of a commit, by their paths."""
    listed = _git("ls-tree", "-r", "--name-only", commit, "chapters", NOTES, GLOSSARY).split()
    return {path: _git("show", f"{commit}:{path}") for path in listed if _is_read(path)}


def files_of_today() -> dict[str, str]:
    """The same of the working tree, and the table of what has moved."""
    paths = [*ROOT.glob("chapters/*.ipynb"), *(ROOT / name for name in (NOTES, GLOSSARY, MOVED))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def things(files: dict[str, str]) -> dict[str, Counter[str]]:
    """What there is, by kind, each as often as it is there."""
    found = {kind: Counter() for kind in (*CALLS, *MODULES, "rows", "terms", "places")}
    for path, text in files.items():
        if path.endswith(".ipynb"):
            for cell in json.loads(text)["cells"]:
                _count(found, path.removesuffix(".ipynb"), cell)
    found["rows"].update(re.findall(r"^### (.+)", files.get(NOTES, ""), re.M))
    listed = files.get(GLOSSARY, "").partition(":sorted:")[2].partition("```")[0]
    found["terms"].update(re.findall(r"^\S.*", listed, re.M))
    for name, former in (yaml.safe_load(files.get(MOVED, "")) or {}).items():
        found["places"].update(f"{name}#{place}" for place in former)
    return found


def _count(found: dict[str, Counter[str]], chapter: str, cell: dict) -> None:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        found["places"].update(f"{chapter}#{slug}" for slug in _slugs(source))
        return
    for kind, call in CALLS.items():
        found[kind].update([cell["id"]] if re.search(call, source) else [])
    for kind, module in MODULES.items():
        found[kind].update(re.findall(module, source))
    if re.search(CALLS["claims"], source):
        found["places"].update([f"{chapter}#claim-{cell['id']}"])


def _slugs(markdown: str) -> Iterator[str]:
    """The places of headings, as Sphinx names them."""
    for heading in re.findall(r"^#{2,3} (.+)", markdown, re.M):
        words = re.sub(r"\]\([^)]*\)|[*_`$]", "", heading)
        yield make_id(words)


def report(then: dict[str, Counter[str]], now: dict[str, Counter[str]]) -> Iterator[str]:
    """A line for each kind, and one for each thing that is gone."""
    for kind, had in then.items():
        yield f"{kind}: {had.total()} then, {now[kind].total()} now"
        yield from (f"  gone: {name}" for name in sorted((had - now[kind]).elements()))


def _is_read(path: str) -> bool:
    return path.endswith((".ipynb", ".md"))


def _git(*command: str) -> str:
    return subprocess.run(
        ("git", *command), cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser("python -m apparatus.kept", description=__doc__)
    parser.add_argument("commit")
    lines = [*report(things(files_of(parser.parse_args().commit)), things(files_of_today()))]
    print("\n".join(lines))
    sys.exit(any(line.startswith("  gone") for line in lines))


if __name__ == "__main__":
    main()
