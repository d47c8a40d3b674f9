"""Every browser that package.json names can read what the pages load.

Style sheets and scripts are looked at as they are shipped. What older browsers do not know, but can
do without, is listed here with what they show instead.
"""

import json
import re
import subprocess
from pathlib import Path

from listing import ROOT

from attn_book.site.node import browsers, node, package

SCRIPT = Path(__file__).with_name("browsers.mjs")
# by caniuse's names: what a browser that lacks it shows instead
DISPENSABLE = {
    "css-container-queries": "tables and cards that break as on a wide page",
    "css-container-query-units": "letters of the usual size",
    "css-autofill": "fields as they are filled: no form of the book asks for what is kept",
    "css-content-visibility": "a page that is laid out whole, as it is with a place in its address",
    "css-has": "a little more room, or none, around what is in it",
    "css-overflow-anchor": "a menu that may jump as it grows, which none here does",
    "css-resize": "a box of one size",
    "css-scrollbar": "a scroll bar",
    "css-subgrid": "columns that are as wide as their words",
    "css-touch-action": "a slider that a finger may also scroll by",
    "css3-cursors-grab": "no cursor, where there is no mouse",
    "extended-system-fonts": "the next font of the list",
}
# Newer than the oldest browsers, as is a selector with :has in a script; a call behind `?.` may be.
TOO_NEW = re.compile(
    r"\(\?<[=!]"  # a look-behind, wherever a pattern is written
    r"|(?<!\?)\.(?:toSorted|toReversed|toSpliced|groupBy|fromAsync|withResolvers|checkVisibility"
    r"|isSubsetOf|symmetricDifference|isWellFormed|startViewTransition|showPopover|canParse)\("
    r"|\brequestIdleCallback\(|\bIntl\.Segmenter\b|\(\?i[:-]|:has\("
)
TOO_NEW_IN_SHEETS = re.compile(
    r"\b(?:light-dark|color-mix|oklch|oklab|anchor|if)\(|@(?:scope|starting-style|view-transition)\b"
    r"|:(?:user-valid|popover-open|state)\b"
)
WRONG = {
    "a.css": "@media (width >= 40rem) { p { margin: 0 } }",
    "b.css": "p { color: light-dark(red, blue) }",
    "c.js": "const year = /(?<!\\d)\\d{4}/;",
    "d.js": "class A { static { A.b = 1 } }",
}


def faults(paths: list[Path]) -> dict[str, list[str]]:
    """What some supported browser cannot read in these files."""
    request = {name: str(package(ROOT, name)) for name in ("doiuse", "postcss", "esbuild")}
    targets = [name.replace("ios_saf", "ios") + version for name, version in browsers(ROOT)]
    request |= {"root": str(ROOT), "files": [*map(str, paths)], "targets": targets}
    command, text = [node(), SCRIPT], json.dumps(request)
    process = subprocess.run(command, input=text, capture_output=True, encoding="utf-8")
    assert process.returncode == 0, process.stderr
    messages = {
        name: [text for feature, text in uses if feature not in DISPENSABLE]
        for name, uses in json.loads(process.stdout).items()
    }
    for path in paths:
        text = path.read_text("utf-8")
        new = TOO_NEW if path.suffix == ".js" else TOO_NEW_IN_SHEETS
        messages[str(path)] += [text[one.start() :][:60] for one in new.finditer(text)]
    return {Path(name).name: texts for name, texts in messages.items() if texts}


def shipped(folder) -> list[Path]:
    files = [path for path in (folder / "_static").rglob("*") if path.suffix in (".css", ".js")]
    return [path for path in files if not path.name.endswith(".bytes.js")]  # data


def test_what_is_shipped_is_known_to_all_supported_browsers(folder):
    files = shipped(folder)
    assert {"book.js", "copybutton.js", "early.js"} <= {path.name for path in files}
    assert len([path for path in files if path.suffix == ".css"]) > 10
    assert faults(files) == {}


def test_what_is_too_new_is_found(tmp_path):
    for name, text in WRONG.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert {*faults([tmp_path / name for name in WRONG])} == {*WRONG}


def test_the_book_says_which_browsers_it_supports(parsed):
    named = {"chrome": "Chrome", "edge": "Edge", "firefox": "Firefox", "safari": "Safari"}
    readme = (ROOT / "README.md").read_text("utf-8")
    for text in (parsed["book/how-to-study.html"].article.get_text(" "), readme):
        words = " ".join(text.split())
        for name, version in browsers(ROOT):
            if name in named:
                assert re.search(rf"{named[name]}[^.]*? {re.escape(version)}\b", words), name
