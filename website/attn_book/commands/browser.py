"""Debian's Chromium, driven by Playwright, which downloads no browser of its own."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

# the first is the same engine without windows, which takes half the time for a page
NAMES = ("chromium-headless-shell", "chromium")
# no sandbox, which containers often lack; the other flags keep Chromium off the network
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")
FLAGS += ("--disable-background-networking", "--disable-component-update")


class NoBrowser(Exception):
    """There is no browser; the message says how to get one."""


@contextmanager
def chromium() -> Iterator:
    """A Playwright browser, which is closed at the end."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("playwright is missing: pip install playwright") from None
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        raise NoBrowser(
            f"Chromium is missing: apt-get install {NAMES[0]}, or set CHROMIUM to its path"
        )
    with sync_playwright() as playwright:
        flags = (*FLAGS, *os.environ.get("CHROMIUM_FLAGS", "").split())
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield browser
        finally:
            browser.close()
