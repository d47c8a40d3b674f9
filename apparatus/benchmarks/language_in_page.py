"""How long does a symbol take in a reader's browser?

    python -m apparatus.benchmarks.language_in_page

The model is opened in a page as readers open it, and writes; then the same code runs in node. All
numbers are of one thread. CPU seconds are those of all of the browser's processes, so they hardly
depend on what else the machine does; without other work, a symbol takes as long on the clock. The
result goes into ``language_in_page.md``.
"""

import json
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from attn_book.commands import serve
from attn_book.commands.browser import chromium
from attn_book.commands.language_page import write_page
from attn_course.models.language_file import model_file

HERE = Path(__file__).parent
TEXT = "Attention is a weighted average of values, and its weights are read from keys, one by one."


def main() -> None:
    rows = {**in_chromium(), **in_node()}
    table = "\n".join(f"| {name} | {value:.3g} |" for name, value in rows.items())
    _, _, method = __doc__.partition("\n\n")
    Path(HERE / "language_in_page.md").write_text(
        "# A language model in the page\n\n"
        "Made by `python -m apparatus.benchmarks.language_in_page` on "
        f"{processor()}, with {model_file().name}.\n\n{method}\n"
        f"| what | measured |\n|---|---:|\n{table}\n",
        encoding="utf-8",
    )
    print(table)


def in_chromium() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        file = write_page(Path(folder), "chapters/page", model_file())
        session = browser.new_browser_cdp_session()
        with serve.running(Path(folder)) as site:
            page = browser.new_page()
            page.goto(f"{site}{file}")
            before = memory(session)
            begun = time.time(), cpu(session)
            page.locator("[data-part=load]").click()
            said(page, "Read: ")
            opened = cpu(session) - begun[1]
            page.locator("[data-part=text]").fill(TEXT)
            start = cpu(session)
            page.get_by_role("button", name="Read it").click()
            said(page, r"Read: \d\d symbols")
            reading = cpu(session) - start
            symbols = int(re.search(r"\d+", page.locator("[data-part=said]").inner_text())[0])
            start, began = cpu(session), time.time()
            page.get_by_role("button", name="Write on").click()
            said(page, "Written|ends its text")
            writing, waited = cpu(session) - start, time.time() - began
            return {
                "Chromium: CPU s to load, keep and open the file, and read 5 symbols": opened,
                "Chromium: CPU s for each symbol that is read": reading / symbols,
                "Chromium: CPU s for each of 12 symbols that are written": writing / 12,
                "Chromium: s on the clock for each of them, beside all other work": waited / 12,
                "Chromium: MB more memory of the page after that": memory(session) - before,
                "Chromium: MB more memory, at most": memory(session, "VmHWM") - before,
            }


def said(page, words: str) -> None:
    page.locator("[data-part=said]", has_text=re.compile(words)).wait_for(timeout=300_000)


def processes(session) -> list[dict]:
    return session.send("SystemInfo.getProcessInfo")["processInfo"]


def cpu(session) -> float:
    return sum(each["cpuTime"] for each in processes(session))


def memory(session, kind: str = "VmRSS") -> float:
    """The MB that the process of the page has, or with VmHWM the most that it has had."""
    kinds = {each["type"]: each["id"] for each in processes(session)}
    status = Path(f"/proc/{kinds['renderer']}/status").read_text("utf-8")
    return int(re.search(rf"{kind}:\s*(\d+)", status)[1]) / 1000


def in_node() -> dict[str, float]:
    quiet = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    command = [Path(sys.executable).with_name("node"), quiet, HERE / "language_model.js"]
    ran = subprocess.run([*command, model_file()], capture_output=True, text=True, check=True)
    return {f"node: {name}": value for name, value in json.loads(ran.stdout).items()}


def processor() -> str:
    """The machine's processor, where the system says it."""
    try:
        named = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        named = None
    return named[1] if named else platform.machine()


if __name__ == "__main__":
    main()
