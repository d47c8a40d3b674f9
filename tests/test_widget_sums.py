"""What the widgets' scripts compute, run by Node and compared with NumPy and PyTorch."""

import itertools

import in_node
import numpy as np
import pytest
import torch

from attn_course import packing
from attn_course import weights as weighing
from attn_course.alignment import SCORES
from attn_course.context import attend
from attn_course.models.decoder import make_score

pytestmark = in_node.needs_node
CALL = "console.log(JSON.stringify(asked.map((inputs) => module[words[0]](...inputs))));"


@pytest.fixture
def call(tmp_path):
    """The results of a function of a module that widgets share, for several lists of arguments.

    ``and_export`` is the text of another function, which can use what the module declares.
    """

    def results(module, function, cases, and_export=""):
        return in_node.answer(tmp_path, module, CALL, cases, function, and_export=and_export)

    return results


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# ---- numbers in words


def test_numbers_are_grouped_as_python_groups_them(call, rng):
    numbers = [*(rng.normal(size=40) * 10.0 ** rng.integers(-3, 8, size=40)), 0, 7, 999.9996, -1200]
    for least, most in ((0, 3), (2, 2), (1, 5), (0, 0)):
        cases = [[number, {"least": least, "most": most}] for number in numbers]
        for one, number in zip(call("common", "grouped", cases), numbers, strict=True):
            written = f"{number:,.{most}f}".replace("-", "−")  # as numbers are printed
            whole, _, decimals = written.partition(".")
            short = decimals[:least] + decimals[least:].rstrip("0")
            assert one == (f"{whole}.{short}" if short else whole)


# ---- weights that travel


@pytest.mark.parametrize("bits", [8, 32])
def test_what_is_packed_is_unpacked_as_in_python(call, rng, bits):
    named = {"matrix": rng.normal(size=(5, 7)), "bias": rng.normal(size=11), "row": np.ones((1, 3))}
    packed, layout = packing.pack(named, bits)
    script = """export const opened = (bytes, layout) => Object.entries(
      unpack(new DataView(Uint8Array.from([0, 0, 0, ...bytes]).buffer, 3), layout),
    ).map(([name, { values, rows, columns }]) => [name, rows, columns, [...values]]);"""
    [result] = call("bahdanau", "opened", [[[*packed], layout]], and_export=script)
    unpacked = packing.unpack(packed, layout).items()
    for (name, rows, columns, values), (wanted, array) in zip(result, unpacked, strict=True):
        assert (name, rows, rows * columns) == (wanted, len(array), array.size)
        np.testing.assert_allclose(values, array.ravel(), atol=1e-7)


# ---- mixing


def test_a_mixture_is_the_weighted_sum(call, rng):
    cases = [(rng.dirichlet(np.ones(n)), rng.normal(size=(n, 3))) for n in (1, 2, 7)]
    for one, (weights, vectors) in zip(call("mixing", "mix", cases), cases, strict=True):
        np.testing.assert_allclose(one, weights @ vectors, atol=1e-12)


def test_a_projection_is_measured_from_the_centre(call, rng):
    axes, vector, centre = rng.normal(size=(2, 5)), rng.normal(size=5), rng.normal(size=5)
    [result] = call("mixing", "project", [(vector, axes, centre)])
    np.testing.assert_allclose(result, axes @ (vector - centre), atol=1e-12)


def test_the_nearest_is_the_first_at_the_least_distance(call, rng):
    vector, others = rng.normal(size=3), rng.normal(size=(11, 3))
    far = np.linalg.norm(others - vector, axis=1)
    twice = [[0, 2], [1, 0], [0, -1], [3, 3]]  # the second and the third are equally near
    some, two = call("mixing", "nearest", [(vector, others), ([0, 0], twice)])
    assert some["index"] == far.argmin()
    assert some["distance"] == pytest.approx(far.min())
    assert two == {"index": 1, "distance": 1}


def left_of_every_edge(point, corners):
    ahead, there = np.roll(corners, -1, axis=0) - corners, point - corners
    return (ahead[:, 0] * there[:, 1] - ahead[:, 1] * there[:, 0] >= -1e-9).all()


def test_the_hull_holds_every_point_and_needs_every_corner(call, rng):
    clouds = [rng.normal(size=(size, 2)) for size in (3, 5, 17, 41)]
    grid = [rng.integers(0, 4, size=(size, 2)) for size in (13, 19)]  # ties, twins, straight edges
    grid.append(np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [0, 0], [1, 0], [2, 1]]))
    clouds += [points.astype(float) for points in grid]
    hulls = call("mixing", "hull", [[points] for points in clouds])
    for points, corners in zip(clouds, hulls, strict=True):
        assert len({tuple(points[corner]) for corner in corners}) == len(corners) >= 3
        assert all(left_of_every_edge(point, points[corners]) for point in points)
        for place, corner in enumerate(corners):
            others = points[corners[:place] + corners[place + 1 :]]
            if len(others) > 2:
                assert not left_of_every_edge(points[corner], others)
            else:
                assert abs(np.linalg.det(others - points[corner])) > 1e-9


def test_the_hull_of_one_point_of_two_and_of_a_line_are_its_ends(call):
    line = [[2, 4], [0, 0], [1, 2], [3, 6]]
    results = call("mixing", "hull", [[[[5, 7]]], [[[5, 7], [1, 7]]], [line], [[]]])
    assert [sorted(corners) for corners in results] == [[0], [0, 1], [1, 3], []]


def test_a_weight_set_anew_leaves_the_others_their_proportions(call, rng):
    cases = []
    for size in (2, 3, 7):
        weights = rng.dirichlet(np.full(size, 0.5))
        cases += [(weights, int(rng.integers(size)), share) for share in (0.0, 0.3, 1.0)]
    for result, (weights, index, share) in zip(
        call("mixing", "setWeight", cases), cases, strict=True
    ):
        assert result[index] == share
        assert sum(result) == pytest.approx(1)
        others = np.arange(len(weights)) != index
        np.testing.assert_allclose(
            np.array(result)[others] * (1 - weights[index]),
            np.array(weights)[others] * (1 - share),
            atol=1e-12,
        )


def test_where_the_others_had_nothing_they_share_alike(call):
    results = call("mixing", "setWeight", [[[0, 1, 0], 1, 0.4], [[0.7], 0, 0.2]])
    np.testing.assert_allclose(results[0], [0.3, 0.4, 0.3])
    assert results[1] == [1]  # alone, it keeps everything


def nearest_in_hull(goal, points):
    """A point is inside if some triangle of points contains it; outside, every edge is tried."""
    for three in itertools.combinations(points, 3):
        shares = np.linalg.solve(np.vstack([np.transpose(three), np.ones(3)]), [*goal, 1])
        if min(shares) >= 0:
            return goal
    best = points[0]
    for one, two in itertools.combinations(points, 2):
        along = np.clip((goal - one) @ (two - one) / ((two - one) @ (two - one)), 0, 1)
        spot = one + along * (two - one)
        if np.linalg.norm(spot - goal) < np.linalg.norm(best - goal):
            best = spot
    return best


def test_weights_are_found_for_a_place_or_for_the_wall_of_the_hull(call, rng):
    cases = []
    for size in (3, 5, 11, 19):
        points = rng.normal(size=(size, 2)) * rng.choice([0.1, 1, 30])
        start = rng.dirichlet(np.full(size, 0.3))
        spread = points.std()
        cases += [(rng.normal(size=2) * spread * far, points, start) for far in (0.3, 1, 5)]
    outside = 0
    for weights, (goal, points, _) in zip(call("mixing", "weightsFor", cases), cases, strict=True):
        assert min(weights) >= 0
        assert sum(weights) == pytest.approx(1)
        wanted = nearest_in_hull(goal, points)
        outside += not np.allclose(wanted, goal)
        np.testing.assert_allclose(weights @ points, wanted, atol=5e-3 * np.ptp(points))
    assert 2 < outside < len(cases) - 2


@pytest.mark.parametrize("flat", [1, 0.3, 0.1])
def test_a_place_in_a_flat_cloud_is_met_to_a_thousandth_whatever_its_direction(call, rng, flat):
    cases = []
    for size, angle in itertools.product((3, 5, 7, 13), (0, 0.8, 1.6, 2.4)):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        points = rng.normal(size=(size, 2)) * [1, flat] @ turn
        start = rng.dirichlet(np.full(size, 0.3))
        cases += [(rng.dirichlet(np.ones(size)) @ points, points, start) for _ in range(2)]
    for weights, (goal, points, _) in zip(call("mixing", "weightsFor", cases), cases, strict=True):
        assert np.abs(weights @ points - goal).max() <= 1e-3 * np.ptp(points)


def test_points_that_are_all_alike_or_on_a_line_have_weights_too(call, rng):
    line = np.array([[5, 1], [11, 4], [7, 2], [19, 8]])
    goals = [line[2], line[1] + [-1, 2], line[3] + [2, 1], line[0] - [4, 2]]  # the second is beside
    nearest = [line[2], line[1], line[3], line[0]]
    cases = [(goal, line, [0.25] * 4) for goal in goals]
    cases.append(([5, 2], [[5, 2]] * 3, [0.2, 0.5, 0.3]))
    *weights, alike = call("mixing", "weightsFor", cases)
    np.testing.assert_allclose(np.array(weights) @ line, nearest, atol=1e-2)
    assert min(alike) >= 0
    assert sum(alike) == pytest.approx(1)


def test_weights_that_are_at_their_place_stay(call, rng):
    points, start = rng.normal(size=(7, 2)), rng.dirichlet(np.ones(7))
    [weights] = call("mixing", "weightsFor", [(start @ points, points, start)])
    np.testing.assert_allclose(weights, start, atol=1e-6)


# ---- score functions


def test_every_score_has_its_script_and_every_script_its_score(call):
    names = "export const names = () => Object.keys(SCORE_FUNCTIONS);"
    [result] = call("score_functions", "names", [[]], and_export=names)
    assert sorted(result) == sorted(SCORES)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("scale", [0.0, 1e-13, 1.0, 100.0])
def test_scores_weights_and_context_are_those_of_pytorch(call, rng, name, scale):
    size, factor = 3, 7 if name == "cosine" else 1
    score = make_score(name, size, size, 5, 11).double()
    parts = {part: array.tolist() for part, array in score.state_dict().items()}
    queries, keys = rng.normal(size=(2, size)), scale * rng.normal(size=(7, size))
    inputs = torch.tensor(queries[None]), torch.tensor(keys[None])
    with torch.no_grad():
        scores = factor * score(*inputs)
        context, weights = attend(*inputs, inputs[1], lambda *pair: factor * score(*pair))
    cases = [(name, query, keys, parts, factor) for query in queries]
    for i, result in enumerate(call("score_functions", "attendWith", cases)):
        for kind, expected in (("scores", scores), ("weights", weights), ("context", context)):
            np.testing.assert_allclose(result[kind], expected[0, i], atol=1e-12, err_msg=kind)


@pytest.mark.parametrize("count", [1, 7])
def test_values_are_averaged_in_the_place_of_the_keys(call, rng, count):
    query, keys, values = (rng.normal(size=size) for size in (3, (count, 3), (count, 5)))
    [result] = call("score_functions", "attendWith", [("dot", query, keys, {}, 1, values)])
    inputs = [torch.tensor(part[None]) for part in (query[None], keys, values)]
    context, _ = attend(*inputs, SCORES["dot"]())
    np.testing.assert_allclose(result["context"], context[0, 0], atol=1e-12)


def test_the_factor_multiplies_the_cosine_alone(call, rng):
    query, keys = rng.normal(size=3), rng.normal(size=(5, 3))
    for name in ("dot", "cosine"):
        cases = [[name, query, keys, {}], [name, query, keys, {}, 1], [name, query, keys, {}, 7]]
        by_itself, once, seven = (
            one["scores"] for one in call("score_functions", "attendWith", cases)
        )
        assert by_itself == once
        np.testing.assert_allclose(seven, (7 if name == "cosine" else 1) * np.array(once))


# ---- from scores to weights

RULES = {
    "softmax": (weighing.attention_weights, weighing.softmax_jacobian),
    "sparsemax": (weighing.sparsemax, weighing.sparsemax_jacobian),
    "hard": (weighing.hard_choice, lambda weights: torch.zeros(len(weights), len(weights))),
}


@pytest.mark.parametrize("rule", RULES)
def test_weights_and_their_answers_are_those_of_pytorch(call, rng, rule):
    weigh, jacobian = RULES[rule]
    cases = [
        [rule, [3.0], [True]],  # the temperature is 1 by default
        [rule, [1.0, 1.0, 0.25], [True, True, True], 1],  # a tie
        [rule, [0.0, 1.0, 0.5], [True] * 3, 1],  # a sparsemax that just reaches zero
        [rule, [5.0, 900.0, -900.0], [False, True, True], 0.25],
        [rule, [1e4, -1e4, 1e4 - 0.5], [True] * 3, 1],
    ]
    for number in range(40):
        size = 1 + number % 7
        scores = (rng.choice([0.1, 1, 10]) * rng.normal(size=size)).tolist()
        readable = (rng.random(size) < 0.7).tolist()
        readable[number % size] = True
        cases.append([rule, scores, readable, float(rng.choice([0.25, 1, 1.7, 8]))])
    results = call("weighing", "weigh", cases)
    answers, spreads = [], []
    for ours, (_, scores, readable, *temperature) in zip(results, cases, strict=True):
        warmth = (temperature or [1])[0]
        scores = torch.tensor(scores, dtype=torch.float64) / warmth
        weights = weigh(scores, torch.tensor(readable))
        np.testing.assert_allclose(ours, weights, atol=1e-12)
        spreads.append(weighing.entropy(weights))
        for j, row in enumerate(jacobian(weights) / warmth):
            answers.append(([rule, weights.tolist(), j, *temperature], row))
    np.testing.assert_allclose(
        call("weighing", "entropy", [[row] for row in results]), spreads, atol=1e-12
    )
    rows = call("weighing", "answersOf", [case for case, _ in answers])
    for ours, (_, expected) in zip(rows, answers, strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_nothing_to_read_gives_no_weights(call):
    assert call("weighing", "weigh", [["softmax", [1, 2], [False, False]]]) == [None]


# ---- shares in percent


def test_only_what_is_certain_is_whole_and_only_what_cannot_be_is_nothing(call):
    texts = {
        **{0: "0", 1: "100", 1e-300: "<1", np.nextafter(1, 0): ">99"},
        **{0.995: ">99", np.nextafter(0.995, 0): "99", 0.9949: "99", 0.985: "99", 0.984: "98"},
        **{0.005: "1", 0.0049: "<1", 0.0149: "1", 0.015: "2", 0.5: "50", 1.0000001: "100"},
    }
    words = call("common", "percent", [[share] for share in texts])
    assert [text.replace("\u00a0", "") for text in words] == [f"{text}%" for text in texts.values()]
