"""Chromium, driven by Playwright as in the other tests of the pages."""

from contextlib import contextmanager

from browsing import watched
from engine import BELOW, Engine, Gone

from attn_book.commands import serve
from attn_book.commands.browser import chromium


class Chromium(Engine):
    def __init__(self, browser, folder, address):
        self.browser, self.folder, self.address = browser, folder, address
        self.view, self.stopped = None, []

    def open(self, address, width=1280, height=800):
        if self.view:
            self.view.context.close()
        context = self.browser.new_context(viewport={"width": width, "height": height})
        self.view, self.stopped = watched(context.new_page()), []
        self.view.on("requestfailed", self._failed)
        self.view.goto(address)

    def resize(self, width, height=800):
        self.view.set_viewport_size({"width": width, "height": height})

    def answer(self, script):
        from playwright.sync_api import Error

        try:
            return self.view.evaluate(f"() => {{ {script} }}")
        except Error as error:
            raise Gone(str(error)) from None

    def press(self, keys):
        for key in keys.split():
            self.view.keyboard.press(key)

    def messages(self):
        return self.view.messages

    def requests(self):
        return [address for address in self.view.requests if address not in self.stopped]

    def _failed(self, request):
        if request.failure == "csp":  # the policy forbade it before it was made
            self.stopped.append(request.url)


@contextmanager
def started(folder):
    with serve.running(folder, BELOW) as address, chromium() as browser:
        yield Chromium(browser, folder, address.removesuffix("/"))
