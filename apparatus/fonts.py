"""Run a command with sets of fonts: ``python -m apparatus.fonts [--folder FOLDER] [--set SET]``.

What the tests of the pages demand must hold whatever fonts a reader has. Chromium uses the fonts
that fontconfig offers, so each set is a configuration of fontconfig, and nothing is installed. The
fonts are taken from the system and from FOLDER, where they lie unpacked. To get a missing set:

    cd FOLDER; apt-get download PACKAGE; dpkg -x PACKAGE_*.deb .

Without a command, the tests of the pages are run.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import escape

ROOT = Path(__file__).resolve().parent.parent
SYSTEM = Path("/usr/share/fonts")
TESTS = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", "website/tests/pages"]
MISSING = "missing"
GENERIC = {"sans-serif": "Sans", "system-ui": "Sans", "serif": "Serif", "monospace": "Sans Mono"}


@dataclass(frozen=True)
class Fonts:
    """A set of fonts. ``files`` are the beginnings of their names; a file must exist for each."""

    files: tuple[str, ...]
    packages: str
    family: str  # what the generic families stand for: "DejaVu" means DejaVu Sans, Serif, Sans Mono
    flags: str = ""  # for Chromium

    def found(self, folders: list[Path]) -> bool:
        names = {path.name for folder in folders for path in folder.rglob("*.[ot]t[fc]")}
        return all(any(name.startswith(begin) for name in names) for begin in self.files)


NOTO = ("NotoSans-", "NotoSerif-", "NotoSansMono-", "NotoSansMath-", "NotoSansSymbols")
SCRIPTS = tuple(f"NotoSans{name}-" for name in ("Thai", "Devanagari", "Arabic", "Hebrew", "CJK"))
SETS = {
    "dejavu": Fonts(("DejaVu",), "fonts-dejavu-core", "DejaVu"),
    "liberation": Fonts(("Liberation",), "fonts-liberation", "Liberation"),
    "noto": Fonts(NOTO, "fonts-noto-core fonts-noto-mono", "Noto"),
    "scripts": Fonts(NOTO + SCRIPTS, "fonts-noto-core fonts-noto-mono fonts-noto-cjk", "Noto"),
    # as a reader who chose "very large" in Chromium's settings
    "large": Fonts(
        ("DejaVu",),
        "fonts-dejavu-core",
        "DejaVu",
        "--blink-settings=defaultFontSize=24,defaultFixedFontSize=20",
    ),
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m apparatus.fonts", description=__doc__)
    parser.add_argument("--folder", type=Path, help="where packages of fonts were unpacked")
    parser.add_argument("--set", action="append", choices=SETS, help="by default all of them")
    parser.add_argument("command", nargs="*", help="what to run; by default website/tests/pages")
    asked = parser.parse_args(arguments)
    folders = [folder.resolve() for folder in (SYSTEM, asked.folder) if folder]
    if asked.folder and not asked.folder.is_dir():
        parser.error(f"--folder must be a folder of fonts; there is none at {asked.folder}")
    said = list(under(asked.set or list(SETS), folders, asked.command or TESTS))
    print("\n".join(f"{name:<11} {outcome}" for name, outcome in said))
    # a set that was asked for by name must be there
    if any(
        outcome != "passed" and (asked.set or not outcome.startswith(MISSING))
        for _, outcome in said
    ):
        sys.exit(1)


def under(names: list[str], folders: list[Path], command: list[str]) -> Iterator[tuple[str, str]]:
    """Run a command with each set, and report the outcome."""
    for name in names:
        fonts = SETS[name]
        if not fonts.found(folders):
            yield name, f"{MISSING}: in {fonts.packages}; name the folder of the unpacked packages"
            continue
        print(f"---- fonts: {name}", flush=True)
        run = subprocess.run(command, cwd=ROOT, env=os.environ | surroundings(name, folders))
        yield name, f"failed ({run.returncode})" if run.returncode else "passed"


def surroundings(name: str, folders: list[Path]) -> dict[str, str]:
    """The environment in which Chromium has the fonts of a set and no others."""
    file = ROOT / "_build" / "fonts" / f"{name}.conf"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(configuration(SETS[name], folders, file.parent), encoding="utf-8")
    return {"FONTCONFIG_FILE": str(file), "CHROMIUM_FLAGS": SETS[name].flags}


def configuration(fonts: Fonts, folders: list[Path], cache: Path) -> str:
    """A configuration of fontconfig: only these files, and what the generic families mean."""
    places = "".join(f"<dir>{escape(str(folder))}</dir>\n" for folder in folders)
    accepted = "".join(f"<glob>*/{begin}*</glob>" for begin in fonts.files)
    families = "".join(
        f"<alias binding='same'><family>{generic}</family><prefer>"
        f"<family>{fonts.family} {style}</family></prefer></alias>\n"
        for generic, style in GENERIC.items()
    )
    return (
        f"<?xml version='1.0'?>\n<!DOCTYPE fontconfig SYSTEM 'fonts.dtd'>\n<fontconfig>\n{places}"
        f"<cachedir>{escape(str(cache))}</cachedir>\n"
        f"<selectfont><rejectfont><glob>*.*</glob></rejectfont>"  # folders have no dot
        f"<acceptfont>{accepted}</acceptfont></selectfont>\n{families}</fontconfig>\n"
    )


if __name__ == "__main__":
    main()
