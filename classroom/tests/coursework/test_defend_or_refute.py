"""Assignment 4: a claim in a changed setting, and tables from which its verdict is computed."""

import json

import pytest

from attn_class.grading import variants
from attn_course.tasks.own_claim import own_claim
from specimens.coursework.tried import findings, lost

SEED = "a seed for demonstration only"
OWN = variants.own("ada", SEED)
CLAIM = own_claim(OWN[:8])
FEW, MANY = CLAIM.steps, 4 * CLAIM.steps
NAMES = (CLAIM.claim.better, CLAIM.claim.other, "control")


@pytest.fixture(scope="module")
def parts(defend, exercises_of):
    return exercises_of(defend)


# ---- the plan


def plan(**changed):
    lines = {
        **{"kind": CLAIM.claim.kind, "better": NAMES[0], "other": NAMES[1]},
        **{"first": 4, "last": 7, "margin": 0.08, "steps": f"{FEW} {MANY}"},
        "seeds": " ".join(map(str, CLAIM.seeds)),
        **{"rates": "0.004 0.008 0.016 0.032", "tested": 100, "expected": "holds undecided"},
    } | changed
    return "what,value\n" + "".join(f"{what},{value}\n" for what, value in lines.items() if value)


def of_plan(parts, made, own=OWN):
    found = findings(parts["planned"], lambda: made, own)
    return sum(each.property.points for each in found if each.holds), lost(found)


@pytest.mark.parametrize(
    "text",
    [
        plan(),
        "\n" + plan().replace(",", ", ") + "\n",
        plan(rates="0.001 0.004 0.016 0.032 0.064", margin=0.3),
        plan(first=CLAIM.lengths[0], last=CLAIM.lengths[-1], margin=0.06, tested=250),
        plan(seeds=" ".join(map(str, CLAIM.seeds[::-1])), expected="fails fails"),
    ],
)
def test_plans_in_order_get_full_marks(parts, text):
    assert of_plan(parts, [OWN[:8], text]) == (7, set())


NOTHING = {
    *("plan_can_be_read", "claim_is_the_students", "time_is_an_axis"),
    *("rates_are_an_axis", "margin_is_larger_than_chance"),
}


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (plan(kind="less"), NOTHING),
        (plan(margin=0), NOTHING),
        (plan(margin="large"), NOTHING),
        (plan(expected="holds"), NOTHING),
        (plan(expected="holds perhaps"), NOTHING),
        (plan(tested=""), NOTHING),
        (plan() + "margin,0.2\n", NOTHING),
        ("", NOTHING),
        (plan(better=NAMES[1], other=NAMES[0]), {"claim_is_the_students"}),
        (plan(better="Every step"), {"claim_is_the_students"}),
        (plan(seeds="1 2 3"), {"time_is_an_axis"}),
        (plan(steps=FEW), {"time_is_an_axis"}),
        (plan(steps=f"{FEW} {2 * FEW}"), {"time_is_an_axis"}),
        (plan(rates="0.004 0.008 0.016"), {"rates_are_an_axis"}),
        (plan(rates="0.032 0.016 0.008 0.004"), {"rates_are_an_axis"}),
        (plan(rates="0.0001 0.001 0.01 0.1"), {"rates_are_an_axis"}),
        (plan(margin=0.07), {"margin_is_larger_than_chance"}),
        (plan(tested=50, margin=0.2), {"margin_is_larger_than_chance"}),
        (plan(last=CLAIM.lengths[-1] + 1), {"margin_is_larger_than_chance"}),
    ],
)
def test_plans_that_are_not_lose_what_is_meant(parts, text, failed):
    assert of_plan(parts, [OWN[:8], text])[1] == failed


def test_the_plan_of_another_is_not_accepted(parts):
    other = variants.own("bob", SEED)
    assert {"plan_is_the_students", "time_is_an_axis"} <= of_plan(parts, [OWN[:8], plan()], other)[
        1
    ]


# ---- what is handed in

SETTINGS = {
    NAMES[0]: {"given": "every step", "state": "last", "size": "48", "start": "last"},
    NAMES[1]: {"given": "start only", "state": "last", "size": "48", "start": "last"},
    "control": {"given": "every step", "state": "first", "size": "48", "start": "last"},
}
TRIED = {0.004: 0.1, 0.008: 0.3, 0.016: 0.5, 0.032: 0.4}
HEAD = "condition,seed,steps,taken,pairs,parameters,rate,length,right,tested\n"


def share(condition, seed, steps, length):
    """After few steps the first is far ahead; after many, in two of three seeds."""
    far = {FEW: 20, MANY: 20 if seed != CLAIM.seeds[1] else 2}[steps]
    return 60 + (steps == MANY) * 10 - 3 * length + (far if condition == NAMES[0] else 0) + seed % 5


def handed_in(share=share, said=("holds", "undecided"), mind=(FEW, 0.02), rates=None, **changed):
    """All of it; what is changed belongs to the first condition, unless it is named."""
    planned = {each: changed.pop(each) for each in ("margin", "tested", "last") if each in changed}
    settings = changed.pop("settings", SETTINGS)
    lines = HEAD
    for name in NAMES:
        for seed in CLAIM.seeds:
            for steps in (FEW, MANY):
                tested = planned.get("tested", 100)
                budget = {"taken": steps + 4, "pairs": 64 * steps, "parameters": 30000}
                budget |= {"rate": 0.016} | (changed if name == NAMES[0] else {})
                for length in CLAIM.lengths:
                    hits = share(name, seed, steps, length) * tested // 100
                    cells = name, seed, steps, *budget.values(), length, hits, tested
                    lines += ",".join(map(str, cells)) + "\n"
    tried = "".join(
        f"{name},{steps},{rate},{got}\n"
        for name in NAMES
        for steps in (FEW, MANY)
        for rate, got in (rates or TRIED).items()
    )
    made = "".join(f"{c},{s},{v}\n" for c, of in settings.items() for s, v in of.items())
    return [
        *(OWN[:8], plan(**planned), "condition,setting,value\n" + made),
        *("condition,steps,rate,share\n" + tried, lines),
        *([[FEW, said[0]], [MANY, said[1]]], list(mind)),
    ]


def marks(parts, made, own=OWN):
    found = findings(parts["handed_in"], lambda: made, own)
    return sum(each.property.points for each in found if each.holds), lost(found)


def at_the_edge():
    """All planned rates were tried, the best was taken, and it is the largest."""
    made = handed_in(rates={**TRIED, 0.032: 0.6})
    return [*made[:4], made[4].replace(",0.016,", ",0.032,"), *made[5:]]


def with_settings(condition, **changed):
    return {name: of | (changed if name == condition else {}) for name, of in SETTINGS.items()}


def replaced(place, old, new):
    made = handed_in()
    assert old in made[place]
    return [*made[:place], made[place].replace(old, new), *made[place + 1 :]]


LOW = {0.002: 0.3, **TRIED}


@pytest.mark.parametrize(
    "made",
    [
        handed_in(),
        tuple(handed_in()),
        handed_in(lambda c, s, n, k: share("", s, n, k), ("fails", "fails"), (MANY, 0.5)),
        handed_in(tested=300, margin=0.3, said=("fails", "fails"), mind=(FEW, 0.4)),
        handed_in(rates=LOW, parameters=31000, mind=(MANY, -0.2)),
        handed_in(rates={0.004: 0.1, 0.008: 0.5, 0.016: 0.5, 0.032: 0.4}),  # equally good
        handed_in(settings=with_settings("control", given="start only")),
    ],
)
def test_tables_in_order_get_full_marks(parts, made):
    assert marks(parts, made) == (18, set())


RESULTS = {
    *("results_can_be_read", "nothing_is_missing", "tested_as_planned", "budgets_are_equal"),
    *("more_steps_have_more_pairs", "rates_were_chosen", "seeds_differ", "verdict_follows"),
}
PLAN = {"tested_as_planned", "rates_were_chosen", "verdict_follows", "mind_can_be_changed"}
FIRST = f"{NAMES[0]},{CLAIM.seeds[0]},{FEW},"
EDGE = {0.008: 0.2, 0.016: 0.6, 0.004: 0.1}


@pytest.mark.parametrize(
    ("made", "failed"),
    [
        (["00000000", *handed_in()[1:]], {"variant_is_the_students"}),
        (replaced(4, "parameters", "numbers"), RESULTS),
        (replaced(4, FIRST, FIRST + "0,"), RESULTS),
        (replaced(4, f",{CLAIM.lengths[1]},", f",{CLAIM.lengths[0]},"), RESULTS),
        ([OWN[:8], "", *handed_in()[2:]], PLAN),
        (
            replaced(4, f"control,{CLAIM.seeds[2]},", "control,555,"),
            {"nothing_is_missing", "budgets_are_equal", "more_steps_have_more_pairs"},
        ),
        (
            replaced(4, f"control,{CLAIM.seeds[0]},{MANY},", f"control,{CLAIM.seeds[0]},77,"),
            {"nothing_is_missing", "budgets_are_equal", "more_steps_have_more_pairs"},
        ),
        (
            replaced(1, "tested,100", "tested,200"),
            {"tested_as_planned"},
        ),
        (handed_in(taken=FEW + 5), {"budgets_are_equal"}),
        (handed_in(pairs=64 * FEW), {"budgets_are_equal", "more_steps_have_more_pairs"}),
        (handed_in(parameters=40000), {"budgets_are_equal"}),
        (handed_in(rate=0.008), {"rates_were_chosen"}),
        (handed_in(rates=EDGE), {"rates_were_chosen"}),
        (handed_in(rates={**TRIED, 0.032: 0.6}), {"rates_were_chosen"}),
        (at_the_edge(), {"rates_were_chosen"}),
        (handed_in(rates={**TRIED, 0.016: 1.5}), {"rates_were_chosen"}),
        (
            handed_in(lambda c, s, n, k: share(c, CLAIM.seeds[0], n, k), ("holds", "holds")),
            {"seeds_differ"},
        ),
        (
            handed_in(settings=with_settings(NAMES[1], size="64")),
            {"conditions_differ_in_one_thing"},
        ),
        (
            handed_in(settings=with_settings("control", size="64", start="first")),
            {"control_differs_in_one_thing"},
        ),
        (
            handed_in(settings=with_settings("control", state="last")),
            {"control_differs_in_one_thing"},
        ),
        (
            handed_in(settings={name: SETTINGS[name] for name in NAMES[:2]}),
            {"conditions_differ_in_one_thing", "control_differs_in_one_thing"},
        ),
        (
            handed_in(settings={c: {"given": of["given"]} for c, of in SETTINGS.items()}),
            {"conditions_differ_in_one_thing", "control_differs_in_one_thing"},
        ),
        (handed_in(said=("holds", "holds")), {"verdict_follows"}),
        (handed_in(said=("fails", "undecided"), mind=(FEW, 0.2)), {"verdict_follows"}),
        (handed_in(mind=(FEW, 0.2)), {"mind_can_be_changed"}),
        (handed_in(mind=(7, 0.02)), {"mind_can_be_changed"}),
        (handed_in(mind=()), {"mind_can_be_changed"}),
    ],
)
def test_tables_that_are_not_lose_what_is_meant(parts, made, failed):
    assert marks(parts, made)[1] == failed


def test_the_tables_of_another_student_gain_little(parts):
    points, failed = marks(parts, handed_in(), variants.own("bob", SEED))
    assert {"variant_is_the_students", "nothing_is_missing", "verdict_follows"} <= failed
    assert points <= 4


def test_the_tables_of_the_solution_get_full_marks(parts, defend):
    names = {}
    for each in json.loads(defend["private/solved.ipynb"])["cells"]:
        text = "".join(each["source"])
        if each["cell_type"] == "code" and text.startswith(("PLAN =", "SETTINGS =")):
            exec(text, names)
    handed = ("PLAN", "SETTINGS", "RATES", "RESULTS", "VERDICT", "MIND")
    made = [OWN[:8], *(names[each] for each in handed)]
    assert of_plan(parts, made[:2]) == (7, set())
    assert marks(parts, made) == (18, set())
