"""Show the built book on this machine: ``python -m attn_book.commands.serve [AT] [--port PORT]``.

``AT`` is the path under which it appears, as GitHub Pages puts a site under ``/name/``. As there,
an address that does not exist gets the book's ``404.html``. Only this machine can connect.
"""

import argparse
import http.server
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

SITE = Path(__file__).resolve().parents[3] / "_build" / "html"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Answers with the files of ``directory``, below the path ``at``."""

    def __init__(self, *arguments, at: str, quiet: bool, **options):
        self.at, self.quiet = at, quiet
        super().__init__(*arguments, **options)

    def send_head(self):
        if not urlsplit(self.path).path.startswith(self.at):
            self.send_error(404)
            return None
        return super().send_head()

    def translate_path(self, path):
        return super().translate_path(path[len(self.at) - 1 :])

    def list_directory(self, path):
        self.send_error(404)  # as static hosts do

    def send_error(self, code, message=None, explain=None):
        missing = Path(self.directory, "404.html")
        if code != 404 or not missing.exists():
            return super().send_error(code, message, explain)
        body = missing.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments) -> None:
        if not self.quiet:
            super().log_message(*arguments)


class Server(http.server.ThreadingHTTPServer):
    """A server for one folder, at ``address``."""

    daemon_threads = True

    def __init__(self, folder: Path, at="/", port=0, quiet=True, handler=Handler):
        self.at = at
        answers = partial(handler, directory=folder, at=at, quiet=quiet)
        super().__init__(("127.0.0.1", port), answers)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{self.at}"

    def handle_error(self, request, client_address) -> None:
        pass  # a browser may close the connection in the middle of an answer


@contextmanager
def running(folder: Path, at: str = "/", handler=Handler) -> Iterator[str]:
    """Serve a folder in the background; yields its address."""
    with Server(folder, at, handler=handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.address
        finally:
            server.shutdown()
            thread.join()


def path(text: str) -> str:
    """``name``, ``/name`` and ``/name/`` all mean ``/name/``."""
    if not re.fullmatch(r"[\w.~/-]*", text) or ".." in text or "//" in text:
        raise argparse.ArgumentTypeError(
            f"AT must be a path on a host, as in AT=/owner-name/; got {text!r}"
        )
    return f"/{text.strip('/')}/".replace("//", "/")


def main(arguments: list[str] | None = None, folder: Path = SITE) -> None:
    parser = argparse.ArgumentParser(prog="make serve", description=__doc__.split("\n\n")[0])
    parser.add_argument("at", nargs="?", type=path, default="/")
    parser.add_argument("--port", type=int, default=8000)
    wanted = parser.parse_args(arguments)
    if not (folder / "index.html").exists():
        sys.exit("There is no book to show yet: make book")
    try:
        server = Server(folder, wanted.at, wanted.port, quiet=False)
    except (OSError, OverflowError) as fault:
        sys.exit(f"Port {wanted.port} is not available ({fault}): make serve PORT=8001")
    with server:
        print(f"The book is at {server.address} until you press Ctrl+C.", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
