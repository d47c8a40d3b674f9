"""The models of the experiment `token_recall`, and that its grid is whole."""

import pytest
import torch

from attn_course.memory import LinearMemory
from attn_lab.recall import token_models


def model_of(first, memory):
    return token_models.StreamReader(first, memory).double()


def test_a_stream_has_the_pairs_first_and_asks_for_what_it_had():
    tokens, answers = token_models.streams(7, 3, 21)
    assert tokens.shape == (7, 2 * 21 + token_models.ASKED)
    for row, wanted in zip(tokens.tolist(), answers.tolist(), strict=True):
        held = {
            key: value - token_models.KEYS
            for key, value in zip(row[:42:2], row[1:42:2], strict=True)
        }
        assert [held[key] for key in row[42:]] == wanted
        assert all(0 <= value < token_models.VALUES for value in held.values())


@pytest.mark.parametrize("first", [*token_models.FIRSTS, "even"])
@pytest.mark.parametrize("memory", token_models.MEMORIES)
def test_no_position_knows_a_later_one_and_each_knows_the_first_pair(first, memory):
    model, (tokens, _) = model_of(first, memory), token_models.streams(2, 4, 9)
    before = model(tokens)
    last, early = tokens.clone(), tokens.clone()
    last[:, -1] = (last[:, -1] + 1) % token_models.KEYS
    early[:, 1] = token_models.KEYS + (early[:, 1] - token_models.KEYS + 1) % token_models.VALUES
    torch.testing.assert_close(model(last)[:, :-1], before[:, :-1])
    assert (model(early)[:, :1] == before[:, :1]).all()
    assert ((model(early)[:, 1:] - before[:, 1:]).abs().amax(dim=(0, 2)) > 1e-9).all()


def test_a_shift_knows_the_position_before_and_no_other():
    layer, vectors = (
        token_models.Shift().double(),
        torch.randn(1, 6, token_models.WIDTH, dtype=torch.float64),
    )
    changed = vectors.clone()
    changed[:, 2] += torch.randn(token_models.WIDTH, dtype=torch.float64)
    moved = (layer(changed) - layer(vectors)).abs().amax(dim=(0, 2)) > 1e-9
    assert moved.tolist() == [False, False, True, True, False, False]


def test_even_angles_tell_each_place_from_all_others():
    ones = torch.ones(1, 1, 32, 32, dtype=torch.float64)
    turned = token_models.evenly_turned(ones, torch.arange(32))[0, 0]
    torch.testing.assert_close(turned @ turned.T, 32 * torch.eye(32, dtype=torch.float64))


@pytest.mark.parametrize("rule", ["sum", "delta"])
def test_a_layer_reads_its_matrix_step_by_step(rule):
    layer = token_models.MemoryLayer(rule, 8, rotary=False).double()
    vectors = torch.randn(1, 11, token_models.WIDTH, dtype=torch.float64)
    seen = layer.norm(vectors)
    queries, keys, values = layer.projections(seen).chunk(3, dim=-1)
    queries, keys = (each / each.norm(dim=-1, keepdim=True) for each in (queries, keys))
    strengths = torch.sigmoid(layer.strength(seen)).flatten().tolist()
    stepped, found = LinearMemory(8, 8, rule, dtype=torch.float64), []
    for t, strength in enumerate(strengths):
        stepped.write(keys[:, t], values[:, t], strength)
        found.append(stepped.read(queries[:, t]))
    wanted = vectors + layer.output(layer.scale(torch.stack(found, dim=1)))
    torch.testing.assert_close(layer(vectors), wanted)


def test_a_model_learns_and_is_judged_by_the_number_of_pairs():
    model, losses = token_models.training(token_models.Condition("shift", "softmax", 60, 0.012), 0)
    assert len(losses) == 60
    found = token_models.judge(model, 0)
    assert list(found["right"]) == [str(count) for count in token_models.counts()]
    assert found["right"]["1"] > 0.9
    assert found["loss"] < 3
