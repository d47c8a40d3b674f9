"""The pages are valid HTML, since every browser repairs invalid HTML in its own way."""

from bs4 import BeautifulSoup
from html_valid import faults
from sweeps import every

# what is wrong with a page, and the rule that finds it
BROKEN = [
    ("<h1>", '<h1 id="main-content">', "no-dup-id"),
    ("</article>", "<span><div>a block</div></span></article>", "element-permitted-content"),
    ("</article>", "<ul><p>no item</p></ul></article>", "element-permitted-content"),
    ("</article>", "</section></article>", "close-order"),
    ("</article>", '<img src="../_static/favicon.svg"></article>', "wcag/h37"),
    ("</article>", "<button>Press</button></article>", "no-implicit-button-type"),
    ("</article>", '<label for="nothing">A</label></article>', "no-missing-references"),
    ("</article>", "<center>old</center></article>", "deprecated"),
    ("</article>", "<h5>Below nothing</h5></article>", "heading-level"),
]


def test_every_page_is_valid(folder):
    pages = sorted(folder.rglob("*.html"))
    names = {page.relative_to(folder).as_posix() for page in pages}
    assert {"404.html", "search.html", "index.html", "book/index.html"} <= names
    assert faults(every(3, pages)) == ""


def test_a_fault_is_found(folder, tmp_path):
    text = (folder / "book" / "how-to-study.html").read_text("utf-8")
    pages = [tmp_path / f"{number}.html" for number in range(len(BROKEN))]
    for page, (sound, broken, _) in zip(pages, BROKEN, strict=True):
        assert sound in text
        page.write_text(text.replace(sound, broken, 1), "utf-8")
    lines = faults(pages).splitlines()
    for page, (_, broken, rule) in zip(pages, BROKEN, strict=True):
        assert any(f"{page}:" in line and f"[{rule}]" in line for line in lines), (broken, lines)


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


def test_a_misused_attribute_is_found():
    soup = BeautifulSoup(
        '<div aria-label="a"></div><button aria-checked="true"></button>'
        '<div role="group" aria-label="a"></div><button aria-pressed="true"></button>',
        "html.parser",
    )
    assert misused(soup) == ["div aria-label", "button aria-checked"]
