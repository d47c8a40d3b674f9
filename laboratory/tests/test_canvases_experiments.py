"""The experiments on canvases: training, what is judged, other sizes, the four questions."""

import numpy as np
import pytest
import torch

from attn_course.models.glimpse import END, GlimpseReader
from attn_course.models.hard_look import HardReader
from attn_course.models.one_look import AverageReader, MaskReader, MaxReader
from attn_course.models.trunk import Trunk
from attn_course.tasks.digits import NOTHING, Canvases, canvases, cells_inside
from attn_lab.canvases import seeing_models, seeing_sizes
from attn_lab.canvases.canvas_training import BATCH, train_reader
from attn_lab.faithful_maps import questions_to_canvases as canvas

# ---- canvas_training


def draw(count, rng):
    return canvases(count, rng, height=8, width=8, pieces=0, shapes=0)


def trained(**options):
    return train_reader(MaskReader, draw, **{"steps": 5, "rate": 6e-3, "seed": 3} | options)


def test_a_seed_determines_start_and_canvases():
    torch.manual_seed(11)
    before = torch.get_rng_state()
    one, losses = trained()
    assert torch.equal(torch.get_rng_state(), before)
    assert not one.training
    assert trained()[1] == losses
    assert trained(seed=4)[1][0] != losses[0]


def test_each_step_draws_its_canvases():
    scenes = []

    def watched(count, rng):
        scenes.append(draw(count, rng))
        return scenes[-1]

    train_reader(MaskReader, watched, steps=3, rate=1e-3)
    assert [len(scene.pixels) for scene in scenes] == [BATCH] * 3
    assert not torch.equal(scenes[0].pixels, scenes[1].pixels)


def test_it_learns():
    _, losses = trained(steps=60)
    assert sum(losses[-5:]) < 0.6 * sum(losses[:5])


def test_a_loss_that_is_not_finite_stops_it():
    class Broken(MaskReader):
        def loss(self, pixels, digits):
            return super().loss(pixels, digits) * torch.inf

    with pytest.raises(FloatingPointError, match="smaller learning rate"):
        train_reader(Broken, draw, steps=2, rate=1e-3)


@pytest.mark.parametrize("options", [{"steps": 0}, {"rate": 0.0}])
def test_bad_options(options):
    with pytest.raises(ValueError, match=r"steps must be|learning_rate must be"):
        trained(**options)


# ---- seeing


def test_larger_canvases_have_as_much_clutter_for_their_area():
    assert (
        seeing_models.SIZES["24"] == {"height": 24, "width": 24} | seeing_models.SCENES["clutter"]
    )
    for side, scene in seeing_models.SIZES.items():
        assert scene["height"] == scene["width"] == int(side)
        assert scene["pieces"] / scene["height"] ** 2 == pytest.approx(5 / 24**2, rel=0.15)


def test_recurrent_readers_begin_with_the_trunk_of_a_mask(monkeypatch):
    monkeypatch.setattr(seeing_models, "WARM", (2, 1e-3))
    seeing_models.trunk_of_mask.cache_clear()
    begun = seeing_models.warm("step", 3)()
    other = seeing_models.warm("state", 3)()
    fresh = GlimpseReader()
    seeing_models.trunk_of_mask.cache_clear()
    for mine, its in zip(begun.trunk.parameters(), other.trunk.parameters(), strict=True):
        assert torch.equal(mine, its)
    assert not torch.equal(begun.trunk.layers[0].weight, fresh.trunk.layers[0].weight)


def test_a_cold_reader_begins_with_a_trunk_of_its_own(monkeypatch):
    losses = {}
    monkeypatch.setattr(seeing_models, "warm", lambda *_: pytest.fail("a cold reader was warmed"))
    monkeypatch.setattr(seeing_models, "train_reader", lambda build, *_, **__: (build(), losses))
    cold = seeing_models.Condition("state, cold", "several", 1, 0.01)
    assert isinstance(seeing_models.trained(cold, 0), GlimpseReader)
    with pytest.raises(pytest.fail.Exception, match="was warmed"):
        seeing_models.trained(cold._replace(reader="state"), 0)


@pytest.mark.parametrize("entropy", [0.0, 0.5])
def test_trying_every_cell_is_the_mean_of_all_draws(entropy, monkeypatch):
    exact = seeing_models.ExactReader(entropy=entropy).eval()
    with torch.no_grad():
        exact.mask.weight.mul_(3)
        exact.readout.weight.mul_(3)
    drawn = HardReader(entropy=entropy).eval()
    drawn.load_state_dict(exact.state_dict())
    pixels = torch.rand(1, 8, 12)
    alpha = exact(pixels)[1][0, 0].detach()
    with torch.no_grad():
        cells = exact.readout(exact.trunk(pixels).flatten(1, 2))[0].argmax(dim=-1)
    digits = cells.mode().values.view(1, 1)
    assert 0 < (cells == digits[0]).sum() < 6  # some cells are rewarded, and some not
    names = [name for name, _ in exact.named_parameters()]
    whole = torch.autograd.grad(exact.loss(pixels, digits), exact.parameters())
    mean = [torch.zeros_like(part) for part in whole]
    for cell, chance in enumerate(alpha):
        monkeypatch.setattr(torch, "multinomial", lambda *_, cell=cell: torch.tensor([[cell]]))
        drawn.expected.fill_(0.3)
        gradients = torch.autograd.grad(drawn.loss(pixels, digits), drawn.parameters())
        mean = [so_far + chance * part for so_far, part in zip(mean, gradients, strict=True)]
    for name, one, other in zip(names, whole, mean, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4, msg=name)


class Scripted:
    """A reader that gives what it is told to."""

    looks = "state"

    def __init__(self, logits, weights):
        self.given = logits, weights

    def __call__(self, pixels, steps=None):
        return self.given

    def evidence(self, pixels):
        return self.given[1].roll(1, dims=-1)


def scene_of(digits, boxes, height=8, width=16):
    digits, boxes = torch.tensor(digits), torch.tensor(boxes)
    return Canvases(torch.zeros(len(digits), height, width), digits, boxes)


def one_hot(cells, count=8):
    return torch.nn.functional.one_hot(torch.tensor(cells), count).float()


def test_what_is_judged_at_one_look():
    boxes = [[[0, 0, 8, 8]], [[0, 8, 8, 16]], [[0, 0, 8, 8]], [[0, 0, 8, 8]]]
    scene = scene_of([[3], [4], [5], [6]], boxes)
    # two rows of four cells: columns 0 and 1 are in the left box, 2 and 3 in the right one
    weights = 0.75 * one_hot([[1], [6], [2], [7]]) + 0.25 * one_hot([[0], [0], [0], [0]])
    logits = one_hot([[3], [4], [0], [6]], 10)
    result = seeing_models.judge(Scripted(logits, weights), scene)
    assert result["right"] == 0.75
    assert result["hit"] == 0.5
    assert result["inside"] == pytest.approx((1 + 0.75 + 0.25 + 0.25) / 4)
    assert result["evidence"] == 0.5  # one cell on: 2 and 3 miss; 7 hits, and 0 does


def test_what_stands_out_is_found_where_it_is():
    pixels = torch.zeros(2, 16, 24)
    pixels[0, 5, 9] = 1.0  # row 1, column 2 of 4 rows of 6 cells
    pixels[1, 12:, :4] = 0.5
    pixels[1, 6:10, 14:18] = 0.4  # a blot that no cell holds whole
    trunk = Trunk(normalise=False).eval()
    maps = seeing_models.saliency(pixels, trunk)
    assert maps["ink"].argmax(dim=-1).tolist() == [[8], [18]]
    assert maps["ink"][0, 0, 8] == pytest.approx(1 / 16)
    around = [row * 6 + column for row in (0, 1, 2) for column in (1, 2, 3)]
    assert maps["field"][0, 0].nonzero().flatten().tolist() == around
    norms = trunk(pixels).flatten(1, 2).norm(dim=-1)
    torch.testing.assert_close(maps["features"][:, 0], norms)


def test_what_is_judged_of_several_looks(monkeypatch):
    boxes = [[[0, 0, 8, 8], [0, 8, 8, 16]], [[0, 4, 8, 12], [0, 0, 0, 0]]]
    scene = scene_of([[3, 4], [5, NOTHING]], boxes)
    weights = one_hot([[0, 1, 0], [2, 3, 3]])
    logits = one_hot([[3, 4, END], [5, 1, END]], 11)
    monkeypatch.setattr(seeing_models, "read", lambda *_: ([[3, 4], [5, 1]], None))
    result = seeing_models.judge_reading(Scripted(logits, weights), scene)
    assert result["right"] == 0.5
    assert result["ends"] == 0.5
    assert result["hit"] == pytest.approx(2 / 3)  # the second look of the first canvas is beside
    assert result["moves"] == 1


def test_one_look_is_held_against_every_box():
    inside = cells_inside(torch.tensor([[[0, 0, 8, 8], [0, 8, 8, 16]]]), 8, 16)
    assert seeing_models.hits(one_hot([[5]]), inside).tolist() == [[True, False]]
    assert seeing_models.hits(one_hot([[5, 2]]), inside).tolist() == [[True, True]]


@pytest.mark.parametrize("follows", ["place", "number", "digit"])
def test_two_swaps_tell_a_place_from_a_number_and_from_a_digit(follows):
    """With a reader whose state is the place, the number or the name of what was read."""
    scene = seeing_models.unseen(3, seeing_models.SCENES["several"], 512)
    inside = cells_inside(scene.boxes, 24, 32)
    there = scene.digits != NOTHING
    values = {"place": scene.boxes[..., 1], "number": there.cumsum(dim=1), "digit": scene.digits}
    values = values[follows].float()

    class Reader:
        looks = "state"

        def annotate(self, pixels):
            return torch.zeros(len(pixels), 48, 1)

        def begin(self, count):
            return torch.full((count, 1), -9.0)

        def look(self, annotations, state, step, prepared=None):
            new = values != state if follows == "digit" else values > state
            which = (new & there).int().argmax(dim=1)
            rows = torch.arange(len(state))
            self.seen = values[rows, which][:, None]
            return inside[rows, which].float().unsqueeze(1)

        def take_in(self, weights, annotations, state):
            return self.seen, None

    result = seeing_models.swapped(Reader(), scene)
    assert result["swaps"] > 20
    assert result["swap follows the place"] == pytest.approx(float(follows != "number"), abs=0.2)
    assert result["swap follows the number"] == pytest.approx(float(follows == "number"), abs=0.2)

    apart = seeing_models.told_apart(Reader(), scene)
    leads = {"digit": "first", "number": "second", "place": "third"}
    assert apart.pop("states") > 5
    assert apart == {which: which == leads[follows] for which in leads.values()}


# ---- seeing_sizes


@pytest.mark.parametrize("kind", [AverageReader, MaskReader, MaxReader])
def test_what_is_pooled_is_what_is_read_out(kind):
    model, pixels = kind().eval(), torch.rand(3, 16, 20)
    with torch.no_grad():
        c = seeing_sizes.pooled(model, pixels)
        torch.testing.assert_close(model.readout(c), model(pixels)[0][:, 0])
    assert not model.readout._forward_pre_hooks


def test_what_is_done_to_it():
    before, now = torch.randn(512, 3) * torch.tensor([1.0, 2.0, 3.0]) + 5, torch.randn(512, 3)
    vectors = seeing_sizes.ways(now, now, before, 48)
    torch.testing.assert_close(vectors["as it is"], now)
    torch.testing.assert_close(vectors["sum"], 4 * now)
    for change in ("shifted", "standardised"):
        torch.testing.assert_close(vectors[change].mean(dim=0), before.mean(dim=0))
    torch.testing.assert_close(vectors["shifted"].std(dim=0), now.std(dim=0))
    torch.testing.assert_close(vectors["standardised"].std(dim=0), before.std(dim=0))
    dead = seeing_sizes.ways(now * 0, now * 0, before, 48)
    assert all(one.isfinite().all() for one in dead.values())


def test_a_step_on_mixed_sizes_has_one_of_them():
    rng = np.random.default_rng(0)
    shapes = [seeing_models.drawn_for_training(2, rng, "mixed").pixels.shape for _ in range(300)]
    sides = [height for _, height, _ in shapes]
    assert all(height == width for _, height, width in shapes)
    assert min(sides.count(side) for side in seeing_models.MIXED) > 60
    assert set(sides) == set(seeing_models.MIXED)
    assert max(seeing_models.MIXED) < 48
    alone = seeing_models.drawn_for_training(2, np.random.default_rng(1), "large")
    again = seeing_models.draw(2, np.random.default_rng(1), "train", seeing_models.SCENES["large"])
    torch.testing.assert_close(alone.pixels, again.pixels)


def test_as_it_is_a_reader_names_what_it_names(monkeypatch):
    for module in (seeing_models, seeing_sizes):
        monkeypatch.setattr(module, "EACH_SIZE", 61)
    model = AverageReader().eval()
    result = seeing_sizes.by_size(model, 3)
    assert list(result) == list(seeing_sizes.WAYS)
    for side, scene in seeing_models.SIZES.items():
        judged = seeing_models.judge(model, seeing_models.unseen(3, scene, 61))
        assert result["as it is"][side] == pytest.approx(judged["right"])
    assert result["sum"]["24"] == result["as it is"]["24"]


# ---- questions_to_canvases


def glimpses():
    return GlimpseReader().eval()


def scene(count=40):
    return seeing_models.unseen(0, seeing_models.SCENES["several"], count)


def test_twins_of_canvases_differ_in_one_box_and_nowhere_else():
    one = scene()
    other, chosen = canvas.twins(one, 3)
    changed = (one.pixels != other.pixels).nonzero()
    for k, row, column in changed.tolist():
        top, left, bottom, right = one.boxes[k, chosen[k]].tolist()
        assert top <= row < bottom
        assert left <= column < right
    assert set(changed[:, 0].tolist()) == set(range(len(one.pixels)))
    differ = one.digits != other.digits
    assert (differ.sum(dim=1) == 1).all()
    assert (one.digits[differ] != NOTHING).all()
    assert torch.equal(differ.float().argmax(dim=1), chosen)


def test_the_cells_of_a_box_are_those_that_have_one_of_its_pixels():
    boxes = torch.tensor([[4, 8, 12, 16], [5, 9, 13, 17], [0, 0, 0, 0]])
    cells = canvas.overlapping(boxes, 24, 32)
    assert cells.sum(dim=1).tolist() == [4, 9, 0]
    assert cells[0].reshape(6, 8).nonzero().tolist() == [[1, 2], [1, 3], [2, 2], [2, 3]]


@torch.no_grad()
def test_what_is_asked_of_canvases_starts_from_what_the_reader_says():
    model, some = glimpses(), scene(8)
    annotations = model.annotate(some.pixels)
    shares = canvas.named(model, lambda _: annotations, some)
    torch.testing.assert_close(shares, model(some.pixels, 3)[0].softmax(dim=-1))


@torch.no_grad()
def test_canvases_follow_what_is_exchanged():
    """Both kinds of cells from the other canvas are the other canvas."""
    model, some = glimpses(), scene(8)
    other, _ = canvas.twins(some, 3)
    theirs = model.annotate(other.pixels)
    swapped = canvas.named(model, lambda _: theirs, some)
    torch.testing.assert_close(swapped, model(other.pixels, 3)[0].softmax(dim=-1))
