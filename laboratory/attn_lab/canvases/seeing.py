"""Where does it look? Readers of handwritten digits on cluttered canvases.

The questions. What does a mask of attention weights buy over average and max pooling, which choose
nothing or choose without saying where: digits named, a readable place, canvases larger than those
trained on? Does a reader of several digits need its state to know where to look next? Is hard
attention, trained by REINFORCE, worse than soft attention, or only less reliable? What do batch
normalisation and the position code do?

The conditions (`seeing_models.Condition`). 64 canvases a step, drawn anew; 400 steps for one digit,
300 for several, and four times as many. The learning rate of each reader is its own
(`RATES`). A seed draws start, training and test canvases; the images are split for good.

scenes   "clean", nothing but noise; "few", 2 pieces of other digits; "clutter", 5 pieces and a
         shape, all 24 by 24; "large", 32 by 32 with 8 and 2; "several", 2 or 3 digits from left to
         right among 5 and 1 on 24 by 32
readers  mask, average, max; mask without batch normalisation; hard; Gaussian with its centre from a
         map, and linear in the mean feature; recurrent with looks that depend on the state, on the
         number of the step, on nothing (blind), and on the state without a position code. Recurrent
         readers start with the trunk of a mask that was trained on 400 steps of single digits

Judged on 1,024 canvases with images not trained on: named or read (right), hits against the boxes,
weight inside the box. Evidence is the cell that adds most to the logit of what is named: a place
that pooling gives without having attention (class activation, Zhou et al. 2016).

Before this was written, single runs (one seed, a rate of .006, "clutter", 400 steps) had given:
mask 91 % right, 96 % hits, 92 % of the weight inside, 97 % by evidence; max 92 %, 93 % by evidence;
average 73 %, 79 % by evidence. Recurrent, 300 steps: state 73 % read, 84 % at a rate of .012; step
number alone 65 %.
Earlier pilots with other code had given: without batch normalisation nothing starts; hard from
scratch on "few" 83, 15 and 95 %; a linear Gaussian at chance; four digits after two and three: 0.

`EXPECTED` was written down before the runs, each in every seed (3; 5 for hard and its mask on
"few"). The first search for a rate of hard attention (10) began at .012 and found nothing but
chance, 89 % wrong at best. The trainings at the rate that it chose say nothing about seeds and were
dropped; then the search tried .003 and .006 too, and went on downwards while the best stood at the
edge. What was to be said was settled by these bounds, for five seeds at the rate found, after 400
steps: "a lottery" if best and worst are more than 30 points apart; "it did not start" if no seed
names more than 20 %; otherwise "no lottery here". For 1,600 steps hard attention and the mask
without batch normalisation have a rate of their own, the best of at least four tried after 1,600
steps. Of 19, against the headline that average pooling falls behind on canvases larger than those
it learnt from (`AGAINST`): the average at other rates. At twice its own rate, which ties with it in
validation, the average is even with the mask on 24 by 24 pixels.

Two controls, after a referee had read the page. "exact" is hard attention with its expected loss,
by trying every cell instead of drawing one: it separates the noise of draws from the difficulty of
learning where and what at once. "state, cold" does not start from a trunk trained before; it gets
as many steps as the others have in all, 700 and 1,600, at a rate of its own for 700. (For 1,600
steps there was no time for a search.) And three maps that need no attention
(`seeing_models.saliency`), to hold the mask's hits against something better than a cell drawn at
random. The chapter measures them itself.
"""

from collections.abc import Sequence

import numpy as np

from attn_lab.canvases import seeing_models as models
from attn_lab.canvases.seeing_models import COLD, RECURRENT, Condition, measure
from attn_lab.experiment import SEEDS, RateSearch, declared, every, results_of
from attn_lab.grid import read_grid
from attn_lab.rates import FIRST

MORE = (0, 1, 2, 3, 4)  # for results that differ much from seed to seed
ONE_LOOK, SEVERAL = 400, 300  # steps of the shorter budget

# reader, scene, steps and seeds, in the order in which they are run
PLAN = (
    ("mask", "clutter", ONE_LOOK, SEEDS),
    ("average", "clutter", ONE_LOOK, SEEDS),
    ("max", "clutter", ONE_LOOK, SEEDS),
    ("state", "several", SEVERAL, SEEDS),
    ("step", "several", SEVERAL, SEEDS),
    ("hard", "few", ONE_LOOK, MORE),
    ("average", "clutter", 4 * ONE_LOOK, SEEDS),
    ("mask", "clutter", 4 * ONE_LOOK, SEEDS),
    ("max", "clutter", 4 * ONE_LOOK, SEEDS),
    ("mask", "few", ONE_LOOK, MORE),
    ("state", "several", 4 * SEVERAL, SEEDS),
    ("step", "several", 4 * SEVERAL, SEEDS),
    # from here on the third run
    ("mask, no batch norm", "clutter", ONE_LOOK, SEEDS),
    ("state, no position", "several", SEVERAL, SEEDS),
    ("blind", "several", SEVERAL, SEEDS),
    ("hard", "few", 4 * ONE_LOOK, MORE),
    ("mask, no batch norm", "clutter", 4 * ONE_LOOK, SEEDS),
    ("mask", "large", ONE_LOOK, SEEDS),
    ("average", "large", ONE_LOOK, SEEDS),
    ("gaussian, map", "few", ONE_LOOK, SEEDS),
    ("gaussian, linear", "few", ONE_LOOK, SEEDS),
    ("blind", "several", 4 * SEVERAL, SEEDS),
    ("max", "large", ONE_LOOK, SEEDS),
    ("mask", "clean", ONE_LOOK, SEEDS),
    ("average", "clean", ONE_LOOK, SEEDS),
    ("max", "clean", ONE_LOOK, SEEDS),
    # from here on the fifth run
    ("exact", "few", ONE_LOOK, MORE),
    ("state, cold", "several", ONE_LOOK + SEVERAL, SEEDS),
    ("state, cold", "several", 4 * ONE_LOOK, SEEDS),
)


AGAINST = tuple(
    Condition("average", "clutter", steps, rate)
    for steps, rate in ((400, 0.012), (400, 0.048), (400, 0.096), (1_600, 0.048))
)


VALIDATED = 1_024  # canvases, to choose a rate by
BEGUN = {  # where a search begins, if not with `FIRST`
    ("hard", 400): (0.003, 0.006, *FIRST),  # a search upwards found nothing
    ("hard", 1_600): (0.00075, 0.0015, 0.003),
    ("mask, no batch norm", 1_600): (0.003, 0.006, 0.012),
    ("state, cold", 700): (0.006, 0.012, 0.024),
}
ENOUGH, BLIND = 6, 0.88  # rates; the share not read if every answer is the same


def wrong(condition: Condition, seed: int) -> dict[str, float]:
    """The share of validation canvases that are not read, by which a rate is chosen."""
    model = models.trained(condition, seed)
    scene = models.draw(VALIDATED, 3_000 + seed, "validation", models.SCENES[condition.scene])
    judged = (
        models.judge_reading(model, scene)
        if condition.reader in RECURRENT
        else models.judge(model, scene)
    )
    return {"wrong": 1 - judged["right"]}


def first_rates(reader: str, scene: str, steps: int) -> Sequence[float]:
    """Where a search begins."""
    return BEGUN.get((reader, steps), FIRST)


def nothing_learns(tried: dict[float, float]) -> bool:
    """Whether a search is over since no rate leads to anything but chance."""
    return len(tried) >= ENOUGH and min(tried.values()) > BLIND


RATES = RateSearch(
    Condition,
    wrong,
    results_of("seeing_rates"),
    judge="wrong",
    first=first_rates,
    is_over=nothing_learns,
)


def searched(reader: str, scene: str, steps: int) -> tuple[str, str, int]:
    """The search whose rate is used: of the shorter budget; for masks and pooling, of "clutter".

    Readers that hardly learn in the shorter budget have a rate of their own for the longer one.
    """
    if reader in ("hard", "mask, no batch norm"):
        return reader, scene, steps
    if reader in COLD:
        return reader, scene, ONE_LOOK + SEVERAL
    if reader in RECURRENT:
        return reader, "several", SEVERAL
    return reader, "clutter" if reader in ("mask", "average", "max") else scene, ONE_LOOK


# ---- what was expected

_ONE = (ONE_LOOK, 4 * ONE_LOOK)  # budgets of readers with one look
_MORE = (SEVERAL, 4 * SEVERAL)


def _right(reader: str, steps: int = ONE_LOOK, scene: str = "clutter") -> np.ndarray:
    """The share of digits named, by seed."""
    return EXPERIMENT.of("right", reader, scene, steps)


def _read(reader: str, steps: int = SEVERAL, number: str = "right") -> np.ndarray:
    """A number of canvases with several digits."""
    return EXPERIMENT.of(number, reader, "several", steps)


def _of(number: str, reader: str, steps: int = ONE_LOOK) -> np.ndarray:
    return EXPERIMENT.of(number, reader, "clutter", steps)


def _large(reader: str, steps: int) -> np.ndarray:
    """The share of digits named on 64 by 64 pixels."""
    return np.array([run["64"] for run in _of("right by size", reader, steps)])


def _behind(reader: str, steps: int = ONE_LOOK, scene: str = "clutter") -> np.ndarray:
    """How far a reader is behind the mask."""
    return _right("mask", steps, scene) - _right(reader, steps, scene)


def _larger_than_trained(steps: int) -> np.ndarray:
    mask = _large("mask", steps)
    ahead = mask - _large("average", steps) >= 0.2
    return ahead & (np.abs(mask - _large("max", steps)) <= 0.1)


def _at_no_rate() -> bool:
    """Whether the mask without batch normalisation starts nowhere in 400 steps."""
    row = ("mask, no batch norm", "clutter", ONE_LOOK)
    tried = read_grid(RATES.path, "wrong", Condition)
    named = [1 - wrong for condition, (wrong,) in tried.items() if condition[:3] == row]
    return max(*named, *_right(row[0])) < 0.3


def _none_comes_near() -> np.ndarray:
    """The average at other rates, on 64 by 64 pixels."""
    return every(
        _large("mask", condition.steps) - [run["64"] for run in runs] >= 0.05
        for condition, runs in against("right by size").items()
    )


def _without_clutter() -> np.ndarray:
    named = np.array([_right(reader, ONE_LOOK, "clean") for reader in ("mask", "max", "average")])
    return (named > 0.9).all(axis=0) & (np.ptp(named, axis=0) <= 0.05)


def _few(reader: str, steps: int = ONE_LOOK) -> np.ndarray:
    return _right(reader, steps, "few")


EXPECTED = """
2026-11-22

After 400 steps on "clutter" the mask names at least 10 points more than the average, after 1,600 at
least 5.
    after 400 steps: _behind("average") >= 0.1
    after 1,600: _behind("average", 1_600) >= 0.05

Mask and max differ by less than 5 points after 400 steps and after 1,600.
    every(abs(_behind("max", steps)) < 0.05 for steps in _ONE)

The mask hits the box on more than 90 % of "clutter" canvases after 400 steps, with more than 80 %
of its weight inside.
    (_of("hit", "mask") > 0.9) & (_of("inside", "mask") > 0.8)

Evidence from max pooling hits at least 2 points less often than the mask's weights, after 400 steps
and after 1,600: a readable place is what the mask adds.
    after 400 steps: _of("hit", "mask", 400) - _of("evidence", "max", 400) >= 0.02
    after 1,600: _of("hit", "mask", 1_600) - _of("evidence", "max", 1_600) >= 0.02

On 64 by 64, trained on 24 by 24, the mask is at least 20 points above the average after 400 steps
and after 1,600, and within 10 points of max.
    after 400 steps: _larger_than_trained(400)
    after 1,600: _larger_than_trained(1_600)

State reads more than step number, by 3 to 15 points, after 300 steps; after 1,200 both read more
than 75 %. Blind reads less than 50 % after 300 steps and after 1,200.
    after 300 steps: between(0.03, _read("state") - _read("step"), 0.15)
    after 1,200: np.minimum(_read("state", 1_200), _read("step", 1_200)) > 0.75
    blind: every(_read("blind", steps) < 0.5 for steps in _MORE)

Of the looks of "state" for digit i more than 90 % hit box i, after 300 steps and after 1,200.
    after 300 steps: _read("state", 300, "hit") > 0.9
    after 1,200: _read("state", 1_200, "hit") > 0.9

Given another canvas's state, "state" follows the place rather than the number, at least twice as
often, after 300 steps and after 1,200.
    every(_read("state", steps, "swap follows the place") >= 2 * _read("state", steps,
        "swap follows the number") for steps in _MORE)

Trained on two and three digits, no recurrent reader reads more than 10 % of four.
    every(np.array(seeds) <= 0.1 for seeds in EXPERIMENT.results("four right").values())

On "few", hard attention after 400 steps differs between the best and the worst of five seeds by
more than 30 points, the mask by less than 10. After 1,600 steps the hard one still differs by more
than 20.
    hard after 400 steps: np.ptp(_few("hard")) > 0.3
    the mask: np.ptp(_few("mask")) < 0.1
    hard after 1,600: np.ptp(_few("hard", 1_600)) > 0.2

Without batch normalisation the mask names less than 30 % after 400 steps at each of the rates
tried, and more than 50 % in two of three seeds after 1,600.
    after 400 steps: _at_no_rate()
    after 1,600: (_right("mask, no batch norm", 1_600) > 0.5).sum() >= 2

Without a position code "state" reads at most half as many as with it after 300 steps.
    _read("state, no position") <= _read("state") / 2

On "few", the Gaussian with a linear centre names less than 30 % after 400 steps; with the map more
than 60 %.
    linear: _few("gaussian, linear") < 0.3
    with the map: _few("gaussian, map") > 0.6

Hard attention names more than 30 % of "few" in at least one of the five seeds after 400 steps.
    (_few("hard") > 0.3).any()

The mask of each of these seeds, after 400 steps, is at least 5 points above the hard reader.
    _few("mask") - _few("hard") >= 0.05

2026-11-23

Four times the steps do not bring hard attention to the mask: after 1,600 steps no seed names as
many as the mask of the same seed does after 400.
    _few("hard", 1_600) < _few("mask")

Trained on "large", 32 by 32 pixels, the average stays within 10 points of the mask: it is the
change of size that it does not survive, not the size.
    abs(_behind("average", scene="large")) <= 0.1

Trained and tested without clutter, mask, max and average each name more than 90 % and lie within 5
points of one another.
    _without_clutter()

At none of these rates, after 400 steps or 1,600, does the average come within 5 points of the mask
of the same seed and steps on 64 by 64 pixels.
    _none_comes_near()

Trained on "large", max pooling stays within 5 points of the mask.
    abs(_behind("max", scene="large")) <= 0.05

The blind reader after 1,200 steps, whose looks are all alike, reads less than half as many as the
one whose looks depend on the number of the step.
    _read("blind", 1_200) < _read("step", 1_200) / 2

2026-11-25

On "few", after 400 steps, "exact" names more than 80 %, at most 5 points less than the mask of the
same seed, and its best and worst of five seeds are less than 10 points apart: the lottery is noise.
    (_few("exact") > 0.8) & (_few("mask") - _few("exact") <= 0.05) & (np.ptp(_few("exact")) < 0.1)

After 700 steps "state, cold" reads at least 10 points less than "state" does after 300.
    _read("state") - _read("state, cold", ONE_LOOK + SEVERAL) >= 0.1

After 1,600 steps "state, cold" reads within 10 points of "state" after 1,200, and more than 75 % of
its looks for a digit hit it.
    (abs(_read("state", 1_200) - _read("state, cold", 1_600)) <= 0.1)
        & (_read("state, cold", 1_600, "hit") > 0.75)

On "clutter" the brightest cell, the brightest receptive field and the longest vector of features of
an untrained trunk each hit the box on less than half of the canvases, in each of three seeds.
    not worked out: study C measures these maps, and claims that this holds

The longest vector of the mask's own trunk, after 400 steps, hits at least 10 points less often than
its largest weight (one seed).
    not worked out: study C measures this map, and finds that this failed
"""


ROWS = [*(([row], seeds) for *row, seeds in PLAN), (AGAINST, SEEDS)]
EXPERIMENT = declared(__name__, measure, ROWS, Condition, rates=RATES, searched=searched)
condition, results, against = EXPERIMENT.condition, EXPERIMENT.by_row, EXPERIMENT.only(AGAINST)
