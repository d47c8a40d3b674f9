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
SETTINGS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTERLAB_SETTINGS_DIR": "config",
    "JUPYTERLAB_WORKSPACES_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "data",
    "IPYTHONDIR": "ipython",
}


@contextmanager
def serving(
    environment: Environment,
    home: Path,
    application: str = "jupyterlab",
    options: tuple[str, ...] = (),
    **variables: str,
) -> Iterator[str]:
    """The address of ``python -m application`` in the folder ``home``, once it responds."""
    port, places = free_port(), settings(home)
    log = home.with_name(f"{home.name}-settings") / "log.txt"
    log.parent.mkdir()
    with log.open("w", encoding="utf-8") as said:
        server = subprocess.Popen(
            [
                *(str(environment.bin / "python"), "-m", application),
                *(*OPTIONS, f"--ServerApp.port={port}", *options),
            ],
            cwd=home,
            env=environment.variables(**(places | variables)),
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        try:
            answer(f"http://127.0.0.1:{port}/api/status", seconds=60 * PATIENCE, log=log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def settings(home: Path) -> dict[str, str]:
    """Empty folders beside ``home``, so that the user's settings have no effect."""
    place = home.with_name(f"{home.name}-settings")
    shutil.rmtree(place, ignore_errors=True)
    return {name: str(place / folder) for name, folder in SETTINGS.items()}


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def answer(address: str, seconds: float, log: Path | None = None) -> None:
    """Wait for a successful response."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=seconds).close()
            return
        except urllib.error.HTTPError as error:
            sys.exit(f"{address} answers {error.code}: is the chapter there?")
        except OSError as error:
            if time.monotonic() > end:
                said = f"\n{log.read_text(encoding='utf-8')}" if log else ""
                sys.exit(f"{address} does not answer: {error}{said}")
            time.sleep(0.3)
