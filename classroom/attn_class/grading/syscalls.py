"""The calls to the kernel that an answer has no use for, as a filter for bubblewrap.

    filter_for("x86_64")    the bytes for `bwrap --seccomp`, or b"" for a machine not listed here

What is blocked returns an error and kills nobody, so that libraries do without it. Those are calls
that reach into other processes, leave something in the kernel that outlives an answer, make
namespaces and mounts, or hold memory that no limit counts; and all calls that are newer than this
list.
"""

import errno
import struct
from typing import NamedTuple

BLOCKED = """
add_key 248 217, request_key 249 218, keyctl 250 219,
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, pidfd_getfd 438 438,
kcmp 312 272, process_madvise 440 440, process_mrelease 448 448, move_pages 279 239,
migrate_pages 256 238, setpriority 141 140, ioprio_set 251 30, sched_setparam 142 118,
sched_setscheduler 144 119, sched_setattr 314 274,
unshare 272 97, setns 308 268, mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51,
fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, open_tree 428 428,
move_mount 429 429, mount_setattr 442 442, name_to_handle_at 303 264, open_by_handle_at 304 265,
io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427,
bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, personality 135 92, syslog 103 116,
lookup_dcookie 212 18, kexec_load 246 104, kexec_file_load 320 294, reboot 169 142, acct 163 89,
swapon 167 224, swapoff 168 225, quotactl 179 60, quotactl_fd 443 443, init_module 175 105,
finit_module 313 273, delete_module 176 106, vhangup 153 58, settimeofday 164 170,
clock_settime 227 112, clock_adjtime 305 266, adjtimex 159 171, sethostname 170 161,
setdomainname 171 162, nfsservctl 180 42, iopl 172 -, ioperm 173 -, modify_ldt 154 -,
uselib 134 -, _sysctl 156 -, sysfs 139 -, ustat 136 -,
memfd_create 319 279, memfd_secret 447 447, vmsplice 278 75, remap_file_pages 216 234,
shmget 29 194, shmctl 31 195, shmat 30 196, shmdt 67 197, msgget 68 186, msgsnd 69 189,
msgrcv 70 188, msgctl 71 187, semget 64 190, semop 65 193, semtimedop 220 192, semctl 66 191,
mq_open 240 180, mq_unlink 241 181, inotify_init 253 -, inotify_init1 294 26,
inotify_add_watch 254 27, fanotify_init 300 262, fanotify_mark 301 263,
landlock_create_ruleset 444 444, landlock_add_rule 445 445, landlock_restrict_self 446 446
"""
NEWEST = 456  # of the calls that this list has seen; the numbers are the same on all machines
_NAMESPACES = 0x7E020000  # CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID and -NET
_TO_OTHERS = 0x0000A000  # CLONE_PARENT and CLONE_PTRACE: a child of somebody else
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000


class Machine(NamedTuple):
    """A machine: its number in the kernel's audit, its column in the table, and some calls."""

    audit: int
    column: int
    clone: int
    mmap: int
    prctl: int
    prlimit: int
    affinity: int
    socket: int
    socketpair: int
    fcntl: int


MACHINES = {
    "x86_64": Machine(0xC000003E, 0, 56, 9, 157, 302, 203, 41, 53, 72),
    "aarch64": Machine(0xC00000B7, 1, 220, 222, 167, 261, 122, 198, 199, 25),
}
_CLONE3 = 435  # its flags lie where a filter cannot read them; libraries go back to clone


class Part(NamedTuple):
    """True of one argument of a call: that the bits of the mask are (or are not) this value."""

    argument: int
    mask: int
    value: int
    equal: bool = True


def filter_for(machine: str) -> bytes:
    if machine not in MACHINES:
        return b""
    known = MACHINES[machine]
    program = [
        *(_load(4), _jump(0x15, known.audit, 1, 0), _return(errno.ENOSYS)),
        *(_load(0), _jump(0x25, NEWEST, 0, 1), _return(errno.ENOSYS)),
        *(_jump(0x15, _CLONE3, 0, 1), _return(errno.ENOSYS)),
    ]
    for number in _numbers(known.column):
        program += [_jump(0x15, number, 0, 1), _return(errno.EPERM)]
    for number, parts in _rules(known):
        program += _blocked_if(number, parts)
    return b"".join([*program, _instruction(0x06, _ALLOW)])


def _numbers(column: int) -> list[int]:
    rows = [row.split()[1:] for row in BLOCKED.split(",")]
    return [int(row[column]) for row in rows if row[column] != "-"]


def _rules(known: Machine) -> list[tuple[int, list[Part]]]:
    """Calls that are blocked with some arguments only."""
    shared_memory_of_no_file, huge_pages = 0x21, 0x40000
    unix, pipe_size, dumpable = 1, 1031, 4
    whole = 0xFFFFFFFF
    return [
        (known.clone, [Part(0, _NAMESPACES | _TO_OTHERS, 0, equal=False)]),
        (known.mmap, [Part(3, shared_memory_of_no_file, shared_memory_of_no_file)]),
        (known.mmap, [Part(3, huge_pages, huge_pages)]),
        (known.prctl, [Part(0, whole, dumpable), Part(1, whole, 0, equal=False)]),
        (known.prlimit, [Part(0, whole, 0, equal=False)]),
        (known.affinity, [Part(0, whole, 0, equal=False)]),
        (known.socket, [Part(0, whole, unix, equal=False)]),
        (known.socketpair, [Part(0, whole, unix, equal=False)]),
        (known.fcntl, [Part(1, whole, pipe_size)]),
    ]


def _blocked_if(number: int, parts: list[Part]) -> list[bytes]:
    """For this call, an error if all parts are true; else the next rule."""
    tests: list[bytes] = []
    for part in reversed(parts):
        left = len(tests) + 1  # to the instruction behind the error
        jump = (0, left) if part.equal else (left, 0)
        test = [_load(16 + 8 * part.argument), _instruction(0x54, part.mask)]
        tests = [*test, _jump(0x15, part.value, *jump), *tests]
    body = [*tests, _return(errno.EPERM), _load(0)]
    return [_jump(0x15, number, 0, len(body)), *body]


def _load(offset: int) -> bytes:
    """A word of the kernel's ``seccomp_data``; of an argument the lower half."""
    return _instruction(0x20, offset)


def _jump(code: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _return(number: int) -> bytes:
    return _instruction(0x06, _ERROR | number)


def _instruction(code: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, 0, 0, value)
