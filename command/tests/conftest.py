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

    def run(*arguments, code=0, stdin=""):
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        try:
            ended = main([*map(str, arguments)])
        except SystemExit as left:  # by argparse
            ended = left.code
        output = capsys.readouterr()
        assert ended == code, output.err
        return output

    return run


@pytest.fixture
def once_saved(monkeypatch):
    """What happens as soon as a training has kept its first state in the file of this name."""

    def arrange(name, happens):
        keep = fitting.write_tensors

        def keep_and_go_on(path, state):
            keep(path, state)
            if path.name == name:
                monkeypatch.setattr(fitting, "write_tensors", keep)
                happens()

        monkeypatch.setattr(fitting, "write_tensors", keep_and_go_on)

    return arrange


@pytest.fixture
def killed(say, once_saved):
    """A training that is killed as soon as it has kept its first state in this file."""

    def run(name, *arguments):
        def die():
            raise Killed

        once_saved(name, die)
        with pytest.raises(Killed):
            say(*arguments)

    return run
