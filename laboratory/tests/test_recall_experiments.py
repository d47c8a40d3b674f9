"""The experiments on memories: what each keeps, by pairs and in a stream of tokens."""

import pytest
import torch
from torch.nn import functional as F

from attn_course.memory import LinearMemory, memory_state
from attn_lab.measuring import held
from attn_lab.recall import memories, token_models
from attn_lab.recall import memory_models as kinds
from attn_lab.recall.memories import loss_on

# ---- memories


KEYS, VALUES, SIZE, PAIRS = 29, 11, 5, 23


def recaller(memory, size=SIZE):
    return kinds.Recaller(memory, size, KEYS, VALUES).double()


def some_vectors():
    keys = F.normalize(torch.randn(2, PAIRS, SIZE, dtype=torch.float64), dim=-1)
    return keys, torch.randn(2, PAIRS, SIZE, dtype=torch.float64)


@pytest.mark.parametrize("memory", ["sum", "delta", "decay"])
def test_a_matrix_is_read_as_the_memory_step_by_step(memory):
    model, (keys, values) = recaller(memory), some_vectors()
    rule = "delta" if memory == "delta" else "sum"
    decay = torch.sigmoid(model.kept).item() if memory == "decay" else 1.0
    stepped = LinearMemory(SIZE, SIZE, rule, decay, batch=2, dtype=torch.float64)
    for t in range(PAIRS):
        stepped.write(keys[:, t], values[:, t])
    recalled = model.recall(keys, values, keys)
    for t in range(PAIRS):
        torch.testing.assert_close(recalled[:, t], stepped.read(keys[:, t]))


def test_a_normalised_memory_answers_with_averages():
    model, (keys, _) = recaller("elu + 1"), some_vectors()
    ones = torch.ones_like(keys)
    torch.testing.assert_close(model.recall(keys, ones, keys), ones)


def test_softmax_knows_no_order_age_does_and_the_window_forgets():
    keys, values = some_vectors()
    turned = keys.flip(1), values.flip(1)
    for memory, same in (("softmax", True), ("age", False), ("window", False)):
        model = recaller(memory)
        alike = torch.allclose(model.recall(keys, values, keys), model.recall(*turned, keys))
        assert alike == same, memory
    weights = recaller("window").weights(keys, keys)
    assert (weights[..., -kinds.WINDOW :] > 0).all()
    assert not weights[..., : -kinds.WINDOW].any()
    alike = keys[:, :1].expand(-1, PAIRS, -1)
    newer = recaller("age").weights(alike, keys)
    assert (newer.diff(dim=-1) > 0).all(), "of equal keys the newest weighs most"


def test_a_gru_has_as_many_numbers_as_the_matrix_and_differs_in_what_it_is_given():
    keys, values = some_vectors()
    for memory in ("GRU", "GRU, read", "GRU, both"):
        model = recaller(memory)
        assert model.cell.hidden_size == SIZE * SIZE
        assert model.cell.input_size == (SIZE * SIZE if memory == "GRU, both" else 2 * SIZE)
        assert model.recall(keys, values, keys[:, :7]).shape == (2, 7, SIZE)


def test_a_gru_set_by_hand_is_a_memory_of_outer_products():
    """What a GRU lacks is not room: these weights make it the sum, in the same numbers."""
    model, (keys, values) = recaller("GRU, both"), some_vectors()
    small, closed, entries = 1e-3, 12.0, SIZE * SIZE
    with torch.no_grad():
        for parameter in model.cell.parameters():
            parameter.zero_()
        model.cell.weight_ih_l0[2 * entries :] = small * torch.eye(entries) / SIZE
        model.cell.bias_ih_l0[entries : 2 * entries] = closed  # the state is kept
    recalled = model.recall(keys, values, keys)
    shrunk = small * torch.sigmoid(torch.tensor(-closed, dtype=torch.float64)).item()
    expected = keys @ memory_state(keys, values, "sum").mT
    torch.testing.assert_close(recalled / shrunk, expected, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("task", ["once", "twice", "copy"])
def test_the_answer_to_a_query_is_in_the_list(task):
    some = kinds.lists_of(task, 7, 1, 5)
    assert torch.equal(some.values.gather(1, some.places), some.answers)
    assert torch.equal(some.keys.gather(1, some.places), some.queries)
    if task == "copy":
        assert torch.equal(some.answers, some.values)
        assert not torch.equal(some.values, kinds.lists_of(task, 7, 1, 5, "test").values)


def test_training_helps_and_the_same_seed_gives_the_same_memory():
    condition = kinds.Condition("once", "sum", 8, 40, 0.03)
    model = kinds.trained(condition, 1)
    assert loss_on(model, "once", 2) < loss_on(kinds.build(condition, 1), "once", 2) - 0.1
    kinds.trained.cache_clear()
    again = kinds.trained(condition, 1).state_dict().values()
    assert all(map(torch.equal, model.state_dict().values(), again))


def test_ages_and_errors_are_those_of_a_loop():
    model = kinds.Recaller("delta", 7)
    numbers = kinds.by_age(model, 3, 8, lists=16)
    some = kinds.lists_of("once", 16, 3, 8, "test")
    right = kinds.recalled(model, some)
    by_hand = [[] for _ in range(4)]
    for row in range(16):
        for query in range(8):
            by_hand[some.places[row, query] // 2].append(right[row, query].item())
    assert numbers["ages"] == pytest.approx([sum(answers) / len(answers) for answers in by_hand])
    assert numbers["ages"][-1] > numbers["ages"][0]
    assert 0 < numbers["error"] < 1


def test_what_is_held_is_read_off_between_two_counts():
    assert held({"1": 1.0, "2": 0.95, "4": 0.85}) == pytest.approx(3)
    assert held({"1": 1.0, "2": 0.95}) == 2
    assert held({"1": 0.8, "2": 0.95}) == 0
    assert held({"2": 1.0, "4": 0.0}, 0.5) == 3


def test_all_of_the_plan_can_be_built_and_is_tested_as_far_as_it_was_trained():
    for task, memory, sizes in memories.PLAN:
        assert max(kinds.counts(task, memory)) == kinds.longest(task, memory)
        assert memory in kinds.MEMORIES
        assert kinds.build(kinds.Condition(task, memory, sizes[0], 1, 0.1), 0).size == sizes[0]


# ---- token_recall


def model_of(first, memory):
    return token_models.StreamReader(first, memory).double()


def test_a_stream_has_the_pairs_first_and_asks_for_what_it_had():
    tokens, answers = token_models.streams(7, 3, 21)
    assert tokens.shape == (7, 2 * 21 + token_models.QUERIED)
    for row, wanted in zip(tokens.tolist(), answers.tolist(), strict=True):
        value_of = {
            key: value - token_models.KEYS
            for key, value in zip(row[:42:2], row[1:42:2], strict=True)
        }
        assert [value_of[key] for key in row[42:]] == wanted
        assert all(0 <= value < token_models.VALUES for value in value_of.values())


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
    inputs = layer.norm(vectors)
    queries, keys, values = layer.projections(inputs).chunk(3, dim=-1)
    queries, keys = (vectors_ / vectors_.norm(dim=-1, keepdim=True) for vectors_ in (queries, keys))
    strengths = torch.sigmoid(layer.strength(inputs)).flatten().tolist()
    stepped, outputs = LinearMemory(8, 8, rule, dtype=torch.float64), []
    for t, strength in enumerate(strengths):
        stepped.write(keys[:, t], values[:, t], strength)
        outputs.append(stepped.read(queries[:, t]))
    wanted = vectors + layer.output(layer.scale(torch.stack(outputs, dim=1)))
    torch.testing.assert_close(layer(vectors), wanted)


def test_a_model_learns_and_is_judged_by_the_number_of_pairs():
    model, losses = token_models.training(token_models.Condition("shift", "softmax", 60, 0.012), 0)
    assert len(losses) == 60
    result = token_models.judge(model, 0)
    assert list(result["right"]) == [str(count) for count in token_models.counts()]
    assert result["right"]["1"] > 0.9
    assert result["loss"] < 3
