"""What the trials of Binder, Colab and the wheel install and conclude."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from apparatus.trials import binder, colab, environment, wheel
from attn_book import address

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# ---- Binder


def test_the_files_of_binder_are_as_repo2docker_wants_them():
    folder = ROOT / ".binder"
    assert (folder / "runtime.txt").read_text("utf-8") == "python-3.11\n"
    assert os.access(folder / "postBuild", os.X_OK)
    assert (folder / "postBuild").read_text("utf-8").startswith("#!/usr/bin/env bash\n")
    assert "\nset -euo pipefail\n" in (folder / "postBuild").read_text("utf-8")  # a fault is one


def test_binder_installs_at_the_versions_of_the_lock():
    script = (ROOT / ".binder" / "postBuild").read_text("utf-8")
    assert "--constraint requirements.txt --editable '.[model,tasks,views]'" in script
    assert """--torch-backend cpu "$(grep '^torch==' requirements.txt)"\n""" in script
    assert "http" not in script


def libraries(path: Path) -> set[str]:
    """What a file imports, wherever the import is, by its first name."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    froms = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    plain = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    return {name.partition(".")[0] for name in froms + plain}


def test_binder_and_colab_have_every_library_that_a_chapter_cannot_do_without():
    """Those that the packages import and do not ask for.

    Without sacrebleu a line is left out; joblib and distributed run experiments, never a chapter.
    The chapter on the language model brings the extra of that name: test_model_file.
    """
    spared = {"sacrebleu", "joblib", "distributed"}
    packages = ("attn_course", "laboratory/attn_lab", "classroom/attn_class", "command/attn_own")
    projects = [(ROOT / package).parent.joinpath("pyproject.toml") for package in packages]
    text = "".join(project.read_text("utf-8").partition("\nbook = [")[0] for project in projects)
    required = set(re.findall(r'"([\w-]+)', text)) | {"gguf", "tokenizers"}
    files = [file for package in packages for file in (ROOT / package).rglob("*.py")]
    apart = {"grading", "assignments"}  # graders and teachers bring their own
    files = [file for file in files if not apart & {*file.parts}]
    own = {*(Path(package).name for package in packages), *(path.stem for path in files)}
    foreign = set().union(*map(libraries, files)) - own - spared - {*sys.stdlib_module_names}
    names = {"sklearn": "scikit-learn", "IPython": "ipython"}
    names |= {"charset_normalizer": "charset-normalizer"}
    lacking = {names.get(name, name) for name in foreign} - required
    for place in (".binder/postBuild", "apparatus/trials/colab.txt"):
        installed = re.findall(r"[\w-]+", (ROOT / place).read_text("utf-8"))
        assert lacking <= set(installed), place


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """Programs that record how they are called, and exit as they are told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(name: str, status: int = 0, says: str = "") -> None:
        called = f"printf '%s\\n' \"$*\" >> '{tmp_path}/called'"
        (folder / name).write_text(f"#!/bin/sh\n{called}\necho '{says}'\nexit {status}\n")
        (folder / name).chmod(0o755)

    return make


def test_without_a_docker_that_answers_binder_s_image_is_not_built(tools, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["binder"])
    tools("docker", status=1)
    with pytest.raises(SystemExit, match="repo2docker needs Docker"):
        binder.main()


@pytest.mark.parametrize("lacking", ["", "jupyterlab-manager", "anywidget"])
def test_an_image_whose_jupyterlab_draws_no_widgets_is_refused(tools, tmp_path, lacking):
    listed = [f"{name} v1 enabled OK" for name in ("jupyterlab-manager", "anywidget")]
    tools("jupyter", says="\n".join(line for line in listed if line.split()[0] != lacking))
    command = binder.SCRIPT.format(chapter="a.ipynb")
    process = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    ran = "execute --timeout=300 a.ipynb" in (tmp_path / "called").read_text()
    assert (process.returncode == 0) == ran == (not lacking)
    assert not lacking or f"JupyterLab lacks {lacking}" in process.stderr


# ---- Colab


def test_a_chapter_alone_installs_what_is_served(tmp_path):
    chapter = colab.alone(colab.CHAPTER, tmp_path / "content", "http://127.0.0.1:1/v0.zip")
    assert [path.name for path in chapter.parent.iterdir()] == [colab.CHAPTER.name]
    notebook = nbformat.read(chapter, as_version=4)
    nbformat.validate(notebook)
    (install,) = [cell.source for cell in notebook.cells if cell.id == address.INSTALL]
    assert 'course = "http://127.0.0.1:1/v0.zip"' in install
    assert "github.com" not in install
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "x.ipynb")
    with pytest.raises(ValueError, match=r"x\.ipynb must have one cell 'install'"):
        colab.alone(tmp_path / "x.ipynb", tmp_path / "other", "http://127.0.0.1:1/v0.zip")


@pytest.mark.parametrize("widget", [True, False])
def test_anywidget_asks_what_stands_in_for_colab(widget):
    """anywidget's own route, in a kernel that has ``google.colab``."""
    display = "type('W', (anywidget.AnyWidget,), {'_esm': 'export default {}'})()" if widget else ""
    code = f"{colab.STAND_IN}\nimport anywidget\n{display}\n"
    last = colab.LAST_CELL.replace("assert place", "place")  # here the course is a source tree
    process = subprocess.run([sys.executable, "-c", code + last], capture_output=True, text=True)
    assert ("widgets stay empty" in process.stderr) is not widget


def test_colab_s_list_allows_no_ipywidgets_8_and_names_no_torch():
    listed = (ROOT / "apparatus" / "trials" / "colab.txt").read_text("utf-8")
    assert "ipywidgets==7.7.1" in listed
    assert "torch==" not in listed


# ---- both


def test_the_trials_start_with_a_bare_python():
    """With a bare Python 3.10, which has neither tomllib nor tomli."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('tomllib', 'tomli')));"
        "from apparatus.trials import binder, colab, wheel"
    )
    subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, check=True)


def test_an_environment_hides_the_course_s_own(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    variables = environment.Environment(tmp_path).variables(HOME="/x")
    assert "PYTHONPATH" not in variables
    assert variables["HOME"] == "/x"
    assert variables["PATH"].startswith(str(tmp_path / "bin"))


def test_the_copy_is_what_a_commit_of_this_moment_would_hold(tmp_path):
    """New files are included; ignored and removed files are not."""
    course = tmp_path / "a course"
    course.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=course, check=True)
    for name in ("kept.py", "removed.py", "new.py", "made.pyc"):
        (course / name).write_text(name)
    (course / ".gitignore").write_text("*.pyc\n")
    subprocess.run(["git", "add", "kept.py", "removed.py"], cwd=course, check=True)
    (course / "removed.py").unlink()
    environment.copy_course(tmp_path / "copy", course)
    copied = {path.name for path in (tmp_path / "copy").iterdir()}
    assert copied == {"kept.py", "new.py", ".gitignore"}


def test_torch_is_the_lock_s():
    assert environment.torch_pin() in (ROOT / "requirements.txt").read_text("utf-8").splitlines()


# ---- the wheel


@pytest.fixture(params=["course", "site-packages"])
def source(tmp_path, request) -> Path:
    """A course whose tests only need packages of certain names. It may even lie where packages are
    installed, but not where those of the running interpreter are.
    """
    folder = tmp_path / request.param
    for name in ("attn_course", "attn_lab", "attn_class", "attn_own", "tests"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("")
    (folder / "tests" / "__init__.py").unlink()
    (folder / "conftest.py").write_text("")
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    return folder


@pytest.mark.parametrize("path", [True, False])
def test_a_package_of_the_source_tree_is_not_taken_for_the_installed_one(source, path):
    """Neither by its path nor by its settings: the copied tests would fail."""
    tests = wheel.copy_tests(source, source / "copy" / "tests")
    if not path:
        (tests / "test_where.py").write_text(
            "def test_settings(pytestconfig): assert pytestconfig.inipath.parent.name == 'tests'"
        )
    variables = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(source) if path else ""}
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tests,
        env=environment.Environment(source).variables(**variables),
        capture_output=True,
        text=True,
    )
    assert process.returncode == path, process.stdout
    assert ("test_the_packages_are_the_installed_ones" in process.stdout) is path


def test_each_python_that_is_here_is_tried_and_the_others_are_named(monkeypatch, capsys):
    here = {"python3.10": "3.10", sys.executable: "3.11"}
    monkeypatch.setattr(wheel, "version_of", lambda python: here.get(python, ""))
    assert wheel.interpreters(None) == ["python3.10", sys.executable]
    assert "Python 3.12, 3.13, 3.14" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"3\.10 to 3\.14: got no-such-python"):
        wheel.interpreters(["no-such-python"])


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([wheel.PASSED, wheel.NOT_RUN], ""),
        ([wheel.PASSED, wheel.FAILED], "does not do"),
        ([wheel.NOT_INSTALLED, wheel.PASSED], "does not do"),
        ([wheel.NOT_RUN, wheel.NOT_RUN], "Nothing was tried"),
    ],
)
def test_the_verdict(outcomes, words):
    assert words in wheel.verdict(outcomes)
    assert bool(words) == bool(wheel.verdict(outcomes))
