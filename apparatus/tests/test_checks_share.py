"""Equations read as equations: little of their code checks."""

import textwrap

import pytest

from apparatus.checks_share import PACKAGE, ROOMS, main, share

# a quarter; more where the values themselves are the question: graphs, decays, lists of answers
MOST = dict.fromkeys(ROOMS, 0.25) | {"gradients": 0.42, "memory": 0.3, "measures": 0.5}
FAR_DOWN = 70  # lines that a reader skips at most before the first equation


@pytest.mark.parametrize("name", MOST)
def test_little_of_an_equation_checks(name):
    checks, every = share(PACKAGE / f"{name}.py")
    assert checks <= MOST[name] * every


def test_the_first_score_comes_early():
    lines = (PACKAGE / "alignment.py").read_text("utf-8").splitlines()
    assert any("v · tanh(W_a s_i + U_a h_j)" in line for line in lines[:FAR_DOWN])


def test_what_checks_is_counted(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        textwrap.dedent('''\
            def f(
                x, y
            ):
                """Not counted."""
                expect_finite("x",
                              x)
                if x < y:  # leads to an error alone
                    raise ValueError(x)
                if x > y:
                    check_it(x)
                    x = expected(y)
                try:
                    return x + y
                except TypeError:
                    raise ValueError from None

            def expect_it(x):
                y = x + 1
                assert y
            ''')
    )
    assert share(path) == (8, 13)


def test_the_command_names_every_file(capsys):
    main()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(ROOMS)
