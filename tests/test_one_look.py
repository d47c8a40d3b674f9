"""Readers that look once: the equations by loops, canvases of any size, maps of evidence."""

from functools import partial

import pytest
import torch
from sweeps import every

from attn_course.models.gaussian_look import GaussianReader
from attn_course.models.hard_look import HardReader
from attn_course.models.one_look import AverageReader, MaskReader, MaxReader

READERS = {
    "mask": MaskReader,
    "average": AverageReader,
    "max": MaxReader,
    "hard": HardReader,
    "map": GaussianReader,
    "linear": partial(GaussianReader, centre="linear"),
}
every_reader = pytest.mark.parametrize("name", READERS)


def built(name):
    torch.manual_seed(3)
    return READERS[name]().eval()


def by_hand(name, model, features):
    """Context and weights of one canvas, a cell after another."""
    cells = [cell for row in features for cell in row]
    if name == "average":
        weights = [1 / len(cells)] * len(cells)
    elif name in ("mask", "hard"):
        w, b = model.mask.weight[0, :, 0, 0], model.mask.bias
        powers = [torch.exp(w @ cell + b) for cell in cells]
        weights = [power / sum(powers) for power in powers]
    if name == "hard":
        return cells[max(range(len(cells)), key=weights.__getitem__)], weights
    if name == "max":
        context = torch.stack([max(values) for values in torch.stack(cells).T])
        alive = [k for k in range(len(context)) if context[k] > 0]
        first = [[cell[k] for cell in cells].index(context[k]) for k in alive]
        return context, [first.count(j) / len(alive) for j in range(len(cells))]
    return sum(a * cell for a, cell in zip(weights, cells, strict=True)), weights


@pytest.mark.parametrize("name", ["mask", "average", "max", "hard"])
@torch.no_grad()
def test_equals_the_equations_by_loops(name):
    model, pixels = built(name), torch.rand(3, 20, 28)
    logits, weights = model(pixels)
    assert logits.shape == (3, 1, 10)
    assert weights.shape == (3, 1, 5 * 7)
    for row, features in enumerate(model.trunk(pixels)):
        context, expected = by_hand(name, model, features)
        torch.testing.assert_close(weights[row, 0].tolist(), [float(a) for a in expected])
        torch.testing.assert_close(
            logits[row, 0], model.readout.weight @ context + model.readout.bias
        )


@every_reader
@pytest.mark.parametrize("size", [(4, 4), (20, 28), (13, 37)])
@torch.no_grad()
def test_a_canvas_of_any_size_gives_one_vector_whose_evidence_adds_up(name, size):
    model, pixels = built(name), torch.rand(5, *size)
    logits, weights = model(pixels)
    assert logits.shape == (5, 1, 10)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(5, 1))
    evidence = model.evidence(pixels)
    assert evidence.shape == weights.shape
    named = logits.amax(dim=-1) - model.readout.bias[logits.argmax(dim=-1)]
    torch.testing.assert_close(evidence.sum(dim=-1), named)
    torch.testing.assert_close(model(pixels[2:3]), (logits[2:3], weights[2:3]))


@every_reader
def test_batch_normalisation_can_be_left_out(name):
    for options, count in (({}, 3), ({"normalise": False}, 0)):
        kinds = [type(part).__name__ for part in READERS[name](**options).modules()]
        assert kinds.count("BatchNorm2d") == count


@torch.no_grad()
def test_the_weights_of_a_dead_canvas_are_even():
    model = built("max")
    for name, value in model.trunk.named_parameters():
        if name.endswith("bias"):
            value.fill_(-9)
    weights = model(torch.zeros(1, 8, 12))[1]
    torch.testing.assert_close(weights, torch.full((1, 1, 6), 1 / 6))


@every_reader
def test_every_parameter_that_is_used_learns(name):
    torch.manual_seed(3)
    model = READERS[name]().train()
    model.loss(torch.rand(7, 16, 16), torch.randint(10, (7, 1))).backward()
    still = {
        part
        for part, value in model.named_parameters()
        if value.grad is None or not value.grad.any()
    }
    assert still <= {"mask.bias"}  # moves all scores alike


@pytest.mark.parametrize("name", every(3, READERS))
def test_a_loss_falls_if_it_is_followed(name):
    torch.manual_seed(3)
    model, pixels, digits = READERS[name]().train(), torch.rand(5, 12, 12), torch.arange(5)[:, None]
    optimiser = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(60):
        optimiser.zero_grad()
        model.loss(pixels, digits).backward()
        optimiser.step()
    with torch.no_grad():
        features = model.trunk(pixels)
        logits = model.look(features)[0]
    assert (logits[:, 0].argmax(dim=-1) == digits[:, 0]).float().mean() > 0.7


REFUSED = {
    built(name).loss: [
        ((torch.rand(2, 8, 8), torch.tensor(digits)), words)
        for digits, words in (
            ([[1], [10]], "digits must be from 0 to 9"),
            ([[-1], [3]], "at least one on each canvas"),
            ([[1, -1, 2], [3, 4, 5]], "-1 after the last"),
            ([[1, 2], [3, -1]], "names 1 digit; a canvas has 2"),
        )
    ]
    for name in ("mask", "hard")
}
