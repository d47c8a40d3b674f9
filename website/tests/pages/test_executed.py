"""The build has run each chapter as it stands, every cell of it."""

import json

import pytest
from listing import ROOT, WRITTEN

from attn_book.notebooks import build, dependencies, execution


def code(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", WRITTEN)
def test_the_build_ran_every_cell_of_a_chapter_without_an_error(folder, name):
    results, key = folder.with_name(build.RESULTS), dependencies.key(ROOT, name)
    path = execution.result_path(results, name, key)
    result = json.loads(path.read_text("utf-8"))
    assert dependencies.up_to_date(ROOT, name, result)
    ran = code(result)
    assert len(ran) == len(code(json.loads((ROOT / f"{name}.ipynb").read_text("utf-8"))))
    counted = [cell["execution_count"] for cell in ran if "".join(cell["source"]).strip()]
    assert counted == [*range(1, len(counted) + 1)]
    kinds = {output["output_type"] for cell in ran for output in cell["outputs"]}
    assert "error" not in kinds
