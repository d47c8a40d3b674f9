"""Assignment 3: a task of one's own, and tables from which the claim is computed again."""

import json

import pytest

from attn_class.grading import variants
from attn_course.tasks.own import RULES, own_task
from specimens.coursework import bottleneck_answers as answers
from specimens.coursework.tried import findings, lost

OWN = variants.own("ada", "a seed for demonstration only")
TASK = own_task(OWN[:8])
HEAD = "condition,seed,steps,pairs,parameters,rate,length,right,tested\n"
BY_RULE = {
    "every second first": lambda s: s[::2] + s[1::2],
    "halves exchanged": answers.target_of__slices,
    "interleave": lambda s: "".join(
        a + b for a, b in zip(s[: (len(s) + 1) // 2], [*s[(len(s) + 1) // 2 :], ""], strict=False)
    ),
    "ends first": lambda s: "".join(a + b for a, b in zip(s, s[::-1], strict=True))[: len(s)],
    "pairs swapped": lambda s: "".join(s[i : i + 2][::-1] for i in range(0, len(s), 2)),
}


@pytest.fixture(scope="module")
def parts(bottleneck, exercises_of):
    return exercises_of(bottleneck)


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_of_the_code_is_right_and_no_other(parts, rule):
    own = next(o for n in range(99) if own_task((o := f"{n:08x}" + "0" * 56)[:8]).rule == rule)
    letters = own_task(own[:8]).letters
    following = dict(zip(letters, letters[1:] + letters[0], strict=True))
    rules = BY_RULE | {"next letter": lambda s: "".join(following.get(each, each) for each in s)}
    assert lost(findings(parts["target_of"], rules[rule], own)) == set()
    others = [
        lost(findings(parts["target_of"], rules[each], own)) for each in RULES if each != rule
    ]
    assert all("even_lengths_are_right" in failed for failed in others)


# ---- what is handed in


def shares(condition, seed, length):
    start = {"attention": 100, "one vector": 70, "control": 75}[condition]
    return max(0, min(100, start - 3 * length - seed % 13 % 5))


EVEN = "".join(  # the two best are equally good
    f"{condition},{rate},{share}\n"
    for condition in ("one vector", "attention")
    for rate, share in ((0.004, 0.4), (0.006, 0.6), (0.008, 0.6), (0.016, 0.5))
)


def handed_in(share=shares, tested=100, claim=None, rates=None, **changed):
    """Tables as the text asks for; what is changed belongs to condition "attention"."""
    text = HEAD
    for condition in ("one vector", "attention", "control"):
        budget = {"steps": 1200, "pairs": 76800, "parameters": 30000, "rate": 0.008}
        budget |= changed if condition == "attention" else {}
        for seed in TASK.seeds:
            for length in TASK.lengths:
                right = share(condition, seed, length) * tested // 100
                cells = condition, seed, *budget.values(), length, right, tested
                text += ",".join(map(str, cells)) + "\n"
    if rates is None:
        tried = {0.004: 0.4, 0.008: 0.6, 0.016: 0.5, 0.032: 0.1}
        rates = "".join(
            f"{c},{r},{s}\n" for c in ("one vector", "attention") for r, s in tried.items()
        )
    claim = claim or ("more", "attention", "one vector", 8, 13, 0.25)
    return [OWN[:8], text, "condition,rate,share\n" + rates, claim]


def marks(parts, made, own=OWN):
    found = findings(parts["handed_in"], lambda: made, own)
    return sum(each.property.points for each in found if each.holds), lost(found)


def without(made, text, by=""):
    code, results, rates, claim = made
    assert text in results
    return [code, results.replace(text, by, 1), rates, claim]


TRIED = {0.002: 0.1, 0.004: 0.2, 0.008: 0.5, 0.03: 0.1}
SPACED = "".join(f"{c}, {r}, {s}\n" for c in ("control", "attention") for r, s in TRIED.items())


@pytest.mark.parametrize(
    "made",
    [
        handed_in(),
        tuple(handed_in()),
        handed_in(claim=["more", "attention", "control", 2, 13, 0.2], rates=SPACED),
        handed_in(tested=250, parameters=31000),
        handed_in(rates=EVEN),
        without(handed_in(), HEAD, HEAD + "\n\n"),
        handed_in(claim=("alike", "one vector", "attention", 8, 13, 0.4)),
    ],
)
def test_tables_in_order_get_full_marks(parts, made):
    assert marks(parts, made) == (19, set())


FIRST = f"one vector,{TASK.seeds[0]},1200,76800,30000,0.008,2,"
EDGE = "".join(
    f"{c},{r},{s}\n"
    for c in ("one vector", "attention")
    for r, s in ((0.008, 0.6), (0.016, 0.5), (0.032, 0.4), (0.064, 0.1))
)
ALL = {
    *("results_can_be_read", "nothing_is_missing", "enough_is_tested", "budgets_are_equal"),
    *("rates_were_chosen", "seeds_differ", "margin_is_larger_than_chance"),
    "claim_follows_from_the_table",
}
WITHOUT_CLAIM = {
    *("budgets_are_equal", "rates_were_chosen", "seeds_differ"),
    *("margin_is_larger_than_chance", "claim_follows_from_the_table"),
}


@pytest.mark.parametrize(
    ("made", "failed"),
    [
        (["00000000", *handed_in()[1:]], {"variant_is_the_students"}),
        (without(handed_in(), "parameters", "numbers"), ALL),
        (without(handed_in(), FIRST, FIRST + "0,"), ALL),
        (without(handed_in(), FIRST, FIRST.replace("1200", "many")), ALL),
        ([OWN[:8], "", "", ()], ALL),
        (handed_in(steps=1300), {"budgets_are_equal"}),
        (handed_in(pairs=1), {"budgets_are_equal"}),
        (handed_in(parameters=32000), {"budgets_are_equal"}),
        (handed_in(rate=0.016), {"rates_were_chosen"}),
        (handed_in(rates=EDGE), {"rates_were_chosen"}),
        (handed_in(rates=EDGE.replace("one vector,0.064,0.1\n", "")), {"rates_were_chosen"}),
        (
            handed_in(tested=50, claim=("more", "attention", "one vector", 2, 13, 0.2)),
            {"enough_is_tested"},
        ),
        (handed_in(lambda c, s, n: shares(c, 0, n)), {"seeds_differ"}),
        (
            handed_in(claim=("more", "attention", "one vector", 8, 13, 0.31)),
            {"claim_follows_from_the_table"},
        ),
        (
            handed_in(claim=("more", "one vector", "attention", 8, 13, 0.2)),
            {"claim_follows_from_the_table"},
        ),
        (
            handed_in(claim=("alike", "attention", "one vector", 8, 13, 0.2)),
            {"claim_follows_from_the_table"},
        ),
        (
            handed_in(claim=("more", "attention", "one vector", 8, 13, 0.01)),
            {"margin_is_larger_than_chance"},
        ),
        (
            handed_in(claim=("more", "attention", "nothing", 8, 13, 0.2)),
            WITHOUT_CLAIM - {"seeds_differ"},
        ),
        (handed_in(claim=("more", "attention", "attention", 8, 13, 0.2)), WITHOUT_CLAIM),
        (handed_in(claim=("better", "attention", "one vector", 8, 13, 0.2)), WITHOUT_CLAIM),
        (
            handed_in(claim=("more", "attention", "one vector", 20, 30, 0.2)),
            {"margin_is_larger_than_chance", "claim_follows_from_the_table"},
        ),
        (without(handed_in(), f"control,{TASK.seeds[1]}", "control,500"), {"nothing_is_missing"}),
    ],
)
def test_tables_that_are_not_lose_what_is_meant(parts, made, failed):
    assert marks(parts, made)[1] == failed


def test_a_table_of_another_students_is_not_accepted(parts):
    other = variants.own("bob", "a seed for demonstration only")
    points, failed = marks(parts, handed_in(), other)
    assert {
        "variant_is_the_students",
        "nothing_is_missing",
        "claim_follows_from_the_table",
    } <= failed
    assert points <= 10


def test_the_tables_of_the_solution_get_full_marks(parts, bottleneck):
    names = {}
    for each in json.loads(bottleneck["private/solved.ipynb"])["cells"]:
        text = "".join(each["source"])
        if each["cell_type"] == "code" and ("RESULTS =" in text or "VARIANT =" in text):
            exec(text, names)
    made = [names[each] for each in ("VARIANT", "RESULTS", "RATES", "CLAIM")]
    assert marks(parts, made) == (19, set())
