"""A claim shows what was measured, and fails if it is not true."""

import json
import math
import operator
import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from attn_course.claims import MIME, ClaimError, Measured, Printed, claim, closer

shares = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@pytest.fixture
def notebook():
    """A shell as a notebook has it, so that claims display instead of print."""
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def data_of(sentence, condition, origin="found", **values):
    with capture_output() as captured:
        claim(sentence, condition, origin, **values)
    (output,) = captured.outputs
    return output.data


# ---- how a measured value reads


TEXTS = [
    ([0.989, 0.986, 0.992], "percent", "98.9 % (98.6 to 99.2 over 3 seeds)"),
    ([0.5, 0.5], "percent", "50.0 % (the same in each of 2 seeds)"),
    (0.5, "percent", "50.0 %"),
    ([3, 5], "", "4 (3 to 5 over 2 seeds)"),
    ([0.98901, 0.98904], "percent", "98.9 % (98.901 to 98.904 over 2 seeds)"),
    ([0.98901, 0.989011], "percent", "98.9 % (2 seeds agree to these figures)"),
    ([0.8431, 0.8434], "nats", "0.843 nats (0.8431 to 0.8434 over 2 seeds)"),
    ([2345.61, 2345.64], "", "2,346 (2,345.61 to 2,345.64 over 2 seeds)"),
    ([0.1 + 0.2, 0.3], "", "0.3 (2 seeds agree to these figures)"),
    (12345, "parameters", "12,345 parameters"),
    (1234.5, "seconds", "1,234 s"),
    (0.08317, "", "0.0832"),
    (-0.25, "", "−0.25"),
    (3e-12, "", "3 × 10⁻¹²"),
    (4.4e-16, "", "less than 10⁻¹²"),
    (-2e-17, "", "less than 10⁻¹²"),
    # rounding makes nothing of none or of all
    (0.9998, "percent", "99.98 %"),
    (0.0002, "percent", "0.02 %"),
    (1.0, "percent", "100.0 %"),
    (0, "percent", "0.0 %"),
    (1.28e-9, "percent", "0.0000001 %"),
    (1 - 1e-9, "percent", "99.9999999 %"),
]


@pytest.mark.parametrize(("values", "unit", "text"), TEXTS)
def test_text(values, unit, text):
    assert str(Measured(values, unit)) == text


def test_forms():
    exact = Measured([0.9, 0.7], unit="percent")
    assert f"{exact:mean}, {exact:least}, {exact:most}" == "80.0 %, 70.0 %, 90.0 %"
    assert f"{exact:range}" == "70.0 to 90.0 %"
    assert f"{Measured([2.0, 2.0]):range}" == "2"
    assert f"{Measured([0.98901, 0.98904], 'percent'):range}" == "98.901 to 98.904 %"
    assert f"{Measured([0.1 + 0.2, 0.3]):range}" == "0.3"
    with pytest.raises(ValueError, match="mean, least, most or range"):
        f"{exact:.2f}"


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=5))
def test_the_same_in_each_seed_means_the_same_number(values):
    said_alike = "the same in each" in str(Measured(values))
    assert said_alike == (len(set(values)) == 1)


@given(st.floats(1e-11, 1 - 1e-11))
def test_no_share_but_all_is_shown_as_all_and_none_but_none_as_none(share):
    assert 0 < float(str(Measured(share, "percent")).removesuffix(" %")) < 100


def test_numbers_of_any_kind():
    lists = [0.5], np.array([0.5]), torch.tensor([0.5]), iter([0.5])
    for values in (0.5, np.float32(0.5), torch.tensor(0.5), *lists):
        assert Measured(values).values == (0.5,)


# ---- conditions


@given(shares, st.floats(0, 1))
def test_every_seed_counts(values, bound):
    measured = Measured(values)
    assert (measured > bound).holds == all(value > bound for value in values)
    assert (measured >= bound).holds == all(value >= bound for value in values)
    assert (measured < bound).holds == all(value < bound for value in values)
    assert (measured <= bound).holds == all(value <= bound for value in values)
    assert (bound < measured).holds == (measured > bound).holds
    assert (measured > bound).margin == pytest.approx(min(values) - bound)
    assert (measured < bound).margin == pytest.approx(bound - max(values))
    for one in (measured, Measured(bound)):  # one value stands beside every seed
        other = Measured(bound) if one is measured else measured
        assert (one > other).margin == pytest.approx(min(np.subtract(one.values, other.values)))


@pytest.mark.parametrize("sign", ["<", "≤", ">", "≥"])
def test_a_condition_reads_as_it_was_written(sign):
    x, y = Measured(0.5), Measured(0.25)
    for bound, text in ((0.25, "0.25"), (y, "y")):
        condition = {"<": x < bound, "≤": x <= bound, ">": x > bound, "≥": x >= bound}[sign]
        assert condition.text({"x": x, "y": y}) == f"x {sign} {text}"


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=5))
def test_two_measured_are_compared_seed_by_seed(pairs):
    one, two = (Measured(values) for values in zip(*pairs, strict=True))
    assert (one > two).holds == all(a > b for a, b in pairs)
    assert (one > two).margin == pytest.approx(min(a - b for a, b in pairs))
    assert (one - two).values == pytest.approx([a - b for a, b in pairs])
    quotients = (one / (two - Measured(-1))).values
    assert quotients == pytest.approx([a / (b + 1) for a, b in pairs])


def test_joined_conditions_need_all_parts_and_report_the_tightest():
    good, bad = Measured(0.9) > 0.1, Measured(0.5) > 0.6
    assert (good & good).holds
    assert not (good & bad).holds
    assert (good & bad).margin == pytest.approx(-0.1)
    assert (good & (Measured(0.5) < 0.6)).margin == pytest.approx(0.1)
    on_the_bound = Measured(0.6)  # margin 0 both times, but only one of them holds
    assert (on_the_bound >= 0.6).holds
    assert not ((on_the_bound >= 0.6) & (on_the_bound > 0.6)).tightest.holds


def test_a_value_without_a_name_is_shown_as_it_was_measured():
    one, other = Measured(0.5), Measured(0.25)
    assert (one > other).text({"one": one}) == "one > 0.25"
    assert (one - other > 0.1).text({"one": one}) == "one − 0.25 > 0.1"
    assert (one / other > 1.5).text({"other": other}) == "0.5 / other > 1.5 times"
    same = Measured(0.5)  # equal, and with a name of its own
    assert (same - one < 0.3).text({"one": one, "same": same}) == "same − one < 0.3"
    nested = one - (other - one) > 0.1
    assert nested.text({"one": one, "other": other}) == "one − (other − one) > 0.1"


# ---- claims


def test_a_true_claim_shows_this_runs_numbers(notebook):
    exact = Measured([0.989, 0.986, 0.992], unit="percent")
    data = data_of("It reads {exact} of {days}.", exact > 0.95, exact=exact, days="unseen days")
    assert data["text/plain"] == "It reads 98.9 % (98.6 to 99.2 over 3 seeds) of unseen days."
    assert "<strong>98.9\u00a0%</strong> of " in data["text/html"]
    assert (
        "Measured in 3 runs: 98.6\u00a0to\u00a099.2\u00a0%; found by looking<" in data["text/html"]
    )
    assert 'class="attn-claim"' in data["text/html"]
    assert "exact &gt; 95 % in every seed (margin 3.6 points)" in data["text/html"]
    assert "Printed only" not in data["text/html"]


def test_below_the_sentence_stands_how_far_apart_its_runs_are(notebook):
    """Of each number that is shown with its spread, once, in the order of the sentence."""
    exact = Measured([0.989, 0.25, 0], unit="percent")
    lead = Measured([-0.1, 0.3], unit="points")
    counted, alone, none = Measured([7, 7, 7], "letters"), Measured(0.5), Measured([0, 0], "points")
    sentence = "{exact}, {lead}, {held} {exact} {alone} {none} {lead:mean} {lead:most}"
    bound = (exact < 1) & (lead < 1) & (counted < 8) & (alone > 0.1) & (none <= 0)
    values = {"exact": exact, "lead": lead, "held": counted, "alone": alone, "none": none}
    html = data_of(sentence, bound, **values)["text/html"]
    assert re.search("<summary>(.*?)</summary>", html)[1] == (
        "Measured in 3 runs: 0.0_to_98.9_% · 7_letters, "
        "in 2 runs: −10.0_to_30.0_points · 0.0_points; found by looking"
    ).replace("_", "\u00a0")
    assert "Seed by seed" in html
    html = data_of("{alone} and {lead:mean}", (alone > 0.1) & (lead < 1), **values)["text/html"]
    assert "<summary>Measured; found by looking</summary>" in html


def test_the_record_is_json_with_all_that_a_list_of_claims_needs(notebook):
    exact, other = Measured([0.9, 0.8], unit="percent"), Measured([0.7, 0.75], unit="percent")
    condition = (exact > other) & (exact - other > 0.01) & exact.between(0.75, 0.95)
    record = data_of("{exact:mean} against {other:mean}", condition, exact=exact, other=other)[MIME]
    assert json.loads(json.dumps(record)) == record
    assert record["sentence"] == "85.0 % against 72.5 %"
    assert record["condition"] == (
        "exact > other seed by seed and exact − other > 1 points in every seed "
        "and exact is between 75 and 95 % in every seed"
    )
    assert record["values"]["exact"]["values"] == [0.9, 0.8]
    assert record["margin"] == pytest.approx(0.04)
    assert record["versions"]["torch"] == torch.__version__
    assert record["versions"]["numpy"] == np.__version__
    assert re.fullmatch(r"3\.\d+\.\d+\S*", record["versions"]["python"])
    assert record["device"]


def test_the_record_holds_no_rounding_errors(notebook):
    """They differ from one run to the next, and two builds must make the same site."""
    one, two = (Measured(noise) for noise in (3e-16, 9e-16))
    first, second = (data_of("{off}", off < 0.001, off=off)[MIME] for off in (one, two))
    assert first == second
    off = {"values": [0.0], "unit": "", "text": "less than 10⁻¹²", "printed": False}
    assert first["values"]["off"] == off
    assert first["margin"] == 0.001


def test_each_comparison_has_its_own_margin(notebook):
    exact, other = Measured([0.9, 0.8], unit="percent"), Measured(3, unit="steps")
    condition = (exact > 0.5) & (other < 7)
    record = data_of("{exact} after {other}", condition, exact=exact, other=other)[MIME]
    assert record["comparisons"] == [
        {
            "text": "exact > 50 % in every seed",
            "margin": pytest.approx(0.3),
            "margin_text": "30.0 points",
        },
        {"text": "other < 7 steps", "margin": 4, "margin_text": "4 steps"},
    ]
    assert record["condition"] == " and ".join(part["text"] for part in record["comparisons"])
    assert record["margin"] == min(part["margin"] for part in record["comparisons"])


def test_a_value_made_twice_has_one_name(capsys):
    near = Measured(0.1)
    claim("{near}.", (near < 0.5) & (Measured(0.2) < 0.5), "found", near=near, far=Measured(0.2))
    assert "near < 0.5 (margin 0.4) and far < 0.5 (margin" in capsys.readouterr().out


# ---- what is shown is bound


def holds_to(value, other, third):
    """Conditions that hold ``value`` to a number, and such as do not."""
    sevenfold = value / other
    return {
        "alone": (value > 0.1, True),
        "from both sides": (value.between(0.1, 0.9), True),
        "by one that is": ((value > other) & (other < 0.9), True),
        "by a chain": ((other - value < 0.9) & (third - other < 0.9) & (third < 1), True),
        "by a quotient with one that is": ((sevenfold < 9) & (other > 0.1), True),
        "another": (other > 0.1, False),
        "an equal one": (Measured(value.values) > 0.1, False),
        "only to one that is not": (value > other, False),
        "a difference alone": (value - other < 0.9, False),
        "a chain without an end": ((value - other < 0.9) & (other - third < 0.9), False),
    }


@pytest.mark.parametrize("case", holds_to(Measured(1), Measured(1), Measured(1)))
def test_a_number_that_is_shown_is_held_to_a_number(case, capsys):
    value, other, third = Measured([0.5, 0.6]), Measured([0.3, 0.4]), Measured([0.2, 0.1])
    condition, bound = holds_to(value, other, third)[case]
    if bound:
        claim("{value}", condition, "found", value=value)
    else:
        with pytest.raises(ValueError, match=r"shows value, which .* `value\.between"):
            claim("{value}", condition, "found", value=value, other=other)
        claim("{other} {value}", (other > 0) & (value > 0), "found", value=value, other=other)
    difference = value - other
    claim("{lead}", difference < 0.9, "found", lead=difference)


def test_what_is_printed_only_is_said_to_be(notebook):
    exact, steps = Measured([0.9, 0.8], "percent"), Printed(452, "steps")
    data = data_of("{exact} in {steps}", exact > 0.5, exact=exact, steps=steps)
    assert "Printed only, and bound by nothing: steps." in data["text/html"]
    assert "<strong>90" not in data["text/html"].replace("85", "90").split("452")[1]
    assert "in 452 steps" in data["text/html"]
    assert {name: value["printed"] for name, value in data[MIME]["values"].items()} == {
        "exact": False,
        "steps": True,
    }


@given(shares, st.floats(0, 1), st.floats(0, 1))
def test_between_is_both_bounds(values, low, high):
    measured = Measured(values, "percent")
    both = (measured >= low) & (measured <= high)
    between = measured.between(low, high)
    assert between.holds == both.holds
    assert between.margin == pytest.approx(both.margin)
    assert (Measured(7, "lists").between(7, 7)).text({}) == "7 lists = 7 lists"


def test_bounds_drawn_closer_stand_beside_those_that_were_expected(notebook):
    x = Measured([0.98, 0.97], "percent")
    condition = (x > 0.5) & closer(x.between(0.96, 1))
    data = data_of("{x}", condition, "expected", x=x)
    words = "98.0\u00a0%; expected beforehand, and drawn closer by looking</summary>"
    assert words in data["text/html"]
    assert data[MIME]["condition"] == (
        "x > 50 % in every seed and x is between 96 and 100 % in every seed (found by looking)"
    )
    assert not (closer(x > 0.975) & (x > 0.5)).holds
    assert closer(x > x).text({"x": x}) == "x > x seed by seed (found by looking)"
    for origin, other in (("found", condition), ("expected", closer(x > 0.5))):
        with pytest.raises(ValueError, match=f"beside those that were expected; got .*{origin}"):
            claim("{x}", other, origin, x=x)


# ---- few items


INTERVALS = [
    (([1.0], "percent", 30, "facts"), "100.0 % (88.6 to 100.0 over 30 facts)"),
    (
        ([0.147, 0.088, 0.235], "percent", 102, "dates"),
        "15.7 % (8.8 to 23.5 over 3 seeds; 9.9 to 24.0 over 102 dates)",
    ),
    (([0.5], "nats", 1200, "looks", (0.25, 0.75)), "0.5 nats (0.25 to 0.75 over 1,200 looks)"),
]


@pytest.mark.parametrize(("measured", "text"), INTERVALS)
def test_few_items_have_an_interval_beside_the_seeds(measured, text, notebook):
    x = Measured(*measured)
    assert str(x) == text
    data = data_of("{x}", x > 0, x=x)
    assert data["text/plain"] == text
    assert f" ({x.over})" in data["text/html"]
    assert f"{x:mean}" in text.partition(" (")[0]


# ---- claims as lines


def test_outside_of_a_notebook_a_claim_is_a_line(capsys):
    steps = Measured(7, unit="steps")
    claim("It took {steps}.", steps <= 7, "expected", steps=steps)
    line = "It took 7 steps.  [expected: steps ≤ 7 steps (margin 0 steps)]\n"
    assert capsys.readouterr().out == line


def test_a_false_claim_fails_with_everything_needed_to_see_why():
    exact = Measured([0.97, 0.94], unit="percent")
    with pytest.raises(ClaimError) as caught:
        claim("It reads {exact:mean}.", exact > 0.95, "found", exact=exact)
    message = str(caught.value)
    assert "It reads 95.5 %." in message
    assert "exact > 95 % in every seed" in message
    assert "exact = 97.0 %, 94.0 %" in message
    assert "−1.0 points in the worst seed" in message
    assert isinstance(caught.value, AssertionError)


@pytest.mark.parametrize("origin", ["guessed", "", "Found", None, ["found"]])
def test_an_origin_is_one_of_three(origin):
    x = Measured(0.5)
    with pytest.raises(ValueError, match="expected, found, calculated; got ") as caught:
        claim("{x}", x > 0, origin, x=x)
    assert repr(origin) in str(caught.value)


def test_a_claim_says_where_its_bound_comes_from(notebook):
    x = Measured(0.5)
    for origin, words in {
        "expected": "Measured; expected beforehand",
        "found": "Measured; found by looking",
        "calculated": "Calculated",
    }.items():
        data = data_of("{x}", x > 0, origin, x=x)
        assert f"<summary>{words}</summary>" in data["text/html"]
        assert (data[MIME]["origin"], data[MIME]["origin_text"]) == (origin, words)


def test_a_value_may_have_any_name(capsys):
    x = Measured(0.5)
    claim("{sentence} {condition} {origin}", x > 0, "found", sentence=x, condition=x, origin="so")
    assert capsys.readouterr().out.startswith("0.5 0.5 so  [found: ")


@pytest.mark.parametrize(
    "words", ["{} in 2005", "y1 and {}", "{} of 1998.5.3", "the 4-digit year {}", "{} in the 1990s"]
)
def test_other_digits_are_fine(words, capsys):
    x = Measured(0.5)
    claim(words.format("{x}"), x > 0, "found", x=x)


def test_braces_may_be_written(capsys):
    x = Measured(0.5)
    claim("The set {{1, 2}} holds {x}, and {{no}} more.", x > 0, "found", x=x)
    assert capsys.readouterr().out.startswith("The set {1, 2} holds 0.5, and {no} more.  [")


def test_values_are_data_never_markup(notebook):
    x = Measured(0.5, unit="<b>")
    data = data_of("<script> {x} {who}", x > 0, x=x, who='<img src="x">')
    assert "<script>" not in data["text/html"]
    assert "<img" not in data["text/html"]
    assert "<b>" not in data["text/html"]
    assert "&lt;script&gt;" in data["text/html"]


# ---- what is refused


HALF, SHARE = Measured(0.5), Measured(0.5, "percent")


def claimed(sentence="{x}", condition=None, **values):
    claim(sentence, HALF > 0 if condition is None else condition, "found", **{"x": HALF} | values)


REFUSED = {
    Measured: [
        *(
            ((values,), "finite|nothing was measured")
            for values in (math.nan, [0.5, math.nan], [], math.inf, torch.tensor([]))
        ),
        *(
            ((values,), TypeError, "a measured value is a number; got")
            for values in ("0.5", None, True, [True], [[0.5, 0.6]])
        ),
        *(
            (([0.5], *unit), "takes `items` and `of`")
            for unit in (("percent", 30), ("percent", 0, "facts"), ("nats", 30, "facts"))
        ),
        (([0.5], "", 0, "", (0, 1)), "takes `items` and `of`"),
        (([0.5], "percent", 30, "facts", (0.25, 75)), "got 75"),
        ((10**400,), "one too large for a float"),
        (([1e308, 1e308],), "too large for a mean"),
        ((98.9, "percent"), r"got 98\.9"),
        ((1, 3), TypeError, "unit must be a string; got 3"),
    ],
    operator.gt: [
        ((SHARE, 95), "share between 0 and 1; got 95"),
        ((Measured([1, 2]), Measured([1, 2, 3])), "cannot pair 2 seeds with 3"),
        ((SHARE, Measured(0.5, "seconds")), "cannot compare 'percent' with 'seconds'"),
        ((Printed(2), 1), TypeError, "Printed number is bound by nothing"),
    ],
    operator.lt: [((Measured(3), Printed(2)), TypeError, "Printed number is bound by nothing")],
    operator.le: [((Printed(2), Measured(3)), TypeError, "Printed number is bound by nothing")],
    Printed(2).between: [((1, 3), TypeError, "Printed number is bound by nothing")],
    operator.truediv: [
        ((Measured([1, 2]), Measured([1, 0])), "cannot divide by 0"),
        *(((HALF, other), TypeError, "another Measured; got") for other in (0.25, "0.25", None)),
    ],
    operator.sub: [
        ((HALF, other), TypeError, "another Measured; got") for other in (0.25, "0.25", None)
    ],
    None: [
        (lambda: 0.1 < HALF < 0.2, TypeError, "combine two with `&`"),
        (lambda: (HALF > 0.6) and (HALF > 0.1), TypeError, "combine two with `&`"),
        (lambda: (HALF > 0.1) & True, TypeError, "bool"),
        (lambda: claim("{x}", None, "found", x=HALF), TypeError, "a condition with a margin"),
    ],
    claimed: [
        *(
            ({"condition": condition}, TypeError, "a condition with a margin")
            for condition in (True, np.bool_(True), torch.tensor(True), 1)
        ),
        *(
            ({"sentence": sentence}, "written into the sentence")
            for sentence in (
                *("It reads 98.9 % of {x}", "{x} of 0.989", "3 times {x}", "12 seconds, {x}"),
                *("{x} 95 percent", "4 s {x}", "{x} of {{these}} are 0.989"),
            )
        ),
        ({"sentence": "All is well."}, "at least one measured value"),
        ({"sentence": "{x} and {y}"}, r"names \{y\}"),
        ({"sentence": "{x} of {{these}} and {y}"}, r"names \{y\}"),
        ({"sentence": "{x.values}"}, r"names \{x\.values\}"),
        ({"x": 0.5}, TypeError, "must be Measured or a string; got float"),
    ],
}
