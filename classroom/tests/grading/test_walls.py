"""What is between two students, and what is said where nothing can be."""

import contextlib
import dataclasses
import itertools
import os
import platform
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from handing_in import Run, needs_walls, opened, said_of

from attn_class.grading import syscalls, usage, walls
from attn_class.grading.sandbox import Hindered, Limits, Sandbox, isolation

needs_filter = pytest.mark.skipif(
    bool(isolation()) or platform.machine() not in syscalls.MACHINES,
    reason="no filter of calls on this machine",
)
SHORT = Limits(call_seconds=4.0, grace=1.0, wider=25.0, wall_seconds=300, submission_seconds=1e5)
DOUBLE = "def double(x):\n    return 2 * x\n"
CALL = """
import ctypes, errno, os

def call(*given):
    library = ctypes.CDLL(None, use_errno=True)
    result = library.syscall(*given)
    return "done" if result != -1 else errno.errorcode[ctypes.get_errno()]
"""
REACHES = """
import os, signal

def double(x):
    got = []
    for number in (1, os.getppid()):
        for name in ("mem", "maps", "environ", "stack", "syscall", "auxv"):
            try:
                open(f"/proc/{number}/{name}", "rb").read(1)
                got.append(name)
            except OSError:
                pass
        for name in ("fd", "root", "cwd", "map_files"):
            try:
                place = f"/proc/{number}/{name}"
                got += [os.readlink(f"{place}/{each}") for each in os.listdir(place)]
            except OSError:
                pass
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        os.kill(1, number)
    raise ValueError(got)
"""
FORKS = """
import subprocess, sys

def double(x):
    return float(subprocess.call([sys.executable, "-c", ""]))
"""
GRADES = """
from attn_class.grading import walls
from attn_class.grading.remote import Remote
from attn_class.grading.sandbox import Sandbox, isolation
assert not isolation(), isolation()
with Sandbox() as box:
    answer = Remote(box, [%r], "double")
    answer.open()
    print("open", flush=True)
    print(answer([1.0]).returned, walls.missing())
"""
HOLDS = """
import os, time

def double(x):
    for _ in range(40):
        try:
            if os.fork() == 0:
                time.sleep(99)
        except OSError:
            break
    time.sleep(99)
"""


def called(box, source):
    """What the function says when it is called."""
    with opened(box, [textwrap.dedent(source)], "double") as answer:
        return said_of(answer([1.0]))


def grades_with(python, cwd=None):
    """What a grader prints: that it has begun, what double(1.0) is, and what its walls lack."""
    command = [python, "-c", GRADES % DOUBLE]
    process = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    return process.stdout.strip() or process.stderr[-2000:]


def raised_by(box, expression):
    return called(box, f"{CALL}\ndef double(x):\n    raise ValueError({expression})\n")


@pytest.fixture(scope="module")
def box():
    with Sandbox(SHORT) as box:
        yield box


# between students


@needs_walls
def test_who_holds_all_processes_holds_only_their_own(box):
    """Two at a time: the second one's answer must start while the first holds what it can."""
    assert called(box, DOUBLE) == 2.0
    with Sandbox(SHORT) as other:
        assert called(other, DOUBLE) == 2.0
        idle = running(other)
        with all_processes_of(other):
            wait_until(lambda: running(other) > idle + 5)
            assert called(box, DOUBLE) == 2.0
            assert called(box, FORKS) == 0.0


@contextlib.contextmanager
def all_processes_of(box):
    """An answer that holds all the processes that it can, until it is ended."""
    holding = threading.Thread(target=called, args=(box, HOLDS))
    holding.start()
    try:
        yield
    finally:
        usage.kill(box._process.pid)
        holding.join()


def running(box) -> int:
    """How many processes this sandbox has."""
    return len([*usage.descendants(box._process.pid)])


def tasks_of(user: int) -> int:
    """How many processes and threads this user has."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may end while it is looked at
            if process.stat().st_uid == user:
                count += len(list((process / "task").iterdir()))
    return count


def wait_until(true, patience: float = 90.0) -> None:
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


@needs_walls
@pytest.mark.skipif(os.getuid() != 0, reason="only root can give two sandboxes one user")
def test_no_process_for_the_grader_is_the_graders_fault():
    limits = dataclasses.replace(SHORT, nobody=walls.user())
    with Sandbox(limits) as one, Sandbox(limits) as other:
        for box in (one, other):
            assert called(box, DOUBLE) == 2.0
        with all_processes_of(other):
            wait_until(lambda: tasks_of(limits.nobody) >= limits.processes)
            with pytest.raises(Hindered, match="no process left"):
                called(one, DOUBLE)


def test_each_sandbox_has_a_user_of_its_own():
    assert len({walls.user() for _ in range(20)}) == 20


# what a filter of calls keeps away


@needs_filter
def test_no_call_of_the_list_goes_through(box):
    column = syscalls.MACHINES[platform.machine()].column
    numbers = [*syscalls._numbers(column), syscalls.NEWEST + 1, syscalls._CLONE3]
    results = f"[call(n, 0, 0, 0, 0, 0) for n in {numbers}]"
    counts = raised_by(box, f"{{each: {results}.count(each) for each in sorted(set({results}))}}")
    assert counts == f"ValueError: {{'ENOSYS': 2, 'EPERM': {len(numbers) - 2}}}"


REFUSED = {
    "248, b'user', b'x', b'x', 1, -4": "add_key",
    "250, 0, ctypes.c_long(-3), 1": "the keyring of the session",
    "101, 0, 0, 0, 0": "ptrace",
    "438, os.pidfd_open(1), 0, 0": "a descriptor of another process",
    "319, b'x', 0": "memfd_create",
    "29, 0, 4096, 0o1600": "shmget",
    "68, 0, 0o1600": "messages of System V",
    "425, 8, ctypes.create_string_buffer(512)": "a ring of calls",
    "141, 0, 1, 19": "setpriority",
    "272, 0x10000000": "unshare",
    "56, 0x10000011, 0, 0, 0, 0": "clone of a namespace",
    "56, 0x8011, 0, 0, 0, 0": "clone for a parent",
    "294, 0": "inotify_init1",
    "135, 0xFFFFFFFF": "personality",
    "157, 4, 1, 0, 0, 0": "dumpable",
    "302, 1, 7, (ctypes.c_ulong * 2)(9, 9), None": "another's limits",
    "203, 1, 8, (ctypes.c_ulong * 1)(1)": "another's cores",
    "9, 0, 4096, 3, 0x21, -1, 0": "shared memory of no file",
    "9, 0, 1 << 21, 3, 0x40022, -1, 0": "huge pages",
    "41, 2, 1, 0": "a socket of the internet",
    "41, 40, 1, 0": "a socket of a virtual machine",
    "53, 2, 1, 0, 0": "a pair of them",
    "72, os.pipe()[0], 1031, 1 << 20": "a larger pipe",
}
ALLOWED = {
    "157, 4, 0, 0, 0, 0": "not dumpable",
    "302, 0, 7, None, None": "its own limits",
    "203, 0, 8, (ctypes.c_ulong * 1)(0xFFFF)": "its own cores",
    "9, 0, 4096, 3, 0x22, -1, 0": "memory of its own",
    "41, 1, 1, 0": "a socket of unix",
    "72, 1, 3, 0": "the flags of a descriptor",
}


@needs_filter
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of x86_64")
def test_what_would_go_through_without_the_filter_does_not_but_with_other_arguments(box):
    calls = [
        f"({name!r}, {wanted!r}, call({arguments}))"
        for wanted, table in (("EPERM", REFUSED), ("done", ALLOWED))
        for arguments, name in table.items()
    ]
    others = f"[each for each in ({', '.join(calls)}) if each[1] != each[2]]"
    assert raised_by(box, others) == "ValueError: []"


def test_a_machine_that_is_not_listed_has_no_filter():
    assert syscalls.filter_for("riscv64") == b""


def test_both_machines_have_a_filter_the_kernel_would_take():
    for machine in syscalls.MACHINES:
        program = syscalls.filter_for(machine)
        count = len(program) // 8
        assert len(program) % 8 == 0
        assert count < 4096
        for place in range(count):  # no jump leaves the program
            code, yes, no = program[8 * place], program[8 * place + 2], program[8 * place + 3]
            assert code & 7 != 5 or place + 1 + max(yes, no) < count


@needs_walls
def test_libraries_do_without_them(box):
    ordinary = """
        import concurrent.futures, os, subprocess, sys, tempfile
        import numpy, torch

        def double(x):
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                assert sum(pool.map(abs, range(-9, 0))) == 45
            assert subprocess.run([sys.executable, "-c", "import numpy"]).returncode == 0
            with tempfile.TemporaryFile() as file:
                file.write(b"text")
            assert os.urandom(4) and open("/dev/urandom", "rb").read(4)
            torch.set_num_threads(2)
            y = torch.ones(300, 300, requires_grad=True)
            (y @ y).sum().backward()
            assert y.grad.numpy().sum() > 0
            assert torch.linalg.svd(torch.eye(3))[1].sum() == 3
            return 2 * x
        """
    assert called(box, ordinary) == 2.0


# the program that forks


@needs_walls
@pytest.mark.parametrize("manner", ["the way of this machine", "a namespace of users"])
def test_nobody_reads_writes_or_stops_the_program_that_forks(monkeypatch, manner):
    """In a namespace of users all have one user, whoever grades."""
    if manner == "a namespace of users":
        ways = [one for one in walls._ways() if one.user is None and not walls._refusal(one)]
        if not ways:
            pytest.skip("no namespaces of users here")
        monkeypatch.setattr(walls, "_way", lambda: ways[0])
    with Sandbox(SHORT) as box:
        assert called(box, DOUBLE) == 2.0
        before = box._process
        assert called(box, REACHES) == "ValueError: []"
        assert called(box, DOUBLE) == 2.0
        assert box._process is before


@needs_walls
def test_a_grader_that_is_killed_leaves_nothing_running():
    command = [sys.executable, "-c", GRADES % "import time\ndef double(x):\n    time.sleep(99)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as grader:
        assert grader.stdout.readline() == b"open\n"
        wait_until(lambda: len([*usage.descendants(grader.pid)]) > 3)
        started = [number for number, _ in usage.descendants(grader.pid)][1:]
        grader.kill()
    wait_until(lambda: none_is_left(started))


@needs_walls
def test_a_closed_sandbox_leaves_nothing_running():
    with Sandbox(SHORT) as box:
        forks = DOUBLE.replace("return", "__import__('os').fork(); return")
        with opened(box, [forks], "double") as answer:
            answer([1.0])
            started = [number for number, _ in usage.descendants(box._process.pid)]
        assert len(started) >= 3
    assert none_is_left(started)


def none_is_left(processes):
    return not any(usage._content(f"/proc/{number}/cmdline") for number in processes)


# where there are no walls


@pytest.fixture
def looked_for_in(monkeypatch):
    """Has bubblewrap looked for anew, in this folder alone or first of all."""

    def forget():
        for function in vars(walls).values():
            getattr(function, "cache_clear", lambda: None)()

    def look(folder, **first):
        monkeypatch.setenv("PATH", str(folder), **first)
        forget()

    yield look
    monkeypatch.undo()
    forget()


def program(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


FAILS = "echo 'bwrap: setting up uid map: Permission denied' >&2\nexit 1"
MISSING = ("bubblewrap is not installed", "apt install bubblewrap", "UNISOLATED=1")


@pytest.mark.parametrize(
    ("bwrap", "words"), [("", MISSING), (FAILS, ["setting up uid map: Permission denied"])]
)
def test_without_bubblewrap_nothing_is_graded_unless_somebody_insists(
    tmp_path, looked_for_in, capsys, bwrap, words
):
    """And then every page says so. One that does not run is none."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text("def answer(x):\n    return x")
    run = Run(tmp_path)
    if bwrap:
        program(tmp_path / "bin" / "bwrap", bwrap)
    looked_for_in(tmp_path / "bin")
    assert run() == 2
    printed = capsys.readouterr().out
    assert [text for text in ("Nothing was graded", *words) if text not in printed] == []
    assert "Python does not start" not in printed
    assert not (tmp_path / "marks").exists()
    if not bwrap:
        assert run("in", "marks", "--unisolated") == 0
        students = [*(tmp_path / "marks" / "students").glob("*.html")]
        for page in (tmp_path / "marks" / "report.html", *students):
            assert "Not isolated" in page.read_text(), page
        assert students


@pytest.mark.parametrize(
    ("system", "settings", "container", "words"),
    [
        ("darwin", {}, False, "virtual machine"),
        ("linux", {"kernel/apparmor_restrict_unprivileged_userns": "1"}, False, "AppArmor profile"),
        ("linux", {"kernel/unprivileged_userns_clone": "0"}, False, "unprivileged_userns_clone=1"),
        ("linux", {"user/max_user_namespaces": "0"}, False, "max_user_namespaces=15000"),
        ("linux", {}, True, "--security-opt"),
        ("linux", {}, False, "try: bwrap"),
    ],
)
def test_what_to_do_is_said_for_each_cause(monkeypatch, system, settings, container, words):
    monkeypatch.setattr(walls.sys, "platform", system)
    monkeypatch.setattr(walls.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(walls.os, "getuid", lambda: 1000)
    monkeypatch.setattr(walls, "_refusal", lambda manner: "bwrap: no permission")
    monkeypatch.setattr(walls, "_in_container", lambda: container)
    monkeypatch.setattr(walls, "_setting", lambda name: settings.get(name, ""))
    assert words in walls.remedy()


@needs_walls
@pytest.mark.parametrize("lacks", ["--disable-userns", "--seccomp"])
def test_an_older_bubblewrap_or_kernel_gives_weaker_walls(tmp_path, looked_for_in, lacks):
    """A bubblewrap that knows no such option is used without it."""
    knows = f'for each; do [ "$each" != {lacks} ] || exit 1; done'
    program(tmp_path / "bwrap", f'{knows}\nexec {shutil.which("bwrap")} "$@"')
    looked_for_in(tmp_path, prepend=os.pathsep)
    with Sandbox(SHORT) as box:
        assert called(box, DOUBLE) == 2.0
    assert ("no filter of calls" in str(walls.missing())) == (lacks == "--seccomp")


# an environment of links


def linked(folder, *chain):
    """A link to a link, and so on, to the last of them."""
    for number, (name, target) in enumerate(itertools.pairwise(chain)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(folder / target if number < len(chain) - 2 else target)
    return folder / chain[0]


@needs_walls
def test_an_environment_and_its_interpreter_behind_links_work(tmp_path):
    """A link to a link, below a folder that is one, called from a folder beside its own; in it, as
    uv and pyenv make it, a relative link to a folder of versions that is a link itself.
    """
    base = linked(tmp_path, "python/3", "python/3.now", sys.base_prefix)
    environment = tmp_path / "real" / "env"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to("python3")
    name = Path(os.path.realpath(sys.executable)).name
    (environment / "bin" / "python3").symlink_to(f"../../../python/3/bin/{name}")
    (environment / "pyvenv.cfg").write_text(f"home = {base / 'bin'}\n")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = environment / "lib" / version / "site-packages"
    packages.parent.mkdir(parents=True)
    packages.symlink_to(Path(sys.prefix, "lib", version, "site-packages"))
    above = linked(tmp_path, "up", "else", environment.parent)
    linked(tmp_path, "home/.venv", "disk/link", above / environment.name)
    (tmp_path / "home" / "class").mkdir()
    printed = grades_with("../.venv/bin/python", tmp_path / "home" / "class")
    assert printed.startswith("open\n2.0 "), printed


def test_links_are_followed_as_the_kernel_does(tmp_path):
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "one").symlink_to("real/../two")
    (tmp_path / "two").symlink_to(tmp_path / "real")
    links, ends = walls._followed([tmp_path / "one" / "inner", tmp_path / "nothing"])
    assert ends == {tmp_path.resolve() / "real" / "inner"}
    mine = {link.name: target for link, target in links.items() if link.parent == tmp_path}
    assert mine == {"one": "real/../two", "two": str(tmp_path / "real")}
