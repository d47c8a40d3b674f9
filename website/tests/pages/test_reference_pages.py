"""The reference of the package in the built book."""

import ast
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from listing import ROOT

from attn_book.site import contents

MODULES = [module for group in contents.modules(ROOT).values() for module in group]


@pytest.fixture(scope="module")
def reference(folder) -> dict[str, BeautifulSoup]:
    return {
        module.name: BeautifulSoup(
            (folder / f"{module.document}.html").read_text("utf-8"), "html.parser"
        )
        for module in MODULES
    }


def offered(module: contents.Module) -> set[str]:
    tree = ast.parse(contents.source(ROOT, module.document).read_text("utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }


def test_all_that_a_module_offers_is_on_its_page(reference):
    for module in MODULES:
        ids = {one["id"] for one in reference[module.name].select("dt.sig[id]")}
        wanted = {f"{module.full}.{name}" for name in offered(module)}
        assert wanted <= ids, module.name
        assert not [one for one in ids if one.rpartition(".")[2].startswith("_")], module.name


def test_a_signature_is_code_with_its_shapes(reference):
    code = reference["weights"].find(id="attn_course.weights.softmax_jacobian").code
    assert code.get_text() == (
        'softmax_jacobian(\n    weights: Float[Tensor, "*rows source"],\n'
        ') → Float[Tensor, "*rows source source"]'
    )


def test_listings_in_chapters_lead_to_the_reference(parsed, reference):
    links = [
        link for page in parsed.values() for link in page.select(".cell_output a.attn-reference")
    ]
    assert len(links) > 10
    for link in links:
        path, _, name = link["href"].partition("#")
        module = Path(path).stem.replace("-", ".")
        assert link.get_text() == f"attn_course/{module.replace('.', '/')}.py"
        assert reference[module].find(id=name), link


def test_the_overview_lists_every_page_in_order(parsed):
    listed = [
        link["href"] for link in parsed["book/reference.html"].article.select("li > p > a, li > a")
    ]
    assert listed == [f"reference/{Path(module.document).name}.html" for module in MODULES]


def test_no_solution_of_an_exercise_is_shown(reference):
    assert not [name for name, page in reference.items() if page.find(class_="viewcode-link")]
    assert not reference["attn_class.exercises"].select("dt.sig")
