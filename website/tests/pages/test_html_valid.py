"""The pages are valid HTML, since every browser repairs invalid HTML in its own way."""

from html_valid import faults
from sweeps import every


def test_every_page_is_valid_and_what_is_not_is_found(folder, tmp_path):
    pages = sorted(folder.rglob("*.html"))
    names = {page.relative_to(folder).as_posix() for page in pages}
    assert {"404.html", "search.html", "index.html", "book/index.html"} <= names
    assert faults(every(3, pages)) == ""
    text = (folder / "book" / "how-to-study.html").read_text("utf-8")
    (tmp_path / "a.html").write_text(text.replace("</article>", "<center>old</center></article>"))
    assert "[deprecated]" in faults([tmp_path / "a.html"])


# ---- what an element says to screen readers must fit its role (WAI-ARIA 1.2)

EVERYWHERE = {f"aria-{name}" for name in ("atomic", "busy", "controls", "current", "describedby")}
EVERYWHERE |= {f"aria-{name}" for name in ("details", "flowto", "hidden", "live", "owns")}
NAMED = {"aria-label", "aria-labelledby"}
OWN = {  # beyond names, of elements that have a role by themselves
    "a": {"aria-expanded", "aria-haspopup"},
    "button": {"aria-disabled", "aria-expanded", "aria-haspopup", "aria-pressed"},
    "input": {"aria-disabled", "aria-invalid", "aria-required", "aria-valuetext"},
    "select": {"aria-disabled", "aria-invalid"},
}
NAMELESS = {"b", "bdi", "code", "div", "em", "i", "p", "pre", "small", "span", "strong", "sub"}


def misused(soup) -> list[str]:
    """Attributes for screen readers on elements whose role does not have them."""
    return [
        f"{tag.name} {name}"
        for tag in soup.find_all(lambda tag: "role" not in tag.attrs)
        for name in tag.attrs
        if name.startswith("aria-")
        and name not in EVERYWHERE | OWN.get(tag.name, set())
        and (name not in NAMED or tag.name in NAMELESS)
    ]


def test_no_element_says_what_its_role_does_not_have(parsed, page_name):
    assert misused(parsed[page_name]) == []
