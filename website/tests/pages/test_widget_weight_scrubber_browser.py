"""The weight scrubber in a real browser: its arithmetic against PyTorch, and what a reader does."""

import numpy as np
import pytest
import torch
from browsing import of_each
from walking import call, table, walk

from attn_book.commands.widgets_harness import set_trait, trait
from attn_course import interventions
from attn_course.context import context_vectors
from attn_course.models.translator import bahdanau
from attn_course.symbols import PADDING, START, UNKNOWN
from attn_course.tasks.vocabulary import END, Vocabulary
from attn_course.views.widgets.weight_scrubber import WeightScrubber

SOURCE, TARGET = Vocabulary("0123456789. ,/-MaiprlJunyéж"), Vocabulary("0123456789-")
TEXT, OTHER = "July 18, 1976", "June 18, 1976"
LONGEST = 32
SHARE = "Number(one.style.getPropertyValue('--attn-share'))"


def model(seed=6, scale=5.0):
    """A small model, whose weights are large enough that attention is sharp and answers differ."""
    torch.manual_seed(seed)
    sizes = {"encoder_size": 5, "state_size": 13, "hidden_size": 7}
    made = bahdanau(len(SOURCE), len(TARGET), **sizes).eval()
    with torch.no_grad():
        for part in made.parameters():
            part.mul_(scale)
        made.decoder.readout.bias[END] -= 2  # it writes some characters before it ends
        made.decoder.readout.bias[[PADDING, START, UNKNOWN]] -= 100
    return made


def scrubber(made=None, **changes):
    arrays = {name: part.numpy() for name, part in (made or model()).state_dict().items()}
    options = {"text": TEXT, "bits": 32, "samples": ("3/4/05", "3. Mai 1998"), "step": 2}
    return WeightScrubber(arrays, SOURCE.symbols, TARGET.symbols, **{**options, **changes})


def read(made, text):
    ids = torch.tensor([SOURCE.encode(text)])
    return made.read(ids, torch.tensor([ids.shape[1]]))


@torch.no_grad()
def written(made, memory, at=None, change=None, given=None):
    """Greedy, step by step: weights, probabilities and symbol of each, one of them changed.

    ``change`` makes other weights at step ``at``, where ``given`` may be another memory.
    """
    decoder, state, symbol, steps = made.decoder, made.decoder.first_state(memory), START, []
    while len(steps) < LONGEST and symbol != END:
        here = len(steps) == at
        seen = given if here and given is not None else memory
        weights = decoder.look(state, seen)
        if here and change is not None:
            weights = change(weights)
        context = context_vectors(weights, seen.annotations).squeeze(1)
        previous = decoder.embedding(torch.tensor([symbol]))
        state = decoder.cell(torch.cat([previous, context], dim=-1), state)
        likely = decoder.logits(state, context).softmax(dim=-1)[0]
        symbol = int(likely.argmax())
        steps.append((weights[0, 0], likely, symbol))
    return steps


def text_of(steps):
    return TARGET.decode([symbol for *_, symbol in steps if symbol != END])


def marked(length, places):
    return torch.tensor([[j in places for j in range(length)]])


# ---- the mathematics


WEIGHTS = """async ([name, weights, argument]) => {
  const all = await import("./widgets/shared/interventions.js");
  const before = JSON.stringify(weights);
  const found = all[name](weights, argument);
  if (JSON.stringify(weights) !== before) throw new Error("it changed what it was given");
  return found;
}"""


def test_weights_are_changed_as_in_python(show):
    page = show(scrubber())
    rng = np.random.default_rng(3)

    def found(name, weights, argument=None):
        return page.evaluate(WEIGHTS, [name, weights.tolist(), argument])

    for length in (1, 2, 7, 13, 31):
        weights = rng.dirichlet(np.full(length, 0.3)).astype(np.float64)
        rows = torch.tensor(weights)[None, None]
        for count in {0, 1, length // 2, length}:
            places = rng.permutation(length)[:count].tolist()
            expected = interventions.hidden(rows, marked(length, places)[None])
            np.testing.assert_allclose(found("hidden", weights, places), expected[0, 0], atol=1e-9)
        order = rng.permutation(length).tolist()
        gathered = rows.gather(-1, torch.tensor(order)[None, None])[0, 0]
        np.testing.assert_array_equal(found("permuted", weights, order), gathered)
        places = rng.permutation(length)[: (length + 1) // 2].tolist()
        all_on = np.zeros(length)
        all_on[places] = 1 / len(places)
        np.testing.assert_allclose(found("allOn", weights, places), all_on)
        np.testing.assert_allclose(found("evened", weights), np.full(length, 1 / length))
        np.testing.assert_array_equal(found("emptied", weights), np.zeros(length))
    assert found("hidden", np.array([0.25, 0.75, 0]), [0, 1]) == [0, 0, 0]  # and no NaN


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


def test_a_changed_step_is_under_a_frame(show):
    symbols = Vocabulary([chr(0x4E00 + number) for number in range(300)])
    made = bahdanau(len(symbols), len(TARGET))  # as large as a chapter's
    arrays = {name: part.detach().numpy() for name, part in made.state_dict().items()}
    page = show(WeightScrubber(arrays, symbols.symbols, TARGET.symbols, text=symbols.symbols[0]))
    script = """async ([ids]) => {
      const { firstState, readSource, step, unpack } = await import("./widgets/shared/bahdanau.js");
      const { hidden } = await import("./widgets/shared/interventions.js");
      const { weights, layout_of_weights: layout } = window.models[0].traits;
      const arrays = unpack(weights, layout);
      const source = { ...readSource(arrays, ids), readable: ids.map(() => true) };
      const state = firstState(arrays, source);
      return quickest(() => step(arrays, source, state, 5, (weights) => hidden(weights, [3])), 16);
    }"""
    assert page.evaluate(script, [[5] * 60]) < 16  # milliseconds


# ---- what a reader sees and does


def column(page, j):
    return page.locator(".attn-column").nth(j)


def expect_result(page, steps, whole, at):
    """The page found what PyTorch wrote, and shows it."""
    result = trait(page, "result")
    weights, likely, symbol = steps[at]
    was = whole[at][2]
    assert (result["step"], result["whole"], result["iso"]) == (at, text_of(whole), text_of(steps))
    assert result["symbol"] == ("" if symbol == END else TARGET.decode([symbol]))
    np.testing.assert_allclose(result["weights"], weights, atol=1e-5)
    assert result["probability"] == pytest.approx(float(likely[was]), abs=1e-5)
    assert result["before"] == pytest.approx(float(whole[at][1][was]), abs=1e-5)
    for part, expected in (
        (".attn-columns", weights),
        (".attn-odd", likely[[*range(4, len(TARGET)), END]]),
    ):
        shares = of_each(page.locator(f"{part} .attn-now"), SHARE)
        np.testing.assert_allclose(shares, expected, atol=5e-4)
    names = page.locator(".attn-odd.attn-written .attn-symbol").all_text_contents()
    assert names == ["end" if symbol == END else TARGET.decode([symbol])]


def go_through(page):
    return walk(
        page,
        pressed=".attn-column[aria-pressed=true]",
        columns=".attn-column",
        digits=".attn-digit",
        note=".attn-other-date .attn-hint",
    )


# what each is called, how it is told, and what it makes of the weights
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
    made = model()
    page = show(scrubber(made))
    go, memory = go_through(page), read(made, TEXT)
    whole = written(made, memory)
    order = call(page, "widgets/shared/interventions.js", "drawnOrder", len(TEXT), 1)
    for kind, (name, words, change) in CHANGES.items():
        expect_result(page, whole, whole, 2)
        go(f"click {name}")
        if kind in ("all", "hidden"):
            go(said="Click the character")
            column(page, 3).click()
        change = change or (lambda weights: weights[..., order])
        expect_result(page, written(made, memory, 2, change), whole, 2)
        go(change=kind, said=words)
        go("click Undo the change", change="none", places=[])


def test_a_click_puts_all_weight_on_a_character_and_a_second_one_takes_it_back(show):
    made = model()
    page = show(scrubber(made))
    column(page, 3).click()
    assert (trait(page, "change"), trait(page, "places")) == ("all", [3])
    assert trait(page, "result")["weights"] == [float(j == 3) for j in range(len(TEXT))]
    column(page, 5).click()
    assert trait(page, "places") == [5]
    assert column(page, 5).get_attribute("aria-pressed") == "true"
    assert page.locator(".attn-column[aria-pressed=true]").count() == 1
    column(page, 5).click()
    assert (trait(page, "change"), trait(page, "places")) == ("none", [])


def test_shuffled_weights_are_the_same_in_another_order(show):
    page = show(scrubber())
    go, orders = walk(page), [trait(page, "result")["weights"]]
    for number, does in enumerate(("click Shuffle", "press Shuffle Enter"), 1):
        go(does, shuffle=number, said="With the weights shuffled, the largest of them now on ")
        orders.append(trait(page, "result")["weights"])
    assert orders[0] != orders[1] != orders[2] != orders[0]
    np.testing.assert_allclose(np.sort(orders), [np.sort(orders[0])] * 3, atol=1e-9)


@torch.no_grad()
def test_annotations_are_swapped_with_those_of_the_date_that_suggests_itself(show):
    made = model()
    page = show(scrubber(made))
    go = walk(page)
    go("click Swap")
    for j in (3, 2):
        column(page, j).click()
    memory, second = read(made, TEXT), read(made, OTHER)
    others = [j for j in range(len(TEXT)) if j not in (2, 3)]
    for does, places in (("", [2, 3]), ("click All others instead", others)):
        go(does, places=places)
        given = interventions.exchanged(memory, second, marked(len(TEXT), places))
        expect_result(page, written(made, memory, 2, given=given), written(made, memory), 2)
        if not does:
            go(said=f"With the annotations of “l” and “y” from “{OTHER}”:")
    assert "".join(page.locator(".attn-taken").all_text_contents()).replace("␣", " ") == OTHER


def test_the_places_stay_when_something_else_is_done_to_them(show):
    page = show(scrubber(change="swapped", places=[2, 3]))
    go = walk(page)
    go("click Hide", change="hidden", places=[2, 3])
    column(page, 2).click()
    go(places=[3])
    column(page, 3).click()
    go(said="Click the characters that are to be hidden")
    go("click Even out; click Even out", change="none")
    go('set change "hidden"; set places [2, 40]', said="With “l” hidden")  # 40 is beyond the text
    go("set places [40]", said="Click the characters that are to be hidden")


def test_a_date_of_another_length_is_not_swapped_and_the_page_says_why(show):
    page = show(scrubber(change="swapped", places=[2]))
    go, changed = go_through(page), trait(page, "result")
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
    go("fill Date to read: Mai; click Swap")
    column(page, 1).click()
    go(note="No other date of 3 characters suggests itself")
    assert trait(page, "result")["iso"] == trait(page, "result")["whole"]
    go("fill Another date: Jun", said="With the annotation of “a” from “Jun”")


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
    made = model()
    page = show(scrubber(made, step=0, change="empty"))
    memory = read(made, TEXT)
    whole = written(made, memory)
    digits = page.get_by_role("radio")
    assert "".join(digits.all_text_contents()) == text_of(whole)
    digits.nth(1).click()
    page.keyboard.press("ArrowRight")
    assert trait(page, "step") == 2
    expect_result(page, written(made, memory, 2, torch.zeros_like), whole, 2)
    page.keyboard.press("Home")
    assert trait(page, "step") == 0
    expect_result(page, written(made, memory, 0, torch.zeros_like), whole, 0)
    assert page.evaluate("document.activeElement.ariaChecked") == "true"
    set_trait(page, "step", 99)
    last = len(text_of(whole)) - 1
    expect_result(page, written(made, memory, last, torch.zeros_like), whole, last)


def test_characters_are_reached_and_changed_by_keys(show):
    page = show(scrubber())
    go = walk(page, stops=".attn-column[tabindex='0']")
    column(page, 0).focus()
    go("key ArrowRight; key ArrowRight; key Enter", change="all", places=[2])
    go("key End; key Space", places=[len(TEXT) - 1], stops=1)
    go("key Escape", change="none", places=[])
    assert page.evaluate("document.activeElement.ariaLabel").startswith("6, place 13, weight ")


def test_what_changes_is_marked_and_named(show):
    made = model()
    memory = read(made, TEXT)
    whole = written(made, memory)
    changes = [written(made, memory, at, torch.zeros_like) for at in range(len(text_of(whole)))]
    at = next(i for i, steps in enumerate(changes) if steps[i][2] != whole[i][2])
    page = show(scrubber(made, step=at, change="empty"))
    now, then = text_of(changes[at]), text_of(whole)
    shown = page.locator(".attn-answer-row").nth(1).locator(".attn-digit")
    assert "".join(shown.all_text_contents()) == now
    longest = range(len(now))
    differing = [i for i in longest if i >= len(then) or now[i] != then[i]]
    marked_ones = shown.evaluate_all(
        "all => all.flatMap((one, i) => (one.matches('.attn-changed') ? [i] : []))"
    )
    assert marked_ones == differing
    assert now in page.locator(".attn-readout").text_content()
    assert "Probabilities: " in page.locator(".attn-odds").get_attribute("aria-label")


def test_what_cannot_be_read_is_a_sentence(show):
    page = show(scrubber(longest=20))
    go, box = go_through(page), page.get_by_role("textbox", name="Date to read")
    for empty in ("", "   ", "\u3000"):
        box.fill(empty)
        go(said="Type a date", result={}, columns=0, digits=0)
        assert table(page) == [["Answer"], [page.locator(".attn-readout").text_content()]]
    go(f"fill Date to read: {'3' * 500}")
    go(said="That is 500 characters, and the model reads at most 20")
    go("fill Date to read: 3/4/05☃", said="It never saw “☃” in training")
    assert trait(page, "result")["unknown"] == ["☃"]
    box.fill('<img src=x onerror="w=1">'[:20])
    assert page.locator(".attn-frame img").count() == 0


def test_a_model_that_writes_nothing(show):
    made = model()
    made.decoder.readout.bias.data[END] += 100
    walk(show(scrubber(made)))(said="The model wrote nothing.", result={})


def test_another_text_begins_without_a_change(show):
    go = go_through(show(scrubber(change="swapped", places=[2], other=OTHER)))
    go("click 3. Mai 1998", text="3. Mai 1998", change="none", places=[], other="")
    go("fill Date to read: 3/4/05", columns=6)


def test_reset_gives_everything_back(show):
    start = {"text": TEXT, "step": 3, "change": "hidden", "places": [1, 4], "other": OTHER}
    page = show(scrubber(**start))
    go = walk(page)
    go("click 3/4/05")
    page.get_by_role("radio").first.click()
    go("click Shuffle")
    go("click Reset", **start)


def test_text_from_right_to_left_stands_as_it_is_read(show):
    page = show(scrubber(text="٣ مايو"))
    assert "".join(page.locator(".attn-letter").all_text_contents()) == "ويام␣٣"
    column(page, 5).focus()
    page.keyboard.press("Enter")
    assert trait(page, "places") == [0], "the first character stands at the right"


def test_a_finger_moves_the_weight(show):
    page = show(scrubber(), width=360, has_touch=True, is_mobile=True)
    column(page, 2).tap()
    walk(page)(change="all", places=[2])
    page.get_by_role("button", name="No context").tap()
    walk(page)(change="empty")


def test_the_table_without_a_page_shows_what_each_change_does(show):
    made = model()
    page = show(scrubber(made))
    header, *rows = table(page)
    memory = read(made, TEXT)
    whole = written(made, memory)
    assert len(rows) == len(text_of(whole))
    assert [row[0] for row in rows] == list(text_of(whole))
    assert {len(row) for row in rows} == {len(header)} == {6}
    for at, row in enumerate(rows):
        steps = written(made, memory, at, torch.zeros_like)
        share = float(steps[at][1][whole[at][2]])
        assert abs(int(row[-1].strip("<>\u00a0%")) - 100 * share) <= 1
