"""``make try-binder``: Binder's image, and a chapter in it.

Binder runs repo2docker, which turns ``.binder/`` into an image. So does this, with Docker; GitHub's
machines have it, and do so weekly. In the image JupyterLab must have the extensions that draw
widgets, and the chapter must run.

This cannot show whether Binder's machines reach what they need, or how long they take.
"""

import argparse
import shlex
import shutil
import subprocess
import sys

from .environment import PLACE, copy_course, new_environment

TOOL = "jupyter-repo2docker==2026.4.0"
CHAPTER = "chapters/02-softmax.ipynb"
SCRIPT = """
set -euo pipefail
extensions=$(jupyter labextension list 2>&1)
for name in jupyterlab-manager anywidget; do
    grep "$name .*enabled" <<< "$extensions" || {{ echo "JupyterLab lacks $name" >&2; exit 1; }}
done
jupyter execute --timeout=300 {chapter}
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="make try-binder", description=__doc__.split("\n\n")[0])
    parser.add_argument("--chapter", default=CHAPTER)
    chapter = parser.parse_args().chapter
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "info"], capture_output=True).returncode:
        sys.exit(
            "repo2docker needs Docker, and it does not answer here: the weekly workflow has it"
        )
    course = PLACE / "binder" / "course"
    shutil.rmtree(course, ignore_errors=True)
    copy_course(course)
    tool = new_environment(PLACE / "binder" / "tool")
    tool.install(TOOL)
    command = [str(tool.bin / "jupyter-repo2docker"), "--user-id=1000", "--user-name=jovyan"]
    command += [str(course), "bash", "-c", SCRIPT.format(chapter=shlex.quote(chapter))]
    if subprocess.run(command, env=tool.variables()).returncode:
        sys.exit(f"Binder would fail: its image cannot be built, or {chapter} does not run in it")


if __name__ == "__main__":
    main()
