"""Assignment 6: a corpus of one's own, and tables from which claims and report card follow."""

import json

import pytest

from attn_class.grading import variants
from attn_course.tasks.own import own_task
from specimens.coursework.tried import findings, lost

SECRET = "a seed for demonstration only"
OWN = variants.own("ada", SECRET)
SEEDS = own_task(OWN[:8]).seeds


@pytest.fixture(scope="module")
def parts(project, exercises_of):
    return exercises_of(project)


# ---- what is handed in

PAIRS = [f"Name {n}\tимя {n}" for n in range(600)]
PLACES = {seed: range(17 * number, 17 * number + 120) for number, seed in enumerate(SEEDS)}
MODELS = ("attention", "one vector")
TRIED = {0.004: 0.1, 0.008: 0.3, 0.016: 0.5, 0.032: 0.4}
HEAD = "condition,seed,epochs,steps,pairs,parameters,rate,right,tested\n"
SHARES = {("attention", 6): 90, ("attention", 24): 115, ("one vector", 6): 20}
SHARES |= {("one vector", 24): 60, ("baseline", 0): 62}
YES = {"context": 80, "darkest": 70, "other": 20, "swapped": 75, "earlier": 5}
CLAIMS = [
    ["more", "attention", "one vector", 24, 0.3],
    ["alike", "one vector", "baseline", 24, 0.2],
]


def handed_in(pairs=PAIRS, places=PLACES, card=YES, words=("yes", "yes", "yes", "no"), **more):
    """All of it; what is changed belongs to attention after the few epochs."""
    claims, shares = more.pop("claims", CLAIMS), SHARES | more.pop("shares", {})
    rates, asked = more.pop("rates", TRIED), more.pop("asked", 100)
    lines = HEAD
    for (name, epochs), right in shares.items():
        for number, seed in enumerate(SEEDS):
            budget = {"steps": 40 * epochs, "pairs": 400, "parameters": 30000 * (epochs > 0)}
            budget |= {"rate": 0.016 * (epochs > 0), "right": right - number, "tested": 120}
            budget |= more if (name, epochs) == ("attention", 6) else {}
            lines += ",".join(map(str, (name, seed, epochs, *budget.values()))) + "\n"
    tried = "".join(
        f"{name},{epochs},{rate},{share}\n"
        for name in MODELS
        for epochs in (6, 24)
        for rate, share in rates.items()
    )
    tests = "".join(f"{seed},{' '.join(map(str, of))}\n" for seed, of in places.items())
    rows = "".join(f"{seed},{what},{yes},{asked}\n" for seed in SEEDS for what, yes in card.items())
    return [
        *(OWN[:8], "\n".join(pairs) + "\n", "seed,places\n" + tests),
        *("condition,epochs,rate,share\n" + tried, lines, "seed,question,yes,asked\n" + rows),
        *(list(words), claims),
    ]


def marks(parts, made, own=OWN):
    found = findings(parts["handed_in"], lambda: made, own)
    return sum(each.property.points for each in found if each.holds), lost(found)


def replaced(place, old, new, **more):
    made = handed_in(**more)
    assert old in made[place]
    return [*made[:place], made[place].replace(old, new), *made[place + 1 :]]


@pytest.mark.parametrize(
    "made",
    [
        handed_in(),
        tuple(handed_in()),
        handed_in(rates={0.002: 0.45, **TRIED}, parameters=31000),
        handed_in(rates={0.004: 0.1, 0.008: 0.5, 0.016: 0.5, 0.032: 0.4}),  # equally good
        handed_in(card=YES | {"darkest": 30, "earlier": 90}, words=("yes", "no", "yes", "yes")),
        handed_in(
            shares={("attention", 6): 10, ("attention", 24): 20},
            claims=[
                ("more", "one vector", "attention", 24, 0.2),
                ("more", "baseline", "attention", 6, 0.3),
            ],
        ),
        replaced(4, HEAD, "\n" + HEAD.replace(",", ", ")),
    ],
)
def test_tables_in_order_get_full_marks(parts, made):
    assert marks(parts, made) == (16, set())


OF_RESULTS = {
    *("nothing_is_missing", "all_were_tested_on_the_tests", "budgets_are_equal"),
    *("rates_were_chosen", "claims_follow"),
}
LEAK = [*PAIRS[:300], "name 3\tдругое", *PAIRS[301:]]
TARGET = [*PAIRS[:300], "another\tИМЯ 3", *PAIRS[301:]]
EDGE = {0.008: 0.2, 0.016: 0.6, 0.004: 0.1, 0.002: 0.1}
SHORT = {seed: range(20) for seed in SEEDS}


@pytest.mark.parametrize(
    ("made", "failed"),
    [
        (["00000000", *handed_in()[1:]], {"variant_is_the_students"}),
        (handed_in(pairs=[*PAIRS, PAIRS[4]]), {"corpus_is_sound", "tests_have_no_leaks"}),
        (
            handed_in(pairs=[*PAIRS[:-1], "no tab"]),
            {"corpus_is_sound", "tests_have_no_leaks", "budgets_are_equal"},
        ),
        (handed_in(pairs=PAIRS[:490]), {"corpus_is_sound", "budgets_are_equal"}),
        (handed_in(pairs=LEAK), {"tests_have_no_leaks"}),
        (handed_in(pairs=TARGET), {"tests_have_no_leaks"}),
        (handed_in(places=dict.fromkeys(SEEDS, PLACES[SEEDS[0]])), {"tests_have_no_leaks"}),
        (handed_in(places=SHORT), {"tests_have_no_leaks", "all_were_tested_on_the_tests"}),
        (
            handed_in(places={SEEDS[0]: PLACES[SEEDS[0]]}),
            {"tests_have_no_leaks", "all_were_tested_on_the_tests", "budgets_are_equal"},
        ),
        (replaced(4, "parameters", "numbers"), OF_RESULTS),
        (replaced(4, "baseline", "table"), OF_RESULTS),
        (
            replaced(4, f"baseline,{SEEDS[2]},", "baseline,555,"),
            {"nothing_is_missing", "claims_follow"},
        ),
        (handed_in(tested=110), {"all_were_tested_on_the_tests"}),
        (handed_in(steps=239), {"budgets_are_equal"}),
        (handed_in(parameters=40000), {"budgets_are_equal"}),
        (replaced(4, ",400,", ",500,"), {"budgets_are_equal"}),
        (handed_in(rate=0.008), {"rates_were_chosen"}),
        (handed_in(rates=EDGE), {"rates_were_chosen"}),
        (handed_in(rates={k: v for k, v in TRIED.items() if k > 0.004}), {"rates_were_chosen"}),
        (handed_in(words=("yes", "yes", "yes", "yes")), {"words_follow_from_the_card"}),
        (handed_in(asked=99 - 70, card=dict.fromkeys(YES, 20)), {"words_follow_from_the_card"}),
        (replaced(5, f"{SEEDS[1]},other,20,100\n", ""), {"words_follow_from_the_card"}),
        (handed_in(claims=CLAIMS[:1]), {"claims_follow"}),
        (handed_in(claims=[CLAIMS[0], CLAIMS[0]]), {"claims_follow"}),
        (handed_in(claims=[[*CLAIMS[0][:4], 0.6], CLAIMS[1]]), {"claims_follow"}),
        (handed_in(claims=[CLAIMS[0], [*CLAIMS[1][:4], 0.05]]), {"claims_follow"}),
        (handed_in(claims=[["better", *CLAIMS[0][1:]], CLAIMS[1]]), {"claims_follow"}),
        (handed_in(claims=[["alike", *CLAIMS[0][1:]], CLAIMS[1]]), {"claims_follow"}),
        (handed_in(claims=[["more", "nothing", "baseline", 6, 0.3], CLAIMS[1]]), {"claims_follow"}),
    ],
)
def test_tables_that_are_not_lose_what_is_meant(parts, made, failed):
    assert marks(parts, made)[1] == failed


def test_the_tables_of_another_student_gain_little(parts):
    points, failed = marks(parts, handed_in(), variants.own("bob", SECRET))
    assert {"variant_is_the_students", "nothing_is_missing", "tests_have_no_leaks"} <= failed
    assert points <= 4


def test_the_tables_of_the_solution_get_full_marks(parts, project):
    names = {}
    for each in json.loads(project["private/solved.ipynb"])["cells"]:
        text = "".join(each["source"])
        if each["cell_type"] == "code" and text.startswith("CORPUS ="):
            exec(text, names)
    handed = ("CORPUS", "TESTS", "RATES", "RESULTS", "CARD", "WORDS", "CLAIMS")
    made = [OWN[:8], *(names[each] for each in handed)]
    assert marks(parts, made) == (16, set())
