"""Is a mark for an assignment the same whatever the seed and the student's code?

    python -m apparatus.benchmarks.coursework_fairness

The answers are those of `specimens.coursework`. For each function five of them, from the best mark
to the worst, are graded under 100 seeds (30 where that takes long), as if each came from another
student: with the seed the code changes as well, and so do the numbers that an answer
draws itself. Answers to *the bottleneck* that are written for one rule are graded for the one code
that has it. Tables to be handed in are made for each code in five qualities. No sandbox is needed,
since these answers are known.

coursework_fairness.md has the range of the marks of each answer, and the number of seeds under
which it got its most frequent mark. An assignment is fair if that number is always that of all
seeds. With --assignments only the tables of those are written anew.
"""

import argparse
import hashlib
import re
import types
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path

import torch

from apparatus.benchmarks.grading_fairness import QUALITIES, Range, _spread, table
from attn_class.assignments.__main__ import products
from attn_class.exercises.frame import Exercise, _here
from attn_course.tasks.own import own_task
from attn_course.tasks.own_claim import own_claim

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_suffix(".md")
ANSWERS = {
    "attention-from-an-empty-file": "attention_answers",
    "a-reader-of-dates": "reader_answers",
    "the-bottleneck": "bottleneck_answers",
    "defend-or-refute": "defend_answers",
    "find-the-bug": "bug_answers",
    "a-project": "project_answers",
}
SEEDS = dict.fromkeys(ANSWERS, 100) | {"a-reader-of-dates": 30}
OF_ONE_CODE = {"target_of": "a7811cc4", "pairs": "a7811cc4"}  # the rule for which they are written
RATES = {0.004: 0.1, 0.008: 0.3, 0.016: 0.5, 0.032: 0.4}


def own(number: int, function: str = "") -> str:
    """What a student's variant is drawn from; the first eight digits are the code."""
    digits = hashlib.sha256(str(number).encode()).hexdigest()
    return OF_ONE_CODE.get(function, digits[:8]) + digits[8:]


def points(exercise: Exercise, answer: Callable, number: int) -> int:
    """The points of one answer for one student."""
    torch.manual_seed(number)  # for what the answer draws
    call = _here(answer, exercise.without)
    found = exercise.findings(call, number, own(number, exercise.function))
    return sum(each.property.points for each in found if each.holds)


def of_five_qualities(exercise: Exercise, answers: dict[str, Callable]) -> list[str]:
    """The names of five answers, as far apart in their marks as the answers allow."""
    marks = {name: points(exercise, answer, 0) for name, answer in answers.items()}
    order = sorted(answers, key=lambda name: -marks[name])
    different = {marks[name]: name for name in reversed(order)}
    chosen = _spread([different[mark] for mark in sorted(different, reverse=True)])
    return chosen + [name for name in order if name not in chosen][: QUALITIES - len(chosen)]


def ranges(assignment: str, seeds: int) -> Iterator[Range]:
    """The marks of every function of an assignment."""
    exercises, known = exercises_of(assignment), answers_to(assignment)
    for function, exercise in exercises.items():
        most = sum(each.points for each in exercise.properties)
        named = f"{assignment}: {function}"
        if function in known:
            answers = known[function]
            for name in of_five_qualities(exercise, answers):
                got = Counter(points(exercise, answers[name], n) for n in range(seeds))
                yield Range(named, name.partition("__")[2], most, got)
        for quality, made in TABLES.get(named, {}).items():
            got = Counter(points(exercise, _handing_in(made, n), n) for n in range(seeds))
            yield Range(named, quality, most, got)


def _handing_in(made: Callable[[str], list], number: int) -> Callable[[], list]:
    """An answer that takes no arguments and returns the tables for one code."""
    handed = made(own(number)[:8])
    return lambda: handed


def exercises_of(assignment: str) -> dict[str, Exercise]:
    """The hidden tests of an assignment, by function."""
    source = ROOT / "classroom" / "coursework" / assignment / "assignment.py"
    names = types.ModuleType("grader").__dict__
    exec(products(source, assignment)["private/grader.py"], names)
    return {each.function: each for each in names.values() if isinstance(each, Exercise)}


def answers_to(assignment: str) -> dict[str, dict[str, Callable]]:
    """The answers to an assignment, right ones first, by function and name."""
    known = import_module(f"specimens.coursework.{ANSWERS[assignment]}").ANSWERS
    return {
        name: {each.__name__: each for each in (*known.right[name], *known.wrong.get(name, {}))}
        for name in known.right
    }


# ---- tables, made for a code


def _lines(head: str, rows: list[tuple]) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def bottleneck_tables(code: str, steps: int = 0, ahead: int = 30, **changed) -> list:
    """What *the bottleneck* hands in, all in order unless something is changed."""
    task = own_task(code)
    rows = []
    for name in ("one vector", "attention", "control"):
        more = name == "attention"
        for place, seed in enumerate(task.seeds):
            run = name, seed, 1200 + steps * more, 76800, 30000, 0.016
            for length in task.lengths:
                rows.append((*run, length, 90 - 4 * length + ahead * more - place, 150))
    rates = [(name, *each) for name in ("one vector", "attention") for each in RATES.items()]
    head = "condition,seed,steps,pairs,parameters,rate,length,right,tested"
    claim = ("more", "attention", "one vector", 4, 10, 0.15)
    return [
        changed.get("variant", code),
        _lines(head, rows),
        _lines("condition,rate,share", changed.get("rates", rates)),
        changed.get("claim", claim),
    ]


def defend_tables(code: str, steps: int = 0, said: str = "", **changed) -> list:
    """What *defend or refute* hands in, all in order unless something is changed."""
    task = own_claim(code)
    names = task.claim.better, task.claim.other, "control"
    few, many = task.steps, 4 * task.steps
    rows = []
    for name, seed, long in product(names, task.seeds, (few, many)):
        taken = long + steps * (name == names[0])
        for length in task.lengths:
            right = 50 + 30 * (long == few and name == names[0]) - task.seeds.index(seed)
            rows.append((name, seed, long, taken, 64 * long, 30000, 0.016, length, right, 100))
    rates = [
        (name, long, *each) for name in names for long in (few, many) for each in RATES.items()
    ]
    made = {
        name: {"thing": thing, "size": "48", "cell": task.cell, "task": task.task}
        for name, thing in zip(names, ("one", "two", "three"), strict=True)
    }
    made["control"] |= changed.get("control", {})
    settings = [(name, *each) for name, of in made.items() for each in of.items()]
    words = ("holds", "fails") if task.claim.kind == "more" else ("fails", "holds")
    claim = _lines("what,value", plan_of(code, **changed.get("plan", {})))
    results = "condition,seed,steps,taken,pairs,parameters,rate,length,right,tested"
    return [
        *(changed.get("variant", code), claim, _lines("condition,setting,value", settings)),
        *(_lines("condition,steps,rate,share", rates), _lines(results, rows)),
        [[few, said or words[0]], [many, words[1]]],
        [few, 0.0 if words[0] == "holds" else 0.01],
    ]


PAIRS = [f"Name {n}\tимя {n}" for n in range(600)]


def project_tables(code: str, steps: int = 0, pairs: list[str] = PAIRS, **changed) -> list:
    """What *a project* hands in, all in order unless something is changed."""
    seeds = own_task(code).seeds
    shares = {("attention", 6): 90, ("attention", 24): 115, ("one vector", 6): 20}
    shares |= {("one vector", 24): 60, ("baseline", 0): 62}
    rows = []
    for (name, epochs), (place, seed) in product(shares, enumerate(seeds)):
        taken = 40 * epochs + steps * (name == "attention")
        made = 400, 30000 * (epochs > 0), 0.016 * (epochs > 0), shares[name, epochs] - place
        rows.append((name, seed, epochs, taken, *made, 120))
    rates = product(("attention", "one vector"), (6, 24), RATES.items())
    yes = {"context": 80, "darkest": 70, "other": 20, "swapped": 75, "earlier": 5}
    claims = [
        ["more", "attention", "one vector", 24, changed.get("margin", 0.3)],
        ["alike", "one vector", "baseline", 24, 0.2],
    ]
    tests = [(s, " ".join(map(str, range(17 * n, 17 * n + 120)))) for n, s in enumerate(seeds)]
    card = [(seed, *each, 100) for seed in seeds for each in yes.items()]
    results = "condition,seed,epochs,steps,pairs,parameters,rate,right,tested"
    return [
        *(changed.get("variant", code), "\n".join(pairs) + "\n", _lines("seed,places", tests)),
        _lines(
            "condition,epochs,rate,share", changed.get("rates", [(*r[:2], *r[2]) for r in rates])
        ),
        *(_lines(results, rows), _lines("seed,question,yes,asked", card)),
        *(["yes", "yes", "yes", "no"], claims),
    ]


def plan_of(code: str, **changed: object) -> list[tuple]:
    """The lines of a plan."""
    task = own_claim(code)
    lines = {
        **{"kind": task.claim.kind, "better": task.claim.better, "other": task.claim.other},
        **{"first": task.lengths[0], "last": task.lengths[0] + 3, "margin": 0.1},
        "steps": f"{task.steps} {4 * task.steps}",
        "seeds": " ".join(map(str, task.seeds)),
        "rates": " ".join(map(str, RATES)),
        **{"tested": 100, "expected": "holds holds"},
    }
    return list((lines | changed).items())


def _plan(**changed: object) -> Callable[[str], list]:
    return lambda code: [
        changed.get("variant", code),
        _lines("what,value", plan_of(code, **changed)),
    ]


def _with(made: Callable[..., list], **changed: object) -> Callable[[str], list]:
    return lambda code: made(code, **changed)


TABLES: dict[str, dict[str, Callable[[str], list]]] = {
    "the-bottleneck: handed_in": {
        "in order": bottleneck_tables,
        "a claim with too small a margin": _with(
            bottleneck_tables, claim=("more", "attention", "one vector", 4, 10, 0.01)
        ),
        "unequal budgets": _with(bottleneck_tables, steps=200),
        "a claim that does not follow": _with(bottleneck_tables, ahead=0),
        "no rates, another's code": _with(bottleneck_tables, variant="00000000", rates=[]),
        "nothing": lambda code: [code, "", "", ()],
    },
    "defend-or-refute: planned": {
        "in order": _plan(),
        "three rates": _plan(rates="0.004 0.008 0.016"),
        "one training": _plan(steps="300", rates="0.01"),
        "a margin of chance": _plan(margin=0.02),
        "nothing": lambda code: [code, ""],
    },
    "defend-or-refute: handed_in": {
        "in order": defend_tables,
        "unequal budgets": _with(defend_tables, steps=100),
        "a verdict that does not follow": _with(defend_tables, said="undecided"),
        "a control that differs in more": _with(defend_tables, control={"size": "5", "cell": "x"}),
        "no plan": _with(defend_tables, plan={"margin": "large"}, control={"size": "5"}),
        "nothing": lambda code: [code, "", "", "", "", [], []],
    },
    "a-project: handed_in": {
        "in order": project_tables,
        "unequal budgets": _with(project_tables, steps=7),
        "a test pair that was trained on": _with(
            project_tables, pairs=[*PAIRS[:300], "name 3\tother", *PAIRS[301:]], margin=0.05
        ),
        "no rates, another's code": _with(project_tables, variant="00000000", rates=[]),
        "too few pairs": _with(project_tables, pairs=PAIRS[:490], steps=7, margin=0.9),
        "nothing": lambda code: [code, "", "", "", "", "", [], []],
    },
}


def stored(path: Path) -> dict[str, str]:
    """The tables of a file by assignment."""
    text = path.read_text("utf-8") if path.exists() else ""
    return {each.split(":")[0]: f"# {each}" for each in re.split(r"(?m)^# ", text)[1:]}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--seeds", type=int, help="for all; otherwise as the docstring says")
    words.add_argument("--assignments", nargs="+", default=list(SEEDS), choices=list(SEEDS))
    words.add_argument("--table", type=Path, default=TABLE)
    given = words.parse_args()
    torch.set_num_threads(1)
    texts = stored(given.table)
    for name in given.assignments:
        seeds = given.seeds or SEEDS[name]
        found = []
        for each in ranges(name, seeds):
            found.append(each)
            if not each.is_one:
                print(f"{each.exercise}, {each.answer}: {dict(each.marks)}", flush=True)
        text = table(found, seeds).replace("grading_fairness", "coursework_fairness")
        texts[name] = text.replace("# The marks", f"# {name}: the marks", 1)
        tables = (texts[each].strip() + "\n" for each in SEEDS if each in texts)
        given.table.write_text("\n".join(tables), encoding="utf-8")
        print(f"{name}: {sum(each.is_one for each in found)} of {len(found)} marks are one mark")


if __name__ == "__main__":
    main()
