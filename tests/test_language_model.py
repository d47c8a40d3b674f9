"""A language model: against its equations written out, with a cache, and with changes inside."""

import math

import numpy as np
import pytest
import torch

from attn_course.models.language_model import PARTS, LanguageModel, Shape
from attn_course.patching import heads_replaced, position_hidden, recorded, taken_out, together

SHAPE = Shape(
    symbols=23, blocks=3, size=30, heads=3, groups=1, hidden_size=17, base=53.0, longest=29
)


@pytest.fixture
def model(rng: torch.Generator) -> LanguageModel:
    model = LanguageModel(SHAPE).double()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4, generator=rng)
    return model.eval()


@pytest.fixture
def rng() -> torch.Generator:
    return torch.Generator().manual_seed(11)


@pytest.fixture
def symbols(rng: torch.Generator) -> torch.Tensor:
    return torch.randint(SHAPE.symbols, (2, 13), generator=rng)


def written_out(model: LanguageModel, symbols: list[int]) -> np.ndarray:
    """The logits, position by position and head by head, in NumPy."""
    weights = {name: value.detach().numpy() for name, value in model.named_parameters()}

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        return weights[f"{name}.weight"] * x / math.sqrt((x**2).mean() + SHAPE.epsilon)

    def turn(x: np.ndarray, position: int) -> np.ndarray:
        turned = []
        for k in range(0, len(x), 2):
            angle = position * SHAPE.base ** (-k / len(x))
            turned += [
                x[k] * math.cos(angle) - x[k + 1] * math.sin(angle),
                x[k] * math.sin(angle) + x[k + 1] * math.cos(angle),
            ]
        return np.array(turned)

    part, xs = SHAPE.part, [weights["embedding.weight"][each] for each in symbols]
    for b in range(SHAPE.blocks):
        here = {name: weights[f"blocks.{b}.{name}_projection.weight"] for name in
                ("query", "key", "value", "output")}  # fmt: skip
        entered = [norm(x, f"blocks.{b}.norm") for x in xs]
        keys = [turn(here["key"] @ x, i) for i, x in enumerate(entered)]
        after = []
        for i, x in enumerate(xs):
            found = []
            for h in range(SHAPE.heads):
                query = turn((here["query"] @ entered[i])[h * part : (h + 1) * part], i)
                powers = [math.exp(query @ keys[j] / math.sqrt(part)) for j in range(i + 1)]
                values = [here["value"] @ entered[j] for j in range(i + 1)]
                found.append(sum(p * v for p, v in zip(powers, values, strict=True)) / sum(powers))
            x = x + here["output"] @ np.concatenate(found)
            inner = norm(x, f"blocks.{b}.network_norm")
            gate = weights[f"blocks.{b}.network.gate.weight"] @ inner
            up = weights[f"blocks.{b}.network.up.weight"] @ inner
            after.append(
                x + weights[f"blocks.{b}.network.down.weight"] @ (gate / (1 + np.exp(-gate)) * up)
            )
        xs = after
    return np.stack([weights["embedding.weight"] @ norm(x, "norm") for x in xs])


def test_it_is_its_equations(model: LanguageModel, symbols: torch.Tensor):
    logits = model(symbols).logits.detach().numpy()
    for row, given in zip(logits, symbols.tolist(), strict=True):
        np.testing.assert_allclose(row, written_out(model, given), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("pieces", [(5, 8), (1, 12), (1,) * 13])
def test_a_cache_changes_nothing(model: LanguageModel, symbols: torch.Tensor, pieces: tuple[int]):
    cache, read = None, []
    for piece in symbols.split(pieces, dim=1):
        logits, cache = model(piece, cache)
        read.append(logits)
    torch.testing.assert_close(torch.cat(read, dim=1), model(symbols).logits)


def test_looking_changes_nothing(model: LanguageModel, symbols: torch.Tensor):
    places = [(part, block) for part in PARTS for block in range(SHAPE.blocks)]
    looks = {place: lambda part: part for place in places}
    torch.testing.assert_close(model(symbols, changes=looks).logits, model(symbols).logits)
    seen = recorded(model, symbols, places)
    assert set(seen) == set(places)
    torch.testing.assert_close(seen["weights", 2].sum(-1), torch.ones(2, 3, 13).double())


def test_a_head_is_taken_out_of_values_alone(model: LanguageModel, symbols: torch.Tensor):
    seen = recorded(model, symbols, [("found", 1), ("for values", 2), ("queries", 2)])
    by = seen["found", 1].mean((0, 2), keepdim=True)
    changes = taken_out(model, (1, 2), "for values", [2], by)
    after = recorded(model, symbols, [("for values", 2), ("queries", 2), ("values", 2)], changes)
    torch.testing.assert_close(after["queries", 2], seen["queries", 2])

    block = model.blocks[2]
    columns = model.blocks[1].output_projection.weight[:, 20:30]
    vectors = seen["for values", 2] - (seen["found", 1] - by)[:, 2] @ columns.T
    values = vectors * (vectors.square().mean(-1, keepdim=True) + SHAPE.epsilon) ** -0.5
    values = (values * block.norm.weight) @ block.value_projection.weight.T
    torch.testing.assert_close(after["values", 2].squeeze(1), values)


def test_heads_replaced_by_their_own_mean_or_zero(model: LanguageModel, symbols: torch.Tensor):
    by = recorded(model, symbols, [("found", 0), ("found", 2)])
    for given, wanted in ((None, 0.0), (by, by["found", 2][:, [0, 2]])):
        changes = together(heads_replaced(model, [(2, 0), (2, 2), (0, 1)], given))
        assert set(changes) == {("found", 0), ("found", 2)}
        found = changes["found", 2](torch.full_like(by["found", 2], 7.0))
        torch.testing.assert_close(
            found[:, [0, 2]], torch.as_tensor(wanted).expand(2, 2, 13, 10).double()
        )
        assert (found[:, 1] == 7).all()


def test_a_hidden_position_gets_no_weight(model: LanguageModel, symbols: torch.Tensor):
    changes = position_hidden(model, 4, [1])
    seen = recorded(model, symbols, [("found", 1)], changes)["found", 1]
    plain = recorded(model, symbols, [("found", 1)])["found", 1]
    torch.testing.assert_close(seen[:, :, :5], plain[:, :, :5])
    assert not torch.isclose(seen[:, :, 5:], plain[:, :, 5:]).all(-1).any()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({("wieghts", 0): abs}, "part must be one of"),
        ({("weights", 3): abs}, "block must be a whole number from 0 to 2; got 3"),
        ({("found", 0): lambda part: part[:1]}, r"must return \(2, 3, 13, 10\)"),
    ],
)
def test_impossible_changes(model: LanguageModel, symbols: torch.Tensor, changes, words: str):
    with pytest.raises(ValueError, match=words):
        model(symbols, changes=changes)


def test_impossible_symbols(model: LanguageModel):
    with pytest.raises(ValueError, match="from 0 to 22; got 5 to 23"):
        model(torch.tensor([[5, 23]]))
    with pytest.raises(ValueError, match="there must be a symbol to read"):
        model(torch.zeros(1, 0, dtype=torch.long))
    with pytest.raises(ValueError, match="29 positions at most; got 30"):
        model(torch.zeros(1, 30, dtype=torch.long))
