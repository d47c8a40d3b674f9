"""One range of Pythons is promised, and whatever names it names the same."""

import re
from pathlib import Path

import pytest
import yaml

from apparatus.trials import wheel

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = (ROOT / "pyproject.toml").read_text("utf-8")
RANGE = re.search(r'^requires-python = ">=3\.(\d+),<3\.(\d+)"$', SETTINGS, re.M)
LOWEST, ABOVE = map(int, RANGE.groups())
PROMISED = [f"3.{minor}" for minor in range(LOWEST, ABOVE)]
OLDEST, NEWEST = PROMISED[0], PROMISED[-1]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TELLING = ("Makefile", "README.md", "book/publish.md", "book/teach-systems.md")


def jobs(workflow: str) -> dict[str, dict]:
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text("utf-8")
    return yaml.safe_load(text)["jobs"]


def pythons(job: dict) -> list[str]:
    """The Pythons that the steps of a job set up."""
    named = (step.get("with", {}).get("python-version", "") for step in job.get("steps", []))
    return " ".join(named).split()


@pytest.mark.parametrize("name", TELLING)
def test_a_page_that_states_the_range_states_all_of_it(name):
    ranges = re.findall(r"3\.\d+ to 3\.\d+", (ROOT / name).read_text("utf-8"))
    assert ranges
    assert set(ranges) == {f"{OLDEST} to {NEWEST}"}


def test_make_looks_for_each_of_them_and_takes_no_other():
    bounds = f"(3, {LOWEST}) <= sys.version_info < (3, {ABOVE})"
    assert bounds in MAKEFILE
    names = " ".join(f"python{version}" for version in reversed(PROMISED))
    assert f"$(or $(PYTHON),python3 {names})" in MAKEFILE


def test_the_lock_is_resolved_for_the_oldest_and_the_newest():
    (versions,) = re.findall(r"for version in ([\d. ]+);", MAKEFILE)
    assert {OLDEST, NEWEST} <= set(versions.split()) <= set(PROMISED)


def test_the_wheel_is_tried_with_each_of_them():
    assert list(wheel.PYTHONS) == PROMISED
    assert pythons(jobs("weekly")["wheel"]) == PROMISED


def test_every_change_is_tested_with_the_oldest_the_newest_and_what_publishes():
    tested = jobs("tests")["tests"]["strategy"]["matrix"]["python"]
    assert {OLDEST, NEWEST} <= set(tested)
    for workflow in ("publish", "release"):
        used = {python for job in jobs(workflow).values() for python in pythons(job)}
        assert used
        assert used <= set(tested)


def test_the_newest_versions_are_tried_with_the_newest_python():
    assert pythons(jobs("weekly")["newest"]) == [NEWEST]
