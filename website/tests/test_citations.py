"""Citations: plain links in the chapters, Sphinx's roles in the book."""

import json
import re

import pytest
from making import ROOT
from pybtex.database import parse_string
from sphinx.errors import ExtensionError

from attn_book import address
from attn_book.notebooks import citations

CHAPTERS = sorted(ROOT.glob("chapters/*.ipynb"))
KNOWN = citations.entries(ROOT / "book" / "references.bib")
MADE_UP = dict(
    parse_string(
        """
        @article{one2001, author = {Ada Lovelace}, title = {A}, year = {2001}}
        @article{two2002, author = {van Rossum, Guido and Hopper, Grace}, title = {B},
          year = {2002}}
        @article{three2003, author = {Noether, E. and Turing, A. and Shannon, C.}, title = {C},
          year = {2003}}
        """,
        "bibtex",
    ).entries
)


def link(words: str, key: str) -> str:
    return f"[{words}](../book/bibliography.md#{key})"


@pytest.mark.parametrize(
    ("words", "key", "role"),
    [
        ("Lovelace (2001)", "one2001", "{cite:t}`one2001`"),
        ("(Lovelace, 2001)", "one2001", "{cite:p}`one2001`"),
        ("van Rossum and Hopper (2002)", "two2002", "{cite:t}`two2002`"),
        ("(Noether et al., 2003)", "three2003", "{cite:p}`three2003`"),
    ],
)
def test_a_link_becomes_a_role(words, key, role):
    text = f"As {link(words, key)} say, [so](other.md#{key})."
    assert citations.as_roles(text, MADE_UP, "x") == f"As {role} say, [so](other.md#{key})."


@pytest.mark.parametrize(
    ("words", "key", "message"),
    [
        ("Lovelace (2002)", "one2001", r"says 'Lovelace \(2002\)'.*'Lovelace \(2001\)'"),
        ("Hopper (2002)", "two2002", "van Rossum and Hopper"),
        ("Noether, Turing and Shannon (2003)", "three2003", "Noether et al."),
        ("Nobody (2004)", "four2004", "cites 'four2004', which the bibliography lacks"),
    ],
)
def test_a_link_that_says_otherwise_stops_the_build(words, key, message):
    with pytest.raises(ExtensionError, match=message):
        citations.as_roles(link(words, key), MADE_UP, "chapters/00")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_reads_well_where_myst_is_unknown(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    prose = address.to_files(prose, address.read(ROOT))
    assert re.findall(r"\{[\w:.-]+\}`|^(?:`{3}|:{3})\{|^\([\w-]+\)=$", prose, re.MULTILINE) == []
    assert len(citations.LINK.findall(prose)) == prose.count("bibliography.md#") > 0
    citations.as_roles(prose, KNOWN, path.stem)
