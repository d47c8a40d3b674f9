"""The assignments as `make coursework` makes them, made once."""

import types
from pathlib import Path

import pytest

from attn_class.assignments.__main__ import products
from attn_class.exercises.frame import Exercise

SOURCES = Path(__file__).resolve().parents[2] / "coursework"


def _made(name: str) -> dict[str, str]:
    return products(SOURCES / name / "assignment.py", name)


@pytest.fixture(scope="session")
def exercises_of():
    """What the hidden tests of an assignment ask for, by function."""
    return _exercises


def _exercises(files: dict[str, str]) -> dict[str, Exercise]:
    names = types.ModuleType("grader").__dict__
    exec(files["private/grader.py"], names)
    return {each.function: each for each in names.values() if isinstance(each, Exercise)}


@pytest.fixture(scope="session")
def attention() -> dict[str, str]:
    return _made("attention-from-an-empty-file")


@pytest.fixture(scope="session")
def bugs() -> dict[str, str]:
    return _made("find-the-bug")


@pytest.fixture(scope="session")
def reader() -> dict[str, str]:
    return _made("a-reader-of-dates")


@pytest.fixture(scope="session")
def bottleneck() -> dict[str, str]:
    return _made("the-bottleneck")


@pytest.fixture(scope="session")
def defend() -> dict[str, str]:
    return _made("defend-or-refute")


@pytest.fixture(scope="session")
def project() -> dict[str, str]:
    return _made("a-project")
