"""The live language model in each engine: a reader's way to it, and what may happen on the way."""

import json
import re
import threading
from types import SimpleNamespace
from urllib.parse import quote, unquote

import pytest
import torch
from engine import PATIENCE
from listing import WRITTEN
from webkit import WebKit

from attn_book.commands import serve
from attn_book.commands.head_maps import changes_of
from attn_course.models.language_file import load

PART = "document.querySelector('[data-part={}]')".format
SAYS = f"/{{}}/.test({PART('said')}.textContent)".format
EMPTY = "caches.delete('attention-measured.model').catch(() => 0)"
LEFT = """caches.open('attention-measured.model').then(async (store) => store.put(
  new URL(PLACE.dataset.file, location.href), new Response({})))""".format
LONGER = "new Blob([await (await store.match(PLACE.dataset.file)).blob(), 'x'])"
RETURN = "document.dispatchEvent(new Event('visibilitychange'))"  # from another tab to this one
STEPS = {  # what a step does, or waits for
    "kept": f"!{PART('remove')}.hidden",
    "not kept": f"{PART('remove')}.hidden",
    "later": f"{PART('remove')}.hidden && (window.since ??= Date.now()) < Date.now() - 300",
    "broken": SAYS("after [123] of . MB"),
    "half": f"{PART('progress')}.value > 1_500_000",
    "emptied elsewhere": f"({EMPTY}.then((was) => (window.empty = !was)), window.empty)",
    "longer": f"({LEFT(LONGER)}.then(() => (window.longer = 1)), window.longer)",
    "damaged": f"{LEFT('new Uint8Array(Number(PLACE.dataset.bytes))')}.then(() => {RETURN}) && 1",
    "full": "(Cache.prototype.put = () => Promise.reject(Error())) && 1",
    "closed": "Object.defineProperty(window, 'caches', { get() { throw Error(); } }) && 1",
    "severed": """(PLACE.dataset.worker += "?connect-src 'none'")""",
    "lost": "(PLACE.dataset.worker = 'lost.js')",
    "open": "(document.querySelector('details').open = true)",
    "nothing": f"({PART('text')}.value = '') || 1",
    "a half": f"({PART('text')}.value = 'ǆ')",
}
HALF, SOME = -3 * 10**6, pytest.approx(2_250_000, abs=750_000)
KINDS = {  # the bytes that come (below 0: no end); steps, or control > words > focus; asked from
    "kept": ([], "load; kept; load; remove > Removed > load; load", [0, 0]),
    "stopped": ([HALF], "load > Load; half; cancel > Nothing > load; breaks; later; load", [0, 0]),
    "broken": ([HALF], "load > Load; half; breaks; broken; load", [0, SOME]),
    "not reached": ([0], "load > did not arrive as a whole; load", [0, 0]),
    "no room": ([], "full; load > Read:.*no room; not kept", [0]),
    "no storage": ([], "closed; load", [0]),
    "damaged": ([], "damaged; kept; load", [0]),
    "another file": ([], "load; kept; longer; load", [0, 0]),
    "two tabs": ([], "load; kept; emptied elsewhere; load > is gone; load", [0, 0]),
    "no script": ([], "lost; load > could not be started. Please load", []),
    "no way": ([], "severed; load > site that shows this page blocks", []),
    "an error": ([], "load; nothing; read > There must be; text > There must be", [0]),
    "half a letter": ([], "load; a half; read > Read:.*part of a letter", [0]),
    "fields": ([], "load; open; text; heads; other; from; read; write > Written", [0]),
}


@pytest.fixture
def line(model_file, monkeypatch):
    """The line on which the model comes: ``brings`` so many bytes, asked for from ``starts``."""
    whole, model = serve.Handler.send_head, model_file.read_bytes()
    line = SimpleNamespace(starts=[], brings=[], breaks=threading.Event())

    def send_head(handler):
        if not handler.path.endswith(".gguf"):
            return whole(handler)
        start = int(re.sub(r"\D", "", handler.headers.get("Range", "0")))
        line.starts.append(start)
        count = line.brings.pop(0) if line.brings else len(model)
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Length", str(len(model) - start))
        handler.send_header("Content-Range", f"bytes {start}-{len(model) - 1}/{len(model)}")
        handler.send_header("ETag", '"one"')
        handler.end_headers()
        handler.wfile.write(model[start:][: abs(count)])
        assert count >= 0 or line.breaks.wait(PATIENCE)

    def end_headers(handler):
        policy = unquote(handler.path.partition("?")[2])  # as that of a host, or of a frame
        handler.send_header("Content-Security-Policy", policy)
        super(serve.Handler, handler).end_headers()

    monkeypatch.setattr(serve.Handler, "send_head", send_head)
    monkeypatch.setattr(serve.Handler, "end_headers", end_headers, raising=False)
    return line


def press(engine, place: str, keys: str = "Enter") -> None:
    engine.until(place)
    engine.focus(place)
    engine.press(keys)


def use(engine, part: str, words: str = "Read:", then: str = "") -> None:
    """Do a step, or use a control by keyboard: the focus stays on it, or goes to ``then``."""
    if part in STEPS:
        engine.evaluate("window.empty = false")
        return engine.until(STEPS[part])
    press(engine, PART(part))
    engine.until(f"{SAYS(words)} && document.activeElement.dataset.part === '{then or part}'")
    assert engine.evaluate(f"{PART('answer')}.offsetHeight > 0") == words.startswith(("Re", "W"))


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_happens_is_said_and_the_model_is_opened(engine, line, kind):
    if kind == "no way" and isinstance(engine, WebKit):
        pytest.skip("it tells no worker of a policy")
    line.brings[:], steps, starts = KINDS[kind]
    engine.page("chapters/beside.html")
    engine.until("(window.PLACE = document.querySelector('.attn-language'))")
    engine.until(STEPS["emptied elsewhere"])  # in case that an engine has kept it for other kinds
    engine.until(f"{RETURN} && {STEPS['not kept']}")
    for step in steps.split("; "):
        line.breaks.set() if step == "breaks" else use(engine, *step.split(" > "))
    assert line.starts == starts


POLICIES = {
    "sandbox allow-scripts": "pen the page by itself",
    "sandbox allow-scripts allow-same-origin": "Read:",  # no form may be sent
    "worker-src 'none'": "blocked by the policy",
}


@pytest.mark.parametrize(("policy", "words"), POLICIES.items())
def test_what_a_frame_or_a_host_forbids_is_named(engine, line, policy, words):
    engine.page(f"chapters/beside.html?{quote(policy)}")
    for part in "load", "text":
        press(engine, PART(part))
        engine.until(f"document.querySelector('.attn-language').innerText.includes('{words}')")


WALL = "document.querySelector('.attn-wall')"
NEXT = f"{WALL}?.querySelector('.attn-is-next')?.textContent"
BUTTON = f"[...{WALL}.querySelectorAll('button')].find((one) => one.textContent === '{{}}')".format


@pytest.mark.skipif("chapters/12-a-language-model" not in WRITTEN, reason="it was not run here")
def test_a_reader_reaches_the_model_and_changes_its_answer(engine, line, model_file):
    scripts = (f"{engine.address}/_static/{name}.js" for name in ("early", "host"))
    engine.page(f"chapters/12-a-language-model.html?{quote('script-src ' + ' '.join(scripts))}")
    engine.until(SAYS("blocks a file that it needs"))
    engine.page("book/index.html")
    press(engine, "document.querySelector('p > a.internal[href*=\"12-a-language\"]')")
    engine.until(f"/12-a-language/.test(location) && {NEXT}")
    engine.answer("document.addEventListener('attn-save', ({ detail }) => (window.wall = detail))")
    press(engine, PART("load"))
    engine.until(SAYS("Read: "))
    press(engine, BUTTON("Germany"))
    press(engine, f"{WALL}.querySelector('[type=range]')", "End" + 6 * " ArrowLeft")
    engine.until("""window.wall.get('answer').key?.includes('"from":23')""")
    answer, changes = engine.evaluate("['answer', 'changes'].map((name) => window.wall.get(name))")
    loaded = load(model_file)
    ids = loaded.text.read(json.loads(answer["key"])[0])
    for name, applied in ("was", None), ("now", changes_of(loaded, ids, **changes)):
        with torch.no_grad():
            shares = torch.softmax(loaded.model(ids, changes=applied).logits[0, -1].double(), 0)
        assert max(answer[name]) == pytest.approx(shares.max().item(), abs=1e-3)
    assert answer["was"] != pytest.approx(answer["now"], abs=1e-2)
    next_piece = loaded.text.pieces(shares.argmax()[None])[0].removeprefix(" ")
    engine.until(f"{NEXT} === {json.dumps(next_piece)}")
    # a model that is to be opened again and is stopped leaves the stored answers
    line.brings = [-1]
    engine.until(f"{EMPTY}.then(() => {RETURN}) && 1")
    engine.until(STEPS["not kept"])
    for place in PART("load"), PART("cancel"), BUTTON("Undo all"):
        press(engine, place)
    engine.until(f"{WALL}.querySelector('form').hidden && {NEXT} === 'Paris'")
