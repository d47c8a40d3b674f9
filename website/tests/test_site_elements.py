"""The head of a page: read from Sphinx, extended, and written in one place."""

from hypothesis import given
from hypothesis import strategies as st

from attn_book.site.elements import Head
from attn_book.site.page import Page

RAW = """<script src="../_static/early.js?v=1"></script><meta charset="utf-8"/>
<meta name="viewport" content="wide"><title>A &amp; B</title>
<meta name="viewport" content="as wide as the phone"><script>let a = 1;</script>
<link rel="stylesheet" href="../_static/a.css"><link rel="icon" href="../_static/i.svg">
<script src="../_static/sphinx_highlight.js?v=2"></script>
<script src="../_static/a.js" defer="defer"></script><meta property="og:type" content="article">
"""


def make_head(inside: str = RAW) -> Head:
    return Page("chapters/x", f"<html><head>{inside}</head><body></body></html>").head


def test_what_is_handed_in_at_any_time_stands_in_its_place_once():
    head = make_head()
    for name in ("_static/host.js", "_static/w.css", "_static/a.css", "_static/w.css"):
        head.load(name)
    head.link("canonical", "https://a.b/x.html")
    for words in ("A", "C < D"):
        head.say("description", words)
    head.policy = "default-src 'none'"
    head.write()
    names = ("http-equiv", "name", "property", "href", "src")
    elements = [
        next(filter(None, map(tag.get, names)), tag.get_text() or tag.get("charset"))
        for tag in head.tag.find_all(True)
    ]
    assert elements == [
        "utf-8", "Content-Security-Policy", "A & B", "viewport", "og:type", "description",
        "../_static/i.svg", "https://a.b/x.html", "let a = 1;", "../_static/a.css",
        "../_static/w.css", "../_static/early.js?v=1", "../_static/a.js", "../_static/host.js",
        "../_static/sphinx_highlight.js?v=2",
    ]  # fmt: skip
    facts = {tag["name"]: tag["content"] for tag in head.tag.select("[name]")}
    assert facts == {"viewport": "as wide as the phone", "description": "C < D"}
    waiting = [tag["src"] for tag in head.tag.select("script[src][defer]")]
    assert waiting == [src for src in elements if ".js" in src and "early" not in src]


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_a_head_that_is_written_reads_as_it_was(text):
    head = make_head()
    head.title = text
    head.say("description", text)
    head.write()
    again = make_head(head.tag.decode_contents())
    again.policy = head.policy
    assert (again.title, again.facts["description"]) == (text, text)
    again.write()
    assert str(again.tag) == str(head.tag)
