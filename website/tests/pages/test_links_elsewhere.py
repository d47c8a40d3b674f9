"""Links that are not in a page's source: in search, in the list of claims, at the site's root."""

import posixpath
import re
import zipfile
from functools import cache
from html import unescape
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from listing import searched

from attn_book.commands import archive

_LINK = re.compile(r' (?:href|src|action)="([^"]+)"')


@pytest.fixture(scope="module")
def leads(folder):
    """Whether an address, seen from the site's root, leads to a file and a place on it."""

    @cache
    def places(name):
        return set(re.findall(r' id="([^"]+)"', (folder / name).read_text("utf-8")))

    def exists(address: str) -> bool:
        name, place = map(unquote, urldefrag(address))
        if not (folder / name).is_file():
            return False
        return not (place and name.endswith(".html")) or place in places(name)

    assert not exists("book/notation.html#nothing")
    assert not exists("book/nothing.html")
    return exists


def test_what_the_search_finds_is_there(folder, leads):
    pages = searched(folder)
    addresses = [f"{name}.html#{place[0]}" for name, _, places in pages for place in places]
    assert len(addresses) > 1000
    assert [address for address in addresses if not leads(address)] == []


def test_every_link_leads_somewhere_and_none_out_of_the_archive(folder, leads, tmp_path):
    """Nothing may lead to a file that only a server needs."""
    archive.pack(folder, tmp_path / "a.zip", "How")
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        inside = {name.removeprefix("a/") for name in packed.namelist()}
    for page in folder.rglob("*.html"):
        name = page.relative_to(folder).as_posix()
        if name == "404.html":  # shown at any address: its links are those of its host
            continue
        for link in map(unescape, set(_LINK.findall(page.read_text("utf-8")))):
            address = urlsplit(link)
            if address.scheme or address.netloc:
                assert address.scheme in ("https", "mailto", "data"), f"{name} leads to {link}"
                continue
            path = posixpath.join(posixpath.dirname(name), address.path) if address.path else name
            target = posixpath.normpath(path)
            assert leads(f"{target}#{address.fragment}"), f"{name} leads to {link}"
            assert name not in inside or unquote(target) in inside, f"{name} leads to {link}"
