"""The browser that the pages are looked at with, driven by Playwright: Debian's Chromium."""

import os
import shutil

# the first is the same engine without what draws windows: it needs half the time for a page
NAMES = ("chromium-headless-shell", "chromium")
# no sandbox: in a container there is often none to be had; the rest keeps Chromium off the network
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = f"Chromium is missing: apt-get install {NAMES[0]}, or set CHROMIUM to its path"


def find() -> str | None:
    """Its path: the variable CHROMIUM, or what is installed."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
