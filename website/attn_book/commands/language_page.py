"""A small page with a place for the language model, with the policy and the scripts of the book."""

import os
from pathlib import Path
from unittest import mock

from attn_book.head import loading, policy
from attn_book.site.folder import Site, own_files
from attn_book.site.page import Page
from attn_book.widgets import language
from attn_course.views import palette
from attn_course.views.widgets import parts

ROOT = Path(__file__).resolve().parents[3]
SHEETS = [
    Path(parts.__file__).parent / "shared" / "common.css",
    ROOT / "website" / "assets" / "book.css",
]
HTML = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title></head>
<body><main><h1>A page</h1><div data-language-model></div></main></body></html>
"""


def write_page(folder: Path, name: str, beside: Path | None = None) -> str:
    """Write the page called ``name`` and say where it is; ``beside`` is a model to load from there.

    Files that are there already are kept.
    """
    site, page = Site(ROOT, folder / "raw", folder), Page(name, HTML)
    variables = {"MODEL": "1", "ATTN_MODEL": str(beside)} if beside else {"MODEL": ""}
    with mock.patch.dict(os.environ, variables):
        language.place(page, site)
    style = "\n".join([palette.css(), *(sheet.read_text("utf-8") for sheet in SHEETS)])
    page.head.load(site.keep("_static", style, ".css"))
    page.head.load("_static/early.js")
    loading.make_scripts_small(own_files(page.file, page.head.scripts), site)
    policy.enforce(page)
    page.head.write()
    site.add(page.file, lambda: page.html(ROOT))
    return page.file
