"""Every jump inside a page stops where it leads, at once, however much is laid out on the way."""

from urllib.parse import urljoin

import pytest
from browsing import REST, of_each

SIZES = {"desk": {"width": 1280}, "phone": {"width": 360, "has_touch": True, "is_mobile": True}}
MOST = {"contents": 2, "text": 1}  # jumps of each kind on a page, each from its top
# The links to places on this page that are seen, by where they stand. A phone's contents are in a
# dialog, but its links are the same.
LINKS = """() => {
  const kinds = { contents: [], text: [] };
  for (const link of document.querySelectorAll('a[href*="#"]')) {
    if (link.matches(".headerlink, .attn-set, .skip-link") || !link.hash) continue;
    if (link.pathname !== location.pathname || link.closest("[hidden]")) continue;
    const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (part.closest(".attn-veil[hidden]")) continue;
    const kind = link.closest("#pst-page-toc-nav") ? "contents" : "text";
    link.dataset.jump = `${kind}-${kinds[kind].length}`;
    kinds[kind].push(link.dataset.jump);
  }
  return kinds;
}"""
# how far a place is from where it should be; at the end of a page it cannot come up further
MISSED = """(hash) => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const part = document.getElementById(decodeURIComponent(hash.slice(1)));
  const room = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
  const wanted = room + parseFloat(getComputedStyle(part).scrollMarginTop);
  const off = part.getBoundingClientRect().top - wanted;
  const left = scrollHeight - clientHeight - scrollTop;
  const atEnd = off > 0 ? left < 2 : scrollTop < 2; // no way further up, or down
  return Math.round(atEnd ? 0 : off);
}"""


def is_at(view, hash_: str) -> None:
    """The page comes to rest where this place is."""
    view.evaluate(REST)
    assert abs(view.evaluate(MISSED, hash_)) <= 2, hash_


def follow(view, place: int) -> str:
    """Click a link of the contents; return its place on the page when it has come to rest."""
    hash_ = (
        view.locator("[data-jump^=contents]")
        .nth(place)
        .evaluate("(link) => { link.click(); return link.hash; }")
    )
    view.evaluate(REST)
    return hash_


def some(kinds: dict[str, list[str]]) -> list[str]:
    """Jumps of each kind, evenly from the first to the last."""
    jumps = []
    for kind, names in kinds.items():
        count = min(MOST[kind], len(names))
        jumps += [names[len(names) * (place + 1) // count - 1] for place in range(count)]
    return jumps


@pytest.mark.parametrize("size", SIZES)
def test_a_jump_stops_at_its_place_on_the_first_click(page, site, page_name, size):
    if size == "phone" and not page_name.startswith("chapters/"):
        pytest.skip("chapters are the pages that are long")
    view = page(page_name, **SIZES[size])
    for place, name in enumerate(some(view.evaluate(LINKS))):
        if place > 0:  # each jump is the first on its page
            view.goto("about:blank")
            view.goto(f"{site}/{page_name}")
            view.evaluate(LINKS)
        link = f'[data-jump="{name}"]'
        hash_ = view.evaluate("(link) => document.querySelector(link).hash", link)
        view.evaluate("(link) => document.querySelector(link).click()", link)
        is_at(view, hash_)


@pytest.mark.parametrize("size", SIZES)
def test_an_address_leads_to_its_place(page, site, size):
    name = "chapters/05-reading-dates.html"
    view = page(name, **SIZES[size])
    view.evaluate(LINKS)
    hashes = of_each(view.locator("[data-jump^=contents]"), "one.hash")
    for hash_ in hashes[:: len(hashes) // 4]:
        view.goto("about:blank")
        view.goto(f"{site}/{name}{hash_}")
        view.wait_for_load_state()
        is_at(view, hash_)
    view.goto("about:blank")
    view.goto(f"{site}/{name}")
    view.evaluate("(hash) => { location.hash = hash; }", hashes[-2])  # typed into the address
    is_at(view, hashes[-2])


@pytest.mark.parametrize("size", SIZES)
def test_back_and_forward_lead_to_where_the_reader_was(page, size):
    view = page("chapters/06-gradient-paths.html", **SIZES[size])
    view.evaluate(LINKS)
    count = view.locator("[data-jump^=contents]").count()
    view.mouse.move(SIZES[size]["width"] / 2, 400)
    view.mouse.wheel(0, 900)
    view.wait_for_function("() => scrollY > 0")
    view.evaluate(REST)
    above = "[...document.querySelectorAll('article p')].find((p) => p.offsetHeight && "
    above += "p.getBoundingClientRect().top > 64)"
    view.evaluate(f"window.first = {above}; window.was = first.getBoundingClientRect().top")
    first, _ = (follow(view, place) for place in (count // 3, 2 * count // 3))
    view.go_back()
    is_at(view, first)
    view.go_back()
    view.evaluate(REST)
    assert abs(view.evaluate("first.getBoundingClientRect().top - was")) <= 2
    view.go_forward()
    is_at(view, first)


def test_late_fonts_do_not_move_the_place(page, site):
    """On a slow line, the letters of formulas come long after the jump."""
    name = "chapters/03-alignment-scores.html"
    view = page("about:blank")
    routes = []
    view.add_init_script("performance.now = () => 0")  # the page stays there for some seconds only
    view.route("**/*.woff2", lambda route: routes.append(route))
    with view.expect_request("**/*.woff2"):
        view.goto(f"{site}/{name}", wait_until="domcontentloaded")
        view.evaluate(LINKS)
        hash_ = follow(view, -1)
    assert routes
    for route in routes:
        route.continue_()
    view.unroute("**/*.woff2")
    view.evaluate("document.fonts.ready.then(() => true)")
    is_at(view, hash_)


def test_a_way_back_is_not_undone_by_what_comes_late(page):
    view = page("chapters/05-reading-dates.html")
    view.evaluate(LINKS)
    follow(view, 3)
    view.go_back()  # with the browser's own button
    view.evaluate(REST)
    view.evaluate("document.querySelector('article').append(document.createElement('hr'))")
    view.evaluate(REST)
    assert view.evaluate("scrollY") <= 2


def test_a_reader_who_moves_on_is_not_held_back(page):
    view = page("chapters/05-reading-dates.html")
    view.evaluate(LINKS)
    follow(view, 3)
    before = view.evaluate("scrollY")
    view.mouse.move(600, 400)
    view.mouse.wheel(0, 500)
    view.wait_for_function("(before) => scrollY > before + 300", arg=before)
    view.evaluate("document.querySelector('article').append(document.createElement('hr'))")
    view.evaluate(REST)
    assert view.evaluate("scrollY") - before > 300


# ---- the contents


def mark(view) -> str:
    (link,) = view.locator("#pst-page-toc-nav a[aria-current]").all()
    return link.get_attribute("href")


def test_the_contents_mark_what_is_read_to_the_end_and_keep_it_in_view(page):
    view = page("chapters/05-reading-dates.html", width=1600, height=500)
    view.evaluate("document.documentElement.dataset.whole = ''")
    links = view.locator("#pst-page-toc-nav li:not([hidden]) > a:visible")
    hashes = of_each(links, "one.getAttribute('href')")
    lines = "all => all.map((a) => a.offsetHeight)"
    before = links.evaluate_all(lines)
    for place in (len(hashes) // 2, len(hashes) - 2, len(hashes) - 1):
        view.evaluate(
            "(hash) => document.getElementById(hash.slice(1)).scrollIntoView()", hashes[place]
        )
        view.evaluate(REST)
        box = view.locator("#pst-page-toc-nav a[aria-current]").bounding_box()
        assert 0 <= box["y"] <= 500 - box["height"]
        assert links.evaluate_all(lines) == before, "the marked line is not broken anew"
    view.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    view.evaluate(REST)
    assert mark(view) == hashes[-1]
    links.nth(len(hashes) - 2).click()
    view.evaluate(REST)
    assert mark(view) == hashes[-2], "what was asked for, though the page ends above it"


def test_a_link_to_a_wall_leads_to_it(page):
    view = page("chapters/12-a-language-model.html")
    view.get_by_role("button", name="Copy a link").first.click()
    view.wait_for_function("() => location.hash.startsWith('#wall=')")
    view = page(view.url)  # as somebody who was sent the link
    top = "document.querySelector('[data-widget=HeadWall]').getBoundingClientRect().top"
    view.wait_for_function(f"() => scrollY > 0 && {top} >= 0 && {top} < 200")


# a heading that is called otherwise, one that moved, a claim, its entry among all claims
FORMER = (
    ("02-softmax.html#weights-that-are-exactly-zero", "#can-weights-be-exactly-zero"),
    (
        "04-context-vectors.html#where-does-the-context-enter",
        "05-reading-dates.html#where-does-the-context-enter",
    ),
    ("02-softmax.html#claim-answers-stated", "c-seeing.html#claim-answers-stated"),
    ("../book/claims.html#02-softmax-claim-answers-stated", "#c-seeing-claim-answers-stated"),
)


@pytest.mark.parametrize(("former", "now"), FORMER)
def test_a_former_place_leads_on(page, site, former, now):
    view = page("book/notation.html")
    address = f"{site}/chapters/{former}"
    view.goto(address)
    view.wait_for_url(urljoin(address, now))
    assert not view.locator(".attn-former >> visible=true").count()
    if "claim" not in now:  # claims are veiled by the guesses before them
        is_at(view, now[now.index("#") :])


def test_without_javascript_a_former_place_has_a_link(page):
    view = page(f"chapters/{FORMER[2][0]}", java_script_enabled=False)
    assert view.locator(".attn-former >> visible=true").inner_text() == "This has moved: Seeing"
    view.click(".attn-former:target")
    view.wait_for_url("**/chapters/c-seeing.html#claim-answers-stated")
