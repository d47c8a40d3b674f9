"""The built book as a single file to pass on: ``python -m attn_book.commands.archive``.

``dist/attention-measured-<version>.zip`` contains one folder. Unpacked anywhere, it opens with a
double click on its ``index.html``, and needs neither a server nor a network.
"""

import os
import sys
import zipfile
from pathlib import Path

from attn_course import __version__ as VERSION

ROOT = Path(__file__).resolve().parents[3]
NAME = "attention-measured"
ONLY_FOR_SERVERS = {".nojekyll", "404.html", "robots.txt", "sitemap.xml"}
MODELS = "_static/model/"
EARLIEST = (1980, 1, 1, 0, 0, 0)  # in a zip file, so that the same book gives the same file
HOW = """Attention, measured, version {version}

Unpack the whole folder first: inside the zip file, the book cannot find its parts.
Then open index.html with a double click. It needs no network.

Its text and figures are under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), and its
code is under this licence:

{licence}"""


def main(root: Path = ROOT) -> Path:
    site = root / "_build" / "html"
    if not (site / "index.html").exists():
        sys.exit("There is no book to pack yet: make book")
    target = root / "dist" / f"{NAME}-{VERSION}.zip"
    target.parent.mkdir(exist_ok=True)
    licence = (root / "LICENSE").read_text(encoding="utf-8")
    pack(site, target, HOW.format(version=VERSION, licence=licence))
    megabytes = target.stat().st_size / 1e6
    print(f"{target.relative_to(root)}: the whole book, {megabytes:.1f} MB")
    return target


def pack(site: Path, target: Path, how: str) -> None:
    """Write the site as one folder into ``target``; an interrupted run keeps the old file.

    The language model is left out: what runs it cannot start in a page opened from a folder.
    """
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    packed = (name for name in sorted(names - ONLY_FOR_SERVERS) if not name.startswith(MODELS))
    files = {name: (site / name).read_bytes() for name in packed}
    # Windows line endings, for its oldest editors; others do not mind
    files["READ ME FIRST.txt"] = how.replace("\n", "\r\n").encode("utf-8-sig")
    zipped(target, {f"{target.stem}/{name}": content for name, content in files.items()})


def zipped(target: Path, files: dict[str, bytes]) -> None:
    """Write a zip file; the same files give the same one."""
    new = target.with_name(f"{target.name}.new")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            # an EPUB says what it is in a file that is found without unpacking
            entry.compress_type = zipfile.ZIP_DEFLATED if name != "mimetype" else zipfile.ZIP_STORED
            entry.external_attr = 0o644 << 16  # readable by everyone who unpacks it
            archive.writestr(entry, content)
    os.replace(new, target)


if __name__ == "__main__":
    main()
