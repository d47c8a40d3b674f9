"""On the main roads, from the first chapter to the last, no term is used before it is explained.

The glossary knows the terms. A cell explains one where it sets it in bold; it may use it from that
sentence on. A link leads to an explanation, headings announce what comes, and a row of a table
explains itself.
"""

import ast
import json
import re
from collections.abc import Iterator

import pytest
from IPython.core.inputtransformer2 import TransformerManager
from making import ROOT

EVERYDAY = {"value", "baseline", "gain"}  # words that mean something else before they are terms
NO_WORDS = re.compile(r"<[^>]*>|\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|^\|[^\n]*$", re.M | re.S)
SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n{2,}")
LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")
BOLD = re.compile(r"\*\*(.+?)\*\*", re.S)


def terms() -> dict[str, str]:
    """The headword of each form of a term."""
    text = (ROOT / "book" / "glossary.md").read_text("utf-8")
    listed = re.search(r"```{glossary}\n:sorted:\n(.*?)\n```", text, re.S)[1]
    forms = [re.findall(r"^\S.*$", entry, re.M) for entry in listed.split("\n\n")]
    return {form: entry[0] for entry in forms for form in entry}


def road(notebook: dict) -> Iterator[tuple[str, str]]:
    """What is read on the main road: cells' names with prose, claims and questions."""
    aside = 0  # the level of the heading that leads away
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield from ((cell["id"], text) for text in _texts(source) if not aside)
            continue
        for part in re.split(r"^(?=#{2,3} )", source, flags=re.M):
            heading, _, prose = part.partition("\n") if part.startswith("#") else ("", "", part)
            level = len(heading) - len(heading.lstrip("#"))
            if 1 < level <= aside:
                aside = 0
            leaves = "side-road" in cell["metadata"].get("tags", ()) or heading == "## Exercises"
            if leaves and heading and not aside:
                aside = level
            if not aside:
                yield cell["id"], re.sub(r"^\s*\*[^*]+\?\*", "", prose)  # the chapter's question


def _texts(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(TransformerManager().transform_cell(code))):
        name = getattr(getattr(node, "func", None), "id", "")
        texts = {"claim": node.args[:1]} if name == "claim" else {}
        if name == "Prediction":
            texts = {name: [word.value for word in node.keywords if word.arg == "question"]}
        for text in texts.get(name, ()):
            if isinstance(text, ast.Constant):
                yield text.value


def unexplained(notebooks: dict[str, dict], known: dict[str, str]) -> list[tuple[str, ...]]:
    """The chapter, the cell and the term of each use that comes before the explanation."""
    longest_first = sorted(known, key=len, reverse=True)
    forms = "|".join(map(re.escape, longest_first))
    use = re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.I)
    spelt = {form.lower(): word for form, word in known.items()}
    explained, uses = set(EVERYDAY), []
    for chapter, notebook in notebooks.items():
        for cell, text in road(notebook):
            for part in SENTENCE.split(NO_WORDS.sub(" ", LINK.sub(" ", text))):
                sentence = " ".join(part.split())
                bold = {known.get(one.rstrip(".:")) for one in BOLD.findall(sentence)}
                explained |= bold
                used = {spelt[one.lower()] for one in use.findall(sentence)}
                uses += [(chapter, cell, word) for word in sorted(used - explained)]
    return uses


def chapters() -> dict[str, dict]:
    paths = sorted((ROOT / "chapters").glob("*.ipynb"))
    return {path.stem: json.loads(path.read_text("utf-8")) for path in paths}


def test_no_term_is_used_on_a_road_before_it_is_explained():
    assert unexplained(chapters(), terms()) == []


def test_every_term_is_set_in_bold_in_a_chapter():
    cells = [cell for notebook in chapters().values() for cell in notebook["cells"]]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    bold = [" ".join(one.split()).rstrip(".:") for text in prose for one in BOLD.findall(text)]
    assert {*terms().values()} - {terms().get(one) for one in bold} == set()


# ---- the test itself


def prose(text: str, *tags: str) -> dict:
    return {"id": text[:8], "cell_type": "markdown", "source": text, "metadata": {"tags": [*tags]}}


def early(*cells: dict) -> list[str]:
    known = {"look": "look", "looks": "look", "hard look": "hard look"}
    return [word for _, _, word in unexplained({"01": {"cells": cells}}, known)]


def code(source: str) -> dict:
    return {**prose(source), "cell_type": "code"}


ASIDE = prose("### Aside\n\nA **look**.", "side-road")
LINKED = "$look$ `look` <a look>\n| look | it |\n[look](../book/glossary.md#term-look)"


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([prose("It looks.\n\nA **look** is what looks do.")], ["look"]),
        ([prose("## A look\n\nWhat **looks**:\nlooks."), prose("Looks. A look.")], []),
        ([prose("A **hard look**. A hard look.")], []),
        ([prose("A **look**. A hard\nlook.")], ["hard look"]),
        ([prose("## One"), ASIDE, prose("A look."), prose("## Two\n\nA look.")], ["look"]),
        ([prose("## Exercises\n\nA look."), prose("### 1. x\n\nA look.")], []),
        ([code("claim('It is a look.', 1, look=2)"), code("look('a look')")], ["look"]),
        ([code("Prediction(question='A look?')")], ["look"]),
        ([prose(LINKED)], []),  # formulas, code, tables and links are no use
    ],
)
def test_an_unexplained_term_is_found(cells, words):
    assert early(*cells) == words
