import unicodedata

import numpy as np
import pytest
import torch
from browsing import of_each
from torch_reader import SOURCE, TARGET, arrays_of, random_reader, read, steps_of, text_of
from walking import has, walk

from attn_book.commands.widgets_harness import by_the_clock, trait
from attn_course import packing
from attn_course.symbols import END
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.date_reader import DateReader
from attn_course.views.widgets.prediction import Prediction

# ---- the model, in JavaScript and in torch


def date_reader(model, **options):
    return DateReader(arrays_of(model), SOURCE.symbols, TARGET.symbols, **{"bits": 32} | options)


FORWARD = """async ([ids, options]) => {
  const { forward, textReader } = await import("./widgets/shared/bahdanau.js");
  const { arrays, special } = textReader(window.models[0]);
  const plain = (value) => (typeof value === "number" ? value : Array.from(value));
  return forward(arrays, special, ids, options).map((step) =>
    Object.fromEntries(Object.entries(step).map(([name, value]) => [name, plain(value)])));
}"""


@pytest.mark.parametrize("bits", [8, 32])
@torch.no_grad()
def test_forward_pass_equals_torch(show, bits):
    model = random_reader()
    reader = date_reader(model, bits=bits)
    page, rng = show(reader), np.random.default_rng(0)
    unpacked = packing.unpack(reader.weights, reader.layout_of_weights)
    model.load_state_dict({name: torch.from_numpy(array) for name, array in unpacked.items()})
    for length in (1, 2, 7, 13, 37):
        ids = rng.integers(0, len(SOURCE), length).tolist()
        forced = rng.integers(3, len(TARGET), 5).tolist()  # so that answers differ
        hidden = rng.permutation(length)[: length // 2].tolist()
        options = {"longest": 11, "forced": forced}
        steps = page.evaluate(FORWARD, [ids, {**options, "hidden": hidden}])
        expected = steps_of(model, read(model, ids, hidden), **options)
        for step, right in zip(steps, expected, strict=True):
            for name, value in vars(right).items():
                np.testing.assert_allclose(step[name], value, atol=1e-5, err_msg=name)


# ---- date reader


@pytest.fixture
def model():
    return random_reader(seed=11, scale=2.0)


@torch.no_grad()
def steps_on(model, text, hidden=(), **options):
    return [*steps_of(model, read(model, text, hidden), **options)]


def answered(model, text, **options):
    return text_of(steps_on(model, text, **options))


def probability(steps):
    return float(np.prod([step.probabilities[step.symbol].detach() for step in steps]))


LIVE = "[role=status], [aria-live]:not([aria-live=off])"
# what a screen reader reads out: each new text of a live region
LISTEN = """(live) => {
  window.heard = [];
  const texts = new Map();
  const hear = () => {
    for (const region of document.querySelectorAll(live)) {
      const text = region.textContent.trim();
      if (text && texts.get(region) !== text) heard.push(text);
      texts.set(region, text);
    }
  };
  hear();
  window.heard = [];
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(hear).observe(document.body, all);
}"""


def test_what_is_typed_in_one_go_is_answered_aloud_once(show, model):
    page = show(date_reader(model, text=""))
    by_the_clock(page)
    page.evaluate(LISTEN, LIVE)
    page.clock.run_for(2000)
    assert page.evaluate("window.heard") == []  # nothing that was there at first
    text = "3. Mai 1998"
    for character in text:
        page.get_by_role("textbox").press_sequentially(character)
        page.clock.run_for(400)
    page.clock.run_for(2000)
    (words,) = page.evaluate("window.heard")
    assert answered(model, text) in words
    assert "it gives this answer a probability of" in words


def test_reader_answers_as_torch_does(show, model):
    page = show(date_reader(model, text=""))
    go = walk(page, weights="[role=gridcell][aria-label] @aria-label", **READER)
    for text in ("3. Mai 1998", "1", "3/4/05", "Juni"):
        steps = steps_on(model, text)
        iso, spoken = text_of(steps), [step for step in steps if step.symbol != END]
        chosen = [float(step.probabilities[step.symbol]) for step in spoken]
        page.get_by_role("textbox").fill("")
        page.get_by_role("textbox").press_sequentially(text)
        likely = pytest.approx(probability(steps), rel=1e-4)
        go(text=text, answer=[iso], result=has(iso=iso, probability=likely))
        go(result=has(probabilities=pytest.approx(chosen, abs=1e-5)))
        go(weights=[f"{share:.2f}" for step in spoken for share in step.weights])


def second_reading(model, text):
    """The likeliest reading that takes a second choice once, then goes on greedily; and where."""
    steps, readings = steps_on(model, text), []
    for place, step in enumerate(steps):
        share, symbol = (part[1].item() for part in step.probabilities.topk(2))
        if share >= 0.1:
            forced = [*(earlier.symbol for earlier in steps[:place]), symbol]
            readings.append((share, place, steps_on(model, text, forced=forced)))
    best = sorted(readings, key=lambda reading: -reading[0])[:3]
    answers = [(steps, place) for _, place, steps in best if text_of(steps)]
    return max(answers, key=lambda answer: probability(answer[0]))


def model_of_meanings(text, meanings):
    """A model trained on one text with several meanings, each with its share."""
    sizes = {"embedding_size": 8, "encoder_size": 8, "state_size": 16, "hidden_size": 8}
    model = random_reader(scale=1.0, **sizes)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(60):
        loss = 0.0
        for meaning, share in meanings.items():
            for step in steps_of(model, read(model, text), forced=[*TARGET.encode(meaning), END]):
                loss = loss - share * step.probabilities[step.symbol].log()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return model


def test_reader_says_when_it_is_unsure_and_what_it_would_say_next(show):
    text = "3/4/05"
    model = model_of_meanings(text, {"2005-04-03": 0.6, "2005-03-04": 0.4})
    steps, (other, place) = steps_on(model, text), second_reading(model, text)
    assert 0.4 < probability(steps) < 0.8
    assert probability(other) > 0.2, "the test's own model has not learnt its task"
    page = show(date_reader(model, text=text))
    go, shares = walk(page, **READER), [round(100 * probability(one)) for one in (steps, other)]
    words = "The model is unsure: it gives this answer a probability of "
    words += f"{shares[0]} %, and {shares[1]} % to 2005-03-04, where day and month are exchanged."
    likely = pytest.approx(probability(other), rel=1e-4)
    runner_up = {"iso": "2005-03-04", "probability": likely, "at": place}
    go(answer=["2005-04-03"], verdict=[words], result=has(unsure=True, runner_up=runner_up))
    assert (text_of(steps), text_of(other)) == ("2005-04-03", "2005-03-04")
    doubtful = [bool(step.probabilities[step.symbol] < 0.9) for step in steps[:-1]]
    digits = page.locator(READER["answer_digit"])
    assert of_each(digits, "one.classList.contains('attn-doubtful')") == doubtful
    assert {*doubtful} == {True, False}


def test_reader_says_why_greedy_search_missed_a_likelier_answer(show):
    # 4 is likelier than 5, but what follows a 5 is sure
    text, meanings = "3/4/05", {"40": 0.3, "43": 0.25, "50": 0.45}
    model = model_of_meanings(text, meanings)
    steps, (other, place) = steps_on(model, text), second_reading(model, text)
    assert probability(other) > probability(steps), "the test's own model has not learnt its task"
    go = walk(show(date_reader(model, text=text)), **READER)
    likely = pytest.approx(probability(other), rel=1e-4)
    go(result=has(runner_up={"iso": "50", "probability": likely, "at": place}))
    words = "the model searches greedily: at character 1 it takes “4” rather than “5”, "
    go(answer=[text_of(steps)], verdict=words)


WORDS = """async ([name, ...inputs]) => {
  const source = await (await fetch("./module0.mjs")).text();
  const body = source.replace(/^export default .*$/m, "").replace(/^export /gm, "");
  return new Function(`${body}; return ${name};`)()(...inputs);
}"""


NO_DAYS = {
    "2001-02-31": "There is no 31 February 2001",
    "1987-04-00": "There is no 0 April 1987",
    "1987-13-01": "There is no month 13",
    "1987-00-07": "There is no month 00",
    "1987-13": "There is no month 13",
    "--02-30": "There is no 30 February",
    "19-": "That does not even have the form of a date",
}
MISSING = {
    "": "The model writes nothing: it takes this text for no date. ",
    "2013-02": "It takes the text for incomplete: the day is missing.",
    "--02-29": "It takes the text for incomplete: the year is missing.",
    "--12": "It takes the text for incomplete: all but a month is missing.",
    "2013": "It takes the text for incomplete: all but a year is missing.",
}


def test_reader_says_why_an_answer_is_no_day_and_what_is_missing(show, model):
    page = show(date_reader(model, text=""))

    def verdict(iso, **others):
        result = {"iso": iso, "probability": 0.97, "probabilities": [0.97], "unsure": False}
        return "".join(page.evaluate(WORDS, ["verdict", {**result, **others}]))

    for iso, words in NO_DAYS.items():
        assert page.evaluate(WORDS, ["noSuchDay", iso]) == words
        assert verdict(iso).endswith(f"{words}: it writes characters and knows no calendar.")
    sure = "The model is sure: it gives this answer a probability of 97\u00a0%."
    assert verdict("2000-02-29") == sure
    for iso, words in MISSING.items():
        assert words in verdict(iso)
        assert "gives this answer a probability of 97" in verdict(iso)
        assert "calendar" not in verdict(iso)
    for text, iso, why in AGAINST:
        result = {"iso": iso, "probabilities": [0.97], "unknown": []}
        assert page.evaluate(WORDS, ["whatSpeaksAgainst", text, result]) == why
        words = verdict(iso, against=why)
        assert ("The model is sure" in words) == (why == "")
        assert (f"That does not make the text a date: {why}." in words) == (why != "")


AGAINST = [
    ("ISBN 978-3-16", "1978-03-16", "no number in it is the year 1978"),
    ("99/99/99", "1999-09-99", "there is no such day"),
    ("14:65", "--65-14", "there is no such day"),
    ("0.17.6", "--06-17", "it has more numbers than the answer"),
    ("3.11.2", "2002-11-03", "no number in it is the year 2002"),
    ("pp. 3-1199", "1999-03-11", "no number in it is the year 1999"),
    ("555-0199", "1999-05-01", "no number in it is the year 1999"),
    ("99 12", "1999-12-05", "no number in it is the day 5"),
    ("99 1 5", "1999-12-05", "no number in it is the month 12"),
    ("hello", "", ""),
    *(("3. Mai 1998", "1998-05-03", ""), ("3/5/98", "1998-05-03", "")),
    *(("19980503", "1998-05-03", ""), ("030598", "1998-05-03", ""), ("05/2013", "2013-05", "")),
    *(("٣ مايو ١٩٩٨", "1998-05-03", ""), ("1998年5月3日", "1998-05-03", "")),
    *(("2008-04-08 07:56:05+00:00", "2008-04-08", ""), ("13/IV/28", "2028-04-13", "")),
    *(("4MAR17", "2017-03-04", ""), ("April the 3rd, '05", "2005-04-03", "")),
]


OUTSIDE = {
    "6 มิถุนายน 2554": " It does not read years of the Buddhist era.",
    "۱۳۹۳-۰۲-۱۰": " It does not read the Persian calendar.",
    "3. Mai 1876": "and 1876 lies outside.",
    "3. Mai 2050": "and 2050 lies outside.",
    "٣ مايو ١٩٤٩": "and 1949 lies outside.",
    "३ मई १८९८": "and 1898 lies outside.",
    "２０６１年5月3日": "and 2061 lies outside.",
    **dict.fromkeys(["3. Mai 1950", "3/5/2049", "3. Mai 98", "030520", "18761876"]),
}


def test_reader_points_out_a_year_or_calendar_that_training_had_not(show, model):
    page = show(date_reader(model, text=""))
    for text, words in OUTSIDE.items():
        walk(page)(f"fill Date to read: {text}")
        verdict = page.locator(".attn-verdict").text_content()
        assert ("trained on the years 1950 to 2049 only" in verdict) == (words is not None), text
        assert ("does not read" in verdict) == ("does not read" in (words or "")), text
        assert words is None or f"lies outside.{words}" in verdict or words in verdict, text


def test_reader_without_text_or_with_too_much_gives_a_sentence(show, model):
    page = show(date_reader(model, text="3/4", longest=7))
    go, too_much = (
        walk(page, **READER),
        "That is 8 characters, and the model reads at most 7: please",
    )
    go('set text ""', answer=[""], verdict="Type a date", result={})
    for text in ("3/4", "1234567"):
        go(f"fill Date to read: {text}", answer=[answered(model, text)])
    go("fill Date to read: 1234567𝟖", answer=[""])  # one more, though two units of UTF-16
    go(verdict=f"{too_much} shorten it.")
    composed, other = (
        go(f"fill Date to read: {unicodedata.normalize(form, 'é')}") or trait(page, "result")
        for form in ("NFC", "NFD")
    )
    assert composed == other
    assert composed["unknown"] == []


READER = {
    "answer": "[role=group][aria-label='ISO date']",
    "answer_digit": "[role=group][aria-label='ISO date'] span",
    "changed": "[role=group][aria-label='ISO date'] .attn-changed",
    "seen_verdict": ".attn-verdict:visible",
    "side": ".attn-axes .attn-source-name",
    "names": ".attn-unknown @aria-label",
    "far": ".attn-far",
    "letter": "[role=columnheader]",
    "labels": "[role=columnheader] @aria-label",
    "arc_letter": ".attn-arcs .attn-source",
    "column": ".attn-row > :nth-child(6)[role=gridcell] @aria-label",
}


def test_a_letter_that_is_clicked_is_hidden_from_the_decoder(show, model):
    text = "3. Mai 1998"
    page = show(date_reader(model, text=text))
    go, was, left = walk(page, **READER), answered(model, text), answered(model, text, hidden=[4])
    changed = sum(one != other for one, other in zip(left, was.ljust(32), strict=False))
    assert changed, "hides too little"
    go("click letter 4", hidden=[4], answer=[left], changed=changed)
    less = pytest.approx(probability(steps_on(model, text, hidden=[4])), rel=1e-4)
    go(result=has(probability=less))
    go(column=["0.00"] * page.get_by_role("rowheader").count(), labels="a, hidden")
    go(verdict="With “a” hidden from the decoder, the answer changes: …it was " + f"{was}. ")
    go("click letter 4", hidden=[], answer=[was], changed=0)
    go = walk(show(date_reader(model, text=text, view="arcs")), **READER)
    go("click arc_letter 4", seen_verdict="With “a” hidden from the decoder, ", far=0)
    go("hover arc_letter 5", seen_verdict=0, says="Source 6 of 11, ")  # which rested there


def test_letters_are_hidden_by_keyboard_and_shown_by_reset_and_by_another_text(show, model):
    page = show(date_reader(model, text="3/4", samples=["05"]))
    go = walk(page, **READER)
    page.get_by_role("rowheader").first.focus()
    go("key ArrowRight; key ArrowUp; key Enter", focus=", hidden")  # from the first target to it
    assert len(trait(page, "hidden")) == 1
    go("key Space", hidden=[])  # the focus is where it was
    go("click letter; click letter 1; click letter 2", hidden=[0, 1])  # the last one stays
    go("click Reset", hidden=[])
    go("click letter 2; fill Date to read: 3/40", hidden=[], answer=[answered(model, "3/40")])


def test_the_arrow_points_the_way_in_which_the_text_is_read(show, model):
    model.decoder.readout.bias.data[END] -= 100  # it answers something, whatever it is
    go = walk(show(date_reader(model)), **READER)
    for text in ("3. Mai", "٣/٥"):
        go(f"fill Date to read: {text}", side=["Typed →"])
    for text in ("15 ביולי 2048", "٣ مايو"):
        go(f"fill Date to read: {text}", side=["← Typed"])


def test_reader_marks_and_names_what_it_never_saw(show, model):
    text = "3☃Mai☂"
    go = walk(show(date_reader(model, text=text, sure_above=0.0)), **READER)
    go(verdict="It never saw “☃” and “☂”", unknown=["☃", "☂"], answer=[answered(model, text)])
    go(result=has(unknown=["☃", "☂"], unsure=False), names="☃, never seen in training", doubtful=0)


EVIL = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>'
# by when an image that is not there would have failed
A_REQUEST_LATER = "async () => { await fetch('index.html'); }"


def test_reader_by_keyboard_alone(show, model):
    samples = ["3. Mai 1998", "3/4/05"]
    page = show(date_reader(model, text=samples[0], samples=samples))
    go = walk(page, **READER)
    go("key Tab", focus=[samples[0]])
    go("key Tab; key Tab; key Enter", text=samples[1], answer=[answered(model, samples[1])])
    go("key Tab; key ArrowDown", selected={"side": "target", "index": 1}, says="Target 2 of")
    go("key Tab; key Tab; key Enter", view="arcs")  # past the matrix
    go("key Tab; " * 5 + "key Enter", view="matrix", text=samples[0])  # past the moves: the reset


def test_reader_shows_what_a_character_of_the_answer_read(show, model):
    text = "3. Mai 1998"
    page = show(date_reader(model, text=text))
    go, weights = walk(page, **READER), steps_on(model, text)[1].weights
    go("hover answer_digit 1", selected={"side": "target", "index": 1})
    go(says=f"Target 2 of …({max(weights):.2f})")
    shaded = page.locator(".attn-columnheader").nth(int(weights.argmax()))
    assert "attn-linked" in shaded.get_attribute("class")
    go("away", selected={})


def test_right_to_left_text_stands_as_it_is_read(show):
    text = "15 ביולי 2048"
    page = show(AlignmentViewer(text, "a", np.full((1, len(text)), 1 / len(text))))
    go = walk(page, columns=".attn-columnheader", source=".attn-source")
    # a right-to-left line, read from the left; numbers keep their own direction
    line = [*"2048␣", *"ביולי"[::-1], *"␣15"]
    go(columns=line)
    go("click Arcs", source=line)
    go("hover source", selected={"side": "source", "index": text.index("2")})


# ---- alignment viewer


SOURCES, TARGETS = ["a", "b", "c", "d", "e", "f", "g"], ["v", "w", "x", "y", "z"]


def random_weights(seed=0):
    return np.random.default_rng(seed).dirichlet(np.full(7, 0.5), 5)


def random_gold():
    return np.random.default_rng(1).random((5, 7)) < 0.4


def viewer(**arguments):
    return AlignmentViewer(SOURCES, TARGETS, random_weights(), random_gold(), **arguments)


def cells_where(page, test):
    """The cells (target, source) for which a piece of JavaScript holds, as a boolean array."""
    values = page.locator(".attn-cell").evaluate_all(f"nodes => nodes.map((node) => {test})")
    return np.array(values).reshape(5, 7)


def seen_cells(page):
    return ~cells_where(page, "node.classList.contains('attn-far')")


def only(side, index):
    expected = np.zeros((5, 7), dtype=bool)
    expected[(index, slice(None)) if side == "target" else (slice(None), index)] = True
    return expected


def test_matrix_shows_each_weight(show):
    page = show(viewer())
    labels = cells_where(page, "node.ariaLabel")
    assert (labels == np.vectorize("{:.2f}".format)(random_weights())).all()
    grounds = cells_where(page, "node.style.background")
    steps = np.rint(20 * random_weights()).astype(int)
    assert (grounds == np.vectorize("var(--attn-weight-{})".format)(steps)).all()


@pytest.mark.parametrize(("side", "role"), [("target", "rowheader"), ("source", "columnheader")])
def test_hover_leaves_only_the_links_of_a_token(show, side, role):
    page = show(viewer())
    go, weights = walk(page, head=f"[role={role}]"), random_weights()
    row, tokens, other = (
        (weights[3], SOURCES, "Target 4 of 5, …, reads")
        if side == "target"
        else (weights[:, 3], TARGETS, "Source 4 of 7, …, is read by")
    )
    assert seen_cells(page).all()
    go("hover head 3", selected={"side": side, "index": 3})
    assert (seen_cells(page) == only(side, 3)).all()
    go(says=f"{other}…“{tokens[row.argmax()]}” ({row.max():.2f})")
    assert page.locator(".attn-readout").get_attribute("data-live") == ""
    go("away", selected={})
    assert seen_cells(page).all()


MAP = {"row": "[role=rowheader]", "head": "[role=columnheader]"}


def test_a_cell_names_its_own_weight_and_a_click_outlasts_the_pointer(show):
    go = walk(show(viewer()), **MAP)
    go("hover .cell 19", selected={"side": "target", "index": 2, "other": 5})
    go(says=f"“x” reads “f”: {random_weights()[2, 5]:.2f}.")
    go("click row 1; hover row 3", selected={"side": "target", "index": 3})
    go("away", selected={"side": "target", "index": 1})


def test_matrix_by_arrow_keys(show):
    page = show(viewer())
    go = walk(page)
    page.evaluate("document.addEventListener('keydown', (e) => (window.bubbled = e.key))")
    page.get_by_role("button", name="Reset").focus()
    go("key Tab", selected={"side": "target", "index": 0})
    go("key ArrowRight; key ArrowUp", selected={"side": "source", "index": 0})
    go("key ArrowRight; key ArrowRight")
    assert (seen_cells(page) == only("source", 2)).all()
    go("key ArrowDown; key ArrowDown", selected={"side": "target", "index": 1, "other": 2})
    go("key Home", selected={"side": "target", "index": 1})
    assert (seen_cells(page) == only("target", 1)).all()
    go("key ArrowLeft", selected={"side": "target", "index": 1})  # nothing is there
    go("key End", selected={"side": "target", "index": 1, "other": 6})
    go("key Tab; key Shift+Tab", selected={"side": "target", "index": 1, "other": 6})
    page.keyboard.press("d")  # a command of JupyterLab
    assert page.evaluate("window.bubbled") == "Tab"
    page.keyboard.press("Escape")
    assert seen_cells(page).all()


def test_each_stop_can_be_seen_and_keeps_its_keys_from_a_notebook(show):
    """Notebook 7 gets a key before the widget does, and checks the focused element for this."""
    page = show(viewer())
    for _ in range(5):
        page.keyboard.press("Tab")
        focused = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(focused) == "solid"
        focused = "document.activeElement.getAttribute('data-lm-suppress-shortcuts')"
        assert page.evaluate(focused) == "true"


def test_a_tap_keeps_and_the_next_lets_go(show):
    page = show(viewer(), has_touch=True, is_mobile=True, width=360)
    go = walk(page, **MAP)
    go("tap row 1")
    assert (seen_cells(page) == only("target", 1)).all()
    go("tap head 2")
    assert (seen_cells(page) == only("source", 2)).all()
    go("tap head 2")
    assert seen_cells(page).all()


def gold_edges(page, side):
    return cells_where(page, f"node.style.getPropertyValue('--attn-{side}') === '1'")


def test_gold_is_an_outline_that_a_key_toggles(show):
    page = show(viewer())
    go, gold = walk(page, **MAP), random_gold()
    outlined = "node.classList.contains('attn-gold')"
    assert not cells_where(page, outlined).any()
    go("check Exact alignment", show_gold=True)
    assert (cells_where(page, outlined) == gold).all()
    above = np.vstack([np.zeros((1, 7), dtype=bool), gold[:-1]])
    right = np.hstack([gold[:, 1:], np.zeros((5, 1), dtype=bool)])
    assert (gold_edges(page, "top") == (gold & ~above)).all()
    assert (gold_edges(page, "right") == (gold & ~right)).all()
    exact = [token for token, linked in zip(SOURCES, gold[0], strict=True) if linked]
    go("hover row", says="Exact: …" + "…".join(f"“{token}”" for token in exact))
    go("check Exact alignment", show_gold=False)
    assert not cells_where(page, outlined).any()


def test_arcs_show_the_same_weights_and_follow_the_keys(show):
    page = show(viewer(view="arcs", show_gold=True))
    links, weights = page.locator(".attn-link"), random_weights().astype(np.float32)
    shares = of_each(links, "+one.style.getPropertyValue('--attn-share')")
    np.testing.assert_allclose(shares, weights[weights >= 0.01], rtol=1e-6)
    parts = {"far": ".attn-far", "near": ".attn-link.attn-near"}
    go = walk(page, far_links=".attn-link.attn-far", **parts)
    go(gold_link=int(random_gold().sum()), far=0)
    near = int((weights[1] >= 0.01).sum())
    page.get_by_role("button", name="Reset").focus()
    go("key Tab; key ArrowDown; key ArrowRight", selected={"side": "target", "index": 1})
    go(near=near, far_links=links.count() - near)
    go("key ArrowUp", selected=has(side="source"))


def test_arcs_end_at_their_tokens(show):
    page = show(viewer(view="arcs"))
    ends = page.locator(".attn-link").evaluate_all(
        """nodes => nodes.map((node) => {
          const box = node.ownerSVGElement.getBoundingClientRect();
          const [from, , , , to] = node.getAttribute("d").match(/-?[\\d.]+(?=,)/g).map(Number);
          const last = Number(node.getAttribute("d").match(/([\\d.]+),1000$/)[1]);
          return [from, last].map((x) => box.left + (x / 1000) * box.width);
        })"""
    )

    def middles(name):
        script = (
            "nodes => nodes.map((n) => n.getBoundingClientRect()).map((b) => b.x + b.width / 2)"
        )
        return page.locator(name).evaluate_all(script)

    rows, columns = np.nonzero(random_weights() >= 0.01)
    np.testing.assert_allclose(
        [end[0] for end in ends], np.array(middles(".attn-source"))[columns], atol=1
    )
    np.testing.assert_allclose(
        [end[1] for end in ends], np.array(middles(".attn-target"))[rows], atol=1
    )


def row_of(weights, **more):
    """An example of the viewer with these weights."""
    return {"source": SOURCES[: weights.shape[1]], "target": TARGETS, "weights": weights} | more


def examples(*sizes):
    return [row_of(np.full((5, n), 1 / n), name=str(n)) for n in sizes]


def test_views_examples_and_reset_by_keyboard(show):
    page = show(AlignmentViewer(examples=examples(3, 4), example_label="Date"))
    go = walk(
        page, pressed="[aria-pressed=true]", arcs=".attn-source", columns=".attn-columnheader"
    )
    go("press Arcs Enter", view="arcs", pressed=["Arcs"])
    page.get_by_role("combobox", name="Date").focus()
    go("key ArrowDown", index=1, arcs=SOURCES[:4])
    go("press Reset Enter", view="matrix", index=0, columns=SOURCES[:3])


def test_a_selection_that_an_example_lacks_is_none(show):
    page = show(AlignmentViewer(examples=examples(5, 3), selected={"side": "source", "index": 4}))
    go = walk(page, far=".attn-far")
    go("set index 1", far=0, says="3: 5 targets by 3 sources. Point at")


def test_what_was_kept_in_one_example_does_not_come_back_in_the_next(show):
    names = ("first", "second")
    page = show(AlignmentViewer(examples=[row_of(random_weights(), name=name) for name in names]))
    go, pressed = walk(page, **MAP), {"side": "target", "index": 1, "other": 2}
    go("click .cell 9", selected=pressed)
    page.get_by_role("combobox").select_option("second")  # and the pointer stays where it is
    go("hover .cell 23; away", index=1, selected={})
    for expected in (pressed, {}):  # the same place in another example is another place
        go("click .cell 9; away", selected=expected)


def long_example(reads=29):
    """Thirty sources, of which the first target reads one, and each of the others another."""
    weights = np.zeros((5, 30))
    weights[np.arange(5), [reads, 3, 0, 28, 15]] = 1.0
    return AlignmentViewer([chr(97 + j % 26) for j in range(30)], TARGETS, weights)


def in_sight(page, selector):
    """Which of these lie within the figure, beside the heads of its rows."""
    return page.locator(selector).evaluate_all(
        """nodes => nodes.map((node) => {
          const [box, figure, head] = [node, node.closest(".attn-scroll"),
            document.querySelector(".attn-rowheader")].map((one) => one.getBoundingClientRect());
          return box.left >= head.right - 1 && box.right <= figure.right + 1;
        })"""
    )


def test_on_a_phone_the_map_begins_where_the_weight_is_and_says_that_there_is_more(show):
    page = show(long_example(), width=360, has_touch=True, is_mobile=True)
    go = walk(page, **MAP)

    def moved(does, more, column):
        go(does)
        script = f"document.querySelector('.attn-map').dataset.more === '{more}'"
        page.wait_for_function(script)
        visible = in_sight(page, ".attn-columnheader")
        assert visible[column]
        return visible

    assert not moved("", "left", 29)[0]
    moved("tap row 2", "right", 0)  # its weight lies at the other end
    moved("tap row 4", "left right", 15)
    go(linked=["p"])
    left = "Math.round(one.getBoundingClientRect().left)"
    heads = of_each(page.locator(".attn-rowheader, .attn-scroll"), left)
    assert np.ptp(heads) <= 4  # the row headers have not moved


def test_a_map_that_fits_does_not_move(show):
    page = show(long_example())
    assert page.locator(".attn-map").get_attribute("data-more") == ""
    page.get_by_role("rowheader").nth(2).click()
    assert page.locator(".attn-scroll").evaluate("node => node.scrollLeft") == 0


def test_a_token_lights_something_however_thin_its_weights_are_spread(show):
    weights = np.full((1, 61), 1 / 61)
    weights[0, 60] += 0.001
    weights[0, 0] -= 0.001
    page = show(AlignmentViewer(["a"] * 60 + ["z"], ["v"], weights))
    walk(page, **MAP)("click row", linked=["z"])


@pytest.mark.parametrize("width", [360, 1200])
def test_the_name_of_an_example_has_the_room_that_it_needs_or_the_whole_line(show, width):
    names = ("DONNERSTAG, 18. MÄRZ 1982 (de)", "other")
    rows = [row_of(random_weights(), gold=random_gold(), name=name) for name in names]
    page = show(AlignmentViewer(examples=rows), width=width)
    room, needed, share = page.locator("select").evaluate(
        """select => {
          const style = getComputedStyle(select);
          const span = document.createElement("span");
          span.style.cssText = `position: absolute; white-space: pre; font: ${style.font}`;
          span.textContent = select.options[0].text;
          document.body.append(span);
          const needed = span.getBoundingClientRect().width;
          span.remove();
          const edges = ["paddingLeft", "paddingRight"].map((side) => parseFloat(style[side]));
          const room = select.clientWidth - edges[0] - edges[1] - 20; // 20: its arrow
          return [room, needed, select.offsetWidth / select.closest(".attn-examples").clientWidth];
        }"""
    )
    assert needed <= room or share > 0.97


def test_gold_leaves_the_links_their_ink(show):
    """A rim extends slightly and equally on both sides of a link, whatever its weight."""
    weights = np.array([[0.9, 0.1, 0.0]])
    gold = np.array([[True, True, True]])
    page = show(AlignmentViewer(["a", "b", "c"], ["v"], weights, gold, view="arcs", show_gold=True))
    wide = {
        name: of_each(page.locator(f".attn-{name}"), "+one.getAttribute('stroke-width')")
        for name in ("gold-link", "paper-link", "link")
    }
    assert wide["paper-link"] == wide["link"]
    np.testing.assert_allclose(np.array(wide["gold-link"]) - [*wide["link"], 0], 1.75)
    order = of_each(page.locator("svg path"), "one.classList[0]")
    assert order == ["attn-gold-link"] * 3 + ["attn-paper-link"] * 2 + ["attn-link"] * 2


def test_tokens_are_data(show):
    page = show(AlignmentViewer([EVIL, "b"], [EVIL], np.array([[0.5, 0.5]]), title=EVIL))
    for view in ("Arcs", "Matrix"):
        walk(page, place="[data-place]")(f"click {view}; hover place")
    page.evaluate(A_REQUEST_LATER)
    assert page.evaluate("window.hacked") is None
    assert page.locator(".attn-frame img, .attn-frame script").count() == 0


# ---- prediction


OUTCOME = {"strong": ".attn-outcome strong"}
OUTCOME |= {"slider": "[type=range]", "values": "[type=range] @aria-valuetext"}
SEE = "click See what was measured"


def test_choice_by_keyboard(show):
    page = show(choice("general", ["additive", "dot", "general"]))
    go = walk(page, checked="[type=radio]:checked", disabled="[type=radio]:disabled", **OUTCOME)
    assert "By a point." not in page.content()
    assert page.get_by_text("Measured", exact=True).count() == 0
    go("key Tab; key ArrowDown", guess="dot")  # from none to the second, as in any form
    go("key Tab; key Enter", committed=True, strong=["dot", "general"], disabled=3)
    go(outcome="It came out differently.…By a point.", focus="Reset")
    go("key Enter", committed=False, guess=None, outcome=[""], checked=0)
    page = show(choice())
    go = walk(page, wrong=".attn-wrong", **OUTCOME)
    go(SEE, outcome="Choose an answer first", committed=False)
    page.get_by_role("radio", name="dot").check()
    go(SEE, outcome="It came out as you guessed.", wrong=0)


def test_slider_by_keyboard(show):
    go = walk(show(number((0, 0.6, 0.1, "nats"), 0.85)), **OUTCOME)
    go("key Tab", value=["?"], values=["no guess yet"])
    go("key ArrowLeft", value=["0.2 nats"])
    go("key ArrowLeft", value=["0.1 nats"], guess=0.1, values=["0.1 nats"])
    go("key Tab; key Enter", outcome="Your guess 0.1 nats…Measured 0.85 nats…above your guess.")


def test_a_slider_that_nobody_moved_is_no_guess(show):
    go = walk(show(number((0, 0.6, 0.1), 0.3)), **OUTCOME)
    go(SEE, committed=False, outcome="Move the slider first", focus="Your guess")
    go("key Enter", committed=False)
    go("click slider", guess=0.3)  # in the middle, where it stands, and not 0.30000000000000004
    go(SEE, outcome="It came out as you guessed.")
    go("click Reset", values=["no guess yet"])


def test_committed_before_the_measurement(show):
    go = walk(show(Prediction("How many?", (0, 100, 1, "%"))), **OUTCOME)
    go(f"click slider; {SEE}", outcome=["Run the cells below to see the result."], guess=50)
    go('set explanation "So."; set measured 97.34')
    go(outcome="Your guess 50 %…Measured 97.3 %…It came out above your guess.…So.")


def choice(measured="dot", answers=("additive", "dot")):
    guess = Prediction("Which is best?", answers)
    guess.reveal(measured, "By a point.")
    return guess


def number(scale=(0, 100, 1, "%"), measured=97.3):
    guess = Prediction("How many?", scale)
    guess.reveal(measured)
    return guess
