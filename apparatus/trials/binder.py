"""``make try-binder``: Binder's image, and a chapter in it.

Binder runs repo2docker, which turns ``.binder/`` into a Dockerfile. If Docker is available, as on
GitHub's machines, repo2docker builds the image and runs the chapter. Otherwise it writes only the
Dockerfile, and whatever that does with the course is done here: each copy and each command, in
order, in an empty environment that stands in for the image. Then JupyterLab is asked for the
address that the launch button opens, and a chapter is run. What comes before that, Ubuntu and the
notebook server, is the same for every course; the server's packages are installed in the versions
that repo2docker has frozen.

Neither can show whether Binder's machines reach what they need, or how long they take.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from .environment import (
    PLACE,
    Environment,
    copy_course,
    install_cpu_torch,
    interpreter,
    new_environment,
    torch_pin,
)
from .server import answer, serving

TOOL = "jupyter-repo2docker==2026.4.0"
SERVER = ("jupyterlab", "notebook", "ipywidgets", "ipykernel", "jupyter_server", "traitlets")
EXTENSIONS = ("jupyterlab-manager", "anywidget")  # the extensions that draw the widgets
CHAPTER = "chapters/02-softmax.ipynb"
# what the image must do: JupyterLab has the extensions, and the chapter runs
ASKED = """
set -euo pipefail
extensions=$(jupyter labextension list 2>&1)
for name in {extensions}; do
    grep "$name .*enabled" <<< "$extensions" || {{ echo "JupyterLab lacks $name" >&2; exit 1; }}
done
jupyter execute --timeout=300 {chapter}
"""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make try-binder", description=__doc__.split("\n\n")[0])
    parser.add_argument("--chapter", default=CHAPTER)
    wanted = parser.parse_args(arguments)
    if os.name != "posix":
        sys.exit("Binder's images are Linux: this needs bash")

    course = PLACE / "binder" / "home"
    shutil.rmtree(course, ignore_errors=True)
    copy_course(course)
    if has_docker():
        print("repo2docker builds the image")
        with_docker(course, wanted.chapter)
        return
    print("Docker is not available: asking repo2docker for the steps")
    dockerfile = printed_dockerfile(course)
    steps = course_steps(dockerfile)

    print("making what stands in for the image: Python and the notebook server")
    image = base_image(dockerfile)
    before = image.size()
    stand_in_for_torch(image)
    home = empty_home()
    for kind, what in steps:
        print(f"{kind} {what}")
        carry_out(kind, what, course, home, image)
    added = image.size() - before

    open_in_lab(image, home, wanted.chapter)
    run_chapter(image, home, wanted.chapter)
    print(f"{wanted.chapter} runs. The course adds {added / 1e6:.0f} MB to repo2docker's image:")
    for name, size in largest(image):
        print(f"  {size / 1e6:6.0f} MB  {name}")


# ---- what repo2docker makes


def has_docker() -> bool:
    """Whether Docker is installed and running."""
    docker = shutil.which("docker")
    return bool(docker) and subprocess.run([docker, "info"], capture_output=True).returncode == 0


def with_docker(course: Path, chapter: str) -> None:
    tool = repo2docker()
    asked = ASKED.format(extensions=" ".join(EXTENSIONS), chapter=shlex.quote(chapter))
    command = [
        *(str(tool.bin / "jupyter-repo2docker"), "--user-id=1000", "--user-name=jovyan"),
        *(str(course), "bash", "-c", asked),
    ]
    if subprocess.run(command, env=tool.variables()).returncode:
        sys.exit(f"Binder would fail: its image cannot be built, or {chapter} does not run in it")


def repo2docker() -> Environment:
    tool = new_environment(PLACE / "binder" / "tool")
    tool.install(TOOL)
    return tool


# ---- what repo2docker says


def printed_dockerfile(course: Path) -> str:
    tool = repo2docker()
    said = subprocess.run(
        [str(tool.bin / "jupyter-repo2docker"), "--no-build", "--debug", str(course)],
        env=tool.variables(),
        capture_output=True,
        text=True,
    )
    if said.returncode or "FROM " not in said.stdout:
        sys.exit(f"repo2docker has no image for this:\n{said.stderr}")
    return said.stdout


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """(instruction, the rest) for each; continued lines are joined, comments left out."""
    lines = [line for line in dockerfile.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    words = (line.strip().partition(" ") for line in joined.splitlines())
    return [(kind, rest.strip()) for kind, _, rest in words if kind.isupper() and rest]


def course_steps(dockerfile: str) -> list[tuple[str, str]]:
    """What is done with the course: the copies of its files, and every command after the first."""
    steps = []
    for kind, rest in instructions(dockerfile):
        is_course = kind == "COPY" and copied(rest)[0].split("/")[0] == "src"
        if is_course or (kind == "RUN" and steps):
            steps.append((kind, rest))
    if not any(kind == "RUN" and ".binder/" in rest for kind, rest in steps):
        raise ValueError("repo2docker does nothing with .binder/: is it there, and not empty?")
    return steps


def copied(rest: str) -> tuple[str, str]:
    """(from, to) of a COPY."""
    origin, place = (word for word in shlex.split(rest) if not word.startswith("--"))
    return origin, place


def frozen_environment(dockerfile: str) -> Path:
    """The file with repo2docker's frozen packages, whose path the Dockerfile contains."""
    (escaped,) = re.findall(r"COPY \S+ build_script_files/(\S+)-[0-9a-f]+ /tmp/env/", dockerfile)
    return Path(re.sub("-([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), escaped))


def frozen_versions(text: str) -> dict[str, str]:
    """{package: version} from conda's list of addresses."""
    return dict(re.findall(r"/([a-z0-9_.-]+)-([0-9][^-/]*)-[^-/]+\.(?:conda|tar\.bz2)", text))


# ---- carrying it out


def base_image(dockerfile: str) -> Environment:
    frozen = frozen_versions(frozen_environment(dockerfile).read_text(encoding="utf-8"))
    image = new_environment(
        PLACE / "binder" / "image", interpreter(".".join(frozen["python"].split(".")[:2]))
    )
    image.install(f"pip=={frozen['pip']}")
    image.install(*(f"{name}=={frozen[name]}" for name in SERVER))
    return image


def stand_in_for_torch(image: Environment) -> None:
    """Install the CPU build, if pip has it here: then PyTorch's server is not needed."""
    if install_cpu_torch(image):
        print(f"{torch_pin()}+cpu is at hand and stands in for what uv would bring")
    else:
        print("pip has no such build here, so uv will ask PyTorch for it")


def empty_home() -> Path:
    home = PLACE / "binder" / "jovyan"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    return home


def carry_out(kind: str, what: str, course: Path, home: Path, image: Environment) -> None:
    if kind == "COPY":
        origin, place = copied(what)
        copy(course / origin.removeprefix("src").lstrip("/"), within(place, home))
        return
    done = subprocess.run(["bash", "-c", what], cwd=home, env=image_variables(image, home))
    if done.returncode:
        sys.exit(f"Binder would fail at this step: {what}")


def within(place: str, home: Path) -> Path:
    path = Path(place.replace("${REPO_DIR}", str(home)))
    if not path.is_relative_to(home):
        raise ValueError(f"expected a place under ${{REPO_DIR}}, got {place}")
    return path


def copy(origin: Path, place: Path) -> None:
    if origin.is_dir():
        shutil.copytree(origin, place, dirs_exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(origin, place)


def image_variables(image: Environment, home: Path) -> dict[str, str]:
    prefix = str(image.folder)
    return image.variables(
        KERNEL_PYTHON_PREFIX=prefix, NB_PYTHON_PREFIX=prefix, REPO_DIR=str(home), HOME=str(home)
    )


# ---- the proof


def run_chapter(image: Environment, home: Path, chapter: str) -> None:
    command = [str(image.bin / "jupyter"), "execute", "--timeout=300", chapter]
    if subprocess.run(command, cwd=home, env=image_variables(image, home)).returncode:
        sys.exit(f"{chapter} does not run on Binder")


def open_in_lab(image: Environment, home: Path, chapter: str) -> None:
    """The launch button's address works, and JupyterLab has the extensions for widgets."""
    extensions = subprocess.run(
        [str(image.bin / "jupyter"), "labextension", "list"],
        env=image_variables(image, home),
        capture_output=True,
        text=True,
    )
    said = extensions.stdout + extensions.stderr
    lacking = [name for name in EXTENSIONS if not enabled(name, said)]
    if lacking:
        sys.exit(f"JupyterLab lacks {' and '.join(lacking)}:\n{said}")
    with serving(image, home, **image_variables(image, home)) as lab:
        answer(f"{lab}/lab/tree/{chapter}", seconds=60)
        answer(f"{lab}/api/contents/{chapter}?content=0", seconds=5)


def enabled(name: str, said: str) -> bool:
    return any(name in line and "enabled" in line for line in said.splitlines())


def largest(image: Environment, count: int = 6) -> list[tuple[str, int]]:
    """The largest folders among the installed packages."""
    (packages,) = image.folder.glob("lib/python3.*/site-packages")
    sizes = {each.name: Environment(each).size() for each in packages.iterdir() if each.is_dir()}
    return sorted(sizes.items(), key=lambda item: -item[1])[:count]


if __name__ == "__main__":
    main()
