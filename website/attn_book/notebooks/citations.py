"""Citations in the chapters are plain links, which become Sphinx's roles here.

Colab, GitHub and Jupyter do not know roles. So a chapter says in plain Markdown
``[Cho et al. (2014)](../book/bibliography.md#cho2014)`` or, entirely in brackets,
``[(Cho et al., 2014)](../book/bibliography.md#cho2014)``. Before Sphinx reads the chapter, these
become ``{cite:t}`` and ``{cite:p}``. A link whose words are not those of its entry stops the build.
On the page of the bibliography each entry can be reached by its key, too.
"""

import functools
import re
from pathlib import Path

from docutils import nodes
from pybtex import plugin
from pybtex.database import Entry, parse_file
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from attn_book import address

LINK = re.compile(r"\[([^\[\]]+)\]\([./]*book/bibliography\.md#([\w-]+)\)")


def setup(app: Sphinx) -> None:
    app.connect("source-read", read)
    app.connect("doctree-resolved", name_entries)
    look_once()


def look_once() -> None:
    """Have pybtex look for a plugin once: it goes through all installed packages each time."""
    if not hasattr(plugin._load_entry_point, "cache_info"):
        plugin._load_entry_point = functools.cache(plugin._load_entry_point)


def read(app: Sphinx, name: str, content: list[str]) -> None:
    if name.startswith("chapters/"):
        content[0] = address.to_files(content[0], address.read(Path(app.srcdir)))
    if LINK.search(content[0]):
        path = Path(app.srcdir, *app.config.bibtex_bibfiles)
        content[0] = as_roles(content[0], entries(path, path.stat().st_mtime_ns), name)


def name_entries(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Let ``bibliography.html#cho2014`` lead to that entry; Sphinx only counts them."""
    keys = {cited.citation_id: cited.key for cited in app.env.get_domain("cite").citations}
    for entry in doctree.findall(nodes.citation):
        entry["ids"] += [keys[old] for old in entry["ids"] if old in keys]


@functools.cache
def entries(path: Path, _changed: int = 0) -> dict[str, Entry]:
    """The bibliography by its keys, read again when the file has changed."""
    return dict(parse_file(str(path)).entries)


def as_roles(text: str, known: dict[str, Entry], name: str) -> str:
    """``{cite:t}`key` `` and ``{cite:p}`key` `` for the links of a chapter."""

    def role(link: re.Match) -> str:
        words, key = link.groups()
        if key not in known:
            raise ExtensionError(f"{name} cites {key!r}, which the bibliography lacks")
        possible = {kind: in_words(known[key], kind) for kind in "tp"}
        for kind, expected in possible.items():
            if words == expected:
                return f"{{cite:{kind}}}`{key}`"
        wanted = " or ".join(map(repr, possible.values()))
        raise ExtensionError(f"{name} says {words!r} for {key}: it should say {wanted}")

    return LINK.sub(role, text)


def in_words(entry: Entry, kind: str) -> str:
    """'Cho et al. (2014)' in a sentence (kind t), '(Cho et al., 2014)' beside one (kind p)."""
    authors = entry.persons["author"]
    names = [" ".join(author.prelast_names + author.last_names) for author in authors]
    who = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    year = entry.fields["year"]
    return f"{who} ({year})" if kind == "t" else f"({who}, {year})"
