"""The reference: which modules have a page, and docstrings in Sphinx's markup."""

import ast
from pathlib import Path

import pytest
from docutils.core import publish_doctree
from making import ROOT

from attn_book.reference import pages
from attn_book.reference.docstrings import marked_up, signature
from attn_book.site import contents
from attn_lab import registry

GROUPS = contents.modules(ROOT)
MODULES = [module for group in GROUPS.values() for module in group]


def file(module: contents.Module) -> Path:
    return contents.source(ROOT, module.document)


def test_every_module_that_readers_import_has_one_page():
    package = ROOT / contents.PACKAGE
    folders = [package, *(package / name for name in ("tasks", "models", "views"))]
    folders.append(ROOT / "classroom" / "attn_class")
    there = {path for folder in folders for path in folder.glob("[!_]*.py")}
    there |= {path for folder in folders for path in folder.glob("*/__init__.py")}
    there |= {ROOT / "laboratory/attn_lab/__init__.py", ROOT / "command/attn_own/__init__.py"}
    there |= {ROOT / "classroom/attn_class/__init__.py"}
    assert sorted(map(file, MODULES)) == sorted(there)


def test_the_page_of_the_laboratory_lists_its_experiments_by_chapter():
    page = pages._experiments(ROOT)
    assert page.startswith("\n{doc}`/chapters/01-fixed-context`:\n\n- `bottleneck`: How much fits")
    assert all(f"\n- `{name}`: {text}\n" in page for name, text in registry.questions().items())


def test_the_pages_stand_in_the_order_of_the_tables(tmp_path):
    package = tmp_path / "attn_course"
    (package / "tasks").mkdir(parents=True)
    (package / "__init__.py").write_text(
        '"""Words.\n\nequations   masks    which may be read\n            weights  to weights\n'
        'your pairs  tasks    data\n\nImport them.\n"""\n'
    )
    (package / "tasks" / "__init__.py").write_text(
        '"""Data.\n\n    recall  pairs\n    dates   of days\n"""\n'
    )
    assert contents.documents(tmp_path) == [
        f"book/reference/{name}"
        for name in ("masks", "weights", "tasks", "tasks-recall", "tasks-dates")
    ]
    groups = contents.modules(tmp_path)
    assert [*groups] == ["equations", "your pairs"]
    assert groups["equations"][1] == ("attn_course.weights", "to weights")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_what_a_module_offers_says_what_it_does(module):
    tree = ast.parse(file(module).read_text("utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


# ---- docstrings


def document(text: str, **links: str):
    return publish_doctree(
        "\n".join(marked_up(text.splitlines(), links)),
        settings_overrides={"halt_level": 2, "report_level": 2},
    )


def test_an_equation_keeps_its_form():
    equation = "α_ij = exp(e_ij)\n       / Σ_k exp(e_ik)   Bahdanau et al. 2015"
    tree = document("Weights.\n\n    " + equation.replace("\n", "\n    ") + "\n\nThe end.")
    (block,) = tree.findall(lambda node: node.tagname == "literal_block")
    assert block.astext() == equation
    actual = [node.astext() for node in tree if node.tagname == "paragraph"]
    assert actual == ["Weights.", "The end."]


def test_equations_below_each_other_are_no_table():
    rows = ["p_i  = i      the order of the source", "p_i  = 2 i    twice as fast"]
    (block,) = document("\n".join("    " + row for row in rows))
    assert block.tagname == "literal_block"
    assert block.astext() == "\n".join(rows)


def test_signs_that_are_markup_elsewhere_are_text_here():
    text = "|x| is *never* 2 * e_i_ \\ or s_ and **options"
    (paragraph,) = document(text)
    assert paragraph.astext() == text.replace("*never*", "never")
    assert [node.astext() for node in paragraph.findall() if node.tagname == "emphasis"] == [
        "never"
    ]


@pytest.mark.parametrize("indent", ["", "    "])
def test_a_table_of_names_is_a_list_of_definitions(indent):
    rows = ["pixels  (batch row)   from 0", "a, b    as above,", "        and so on"]
    (table,) = document("\n".join(indent + row for row in rows))
    assert table.tagname == "definition_list"
    pairs = [[part.astext() for part in row] for row in table]
    assert pairs == [["pixels", "(batch row)   from 0"], ["a, b", "as above, and so on"]]


def test_an_example_is_an_example():
    (block,) = document("    >>> 1 + 1\n    2")
    assert block.tagname == "literal_block"
    assert "pycon" in block["classes"]


def test_a_name_in_backticks_leads_to_its_place():
    text = "\n".join(marked_up(["See `train`, ``torch.save`` and `x_y`."], {"train": "a.train"}))
    assert text.strip() == "See :py:obj:`train <a.train>`, ``torch.save`` and ``x_y``."


class Record(tuple):
    """A record."""

    size: int
    mask: "list | None" = None
    _numbers: "list | None" = None


class Made:
    """Made of two."""

    def __init__(self, size: int, *, rule: str = "sum"):
        pass

    def called(self, keys: "list[int]", **options) -> "tuple[int, ...]":
        pass


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (Record, ("(size: int, mask: 'list | None' = None)", None)),
        (Made, ("(size: int, *, rule: str='sum')", None)),
        (Made.called, ("(keys: 'list[int]', **options)", "'tuple[int, ...]'")),
        (len, None),
    ],
)
def test_a_signature_is_that_of_the_code(thing, expected):
    assert signature(thing) == expected
