"""What has moved is still found under its old path, for one release, and says where it is now."""

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import attn_course
from attn_course import _moved

pytestmark = pytest.mark.slow

OLD = [
    module.name.replace(f".{room}.", ".", 1)
    for room in _moved.ROOMS
    for module in pkgutil.walk_packages(
        import_module(f"attn_course.{room}").__path__, f"attn_course.{room}."
    )
    if not module.name.endswith("__main__")
    and module.name.split(".")[2] in {old.split(".")[1] for old in _moved.OLD}
]


def run(*words):
    command = [sys.executable, "-W", "always::DeprecationWarning", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True)


@pytest.fixture(autouse=True)
def nothing_old_is_loaded():
    yield
    for name in {*OLD} & {*sys.modules}:
        del sys.modules[name]
    for name in _moved.OLD:
        vars(attn_course).pop(name.rpartition(".")[2], None)


def test_every_name_that_moved_is_in_its_room():
    assert {name for name in OLD if name.count(".") == 1} == {*_moved.OLD}
    there = {module.name for module in pkgutil.iter_modules(attn_course.__path__)}
    assert not {name.rpartition(".")[2] for name in _moved.OLD} & there


@pytest.mark.parametrize("name", OLD)
def test_an_old_path_leads_to_the_same_module(name):
    try:
        new = import_module(_moved.current(name))
    except ModuleNotFoundError as error:
        pytest.skip(f"only where {error.name} is: in another grader, or in the sandbox")
    spec = new.__spec__
    old = ".".join(name.split(".")[:2])
    said = f"{old} is {_moved.OLD[old]} now; the old path goes with release {_moved.GONE}"
    with pytest.warns(DeprecationWarning, match=f"^{said}$"):
        assert import_module(name) is new
    assert new.__spec__ is spec
    assert new.__name__ == spec.name == _moved.current(name)


@pytest.mark.parametrize("name", ["nothing", "views.nothing", "models.plots"])
def test_what_never_was_is_not_found(name):
    with pytest.raises(ModuleNotFoundError, match=name.rpartition(".")[2]):
        import_module(f"attn_course.{name}")


def test_the_warning_points_at_the_import_and_comes_once():
    code = "import attn_course.exercises.weights.safe_softmax\nfrom attn_course import exercises"
    lines = run("-c", code).stderr.splitlines()
    (line,) = (line for line in lines if "DeprecationWarning" in line)
    assert line.startswith("<string>:1: ")


@pytest.mark.parametrize("name", ["grading", "grading.variants"])
def test_python_runs_what_has_moved(name):
    old, new = (run("-m", f"attn_course.{each}", "--help") for each in (name, f"classroom.{name}"))
    assert old.stdout == new.stdout != ""
    assert "is attn_course.classroom.grading now" in old.stderr
    assert "Deprecation" not in new.stderr


def test_release_that_forgets_them_is_ahead():
    """Whoever makes that release takes out the old paths first."""
    now, gone = (
        tuple(map(int, each.split(".")[:2])) for each in (attn_course.__version__, _moved.GONE)
    )
    assert now < gone
