"""How long does a symbol take in a reader's browser?

    python -m apparatus.benchmarks.language_in_page

The model is opened in a page as readers open it, reads and writes; so it does in wllama, which is
llama.cpp in WebAssembly; then the page's code runs in node, also as where there is no WebAssembly.
The file, the text and the machine are the same. All numbers are of one thread, the least of three.
CPU seconds are those of all of the browser's processes, so they hardly depend on what else the
machine does; without other work, a symbol takes as long on the clock. The result goes into
``language_in_page.md``.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from attn_book.commands import serve
from attn_book.commands.browser import chromium
from attn_book.commands.language_page import write_page
from attn_book.site.node import assembled, package
from attn_course.models.language_file import model_file
from attn_course.views import widgets

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TEXT = "Attention is a weighted average of values, and its weights are read from keys, one by one."
WRITTEN = 12  # as many as the page writes at a time
ROWS = {
    "open": "CPU s to open the file (and for the page, to read 5 symbols)",
    "read": "CPU s for each symbol that is read",
    "written": "CPU s for each symbol that is written",
    "rss": "MB more memory after that",
    "peak": "MB more memory, at most",
}
WLLAMA = """async () => {
  const { Wllama } = await import("/esm/index.js");
  window.model = new Wllama({ default: "/esm/wasm/wllama.wasm" }, { suppressNativeLog: true });
  const { files } = document.querySelector("input");
  await model.loadModel([...files], { n_threads: 1, n_gpu_layers: 0, n_ctx: 512, warmup: false });
}"""
GO_ON = """([prompt, max_tokens]) => model.createCompletion(
  { prompt, max_tokens, temperature: 0, cache_prompt: false, ignore_eos: true })"""


def main() -> None:
    module = assembled(ROOT, Path(widgets.__file__).parent / "shared" / "packed.wat")
    columns = {
        "the page": in_chromium(of_page),
        "wllama": in_chromium(of_wllama),
        "node": in_node(module),
        "node, no WebAssembly": in_node(""),
    }
    table = f"| | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}\n"
    for key, words in ROWS.items():
        cells = [f"{column[key]:.3g}" if key in column else "" for column in columns.values()]
        table += f"| {words} | {' | '.join(cells)} |\n"
    _, _, method = __doc__.partition("\n\n")
    Path(HERE / "language_in_page.md").write_text(
        "# A language model in the page\n\n"
        "Made by `python -m apparatus.benchmarks.language_in_page` on "
        f"{processor()}, with {model_file().name}.\n\n{method}\n{table}",
        encoding="utf-8",
    )
    print(table)


def in_chromium(use: Callable) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        file = write_page(Path(folder), "chapters/page")
        shutil.copytree(package(ROOT, "@wllama/wllama") / "esm", Path(folder, "esm"))
        Path(folder, "wllama.html").write_text("<!doctype html><input type='file'>")
        session = browser.new_browser_cdp_session()

        def cpu(does: Callable, *arguments) -> float:
            start = cpu_of(session)
            does(*arguments)
            return cpu_of(session) - start

        with serve.running(Path(folder)) as site:
            page = browser.new_page()
            page.goto(f"{site}{file if use is of_page else 'wllama.html'}")
            before = memory(session)
            result = use(page, cpu)
            result["rss"] = memory(session) - before
            result["peak"] = memory(session, "VmHWM") - before
            return result


def of_page(page, cpu: Callable) -> dict[str, float]:
    """The page, used as readers use it."""

    def use(name: str, words: str) -> None:
        part = page.locator(f"[data-part={name}]")
        part.set_input_files(model_file()) if name == "file" else part.click()
        page.locator("[data-part=said]", has_text=re.compile(words)).wait_for(timeout=300_000)

    opened, read, written = cpu(use, "file", "Read: "), [], []
    for n in range(3):
        page.locator("[data-part=text]").fill(TEXT + "." * n)  # the same text is read but once
        spent = cpu(use, "read", r"Read: \d\d symbols")
        symbols = int(re.search(r"\d+", page.locator("[data-part=said]").inner_text())[0])
        read.append(spent / symbols)
        written.append(cpu(use, "write", "Written|ends its text") / WRITTEN)
    return {"open": opened, "read": min(read), "written": min(written)}


def of_wllama(page, cpu: Callable) -> dict[str, float]:
    """Reading is up to the first symbol that is written, as in the page."""
    page.locator("input").set_input_files(model_file())
    opened, read, written = cpu(page.evaluate, WLLAMA), [], []
    symbols = page.evaluate(GO_ON, [TEXT, 1])["usage"]["prompt_tokens"]
    for _ in range(3):
        spent = cpu(page.evaluate, GO_ON, [TEXT, 1])
        read.append(spent / symbols)
        written.append((cpu(page.evaluate, GO_ON, [TEXT, 1 + WRITTEN]) - spent) / WRITTEN)
    return {"open": opened, "read": min(read), "written": min(written)}


def processes(session) -> list[dict]:
    return session.send("SystemInfo.getProcessInfo")["processInfo"]


def cpu_of(session) -> float:
    return sum(process["cpuTime"] for process in processes(session))


def memory(session, kind: str = "VmRSS") -> float:
    """The MB that the process of the page has, or with VmHWM the most that it has had."""
    kinds = {process["type"]: process["id"] for process in processes(session)}
    status = Path(f"/proc/{kinds['renderer']}/status").read_text("utf-8")
    return int(re.search(rf"{kind}:\s*(\d+)", status)[1]) / 1000


def in_node(module: str) -> dict[str, float]:
    quiet = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    command = [Path(sys.executable).with_name("node"), quiet, HERE / "language_model.js"]
    command += [model_file(), module]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def processor() -> str:
    """The machine's processor, where the system says it."""
    try:
        named = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        named = None
    return named[1] if named else platform.machine()


if __name__ == "__main__":
    main()
