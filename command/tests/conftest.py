"""The program in this process: starting Python and torch takes longer than most tests."""

import io
import sys

import pytest

from attn_own import fitting
from attn_own.command import main


class Killed(BaseException):
    """As if the process had been killed at this place."""


@pytest.fixture
def say(capsys, monkeypatch):
    """What the program says (``out`` and ``err``), which must end with ``code``."""

    def run(*arguments, code=0, given=""):
        given = given.encode() if isinstance(given, str) else given
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capsys.readouterr()
        try:
            ended = main([*map(str, arguments)])
        except SystemExit as left:  # by argparse
            ended = left.code
        said = capsys.readouterr()
        assert ended == code, said.err
        return said

    return run


@pytest.fixture
def once_kept(monkeypatch):
    """What happens as soon as a training has kept its first state in the file of this name."""

    def arrange(name, happens):
        keep = fitting.write_tensors

        def keep_and_go_on(path, kept):
            keep(path, kept)
            if path.name == name:
                monkeypatch.setattr(fitting, "write_tensors", keep)
                happens()

        monkeypatch.setattr(fitting, "write_tensors", keep_and_go_on)

    return arrange


@pytest.fixture
def killed(say, once_kept):
    """A training that is killed as soon as it has kept its first state in this file."""

    def run(name, *arguments):
        def die():
            raise Killed

        once_kept(name, die)
        with pytest.raises(Killed):
            say(*arguments)

    return run
