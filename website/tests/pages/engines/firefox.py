"""Firefox, driven by its own protocol: WebDriver BiDi, JSON over a web socket.

Selenium would need geckodriver, which no package registry has. Playwright and Puppeteer would need
a Firefox of their own, and more code in node than there is here.
"""

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import DEVNULL

from engine import BELOW, PATIENCE, Engine, Gone, patiently, strokes

from attn_book.commands import serve
from attn_book.commands.browser import NoBrowser

# logged for a formula that has loaded only in part, on a busy machine or a slow connection;
# test_site.py counts the parts of loaded formulas
HALF_A_FORMULA = "Invalid markup: Incorrect number of children for"
NAMES = ("firefox-esr", "firefox")


class Firefox(Engine):
    def __init__(self, socket, folder, address):
        self.socket, self.folder, self.address = socket, folder, address
        self.sent, self.events, self.window, self.reader = 0, [], None, None
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def send(self, method, **parameters):
        """The result of a command; events that arrive in the meantime are kept."""
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.sent:
                break
            self.events.append(message)
        if message["type"] == "error":
            raise Gone(f"{method}: {message['error']}: {message['message']}")
        return message["result"]

    def open(self, address, width=1280, height=800):
        if self.reader:
            self.send("browser.removeUserContext", userContext=self.reader)
        self.reader = self.send("browser.createUserContext")["userContext"]
        created = self.send("browsingContext.create", type="tab", userContext=self.reader)
        self.window, self.events = created["context"], []
        self.resize(width, height)
        self.send("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def resize(self, width, height=800):
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self.window, viewport=size)

    def answer(self, script):
        evaluated = self.send(
            "script.evaluate",
            expression=f"(() => {{ {script} }})()",
            target={"context": self.window},
            awaitPromise=False,
        )
        if evaluated["type"] == "exception":
            raise Gone(evaluated["exceptionDetails"]["text"])
        return evaluated["result"].get("value")  # undefined has no value

    def press(self, keys):
        self.send("input.performActions", context=self.window, actions=strokes(keys))

    def messages(self):
        texts = [entry["text"] for entry in self._events("log.entryAdded")]
        return [text for text in texts if not text.startswith(HALF_A_FORMULA)]

    def requests(self):
        return [entry["request"]["url"] for entry in self._events("network.beforeRequestSent")]

    def _events(self, method):
        self.send("session.status")  # delivers the events so far
        return [event["params"] for event in self.events if event["method"] == method]


@contextmanager
def started(folder):
    path = os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        raise NoBrowser(f"Firefox is missing: apt-get install {NAMES[0]}, or set FIREFOX")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        listening(path, Path(profile)) as socket,
        serve.running(folder, BELOW) as address,
    ):
        yield Firefox(socket, folder, address.removesuffix("/"))


@contextmanager
def listening(path: str, profile: Path):
    """Start Firefox, which writes its port into its profile; returns a connection."""
    import websocket

    options = ("--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile)
    process = subprocess.Popen([path, *options], stdout=DEVNULL, stderr=DEVNULL)
    try:
        file = profile / "WebDriverBiDiServer.json"
        text = patiently(lambda: file.exists() and file.read_text(), f"{path} to listen")
        at = json.loads(text)
        socket = websocket.create_connection(
            f"ws://{at['ws_host']}:{at['ws_port']}/session",
            timeout=PATIENCE,
            suppress_origin=True,  # Firefox refuses connections that have one, as those of pages do
        )
        with closing(socket):
            yield socket
    finally:
        process.kill()
        process.wait()
