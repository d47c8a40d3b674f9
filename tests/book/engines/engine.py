"""What the tests ask of a browser's engine; each engine has a file of its own beside this."""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PATIENCE = 30  # seconds for what happens at once on a quiet machine
# how WebDriver writes the keys that have no sign of their own
KEYS = {
    "Space": " ",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


class Gone(Exception):
    """The page is on its way to another, or the script failed."""


class Engine(ABC):
    """One window, which shows one page after another.

    ``folder`` holds the site, which also stands at ``address``.
    """

    folder: Path
    address: str

    @abstractmethod
    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Open a page as a reader does who was never here: nothing is kept from the page before."""

    @abstractmethod
    def resize(self, width: int, height: int = 800) -> None:
        """Give the page another size."""

    @abstractmethod
    def answer(self, script: str) -> str:
        """What the body of a function, run in the page, returns: a text."""

    @abstractmethod
    def press(self, keys: str) -> None:
        """Press keys by their names, blanks between: ``"ArrowDown a Space Control+k"``."""

    @abstractmethod
    def messages(self) -> list[str]:
        """What the page has said to the console, or raised."""

    @abstractmethod
    def requests(self) -> list[str]:
        """The addresses that the page has asked for."""

    # ---- the same in all of them

    def page(self, name: str, **size: int) -> None:
        """Open a page of the site."""
        self.open(f"{self.address}/{name}", **size)

    def file(self, name: str, **size: int) -> None:
        """Open the same page from its folder."""
        self.open((self.folder / name).as_uri(), **size)

    def evaluate(self, expression: str):
        """The value of an expression in the page, as JSON has it."""
        return json.loads(self.answer(f"return JSON.stringify({expression} ?? null)"))

    def until(self, expression: str):
        """Wait for an expression to be true, on this page or on the one that it leads to."""

        def true():
            with suppress(Gone):
                return self.evaluate(f"Boolean({expression})")

        patiently(true, expression)

    def focus(self, place: str) -> None:
        """Put the focus on what an expression gives."""
        assert self.evaluate(f"(() => {{ {place}.focus(); return true; }})()")

    def foreign(self) -> list[str]:
        """The requests to any host but the site's own."""
        own = (f"{self.address}/", "file:", "data:", "about:")
        return [address for address in self.requests() if not address.startswith(own)]


def patiently(find: Callable, what: str):
    """Ask until there is an answer, and give it."""
    end = time.monotonic() + PATIENCE
    while not (found := find()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return found


def strokes(keys: str) -> list[dict]:
    """Keys as WebDriver's actions of one keyboard, which both of its protocols write alike."""
    actions = []
    for names in keys.split():
        held = [KEYS.get(name, name) for name in names.split("+")]
        actions += [{"type": "keyDown", "value": key} for key in held]
        actions += [{"type": "keyUp", "value": key} for key in reversed(held)]
    return [{"type": "key", "id": "keyboard", "actions": actions}]
