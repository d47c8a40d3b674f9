"""Every page of the built book in a real browser: what each page promises its readers."""

import functools
import gzip
import re
from urllib.parse import unquote, urlsplit

import pytest
from browsing import REST, mounted, of_each, open_side_roads, opened, unveil
from bs4 import BeautifulSoup
from listing import OF_EACH_KIND
from test_page_budget import DRAWN

KILOBYTES = 400  # gzipped, without a page's own figures and weights


def kinds(page) -> set[str]:
    """What the page has around its widgets, by the names that the book gives to its parts."""
    parts = page.select("[class*=attn-]:not(.attn-widget *, svg *)")
    return {name for part in parts for name in part["class"] if name.startswith("attn-")}


def test_the_pages_that_are_always_opened_have_something_of_each_kind(parsed):
    opened = set().union(*(kinds(parsed[name]) for name in OF_EACH_KIND))
    assert {name: new for name, page in parsed.items() if (new := kinds(page) - opened)} == {}


# ---- alone: one origin, a strict policy, no network


@pytest.mark.parametrize("width", [1280, 360])
def test_a_page_asks_its_own_host_only_and_says_nothing_to_the_console(look_at, page_name, width):
    there = look_at(page_name, width)
    assert there.mounted
    own = (f"{there.site}/", "data:")
    assert [url for url in there.requests if not url.startswith(own)] == []
    assert there.messages == []


@pytest.mark.every_page
def test_a_page_works_from_a_folder(page, folder, page_name):
    view = page((folder / page_name).as_uri())
    assert mounted(view)
    assert view.messages == []
    assert len(view.requests) > 5
    assert [url for url in view.requests if not url.startswith(("file:", "data:"))] == []


def test_every_page_has_a_policy_that_lets_it_have_its_icon(folder):
    """A browser asks for one anyway, and would report what the policy then forbids."""
    for path in folder.rglob("*.html"):
        head = BeautifulSoup(path.read_bytes().partition(b"</head>")[0], "html.parser").head
        policy = head.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
        assert policy.startswith("default-src 'none';"), path
        assert not re.search(r"script-src (?!'self';|'sha256-)", policy), path
        (icon,) = [link["href"] for link in head.find_all("link") if "icon" in link["rel"]]
        allowed = "data:" if icon.startswith("data:") else "'self'"
        assert re.search(rf"img-src [^;]*{allowed}", policy), path


# ---- what a page says about itself


def test_a_page_has_a_language_a_title_and_a_description(parsed, page_name):
    page = parsed[page_name]
    assert page.html["lang"] == "en"
    assert re.fullmatch(r"\S.+ · Attention, measured|Attention, measured: .+", page.title.string)
    assert 20 < len(page.find("meta", attrs={"name": "description"})["content"]) < 200
    assert len(page.find_all("h1")) - len(page.select("#jb-print-docs-body h1")) == 1


def test_no_two_pages_have_the_same_title(parsed):
    titles = [page.title.string for page in parsed.values()]
    assert len(set(titles)) == len(titles)


def test_the_folder_s_own_front_door_leads_to_the_front_page(page):
    view = page("index.html")
    view.wait_for_url("**/book/index.html")


@pytest.mark.parametrize("script", [True, False])
def test_the_former_name_of_a_chapter_leads_to_the_same_place_in_it(browser, site, script):
    old, new = "chapters/14-capstone.html", "chapters/13-capstone.html"
    with opened(browser, f"{site}/{old}#exercises", java_script_enabled=script) as view:
        view.wait_for_url(f"{site}/{new}{'#exercises' if script else ''}")
        assert view.messages == []


# ---- for everybody


# what axe-core finds, controls that cannot be told apart, what a browser that translates would
# rewrite, and letters of figures that are too small on a phone
WRONG = [(1280, "faults"), (360, "faults"), (1280, "repeated"), (1280, "rewritten")]


@pytest.mark.parametrize(("width", "kind"), [*WRONG, (360, "too_small")])
def test_nothing_on_a_page_hinders_its_readers(look_at, page_name, width, kind):
    assert not getattr(look_at(page_name, width), kind)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_axe_finds_nothing_in_the_frame_of_a_page(look_at, width, scheme):
    """The other two views, for a page that has everything that pages share."""
    assert look_at("chapters/02-softmax.html", width, scheme).faults == []


@pytest.mark.parametrize(("opened", "width"), [(360, 360), (360, 320), (1280, 768)])
def test_no_page_scrolls_sideways(look_at, page_name, opened, width):
    assert look_at(page_name, opened).widths[width] <= width


def test_no_name_in_the_table_of_symbols_is_broken_on_a_phone(page):
    view = page("book/notation.html", width=360, is_mobile=True, has_touch=True)
    names = view.locator("#symbols td code")
    assert names.count() > 10
    lines = of_each(names, "one.getClientRects().length")
    assert lines == [1] * len(lines)
    tables = view.locator("#symbols table")
    right = of_each(tables, "one.getBoundingClientRect().right")
    assert max(right) < 345


def test_a_page_travels_light(look_at, site, folder, page_name):
    sizes = {}
    for url in set(look_at(page_name, 1280).requests):
        if not url.startswith("data:") and not url.endswith(".bytes.js"):
            path = folder / unquote(urlsplit(url.removeprefix(f"{site}/")).path)
            sizes[url] = zipped(path)
    assert len(sizes) > 5
    assert sum(sizes.values()) < KILOBYTES * 1000, sizes


@functools.cache
def zipped(path) -> int:
    body = path.read_bytes()
    whole = path.suffix != ".html"
    return len(gzip.compress(body if whole else DRAWN.sub("", body.decode()).encode()))


def test_prose_has_lines_that_are_good_to_read(page):
    view = page("book/how-to-study.html")
    characters = view.evaluate(
        """() => [...document.querySelectorAll("article section > p")].map((p) => {
          const lines = p.getClientRects()[0].height / parseFloat(getComputedStyle(p).lineHeight);
          return [p.textContent.length, Math.round(lines)];
        })"""
    )
    full = [length / (lines - 0.5) for length, lines in characters if lines > 2]
    assert 60 < sum(full) / len(full) < 76


# ---- the frame of a page


@pytest.mark.parametrize("touch", [False, True])
def test_the_menu_opens_on_a_phone(page, touch):
    view = page("book/notation.html", width=360, has_touch=touch)
    menu = view.get_by_role("dialog", name="Chapters")
    button = view.get_by_role("button", name="Chapters")
    (button.tap if touch else button.click)()
    menu.wait_for(state="visible")
    menu.get_by_role("button", name="Close").click()
    menu.wait_for(state="hidden")
    button.press("Enter")
    view.keyboard.press("Escape")
    menu.wait_for(state="hidden")
    button.click()
    menu.get_by_role("link", name="How to study").click()
    view.wait_for_url("**/how-to-study.html")
    assert view.messages == []


IN_SIGHT = """(all) => {
  const { top, bottom } = all.at(-1).getBoundingClientRect(); // the innermost
  return top >= 0 && bottom <= innerHeight;
}"""


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize(
    "name", ["book/how-to-study", "chapters/07-self-attention", "chapters/13-capstone"]
)
def test_the_menu_opens_at_the_page_that_is_shown(page, name, width):
    view = page(f"{name}.html", width=width)
    if width == 360:
        view.get_by_role("button", name="Chapters").click()
        view.get_by_role("dialog", name="Chapters").wait_for()
    assert view.locator(".bd-links .active").evaluate_all(IN_SIGHT)
    view.set_viewport_size({"width": width, "height": 400})
    if width == 1280:
        view.wait_for_function(
            f"() => ({IN_SIGHT})([...document.querySelectorAll('.bd-links .active')])"
        )


def test_the_contents_open_on_a_phone_and_close_when_followed(page):
    view = page("book/notation.html", width=360)
    view.get_by_role("button", name="On this page").click()
    view.get_by_role("dialog", name="On this page").get_by_role("link", name="Masks").click()
    view.get_by_role("dialog").wait_for(state="hidden")
    assert view.url.endswith("#masks")
    assert view.get_by_role("heading", name="Masks").is_visible()


def test_the_menu_makes_room_on_a_wide_screen_and_the_frame_is_not_printed(page):
    view = page("book/notation.html")
    chapters = view.get_by_role("navigation", name="Main")
    assert chapters.is_visible()
    view.emulate_media(media="print", color_scheme="dark")
    assert not chapters.is_visible()
    assert not view.get_by_role("button", name="Search").is_visible()
    assert view.get_by_role("heading", name="Score functions").is_visible()
    view.emulate_media(media="screen")
    view.get_by_role("button", name="Chapters").click()
    chapters.wait_for(state="hidden")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_until_the_reader_chooses(page, scheme):
    view = page("book/index.html", scheme=scheme)
    theme = "document.documentElement.dataset.theme"
    assert view.evaluate(theme) == scheme
    colour = view.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", colour)[:3]))
    assert brightness < 100 if scheme == "dark" else brightness > 700
    button = view.get_by_role("button", name="Colours")
    chosen = []
    for _ in range(3):
        button.click()
        chosen.append(view.evaluate(theme))
    assert chosen == ["light", "dark", scheme]
    button.click()
    view.reload()
    assert view.evaluate(theme) == "light"
    view.emulate_media(color_scheme="dark")
    assert view.evaluate(theme) == "light"


# ---- the front page and its widget


def test_the_models_of_a_chapter_travel_only_to_readers_who_type(page):
    view = page("chapters/01-fixed-context.html")
    mounted(view)
    unveil(view)
    open_side_roads(view)

    def requested():
        return {url for url in view.requests if url.endswith(".bytes.js")}

    assert len(requested()) == 2  # the player's, which are there at once
    view.get_by_role("textbox", name="Your own letters").fill("qz")
    rows = view.locator(".attn-own-answer dd [aria-hidden]")
    rows.first.wait_for()
    assert rows.all_inner_texts() == ["qz", "qz"]  # two letters are easy for both
    assert len(requested()) == 4
    assert not view.messages


@pytest.mark.parametrize("width", [1280, 360])
def test_a_widget_that_comes_late_does_not_push_the_page_around(page, site, width):
    view = page("about:blank", width=width)
    routes = []
    view.route("**/_static/widgets/*.bytes.js", lambda route: routes.append(route))
    with view.expect_request("**/_static/widgets/*.bytes.js"):
        view.goto(f"{site}/book/index.html", wait_until="commit")
    view.wait_for_selector("footer", state="attached")
    place = view.locator(".attn-widget").first
    assert place.locator(".attn-widget-summary").count() == 1
    view.evaluate(REST)
    before = place.bounding_box()
    for route in routes:
        route.continue_()
    mounted(view)
    view.evaluate(REST)
    assert place.bounding_box() == before
