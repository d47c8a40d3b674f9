"""Run the chapters before Sphinx reads them: side by side, one per core, the longest first.

Each result is kept in a file, named by the chapter and the key of its `dependencies`.
The file appears whole or not at all, so a build that is stopped does not lose finished chapters. A
kernel computes on one thread. So the numbers do not depend on how many cores there are or on what
runs at the same time, and with as many kernels as cores, nothing is lost.

A widget's id is random. Here it is derived from the chapter and the widget's place in it, so that
the same chapter always gives the same page.
"""

import asyncio
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

import nbformat
import zmq
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

STATE = "application/vnd.jupyter.widget-state+json"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_OF_RESULT = ("kernelspec", "language_info", "widgets")  # in a notebook's metadata
_SECONDS = "seconds"


def result_path(folder: Path, name: str, key: str) -> Path:
    """The file with the result of a chapter."""
    return folder / f"{_short(name)}.{key}.json"


def with_result(notebook: dict, result: dict) -> dict:
    """The notebook as it is written now, with the outputs of the one that was run."""
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    executed = [cell for cell in result["cells"] if cell["cell_type"] == "code"]
    for cell, ran in zip(codes, executed, strict=True):
        cell.update(outputs=ran["outputs"], execution_count=ran["execution_count"])
    metadata = result["metadata"]
    notebook["metadata"].update({name: metadata[name] for name in _OF_RESULT if name in metadata})
    return notebook


def run(
    root: Path,
    wanted: dict[str, str],
    folder: Path,
    timeout: int,
    say: Callable[[str], None],
) -> dict[str, Exception]:
    """Run the chapters, given with their keys; return what went wrong, by chapter.

    Chapters that have never been run keep the order in which they are given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    clients: list[NotebookClient] = []

    def run_one(name: str) -> float:
        began = time.monotonic()
        path = root / f"{name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook, timeout=timeout, record_timing=False, coalesce_streams=True
        )
        clients.append(client)
        execute(client, path.parent)
        seconds = time.monotonic() - began
        notebook.metadata[_SECONDS] = round(seconds, 1)
        _write(result_path(folder, name, wanted[name]), same_ids(notebook, name))
        return seconds

    names = sorted(wanted, key=lambda name: last_time(name, folder), reverse=True)
    with ThreadPoolExecutor(cores()) as pool:
        running = {pool.submit(run_one, name): name for name in names}
        try:
            return _finish(running, say)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end(clients)
            raise


def execute(client: NotebookClient, cwd: Path) -> None:
    """Execute a notebook in this folder, on one thread."""
    with own_sockets(client.create_kernel_manager()):
        env = {**os.environ, **ONE_THREAD}
        asyncio.run(client.async_execute(cwd=str(cwd), env=env))


def own_sockets(manager: KernelManager) -> tempfile.TemporaryDirectory[str]:
    """Reach the kernel by sockets in a folder of its own, which is to be kept until it has ended.

    Of a port, only the number would be chosen beforehand, and another process may take it until
    the kernel binds it. Where the path would be too long for a socket, ports it is.
    """
    folder = tempfile.TemporaryDirectory(prefix="kernel-", ignore_cleanup_errors=True)
    if len(f"{folder.name}/socket-9") <= zmq.IPC_PATH_MAX_LEN:
        manager.transport, manager.ip = "ipc", f"{folder.name}/socket"
    return folder


def cores() -> int:
    """How many kernels may run side by side."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def last_time(name: str, folder: Path) -> float:
    """The seconds that a chapter took the last time; infinity if it was never run."""
    last = max(folder.glob(f"{_short(name)}.*.json"), key=os.path.getmtime, default=None)
    return json.loads(last.read_text("utf-8"))["metadata"][_SECONDS] if last else float("inf")


def same_ids(notebook: dict, name: str) -> str:
    """The notebook as text, with widget ids that are the same in every run."""
    text = json.dumps(notebook, ensure_ascii=False)
    widgets = notebook["metadata"].get("widgets", {})
    for place, old in enumerate(widgets[STATE]["state"] if STATE in widgets else ()):
        text = text.replace(old, hashlib.sha256(f"{name} {place}".encode()).hexdigest()[:32])
    return text


def end(clients: Iterable[NotebookClient]) -> None:
    """Stop the kernels that nothing waits for any more."""
    for client in clients:
        process = getattr(getattr(client.km, "provisioner", None), "process", None)
        if process:
            process.kill()


def _finish(running: dict[Future, str], say: Callable[[str], None]) -> dict[str, Exception]:
    faults, todo = {}, set(running)
    while todo:
        ended, todo = wait(todo, return_when=FIRST_COMPLETED)
        for future in ended:
            if fault := future.exception():
                faults[running[future]] = fault
                say(f"{running[future]} failed")
            else:
                say(f"{running[future]} ran for {future.result():.0f} s")
    return {name: faults[name] for name in sorted(faults)}


def _write(path: Path, text: str) -> None:
    """Write the whole file or nothing."""
    fresh = path.with_suffix(".tmp")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _short(name: str) -> str:
    return name.replace("/", "-")
