"""The language writer in a real browser: its model against PyTorch, its draws, and a reader."""

import random
from itertools import pairwise

import numpy as np
import pytest
import torch
from test_widget_language_writer import ALPHABET, MERGES, TOKENS, WINDOW, model_of, writer
from walking import call, has, table, walk

from attn_book.commands.widgets_harness import by_the_clock, trait

GPT = "widgets/language_writer/gpt.js"
READ = """async (texts) => {
  const { nextToken } = await import("./widgets/language_writer/gpt.js");
  const { unpack } = await import("./widgets/shared/bahdanau.js");
  const [model] = window.models;
  const arrays = unpack(model.get("weights"), model.get("layout_of_weights"));
  const next = nextToken({ arrays, heads: model.get("heads") });
  return texts.map((tokens) => [...next(tokens)]);
}"""
DRAW = """async ([logits, temperature, top, count]) => {
  const { drawn, sharesOf } = await import("./widgets/shared/weighing.js");
  const { randomFrom } = await import("./widgets/shared/uniform.js");
  const shares = sharesOf(Float64Array.from(logits), temperature, top);
  const next = randomFrom(1);
  const [many, seeds] = [0, 1].map(() => logits.map(() => 0));
  for (let n = 0; n < count; n++) {
    many[drawn(shares, next())]++;
    seeds[drawn(shares, randomFrom(n)())]++;
  }
  return [shares, many, seeds];
}"""
PLACES = {
    "written_text": ".attn-written",
    "tokens": ".attn-story span span, .attn-written span",
    "bars": ".attn-choice:not([hidden])",
    "others": ".attn-next + .attn-hint",
    "pressed": "[aria-pressed=true]",
    "aloud": "[role=status]",
    "writes": "button:text-is('Write')",
    "refused": "[aria-disabled=true]",
}


def logits_of(model, tokens):
    with torch.no_grad():
        return model(torch.tensor([tokens]))[0][0, -1].double()


@pytest.mark.parametrize("groups", [4, 2])
def test_the_logits_are_those_of_pytorch_whatever_was_read_before(show, groups):
    page, rng = show(writer(groups=groups)), random.Random(groups)
    whole = rng.choices(range(len(TOKENS)), k=13)
    ends = [13, 3, 4, 5, 5, 4, 13, 1]
    texts = [whole[:end] for end in ends] + [[*whole[:4], 2, 0], whole[1:9], [7]]
    actual, model = page.evaluate(READ, texts), model_of(groups)
    expected = torch.stack([logits_of(model, tokens) for tokens in texts])
    assert expected.std() > 1  # far from even, so every part matters
    np.testing.assert_allclose(actual, expected, atol=1e-3)


def joined(text):
    """The pair that was joined first is joined first, and of several the leftmost."""
    tokens = [ALPHABET.index(letter) for letter in text if letter in ALPHABET]
    while known := [pair for pair in pairwise(tokens) if pair in MERGES]:
        first = min(known, key=MERGES.index)
        at = next(n for n, pair in enumerate(pairwise(tokens)) if pair == first)
        tokens[at : at + 2] = [len(ALPHABET) + MERGES.index(first)]
    return tokens


def test_a_text_is_cut_into_tokens_as_in_training(show):
    page, rng = show(writer()), random.Random(3)
    texts = ["", "dddd", "ddddd", " ab", "abab\nabc", "ab☃c", *("☃", "😀a")]
    texts += ["".join(rng.choices(f"{ALPHABET}dabé", k=rng.randrange(30))) for _ in range(200)]
    for text in texts:
        tokens = call(page, GPT, "tokensIn", text, [*ALPHABET], MERGES)
        assert tokens == joined(text), text
        whole = "".join(letter for letter in text if letter in ALPHABET)
        assert "".join(TOKENS[token] for token in tokens) == whole


@pytest.mark.parametrize(
    ("temperature", "top"), [(1.0, 0), (0.5, 0), (2.0, 4), (1.3, 1), (0.8, 40), (0.0, 0), (0.0, 4)]
)
def test_tokens_are_drawn_by_their_shares(show, temperature, top):
    logits = [0.3, -1.2, 2.0, 1.1, -0.4, 1.9, 0.0]
    page, count = show(writer()), 20_000
    shares, *counts = page.evaluate(DRAW, [logits, temperature, top, count])
    left = torch.tensor(logits).double()
    if top:
        left[left < left.topk(min(top, 7)).values[-1]] = -torch.inf
    expected = (left / (temperature or 1e-3)).softmax(-1).numpy()
    np.testing.assert_allclose(shares, expected, atol=1e-9)
    for draws in counts:  # one seed after another begin as differently as one goes on
        np.testing.assert_allclose(np.divide(draws, count), expected, atol=0.015)
        assert np.all((np.array(draws) == 0) | (expected > 0))


def test_what_comes_next_follows_from_the_last_tokens_alone(show):
    page, model, read = show(writer(temperature=0.5, top=5)), model_of(), "abcdd ab\nda"
    go, long = walk(page, **PLACES), "d\nc c\n" + read
    for text in (read, long):
        go(f"fill Text to go on with: {text}")
        logits = logits_of(model, joined(text)[-WINDOW:]) / 0.5
        likeliest = logits.topk(6).indices.tolist()
        chances = logits.index_fill(0, logits.topk(11).indices[5:], -torch.inf).softmax(-1)
        names, shares = zip(*trait(page, "result")["next"], strict=True)
        assert [*names] == [TOKENS[token] for token in likeliest]
        np.testing.assert_allclose(shares, chances[likeliest], atol=1e-4)
    words = f"The model reads the last {WINDOW}, after the upright line."
    go(forgotten=len(joined(long)) - WINDOW, first_read=1, says=words)


def test_what_a_reader_does(show):
    page = show(writer(temperature=1.0))
    go = walk(page, **PLACES)
    go(says="3 tokens given, 0 written.", story=["abc d"], tokens=3, bars=6, written_text=[""])
    first = page.locator(".attn-choice").all_text_contents()
    signs = {name.split(") ")[0] for name in first if "(" in name}
    assert signs == {"␣ (space", "⏎ (line break", "␣a (space a"}
    go("press One token Enter", tokens=4, says="3 tokens given, 1 written.")
    go("click One token; click One token", tokens=6)
    one = trait(page, "written")
    go("click Again from the start; click One token; click One token; click One token", seed=1)
    assert trait(page, "written") != one  # another draw
    go("set written []", tokens=3)
    assert page.locator(".attn-choice").all_text_contents() == first
    go("press .choice 4 Enter")
    (taken,) = trait(page, "written")
    assert first[4].startswith(TOKENS[taken].replace(" ", "␣").replace("\n", "⏎"))
    go(tokens=4, written_text=[TOKENS[taken].replace("\n", "⏎\n")])
    page.get_by_role("textbox").fill("dd\n")
    go(story=["dd⏎\n"], written_text=[""])
    go("click Reset", text="abc d", seed=0, temperature=1.0, top=0)
    page = show(writer(temperature=1.0))  # the first run is the same everywhere
    walk(page)("click One token; click One token; click One token", written=one)


def test_temperature_and_top_change_the_bars_at_once_and_not_their_order(show):
    page = show(writer(temperature=1.0))
    go = walk(page, **PLACES)

    def bars():
        names, shares = zip(*trait(page, "result")["next"], strict=True)
        return list(names), list(shares)

    names, even = bars()
    go("slide Temperature Home", temperature=0, others="All 5 others together: 0 %")
    assert bars() == (names, [1, 0, 0, 0, 0, 0])
    go("slide Temperature End", temperature=2)
    assert bars()[0] == names
    assert bars()[1][0] < even[0]
    go(others=f"All 5 others together: {1 - sum(bars()[1]):.0%}".replace("%", " %"))
    go("click 5", top=5)
    assert (bars()[1][5], sum(bars()[1])) == (0, pytest.approx(1))
    go("click 1", top=1, pressed=["1"])
    assert bars()[1][0] == 1


def test_it_writes_until_it_is_pressed_again_or_there_is_enough_or_something_else_happens(show):
    page = show(writer())
    by_the_clock(page)
    go = walk(page, **PLACES)

    def after(does, milliseconds, **expected):
        go(does)
        page.clock.run_for(milliseconds)
        go(**expected)

    last = "The model reads the last 7, after the upright line."
    go("click Write", tokens=4)
    after("", 80 * 5, tokens=9)
    after("click Stop", 2_000, tokens=9)
    six = "".join(TOKENS[token] for token in trait(page, "written"))
    go(aloud=[f"3 tokens given, 6 written. {last} Written: {six}".strip()])
    after("click One token", 1_000)
    seventh = TOKENS[trait(page, "written")[-1]]
    go(aloud=[f"3 tokens given, 7 written. {last} Written: {seventh}".strip()])
    after("click Write; fill Text to go on with: d", 2_000, tokens=1, written_text=[""])
    after("click Write", 20_000, tokens=101, writes=1)
    whole = trait(page, "written")
    go("click Again from the start; click Write")
    page.evaluate("window.cleanups[0]()")
    after("", 2_000)
    assert len(trait(page, "written")) == 1
    walk(show(writer(text="d"), reduced_motion="reduce"))("click Write", written=whole)


def test_what_no_token_has_is_named_and_nothing_needs_a_beginning(show):
    page = show(writer())
    go, nothing = walk(page, markup=".attn-frame b", **PLACES), {"tokens": 0, "written_text": [""]}
    words = "There is no token for “☃” and “A”: they were left out."
    go("fill Text to go on with: a☃A☃", says=words, result=has(unknown=["☃", "A"]))
    go("fill Text to go on with: <b>", says="no token for “<” and “>”", markup=0, tokens=1)
    words = "Type how a text begins: the model needs a token to go on from."
    for text in ("", "☃"):
        page.get_by_role("textbox").fill(text)
        go(bars=0, result={}, others=[""], says=words, refused=2)
        go("press Write Enter; press One token Enter", **nothing)
    page.locator(".attn-choice").first.wait_for(state="hidden")
    assert table(page)[1:] == [["☃", "nothing"]]


def test_as_a_table(show):
    page = show(writer(text="d\n", samples=["a b"], temperature=0))
    header, *rows = table(page)
    assert header == ["Text", "What the model writes after it, at temperature 0.0"]
    assert [text for text, _ in rows] == ["d⏎", "a␣b"]
    tokens = joined("d\n")
    for _ in range(25):
        tokens.append(logits_of(model_of(), tokens[-WINDOW:]).argmax().item())
    written = "".join(TOKENS[token] for token in tokens[2:])
    assert rows[0][1] == written.replace(" ", "␣").replace("\n", "⏎")
