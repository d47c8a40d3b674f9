"""Assignments 3, 4 and 6: tables, from which claims, verdicts and report cards are computed."""

import pytest
from courseworks import BOBS, OWN, marks, solved

from attn_class.own import RULES, own_task
from attn_class.own_claim import own_claim
from specimens.coursework import bottleneck_answers as answers
from specimens.coursework.tried import findings, hidden_tests, lost

CODE = OWN[:8]
TASK, CLAIM = own_task(CODE), own_claim(CODE)
SEEDS = TASK.seeds
TRIED = {0.004: 0.1, 0.008: 0.3, 0.016: 0.5, 0.032: 0.4}
EQUALLY_GOOD = TRIED | {0.008: 0.5}


def table(head, rows):
    lines = (head.split(","), *rows)
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def replaced(handed_in, place, old, new, times=-1):
    assert old in handed_in[place]
    return [*handed_in[:place], handed_in[place].replace(old, new, times), *handed_in[place + 1 :]]


# ---- 3: the bottleneck

HEAD = "condition,seed,steps,pairs,parameters,rate,length,right,tested"
MORE = ("more", "attention", "one vector", 8, 13, 0.25)


def shares(condition, seed, length):
    start = {"attention": 100, "one vector": 70, "control": 75}[condition]
    return max(0, min(100, start - 3 * length - seed % 13 % 5))


def rates_of(tried, names=("one vector", "attention")):
    rows = ((name, *pair) for name in names for pair in tried.items())
    return table("condition,rate,share", rows)


CHOSEN = rates_of({0.004: 0.4, 0.008: 0.6, 0.016: 0.5, 0.032: 0.1})
EVEN = rates_of({0.004: 0.4, 0.006: 0.6, 0.008: 0.6, 0.016: 0.5})
EDGE = rates_of({0.008: 0.6, 0.016: 0.5, 0.032: 0.4, 0.064: 0.1})
SPACED = rates_of({0.002: 0.1, 0.004: 0.2, 0.008: 0.5, 0.03: 0.1}, ("control", "attention"))
SPACED = SPACED.replace(",", ", ").replace(", ", ",", 2)


def bottleneck(share=shares, tested=100, claim=MORE, rates=CHOSEN, **changed):
    """Tables as the text asks for; what is changed belongs to condition "attention"."""
    rows = []
    for condition in ("one vector", "attention", "control"):
        budget = {"steps": 1200, "pairs": 76800, "parameters": 30000, "rate": 0.008}
        budget |= changed if condition == "attention" else {}
        for seed in SEEDS:
            for length in TASK.lengths:
                right = share(condition, seed, length) * tested // 100
                rows.append((condition, seed, *budget.values(), length, right, tested))
    return [CODE, table(HEAD, rows), rates, claim]


def claimed(kind, better, other, first, last, margin, **more):
    return bottleneck(claim=(kind, better, other, first, last, margin), **more)


FIRST = f"one vector,{SEEDS[0]},1200,76800,30000,0.008,2,"
BOTTLENECK = [
    bottleneck(),
    tuple(bottleneck()),
    bottleneck(claim=["more", "attention", "control", 2, 13, 0.2], rates=SPACED),
    bottleneck(tested=250, parameters=31000),
    bottleneck(rates=EVEN),  # the two best are equally good
    replaced(bottleneck(), 1, HEAD, HEAD + "\n\n"),
    claimed("alike", "one vector", "attention", 8, 13, 0.4),
]
MEASURED = "budgets_are_equal rates_were_chosen"
FOLLOWS = "margin_is_larger_than_chance claim_follows_from_the_table"
ALL = f"results_can_be_read nothing_is_missing enough_is_tested {MEASURED} seeds_differ {FOLLOWS}"
BOTTLENECK_LOST = {
    "variant_is_the_students": [["00000000", *bottleneck()[1:]]],
    ALL: [
        replaced(bottleneck(), 1, "parameters", "numbers"),
        replaced(bottleneck(), 1, FIRST, FIRST + "0,"),
        replaced(bottleneck(), 1, FIRST, FIRST.replace("1200", "many")),
        [CODE, "", "", ()],
    ],
    "nothing_is_missing": [
        replaced(bottleneck(), 1, f"control,{SEEDS[1]}", "control,500", times=1)
    ],
    "budgets_are_equal": [
        *(bottleneck(steps=1300), bottleneck(pairs=1), bottleneck(parameters=32000))
    ],
    "rates_were_chosen": [
        bottleneck(rate=0.016),
        bottleneck(rates=EDGE),
        bottleneck(rates=EDGE.replace("one vector,0.064,0.1\n", "")),
    ],
    "enough_is_tested": [claimed("more", "attention", "one vector", 2, 13, 0.2, tested=50)],
    "seeds_differ": [bottleneck(lambda condition, seed, length: shares(condition, 0, length))],
    "claim_follows_from_the_table": [
        claimed("more", "attention", "one vector", 8, 13, 0.31),
        claimed("more", "one vector", "attention", 8, 13, 0.2),
        claimed("alike", "attention", "one vector", 8, 13, 0.2),
    ],
    "margin_is_larger_than_chance": [claimed("more", "attention", "one vector", 8, 13, 0.01)],
    f"{MEASURED} {FOLLOWS}": [claimed("more", "attention", "nothing", 8, 13, 0.2)],
    f"{MEASURED} seeds_differ {FOLLOWS}": [
        claimed("more", "attention", "attention", 8, 13, 0.2),
        claimed("better", "attention", "one vector", 8, 13, 0.2),
    ],
    FOLLOWS: [claimed("more", "attention", "one vector", 20, 30, 0.2)],
}

BY_RULE = {
    "every second first": lambda s: s[::2] + s[1::2],
    "halves exchanged": answers.target_of__slices,
    "interleave": lambda s: "".join(
        a + b for a, b in zip(s[: (len(s) + 1) // 2], [*s[(len(s) + 1) // 2 :], ""], strict=False)
    ),
    "ends first": lambda s: "".join(a + b for a, b in zip(s, s[::-1], strict=True))[: len(s)],
    "pairs swapped": lambda s: "".join(s[i : i + 2][::-1] for i in range(0, len(s), 2)),
}


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_of_the_code_is_right_and_no_other(rule):
    own = next(o for n in range(99) if own_task((o := f"{n:08x}" + "0" * 56)[:8]).rule == rule)
    letters = own_task(own[:8]).letters
    following = dict(zip(letters, letters[1:] + letters[0], strict=True))
    rules = BY_RULE | {
        "next letter": lambda s: "".join(following.get(letter, letter) for letter in s)
    }
    for other in RULES:
        failed = lost(findings(hidden_tests("the-bottleneck")["target_of"], rules[other], own))
        assert ("even_lengths_are_right" in failed) == (other != rule)
        assert other != rule or not failed


# ---- 4: defend or refute

FEW, MANY = CLAIM.steps, 4 * CLAIM.steps
NAMES = (CLAIM.claim.better, CLAIM.claim.other, "control")


def plan(**changed):
    lines = {
        **{"kind": CLAIM.claim.kind, "better": NAMES[0], "other": NAMES[1]},
        **{"first": 4, "last": 7, "margin": 0.08, "steps": f"{FEW} {MANY}"},
        "seeds": " ".join(map(str, CLAIM.seeds)),
        **{"rates": "0.004 0.008 0.016 0.032", "tested": 100, "expected": "holds undecided"},
    } | changed
    return table("what,value", [line for line in lines.items() if line[1]])


PLANNED = [
    plan(),
    "\n" + plan().replace(",", ", ") + "\n",
    plan(rates="0.001 0.004 0.016 0.032 0.064", margin=0.3),
    plan(first=CLAIM.lengths[0], last=CLAIM.lengths[-1], margin=0.06, tested=250),
    plan(seeds=" ".join(map(str, CLAIM.seeds[::-1])), expected="fails fails"),
]
NOTHING = (
    "plan_can_be_read claim_is_the_students time_is_an_axis rates_are_an_axis "
    "margin_is_larger_than_chance"
)
PLAN_LOST = {
    NOTHING: [
        *(plan(kind="less"), plan(margin=0), plan(margin="large"), plan(expected="holds")),
        *(plan(expected="holds perhaps"), plan(tested=""), plan() + "margin,0.2\n", ""),
    ],
    "claim_is_the_students": [plan(better=NAMES[1], other=NAMES[0]), plan(better="Every step")],
    "time_is_an_axis": [plan(seeds="1 2 3"), plan(steps=FEW), plan(steps=f"{FEW} {2 * FEW}")],
    "rates_are_an_axis": [
        plan(rates="0.004 0.008 0.016"),
        plan(rates="0.032 0.016 0.008 0.004"),
        plan(rates="0.0001 0.001 0.01 0.1"),
    ],
    "margin_is_larger_than_chance": [
        *(plan(margin=0.07), plan(tested=50, margin=0.2), plan(last=CLAIM.lengths[-1] + 1))
    ],
}
SETTINGS = {
    NAMES[0]: {"given": "every step", "state": "last", "size": "48", "start": "last"},
    NAMES[1]: {"given": "start only", "state": "last", "size": "48", "start": "last"},
    "control": {"given": "every step", "state": "first", "size": "48", "start": "last"},
}
OF_STEPS = "condition,seed,steps,taken,pairs,parameters,rate,length,right,tested"


def ahead(condition, seed, steps, length):
    """After few steps the first is far ahead; after many, in two of three seeds."""
    far = {FEW: 20, MANY: 20 if seed != CLAIM.seeds[1] else 2}[steps]
    return 60 + (steps == MANY) * 10 - 3 * length + (far if condition == NAMES[0] else 0) + seed % 5


def defend(share=ahead, verdicts=("holds", "undecided"), mind=(FEW, 0.02), rates=TRIED, **changed):
    """All of it; what is changed belongs to the first condition, unless it is named."""
    planned = {name: changed.pop(name) for name in ("margin", "tested", "last") if name in changed}
    settings, tested = changed.pop("settings", SETTINGS), planned.get("tested", 100)
    rows = []
    for name in NAMES:
        for seed in CLAIM.seeds:
            for steps in (FEW, MANY):
                budget = {"taken": steps + 4, "pairs": 64 * steps, "parameters": 30000}
                budget |= {"rate": 0.016} | (changed if name == NAMES[0] else {})
                for length in CLAIM.lengths:
                    hits = share(name, seed, steps, length) * tested // 100
                    rows.append((name, seed, steps, *budget.values(), length, hits, tested))
    tried = ((n, steps, *pair) for n in NAMES for steps in (FEW, MANY) for pair in rates.items())
    set_up = ((name, *pair) for name, of in settings.items() for pair in of.items())
    return [
        *(CODE, plan(**planned), table("condition,setting,value", set_up)),
        *(table("condition,steps,rate,share", tried), table(OF_STEPS, rows)),
        *([[FEW, verdicts[0]], [MANY, verdicts[1]]], list(mind)),
    ]


def with_settings(condition, **changed):
    of = {name: of | (changed if name == condition else {}) for name, of in SETTINGS.items()}
    return defend(settings=of)


def relabelled(old, new):
    return replaced(defend(), 4, f"control,{old},", f"control,{new},")


DEFENDED = [
    defend(),
    tuple(defend()),
    defend(lambda c, s, n, k: ahead("", s, n, k), ("fails", "fails"), (MANY, 0.5)),
    defend(tested=300, margin=0.3, verdicts=("fails", "fails"), mind=(FEW, 0.4)),
    defend(rates={0.002: 0.3, **TRIED}, parameters=31000, mind=(MANY, -0.2)),
    defend(rates=EQUALLY_GOOD),
    with_settings("control", given="start only"),
]
RESULTS = (
    "results_can_be_read nothing_is_missing tested_as_planned budgets_are_equal "
    "more_steps_have_more_pairs rates_were_chosen seeds_differ verdict_follows"
)
OF_PLAN = "tested_as_planned rates_were_chosen verdict_follows mind_can_be_changed"
BEGINS = f"{NAMES[0]},{CLAIM.seeds[0]},{FEW},"
DEFENCE_LOST = {
    "variant_is_the_students": [["00000000", *defend()[1:]]],
    RESULTS: [
        replaced(defend(), 4, "parameters", "numbers"),
        replaced(defend(), 4, BEGINS, BEGINS + "0,"),
        replaced(defend(), 4, f",{CLAIM.lengths[1]},", f",{CLAIM.lengths[0]},"),
    ],
    OF_PLAN: [[CODE, "", *defend()[2:]]],
    "nothing_is_missing budgets_are_equal more_steps_have_more_pairs": [
        relabelled(CLAIM.seeds[2], 555),
        relabelled(f"{CLAIM.seeds[0]},{MANY}", f"{CLAIM.seeds[0]},77"),
    ],
    "tested_as_planned": [replaced(defend(), 1, "tested,100", "tested,200")],
    "budgets_are_equal": [defend(taken=FEW + 5), defend(parameters=40000)],
    "budgets_are_equal more_steps_have_more_pairs": [defend(pairs=64 * FEW)],
    "rates_were_chosen": [
        *(defend(rate=0.008), defend(rates={0.008: 0.2, 0.016: 0.6, 0.004: 0.1})),
        *(defend(rates=TRIED | {0.032: 0.6}), defend(rates=TRIED | {0.016: 1.5})),
        # all planned rates were tried, the best was taken, and it is the largest
        replaced(defend(rates=TRIED | {0.032: 0.6}), 4, ",0.016,", ",0.032,"),
    ],
    "seeds_differ": [defend(lambda c, s, n, k: ahead(c, CLAIM.seeds[0], n, k), ("holds", "holds"))],
    "conditions_differ_in_one_thing": [with_settings(NAMES[1], size="64")],
    "control_differs_in_one_thing": [
        with_settings("control", size="64", start="first"),
        with_settings("control", state="last"),
    ],
    "conditions_differ_in_one_thing control_differs_in_one_thing": [
        defend(settings={name: SETTINGS[name] for name in NAMES[:2]}),
        defend(settings={c: {"given": of["given"]} for c, of in SETTINGS.items()}),
    ],
    "verdict_follows": [
        defend(verdicts=("holds", "holds")),
        defend(verdicts=("fails", "undecided"), mind=(FEW, 0.2)),
    ],
    "mind_can_be_changed": [defend(mind=(FEW, 0.2)), defend(mind=(7, 0.02)), defend(mind=())],
}

# ---- 6: a project

PAIRS = [f"Name {n}\tимя {n}" for n in range(600)]
PLACES = {seed: range(17 * number, 17 * number + 120) for number, seed in enumerate(SEEDS)}
OF_EPOCHS = "condition,seed,epochs,steps,pairs,parameters,rate,right,tested"
SHARES = {("attention", 6): 90, ("attention", 24): 115, ("one vector", 6): 20}
SHARES |= {("one vector", 24): 60, ("baseline", 0): 62}
YES = {"context": 80, "darkest": 70, "other": 20, "swapped": 75, "earlier": 5}
CLAIMS = [
    ["more", "attention", "one vector", 24, 0.3],
    ["alike", "one vector", "baseline", 24, 0.2],
]


def project(pairs=PAIRS, places=PLACES, card=YES, words=("yes", "yes", "yes", "no"), **more):
    """All of it; what is changed belongs to attention after the few epochs."""
    claims, shares = more.pop("claims", CLAIMS), SHARES | more.pop("shares", {})
    rates, questions = more.pop("rates", TRIED), more.pop("questions", 100)
    rows = []
    for (name, epochs), right in shares.items():
        for number, seed in enumerate(SEEDS):
            budget = {"steps": 40 * epochs, "pairs": 400, "parameters": 30000 * (epochs > 0)}
            budget |= {"rate": 0.016 * (epochs > 0), "right": right - number, "tested": 120}
            budget |= more if (name, epochs) == ("attention", 6) else {}
            rows.append((name, seed, epochs, *budget.values()))
    named = [(name, epochs) for name in ("attention", "one vector") for epochs in (6, 24)]
    tried = ((*run, *rate) for run in named for rate in rates.items())
    tests = ((seed, " ".join(map(str, of))) for seed, of in places.items())
    counts = ((seed, *count, questions) for seed in SEEDS for count in card.items())
    return [
        *(CODE, "\n".join(pairs) + "\n", table("seed,places", tests)),
        *(table("condition,epochs,rate,share", tried), table(OF_EPOCHS, rows)),
        *(table("seed,question,yes,asked", counts), list(words), claims),
    ]


def changed_claim(place, **by):
    """A claim with another kind, name or margin at the numbers that are given."""
    claims = [list(claim) for claim in CLAIMS]
    for number, value in by.items():
        claims[place][int(number[1:])] = value
    return project(claims=claims)


PROJECTS = [
    project(),
    tuple(project()),
    project(rates={0.002: 0.45, **TRIED}, parameters=31000),
    project(rates=EQUALLY_GOOD),
    project(card=YES | {"darkest": 30, "earlier": 90}, words=("yes", "no", "yes", "yes")),
    project(
        shares={("attention", 6): 10, ("attention", 24): 20},
        claims=[
            ("more", "one vector", "attention", 24, 0.2),
            ("more", "baseline", "attention", 6, 0.3),
        ],
    ),
    replaced(project(), 4, OF_EPOCHS, "\n" + OF_EPOCHS.replace(",", ", ")),
]
LEAKS = "tests_have_no_leaks"
OF_RESULTS = (
    "nothing_is_missing all_were_tested_on_the_tests budgets_are_equal rates_were_chosen "
    "claims_follow"
)
PROJECT_LOST = {
    "variant_is_the_students": [["00000000", *project()[1:]]],
    f"corpus_is_sound {LEAKS}": [project(pairs=[*PAIRS, PAIRS[4]])],
    f"corpus_is_sound {LEAKS} budgets_are_equal": [project(pairs=[*PAIRS[:-1], "no tab"])],
    "corpus_is_sound budgets_are_equal": [project(pairs=PAIRS[:490])],
    LEAKS: [
        project(pairs=[*PAIRS[:300], "name 3\tдругое", *PAIRS[301:]]),
        project(pairs=[*PAIRS[:300], "another\tИМЯ 3", *PAIRS[301:]]),
        project(places=dict.fromkeys(SEEDS, PLACES[SEEDS[0]])),
    ],
    f"{LEAKS} all_were_tested_on_the_tests": [project(places=dict.fromkeys(SEEDS, range(20)))],
    f"{LEAKS} all_were_tested_on_the_tests budgets_are_equal": [
        project(places={SEEDS[0]: PLACES[SEEDS[0]]})
    ],
    OF_RESULTS: [
        replaced(project(), 4, "parameters", "numbers"),
        replaced(project(), 4, "baseline", "table"),
    ],
    "nothing_is_missing claims_follow": [
        replaced(project(), 4, f"baseline,{SEEDS[2]},", "baseline,555,")
    ],
    "all_were_tested_on_the_tests": [project(tested=110)],
    "budgets_are_equal": [
        *(project(steps=239), project(parameters=40000)),
        replaced(project(), 4, ",400,", ",500,"),
    ],
    "rates_were_chosen": [
        *(project(rate=0.008), project(rates={0.008: 0.2, 0.016: 0.6, 0.004: 0.1, 0.002: 0.1})),
        project(rates={rate: share for rate, share in TRIED.items() if rate > 0.004}),
    ],
    "words_follow_from_the_card": [
        project(words=("yes", "yes", "yes", "yes")),
        project(questions=99 - 70, card=dict.fromkeys(YES, 20)),
        replaced(project(), 5, f"{SEEDS[1]},other,20,100\n", ""),
    ],
    "claims_follow": [
        *(project(claims=CLAIMS[:1]), project(claims=[CLAIMS[0], CLAIMS[0]])),
        *(changed_claim(0, _4=0.6), changed_claim(1, _4=0.05)),
        *(changed_claim(0, _0="better"), changed_claim(0, _0="alike")),
        changed_claim(0, _1="nothing", _2="baseline", _3=6),
    ],
}

# ---- all of them

PARTS = {  # what is to be had, tables in order, and what is lost by which others
    ("the-bottleneck", "handed_in"): (19, BOTTLENECK, BOTTLENECK_LOST),
    ("defend-or-refute", "planned"): (
        *(7, [[CODE, text] for text in PLANNED]),
        {failed: [[CODE, text] for text in texts] for failed, texts in PLAN_LOST.items()},
    ),
    ("defend-or-refute", "handed_in"): (18, DEFENDED, DEFENCE_LOST),
    ("a-project", "handed_in"): (16, PROJECTS, PROJECT_LOST),
}
GOOD = [
    (part, points, handed_in) for part, (points, good, _) in PARTS.items() for handed_in in good
]
BAD = [
    (part, failed, handed_in)
    for part, (_, _, bad) in PARTS.items()
    for failed, several in bad.items()
    for handed_in in several
]


@pytest.mark.parametrize(("part", "points", "handed_in"), GOOD)
def test_tables_in_order_get_full_marks(part, points, handed_in):
    assert marks(*part, handed_in) == (points, set())


@pytest.mark.parametrize(("part", "failed", "handed_in"), BAD)
def test_tables_that_are_not_lose_what_is_meant(part, failed, handed_in):
    assert marks(*part, handed_in)[1] == {*failed.split()}


ANOTHERS = {  # what is lost at least, and what may be had at most
    ("the-bottleneck", "handed_in"): ("nothing_is_missing claim_follows_from_the_table", 10),
    ("defend-or-refute", "planned"): ("time_is_an_axis", 4),
    ("defend-or-refute", "handed_in"): ("nothing_is_missing verdict_follows", 4),
    ("a-project", "handed_in"): (f"nothing_is_missing {LEAKS}", 4),
}


@pytest.mark.parametrize("part", ANOTHERS)
def test_the_tables_of_another_student_gain_little(part):
    failed, most = ANOTHERS[part]
    points, lacking = marks(*part, PARTS[part][1][0], BOBS)
    whose = "plan_is_the_students" if part[1] == "planned" else "variant_is_the_students"
    assert {whose, *failed.split()} <= lacking
    assert points <= most


SOLVED = {  # the cells of the solution that bind what is handed in, after the code
    "the-bottleneck": ("RESULTS =|VARIANT =", "RESULTS RATES CLAIM"),
    "defend-or-refute": ("PLAN =|SETTINGS =", "PLAN SETTINGS RATES RESULTS VERDICT MIND"),
    "a-project": ("CORPUS =", "CORPUS TESTS RATES RESULTS CARD WORDS CLAIMS"),
}


@pytest.mark.parametrize("part", PARTS)
def test_the_tables_of_the_solution_get_full_marks(part):
    cells, handed_in = SOLVED[part[0]]
    names = solved(part[0], *cells.split("|"))
    handed_over = [names.get("VARIANT", CODE), *(names[name] for name in handed_in.split())]
    handed_over = handed_over[:2] if part[1] == "planned" else handed_over
    assert marks(*part, handed_over) == (PARTS[part][0], set())
