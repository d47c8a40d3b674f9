"""The server of the built book: its address, and its response to a wrong one."""

import http.client
import re
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from attn_book.commands import serve

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    site = tmp_path / "html"
    (site / "book").mkdir(parents=True)
    (site / "index.html").write_text("door")
    (site / "book" / "page.html").write_text("page")
    (site / "404.html").write_text("not here")
    (tmp_path / "secret.txt").write_text("secret")
    return site


def ask(address: str, method: str = "GET") -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, method=method)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.read().decode()


@pytest.mark.parametrize("at", ["/", "/owner-name/", "/a/b/"])
def test_the_book_stands_where_it_is_put_and_nowhere_else(folder, at):
    with serve.running(folder, at) as address:
        host = address.removesuffix(at)
        assert ask(address) == (200, "door")
        assert ask(f"{address}book/page.html?v=1") == (200, "page")
        assert ask(f"{address}book/page.html", "HEAD") == (200, "")
        assert ask(f"{address}gone/deep/page.html") == (404, "not here")
        assert ask(f"{address}gone.html", "HEAD") == (404, "")
        assert ask(f"{address}book/") == (404, "not here")
        assert ask(f"{address}../secret.txt")[0] == 404
        assert ask(f"{address}%2e%2e/secret.txt")[0] == 404
        if at != "/":
            assert ask(f"{host}/book/page.html") == (404, "not here")
            assert ask(f"{host}/") == (404, "not here")


@pytest.mark.parametrize("at", ["/", "/owner-name/", "/a/b/"])
def test_a_folder_without_its_slash_leads_to_the_folder_below_the_same_path(folder, at):
    (folder / "book" / "index.html").write_text("room")
    with serve.running(folder, at) as address:
        connection = http.client.HTTPConnection(urlsplit(address).netloc)
        connection.request("GET", f"{at}book?v=1")
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Location")) == (301, f"{at}book/?v=1")
        connection.close()
        assert ask(f"{address}book") == (200, "room")


def test_only_this_machine_can_ask(folder):
    with serve.Server(folder) as server:
        assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("text", "path"),
    [("", "/"), ("/", "/"), ("name", "/name/"), ("/name", "/name/"), ("/a.b/c-d/", "/a.b/c-d/")],
)
def test_a_path_may_be_written_with_or_without_its_slashes(text, path):
    assert serve.path(text) == path


@pytest.mark.parametrize("text", ["/a b/", "http://x/", "/a?b", "/../", "//host/", "/a\n"])
def test_nonsense_says_what_is_expected(text, capsys):
    with pytest.raises(SystemExit):
        serve.main(["--", text])
    message = capsys.readouterr().err
    assert "AT must be a path on a host, as in AT=/owner-name/" in message


def test_without_a_book_it_says_how_to_make_one(tmp_path):
    with pytest.raises(SystemExit, match="make book"):
        serve.main([], tmp_path)


def test_a_port_that_is_taken_is_named(folder):
    with serve.Server(folder) as server, pytest.raises(SystemExit, match="PORT="):
        serve.main(["--port", str(server.server_port)], folder)


def test_it_says_where_it_stands_until_it_is_stopped(folder, monkeypatch, capsys):
    def serve_once(server):
        with ThreadPoolExecutor() as reader:
            answer = reader.submit(ask, server.address)
            server.handle_request()
            assert answer.result() == (200, "door")
        raise KeyboardInterrupt

    monkeypatch.setattr(serve.Server, "serve_forever", serve_once)
    serve.main(["/x", "--port", "0"], folder)
    assert re.match(r"The book is at http://127\.0\.0\.1:\d+/x/ until", capsys.readouterr().out)
