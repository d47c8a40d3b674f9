"""A Jupyter server from an environment, without a network and without the user's settings."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .environment import PATIENCE, Environment

OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--IdentityProvider.token=",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    "--log-level=ERROR",
)
# empty folders beside that of the notebooks, so that the user's settings have no effect
SETTINGS = (
    *("JUPYTER_CONFIG_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR"),
    *("JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"),
)


@contextmanager
def serving(
    environment: Environment, home: Path, application: str, options: tuple[str, ...]
) -> Iterator[str]:
    """The address of ``python -m application`` in the folder ``home``, once it responds."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{(port := sock.getsockname()[1])}"
    place = home.with_name(f"{home.name}-settings")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    command = [str(environment.bin / "python"), "-m", application, *OPTIONS, *options]
    with (place / "log.txt").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [*command, f"--ServerApp.port={port}"],
            cwd=home,
            env=environment.variables(**{name: str(place / name) for name in SETTINGS}),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            await_answer(f"http://{address}/api/status", 60 * PATIENCE, place / "log.txt")
            yield f"http://{address}"
        finally:
            server.terminate()
            server.wait()


def await_answer(address: str, seconds: float, log: Path) -> None:
    """Wait for a successful response."""
    end = time.monotonic() + seconds
    while True:
        try:
            return urllib.request.urlopen(address, timeout=seconds).close()
        except OSError as error:
            if time.monotonic() > end or isinstance(error, urllib.error.HTTPError):
                sys.exit(f"{address} does not answer: {error}\n{log.read_text('utf-8')}")
            time.sleep(0.3)
