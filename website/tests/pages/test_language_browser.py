"""The language model that readers open in a page, in a real browser with the page's own policy."""

import base64
import contextlib
import json
import re

import numpy as np
import pytest

pytest.importorskip("gguf")
pytest.importorskip("tokenizers")

import torch
from browsing import axe, opened
from small_language_file import BLOCKS, HEADS, write

from attn_book.commands import serve
from attn_book.commands.head_maps import changes_of
from attn_book.commands.language_page import write_page
from attn_course.models.language_file import load
from attn_course.patching import exchanged_at, heads_replaced, recorded, together

TEXT = "The map"
OTHERS = ("to test", "in the", "a test", "of it", "the book", "made of", "on a page")
# what would show as nothing
SHOWN_AS = {code: 0x2400 + code for code in range(32)} | {10: "↵", 32: "␣", 127: "␡"}


@pytest.fixture(scope="module")
def stage_of_model(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def small(stage_of_model):
    """A model whose choices are clear."""
    return write(stage_of_model / "small.gguf")


@pytest.fixture
def visit(browser, stage_of_model):
    """Open a page with a place for the model."""
    file = write_page(stage_of_model, "chapters/alone")
    with serve.running(stage_of_model) as served, contextlib.ExitStack() as windows:
        yield lambda: windows.enter_context(opened(browser, f"{served}{file}"))


def await_message(view, words: str) -> None:
    view.locator("[data-part=said]", has_text=re.compile(words)).wait_for()


def with_file(view, path):
    view.locator("[type=file]").set_input_files(path)
    await_message(view, "Read: ")
    return view


def fill(view, **fields) -> None:
    for name, value in fields.items():
        field = view.locator(f"[data-part={name}]")
        field.select_option(value) if name == "position" else field.fill(value)
    view.get_by_role("button", name="Read it").click()


def read(view, **fields) -> list[str]:
    fill(view, **fields)
    await_message(view, "Read: ")
    return view.locator("tbody tr").all_inner_texts()


def likeliest(probabilities, count=5) -> list[str]:
    return [percent(share) for share in probabilities.topk(count).values.tolist()]


def expected(model, text, changes=None):
    with torch.no_grad():
        logits = model(text, changes=changes).logits[0, -1]
    return torch.softmax(logits.double(), 0)


def shares(rows: list[str], column: int) -> list[str]:
    return [row.split("\t")[column].replace("\xa0", "") for row in rows]


def percent(share: float) -> str:
    return "<1%" if share < 0.005 else f"{share:.0%}"


def test_the_file_is_opened_and_a_text_is_read(visit, small):
    model, text, _ = load(small)
    view = with_file(visit(), small)
    view.get_by_text("Change what it computes").click()
    rows = read(view, text=TEXT)
    ids = text.read(TEXT)
    plain = expected(model, ids)
    assert shares(rows, 1) == likeliest(plain)
    pieces = text.pieces(plain.topk(5).indices)
    assert shares(rows, 0) == [piece.translate(SHOWN_AS) for piece in pieces]

    rows = read(view, heads="1.3, 2·0")
    changed = expected(model, ids, together(heads_replaced(model, [(1, 3), (2, 0)])))
    assert shares(rows, 2)[:3] == likeliest(changed, 3)

    # what the file's symbols are depends on the prose that they were learnt from
    other = next(one for one in OTHERS if text.read(one).shape == ids.shape)
    rows = read(view, heads="", other=other, position="0")
    values = recorded(model, text.read(other), [("values", block) for block in range(BLOCKS)])
    swapped = expected(model, ids, exchanged_at(values, torch.arange(ids.shape[1]) == 0))
    assert shares(rows, 2)[:3] == likeliest(swapped, 3)
    assert view.messages == []
    assert axe(view) == []


WALLS = """([counts, heads, pieces]) => {
  window.walls = counts.map((blocks) => {
    const traits = { blocks, heads, sentences: [{ name: "One", pieces }], own: {}, index: 0 };
    Object.assign(traits, { runs: {}, changes: {}, answer: {}, tables: [], chosen: [0, 1] });
    Object.assign(traits, { colour: "one back", text: "", reads: false });
    const followers = [];
    const detail = {
      get: (name) => traits[name],
      set(given, value) {
        const all = typeof given === "string" ? { [given]: value } : given;
        Object.assign(traits, all);
        for (const [name, does] of followers) if (name.slice(7) in all) does();
      },
      on: (name, does) => followers.push([name, does]),
      off() {},
      save_changes() {},
    };
    const place = document.createElement("div");
    place.dataset.widget = "HeadWall";
    document.body.prepend(place);
    place.dispatchEvent(new CustomEvent("attn-start", { bubbles: true, detail }));
    return detail;
  });
}"""
ANSWER = """() => {
  const { tokens, was, now } = walls.at(-1).get("answer");
  return Object.fromEntries(tokens.map((token, k) => [token, [was[k], now[k]]]));
}"""


COUNTING = """{
  const { compile } = WebAssembly;
  self.compiled = 0;
  WebAssembly.compile = async (bytes) => compile(bytes).then((module) => (compiled++, module));
}
"""


@pytest.mark.parametrize(("policy", "compiled"), [("", 1), ("script-src 'self'", 0)])
def test_it_multiplies_in_webassembly_unless_a_policy_forbids(visit, small, policy, compiled):
    """And reads the same without."""
    view = visit()

    def count(route):
        answer = route.fetch()
        headers = {**answer.headers, "content-security-policy": policy}
        route.fulfill(response=answer, body=COUNTING + answer.text(), headers=headers)

    view.route("**/*worker.js", count)
    with_file(view, small)
    model, text, _ = load(small)
    assert shares(read(view, text=TEXT), 1) == likeliest(expected(model, text.read(TEXT)))
    [worker] = view.workers
    assert worker.evaluate("compiled") == compiled


@pytest.fixture
def walled(visit, small):
    """Give a page walls of so many blocks, and open the model there; and the model in Python."""
    loaded, view = load(small), visit()
    pieces = loaded.text.pieces(loaded.text.read(TEXT)[0])

    def place(*counts: int):
        view.evaluate(WALLS, [counts, HEADS, pieces])
        return with_file(view, small)

    return place, loaded


def settled(view, text: str = TEXT) -> dict:
    """The wall's answer, once it belongs to this text and to what is changed now."""
    view.wait_for_function(
        """(text) => {
          const { key } = walls.at(-1).get("answer");
          const [whole, heads, others] = JSON.parse(key ?? "[]");
          const { silenced = [], ...rest } = walls.at(-1).get("changes");
          const same = JSON.stringify(Object.entries(rest).sort()) === JSON.stringify(others);
          return whole === text && heads.length === silenced.length && same;
        }""",
        arg=text,
    )
    return view.evaluate(ANSWER)


CHANGES = {
    "heads": {"silenced": [[1, 3], [2, 0]]},
    "values of another place": {
        "exchange": {"text": "made of", "source": 0, "position": 1, "part": "values", "from": 1}
    },
    "keys": {"exchange": {"text": "of it", "source": 1, "position": 1, "part": "keys", "from": 0}},
    "both": {"exchange": {"text": "of it", "source": 0, "position": 0, "part": "both", "from": 2}},
    "hidden": {"hidden": {"position": 0, "from": 1}},
    "unkeyed": {"unkeyed": [0, 4]},
    "several": {"silenced": [[0, 2]], "hidden": {"position": 0, "from": 0}, "unkeyed": [1, 1]},
}


def test_what_is_changed_in_a_wall_is_computed_as_in_python(walled):
    place, loaded = walled
    view, (model, text, _) = place(BLOCKS + 1, BLOCKS), loaded
    ids = text.read(TEXT)
    plain = expected(model, ids)
    for changes in ({}, *CHANGES.values()):
        view.evaluate("(changes) => walls.at(-1).set('changes', changes)", changes)
        answer = settled(view)
        now = expected(model, ids, changes_of(loaded, ids, **changes))
        pieces = text.pieces(torch.arange(len(now)))
        for token, shares in answer.items():
            alike = [k for k, piece in enumerate(pieces) if piece == token]
            for share, of in zip(shares, (plain, now), strict=True):
                assert min(abs(share - of[k].item()) for k in alike) < 1e-4, (changes, token)
        assert pieces[now.argmax()] in answer
    assert view.evaluate("walls[0].get('answer').key") is None  # of another model
    assert view.messages == []


def test_a_typed_text_and_what_is_written_have_maps(walled):
    place, (model, text, _) = walled
    view = place(BLOCKS)
    settled(view)
    view.evaluate("(text) => walls.at(-1).set('text', text)", OTHERS[0])
    settled(view, OTHERS[0])
    pieces, weights, index = view.evaluate("""() => {
      const { pieces, weights } = walls.at(-1).get("own");
      return [pieces, [...new Uint8Array(weights.buffer)], walls.at(-1).get("index")];
    }""")
    symbols = text.read(OTHERS[0])
    assert (pieces, index) == (text.pieces(symbols[0]), 1)
    maps = recorded(model, symbols, [("weights", block) for block in range(BLOCKS)])
    rows, columns = np.tril_indices(len(pieces))
    whole = np.concatenate([part[0, :, rows, columns].ravel() for part in maps.values()])
    np.testing.assert_allclose(np.array(weights) / 255, whole, atol=0.003)
    view.locator("[data-part=count]").fill("3")
    view.locator("[data-part=temperature]").fill("0.7")
    view.locator("[data-part=top]").fill("2")
    view.get_by_role("button", name="Write on").click()
    view.wait_for_function(
        "(before) => walls.at(-1).get('own').pieces.length > before", arg=len(pieces)
    )
    assert view.evaluate("walls.at(-1).get('text')").startswith(OTHERS[0])


def test_the_effect_of_every_head_on_a_text_is_measured(walled):
    place, loaded = walled
    view, (model, text, _) = place(BLOCKS), loaded
    settled(view)
    view.get_by_role("button", name="Measure the effect of every head").click()
    effects = view.wait_for_function("() => walls.at(-1).get('own').effects").json_value()
    ids, heads = text.read(TEXT), [[b, h] for b in range(BLOCKS) for h in range(HEADS)]
    was = expected(model, ids)
    changed = [expected(model, ids, changes_of(loaded, ids, silenced=[head])) for head in heads]
    now = torch.stack(changed)[:, was.argmax()]
    np.testing.assert_allclose(effects, 100 * (was.max() - now), atol=0.01)
    actual = view.evaluate("[walls.at(-1).get('colour'), walls.at(-1).get('index')]")
    assert actual == ["effect on this answer", 1]
    assert view.messages == []


def test_a_link_brings_back_what_is_shown(walled):
    place, _ = walled
    view, changes = place(BLOCKS), {"silenced": [[2, 5]], "hidden": {"position": 0, "from": 1}}
    view.evaluate("(text) => walls.at(-1).set('text', text)", "größer")
    settled(view, "größer")
    view.evaluate("(changes) => walls.at(-1).set({ changes, chosen: [2, 5] })", changes)
    settled(view, "größer")
    view.get_by_role("button", name="Copy a link").click()
    view.wait_for_function("location.hash.startsWith('#wall=')")
    view.reload()
    place(BLOCKS)
    settled(view, "größer")
    pairs = view.evaluate("[walls.at(-1).get('changes'), walls.at(-1).get('chosen')]")
    assert pairs == [changes, [2, 5]]


BROKEN = {
    "version": 1,
    "sentence": "Two",
    "chosen": [0, HEADS],
    "colour": "one back",
    "changes": {"silenced": [[0, 1], [BLOCKS, 0]], "hidden": {"position": 0, "from": -1}},
}


def test_what_a_link_gets_wrong_is_said_and_the_rest_is_kept(walled):
    place, _ = walled
    view = place(BLOCKS)
    for state, words in [
        (BROKEN, "no head 3·0.*not known here.*no head 0·6.*no sentence “Two”"),
        ({**BROKEN, "version": 0}, "of another version"),
        ({**BROKEN, "text": "x" * 3000, "sentence": "One"}, "longer than 2000"),
    ]:
        packed = base64.urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")
        view.evaluate("(hash) => { location.hash = hash; }", f"wall={packed}")
        view.reload()
        view.evaluate(WALLS, [[BLOCKS], HEADS, ["a", "b"]])
        await_message(view, words)
        changes = {} if state["version"] == 0 else {"silenced": [[0, 1]]}
        assert view.evaluate("walls[0].get('changes')") == changes


def test_it_writes_on_as_python_does(visit, small):
    model, text, _ = load(small)
    view = with_file(visit(), small)
    read(view, text=TEXT)
    ids = text.read(TEXT)
    view.get_by_role("button", name="Write on").click()
    await_message(view, "Written")
    with torch.no_grad():
        for _ in range(12):
            ids = torch.cat([ids, model(ids).logits[:, -1:].argmax(-1)], 1)
    whole = text.write(ids[0, text.read(TEXT).shape[1] :])
    assert view.locator("[data-part=written]").text_content() == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda whole: whole[:-5000], "This file is cut off"),
        (lambda whole: b"%PDF" + whole, "This is no GGUF file"),
    ],
)
def test_what_is_no_model_is_refused_in_a_sentence(visit, small, tmp_path, change, words):
    view, wrong = visit(), tmp_path / "wrong.gguf"
    wrong.write_bytes(change(small.read_bytes()))
    view.locator("[type=file]").set_input_files(wrong)
    await_message(view, words)
    assert view.locator("[data-part=form]").is_hidden()
    with_file(view, small)


def test_a_page_from_a_folder_says_that_it_cannot(browser, stage_of_model):
    file = write_page(stage_of_model, "chapters/alone")
    with opened(browser, (stage_of_model / file).as_uri()) as view:
        await_message(view, "opened from a folder")
        assert view.locator("[type=file]").is_disabled()
        assert view.messages == []


UNREAD = [
    ({"text": "a, b. " * 200}, "this page reads 200 at most"),
    ({"text": TEXT, "heads": "7.1"}, "There is no head 7·1"),
    ({"heads": "seven"}, "block first; not seven"),
    ({"heads": "", "other": "a", "position": "1"}, "no 1 in the first or no 1 in the second"),
]


def test_what_cannot_be_read_is_said(visit, small):
    view = with_file(visit(), small)
    view.get_by_text("Change what it computes").click()
    for fields, words in UNREAD:
        fill(view, **fields)
        await_message(view, words)
