"""What `make try-wheel` installs, where it runs the tests, and what it concludes."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from apparatus.trials import wheel
from apparatus.trials.environment import Environment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
METADATA = """\
Metadata-Version: 2.4
Name: attn-course
Requires-Dist: torch>=2.4
Requires-Dist: anywidget!=0.10.0,>=0.9.13
Provides-Extra: test
Requires-Dist: pytest>=8; extra == "test"

Requires nothing else.
"""


@pytest.fixture(params=["course", "site-packages"])
def source(tmp_path, request) -> Path:
    """A course whose tests only need packages of certain names. It may even lie where packages are
    installed, but not where those of the running interpreter are.
    """
    folder = tmp_path / request.param
    for name in ("attn_course", "attn_lab", "attn_class", "attn_own"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("")
    (folder / "tests").mkdir()
    (folder / "conftest.py").write_text("")
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    return folder


def test_only_what_the_wheel_cannot_do_without_is_asked_for(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as packed:
        packed.writestr("attn_course-0.dist-info/METADATA", METADATA)
    asked = wheel.requirements(tmp_path / "a.whl")
    assert asked == {"torch": "torch>=2.4", "anywidget": "anywidget!=0.10.0,>=0.9.13"}


def test_a_package_of_the_source_tree_is_not_taken_for_the_installed_one(source):
    """The copied tests fail if the packages come from anywhere but site-packages."""
    tests = wheel.copy_tests(source, source / "copy" / "tests")
    said = run_pytest(tests, PYTHONPATH=str(source))
    assert said.returncode == 1, said.stdout
    assert "test_the_packages_are_the_installed_ones" in said.stdout


def test_the_settings_of_the_source_tree_are_out_of_reach(source):
    """Its `pythonpath` would expose its package."""
    tests = wheel.copy_tests(source, source / "copy" / "tests")
    (tests / "test_where.py").write_text(
        "def test_settings(pytestconfig): print(pytestconfig.inipath)"
    )
    said = run_pytest(tests, "-s")
    assert str(tests / "pytest.ini") in said.stdout


def run_pytest(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=Environment(folder).variables(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **variables),
        capture_output=True,
        text=True,
    )


class Here(wheel.Uv):
    """Records what it is asked to install, and whether it could."""

    def __init__(self, folder: Path, *answers: bool):
        self.environment = Environment(folder)
        self.answers = list(answers)
        self.asked = []

    def __call__(self, *arguments: str, **options) -> bool:
        self.asked.append(" ".join(arguments))
        return self.answers.pop(0)


@pytest.mark.parametrize("at_hand", [True, False])
def test_another_torch_than_the_one_that_was_meant_is_said(tmp_path, monkeypatch, capsys, at_hand):
    monkeypatch.delenv("TORCH_INDEX", raising=False)
    monkeypatch.setattr(wheel, "install_cpu_torch", lambda environment: at_hand)
    uv = Here(tmp_path, False)
    assert wheel.install_torch("lowest", uv, "torch>=2.4") is at_hand
    assert uv.asked == ["--torch-backend cpu --resolution lowest-direct --no-deps torch>=2.4"]
    said = capsys.readouterr().out
    assert "the lowest torch is NOT tried" in said
    assert ("stands in" in said) is at_hand


def test_the_index_of_torch_that_is_named_is_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_INDEX", "https://ada.example/cpu")
    uv = Here(tmp_path, True)
    assert wheel.install_torch("newest", uv, "torch>=2.4")
    assert uv.asked == [
        "--index-url https://ada.example/cpu --resolution highest --no-deps torch>=2.4"
    ]


def test_an_interpreter_that_the_course_does_not_promise_is_refused():
    with pytest.raises(SystemExit, match=r"3\.10 to 3\.14: got no-such-python"):
        wheel.interpreters(["no-such-python"])


def test_each_python_that_is_here_is_tried_and_the_others_are_named(monkeypatch, capsys):
    here = {"python3.10": "3.10", sys.executable: "3.11"}
    monkeypatch.setattr(wheel, "version_of", lambda python: here.get(python, ""))
    assert wheel.interpreters(None) == ["python3.10", sys.executable]
    assert "Python 3.12, 3.13, 3.14" in capsys.readouterr().out


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
