"""What a person is called, in whichever way a system, a disk or a spreadsheet writes the name.

Moodle and Canvas put a name into the names of the files that a teacher downloads, and clean it
first: Moodle's ``clean_filename`` leaves out quotation marks, apostrophes and the like, and writes
a space for an underscore; Canvas leaves only letters, digits and underscores, and adds its own ID.
"""

import re
import unicodedata
from typing import NamedTuple

# what Moodle leaves out of a file's name, and the apostrophes that people type for one another
_LEFT_OUT = frozenset("&<>\"`|':\\/\u2018\u2019\u02b9\u02bb\u02bc\u00b4\uff07\u1fef\u1ffd")
_REPLACED = str.maketrans("_?*", "   ")  # the last two are not allowed in names under Windows
_UNSEEN = ("Cc", "Cf")  # controls; marks of direction, joiners and other letters without a width
_VISIBLE = "\t\n\u200c\u200d"  # names in Persian and in Indian scripts are written with the joiners

_CANVAS = re.compile(
    r"(?P<name>[^\s.]+?)_(?:LATE_)?(?P<number>\d+)_(?P<serial>\d+_|text\b|link\b)", re.IGNORECASE
)
_ANONYMOUS = re.compile(
    r"(?P<name>anon)_(?:LATE_)?(?P<number>[^\W_]+)_(?P<serial>\d+_|text\b|link\b)", re.IGNORECASE
)
_MOODLE = re.compile(
    r"(?P<name>.+?)(?:_(?P<number>\d+))?_assignsubmission_(?P<kind>[a-z]+)(?:_|$)", re.DOTALL
)


class Downloaded(NamedTuple):
    """What the name of a downloaded file says: by whom it is, and the system's number for them."""

    system: str
    name: str
    number: str
    is_text: bool = False  # typed into a form of the system, and no file of the student's
    serial: str = ""  # Canvas's own number of this file

    @property
    def key(self) -> str:
        """The part that tells this student from all others, as far as the name says it."""
        if self.system == "Moodle":
            return self.name
        return self.number if self.system == "Canvas" else f"{self.name} {self.number}"


def downloaded(name: str) -> Downloaded | None:
    """What this name says, if it is one that Moodle or Canvas gives to a file or a folder."""
    name = unicodedata.normalize("NFC", name)
    if match := _MOODLE.match(name):
        is_text = match["kind"] == "onlinetext"
        return Downloaded("Moodle", match["name"], match["number"] or "", is_text)
    for system, pattern in (("Canvas, anonymous", _ANONYMOUS), ("Canvas", _CANVAS)):
        if match := pattern.match(name):
            is_text = not match[0].endswith("_")
            return Downloaded(system, match["name"], match["number"], is_text, match["serial"])
    return None


def splits(name: str) -> list[Downloaded]:
    """All that a file's name from Canvas may say: a student may be called like the rest of one."""
    name = unicodedata.normalize("NFC", name)
    matches = (_CANVAS.match(name, at) for at in reversed(range(len(name))))
    return [
        Downloaded("Canvas", name[: match.end("name")], match["number"], serial=match["serial"])
        for match in {one.start("number"): one for one in matches if one}.values()
        if not re.search(r"[\s.]", name[: match.end("name")])
    ]


def called(name: str) -> str:
    """Who is meant, in the one form in which names are compared and codes are drawn.

    ``name`` is a name, or that of a downloaded file. Upper case, spaces, the two ways in which
    Unicode writes an accent, "Last, First" and what Moodle leaves out do not matter.
    """
    file = downloaded(name)
    name = file.key if file else name
    last, comma, first = name.partition(",")
    if comma and first.strip() and "," not in first and "@" not in name:
        name = f"{first} {last}"
    return plain(name)


def plain(name: str) -> str:
    """A name without what systems change in it: equal for all ways to write the same name.

    A login keeps its underscores; in a name of several words, Moodle makes them spaces.
    """
    name = unicodedata.normalize("NFKC", _left(unicodedata.normalize("NFC", name)))
    name = _left(unicodedata.normalize("NFKC", name.casefold()))
    if len(name.split()) > 1:
        name = name.translate(_REPLACED)
    name = re.sub(r"\.\.+", "", name)  # as older versions of Moodle do
    return " ".join(unicodedata.normalize("NFC", name).split())


def words(name: str) -> str:
    """The plain name without commas and underscores, to be compared within a class."""
    return " ".join(plain(name).translate(_REPLACED).replace(",", " ").split())


def shown(text: str) -> str:
    """Text as people may read it, on a page or a terminal: nothing in it is hidden or turned.

    Letters that change the direction of writing, and controls but for lines and tabs, are left out.
    """
    text = text.encode("utf-8", "replace").decode()
    return "".join(
        letter
        for letter in text
        if letter in _VISIBLE or unicodedata.category(letter) not in (*_UNSEEN, "Zl", "Zp")
    )


def _left(name: str) -> str:
    """Without the letters that Moodle leaves out, and those that nobody sees."""
    letters = (letter for letter in name if letter not in _LEFT_OUT)
    return "".join(letter for letter in letters if unicodedata.category(letter) not in _UNSEEN)
