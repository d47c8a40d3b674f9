"""What the tests need from a browser engine; each engine has a file of its own beside this one."""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

BELOW = "/attention/"
PATIENCE = 120  # seconds, for what takes no time on an idle machine
# WebDriver's codes for keys that are not characters
KEYS = {"Space": " ", "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007"}
KEYS |= {"Control": "\ue009", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014"}
KEYS |= {"ArrowDown": "\ue015"}


class Gone(Exception):
    """The page is being left for another, or the script failed."""


class Engine(ABC):
    """One window, which shows one page after another.

    ``folder`` contains the site, which is also served at ``address``, below the root of its host as
    every copy that somebody publishes is.
    """

    folder: Path
    address: str

    @abstractmethod
    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Open a page like a first-time reader: nothing is kept from the page before."""

    @abstractmethod
    def resize(self, width: int, height: int = 800) -> None:
        """Resize the page."""

    @abstractmethod
    def answer(self, script: str) -> str:
        """The text that a function with this body returns when it is run on the page."""

    @abstractmethod
    def press(self, keys: str) -> None:
        """Press keys by name, separated by spaces: ``"ArrowDown a Space Control+k"``."""

    @abstractmethod
    def messages(self) -> list[str]:
        """What the page has written to the console, or raised."""

    @abstractmethod
    def requests(self) -> list[str]:
        """The addresses that the page has requested."""

    # ---- the same in all of them

    def page(self, name: str, **size: int) -> None:
        """Open a page of the site."""
        self.open(f"{self.address}/{name}", **size)

    def file(self, name: str, **size: int) -> None:
        """Open the same page from its folder."""
        self.open((self.folder / name).as_uri(), **size)

    def evaluate(self, expression: str):
        """The value of an expression on the page, through JSON."""
        return json.loads(self.answer(f"return JSON.stringify({expression} ?? null)"))

    def until(self, expression: str):
        """Wait until an expression is true, on this page or on the one that it leads to."""

        def true():
            with suppress(Gone):
                return self.evaluate(f"Boolean({expression})")

        patiently(true, expression)

    def focus(self, place: str) -> None:
        """Focus the element that an expression returns."""
        assert self.evaluate(f"(() => {{ {place}.focus(); return true; }})()")

    def foreign(self) -> list[str]:
        """The requests to any host other than the site's own."""
        own = (f"{self.address}/", "file:", "data:", "about:")
        return [address for address in self.requests() if not address.startswith(own)]


def patiently(find: Callable, what: str):
    """Ask until there is an answer, and return it."""
    end = time.monotonic() + PATIENCE
    while not (result := find()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return result


def strokes(keys: str) -> list[dict]:
    """Keys as WebDriver keyboard actions, which are the same in both of its protocols."""
    actions = []
    for names in keys.split():
        pressed = [KEYS.get(name, name) for name in names.split("+")]
        actions += [{"type": "keyDown", "value": key} for key in pressed]
        actions += [{"type": "keyUp", "value": key} for key in reversed(pressed)]
    return [{"type": "key", "id": "keyboard", "actions": actions}]
