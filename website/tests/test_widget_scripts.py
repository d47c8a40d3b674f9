"""The widgets' modules in Node: joined as a bundler joins them, computing what Python computes."""

import subprocess
from pathlib import Path

import pytest
from making import ROOT
from sphinx.errors import ExtensionError

from attn_book.site.node import assembled, node, package
from attn_course.views import widgets
from attn_course.views.widgets.joining import join

HERE = Path(widgets.__file__).parent
SCRIPTS = sorted(path for path in HERE.glob("*/*.js") if path.stem == path.parent.name)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "node_modules").exists(), reason="needs `npm ci`, which `make book` runs"
    ),
]


def bundled(*arguments: str, source: str = "") -> str:
    options = ("--bundle", "--format=esm", "--minify-whitespace", "--charset=utf8")
    command = [node(), package(ROOT, "esbuild") / "bin" / "esbuild", *options, *arguments]
    process = subprocess.run(command, input=source, capture_output=True, encoding="utf-8")
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_every_widget_has_its_script():
    rooms = [path for path in HERE.iterdir() if (path / "__init__.py").exists()]
    assert {path.parent for path in SCRIPTS} == set(rooms)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_bundler_makes_the_same_of_the_modules_and_of_the_joined_text(script):
    """A bundler knows the language: it renames what clashes, and leaves undeclared names alone."""
    assert bundled(str(script)) == bundled(f"--sourcefile={script.name}", source=join(script))


def test_a_text_that_is_no_webassembly_says_where(tmp_path):
    wrong = tmp_path / "wrong.wat"
    wrong.write_text("(module\n  (func (i32.plus)))", "utf-8")
    with pytest.raises(
        ExtensionError, match=r"(?s)wrong\.wat is no module:.*wrong\.wat:2:10"
    ) as error:
        assembled(ROOT, wrong)
    assert len(str(error.value)) < 300
