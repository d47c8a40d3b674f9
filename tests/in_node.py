"""What the scripts that widgets share compute, run by Node."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attn_course.views import widgets
from attn_course.views.widgets.joining import join

SHARED = Path(widgets.__file__).parent / "shared"
NODE = shutil.which("node", path=Path(sys.executable).parent) or shutil.which("node")
needs_node = [
    pytest.mark.slow,
    pytest.mark.skipif(NODE is None, reason="needs node, which the book's build has"),
]
# what a script is asked: `asked`, an object; its arguments, `words`; what is under test, `module`
BEGIN = """
const [path, ...words] = process.argv.slice(2);
const module = await import(path);
let text = "";
for await (const part of process.stdin) text += part;
const asked = JSON.parse(text);
"""


def process(folder, name, script, tasks, *words, and_export=""):
    """A process that has run a script beside a shared module, to which more may be added."""
    path, own = folder / "module.mjs", folder / "script.mjs"
    path.write_text(join(SHARED / f"{name}.js") + and_export, "utf-8")
    own.write_text(BEGIN + script, "utf-8")
    text = json.dumps(tasks, default=np.ndarray.tolist)
    command = [NODE, own, path.as_uri(), *words]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8")


def answer(*arguments, **options):
    """What a script prints."""
    ran = process(*arguments, **options)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
