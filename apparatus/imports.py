"""What imports what: used by the test of the layers and by `apparatus.house`."""

import ast
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

FOLDERS = {  # folders of modules, and from where they are imported
    **dict.fromkeys(("attn_course", "tools", "benchmarks", "coursework", "specimens"), "."),
    "website": "website",
}


def imports(path: Path, package: str = "") -> Iterator[str]:
    """What a file imports, wherever the import is: ``from a import b`` may mean a module a.b."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert package or node.level == 0, f"{path.name}: write imports out in full"
            base = resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def circle(folder: Path, above: Path, without: Collection[str] = ()) -> list[str]:
    """Modules of a folder that import one another in a circle; empty if there is none."""
    files = {
        ".".join(path.relative_to(above).with_suffix("").parts).removesuffix(".__init__"): path
        for path in folder.rglob("*.py")
    }

    def module(name: str) -> str:
        """The module of a name, or the one that a name is taken from."""
        return name if name in files else name.rpartition(".")[0]

    def package(name: str) -> str:
        return name if files[name].name == "__init__.py" else name.rpartition(".")[0]

    names = {*files}.difference(without)
    graph = {name: {module(each) for each in imports(files[name], package(name))} for name in names}
    try:
        TopologicalSorter({name: graph[name] & names - {name} for name in graph}).prepare()
    except CycleError as error:
        return error.args[1]
    return []
