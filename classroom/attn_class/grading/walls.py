"""What stands between a student's code and everything else: bubblewrap, and how it is called here.

    isolation()   why there are no walls on this machine, or ""
    remedy()      what to do about it
    missing()     what the walls lack here

Each sandbox has a mount tree, process numbers, a network and, where root grades, a user of its own.
Another user than root gets a namespace of users instead, in which limits are counted apart.
"""

import contextlib
import functools
import importlib.util
import itertools
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.syscalls import filter_for

ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TORCHDYNAMO_DISABLE": "1",  # there is no compiler, and `torch.compile` changes no result
}
SYSTEM = (
    *("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache"),
    *("/etc/alternatives", "/nix/store"),
)
DEVICES = ("null", "full", "random", "urandom")  # not zero, which holds memory that no limit counts
NOBODY = 65534
UNUSED = range(1_879_048_192, 2_147_483_648)  # numbers that systemd's table leaves to no user
_count = itertools.count()


class Way(NamedTuple):
    """A manner of starting bubblewrap; the first that works here is taken."""

    options: tuple[str, ...]
    filtered: bool
    user: int | None = None  # whom to become inside


@functools.cache
def isolation() -> str:
    """Why bubblewrap cannot be used here, or "" if it can."""
    if sys.platform != "linux":
        return f"bubblewrap needs Linux, and this is {_system()}"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    return "" if _way() else f"bubblewrap does not run here ({_refusal(_ways()[-1])})"


def remedy() -> str:
    """What to do where `isolation` finds no walls, for the cause that is found."""
    if sys.platform != "linux":
        return "Grade on Linux, for example in a virtual machine (on Windows: in WSL 2)."
    if shutil.which("bwrap") is None:
        return "Install the package bubblewrap, for example by: sudo apt install bubblewrap"
    if not _is_python_at_fault():
        return _remedy_of_the_system()
    return (
        f"The walls stand, but Python does not start behind them. Its folder is {sys.prefix}: try "
        "another, made by: python3 -m venv"
    )


def _remedy_of_the_system() -> str:
    """The settings that are known to keep bubblewrap from its namespaces, the likeliest first."""
    if _setting("user/max_user_namespaces") == "0":
        return "Allow namespaces of users by: sudo sysctl user.max_user_namespaces=15000"
    if _in_container():
        return (
            "This is a container. Grade outside of it, or start it with --security-opt "
            "seccomp=unconfined --security-opt apparmor=unconfined --security-opt "
            "systempaths=unconfined (in Podman --security-opt unmask=ALL)."
        )
    if os.getuid() and _setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor keeps programs from making namespaces, as in Ubuntu since 23.10. Allow it "
            "for bubblewrap by an AppArmor profile for /usr/bin/bwrap with the rule userns (the "
            "package apparmor-profiles has one, bwrap-userns-restrict), or for all programs until "
            "the next start by: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if os.getuid() and _setting("kernel/unprivileged_userns_clone") == "0":
        return "Allow namespaces of users by: sudo sysctl kernel.unprivileged_userns_clone=1"
    return "To see the cause alone, try: bwrap --unshare-all --ro-bind / / --proc /proc true"


def _system() -> str:
    return {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)


def _setting(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text("ascii").strip()
    except OSError:
        return ""


def _in_container() -> bool:
    marks = ("/.dockerenv", "/run/.containerenv", "/run/systemd/container")
    return "container" in os.environ or any(map(os.path.exists, marks))


def _is_python_at_fault() -> bool:
    """Whether bubblewrap stands, and what it should start behind the walls does not."""
    refusal = _refusal(_ways()[-1])
    return not refusal.startswith("bwrap:") or "execvp" in refusal


@functools.cache
def missing() -> tuple[str, ...]:
    """What the walls lack on this machine, in words for the teacher."""
    manner = None if isolation() else _way()
    lacks = []
    if manner and not manner.filtered:
        here = platform.machine()
        lacks.append(f"no filter of calls to the kernel ({here}, or a kernel without seccomp)")
    if manner and os.getuid() == 0 and manner.user is None:
        lacks.append("no user of its own for each student, since root may become nobody else here")
    return tuple(lacks)


def user() -> int:
    """The number of a user whom nobody else on this machine has, so that no limit is shared.

    Each call gives another number, whether there are walls or not.
    """
    room = _room() or range(NOBODY, NOBODY + 1)
    with contextlib.suppress(OSError):
        machine = os.stat("/proc/self/ns/pid").st_ino  # containers count their processes apart
        return room[(machine * 1_000_003 + os.getpid() * 64 + next(_count) % 64) % len(room)]
    return room[(os.getpid() * 64 + next(_count) % 64) % len(room)]


@functools.cache
def _room() -> range:
    """The numbers of users from which root may take; none if it may become nobody else."""
    try:
        rows = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        return range(NOBODY, NOBODY + 1)
    maps = [range(int(first), int(first) + int(count)) for first, _, count in rows]
    if any(UNUSED[0] in one and UNUSED[-1] in one for one in maps):
        return UNUSED
    largest = max(maps, key=len)
    return range(max(largest.start + 1, largest.stop - 4098), max(largest.stop - 2, 1))


def limits_are_shared() -> bool:
    """Whether processes are counted over all of a user's, as before Linux 5.14."""
    match = re.match(r"(\d+)\.(\d+)", platform.release())
    return os.getuid() != 0 and bool(match) and tuple(map(int, match.groups())) < (5, 14)


def command(folder: Path, disk: int, calls: int | None) -> list[str]:
    """How to start the sandbox with this folder; ``calls`` is a descriptor of `call_filter`."""
    manner = _way()
    return [*_walls(manner, disk, calls), *_seen(folder), *python(Path("/grader"))]


def call_filter() -> bytes:
    """The filter of calls to the kernel, or b"" where there is none."""
    manner = _way()
    return filter_for(platform.machine()) if manner and manner.filtered else b""


def python(folder: Path) -> list[str]:
    return [_interpreter(), "-E", "-s", "-B", str(folder / "child.py")]


def _interpreter() -> str:
    """This Python, without the ".." of ../.venv/bin/python: the folder before it is not mounted."""
    return os.path.abspath(sys.executable)


def handed_over(content: bytes) -> int | None:
    """A descriptor from which this can be read, if there is any; the caller closes it."""
    if not content:
        return None
    read, write = os.pipe()
    os.write(write, content)  # a pipe holds it: 64 KiB
    os.close(write)
    return read


@functools.cache
def _way() -> Way | None:
    return next((manner for manner in _ways() if not _refusal(manner)), None)


@functools.cache
def _ways() -> tuple[Way, ...]:
    """Root can do without a namespace of users, and is then held to limits as another user."""
    in_namespace = ("--unshare-user", "--cap-drop", "ALL")  # which root would have there
    who = [Way((*in_namespace, "--disable-userns"), True), Way(in_namespace, True)]
    if os.getuid() == 0 and _room():
        as_root = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        who.insert(0, Way(as_root, True, user()))
    filtered = who if filter_for(platform.machine()) else []
    return (*filtered, *(manner._replace(filtered=False) for manner in who))


@functools.cache
def _refusal(manner: Way) -> str:
    """Why this way does not work here, or ""."""
    calls = handed_over(filter_for(platform.machine()) if manner.filtered else b"")
    become = f"import os; os.setgid({manner.user}); os.setuid({manner.user})" if manner.user else ""
    walls = [*_walls(manner, 1 << 20, calls), *_seen(Path(tempfile.gettempdir()))]
    tried = [*walls, _interpreter(), "-E", "-s", "-c", become]
    descriptors = [] if calls is None else [calls]
    try:
        process = subprocess.run(
            tried, capture_output=True, text=True, env=ENVIRONMENT, pass_fds=descriptors
        )
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return "" if process.returncode == 0 else process.stderr.strip()[-300:] or "it says no reason"


def _walls(manner: Way, disk: int, calls: int | None) -> list[str]:
    """The program is the first process: it has all that an answer leaves, and is safe from it."""
    apart = ["ipc", "pid", "net", "uts", "cgroup-try"]
    environment = [part for pair in ENVIRONMENT.items() for part in ("--setenv", *pair)]
    size = ["--size", str(disk), "--perms", "1777", "--tmpfs"]
    program = shutil.which("bwrap") or "bwrap"  # the environment inside has no PATH
    return [
        *(program, "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", *environment),
        *(f"--unshare-{namespace}" for namespace in apart),
        *manner.options,
        *(() if calls is None else ("--seccomp", str(calls))),
        *("--proc", "/proc", *_devices(), *size, "/tmp", *size, "/dev/shm"),
    ]


def _devices() -> list[str]:
    """What bubblewrap's own /dev has that an answer may need: no terminals, and nothing to fill."""
    mounts = ["--tmpfs", "/dev", "--dir", "/dev/shm"]
    for name in DEVICES:
        mounts += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        mounts += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*mounts, "--symlink", "/proc/self/fd", "/dev/fd", "--remount-ro", "/dev"]


def _seen(folder: Path) -> list[str]:
    """The mounts: what Python, torch and the system's libraries need, and this folder."""
    links, places = _followed(_needed())
    outer = [one for one in places if not any(other in one.parents for other in places)]
    within = lambda place: any(other in place.parents for other in outer)  # noqa: E731
    links = {place: target for place, target in links.items() if not within(place)}
    mounts = []
    for parent in sorted({parent for place in (*outer, *links) for parent in place.parents}):
        if parent != Path("/"):
            mounts += ["--perms", "0755", "--dir", str(parent)]
    for place, target in sorted(links.items()):
        mounts += ["--symlink", target, str(place)]
    for place in sorted(outer):
        mounts += ["--ro-bind", str(place), str(place)]
    for place in filter(within, _hidden()):
        mounts += ["--tmpfs", str(place), "--remount-ro", str(place)]
    return [*mounts, "--ro-bind", str(folder), "/grader", "--remount-ro", "/", "--chdir", "/tmp"]


def _needed() -> Iterator[Path]:
    """What Python and its modules are called; many of these names may be links."""
    yield from (Path(folder) for folder in (sys.prefix, sys.base_prefix, sys.exec_prefix))
    yield Path(_interpreter())
    yield Path(getattr(sys, "_base_executable", sys.executable))
    for module in ("torch", "numpy"):
        spec = importlib.util.find_spec(module)
        if spec and spec.origin:
            yield Path(spec.origin).parent.parent  # the folder of packages, wherever it is
            yield Path(os.path.realpath(spec.origin)).parent.parent
    yield from (Path(folder) for folder in SYSTEM)


def _followed(names: Iterable[Path]) -> tuple[dict[Path, str], set[Path]]:
    """The links on these paths, and where they end; what does not exist is left out."""
    links: dict[Path, str] = {}
    ends = set()
    for name in names:
        if name.exists():
            ends.add(_follow(Path("/"), name.absolute().parts[1:], links))
    return links, ends


def _follow(place: Path, parts: Sequence[str], links: dict[Path, str]) -> Path:
    """Walk from a folder without links, as the kernel does. Notes the links on the way."""
    left = list(parts)
    while left:
        part = left.pop(0)
        if part == "..":
            place = place.parent
            continue
        step = place / part
        if not step.is_symlink():
            place = step
            continue
        links[step] = os.readlink(step)
        target = Path(links[step])
        left = [*(part for part in target.parts if part != target.anchor), *left]
        place = Path("/") if target.is_absolute() else place
    return place


def _hidden() -> list[Path]:
    """The course itself, should it lie within the folders that Python needs."""
    specs = map(importlib.util.find_spec, ("attn_course", "attn_class", "attn_lab", "attn_own"))
    packages = [Path(spec.origin).resolve().parent for spec in specs if spec]
    return [
        package.parent if (package.parent / "pyproject.toml").exists() else package
        for package in packages
    ]
