"""Links that are not in a page's source: in search, in the list of claims, at the site's root."""

import json
import posixpath
import re
import zipfile
from functools import cache
from html import unescape
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from attn_book.commands import archive

_LINK = re.compile(r' (?:href|src|action)="([^"]+)"')


@pytest.fixture(scope="module")
def leads(folder):
    """Whether an address, seen from the site's root, leads to a file and a place on it."""

    @cache
    def places(name):
        return set(re.findall(r' id="([^"]+)"', (folder / name).read_text("utf-8")))

    def found(address: str) -> bool:
        name, place = map(unquote, urldefrag(address))
        return (folder / name).is_file() and (not place or place in places(name))

    assert not found("book/notation.html#nothing")
    assert not found("book/nothing.html")
    return found


def test_what_the_search_finds_is_there(folder, leads):
    text = (folder / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    pages = [f"{name}.html" for name in index["docnames"]]
    titles = [place for found in index["alltitles"].values() for place in found]
    terms = [place[:2] for found in index["indexentries"].values() for place in found]
    addresses = [f"{pages[number]}#{place or ''}" for number, place in [*titles, *terms]]
    assert len(addresses) > 150
    assert [address for address in [*pages, *addresses] if not leads(address)] == []


def test_every_claim_of_the_list_is_there(folder, leads):
    claims = json.loads((folder / "claims.json").read_text("utf-8"))["claims"]
    assert claims
    assert [claim["address"] for claim in claims if not leads(claim["address"])] == []


def test_the_front_door_leads_in(folder, leads):
    door = (folder / "index.html").read_text("utf-8")
    addresses = re.findall(r'href="([^"]+)"|; url=([^"]+)"', door)
    own = [one or other for one, other in addresses if not urlsplit(one).scheme]
    assert len(own) == 2
    assert all(map(leads, own))


def test_no_page_of_the_archive_leads_out_of_it(folder, tmp_path):
    """Nothing may lead to a file that only a server needs."""
    archive.pack(folder, tmp_path / "a.zip", "How")
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        inside = {name.removeprefix("a/") for name in packed.namelist()}
    for name in [name for name in inside if name.endswith(".html")]:
        for link in set(_LINK.findall((folder / name).read_text("utf-8"))):
            address = urlsplit(unescape(link))
            if address.path and not address.scheme and not address.netloc:
                target = posixpath.join(posixpath.dirname(name), unquote(address.path))
                assert posixpath.normpath(target) in inside, f"{name} leads to {link}"
