"""The language model that readers can open in a page: ``<div data-language-model></div>``.

The model runs in a worker, a script of the site. Its file comes from the reader's disk. If the book
is built with ``MODEL=1``, it lies beside the site as well, for readers to load from there.
"""

import os
from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from attn_course.model_file import model_file
from attn_course.views.widgets import joining

from ..site.find import with_attribute
from ..site.folder import Site
from ..site.node import assembled, small_script
from ..site.page import Page

MARK, SCRIPT, WORKER = "data-language-model", "_static/language.js", "language_worker.js"
PLACE = Path(__file__).parents[2] / "templates" / "language.html"


def place(page: Page, site: Site) -> None:
    """Fill the places of a page that are marked, and give the site what they need."""
    for spot in with_attribute(page.soup, MARK):
        element = BeautifulSoup(PLACE.read_text("utf-8").replace("\n", " "), "html.parser").div
        element["data-worker"] = page.address(worker(site))
        if os.environ.get("MODEL") == "1":
            name, size = beside(site)
            element["data-file"], element["data-bytes"] = page.address(name), str(size)
            load = element.find(attrs={"data-part": "load"})
            load.string = f"Load it from this site ({size / 1e6:.0f} MB)"
            del load["hidden"]
        page.head.load(SCRIPT)
        spot.replace_with(element)


def worker(site: Site) -> str:
    """The worker's script, which no page loads itself."""
    script = site.root / "website" / "assets" / WORKER
    text = joining.join(script)
    name = f"_static/{WORKER}"
    site.add(name, lambda: small_script(site.root, name, text, "--format=iife", packed(site)))
    return name


def packed(site: Site) -> str:
    """What stands for ``globalThis.PACKED`` in the worker's script: the module that multiplies."""
    module = Path(joining.__file__).parent / "shared" / "packed.wat"
    return f'--define:globalThis.PACKED="{assembled(site.root, module)}"'


def beside(site: Site) -> tuple[str, int]:
    """The model's file beside the site: its name and its size."""
    try:
        path = model_file()
    except FileNotFoundError as missing:
        raise ExtensionError(f"MODEL=1 puts a model beside the site: {missing}") from missing
    name = f"_static/model/{path.name}"
    if not (site.folder / name).exists():
        site.copy(path, name)
    return name, path.stat().st_size
