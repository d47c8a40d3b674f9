"""Look at a page in a browser: its messages, requests and sizes, and what axe-core finds."""

import contextlib
import json
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

AXE = Path(__file__).resolve().parents[3] / "node_modules" / "axe-core" / "axe.min.js"
KEY = "attention-measured.progress"
# scripts that make storage unusable: forbidden, or full
FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("storage is forbidden", "SecurityError"); },
});"""
NEARBY = "_static/favicon.svg"  # little to load, and yet it has the storage of the pages
# what Chromium logs if a test, or a widget drawn behind a veil, asks for its size
MEASURED = "Rendering was performed in a subtree hidden by content-visibility"
# From a disk, Chromium loads no font ahead and says so; it loads it when a letter needs it.
FROM_DISK = re.compile(r"file:\S+\.woff2")
PATIENCE = 120_000  # milliseconds, for what takes no time on an idle machine
FILL = """() => {
  for (let size = 2 ** 20; size >= 1; size /= 2) {
    try {
      for (let n = 0; ; n++) localStorage.setItem(`other ${size} ${n}`, "x".repeat(size));
    } catch {}
  }
}"""


@contextlib.contextmanager
def opened(browser, address, *, width=1280, height=800, scheme="light", **options):
    """A page in a window, with its ``messages`` and its ``requests``.

    What it is to wait for is a function: an expression would be evaluated again at each look, which
    the policy of our pages forbids.
    """
    page = lent(browser, color_scheme=scheme, **options)
    try:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        yield page
    finally:
        give_back(page)


# what changes a window itself: no other page is shown in it
LASTING = ("add_init_script", "route", "emulate_media", "close", "set_content", "new_page")
LASTING += ("new_cdp_session", "grant_permissions", "install", "set_fixed_time", "pause_at")


def lent(browser, **options):
    """An empty page, in a window with these options that another test has given back, or in a new
    one, which takes twice as long."""
    free = vars(browser).setdefault("free", {}).setdefault(repr(sorted(options.items())), [])
    if free:
        return free.pop()
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    page = watched(context.new_page())
    page.free, page.spent = free, False
    page.session = context.new_cdp_session(page)
    for owner in (page, context, page.clock):
        for name in filter(owner.__class__.__dict__.__contains__, LASTING):
            setattr(owner, name, lasting(page, getattr(owner, name)))
    return page


def lasting(page, does):
    def done(*arguments, **named):
        page.spent = True
        return does(*arguments, **named)

    return done


def give_back(page) -> None:
    """Leave nothing of a page in its window, or close it."""
    context = page.context
    origins = {urlsplit(url)[:2] for url in page.requests}
    if page.spent or len(context.pages) > 1 or ("file", "") in origins:
        context.close()
        return
    page.goto("about:blank")
    page.mouse.move(0, 0)
    for origin in ("://".join(pair) for pair in origins if pair[0] == "http"):
        kinds = {"origin": origin, "storageTypes": "cookies,local_storage,cache_storage"}
        page.session.send("Storage.clearDataForOrigin", kinds)
    page.messages, page.requests = [], []
    page.free.append(page)


def watched(page):
    """The page, which records its console in ``messages`` and what it loads in ``requests``."""
    page.messages, page.requests = [], []
    page.on("console", lambda message: of_no_matter(message) or page.messages.append(message.text))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    return page


def of_no_matter(message) -> bool:
    text = f"{message.text} {message.location['url']}"
    return MEASURED in text or bool(FROM_DISK.search(text))


def without(reason: str) -> None:
    """Skip a test if a browser is missing, but never in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def mounted(page) -> bool:
    """Wait until all of the page is there, and each widget has taken the place of its summary."""
    page.wait_for_load_state()
    for summary in page.locator(".attn-widget-summary").all():
        summary.wait_for(state="detached")
    # a veil takes part in the layout from shortly after the page has loaded
    page.wait_for_function("() => !document.querySelector('.attn-veil[hidden=\"\"]')")
    return page.evaluate(
        "[...document.querySelectorAll('.attn-widget')].every((place) => place.offsetHeight > 40)"
    )


def with_widgets(parsed, page_name) -> list:
    """The places of the widgets on a page; a page without any is skipped."""
    places = parsed[page_name].select(".attn-widget")
    return places or pytest.skip("no widget on this page")


def unveil(page) -> None:
    """Skip all guesses on a page, as a reader may, so that nothing on it is veiled."""
    gates = page.locator(".attn-gate[data-state=shut] button")
    gates.evaluate_all("(buttons) => buttons.forEach((button) => button.click())")
    assert page.locator(".attn-veil[hidden]").count() == 0


def of_each(locator, what: str) -> list:
    """What a script says of each element, which it calls ``one``."""
    return locator.evaluate_all(f"(all) => all.map((one) => {what})")


def drag(page, handle, finger: bool) -> None:
    """Drag a handle 60 pixels to the left and 30 down, by finger or by mouse."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if finger:
        for kind, points in [
            ("touchStart", [{"x": x, "y": y}]),
            ("touchMove", [{"x": x - 60, "y": y + 30}]),
            ("touchEnd", []),
        ]:
            page.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y + 30, steps=3)
        page.mouse.up()


def progress_of(page) -> dict | None:
    """The progress that the browser keeps for the reader."""
    text = page.evaluate("(key) => localStorage.getItem(key)", KEY)
    return text and json.loads(text)


def pace(page, rate: float) -> None:
    """Let the animations of a page run at this rate, also after it has led to another."""
    page.pacing = getattr(page, "pacing", None) or page.context.new_cdp_session(page)
    page.pacing.send("Animation.enable")
    page.pacing.send("Animation.setPlaybackRate", {"playbackRate": rate})


def open_side_roads(page) -> None:
    """Open all side roads on a page, as a click on each of them does."""
    page.locator(".attn-side-road").evaluate_all("all => all.forEach((one) => (one.open = true))")


# of an element, the beginnings of its texts that stand nowhere else on the page
ONLY_HERE = """(part) => {
  const whole = document.querySelector("article").textContent;
  const texts = [...part.querySelectorAll("p")].flatMap((p) => [...p.childNodes]);
  return texts.map((text) => text.data?.trim().match(/^(\\w+ ){5}\\w+/)?.[0])
    .filter((words) => words && whole.split(words).length === 2);
}"""


def find(page, words: str) -> None:
    """Let the browser itself look for words, as it does for whoever uses its own search.

    No script can open that search, but a link to a text fragment does the same to the page.
    """
    page.evaluate(
        """(words) => {
          const link = document.createElement("a");
          Object.assign(link, { textContent: "find", href: `#:~:text=${encodeURI(words)}` });
          document.querySelector("article h1").after(link);
        }""",
        words,
    )
    page.get_by_role("link", name="find", exact=True).click()


# whether anything in an element is drawn, which nothing behind a veil is
DRAWN = """(part) => [...part.children].some((child) =>
  child.checkVisibility({ contentVisibilityProperty: true }))"""

# of each figure, the letters below 11 pixels; test_widgets_contract_browser.py has the widgets'
TOO_SMALL = """() => [...document.querySelectorAll(".attn-figure svg :is(text, tspan)")]
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((node) => getComputedStyle(node.ownerSVGElement).display !== "none")
  .map((node) => [node, node.getScreenCTM(), parseFloat(getComputedStyle(node).fontSize)])
  .map(([node, { a, b }, size]) => [Math.hypot(a, b) * size, node])
  .filter(([size]) => size < 10.99)
  .map(([size, node]) => [size, node.textContent, node.ownerSVGElement.ariaLabel])"""

# Waits until the page has stood still for some frames.
REST = """async () => {
  let [last, same] = [null, 0];
  while (same < 8) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const now = `${scrollY} ${document.documentElement.scrollHeight}`;
    same = now === last ? same + 1 : 0;
    last = now;
  }
}"""

# what a browser that translates must leave alone, and yet would rewrite
REWRITTEN = """() => [...document.querySelectorAll(`pre, code, kbd, samp, .katex,
    .attn-frame :is(bdi, select, [data-place]), .attn-frame input[type=text]`)]
  .filter((one) => one.closest("[translate]")?.getAttribute("translate") !== "no")
  .map((one) => one.outerHTML.slice(0, 100))
  .concat(document.querySelector("main").translate ? [] : ["the text itself would stay"])"""

# Lays out all parts of the page, near or far, and waits for whatever depends on their sizes.
LAY_OUT = """async () => {
  document.documentElement.dataset.whole = "";
  for (const _ of "twice") await new Promise((drawn) => requestAnimationFrame(drawn));
}"""


# a colour on its way to another may have too little contrast
COME_TO_REST = """async () => {
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
}"""


def axe(page, *, without=(), within="html") -> list[tuple[str, str]]:
    """What axe-core finds wrong with a page: each rule, and each element that violates it.

    ``within`` some elements, where the rest of the page is as another test has seen it.
    """
    page.evaluate(LAY_OUT)
    page.evaluate(COME_TO_REST)
    page.evaluate(AXE.read_text("utf-8"))
    options = {
        "resultTypes": ["violations"],
        "rules": {rule: {"enabled": False} for rule in without},
    }
    script = "([within, options]) => axe.run([...document.querySelectorAll(within)], options)"
    violations = page.evaluate(script, [within, options])["violations"]
    return [(fault["id"], node["html"][:150]) for fault in violations for node in fault["nodes"]]


CONTROLS = {"button", "checkbox", "combobox", "radio", "searchbox", "slider", "spinbutton"}
CONTROLS |= {"textbox"}
MAY_BE = "button, input, select, textarea, [contenteditable], [role="
MAY_BE += "], [role=".join(sorted(CONTROLS)) + "]"


def repeats(page) -> dict[tuple[str, str], int]:
    """The controls, by role and name, that a reader who listens cannot tell apart; all are open."""
    page.locator("article details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    page.evaluate(LAY_OUT)
    for domain in ("DOM", "Accessibility"):  # or the tree would be made anew for each node
        page.session.send(f"{domain}.enable")
    root = page.session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    query = {"nodeId": root, "selector": MAY_BE}
    counts = Counter()
    for number in page.session.send("DOM.querySelectorAll", query)["nodeIds"]:
        one = {"nodeId": number, "fetchRelatives": False}
        [node] = page.session.send("Accessibility.getPartialAXTree", one)["nodes"]
        if not node["ignored"] and node["role"]["value"] in CONTROLS:
            counts[node["role"]["value"], node["name"]["value"]] += 1
    for domain in ("Accessibility", "DOM"):
        page.session.send(f"{domain}.disable")
    return {control: count for control, count in counts.items() if count > 1}


@dataclass(frozen=True)
class Seen:
    """What a browser saw of a page."""

    site: str  # its address
    mounted: bool
    messages: list[str]
    requests: list[str]
    faults: list[tuple[str, str]]
    widths: dict[int, int]  # of the whole page, in a window of that width
    too_small: list  # letters of figures, with their sizes
    rewritten: list[str]  # by a browser that translates
    repeated: dict[tuple[str, str], int]  # the names that several controls have
