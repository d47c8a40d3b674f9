"""A stand-in for the machine on which Gradescope runs an autograder."""

import io
import os
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path


def unpack(archive: bytes, root: Path) -> None:
    """Put the zip into source/, run_autograder beside it, and make folders to be filled later."""
    for name in ("source", "submission", "results"):
        (root / name).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(root / "source")
        for entry in packed.infolist():
            (root / "source" / entry.filename).chmod(entry.external_attr >> 16)
    shutil.copy2(root / "source" / "run_autograder", root / "run_autograder")


def inside(
    root: Path,
    opt: Path,
    *command: str,
    bind: Sequence[Path],
    path: str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
) -> None:
    """Run a command where /autograder and /opt/attention are these folders.

    ``bind`` lists what else can be seen there, read-only. What is above /autograder in the file
    system is open to all, as in a container.
    """
    visible = ["--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--tmpfs", "/tmp"]
    for place in bind:
        for parent in reversed(place.parents[:-1]):
            visible += ["--perms", "0755", "--dir", str(parent)]
        link = place.is_symlink()
        visible += ["--symlink", os.readlink(place)] if link else ["--ro-bind", str(place)]
        visible.append(str(place))
    own = ["--bind", str(root), "/autograder", "--perms", "0755", "--dir", "/opt"]
    own += ["--bind", str(opt), "/opt/attention", "--setenv", "PATH", path]
    walls = ["bwrap", "--cap-add", "ALL", *visible, *own, "--chdir", "/autograder"]
    subprocess.run([*walls, "--", *command], check=True)
