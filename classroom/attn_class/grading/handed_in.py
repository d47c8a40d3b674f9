"""What was handed in: whose it is, and which of its files counts.

Every child of a folder of submissions is a notebook, a Python file, a zip or a folder. Those of
one student belong together: files of the same name, and whatever Moodle or Canvas has downloaded
for the same person. Folders and zips are opened as deep as they are, within bounds. One notebook
counts; of several, none does, since only the student knows which one is meant.

Nothing is unpacked in the place that its name asks for, no link is followed, and what cannot be
read is a sentence for the student and the teacher.
"""

import hashlib
import io
import os
import re
import struct
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.names import downloaded
from attn_class.grading.notebooks import LARGE, LARGEST, Unusable, code_cells
from attn_class.grading.secret import digest

KINDS = (".ipynb", ".py")
DEEPEST = 16  # folders and zips in one another
MOST_FILES = 5000  # of a student, in all folders and zips
MOST_UNPACKED = 200 << 20  # bytes of a student's zips
NAMED = 8  # files, in a sentence
_ENDINGS = re.compile(r"(?<=.)(\.(ipynb|py|txt|json|zip))+$", re.IGNORECASE)
_NOT_HANDED_IN = (".", "__MACOSX")
_LINK = 0o120000
_DIRECTORY = 1 << 20  # bytes of a zip's list of files: each of them becomes an object
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError),
    *(RuntimeError, NotImplementedError, OverflowError, LookupError),
)


class File(NamedTuple):
    """A file, on the disk or in zips on the disk: ``inside`` names it in each of them.

    ``label`` is what the student is told.
    """

    path: Path
    label: str
    inside: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return re.split(r"[/\\]", self.inside[-1])[-1] if self.inside else self.path.name

    @property
    def kind(self) -> str:
        return os.path.splitext(self.name)[1].lower()


class Handed(NamedTuple):
    """A submission. ``key`` depends on its content.

    ``several`` are the names of the files between which only the student can choose, ``unread``
    those that lie beside the one that counts. ``problem`` says to the student and the teacher why
    there is no file. ``own`` is who the class list says it is by, where the name does not.
    """

    student: str
    file: File
    key: str
    several: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    text: str = ""
    problem: tuple[str, str] | None = None
    own: str = ""

    @property
    def whose(self) -> str:
        """The name that a student's own variant is drawn from."""
        return self.own or self.student


class Read(NamedTuple):
    """The code of a submission, with what is unusual about it."""

    cells: Sequence[str]
    warning: str
    note: str


def collected(
    folder: Path,
    own: Callable[[str], str] = lambda name: "",
    counts: Callable[[str, str], str] = lambda name, own: "",
) -> list[Handed]:
    """What was handed in, by student.

    ``own`` gives the name that the class list has for a submission's, and ``counts`` the file that
    the teacher has chosen of several.
    """
    try:
        children = sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{folder} is not a folder of submissions") from None
    except OSError as error:
        raise ValueError(f"{folder} cannot be opened: {error.strerror}") from None
    children = [child for child in children if not child.name.startswith(_NOT_HANDED_IN)]
    return [gathered(_student(theirs), theirs, own, counts) for theirs in _by_person(children)]


def gathered(
    student: str,
    children: Sequence[Path],
    own: Callable[[str], str] = lambda name: "",
    counts: Callable[[str, str], str] = lambda name, own: "",
) -> Handed:
    """What one student handed in, in these files and folders."""
    texts = [child for child in children if _is_text(child)]
    chosen = [child for child in children if child not in texts] or texts
    text = "an online text" if len(chosen) < len(children) else ""
    whose = own(student)
    files, problem = [], None
    try:
        files = list(_Search().files(chosen))
    except Unusable as error:
        problem = (error.note, error.warning)
    choice = counts(student, whose) if files else ""
    counted, unread = _chosen(files, choice, student) if choice else _counted(files)
    several = tuple(one.label for one in counted) if len(counted) > 1 else ()
    file = counted[0] if len(counted) == 1 else File(chosen[0], chosen[0].name)
    identity = (*several, *unread, *(problem or ()), *filter(None, (text, whose)))
    content = _content_of(file)
    key = digest(*identity, *(digest(os.fsencode(child.name).hex(), content) for child in children))
    return Handed(student, file, key, several, unread, text, problem, whose)


def read(handed: Handed) -> Read:
    """The code that counts; an `Unusable` if there is none."""
    if handed.problem:
        raise Unusable(*handed.problem)
    if handed.several:
        files = _listed(handed.several)
        raise Unusable(
            f"You handed in {len(handed.several)} files: {files}. Hand in the one that counts.",
            f"{len(handed.several)} files: {files}",
        )
    if _is_plain(handed.file.path) and not os.access(handed.file.path, os.R_OK):
        raise Unusable(
            f"{handed.file.label} cannot be opened. Ask your teacher to look at it.",
            f"{handed.file.label} cannot be read: change its permissions, and grade again",
        )
    with tempfile.TemporaryDirectory(prefix="handed-in-") as place:
        path = _on_disk(handed.file, Path(place))
        cells = code_cells(path)
        size = path.stat().st_size
    remarks = list(_unusual(handed, size))
    warnings, notes = ([remark[part] for remark in remarks if remark[part]] for part in (0, 1))
    return Read(cells, "; ".join(warnings), " ".join(notes))


def _unusual(handed: Handed, size: int) -> Iterator[tuple[str, str]]:
    """What teacher and student should know about a submission that could be read."""
    if handed.file.kind not in KINDS:
        yield f"renamed to {handed.file.name}, but read", ""
    if size > LARGE:
        note = "Clear the outputs of all cells before you hand in."
        yield f"{size / 2**20:.0f} MB, but read", f"Your file takes {size / 2**20:.0f} MB. {note}"
    if handed.unread:
        files = _listed(handed.unread)
        note = f"Only {handed.file.label} was read, and not {files}"
        yield f"not read: {files}", f"{note}: a notebook must hold all that its answers need."
    if handed.text:
        yield f"{handed.text} was handed in as well, and not read", ""


def _chosen(files: Sequence[File], name: str, student: str) -> tuple[list[File], tuple[str, ...]]:
    """The file that a teacher has named, and what is left beside it."""
    # Canvas writes the student's name and numbers before that of the file
    chosen = [
        one for one in files if name in (one.label, one.name) or one.name.endswith(f"_{name}")
    ]
    labels = [file.label for file in files]
    if len(files) == 1:
        return list(files), ()
    if len(chosen) != 1:
        raise ValueError(
            f"adjust.csv chooses {name!r} of {student}, who handed in {_listed(labels)}"
        )
    return chosen, tuple(label for label in labels if label != chosen[0].label)


def _counted(files: Sequence[File]) -> tuple[list[File], tuple[str, ...]]:
    """The files between which there is a choice, and the names of those left beside them.

    A notebook counts before Python files. Without either any file will do, since systems and
    browsers rename them.
    """
    notebooks = [file for file in files if file.kind == ".ipynb"]
    others = [file for file in files if file.kind == ".py"]
    if len(notebooks) == 1:
        return notebooks, tuple(file.label for file in others)
    return notebooks + others or list(files), ()


class _Search:
    """The files in folders and zips, counted so that no student can hold up the others."""

    def __init__(self):
        self._files, self._unpacked = 0, 0

    def files(self, children: Sequence[Path]) -> Iterator[File]:
        for child in children:
            if _is_folder(child):
                yield from self._folder(child, "", 1)
            else:
                yield from self._file(child, child.name, 1)

    def _folder(self, folder: Path, before: str, depth: int) -> Iterator[File]:
        _check_depth(depth)
        try:
            children = sorted(folder.iterdir())
        except OSError as error:
            raise Unusable(
                f"Your folder {folder.name} cannot be opened. Ask your teacher to look at it.",
                f"the folder {folder.name} cannot be opened ({error.strerror})",
            ) from None
        for child in children:
            if child.name.startswith(_NOT_HANDED_IN):
                continue
            label = before + child.name
            if _is_folder(child):
                yield from self._folder(child, f"{label}/", depth + 1)
            else:
                yield from self._file(child, label, depth + 1)

    def _file(self, path: Path, label: str, depth: int) -> Iterator[File]:
        self._count()
        if path.suffix.lower() != ".zip" or not _is_plain(path):
            yield File(path, label)
            return
        try:
            size = path.stat().st_size
            with open(path, "rb") as file:
                yield from self._zip(file, size, File(path, label), depth)
        except OSError as error:
            raise _damaged(label, error.strerror or "") from None

    def _zip(self, file: io.BufferedIOBase, size: int, at: File, depth: int) -> Iterator[File]:
        """The files of a zip, and of the zips in it."""
        _check_depth(depth)
        for entry, inner in _members(file, size, at.label):
            self._count()
            label = "/".join((at.label, *_parts(entry.filename)))
            member = File(at.path, label, (*at.inside, entry.filename))
            if member.kind in (*KINDS, ".zip"):
                self._unpack(entry.file_size)
            if member.kind == ".zip":
                content = _content(inner, entry, label)
                yield from self._zip(io.BytesIO(content), len(content), member, depth + 1)
            else:
                yield member

    def _unpack(self, size: int) -> None:
        self._unpacked += size
        if self._unpacked > MOST_UNPACKED:
            most = f"{MOST_UNPACKED >> 20} MB"
            raise Unusable(
                f"Your zip holds more than {most}. Hand in only the notebook.",
                f"a zip of more than {most} when unpacked",
            )

    def _count(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise Unusable(
                f"You handed in more than {MOST_FILES:,} files. Hand in only the notebook.",
                f"more than {MOST_FILES:,} files",
            )


def _check_depth(depth: int) -> None:
    if depth > DEEPEST:
        raise Unusable(
            f"You handed in more than {DEEPEST} folders or zips in one another. Hand in only the "
            "notebook.",
            f"more than {DEEPEST} folders or zips in one another",
        )


def _members(
    file: io.BufferedIOBase, size: int, label: str
) -> Iterator[tuple[zipfile.ZipInfo, zipfile.ZipFile]]:
    """What is in a zip and may be meant: no folders, no links, nothing that a system adds."""
    if size > LARGEST:
        raise Unusable(
            f"Your zip {label} takes {size / 2**20:.0f} MB; {LARGEST >> 20} are allowed. Hand in "
            "only the notebook.",
            f"{label} takes {size / 2**20:.0f} MB",
        )
    try:
        if _directory(file, size) > _DIRECTORY:
            raise Unusable(
                f"Your zip {label} holds too many files. Hand in only the notebook.",
                f"{label} holds too many files",
            )
        opened = zipfile.ZipFile(file)
    except _DAMAGED as error:
        raise _damaged(label, str(error)) from None
    with opened:
        for member in sorted(opened.infolist(), key=lambda one: one.filename):
            parts = _parts(member.filename)
            hidden = any(part.startswith(_NOT_HANDED_IN) for part in parts)
            link = (member.external_attr >> 16) & 0o170000 == _LINK
            if parts and not (hidden or link or member.filename.endswith(("/", "\\"))):
                yield member, opened


def _directory(file: io.BufferedIOBase, size: int) -> int:
    """How many bytes a zip's list of files has, as its end says."""
    file.seek(max(0, size - (1 << 16) - 22))
    end = file.read()
    at = end.rfind(b"PK\x05\x06")
    file.seek(0)
    return struct.unpack_from("<L", end, at + 12)[0] if at >= 0 else 0


def _content(inner: zipfile.ZipFile, member: zipfile.ZipInfo, label: str) -> bytes:
    """A file of a zip, in memory: not more than its zip says, and a little more than is graded."""
    if member.flag_bits & 1:
        raise Unusable(
            f"Your zip is locked with a password, so {label} cannot be read. Hand in the notebook "
            "itself.",
            f"{label} is locked with a password",
        )
    try:
        with inner.open(member) as file:
            return file.read(LARGEST + 1)
    except _DAMAGED as error:
        raise _damaged(label, str(error)) from None


def _damaged(label: str, why: str) -> Unusable:
    return Unusable(
        f"{label} cannot be opened: it may be damaged. Hand in the notebook itself.",
        f"{label} cannot be opened ({why[:80] or 'damaged'})",
    )


def _inside(file: File) -> bytes:
    """The content of a file that lies in zips."""
    content = None
    label = file.label
    for name in file.inside:
        try:
            source = file.path if content is None else io.BytesIO(content)
            with zipfile.ZipFile(source) as opened:
                content = _content(opened, opened.getinfo(name), label)
        except _DAMAGED as error:
            raise _damaged(label, str(error)) from None
    return content or b""


def _on_disk(file: File, place: Path) -> Path:
    """Where this file can be read: in this folder, under its own name, if it lies in a zip."""
    if not file.inside:
        return file.path
    endings = [suffix.lower() for suffix in Path(file.name).suffixes]
    path = place / f"handed-in{next((ending for ending in endings if ending in KINDS), '')}"
    path.write_bytes(_inside(file))
    return path


def _parts(name: str) -> list[str]:
    """The folders and the name of a file in a zip, whichever system made it."""
    return [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]


def _is_folder(path: Path) -> bool:
    return _is(path, Path.is_dir)


def _is_plain(path: Path) -> bool:
    return _is(path, Path.is_file)


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Whether it is of this kind and no link; what may not even be looked at is of none."""
    try:
        return not path.is_symlink() and kind(path)
    except OSError:
        return False


def _is_text(child: Path) -> bool:
    file = downloaded(child.name)
    return file is not None and file.is_text


def _by_person(children: Sequence[Path]) -> Iterator[list[Path]]:
    """The children, with all that is by the same student together."""
    people: dict[tuple[str, ...], list[Path]] = {}
    for child in children:
        people.setdefault(_person(child), []).append(child)
    for person, theirs in people.items():
        stems: dict[str, list[Path]] = {}
        for child in theirs:
            stems.setdefault(unicodedata.normalize("NFC", _student([child])), []).append(child)
        is_canvas = len(person) > 1 and person[0] != "Moodle"
        if is_canvas and _serials(theirs) < len(stems):  # "cs_101_2026_ada" and "cs_101_2026_bob"
            yield from stems.values()
        else:
            yield theirs


def _serials(children: Sequence[Path]) -> int:
    """How many numbers there are of these files: Canvas never gives the same one twice."""
    return len({downloaded(child.name).serial for child in children})


def _person(child: Path) -> tuple[str, ...]:
    """Equal for all that is by the same student."""
    file = downloaded(child.name)
    if file is None or not file.number:
        return (unicodedata.normalize("NFC", _student([child])),)
    return file.system, file.number, unicodedata.normalize("NFC", file.name)


def _student(children: Sequence[Path]) -> str:
    """Whose it is: the name without endings, such as the two of "ada.ipynb.txt"."""
    child = next((one for one in children if not _is_text(one)), children[0])
    name = child.name if _is_folder(child) else _ENDINGS.sub("", child.name)
    return name.encode("utf-8", "replace").decode()


def _content_of(file: File) -> str:
    """A digest of what the file holds."""
    content = b"no file"
    try:
        if file.inside:
            content = _inside(file)
        elif _is_plain(file.path):
            with open(file.path, "rb") as opened:
                content = opened.read(LARGEST + 1)  # of what is larger, nothing is graded
    except OSError as error:
        content = f"cannot be read: {error.strerror}".encode()
    except Unusable as error:
        content = error.note.encode("utf-8", "replace")
    return hashlib.sha256(content).hexdigest()


def _listed(files: Sequence[str]) -> str:
    more = f" and {len(files) - NAMED} more" if len(files) > NAMED else ""
    return ", ".join(files[:NAMED]) + more
