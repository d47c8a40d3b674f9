"""The weight scrubber in a real browser: its arithmetic against PyTorch, and what a reader does."""

import numpy as np
import pytest
import torch
from browsing import of_each
from torch_reader import SOURCE, TARGET, arrays_of, random_reader, read, steps_of, text_of
from walking import call, has, table, walk

from attn_book.commands.widgets_harness import trait
from attn_course import interventions
from attn_course.symbols import END, FIRST_SYMBOL
from attn_course.views.widgets.weight_scrubber import WeightScrubber

TEXT, OTHER = "July 18, 1976", "June 18, 1976"
SHARE = "Number(one.style.getPropertyValue('--attn-share'))"


def model():
    reader = random_reader(seed=6, scale=5.0, encoder_size=5, state_size=13)
    bias = reader.decoder.readout.bias.data
    bias[END] -= 2  # it writes some characters before it ends
    bias[[number for number in range(FIRST_SYMBOL) if number != END]] -= 100
    return reader


def scrubber(reader=None, **changes):
    options = {"text": TEXT, "bits": 32, "samples": ("3/4/05", "3. Mai 1998"), "step": 2}
    arrays = arrays_of(reader or model())
    return WeightScrubber(arrays, SOURCE.symbols, TARGET.symbols, **options | changes)


@torch.no_grad()
def written(reader, memory, at=None, change=None, other=None):
    return [*steps_of(reader, memory, at=at, change=change, other=other)]


def marked(length, places):
    return torch.tensor([[j in places for j in range(length)]])


# ---- the mathematics


WEIGHTS = """async ([name, weights, argument]) => {
  const all = await import("./widgets/shared/interventions.js");
  const before = JSON.stringify(weights);
  const result = all[name](weights, argument);
  if (JSON.stringify(weights) !== before) throw new Error("it changed what it was given");
  return result;
}"""


def test_weights_are_changed_as_in_python(show):
    page, rng = show(scrubber()), np.random.default_rng(3)

    def in_page(name, argument=None):
        return page.evaluate(WEIGHTS, [name, weights.tolist(), argument])

    for length in (1, 2, 7, 13, 31):
        weights = rng.dirichlet(np.full(length, 0.3)).astype(np.float64)
        order = rng.permutation(length).tolist()
        for count in {0, 1, length // 2, length}:
            places = order[:count]
            rows = torch.tensor(weights)[None, None]
            expected = interventions.hidden(rows, marked(length, places)[None])
            np.testing.assert_allclose(in_page("hidden", places), expected[0, 0], atol=1e-9)
        np.testing.assert_array_equal(in_page("permuted", order), weights[order])
        places = order[: (length + 1) // 2]
        all_on = np.isin(range(length), places) / len(places)
        np.testing.assert_allclose(in_page("allOn", places), all_on)
        np.testing.assert_allclose(in_page("evened"), np.full(length, 1 / length))
        np.testing.assert_array_equal(in_page("emptied"), np.zeros(length))
    weights = np.array([0.25, 0.75, 0])
    assert in_page("hidden", [0, 1]) == [0, 0, 0]  # and no NaN


def test_an_order_is_a_permutation_drawn_by_its_number(show):
    page = show(scrubber())
    script = """async ([count, numbers]) => {
      const { drawnOrder } = await import("./widgets/shared/interventions.js");
      return numbers.map((number) => drawnOrder(count, number));
    }"""
    count, draws = 5, 2000
    orders = page.evaluate(script, [count, list(range(draws))])
    assert all(sorted(order) == list(range(count)) for order in orders)
    assert page.evaluate(script, [count, [17, 17]]) == [orders[17]] * 2
    places = np.array([[order.index(j) for j in range(count)] for order in orders])
    shares = np.array([np.bincount(column, minlength=count) for column in places.T]) / draws
    assert np.abs(shares - 1 / count).max() < 0.05  # each lands everywhere alike: four errors


def test_annotations_of_another_length_are_an_error(show):
    page = show(scrubber())
    script = """async () => {
      const { exchanged } = await import("./widgets/shared/interventions.js");
      const vectors = (count) => Array(count).fill([1]);
      const source = (count) => ({ annotations: vectors(count), keys: vectors(count) });
      try { exchanged(source(3), source(5), [1]); } catch (error) { return error.message; }
    }"""
    assert page.evaluate(script) == "both sources must have one length; got 3 and 5"


# ---- what a reader sees and does


PARTS = {
    "pressed": ".attn-column[aria-pressed=true]",
    "stops": ".attn-column[tabindex='0']",
    "digit": ".attn-digit[role=radio]",
    "note": ".attn-other-date .attn-hint",
    "odds": ".attn-odds @aria-label",
}


def expect_result(page, steps, whole, at):
    """The page finds what PyTorch writes, and shows it."""
    result, step, before = trait(page, "result"), steps[at], whole[at]
    assert (result["step"], result["whole"], result["iso"]) == (at, text_of(whole), text_of(steps))
    assert result["symbol"] == text_of([step])
    np.testing.assert_allclose(result["weights"], step.weights, atol=1e-5)
    for name, of_step in (("probability", step), ("before", before)):
        likely = float(of_step.probabilities[before.symbol])
        assert result[name] == pytest.approx(likely, abs=1e-5)
    likely = step.probabilities[[*range(FIRST_SYMBOL, len(TARGET)), END]]
    for part, expected in ((".attn-columns", step.weights), (".attn-odd", likely)):
        shares = of_each(page.locator(f"{part} .attn-now"), SHARE)
        np.testing.assert_allclose(shares, expected, atol=5e-4)
    names = page.locator(".attn-odd.attn-written .attn-symbol").all_text_contents()
    assert names == [text_of([step]) or "end"]


# what a change is called, what the page says of it, and what it makes of the weights
CHANGES = {
    "all": (
        *("All here", "All weight on “y”: "),
        lambda weights: torch.zeros_like(weights).index_fill(-1, torch.tensor([3]), 1.0),
    ),
    "hidden": (
        *("Hide", "With “y” hidden: "),
        lambda weights: interventions.hidden(weights, marked(len(TEXT), [3])[None]),
    ),
    "even": (
        *("Even out", "With the same weight everywhere: "),
        lambda weights: torch.full_like(weights, 1 / len(TEXT)),
    ),
    "empty": ("No context", "Without any context: ", torch.zeros_like),
    "shuffled": ("Shuffle", "With the weights shuffled, the largest of them now on ", None),
}


def test_each_change_of_weights_is_what_pytorch_makes_of_it(show):
    reader = model()
    page = show(scrubber(reader))
    go, memory = walk(page, **PARTS), read(reader, TEXT)
    whole = written(reader, memory)
    order = call(page, "widgets/shared/interventions.js", "drawnOrder", len(TEXT), 1)
    for kind, (name, words, change) in CHANGES.items():
        expect_result(page, whole, whole, 2)
        go(f"click {name}")
        if kind in ("all", "hidden"):
            go(says="Click the character")
            go("click .column 3")
        change = change or (lambda weights: weights[..., order])
        expect_result(page, written(reader, memory, 2, change), whole, 2)
        go(change=kind, says=words)
        go("click Undo the change", change="none", places=[])
    orders = [trait(page, "result")["weights"]]
    for number, does in enumerate(("click Shuffle", "press Shuffle Enter"), 1):
        go(does, shuffle=number, says=CHANGES["shuffled"][1])
        orders.append(trait(page, "result")["weights"])
    assert orders[0] != orders[1] != orders[2] != orders[0]
    np.testing.assert_allclose(np.sort(orders), [np.sort(orders[0])] * 3, atol=1e-9)


@torch.no_grad()
def test_annotations_are_swapped_with_those_of_the_date_that_suggests_itself(show):
    reader = model()
    page = show(scrubber(reader))
    go = walk(page, taken=".attn-taken", **PARTS)
    go("click Swap; click .column 3; click .column 2")
    memory, second = read(reader, TEXT), read(reader, OTHER)
    whole = written(reader, memory)
    others = [j for j in range(len(TEXT)) if j not in (2, 3)]
    for does, places in (("", [2, 3]), ("click All others instead", others)):
        go(does, places=places, taken=[letter.replace(" ", "␣") for letter in OTHER])
        exchanged = interventions.exchanged(memory, second, marked(len(TEXT), places))
        expect_result(page, written(reader, memory, 2, other=exchanged), whole, 2)
        if not does:
            go(says=f"With the annotations of “l” and “y” from “{OTHER}”:")


def test_a_date_of_another_length_is_not_swapped_and_the_page_says_why(show):
    page = show(scrubber(change="swapped", places=[2]))
    go, changed = walk(page, **PARTS), trait(page, "result")
    short = f"“June 8, 1976” has 12 characters and…Try “{OTHER}”."
    go("fill Another date: June 8, 1976", note=short)
    plain = trait(page, "result")
    assert (plain["iso"], plain["probability"]) == (plain["whole"], plain["before"])
    go("click Take June 18, 1976", other=OTHER, result=changed)
    assert page.get_by_role("button", name="Take June 18, 1976").count() == 0
    go(f"fill Another date: {'☃' * 13}", note="It never saw “☃”")
    go(f"fill Another date: {'x' * 500}", note="has 500 characters")
    assert len(page.locator(".attn-other-date .attn-hint").text_content()) < 300
    # a text without a twin asks for one
    go("fill Date to read: Mai; click Swap; click .column 1")
    go(note="No other date of 3 characters suggests itself")
    assert trait(page, "result")["iso"] == trait(page, "result")["whole"]
    go("fill Another date: Jun", says="With the annotation of “a” from “Jun”")


TWINS = {
    "July 18, 1976": "June 18, 1976",
    "June 3, 05": "July 3, 05",
    "December 1, 2001": "February 1, 2001",
    "3 Jul 2020": "3 Aug 2020",
    "3. Mai 1998": "3. Mai 1997",
    "15 août 1947": "15 mars 1947",
    "3 июня 2011 г.": "3 июля 2011 г.",
    "2005年4月3日": "2004年4月3日",
    "٣ مايو ١٩٩٨": "٣ مايو ١٩٩٧",
    "03/04/2000": "03/04/2001",
    "1/1": "1/2",
    **dict.fromkeys(["Marchand", "BigMay", "Mai"], ""),
}


def test_twins_are_as_long_and_differ(show):
    page = show(scrubber())
    for text, twin in TWINS.items():
        assert call(page, "widgets/weight_scrubber/twins.js", "twinOf", text) == twin
        assert len(twin) in (len(text), 0)


def test_a_step_is_chosen_by_click_and_by_arrow_keys(show):
    reader = model()
    page = show(scrubber(reader, step=0, change="empty"))
    go, memory = walk(page, checked=".attn-digit[aria-checked=true]", **PARTS), read(reader, TEXT)
    whole = written(reader, memory)
    last = len(text_of(whole)) - 1
    go(digit=list(text_of(whole)))
    for does, step in [("click digit 1; key ArrowRight", 2), ("key Home", 0), ("set step 99", 99)]:
        go(does, step=step)
        at = min(step, last)
        expect_result(page, written(reader, memory, at, torch.zeros_like), whole, at)


WALKS = {
    "weight moves to a character and back": (
        {},
        [
            ("click .column 3", {"change": "all", "places": [3]}),
            ("", {"result": has(weights=[float(j == 3) for j in range(len(TEXT))])}),
            ("click .column 5", {"places": [5], "pressed": 1}),
            ("click .column 5", {"change": "none", "places": []}),
            ("focus .column; key ArrowRight; key ArrowRight; key Enter", {"places": [2]}),
            ("key End; key Space", {"change": "all", "places": [len(TEXT) - 1], "stops": 1}),
            ("key Escape", {"change": "none", "focus": "6, place 13, weight "}),
        ],
    ),
    "places stay when something else is done to them": (
        {"change": "swapped", "places": [2, 3], "other": OTHER},
        [
            ("click Hide", {"change": "hidden", "places": [2, 3]}),
            ("click .column 2", {"places": [3]}),
            ("click .column 3", {"says": "Click the characters that are to be hidden"}),
            ("click Even out; click Even out", {"change": "none"}),
            ('set change "hidden"; set places [2, 40]', {"says": "With “l” hidden"}),
            ("set places [40]", {"says": "Click the characters that are to be hidden"}),
            ("click Reset; click 3. Mai 1998", {"change": "none", "places": [], "other": ""}),
            ("fill Date to read: 3/4/05", {"text": "3/4/05", "column": 6}),
        ],
    ),
    "from right to left it stands as it is read": (
        {"text": "٣ مايو"},
        [
            ("", {"letter": list("ويام␣٣")}),
            ("focus .column 5; key Enter", {"places": [0]}),  # the first stands at the right
        ],
    ),
    "what cannot be read": (
        {"longest": 20},
        [
            ('set text ""', {"says": "Type a date", "result": {}, "column": 0, "digit": 0}),
            (f"fill Date to read: {'3' * 500}", {"says": "That is 500 characters, and the model"}),
            ("", {"says": "reads at most 20"}),
            ("fill Date to read: 3/4/05☃", {"says": "It never saw “☃” in training"}),
            ("", {"result": has(unknown=["☃"])}),
        ],
    ),
}


@pytest.mark.parametrize("name", WALKS)
def test_a_reader(show, name):
    traits, rows = WALKS[name]
    go = walk(show(scrubber(**traits)), **PARTS)
    for does, expected in rows:
        go(does, **expected)


def test_what_changes_is_marked_and_named(show):
    reader = model()
    memory = read(reader, TEXT)
    whole = written(reader, memory)
    changes = [written(reader, memory, at, torch.zeros_like) for at in range(len(text_of(whole)))]
    at = next(i for i, steps in enumerate(changes) if steps[i].symbol != whole[i].symbol)
    now, then = text_of(changes[at]), text_of(whole)
    row = ".attn-answer-row >> nth=1 >> .attn-digit"
    page = show(scrubber(reader, step=at, change="empty"))
    walk(page, row=row, **PARTS)(row=list(now), says=now, odds="Probabilities: ")
    differing = [i >= len(then) or now[i] != then[i] for i in range(len(now))]
    assert of_each(page.locator(row), "one.matches('.attn-changed')") == differing


def test_a_model_that_writes_nothing(show):
    reader = model()
    reader.decoder.readout.bias.data[END] += 100
    page = show(scrubber(reader))
    walk(page)(says="The model wrote nothing.", result={})
    assert table(page)[1:] == [[page.locator(".attn-readout").text_content()]]


def test_the_table_without_a_page_shows_what_each_change_does(show):
    reader = model()
    header, *rows = table(show(scrubber(reader)))
    memory = read(reader, TEXT)
    whole = written(reader, memory)
    assert [row[0] for row in rows] == list(text_of(whole))
    assert {len(row) for row in rows} == {len(header)} == {6}
    for at, row in enumerate(rows):
        steps = written(reader, memory, at, torch.zeros_like)
        share = float(steps[at].probabilities[whole[at].symbol])
        assert abs(int(row[-1].strip("<>\u00a0%")) - 100 * share) <= 1
