"""A static host on this machine that compresses, counts what it sends, and can be slow.

It answers as hosts of static pages do: files are gzipped if that makes them smaller, and
connections are kept open. All answers share a slow line: each begins ``delay`` seconds after its
request, and they take turns with pieces of 16 kB, so that ``bits`` per second are never exceeded.
The browser's own emulation does not apply to the requests of a service worker, and JupyterLite has
one.
"""

import gzip
import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

PIECE = 16 * 1024


@dataclass
class Line:
    """How slow the line is (bits 0: as fast as the machine), and what it has carried."""

    bits: float = 0
    delay: float = 0
    sent: list[tuple[str, int]] = field(default_factory=list)
    _free: float = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, body: bytes, write) -> None:
        if not self.bits:
            write(body)
            return
        for start in range(0, len(body), PIECE):
            piece = body[start : start + PIECE]
            self._wait(len(piece) * 8 / self.bits)
            write(piece)

    def _wait(self, seconds: float) -> None:
        with self._lock:
            self._free = max(self._free, time.monotonic()) + seconds
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


@cache
def packed(path: str) -> tuple[bytes, bool]:
    """The body to send, and whether it is gzipped."""
    plain = Path(path).read_bytes()
    small = gzip.compress(plain, 6)
    return (small, True) if len(small) < len(plain) else (plain, False)


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # otherwise a short answer waits for the browser to acknowledge its head, some 40 ms per file
    disable_nagle_algorithm = True

    def __init__(self, *arguments, line: Line, **options):
        self.line = line
        super().__init__(*arguments, **options)

    def do_GET(self):
        time.sleep(self.line.delay)
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.line.sent.append((unquote(urlsplit(self.path).path), 0))
            self.send_error(404)
            return
        body, is_packed = packed(str(path))
        self.line.sent.append((unquote(urlsplit(self.path).path), len(body)))
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        if is_packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.line.send(body, self.wfile.write)

    def log_message(self, *arguments) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address) -> None:
        pass  # a browser may close the connection in the middle of an answer


@contextmanager
def serving(folder: Path, line: Line) -> Iterator[str]:
    """Serve a folder over the line; yields the address."""
    handler = partial(Handler, directory=str(folder), line=line)
    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
