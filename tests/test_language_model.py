"""A language model: against its equations written out, with a cache, and with changes inside."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from pretended_gpu import a_gpu

from attn_course.models.language_model import PARTS, LanguageModel, Shape
from attn_course.patching import (
    exchanged_at,
    heads_replaced,
    position_hidden,
    recorded,
    taken_out,
    together,
)

SHAPE = Shape(
    symbols=23, blocks=3, size=30, heads=3, groups=1, hidden_size=17, base=53.0, longest=29
)


def a_model():
    model, rng = LanguageModel(SHAPE).double(), torch.Generator().manual_seed(11)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4, generator=rng)
    return model.eval()


@pytest.fixture
def model():
    return a_model()


RNG = torch.Generator().manual_seed(12)
TEXT = torch.randint(SHAPE.symbols, (2, 13), generator=RNG)


@pytest.fixture
def symbols():
    return TEXT


def written_out(model, symbols: list[int]) -> np.ndarray:
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

    part, xs = SHAPE.part, [weights["embedding.weight"][symbol] for symbol in symbols]
    for b in range(SHAPE.blocks):
        here = {name: weights[f"blocks.{b}.{name}_projection.weight"] for name in
                ("query", "key", "value", "output")}  # fmt: skip
        entered = [norm(x, f"blocks.{b}.norm") for x in xs]
        keys = [turn(here["key"] @ x, i) for i, x in enumerate(entered)]
        after = []
        for i, x in enumerate(xs):
            heads = []
            for h in range(SHAPE.heads):
                query = turn((here["query"] @ entered[i])[h * part : (h + 1) * part], i)
                powers = [math.exp(query @ keys[j] / math.sqrt(part)) for j in range(i + 1)]
                values = [here["value"] @ entered[j] for j in range(i + 1)]
                heads.append(sum(p * v for p, v in zip(powers, values, strict=True)) / sum(powers))
            x = x + here["output"] @ np.concatenate(heads)
            inner = norm(x, f"blocks.{b}.network_norm")
            gate = weights[f"blocks.{b}.network.gate.weight"] @ inner
            up = weights[f"blocks.{b}.network.up.weight"] @ inner
            after.append(
                x + weights[f"blocks.{b}.network.down.weight"] @ (gate / (1 + np.exp(-gate)) * up)
            )
        xs = after
    return np.stack([weights["embedding.weight"] @ norm(x, "norm") for x in xs])


def test_it_is_its_equations(model, symbols):
    logits = model(symbols).logits.detach().numpy()
    for row, numbers in zip(logits, symbols.tolist(), strict=True):
        np.testing.assert_allclose(row, written_out(model, numbers), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("pieces", [(5, 8), (1, 12), (1,) * 13])
def test_a_cache_changes_nothing(model, symbols, pieces):
    cache, read = None, []
    for piece in symbols.split(pieces, dim=1):
        logits, cache = model(piece, cache)
        read.append(logits)
    torch.testing.assert_close(torch.cat(read, dim=1), model(symbols).logits)


def test_looking_changes_nothing(model, symbols):
    places = [(part, block) for part in PARTS for block in range(SHAPE.blocks)]
    looks = {place: lambda part: part for place in places}
    torch.testing.assert_close(model(symbols, changes=looks).logits, model(symbols).logits)
    parts = recorded(model, symbols, places)
    assert set(parts) == set(places)
    torch.testing.assert_close(parts["weights", 2].sum(-1), torch.ones(2, 3, 13).double())


def test_a_head_is_taken_out_of_values_alone(model, symbols):
    parts = recorded(model, symbols, [("found", 1), ("for values", 2), ("queries", 2)])
    by = parts["found", 1].mean((0, 2), keepdim=True)
    changes = taken_out(model, (1, 2), "for values", [2], by)
    after = recorded(model, symbols, [("for values", 2), ("queries", 2), ("values", 2)], changes)
    torch.testing.assert_close(after["queries", 2], parts["queries", 2])

    block = model.blocks[2]
    columns = model.blocks[1].output_projection.weight[:, 20:30]
    vectors = parts["for values", 2] - (parts["found", 1] - by)[:, 2] @ columns.T
    values = vectors * (vectors.square().mean(-1, keepdim=True) + SHAPE.epsilon) ** -0.5
    values = (values * block.norm.weight) @ block.value_projection.weight.T
    torch.testing.assert_close(after["values", 2].squeeze(1), values)


def test_heads_replaced_by_their_own_mean_or_zero(model, symbols):
    by = recorded(model, symbols, [("found", 0), ("found", 2)])
    for source, wanted in ((None, 0.0), (by, by["found", 2][:, [0, 2]])):
        changes = together(heads_replaced(model, [(2, 0), (2, 2), (0, 1)], source))
        assert set(changes) == {("found", 0), ("found", 2)}
        contexts = changes["found", 2](torch.full_like(by["found", 2], 7.0))
        torch.testing.assert_close(
            contexts[:, [0, 2]], torch.as_tensor(wanted).expand(2, 2, 13, 10).double()
        )
        assert (contexts[:, 1] == 7).all()


def test_a_hidden_position_gets_no_weight(model, symbols):
    changes = position_hidden(model, 4, [1])
    contexts = recorded(model, symbols, [("found", 1)], changes)["found", 1]
    plain = recorded(model, symbols, [("found", 1)])["found", 1]
    torch.testing.assert_close(contexts[:, :, :5], plain[:, :, :5])
    assert not torch.isclose(contexts[:, :, 5:], plain[:, :, 5:]).all(-1).any()


def test_changes_at_one_place_follow_each_other(model, symbols):
    place = ("residual", 1)
    vectors = recorded(model, symbols, [place])[place]
    changes = together({place: lambda part: part + 1}, {place: lambda part: part * 2}, {})
    assert set(changes) == {place}
    torch.testing.assert_close(changes[place](vectors), (vectors + 1) * 2)
    torch.testing.assert_close(recorded(model, symbols, [place], changes)[place], (vectors + 1) * 2)


def test_positions_are_exchanged_for_those_of_another_text(model):
    one, other = torch.randint(SHAPE.symbols, (2, 1, 7), generator=torch.Generator().manual_seed(3))
    places = [(part, 1) for part in ("residual", "keys", "values", "found")]
    theirs, ours = recorded(model, other, places), recorded(model, one, places)
    chosen = torch.arange(7) % 3 == 1
    for place in places:
        changes = exchanged_at({place: theirs[place]}, chosen)
        vectors = recorded(model, one, [place], changes)[place]
        assert torch.equal(vectors[..., chosen, :], theirs[place][..., chosen, :])
        assert torch.equal(vectors[..., ~chosen, :], ours[place][..., ~chosen, :])
    everything = exchanged_at({("residual", 0): recorded(model, other, [("residual", 0)])[
        "residual", 0]}, torch.ones(7, dtype=torch.bool))  # fmt: skip
    torch.testing.assert_close(model(one, changes=everything).logits, model(other).logits)


def test_hidden_all_along_is_never_read(model, symbols):
    """Positions after it are as if it had never stood there, except that they keep their places."""
    changes = position_hidden(model, 0)
    weights = recorded(model, symbols, [("weights", b) for b in range(3)], changes)
    for table in weights.values():
        assert (table[..., 1:, 0] == 0).all()
        assert (table[..., 0, 0] == 1).all()
        torch.testing.assert_close(table.sum(-1), torch.ones(2, 3, 13).double())
    other = symbols.clone()
    other[:, 0] = (other[:, 0] + 1) % SHAPE.symbols
    one, two = (model(text, changes=changes).logits[:, 1:] for text in (symbols, other))
    torch.testing.assert_close(one, two)
    _, cache = model(symbols[:, :5], changes=changes)
    later = model(symbols[:, 5:], cache, changes).logits
    torch.testing.assert_close(later, one[:, 4:])


@pytest.mark.parametrize(("part", "index"), [("queries", 0), ("keys", 1), ("values", 2)])
def test_a_head_is_taken_out_of_one_part_alone(model, symbols, part, index):
    places = [(name, 2) for name in ("queries", "keys", "values")]
    changes = taken_out(model, (0, 1), f"for {part}", [2], torch.zeros(1).double())
    before, after = recorded(model, symbols, places), recorded(model, symbols, places, changes)
    same = [torch.equal(before[place], after[place]) for place in places]
    assert same == [number != index for number in range(3)]


def test_its_own_readout(model, symbols):
    other = LanguageModel(SHAPE, own_readout=True).double().eval()
    other.load_state_dict(model.state_dict())
    torch.testing.assert_close(other(symbols).logits, model(symbols).logits)
    torch.nn.init.zeros_(other.readout.weight)
    assert (other(symbols).logits == 0).all()
    assert len(list(other.parameters())) == len(list(model.parameters())) + 1


def test_it_reads_and_is_patched_on_a_gpu():
    shape = Shape(symbols=11, blocks=2, size=12, heads=3, groups=1, hidden_size=7)
    symbols, chosen = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]]), torch.arange(4) == 1

    def results_of(model, symbols):
        by = recorded(model, symbols.flip(0), [("found", 0), ("values", 1)])
        mean = by["found", 0].mean((0, 2), keepdim=True)
        changes = together(
            heads_replaced(model, [(0, 1)], by),
            heads_replaced(model, [(1, 2)]),
            exchanged_at({("values", 1): by["values", 1]}, chosen),
            position_hidden(model, 0),
            taken_out(model, (0, 0), "for keys", [1], mean),
        )
        _, cache = model(symbols)
        return model(symbols, changes=changes).logits, model(symbols[:, :1], cache).logits

    model = LanguageModel(shape).eval()
    expected = results_of(model, symbols)
    with a_gpu():
        model = model.to("cuda")
        for at in ("cpu", "cuda"):
            for one, other in zip(expected, results_of(model, symbols.to(at)), strict=True):
                assert other.device.type == "cuda"
                torch.testing.assert_close(other.cpu(), one)


MODEL, NONE = a_model(), torch.zeros(1, 30, dtype=torch.long)
PARTS_OF = recorded(MODEL, TEXT, [("found", 1), ("keys", 0)])
SHORTER = {("found", 1): PARTS_OF["found", 1][:, :, :5]}
FIVE = exchanged_at(PARTS_OF, torch.ones(5, dtype=torch.bool))
HEADS = [
    ((3, 0), "block must be .* from 0 to 2; got 3"),
    ((0, 3), "head must be .* 0 to 2; got 3"),
]
REFUSED = {
    Shape: [
        ({"size": 30, "heads": 4, "groups": 2}, "size must be a multiple of heads; got 30 and 4"),
        ({"size": 30, "heads": 3, "groups": 2}, "heads must be a multiple of groups; got 3 and 2"),
    ],
    MODEL: [
        ((torch.tensor([[5, 23]]),), "from 0 to 22; got 5 to 23"),
        ((NONE[:, :0],), "there must be a symbol to read"),
        ((NONE,), "29 positions at most; got 30"),
        ((TEXT[:, :1], MODEL(NONE[:, :3]).cache), r"cache is of 1 texts; got int64 \(2, 1\)"),
    ],
    partial(MODEL, TEXT): [
        ({"changes": changes}, error, words)
        for changes, error, words in (
            ({("wieghts", 0): abs}, ValueError, "part must be one of"),
            ({("weights", 3): abs}, ValueError, "block must be a whole number from 0 to 2; got 3"),
            ({("found", 0): lambda p: p[:1]}, ValueError, r"must return \(2, 3, 13, 10\)"),
            ({("found", 0): lambda p: p * math.inf}, ValueError, "'found', 0.* must be finite"),
            ({("keys", 2): lambda p: p.float()}, TypeError, r"'keys', 2.* must be like .* float64"),
            (
                heads_replaced(MODEL, [(1, 0)], SHORTER),
                ValueError,
                r"\(2, 3, 13, 10\) .* broadcast .* \(2, 3, 5, 10\)",
            ),
            (FIVE, ValueError, r"one length; got .*\(2, 1, 13, 10\).* and bool \(5,\)"),
            (position_hidden(MODEL, 13), ValueError, "position must be .* from 0 to 12; got 13"),
        )
    ],
    partial(MODEL, TEXT[:, :5]): [({"changes": FIVE}, r"one length; got .* and bool \(5,\)")],
    heads_replaced: [
        *(((MODEL, [(0, 0), head]), words) for head, words in HEADS),
        (
            (MODEL, [(1, 0), (2, 0)], PARTS_OF),
            r"by must hold \('found', 2\); it holds .*'keys', 0",
        ),
    ],
    taken_out: [
        *(((MODEL, head, "for keys", [2], torch.zeros(1)), words) for head, words in HEADS),
        (
            (MODEL, (1, 0), "for keys", [2, 1], torch.zeros(1)),
            "come after 1, that of the head; got 1",
        ),
        ((MODEL, (1, 0), "for keys", [3], torch.zeros(1)), "block must be .* from 0 to 2; got 3"),
        ((MODEL, (1, 0), "keys", [2], torch.zeros(1)), "part must be one of"),
    ],
}
