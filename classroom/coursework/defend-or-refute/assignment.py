# %% [markdown]
# # Defend or refute
#
# You get a claim of the book, in a setting in which the book has not measured it. Does it still hold? You plan a
# measurement, run it, compute the verdict, and defend it against the strongest objection that you can find. It takes four to seven hours, of which training takes some minutes, more on a busy machine. You need chapters 01 to 03 of *Attention, measured*,
# above all the way in which chapter 01 measures.
#
# **What you hand in** is this notebook, with your tables in it as text. Write your code where a function
# says `raise NotImplementedError`, and your answers where a cell says *Your answer*. You may add cells and
# functions of your own. Keep the names and the order of the arguments. The functions may
# use what comes with Python, torch and NumPy; the package of the course is not available during
# grading, so import it only in cells that train.
#
# **How it is marked.** All functions together have two minutes by the clock: what was found before they are over counts. The functions of Parts 2 to 5 are called with values other than those shown here. In Parts 1 and 6 your plan and your
# tables are checked: whether the plan is complete, whether the budgets are equal, whether the control differs in one thing only, and
# whether the verdict follows. The program cannot see whether a number was measured. The person who reads your answers may run
# one of your lines again, so keep the cells that produced them. **No verdict earns more than another.** *It holds*, *it fails* and *it is
# undecided* are worth the same. Marks are given for the argument and for the control.
#
# **Your own claim.** Your teacher gives you a code of eight characters, such as `00c0ffee`; enter only the eight characters. It stands for a claim, for one change of the setting, and for three seeds.

# %%
from attn_class.own_claim import claim_pairs, own_claim

### BEGIN SOLUTION
VARIANT = "a7811cc4"
### STUB
# VARIANT = "00000000"  # your code, in the quotation marks
### END SOLUTION

OWN = own_claim(VARIANT)
print(f"Chapter {OWN.claim.chapter}. {OWN.claim.sentence}")
print(f"What is changed: {OWN.change.sentence}")
print(OWN)
print(claim_pairs(OWN, 3, seed=0))

# %% [markdown]
# The claim compares two conditions, `better` and `other`. Its `kind` is `"more"` if it says that the first is ahead, and `"alike"`
# if it says that the two do equally well. The claims of chapter 03 were measured on dates. Testing them on letters is a change as well, which
# you may name in Question 3.
#
# The conditions are built as follows, with the functions of `attn_course.models.translator`, where `SYMBOLS = Vocabulary(OWN.letters)` (from `attn_course.tasks.vocabulary`), `n = len(SYMBOLS)`, and
# `sizes = {"embedding_size": 24, "state_size": OWN.state_size, "cell": OWN.cell}`:
#
# | condition | model |
# |---|---|
# | one vector, or every step, or forwards (three names of one model) | `fixed_context(n, n, **sizes)` |
# | start only | `fixed_context(n, n, **sizes, every_step=False)` |
# | backwards | `fixed_context(n, n, **sizes)`, with each source reversed, in training and in tests |
# | attention | `bahdanau(n, n, "dot", **sizes, encoder_size=OWN.state_size, directions=1)` |
# | additive, location, dot | `luong(n, n, NAME, **sizes, encoder_size=OWN.state_size // 2, hidden_size=24)` |
# | scaled dot | the same with `"scaled_dot"` |
# | asks after, asks before | the same with `"additive"` and `asks_with="after"` or `"before"` |
#
# ## Part 1: the plan (7 points)
#
# Write the plan before you train, and do not change it afterwards. It is a table with two columns, `what` and `value`; if a
# value consists of several numbers or words, put spaces between them.
#
# - `kind`, `better` and `other` are those of your claim.
# - `first` and `last`, two of your lengths, are the shortest and the longest source that the verdict is about.
# - `margin` is a share from 0 to 1. A claim of kind "more" holds if the share of right answers of the first condition is larger by at least the margin, a claim of kind "alike" if the
#   two shares differ by at most the margin.
# - `steps` are the number of steps of your code and four times as many, `seeds` your three seeds.
# - `rates` are four learning rates or more, in ascending order, each at most four times the one before.
# - `tested` is the number of pairs that are tested for each condition, seed, number of steps and length, 100 or more.
# - `expected` has the verdicts that you expect after the few steps and after the many, each `holds`, `fails` or `undecided`.
#
# The margin must be larger than chance. If $N$ pairs are tested for one condition and one seed, over all lengths from `first` to `last`, then two
# conditions that are equally good may well differ by $2\sqrt{0.5/N}$. A smaller margin says nothing.

# %%
### BEGIN SOLUTION
### INSERT PLAN = plan.csv
### STUB
# PLAN = """what,value
# kind,
# better,
# other,
# first,
# last,
# margin,
# steps,
# seeds,
# rates,
# tested,
# expected,
# """
### END SOLUTION


# %%
def planned():
    """The code and the plan: [VARIANT, PLAN]."""
    ### BEGIN SOLUTION
    return [VARIANT, PLAN]
    ### END SOLUTION


# %%
### BEGIN HIDDEN TESTS
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean
from types import SimpleNamespace

from attn_class.exercises.frame import Answer, Draw, Exercise, case
from attn_class.grading import tables
from attn_class.own_claim import OwnClaim, own_claim

_WORDS = ("holds", "fails", "undecided")
_MOST_PLANNED = 100  # steps, seeds and rates of a plan


def _own(draw: Draw) -> OwnClaim:
    return own_claim(tables.code(draw))


def _all(kind: Callable) -> Callable[[str], tuple]:
    return lambda text: tuple(map(kind, text.split()))


_PLAN = (
    dict.fromkeys(("kind", "better", "other"), str)
    | dict.fromkeys(("first", "last", "tested"), int)
    | {"margin": float, "steps": _all(int), "seeds": _all(int), "rates": _all(float)}
    | {"expected": _all(str)}
)


def _plan(answer: Answer) -> SimpleNamespace:
    """The plan with its numbers as numbers."""
    rows = tables.table(answer()[1], ("what", "value"))
    values = {row["what"]: row["value"] for row in rows}
    if len(values) < len(rows):
        raise ValueError("a line twice")
    plan = SimpleNamespace(**{name: kind(values[name]) for name, kind in _PLAN.items()})
    if max(map(len, (plan.steps, plan.seeds, plan.rates))) > _MOST_PLANNED:
        raise ValueError(f"more than {_MOST_PLANNED} steps, seeds or rates")
    if plan.kind not in ("more", "alike") or not 0 < plan.first <= plan.last:
        raise ValueError("no claim")
    if not 0 < plan.margin < 1 or plan.tested < 1:
        raise ValueError("numbers that cannot be")
    if len(plan.expected) != 2 or not set(plan.expected) <= set(_WORDS):
        raise ValueError("no expectation for both trainings")
    return plan


_planned = Exercise("planned()")


tables.must_have_the_code(_planned, "plan_is_the_students")


@_planned.must_also(
    "The plan has all its lines, and its numbers are possible.",
    hint="The first line is what,value. One line follows for each of kind, better, other, first, last, margin, steps, seeds, rates, "
    "tested and expected. The margin lies between 0 and 1, and expected has two words.",
)
def plan_can_be_read(answer: Answer, draw: Draw) -> bool:
    return bool(_plan(answer))


@_planned.must_also(
    "The kind of the claim and its two conditions are those of your code.",
    hint="Copy kind, better and other from what own_claim prints, word for word and in this order.",
)
def claim_is_the_students(answer: Answer, draw: Draw) -> bool:
    plan, claim = _plan(answer), _own(draw).claim
    return (plan.kind, plan.better, plan.other) == (claim.kind, claim.better, claim.other)


@_planned.must(
    "The seeds are yours, and the steps are yours and four times as many.",
    hint="Write the three seeds, and the two numbers of steps, with spaces between them. A claim about a short training run says "
    "nothing about a long one.",
)
def time_is_an_axis(answer: Answer, draw: Draw) -> bool:
    plan, own = _plan(answer), _own(draw)
    return sorted(plan.seeds) == list(own.seeds) and plan.steps == (own.steps, 4 * own.steps)


@_planned.must_also(
    "There are four rates or more in ascending order, each at most four times the one before.",
    hint="For example, 0.004 0.008 0.016 0.032. If the rates are too far apart, the best may lie between two of them.",
)
def rates_are_an_axis(answer: Answer, draw: Draw) -> bool:
    rates = _plan(answer).rates
    steps = [two / one for one, two in itertools.pairwise(rates) if one > 0]
    enough = len(rates) >= 4 and len(steps) == len(rates) - 1
    return enough and all(1 < step <= 4.001 for step in steps)


@_planned.must_also(
    "The lengths are yours, and the margin is larger than chance for the number of pairs tested.",
    hint="N is tested times the number of lengths from first to last: the margin is at least 2 √(0.5 / N). Test more pairs, or take more "
    "lengths or a larger margin.",
    points=2,
)
def margin_is_larger_than_chance(answer: Answer, draw: Draw) -> bool:
    plan, lengths = _plan(answer), _own(draw).lengths
    inside = lengths[0] <= plan.first <= plan.last <= lengths[-1]
    pairs = plan.tested * (plan.last - plan.first + 1)
    return inside and plan.tested >= 100 and tables.is_larger_than_chance(plan.margin, pairs)


### END HIDDEN TESTS

# %% [markdown]
# ## Question 1: what you ask, and what you expect (6 points)
#
# Write this, too, before you train. (a) Why did the claim hold in the book: what is the mechanism, in two sentences? (b) What does your change do to
# this mechanism? (c) So which verdict do you expect after the few steps and after the many, and why did you choose this margin? (d) Which result would show that your
# mechanism is wrong, *even if the verdict is the one that you expect*?
#
# ### BEGIN SOLUTION
# (a) A vector that is given once, at the start, has to be kept in the decoder's state while that state also has to count what
# has been written. A vector that is given at every step need not be kept. (b) An LSTM has a memory cell in addition to its state, but here only the encoder is
# an LSTM. It may store more, and the decoder has to keep as much as before. So the change does not affect the mechanism. (c) I expect that the claim holds after
# both training runs. The margin is a little larger than chance with 800 pairs. I do not expect the difference to grow with training, since a decoder can learn to
# keep a vector. (d) Suppose that a vector with next to no information about the source, given at every step, did as well as the last state. Then it is
# the additional input that helps, and not what it contains.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: (a) names a mechanism that could be false, and not the claim in other words; whether it turns out to be true does not matter (1 if it explains the claim, but no result could contradict it, such as "attention sees more")
# - 1 point: (b) says what the change does to it; "nothing" is an answer if there is a reason
# - 2 points: (c) a verdict for the few steps and one for the many, and a reason for the margin: chance for so many pairs, or which difference would matter (1 if the reason or one of the two verdicts is missing; 0 if both are)
# - 1 point: (d) a result about the mechanism; "the claim fails" is about the verdict, and earns nothing
# ### END RUBRIC

# %% [markdown]
# ## Part 2: how large chance is (4 points)
#
# In Parts 2 and 3 `rows` is a list of tuples `(condition, seed, steps, length, right, tested)`: after so many steps with this seed, a condition was tested on `tested` pairs of one length, and
# wrote `right` of them without a mistake. `claim` is a tuple `(kind, better, other, first, last, margin)`, as in the plan. The rows come in any order, and there may be conditions
# and lengths among them that the claim is not about.
#
# Return the number $2\sqrt{0.5/N}$, where $N$ is the number of pairs tested over all lengths of the claim, for one condition, one seed and one number of steps. If
# $N$ is not the same for all of them, take the smallest $N$. Only the two conditions of the claim count.


# %%
def chance(rows, claim):
    """By how much two equally good conditions may well differ."""
    ### BEGIN SOLUTION
    tested = {}
    for condition, seed, steps, length, _, count in rows:
        if condition in claim[1:3] and claim[3] <= length <= claim[4]:
            run = condition, seed, steps
            tested[run] = tested.get(run, 0) + count
    return 2 * (0.5 / min(tested.values())) ** 0.5
    ### END SOLUTION


# %%
example = [
    ("a", 5, 100, 3, 20, 50),
    ("a", 5, 100, 4, 10, 150),
    ("b", 5, 100, 3, 25, 100),
    ("b", 5, 100, 4, 9, 100),
    ("b", 5, 100, 5, 0, 7),
]
result = chance(example, ("more", "a", "b", 3, 4, 0.1))
assert round(result, 6) == 0.1, result

# %%
### BEGIN HIDDEN TESTS
_NAMES = ("wide", "even", "slow", "deep", "plain")


def _drawn(draw: Draw, tested, share=lambda *_: 0.5, others: bool = False) -> dict:
    """Rows and a claim, for few steps and for many.

    ``tested`` and ``share`` are functions of the condition, the seed and whether the steps are many,
    all as numbers from 0, and of the length, counted from the first of the claim.
    """
    names = draw.shuffled(_NAMES)[: 4 if others else 2]
    first, steps = 3 + draw.integer(4), 100 * (2 + draw.integer(5))
    lengths = range(-2, 7) if others else range(4)
    seeds = [10 * n + draw.integer(9) for n in (2, 9, 13)]
    rows = []
    for *run, at in itertools.product(range(len(names)), range(3), range(2), lengths):
        name, seed, many = run
        count, right = tested(*run, at), share(*run, at)
        right = right if 0 <= at < 4 else 0.95 - 0.9 * right
        row = names[name], seeds[seed], steps * 4**many, first + at, round(right * count), count
        rows.append(row)
    claim = ("more", names[0], names[1], first, first + 3, 0.1)
    return {"rows": draw.shuffled(rows), "claim": claim}


def _one_smaller_run(draw: Draw) -> dict:
    count, fewer = 200 + draw.integer(200), 20 + draw.integer(100)
    place = draw.integer(2), draw.integer(3), draw.integer(2)
    return _drawn(draw, lambda *at: fewer if at[:3] == place else count)


def _equal_runs(draw: Draw, others: bool = False) -> dict:
    count = 60 + draw.integer(200)
    return _drawn(draw, lambda name, *_: count if name < 2 else 9, others=others)


def _chance_of(rows, claim) -> float:
    counts = Counter()
    for *run, length, _, tested in rows:
        counts[tuple(run)] += tested * (run[0] in claim[1:3] and claim[3] <= length <= claim[4])
    return max(2 * math.sqrt(0.5 / count) for count in counts.values() if count)


def _near(value: object, wanted: float) -> bool:
    return isinstance(value, float) and abs(value - wanted) < 1e-5


_chance = Exercise(
    "chance(rows, claim)",
    solution=_chance_of,
    cases={
        "chance_is_that_of_one_run": case(_equal_runs, points=2, alike=_near)(
            "It is 2 √(0.5 / N), where N counts the pairs of all lengths of one condition, one seed and one number of steps.",
            "N is the sum over the lengths alone, not over seeds, steps or conditions.",
        ),
        "the_smallest_run_decides": case(_one_smaller_run, alike=_near)(
            "The run with the fewest pairs decides.",
            "Take the smallest N over conditions, seeds and steps, which gives the largest result.",
        ),
        "only_the_claim_counts_for_chance": case(
            lambda draw: _equal_runs(draw, others=True), alike=_near
        )(
            "Other conditions and other lengths do not count.",
            "Keep the rows of the two conditions of the claim, with lengths from first to last, both included.",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 3: the verdict (10 points)
#
# The share of right answers at one length is right / tested. For one seed and one number of steps, the difference is the mean share of `better` over the lengths of the claim, minus that of `other`. Each length
# counts equally, however many pairs were tested. A claim of kind "more" is true of a seed if the difference is at least the margin; a claim of kind "alike" is true if the size of the difference, whatever its sign, is at most the margin. A difference that is the margin but for rounding, within 1e-9, counts as the margin.
#
# Return a list with `[steps, word]` for each number of steps, in ascending order. The word is `"holds"` if the claim is true of every seed, `"fails"` if it
# is true of none, and `"undecided"` otherwise.


# %%
def verdict(rows, claim):
    """For each number of steps, whether the claim holds, fails or is undecided."""
    ### BEGIN SOLUTION
    kind, better, other, _, _, margin = claim
    seeds, verdicts = sorted({row[1] for row in rows}), []
    for steps in sorted({row[2] for row in rows}):
        apart = [
            _share(rows, claim, better, seed, steps) - _share(rows, claim, other, seed, steps)
            for seed in seeds
        ]
        least, most = margin - 1e-9, margin + 1e-9  # rounding
        true = [gap >= least if kind == "more" else abs(gap) <= most for gap in apart]
        verdicts.append([steps, "holds" if all(true) else "undecided" if any(true) else "fails"])
    return verdicts


def _share(rows, claim, condition, seed, steps):
    shares = [
        right / tested
        for *run, length, right, tested in rows
        if run == [condition, seed, steps] and claim[3] <= length <= claim[4]
    ]
    return sum(shares) / len(shares)
    ### END SOLUTION


# %%
example = [
    *[("a", seed, 100, 3, right, 50) for seed, right in ((1, 40), (2, 38), (3, 45))],
    *[("b", seed, 100, 3, right, 50) for seed, right in ((1, 20), (2, 21), (3, 42))],
]
result = verdict(example, ("more", "a", "b", 3, 3, 0.2))
assert result == [[100, "undecided"]], result


# %%
### BEGIN HIDDEN TESTS
def _verdict_of(rows, claim) -> list[tuple[int, str]]:
    """With a table of the shares first."""
    kind, better, other, first, last, margin = claim
    shares: dict[tuple, list[float]] = {}
    for name, seed, steps, length, right, tested in rows:
        if first <= length <= last:
            shares.setdefault((steps, seed, name), []).append(right / tested)
    seeds, words = {row[1] for row in rows}, []
    for steps in sorted({row[2] for row in rows}):
        means = {at[1:]: fmean(those) for at, those in shares.items() if at[0] == steps}
        true = [
            tables.is_true(kind, means[seed, better] - means[seed, other], margin) for seed in seeds
        ]
        words.append((steps, "holds" if all(true) else "undecided" if any(true) else "fails"))
    return words


def _apart(draw: Draw, *differences, kind: str = "more", others: bool = False) -> list[dict]:
    """Rows in which the first condition is so far ahead, by seed.

    The differences come in an order that is drawn, two in a table: after few steps and after many.
    """
    several, left = [], draw.shuffled(differences)
    while left:
        (few, many), left = left[:2], left[2:]
        base, count = 0.3 + 0.01 * draw.integer(10), 100 * (1 + draw.integer(3))

        def share(name, seed, is_many, _, base=base, ahead=(few, many)):
            return base + ahead[is_many][seed] * (name == 0)

        inputs = _drawn(draw, lambda *_, count=count: count, share, others)
        several.append(inputs | {"claim": (kind, *inputs["claim"][1:])})
    return several


def _by_seed(draw: Draw, least: int, most: int) -> list[float]:
    """A difference for each seed, in hundredths."""
    return [0.01 * (least + draw.integer(most - least)) for _ in range(3)]


def _holds_or_fails(draw: Draw) -> list[dict]:
    ahead, behind = (15, 40), (-24, -4)
    either = (ahead, behind)[draw.integer(2)]
    return _apart(draw, *(_by_seed(draw, *bounds) for bounds in (ahead, behind, ahead, either)))


def _below_the_margin(draw: Draw) -> list[dict]:
    small, large = [_by_seed(draw, 1, 7) for _ in range(3)], [0.3] * 3
    return _apart(draw, *small[:2], large, (large, small[2])[draw.integer(2)])


def _seeds_that_differ(draw: Draw) -> list[dict]:
    mixed = [draw.shuffled(gaps) for gaps in ([0.45, 0.02, 0.03], [0.02, 0.14, 0.45])]
    clear = draw.shuffled([[0.02] * 3, [0.3] * 3])
    return _apart(draw, *mixed, clear[0], (*mixed, clear[1])[draw.integer(3)])


def _alike_or_not(draw: Draw) -> list[dict]:
    clear = (_by_seed(draw, *bounds) for bounds in ((-7, 7), (-24, -13), (14, 25)))
    return _apart(draw, *clear, draw.shuffled([0.01, -0.2, 0.02]), kind="alike")


def _with_others(draw: Draw) -> list[dict]:
    return _apart(draw, _by_seed(draw, 15, 40), _by_seed(draw, -5, 5), others=True)


def _uneven(draw: Draw) -> dict:
    """Many pairs of the long sources are tested, but the short ones decide."""
    ahead = draw.integer(2)
    return _drawn(
        draw,
        lambda *at: 20 if at[3] < 2 else 500,
        lambda name, *at: 0.4 + (name == ahead) * (0.5 if at[2] < 2 else -0.2),
    )


def _form(lines) -> tuple:
    """The steps, and whether each has one of the words."""
    return tuple((steps, word in _WORDS) for steps, word in lines)


_verdict = Exercise(
    "verdict(rows, claim)",
    solution=_verdict_of,
    cases={
        "one_word_for_each_training": case(
            lambda draw: _apart(draw, [0.2] * 3, [0.2] * 3), _form, weak=True
        )(
            "There is one word for each number of steps, in ascending order.",
            "A list of lists [steps, word]: the few steps first. The words are holds, fails and undecided.",
        ),
        "it_holds_in_every_seed": case(_holds_or_fails, points=2)(
            "A claim of kind more holds if the difference is at least the margin with every seed.",
            "Subtract the second condition from the first, for the same seed and the same steps. The difference may be larger than the margin.",
        ),
        "it_fails_below_the_margin": case(_below_the_margin)(
            "A claim of kind more fails only if the difference is smaller than the margin with every seed.",
            "A difference above zero but below the margin does not count. If the difference is large enough with one seed and not with the others, the word is "
            "undecided.",
        ),
        "seeds_are_not_averaged": case(_seeds_that_differ, points=2)(
            "It is undecided if the claim is true of some seeds and not of others.",
            "Look at each seed by itself. With a mean over the seeds, one seed could decide for the others.",
        ),
        "alike_has_two_sides": case(_alike_or_not, points=2)(
            "Two conditions are alike if they differ by at most the margin, whichever is ahead.",
            "For the kind alike, compare the size of the difference, abs(...), with the margin.",
        ),
        "only_the_claim_counts": case(_with_others, weak=True)(
            "Only the two conditions and the lengths of the claim count.",
            "Take lengths from first to last, both included, and select rows by their condition, seed and steps, not by their place.",
        ),
        "lengths_count_alike": case(_uneven, weak=True)(
            "Each length counts equally, however many pairs of it were tested.",
            "Take the share of each length first, and then the mean of the shares. All right answers together, "
            "divided by all tested pairs, would weight a length by its number of pairs.",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 4: a learning rate for each condition (6 points)
#
# Here `rows` is a list of tuples `(condition, steps, rate, share)`: the share of right answers that a condition reached with a learning rate, with a seed and on pairs that are used
# for nothing else. Return a list with `[condition, steps, best, inside]` for each condition and each number of steps, sorted by condition, then by steps. `best` is the
# rate with the largest share; if several rates have it, return any of them. `inside` is `True` if four rates or more were tried and the rate that you return is neither the
# smallest nor the largest of them, and `False` otherwise.


# %%
def best_rates(rows):
    """The best rate of each condition and number of steps, and whether it lies inside those tried."""
    ### BEGIN SOLUTION
    tried = {}
    for condition, steps, rate, share in rows:
        tried.setdefault((condition, steps), {})[rate] = share
    lines = []
    for run, shares in sorted(tried.items()):
        best = max(shares, key=shares.get)
        inside = len(shares) >= 4 and min(shares) < best < max(shares)
        lines.append([*run, best, inside])
    return lines
    ### END SOLUTION


# %%
example = [("a", 100, 0.01, 0.2), ("a", 100, 0.02, 0.5), ("a", 100, 0.04, 0.4)]
result = best_rates(example)
assert result == [["a", 100, 0.02, False]], result  # three rates are too few

# %%
### BEGIN HIDDEN TESTS
_LEAST_RATES = 4


def _tried(draw: Draw, places: Sequence[int], counts=(5,) * 6) -> list[tuple]:
    """Rows of three conditions, for few steps and for many, in any order.

    By run, the place of the best rate and how many rates were tried.
    """
    names, steps = sorted(draw.shuffled(_NAMES)[:3]), 50 * (2 + draw.integer(6))
    rows, runs = [], itertools.product(names, (steps, 4 * steps))
    for run, place, count in zip(runs, places, counts, strict=True):
        shares = [0.02 * draw.integer(20) for _ in range(count)]
        shares[place] = (0.5 if run[1] == steps else 0.7) + 0.01 * draw.integer(20)
        rows += [(*run, *row) for row in zip(_rates(draw, count), shares, strict=True)]
    return draw.shuffled(rows)


def _rates(draw: Draw, count: int) -> list[float]:
    return [0.002 * 2 ** (k + draw.integer(2) / 2) for k in range(count)]


def _with_equals(draw: Draw) -> list[tuple]:
    """Rows of one condition in any order; two of its rates are equally good, and one is at the edge."""
    places = (0, 1 + draw.integer(3)) if draw.integer(2) else (1 + draw.integer(3), 4)
    best = 0.5 + 0.01 * draw.integer(20)
    shares = [best if k in places else 0.02 * draw.integer(20) for k in range(5)]
    rows = [("even", 300, *row) for row in zip(_rates(draw, 5), shares, strict=True)]
    return draw.shuffled(rows)


def _few_steps_and_equals(draw: Draw) -> list[dict]:
    rows = _tried(draw, (1, 2, 3) * 2)
    least = min(row[1] for row in rows)
    return [{"rows": [row for row in rows if row[1] == least]}, {"rows": _with_equals(draw)}]


def _at_an_edge(draw: Draw) -> dict:
    places = draw.shuffled([0, 2, 4, *(2 * draw.integer(3) for _ in range(3))])
    return {"rows": _tried(draw, places)}


def _three_or_four(draw: Draw) -> dict:
    counts = draw.shuffled([3, 4, 4, *(3 + draw.integer(2) for _ in range(3))])
    return {"rows": _tried(draw, [1 + draw.integer(count - 2) for count in counts], counts)}


def _best(rows) -> list[tuple]:
    """In place of the best rate, all that are equally good."""
    lines = []
    for run in sorted({tuple(row[:2]) for row in rows}):
        tried = {rate: share for *of, rate, share in rows if tuple(of) == run}
        best = tuple(rate for rate, share in tried.items() if share == max(tried.values()))
        inside = len(tried) >= _LEAST_RATES and min(tried) < best[0] < max(tried)
        lines.append((*run, best, inside))
    return lines


def _one_of_the_best(result, wanted) -> bool:
    """The rates; whether they lie inside costs no points here."""
    return all(
        (name, steps) == (own, long) and any(_near(rate, one) for one in best)
        for (name, steps, rate, _), (own, long, best, _) in zip(result, wanted, strict=True)
    )


def _insides(lines) -> dict[tuple, bool]:
    """By run, so that the order costs no points here."""
    return {(name, steps): bool(inside) for name, steps, _, inside in lines}


_best_rates = Exercise(
    "best_rates(rows)",
    solution=_best,
    cases={
        "one_line_for_each_run": case(
            lambda draw: {"rows": _tried(draw, (2,) * 6)},
            lambda lines: tuple((name, steps) for name, steps, _, _ in lines),
        )(
            "There is one line for each condition and each number of steps, sorted.",
            "Sort by the condition, then by the steps as numbers. Each line has four parts.",
        ),
        "best_has_the_largest_share": case(_few_steps_and_equals, points=2, alike=_one_of_the_best)(
            "The best rate is one with the largest share.",
            "Return the rate, not its share. The rates of a condition may come in any order. If several are equally good, "
            "return one of them, in a single line.",
        ),
        "steps_have_their_own": case(
            lambda draw: {"rows": _tried(draw, (3, 1) * 3)}, alike=_one_of_the_best
        )(
            "Each number of steps has a best rate of its own.",
            "After four times the steps another rate may be best. Group the rows by condition and by steps.",
        ),
        "the_edge_is_told": case(_at_an_edge, _insides)(
            "If the best rate is at the edge of those that were tried, inside is False.",
            "Compare it with the smallest and the largest of the rates that were tried for this condition and this number of steps.",
        ),
        "three_rates_are_too_few": case(_three_or_four, _insides)(
            "If fewer than four rates were tried, inside is False, wherever the best is.",
            "inside is True only if at least four different rates were tried.",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 5: one thing differs (4 points)
#
# `settings` is a list of tuples of strings, `(condition, setting, value)`, which say how each condition is built. `one` and `other` are the names of two conditions. Return the names of the settings in which they differ, as a
# list in alphabetical order. A setting that only one of the two has counts as a difference.


# %%
def differing(settings, one, other):
    """The settings in which two conditions differ, sorted."""
    ### BEGIN SOLUTION
    of_one, of_other = (
        {(setting, value) for condition, setting, value in settings if condition == name}
        for name in (one, other)
    )
    return sorted({setting for setting, _ in of_one ^ of_other})
    ### END SOLUTION


# %%
example = [("a", "score", "dot"), ("a", "size", "48"), ("b", "size", "48"), ("b", "score", "none")]
assert differing(example, "a", "b") == ["score"], differing(example, "a", "b")

# %%
### BEGIN HIDDEN TESTS
_THINGS = ("score", "size", "cell", "weights", "given", "source", "read", "start", "batch")


def _built(draw: Draw, differ: int, missing: int = 0, others: bool = False) -> dict:
    """Settings of two conditions: some that only one has, some that differ, and equal ones."""
    names, things = draw.shuffled(_NAMES)[:3], draw.shuffled(_THINGS)[:7]
    rows = []
    for number, thing in enumerate(things):
        value, differs = str(10 + draw.integer(80)), number < missing + differ
        if number < missing:
            rows.append((names[number % 2], thing, value))
        else:
            rows += [(names[0], thing, value), (names[1], thing, value + "0" * differs)]
    if others:
        rows += [(names[2], thing, "5") for thing in things] + [(names[2], "colour", "red")]
    return {"settings": draw.shuffled(rows), "one": names[0], "other": names[1]}


def _no_or_few_differ(draw: Draw) -> list[dict]:
    return [_built(draw, count) for count in draw.shuffled([0, 1, draw.integer(2)])]


def _different(settings, one: str, other: str) -> list[str]:
    by_name: dict[str, dict[str, str]] = {one: {}, other: {}}
    for name, setting, value in settings:
        by_name.setdefault(name, {})[setting] = value
    one, other = by_name[one], by_name[other]
    return sorted(name for name in one | other if one.get(name) != other.get(name))


def _listed(names) -> tuple[str, ...]:
    return tuple(str(name) for name in (() if isinstance(names, str) else names))


_differing = Exercise(
    "differing(settings, one, other)",
    solution=_different,
    cases={
        "equal_settings_are_left_out": case(
            _no_or_few_differ, lambda *lists: tuple(map(len, lists)), weak=True
        )(
            "Settings with the same value are not returned.",
            "If two conditions are built in the same way, the list is empty.",
        ),
        "differences_are_named": case(lambda draw: _built(draw, 2 + draw.integer(3)), _listed)(
            "Settings with different values are returned, once each and in alphabetical order.",
            "Return the names of the settings, not their values. A set contains each of them once.",
        ),
        "missing_settings_differ": case(lambda draw: _built(draw, 1, 2 + draw.integer(2)), _listed)(
            "A setting that only one of the two has counts as a difference.",
            "Look at the settings of both: one of them may have some that the other lacks, in either direction.",
        ),
        "other_conditions_do_not_matter": case(lambda draw: _built(draw, 2, others=True), _listed)(
            "Other conditions do not matter.", "Keep the rows of `one` and `other` only."
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2: the control (6 points)
#
# Write this before you train. (a) Your **control** is a third condition that differs from one of the two conditions in *one* setting. What is it, and how is it
# built? (b) If your mechanism of Question 1 is right, which of the two does the control match? And if the mechanism is wrong? (If your claim is of
# kind "alike": does the control match both, or what should make it differ from them?) (c) Name
# one rival explanation that this control cannot rule out.
#
# ### BEGIN SOLUTION
# (a) At every step the control is given the *first* state of the encoder, which has read one letter, instead of the last. `look` returns a weight of
# one for the first place. The decoder's first state is computed from the last state, as in the other two. So the control differs from "every step" in which state is given, and
# in nothing else. (b) If not having to keep the vector is what helps, the control matches "start only", since it, too, has to keep what
# the last state contains. If an additional input to the cell and to the output is what helps, it matches "every step". (c) The first state does
# say which letter comes first, so a small gain could come from that letter alone. And only in "every step" does the gradient of every step reach the encoder's
# last state directly: a better trained encoder would look the same.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: (a) a condition that can be built and differs in one setting; example for attention: even weights (1 if a second difference is named but kept; 0 if it is not noticed, or if the control cannot have the same budget, such as a model that is not trained)
# - 2 points: (b) two different outcomes, one for each case (1 if only one case is given, or if it is only a control for chance, such as a model that is not trained)
# - 2 points: (c) a rival that the control does not rule out, and why (1 without why; 0 if the control would rule it out)
# ### END RUBRIC

# %% [markdown]
# ## Run it
#
# `attn_course.training.train` trains on a `Corpus` of pairs (from `attn_course.tasks.corpus`), and `attn_course.search.answer` lets the model write; chapter 01 shows how. `claim_pairs(OWN, count, seed,
# split, lengths)` draws the pairs; `split` is "train" or "test". A training run of `OWN.steps` steps takes a few seconds.
#
# A decoder's method `look` decides where it looks. For a control you may replace it, as in `model.decoder.look = mine`. In models made by `fixed_context` and `bahdanau` it is `look(state, memory)`: for states (batch, size) it
# returns weights (batch, 1, source). In training, a `fixed_context` model calls it only once, with the decoder's first state, and uses these weights at all steps. In models made by `luong` it is `look(queries, memory)`: for queries (batch, steps, size)
# it returns weights (batch, steps, source). `memory.readable` (batch, 1, source) is False where a source is padded, and None if there is no padding.
#
# - **Seeds.** Each condition is trained with your three seeds, for the few steps and for the many. A seed redraws everything: the initial parameters, the order, the training pairs and the test pairs. With one
#   seed, all conditions are tested on the same pairs.
# - **Budgets.** All three conditions have the same steps and pairs, and numbers of parameters that differ by at most one part in twenty. Draw 64 pairs per step and train for one epoch. A
#   `Corpus` makes batches of one length, so there are a few more steps than planned.
# - **Rates.** Each of the three has its own best of your rates, for the few steps and for the many, chosen with *another* seed, on pairs that are used for nothing
#   else: draw them from the test split with that seed, and leave out those that are in your tests; if that leaves none of some length, choose by the other lengths. If the best is the smallest or the largest that was tried, try one further out; it need not be in your plan. If several rates are
#   equally good, take one that is not at the edge.
# - **Tests.** For each of your lengths, test as many pairs of the test split as you planned; they may repeat where there are few different ones.
#
# So there are at least 42 training runs, 24 for the rates and 18 for the results: about six minutes on one processor core.

# %%
### BEGIN SOLUTION
### INSERT run.py

# run("every step", 120, 300, 0.016) gives the rows of one model
### END SOLUTION

# %% [markdown]
# ## Part 6: what you hand in (18 points)
#
# Three tables as text, with commas between the columns, which begin with the lines shown below, and two lists:
#
# - `SETTINGS` has a line for each condition and each setting that your code chooses for it. It includes the settings that are equal, so there are four or more for each condition. Exactly one differs between the two conditions of the claim, and exactly one between your control and one of them. The name of the function that builds a model is not a setting: write what the model does instead, for example a setting `look` whose value is the last state, the mean of all states, or a dot product. The rates belong in `RATES`, not here. Call your control `control`.
# - `RATES` has a line for each rate that was tried, as the rows of Part 4.
# - `RESULTS` has a line for each condition, seed, number of steps and length. `steps` is the number of steps that you planned, and `taken` the number taken. `pairs` is the number of pairs
#   drawn for training, repetitions included.
# - `VERDICT` is what `verdict` returns for your results and your plan.
# - `MIND` says what would change your mind. It is a list of two numbers, `[steps, difference]`: if the difference after so many steps were this with *each* of the seeds, the
#   verdict for this number of steps would be another.

# %%
### BEGIN SOLUTION
### INSERT SETTINGS = settings.csv
### INSERT RATES = rates.csv
### INSERT RESULTS = results.csv
VERDICT = [[300, "holds"], [1200, "holds"]]
MIND = [1200, 0.0]
### STUB
# SETTINGS = """condition,setting,value
# """
# RATES = """condition,steps,rate,share
# """
# RESULTS = """condition,seed,steps,taken,pairs,parameters,rate,length,right,tested
# """
# VERDICT = []
# MIND = []
### END SOLUTION


# %%
def handed_in():
    """All of it: [VARIANT, PLAN, SETTINGS, RATES, RESULTS, VERDICT, MIND]."""
    ### BEGIN SOLUTION
    return [VARIANT, PLAN, SETTINGS, RATES, RESULTS, VERDICT, MIND]
    ### END SOLUTION


# %%
### BEGIN HIDDEN TESTS
# A table is checked for what follows from it. It cannot show whether a number was measured. But the claim and the
# seeds come from the student's code, so the tables of others are not accepted, and a
# person can run one line again and must get the same number.
_handed_in = Exercise("handed_in()")
_KEY = ("condition", "seed", "steps", "length")
_POSITIVE = ("steps", "taken", "pairs", "parameters", "rate")
_COLUMNS = ("condition", "seed", *_POSITIVE, "length", "right", "tested")
_CONTROL = "control"


def _results(answer: Answer, draw: Draw) -> list[tables.Line]:
    lines = tables.results(tables.table(answer()[4], _COLUMNS), _KEY, _POSITIVE).values()
    if not set(_own(draw).seeds) <= {line.seed for line in lines}:
        raise ValueError("a table of other seeds")
    return list(lines)


def _three(draw: Draw) -> list[str]:
    claim = _own(draw).claim
    return [claim.better, claim.other, _CONTROL]


def _verdicts(answer: Answer) -> dict[float, str]:
    return dict(answer()[5][:_MOST_PLANNED])


tables.must_have_the_code(_handed_in)


@_handed_in.must(
    "RESULTS is a table in the form asked for, and no line occurs twice.",
    hint="The first line is condition,seed,steps,taken,pairs,parameters,rate,length,right,tested. One line for each condition, "
    "seed, number of steps and length follows. All but the condition and the rate are whole numbers, and right is at most tested.",
)
def results_can_be_read(answer: Answer, draw: Draw) -> bool:
    return bool(_results(answer, draw))


@_handed_in.must(
    "Both conditions and the control have a line for each seed, each number of steps and each length of your code.",
    hint="Two conditions have the names that the plan gives as better and other, and the third is called control. Each has lines for your three seeds, both numbers of steps and all of your lengths, "
    "including those that the verdict is not about.",
    points=2,
)
def nothing_is_missing(answer: Answer, draw: Draw) -> bool:
    own, lines = _own(draw), _results(answer, draw)
    there = {(line.condition, line.seed, line.steps, line.length) for line in lines}
    names = (own.claim.better, own.claim.other, _CONTROL)
    times = (own.steps, 4 * own.steps)
    return {
        (name, seed, steps, length)
        for name in names
        for seed in own.seeds
        for steps in times
        for length in own.lengths
    } <= there


@_handed_in.must(
    "Each line was tested on as many pairs as planned.",
    hint="Each line has the number that the plan gives for `tested`, which is 100 or more.",
)
def tested_as_planned(answer: Answer, draw: Draw) -> bool:
    plan = _plan(answer)
    return plan.tested >= 100 and {line.tested for line in _results(answer, draw)} == {plan.tested}


@_handed_in.must(
    "All three conditions have equal budgets for each seed and each number of steps.",
    hint="If lines are missing, begin there. Steps taken and pairs are exactly equal, and parameters up to one part in twenty. Steps taken differ by at most one part in twenty "
    "from those planned. If one model has more parameters, change its size until they agree.",
    points=2,
)
def budgets_are_equal(answer: Answer, draw: Draw) -> bool:
    names, seeds = _three(draw), _own(draw).seeds
    rows = [e for e in _results(answer, draw) if e.condition in names and e.seed in seeds]
    budgets = [
        {(e.seed, e.steps, e.taken, e.pairs) for e in rows if e.condition == name} for name in names
    ]
    sizes = [row.parameters for row in rows]
    planned = all(abs(row.taken - row.steps) <= 0.05 * row.steps for row in rows)
    alike = budgets[0] == budgets[1] == budgets[2] and max(sizes) <= 1.05 * min(sizes)
    return planned and alike and all(budgets)


@_handed_in.must(
    "The long training run has four times the pairs of the short one.",
    hint="If lines are missing, begin there. The pairs grow with the steps: 64 for each step. Seeing the same pairs four times would be a different measurement.",
)
def more_steps_have_more_pairs(answer: Answer, draw: Draw) -> bool:
    own, lines = _own(draw), _results(answer, draw)
    pairs = {(line.condition, line.seed, line.steps): line.pairs for line in lines}
    runs = [(name, seed) for name in _three(draw) for seed in own.seeds]
    return all(pairs[(*run, 4 * own.steps)] == 4 * pairs[(*run, own.steps)] for run in runs)


@_handed_in.must(
    "Each condition has its own best rate for each number of steps, and the best is not at the edge.",
    hint="The first line of RATES is condition,steps,rate,share. For each of the three conditions and both numbers of steps, all planned "
    "rates were tried, the rate in RESULTS is the one with the largest share, and a smaller and a larger one were tried too. If several rates are "
    "equally good, take one that is not at the edge.",
    points=2,
)
def rates_were_chosen(answer: Answer, draw: Draw) -> bool:
    rows = tables.table(answer()[3], ("condition", "steps", "rate", "share"))
    plan, lines = _plan(answer), _results(answer, draw)
    for name, steps in itertools.product(_three(draw), plan.steps):
        used = {line.rate for line in lines if (line.condition, line.steps) == (name, steps)}
        if not tables.best_was_used(rows, used, name, plan.rates, steps=steps):
            return False
    return True


@_handed_in.must(
    "No two seeds give the same numbers.",
    hint="A seed redraws the initial parameters, the order, the training pairs and the test pairs. If two of them give the same numbers everywhere, "
    "is the seed used everywhere?",
)
def seeds_differ(answer: Answer, draw: Draw) -> bool:
    names, runs = _three(draw)[:2], {}
    for line in _results(answer, draw):
        if line.condition in names and line.seed in _own(draw).seeds:
            runs.setdefault(line.seed, {})[line.condition, line.steps, line.length] = line.right
    seeds = sorted(runs)
    pairs = [(one, two) for one in seeds for two in seeds if one < two]
    return bool(pairs) and not any(runs[one] == runs[two] for one, two in pairs)


def _settings(answer: Answer) -> dict[str, dict[str, str]]:
    settings: dict[str, dict[str, str]] = {}
    for row in tables.table(answer()[2], ("condition", "setting", "value")):
        own = settings.setdefault(row["condition"], {})
        if row["setting"] in own:
            raise ValueError("a setting twice")
        own[row["setting"]] = row["value"]
    return settings


def _differences(one: dict, other: dict) -> int:
    return sum(one.get(name) != other.get(name) for name in one.keys() | other.keys())


@_handed_in.must_also(
    "The two conditions differ in one setting, and what is equal is listed too.",
    hint="The first line of SETTINGS is condition,setting,value. At least four settings for each of the three conditions follow, of which only one "
    "differs between the two conditions of the claim. The name of a function is not a setting. Rates belong in RATES, not here.",
)
def conditions_differ_in_one_thing(answer: Answer, draw: Draw) -> bool:
    settings, (one, other, control) = _settings(answer), _three(draw)
    enough = all(len(settings[name]) >= 4 for name in (one, other, control))
    return enough and _differences(settings[one], settings[other]) == 1


@_handed_in.must_also(
    "The control differs from one of the two conditions in one setting, and equals neither of them.",
    hint="It may differ from the other condition in more settings. If it differs from both in two settings or more, nobody can say which of them made "
    "the difference.",
    points=2,
)
def control_differs_in_one_thing(answer: Answer, draw: Draw) -> bool:
    settings, (one, other, control) = _settings(answer), _three(draw)
    apart = [_differences(settings[control], settings[name]) for name in (one, other)]
    return min(apart) == 1


@_handed_in.must(
    "VERDICT follows from the results, with the lengths and the margin of the plan.",
    hint="Call your `verdict` with the lines of RESULTS and with kind, better, other, first, last and margin of the plan. If Part 3 lost "
    "points, begin there. The verdict need not be the one that you expected.",
    points=3,
)
def verdict_follows(answer: Answer, draw: Draw) -> bool:
    plan, seeds = _plan(answer), _own(draw).seeds
    claim = (plan.kind, plan.better, plan.other, plan.first, plan.last, plan.margin)
    rows = [
        (line.condition, line.seed, line.steps, line.length, line.right, line.tested)
        for line in _results(answer, draw)
        if line.seed in seeds and line.steps in plan.steps
    ]
    words = dict(_verdict_of(rows, claim))
    return _verdicts(answer) == words and words.keys() == {*plan.steps}


@_handed_in.must_also(
    "The difference in MIND would change the verdict.",
    hint="MIND is [steps, difference], with a number of steps of the plan and a difference between -1 and 1. With this difference for each seed, the "
    "word for these steps must be another than in VERDICT.",
)
def mind_can_be_changed(answer: Answer, draw: Draw) -> bool:
    plan, verdicts = _plan(answer), _verdicts(answer)
    steps, difference = (float(number) for number in answer()[6])
    word = "holds" if tables.is_true(plan.kind, difference, plan.margin) else "fails"
    own = _own(draw).steps
    return (
        steps in {*plan.steps} & {own, 4 * own}
        and -1 < difference < 1
        and verdicts[steps] in {*_WORDS} - {word}
    )


### END HIDDEN TESTS

# %% [markdown]
# ## Question 3: defend or refute (10 points)
#
# (a) State your verdict in one sentence, which says what was measured and not what can or must be, with the steps, the lengths, the margin, and for each number of steps the smallest and the largest of the three
# differences. (b) Set what you expected and what came out side by side. (c) Which of the two conditions does the control match, after the few steps and after the many, and
# what does that say about your mechanism? (d) Give the strongest objection to your verdict that somebody who knows
# your tables could raise. What in your data supports it? (e) Does your result change anything in the claim of the book? Write the book's sentence as you would
# print it now, no wider than what the book and you have measured.
#
# ### BEGIN SOLUTION
# (a) With an LSTM as the encoder, on sources of 4 to 7 letters, the share of right answers with one vector at every step is at least 0.06 larger than with one
# vector at the start alone, with each of three seeds: 0.13 to 0.19 larger after 300 steps, and 0.08 to 0.10 larger after 1,200. (b) Expected: holds, holds. Found: holds,
# holds. I had also expected that the difference would not grow, and it shrank to 0.46 to 0.69 of what it was.
# (c) After 300 steps the control is 0.00 to 0.05 ahead of "start only", which may be chance (2√(0.5/800) = 0.05), and 0.09 to 0.14 behind "every step". After 1,200 steps it is 0.01 to
# 0.04 behind "start only", and 0.09 to 0.12 behind "every step". So it matches "start only" both times: an additional input that has read only one letter does not bring the gain, and my
# mechanism may still be right. (d) "The difference is one of speed: with more steps it goes away." It did shrink
# with each seed, and after 1,200 steps the smallest difference is only 0.02 above my margin. What speaks against the objection is weak: with two of the seeds the control's gap to "every step" shrank only from 0.14 to 0.11 and to 0.09, and with the third it grew. Training runs with four times
# as many steps again would settle it. (e) "After 300 steps a vector that is given at every step holds more than one that is given at the start, whether a
# GRU or an LSTM has read the source. With an LSTM this also holds after 1,200 steps, and the gain is smaller." The chapter's own measurement has the GRU after 300 steps only, so the sentence
# may not speak of a GRU after 1,200 steps.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: (a) one sentence with steps, lengths, margin and the range over the seeds, and no "cannot" or "needs" (1 if one of these is missing, 0 if two are)
# - 1 point: (b) expectation and result side by side, unchanged, with what failed named as failed, if anything did
# - 3 points: (c) says for both numbers of steps which condition the control matches, and what is therefore ruled out or not (2 if it is said for one of them only; 1 if nothing follows from it; 0 if the tables say otherwise)
# - 2 points: (d) an objection that could be true, with what in the data supports it (1 if nothing in the data is named, or if it is about care in general, such as "more seeds")
# - 2 points: (e) a sentence that is no wider than what was measured in both settings (1 if it only adds "in most cases" or the like; 0 if it is left as it was, without the settings)
# ### END RUBRIC

# %% [markdown]
# ## Open-ended task: change my mind (8 points)
#
# Run the one measurement that is most likely to overturn your verdict: more steps, other initial parameters, another size, lengths beyond those of training, or a
# control for the rival explanation of Question 2. Change one thing, for all conditions alike, or add one control; budgets stay equal. Say *beforehand* which number would overturn it. Train for both numbers of steps, with rates chosen anew; you may leave out a condition that your question does not
# need. Then report what came out with all three
# seeds, state your verdict anew, and say what is still open, in at most half a page. A verdict that fell earns as much as one that stood. If the conditions now get hardly anything right, or nearly everything, say so:
# such a verdict is about the task.

# %%
### BEGIN SOLUTION
print("every step, with the gradient cut off after the first step: see the answer")
### END SOLUTION

# %% [markdown]
# ### BEGIN SOLUTION
# *A good answer*: "If a vector that is given at every step, and through which no gradient flows back to the encoder after the first step, comes
# within my margin of *start only*, I take back that not having to keep the vector is what helps, and say that it is the training of the encoder. [Three
# numbers for each number of steps.] So ..." With everything else as before, and with the sentence that now replaces the old claim.
# ### STUB
# *What would overturn it, what came out, and what you now say*
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 3 points: the measurement could have overturned the verdict, and the number that would do so is said beforehand (2 without the number; 1 if it could hardly have come out otherwise)
# - 2 points: it was run with the three seeds, and everything but one thing is as before (1 for fewer seeds, or if a second thing has changed; 0 if it was not run)
# - 3 points: the verdict is stated anew, no wider than what has now been measured, and says what is still open (2 without what is open; 1 if it stays as it was though the run narrows it; 0 if nothing was run)
# ### END RUBRIC
