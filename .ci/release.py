"""Release the version that pyproject.toml names, once: its tag, and what is in dist/.

    make release-due    is there something to release? (publish.yml asks)
    make release        the release on GitHub (release.yml makes it)

The launch buttons and the first cell of each chapter name that tag, so a site whose tag is missing
leads its readers nowhere. Needs git and gh, and no installed package.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

# what a reader gets by a launch button
ROOMS = ("laboratory", "classroom", "command")
SHIPPED = ("chapters", "attn_course", *ROOMS, "pyproject.toml", "requirements.txt")


def main(arguments: list[str]) -> None:
    tag, repository = tag_and_repository(Path("pyproject.toml").read_text(encoding="utf-8"))
    here = os.environ.get("GITHUB_REPOSITORY") or sys.exit("GITHUB_REPOSITORY is not set")
    match arguments:
        case ["due"]:
            output("due", due(tag, repository, here))
        case ["make"]:
            make(tag, here)
        case _:
            sys.exit(f"expected due or make, got {arguments}")


def tag_and_repository(pyproject: str) -> tuple[str, str]:
    """The tag of the version, and the repository of the course's address ('' where none is set)."""
    version = re.search(r'^version = "(.+)"$', pyproject, re.M)
    address = re.search(r'^Repository = "https://github\.com/(.+)"$', pyproject, re.M)
    if not version:
        sys.exit('pyproject.toml has no line version = "..."')
    return f"v{version[1]}", address[1] if address else ""


def due(tag: str, repository: str, here: str) -> bool:
    """Whether this version is to be released from here; if not, says why."""
    if repository.lower() != here.lower():
        known = f"is that of {repository}" if repository else "is not set"
        notice(f"No release: the course's address {known}. make address REPO={here} sets it.")
        return False
    if not git_says("rev-parse", "--quiet", "--verify", f"refs/tags/{tag}"):
        return True
    if not git_says("diff", "--quiet", tag, "HEAD", "--", *SHIPPED):
        notice(
            f"Colab and Binder still open the release {tag}, and what they open has changed "
            "since. Raise the version in pyproject.toml and run make address again.",
            kind="warning",
        )
    return False


def make(tag: str, here: str) -> None:
    """Make the release, or upload the files of one that was begun."""
    pushed = os.environ.get("GITHUB_REF_NAME")
    if os.environ.get("GITHUB_REF_TYPE") == "tag" and pushed != tag:
        sys.exit(f"The tag is {pushed}, but pyproject.toml makes it {tag}. Nothing was released.")
    files = sorted(str(path) for path in Path("dist").glob("*") if path.is_file())
    ends = (".whl", ".tar.gz", ".zip")
    lacking = [end for end in ends if not any(name.endswith(end) for name in files)]
    if lacking:
        sys.exit(f"dist/ holds no {' and no '.join(lacking)}: make dist, make archive come first")
    where = ("--repo", here)
    if gh_says("release", "view", tag, *where):
        gh("release", "upload", tag, *files, "--clobber", *where)
    else:
        commit = os.environ.get("GITHUB_SHA", "HEAD")
        words = ("--title", tag, "--notes", "What is new: CHANGELOG.md")
        gh("release", "create", tag, *files, "--target", commit, *words, *where)


def notice(text: str, kind: str = "notice") -> None:
    print(f"::{kind}::{text}" if os.environ.get("GITHUB_ACTIONS") else text)


def output(name: str, value: bool) -> None:
    """Tell the reader and, if there is one, the workflow."""
    line = f"{name}={str(value).lower()}"
    print(line)
    if file := os.environ.get("GITHUB_OUTPUT"):
        with open(file, "a", encoding="utf-8") as stream:
            stream.write(f"{line}\n")


def git_says(*arguments: str) -> bool:
    return subprocess.run(["git", *arguments], stdout=subprocess.DEVNULL).returncode == 0


def gh_says(*arguments: str) -> bool:
    return subprocess.run(["gh", *arguments], capture_output=True).returncode == 0


def gh(*arguments: str) -> None:
    subprocess.run(["gh", *arguments], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
