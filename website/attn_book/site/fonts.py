"""The faces of the text, cut out of two npm packages to what the book writes (both OFL-1.1).

Eight files and a style sheet that names them are made once and kept in ``_build/fonts``, under a
key of the packages and of this module. A page loads four of them, 95 kB; the others come where one
of their letters occurs. ``book.css`` says where each face is used.
"""

import hashlib
import shutil
from io import BytesIO
from pathlib import Path

from .node import package

LATIN = {
    *range(0x20, 0x7F),
    *range(0xA0, 0x100),
    *range(0x2010, 0x2060),
    *map(ord, "ıŒœʻʼˆ˚˜€™↑↓−∕"),
}
# the letters of European names, and the marks that a letter may take
EXTENDED = {
    *map(ord, "ČčĎďĚěŇňŘřŠšŤťŮůŽžĄąĆćĘęŁłŃńŚśŹźŻżĂăŞşŢţȘșȚțĠġĞğİŐőŰűĀāĒēĪīŌōŪū"),
    *range(0x300, 0x320),
}
CYRILLIC = {*range(0x410, 0x450), *map(ord, "ЁёЂЈЉЊЋЏђјљњћџ")}
FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk"]
FEATURES += ["tnum", "lnum", "onum", "pnum", "sups", "subs", "case"]
SERIF, SANS = "source-serif-4", "source-sans-3"
TEXT, HEAD = {"wght": (400, 700), "opsz": 18}, {"wght": (600, 600), "opsz": 40}
ITALIC, BOTH = {"wght": (400, 400), "opsz": 18}, {"wght": (400, 700)}
# The name of each file, which begins with its package; the family; what it is cut from, and how. A
# browser joins files to one face only if their weights are the same.
FILES = {
    f"{SERIF}-text": ("Book Serif", "latin-opsz-normal", LATIN, TEXT),
    f"{SERIF}-text-extended": ("Book Serif", "latin-ext-opsz-normal", EXTENDED, TEXT),
    f"{SERIF}-italic": ("Book Serif", "latin-opsz-italic", LATIN, ITALIC),
    f"{SERIF}-italic-extended": ("Book Serif", "latin-ext-opsz-italic", EXTENDED, ITALIC),
    f"{SERIF}-head": ("Book Head", "latin-opsz-normal", LATIN, HEAD),
    SANS: ("Book Sans", "latin-wght-normal", LATIN, BOTH),
    f"{SANS}-extended": ("Book Sans", "latin-ext-wght-normal", EXTENDED, BOTH),
    f"{SANS}-cyrillic": ("Book Sans", "cyrillic-wght-normal", CYRILLIC, BOTH),
}
FIRST = (f"{SERIF}-text", f"{SERIF}-head")  # what a page asks for before it has its style sheet


def make(root: Path, build: Path) -> Path:
    """The folder of the fonts: ``static`` for the site, and a TTF that measures labels."""
    folder = build / "fonts" / _key(root)
    if not folder.exists():
        shutil.rmtree(folder.parent, ignore_errors=True)
        fresh = folder.with_name("new")
        (fresh / "static" / "fonts").mkdir(parents=True)
        _write(root, fresh / "static")
        _cut(_source(root, SANS, "latin-wght-normal"), LATIN, {"wght": 400}, fresh / f"{SANS}.ttf")
        fresh.rename(folder)
    return folder


def _key(root: Path) -> str:
    """A digest of what the fonts follow from."""
    sources = [_package(root, name) / "package.json" for name in (SERIF, SANS)]
    inputs = b"".join(path.read_bytes() for path in (Path(__file__), *sources))
    return hashlib.sha256(inputs).hexdigest()[:16]


def _package(root: Path, name: str) -> Path:
    of = SANS if name.startswith(SANS) else SERIF
    return package(root, f"@fontsource-variable/{of}")


def _write(root: Path, folder: Path) -> None:
    faces = []
    for name, (family, part, characters, axes) in FILES.items():
        _cut(_source(root, name, part), characters, axes, folder / "fonts" / f"{name}.woff2")
        thin, bold = axes["wght"]
        faces.append(
            f'@font-face{{font-family:"{family}";font-style:{part.rpartition("-")[2]};'
            f"font-weight:{thin} {bold};font-display:swap;unicode-range:{_ranges(characters)};"
            f'src:url(fonts/{name}.woff2) format("woff2")}}\n'
        )
    (folder / "fonts.css").write_text("".join(faces), encoding="utf-8")
    licences = [(_package(root, name) / "LICENSE").read_text("utf-8") for name in (SERIF, SANS)]
    (folder / "fonts" / "OFL.txt").write_text("\n".join(licences), encoding="utf-8")


def _source(root: Path, name: str, part: str) -> Path:
    folder = _package(root, name)
    return folder / "files" / f"{folder.name}-{part}.woff2"


def _cut(file: Path, characters: set[int], axes: dict, target: Path) -> None:
    """Write a font of these characters, with what is left of its axes."""
    from fontTools import subset, ttLib  # which take a while to start
    from fontTools.varLib import instancer

    font = instancer.instantiateVariableFont(ttLib.TTFont(file, recalcTimestamp=False), axes)
    font.flavor, between = None, BytesIO()
    font.save(between)  # what is not saved cannot always be cut
    font = ttLib.TTFont(between, recalcTimestamp=False)
    options = subset.Options(
        layout_features=FEATURES, hinting=False, name_IDs=[1, 2, 3, 4, 6, 13, 14]
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    font.flavor = "woff2" if target.suffix == ".woff2" else None
    font.save(target)


def _ranges(characters: set[int]) -> str:
    """Characters as CSS names them: U+20-7E, U+A0-FF."""
    starts = sorted(one for one in characters if one - 1 not in characters)
    ends = sorted(one for one in characters if one + 1 not in characters)
    return ",".join(
        f"U+{start:X}" if start == end else f"U+{start:X}-{end:X}"
        for start, end in zip(starts, ends, strict=True)
    )
