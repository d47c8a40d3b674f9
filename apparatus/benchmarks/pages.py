"""How large is a page, and how soon does its first widget respond? In Chromium, with two peers.

    python -m apparatus.benchmarks.pages

Every page of the built book is opened in a browser with an empty cache, over the machine's own
network and over a slow line. In addition, one question is shown in three ways: by the course, by
stock Jupyter Book with stock ipywidgets, and by JupyterLite. README.md says what is measured, and
how.
"""

import argparse
import re
import statistics
import sys
from collections import Counter
from pathlib import Path

from playwright.sync_api import Browser, expect

from apparatus.benchmarks import peers_of_pages as peers
from apparatus.benchmarks.line import Line, packed, serving
from apparatus.benchmarks.report import begun, machine, write
from apparatus.benchmarks.report_of_pages import page as report
from apparatus.trials.environment import ROOT
from attn_book.commands.browser import chromium

HERE = Path(__file__).parent
SITE = ROOT / "_build" / "html"
PROBE = (HERE / "probe.js").read_text(encoding="utf-8")
LINES = {"here": (0, 0), "slow": (10e6, 0.04)}  # bits per second, seconds
LOADING = 180  # seconds in which a page comes over the slowest line
PATIENCE = 180  # seconds after which a widget counts as dead
PACKAGES = ("jupyter-book", "sphinx-book-theme", "ipywidgets", "anywidget", "playwright")
KINDS = {
    "html": (".html",),
    "css": (".css",),
    "js": (".js", ".mjs"),
    "fonts": (".woff2", ".woff", ".ttf"),
    "weights": (".bytes.js",),
    "pictures": (".svg", ".png", ".ico", ".jpg"),
}


def kind_of(path: str) -> str:
    """The kind of a file by its name; anything else is data, such as a wheel or WebAssembly."""
    if path.endswith(".bytes.js"):
        return "weights"
    return next((kind for kind, ends in KINDS.items() if path.endswith(ends)), "data")


def bytes_by_kind(sent: list[tuple[str, int]], site: Path, name: str) -> dict[str, int]:
    """What came over the line; drawings inside the page count as its figures, not as text."""
    counted = Counter()
    for path, size in sent:
        counted[kind_of(path)] += size
    drawn = figures(site / name)
    counted["html"] -= drawn
    return dict(counted) | {"figures": drawn}


def figures(page: Path) -> int:
    """The number of bytes by which the gzipped page would shrink without its drawings."""
    text = page.read_text(encoding="utf-8")
    without = re.sub(r"<svg\b.*?</svg>", "", text, flags=re.DOTALL)
    bare = page.with_suffix(".bare")
    bare.write_text(without, encoding="utf-8")
    saved = len(packed(str(page))[0]) - len(packed(str(bare))[0])
    bare.unlink()
    return saved


def opened(browser: Browser, width: int, script: str):
    """A page in a browser with an empty cache, which is a phone's if it is 360 pixels wide."""
    phone = {"has_touch": True, "is_mobile": True} if width < 480 else {}
    context = browser.new_context(viewport={"width": width, "height": 800}, **phone)
    page = context.new_page()
    page.add_init_script(script)
    return page


def first_answer(browser: Browser, address: str, kind: str) -> dict:
    """Milliseconds until the first widget responds, and the longest task until shortly after."""
    page = opened(browser, 1280, f"{PROBE}\nif (window === top && {kind!r}) work({kind!r});")
    page.goto(address, timeout=LOADING * 1000)
    waited = 0
    while kind and page.evaluate("probe.ready") is None:
        page.wait_for_timeout(100)
        waited += 0.1
        if waited > PATIENCE:
            sys.exit(f"{address}: no widget has answered in {PATIENCE} s")
    page.wait_for_timeout(500)
    found = page.evaluate("({ ready: probe.ready, longest: probe.longest })")
    page.context.close()
    return {name: value and round(value) for name, value in found.items()}


def shift(browser: Browser, address: str, width: int) -> float:
    """The cumulative layout shift until all widgets are drawn, with nothing touched."""
    page = opened(browser, width, PROBE)
    page.goto(address, timeout=LOADING * 1000)
    try:
        expect(page.locator(".attn-still")).to_have_count(0, timeout=PATIENCE * 1000)
    except AssertionError:
        sys.exit(f"{address}, {width} pixels wide: a widget has not come in {PATIENCE} s")
    page.wait_for_timeout(500)
    value = page.evaluate("probe.shift")
    page.context.close()
    return round(value, 5)


def measure(browser: Browser, site: Path, name: str, kind: str, line: Line) -> dict:
    """One cold load; on a slow line two more, to see whether anything moves when widgets appear."""
    path = name.partition("?")[0]
    with serving(site, line) as host:
        line.sent.clear()
        found = first_answer(browser, host + name, kind)
        found["requests"] = len(line.sent)
        found["bytes"] = bytes_by_kind(line.sent, site, path)
        if kind != "stock" and line.bits:
            found["shift"] = {
                str(width): shift(browser, host + name, width) for width in (1280, 360)
            }
    return found


def contestants() -> dict[str, tuple[Path, str, str]]:
    """Where each page is, and whose widgets it has; the book's pages in the order of its files."""
    if not (SITE / "index.html").exists():
        sys.exit("There is no book to measure yet: make book")
    sites = {
        "the course": (*peers.ours(), "course"),
        "Jupyter Book": (*peers.stock(), "stock"),
        "JupyterLite": (*peers.lite(), "stock"),
    }
    for page in sorted(SITE.glob("*/*.html")):
        name = page.relative_to(SITE).as_posix()
        if not name.startswith("_"):
            alive = 'class="attn-widget"' in page.read_text(encoding="utf-8")
            sites[name] = (SITE, name, "course" if alive else "")
    return sites


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--result", type=Path, default=HERE / "pages.json")
    given = words.parse_args()
    sites = contestants()
    with chromium() as browser:
        how = machine(*PACKAGES)
        how["versions"] |= {"chromium": browser.version} | peers.versions()
        how |= {
            "command": f"python -m apparatus.benchmarks.pages --rounds {given.rounds}",
            "repetitions": given.rounds,
            "contestants": [f"{line}: {name}" for line in LINES for name in sites],
        }
        result = begun(given.result, how)
        for turn in range(given.rounds):
            go_round(browser, sites, result, turn, given.result)
    given.result.with_suffix(".md").write_text(report(result), encoding="utf-8")
    ready = [runs["ready"] for runs in result["runs"]["here: the course"].values()]
    print(f"the course answers after {statistics.median(ready)} ms; the table is beside the result")


def go_round(browser: Browser, sites: dict, result: dict, turn: int, path: Path) -> None:
    """All of them, one after the other; every second round in reverse order."""
    for line, (bits, delay) in LINES.items():
        for name in list(sites)[:: -1 if turn % 2 else 1]:
            runs = result["runs"][f"{line}: {name}"]
            if str(turn) not in runs:
                runs[str(turn)] = measure(browser, *sites[name], Line(bits, delay))
                write(path, result)


if __name__ == "__main__":
    main()
