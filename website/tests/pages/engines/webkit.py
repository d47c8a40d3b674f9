"""WebKit, as in GNOME's browsers: WebKitGTK's small browser, driven over HTTP by its driver.

The protocol is classic WebDriver, which reports neither the console nor requests. So the pages are
copies whose first script records what would go to the console. The browser sends all requests to a
proxy, which records them and answers only for the site. The window is drawn on Xvfb, an invisible
screen.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from engine import BELOW, PATIENCE, Engine, Gone, patiently, strokes

from attn_book.commands import serve
from attn_book.commands.browser import NoBrowser

NEEDED = {"WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}  # a program, and its package
SPY = """window.said = [];
const say = (...words) => window.said.push(words.map(String).join(" "));
for (const kind of ["debug", "log", "info", "warn", "error"]) console[kind] = say;
const lost = ({ target, message }) => say(message ?? `not loaded: ${target.src ?? target.href}`);
window.addEventListener("error", lost, true);
window.addEventListener("unhandledrejection", ({ reason }) => say(reason));
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
  say("the policy forbids", violatedDirective, blockedURI);
});
"""
# with buttons of its own, the window would be wider than a phone
STYLE = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; font-size: 1px; }"


class WebKit(Engine):
    def __init__(self, port, folder, site):
        self.folder, self.site = folder, site
        # one for all requests: the driver never closes its end, and may open 1,024 files
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.address = site.address.removesuffix("/")
        self.root = "/session"
        proxy = {"proxyType": "manual", "noProxy": []}
        proxy |= dict.fromkeys(("httpProxy", "sslProxy"), f"127.0.0.1:{site.server_port}")
        wanted = {"capabilities": {"alwaysMatch": {"proxy": proxy}}}
        self.root += f"/{self.send('POST', '', wanted)['sessionId']}"
        self.frame = self.outer() - self.evaluate("innerHeight")

    def send(self, method, path, content=None):
        body = None if content is None else json.dumps(content)
        header = {"Content-Type": "application/json"}
        self.connection.request(method, self.root + path, body, header)
        value = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise Gone(f"{path}: {value['error']}: {value['message']}")
        return value

    def outer(self):
        return self.send("GET", "/window/rect")["height"]

    def open(self, address, width=1280, height=800):
        self.answer("try { localStorage.clear(); } catch {}")
        self.send("POST", "/url", {"url": "about:blank"})
        self.resize(width, height)
        self.site.requested.clear()
        self.send("POST", "/url", {"url": address})

    def resize(self, width, height=800):
        self.send("POST", "/window/rect", {"width": width, "height": height + self.frame})
        self.until(f"innerWidth === {width}")

    def answer(self, script):
        return self.send("POST", "/execute/sync", {"script": script, "args": []})

    def press(self, keys):
        self.send("POST", "/actions", {"actions": strokes(keys)})

    def messages(self):
        return self.evaluate("window.said")

    def requests(self):
        return [*self.site.requested]


class Site(serve.Server):
    """A server for the site that is also a proxy; ``requested`` are the addresses."""

    def __init__(self, folder: Path):
        super().__init__(folder, BELOW)
        self.requested = []
        self.RequestHandlerClass = partial(Proxy, directory=folder, at=BELOW, quiet=True)


class Proxy(serve.Handler):
    def send_head(self):
        address = urlsplit(self.path)
        self.server.requested.append(self.path)
        if address.netloc != f"127.0.0.1:{self.server.server_port}":
            return self.send_error(502)
        self.path = self.path.partition(address.netloc)[2]
        return super().send_head()

    def do_CONNECT(self):
        self.server.requested.append(f"https://{self.path}/")
        self.send_error(502)


def copied(folder: Path, to: Path) -> Path:
    """A copy of the site whose pages record their console; other files are links."""
    shutil.copytree(folder, to, copy_function=os.symlink)
    (to / "spy.js").write_text(SPY, encoding="utf-8")
    for page in to.rglob("*.html"):
        up = "../" * (len(page.relative_to(to).parts) - 1)
        text = page.read_text(encoding="utf-8")
        assert text.count("<head>") == 1
        page.unlink()  # a link to the site's own
        spied = text.replace("<head>", f'<head><script src="{up}spy.js"></script>')
        page.write_text(spied, encoding="utf-8")
    return to


@contextmanager
def screen():
    """The number of an invisible screen."""
    read_end, end = os.pipe()
    command = ["Xvfb", "-displayfd", str(end), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[end], stderr=subprocess.DEVNULL)
    os.close(end)
    try:
        with open(read_end) as number:
            yield f":{number.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def driver(folder: Path):
    """The port at which WebKit's driver listens; ``folder`` is for what its browser reads."""
    style = folder / "gtk-3.0" / "gtk.css"
    style.parent.mkdir()
    style.write_text(STYLE, encoding="utf-8")
    with screen() as display:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        own = {"DISPLAY": display, "GDK_BACKEND": "x11", "XDG_CONFIG_HOME": str(folder)}
        process = subprocess.Popen(["WebKitWebDriver", f"--port={port}"], env=os.environ | own)
        try:
            patiently(lambda: reached(port), "WebKit's driver")
            yield port
        finally:
            process.terminate()
            process.wait()


def reached(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def served(folder: Path):
    with Site(folder) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()


@contextmanager
def started(folder):
    lacking = [package for program, package in NEEDED.items() if not shutil.which(program)]
    if lacking:
        raise NoBrowser(
            f"WebKit's driver or screen is missing: apt-get install {' '.join(lacking)}"
        )
    with tempfile.TemporaryDirectory() as place:
        copy = copied(folder, Path(place, "site"))
        with driver(Path(place)) as port, served(copy) as site:
            engine = WebKit(port, copy, site)
            with closing(engine.connection):
                try:
                    yield engine
                finally:
                    engine.send("DELETE", "")
