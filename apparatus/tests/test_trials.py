"""What `make try-binder` and `make try-colab` read, carry out and conclude."""

import ast
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import nbformat
import pytest

from apparatus.trials import binder, colab, environment
from attn_book.commands import serve

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LOCK = "/opt/x/environment.py-3.11-linux-64.lock"
ESCAPED = "".join(c if c.isalnum() else f"-{ord(c):02x}" for c in LOCK)
DOCKERFILE = f"""
FROM docker.io/library/buildpack-deps:24.04
# a comment: COPY src/no ${{REPO_DIR}}/no
RUN apt-get -qq update && \\
    apt-get -qq install less
COPY --chown=0:0 build_script_files/{ESCAPED}-fbd07a /tmp/env/environment.lock
RUN bash -c 'time /tmp/install-base-env.bash'
COPY --chown=0:0 src/.binder/requirements.txt ${{REPO_DIR}}/.binder/requirements.txt
USER ${{NB_USER}}
RUN ${{KERNEL_PYTHON_PREFIX}}/bin/pip install -r ".binder/requirements.txt"
COPY --chown=0:0 src/ ${{REPO_DIR}}/
RUN chmod +x .binder/postBuild
RUN ./.binder/postBuild
COPY --chmod=0755 /python3-login /usr/local/bin/python3-login
CMD ["jupyter", "notebook"]
"""


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
    projects = [(ROOT / each).parent.joinpath("pyproject.toml") for each in packages]
    text = "".join(each.read_text("utf-8").partition("\nbook = [")[0] for each in projects)
    asked = set(re.findall(r'"([\w-]+)', text)) | {"gguf", "tokenizers"}
    files = [file for each in packages for file in (ROOT / each).rglob("*.py")]
    apart = {"grading", "assignments"}  # graders and teachers bring their own
    files = [file for file in files if not apart & {*file.parts}]
    own = {*(Path(each).name for each in packages), *(path.stem for path in files)}
    foreign = set().union(*map(libraries, files)) - own - spared - {*sys.stdlib_module_names}
    names = {"sklearn": "scikit-learn", "IPython": "ipython"}
    names |= {"charset_normalizer": "charset-normalizer"}
    lacking = {names.get(name, name) for name in foreign} - asked
    for place in (".binder/postBuild", "apparatus/trials/colab.txt"):
        given = re.findall(r"[\w-]+", (ROOT / place).read_text("utf-8"))
        assert lacking <= set(given), place


def test_the_steps_are_the_course_s_in_their_order():
    assert binder.course_steps(DOCKERFILE) == [
        ("COPY", "--chown=0:0 src/.binder/requirements.txt ${REPO_DIR}/.binder/requirements.txt"),
        ("RUN", '${KERNEL_PYTHON_PREFIX}/bin/pip install -r ".binder/requirements.txt"'),
        ("COPY", "--chown=0:0 src/ ${REPO_DIR}/"),
        ("RUN", "chmod +x .binder/postBuild"),
        ("RUN", "./.binder/postBuild"),
    ]


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


def test_without_a_docker_that_answers_binder_s_image_is_not_built(tools, tmp_path, monkeypatch):
    tools("docker", status=1)
    assert not binder.has_docker()
    tools("docker")
    assert binder.has_docker()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not binder.has_docker()


@pytest.mark.parametrize("status", [0, 1])
def test_repo2docker_builds_the_course_and_runs_the_chapter(tools, tmp_path, monkeypatch, status):
    tools("jupyter-repo2docker", status)
    monkeypatch.setattr(binder, "repo2docker", lambda: environment.Environment(tmp_path))
    if status:
        with pytest.raises(SystemExit, match="Binder would fail"):
            binder.with_docker(tmp_path / "a course", "chapters/a b.ipynb")
    else:
        binder.with_docker(tmp_path / "a course", "chapters/a b.ipynb")
    called = (tmp_path / "called").read_text()
    assert f"{tmp_path}/a course bash -c " in called
    assert "jupyter execute --timeout=300 'chapters/a b.ipynb'" in called


@pytest.mark.parametrize("lacking", ["", *binder.EXTENSIONS])
def test_an_image_whose_jupyterlab_draws_no_widgets_is_refused(tools, tmp_path, lacking):
    listed = [f"{name} v1 enabled OK" for name in binder.EXTENSIONS if name != lacking]
    tools("jupyter", says="\n".join(listed))
    asked = binder.ASKED.format(extensions=" ".join(binder.EXTENSIONS), chapter="a.ipynb")
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True)
    ran = "execute --timeout=300 a.ipynb" in (tmp_path / "called").read_text()
    assert (done.returncode == 0) == ran == (not lacking)
    assert not lacking or f"JupyterLab lacks {lacking}" in done.stderr


def test_a_repository_without_binder_s_files_is_refused():
    bare = "\n".join(line for line in DOCKERFILE.splitlines() if ".binder" not in line)
    with pytest.raises(ValueError, match=r"does nothing with \.binder/"):
        binder.course_steps(bare)


def test_continued_lines_are_one_instruction():
    assert ("RUN", "apt-get -qq update && apt-get -qq install less") in binder.instructions(
        DOCKERFILE
    )


def test_the_frozen_environment_is_found_and_read():
    assert binder.frozen_environment(DOCKERFILE) == Path(LOCK)
    frozen = binder.frozen_versions(
        "# platform: linux-64\n@EXPLICIT\n"
        "https://x.example/noarch/jupyterlab-4.4.9-pyhd8ed1ab_0.conda#6fcc\n"
        "https://x.example/linux-64/python-3.11.14-hfe2f287_1_cpython.conda#e87c\n"
        "https://x.example/noarch/jupyter_server-2.17.0-pyhcf101f3_0.tar.bz2#d79a\n"
    )
    assert frozen == {"jupyterlab": "4.4.9", "python": "3.11.14", "jupyter_server": "2.17.0"}


def test_steps_are_carried_out_in_the_home_of_the_image(tmp_path):
    course, home = tmp_path / "course", tmp_path / "a home"
    home.mkdir()
    (course / ".binder").mkdir(parents=True)
    (course / ".binder" / "postBuild").write_text("#!/bin/sh\npwd > said; echo $REPO_DIR >> said\n")
    image = environment.Environment(tmp_path / "image")
    for kind, what in binder.course_steps(DOCKERFILE):
        if "pip install" not in what and "requirements" not in what:
            binder.carry_out(kind, what, course, home, image)
    assert (home / "said").read_text().splitlines() == [str(home), str(home)]


def test_a_step_that_fails_ends_the_trial(tmp_path):
    image = environment.Environment(tmp_path / "image")
    with pytest.raises(SystemExit, match="would fail at this step: exit 3"):
        binder.carry_out("RUN", "exit 3", tmp_path, tmp_path, image)


def test_nothing_is_written_outside_of_the_home(tmp_path):
    with pytest.raises(ValueError, match="expected a place under"):
        binder.within("/etc/passwd", tmp_path)


def test_an_extension_counts_only_when_enabled():
    said = "  anywidget v0.9 enabled OK\n  @jupyter-widgets/jupyterlab-manager v5 disabled X\n"
    assert binder.enabled("anywidget", said)
    assert not binder.enabled("jupyterlab-manager", said)


# ---- Colab

AROUND = {"ipywidgets": "7.7.1", "numpy": "2.1.3", "torch": "2.13.0+cpu"}


def verdict(tmp_path, after=None, loaded=None, calls=("enable_custom_widget_manager",)):
    place = environment.Environment(tmp_path)
    told = {"loaded": loaded or {}, "package": str(tmp_path / "lib" / "attn_course")}
    return colab.complaints(AROUND, {**AROUND, "babel": "2", **(after or {})}, told, calls, place)


def test_a_run_that_only_adds_packages_is_right(tmp_path):
    assert verdict(tmp_path, loaded={"torch": "2.13.0", "numpy": "2.1.3"}) == []


def test_a_changed_package_is_named(tmp_path):
    wrong = verdict(tmp_path, after={"ipywidgets": "8.1.9"}, loaded={"ipywidgets": "7.7.1"})
    assert "ipywidgets 7.7.1 was replaced by 8.1.9" in wrong
    assert any("a restart would be needed" in each for each in wrong)


def test_widgets_that_would_stay_empty_are_named(tmp_path):
    (wrong,) = verdict(tmp_path, calls=())
    assert "did not ask Colab" in wrong


def test_the_package_must_come_from_the_archive(tmp_path):
    told = {"loaded": {}, "package": "/elsewhere/attn_course"}
    place = environment.Environment(tmp_path)
    (wrong,) = colab.complaints({}, {}, told, ["enable_custom_widget_manager"], place)
    assert "/elsewhere/attn_course" in wrong


def test_a_chapter_alone_installs_what_is_served(tmp_path):
    chapter = colab.alone(colab.CHAPTER, tmp_path / "content", "http://127.0.0.1:1/v0.zip")
    assert [path.name for path in chapter.parent.iterdir()] == [colab.CHAPTER.name]
    notebook = nbformat.read(chapter, as_version=4)
    nbformat.validate(notebook)
    first = notebook.cells[1].source
    assert 'course = "http://127.0.0.1:1/v0.zip"' in first
    assert "github.com" not in first


def test_a_chapter_without_the_cell_that_installs_is_refused(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    nbformat.write(notebook, tmp_path / "x.ipynb")
    with pytest.raises(ValueError, match=r"x\.ipynb must have a cell 'install'; got"):
        colab.alone(tmp_path / "x.ipynb", tmp_path / "content", "http://127.0.0.1:1/v0.zip")


def test_the_archive_holds_the_course_in_one_folder_and_is_served(tmp_path):
    archive = colab.pack(tmp_path / "archive")
    names = zipfile.ZipFile(archive).namelist()
    assert {name.split("/")[0] for name in names} == {"attention-0"}
    assert "attention-0/attn_course/views/widgets/score_bars/score_bars.js" in names
    assert not [name for name in names if "/_build/" in name or "/.venv" in name]
    with (
        serve.running(archive.parent) as here,
        urllib.request.urlopen(f"{here}{archive.name}") as answer,
    ):
        assert answer.read() == archive.read_bytes()


def test_anywidget_calls_what_the_stand_in_offers(tmp_path):
    """anywidget's own route, in a kernel that has ``google.colab``."""
    code = (
        f"exec(open({str(colab.STARTUP)!r}).read())\n"
        "import anywidget, traitlets\n"
        "class W(anywidget.AnyWidget):\n"
        "    _esm = 'export default {}'\n"
        "W(); W()\n"
    )
    calls = tmp_path / "calls"
    environment_ = {**os.environ, "COLAB_CALLS": str(calls)}
    subprocess.run([sys.executable, "-c", code], env=environment_, check=True)
    assert calls.read_text().split() == ["enable_custom_widget_manager"]


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


def test_an_interpreter_that_is_missing_is_said(capsys):
    assert environment.version_of("no-such-python") == ""
    assert environment.interpreter("3.99") == sys.executable
    assert "python3.99 is missing here" in capsys.readouterr().out


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


@pytest.mark.parametrize("at_hand", [True, False])
def test_only_a_torch_for_the_processor_stands_in(tmp_path, monkeypatch, at_hand):
    asked = []

    def install(self, *arguments: str) -> None:
        asked.extend(arguments)
        if not at_hand:
            raise subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(environment.Environment, "install", install)
    assert environment.install_cpu_torch(environment.Environment(tmp_path)) is at_hand
    assert asked == [f"{environment.torch_pin()}+cpu"]


def test_torch_is_the_lock_s():
    assert environment.torch_pin() in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
