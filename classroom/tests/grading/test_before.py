"""What a student is told before handing in: as the grader reads it, and no false alarms."""

import nbformat
import pytest
from handing_in import write_notebook

from attn_class.assignments.__main__ import SOURCES, assignment, found_in, products_of
from attn_class.grading.before import about, look

HEAD = "import torch\nfrom torch.nn import functional as F\n\ndef f(x, y):\n    "
FAULTS = {  # by what is said, after the line of the function, which is in line 4
    "line 5, x.softmax may not be used": "return x.softmax(-1)",
    "line 5, F.log_softmax may not be used": "return F.log_softmax(x, -1)",
    "line 5, torch.nn.Softmax may not be used": "return torch.nn.Softmax(-1)(x)",
    "line 5, torch.special.softmax may not be used": "from torch.special import softmax",
    "line 5, attn_course may not be imported": "from attn_course.weights import sparsemax",
    "line 5, mine is a file of your own, which is not there when graded": "import mine",
    "line 5, x[0] = y changes the argument x in place": "x[0] = y",
    "line 6, y -= 1 changes the argument y in place": "for row in x:\n        y -= 1",
    "line 5, x[:, 1] += y changes the argument x in place": "x[:, 1] += y",
    "line 5, x.masked_fill_(y, 0) changes the argument x in place": "x.masked_fill_(y, 0)",
    "line 5, x.exp().float() fixes the precision": "return x.exp().float()",
    "line 5, torch.zeros(...) has float32 whatever": "z = torch.zeros(3)",
    "": "z = torch.zeros(3, dtype=x.dtype)",
    " ": "x = x + 1\n    x[0] = 0\n    return x",
    "  ": "return x.__len__(), softmax_of(x)\n\ndef softmax_of(z):\n    z = z.exp()\n    return z",
}


@pytest.mark.parametrize(
    ("expected", "body"), [(fault.strip(), body) for fault, body in FAULTS.items()]
)
def test_a_fault_is_named_with_its_line_and_nothing_else(expected, body, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    place, *faults = about([f"{HEAD}{body}"], "f", ["softmax"])
    assert place == "code cell 1, line 4: def f(x, y):"
    if not expected:
        assert faults == []
    else:
        line, _, why = expected.partition(", ")
        (fault,) = faults
        assert fault.startswith(f"code cell 1, {line}: {why}")


@pytest.mark.parametrize("name", found_in(SOURCES))
def test_what_is_right_raises_no_alarm_and_what_is_handed_out_is_not_written_yet(
    name, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    task = assignment(SOURCES / name / "assignment.py", name)
    files, path = products_of(task), tmp_path / f"{name}.ipynb"
    kinds_of = {one.function: one.without for one in task.exercises.values()}
    path.write_text(files["private/solved.ipynb"], "utf-8")
    look(path, kinds_of)
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert "can be read" in first
    assert [line.partition(":")[0] for line in lines] == [*kinds_of]
    assert all(": code cell " in line for line in lines)
    assert last == "Nothing was executed here, and no test was tried."
    path.write_text(files[path.name], "utf-8")
    code = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    exec(code[-1], {})
    printed = capsys.readouterr().out
    assert [line.partition(":")[0] for line in printed.splitlines()[1:-1]] == [*kinds_of]
    # of a language model, classes are to be written, and the functions are there
    assert ("not written yet" in printed) == (name != "gpt-from-an-empty-file")


def test_what_the_grader_leaves_out_is_said(tmp_path, capsys):
    cells = ["%%writefile mine.py\ndef g(x):\n    return x", "def f(x):\n    return g(x", "!ls"]
    assert about(cells, "f", []) == [
        "f cannot be read: '(' was never closed in line 2 in code cell 2."
    ]
    place, aside = about([cells[0], "def f(x):\n    return 2 * x", cells[2]], "f", [])
    assert place == "code cell 2, line 1: def f(x):"
    assert aside == (
        "Not run when graded: code cell 1, line 1: %%writefile mine.py; code cell 3, line 1: !ls."
    )
    assert about(["x = 1"], "f", []) == ["There is no function f in what you handed in."]
    (tmp_path / "empty.ipynb").touch()
    look(tmp_path / "empty.ipynb", {"f": []})
    assert (
        "This would get no points. The file that you handed in is empty." in capsys.readouterr().out
    )
    look(tmp_path / "other.ipynb", {"f": []})
    assert "put the name under which you save this file." in capsys.readouterr().out
    write_notebook(tmp_path / "one.ipynb", "def f(x):\n    return x")
    look(str(tmp_path / "one.ipynb"), {"f": []})
    assert "one.ipynb can be read: 1 code cells." in capsys.readouterr().out
