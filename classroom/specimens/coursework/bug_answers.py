"""Right and wrong tests for `find-the-bug`; the wrong ones beside what they lose."""

import torch

from specimens.coursework.tried import Answers

ANSWERS = Answers("find-the-bug")
wrong = ANSWERS.bad
CLOSE = 1e-4
ALL = ("tells_sound_from_broken", "finds_its_fault")


def drawn(batch=3, source=5):
    lengths = torch.tensor([source, 2, 1, 3][:batch])
    return torch.randn(batch, 6), torch.randn(batch, source, 6), lengths


def alike(one, two):
    return all(torch.allclose(*pair, atol=CLOSE) for pair in zip(one, two, strict=True))


def test_a__state_alone_decides(model):
    state, annotations, lengths = drawn()
    before = model(state, annotations, lengths, 1)[2]
    return not alike([before], [model(state, -annotations, lengths, 1)[2]])


def test_a__largest_change_of_many(model):
    changes = []
    for _ in range(10):
        state, annotations, lengths = drawn()
        before = model(state, annotations, lengths, 2)[2][:, 0]
        annotations[:, 0] += torch.randn(6)
        changes.append(float((model(state, annotations, lengths, 2)[2][:, 0] - before).abs().max()))
    return max(changes) > 1e-3


def test_b__steps_differ(model):
    states, _, _ = model(*drawn(), 4)
    return not torch.allclose(states[:, 2], states[:, 3], atol=1e-6)


def test_b__goes_on_from_there(model):
    state, *rest = drawn()
    states, contexts, _ = model(state, *rest, 3)
    return alike([contexts[:, 1:]], [model(states[:, 0], *rest, 2)[1]])


def test_c__real_positions_have_the_weight(model):
    state, annotations, lengths = drawn()
    looks = model(state, annotations, lengths, 2)[2]
    return all(abs(float(looks[b, :, :n].sum()) - 2) < 1e-3 for b, n in enumerate(lengths.tolist()))


def test_d__shares(model):
    looks = model(*drawn(), 3)[2]
    return [bool((looks >= 0).all()), bool(((looks.sum(-1) - 1).abs() < CLOSE).all())] == [True] * 2


def test_e__padding_is_not_read(model):
    state, annotations, lengths = drawn()
    looks = model(state, annotations, lengths, 1)[2]
    return float(looks[1, 0, 2:].sum() + looks[2, 0, 1:].sum()) < CLOSE


def test_e__ragged_and_all_shorter_than_the_row(model):
    state, annotations, _ = drawn(3, 7)
    lengths = torch.tensor([3, 6, 2])
    padding = torch.arange(7) >= lengths.unsqueeze(1)
    other = torch.where(padding.unsqueeze(2), 3 * torch.randn(3, 7, 6), annotations)
    return alike(model(state, annotations, lengths, 3), model(state, other, lengths, 3))


def test_f__average_of_its_own_sentence(model):
    state, annotations, lengths = drawn()
    _, contexts, looks = model(state, annotations, lengths, 3)
    return torch.allclose(contexts, looks @ annotations, atol=1e-3)


def test_f__alone_as_in_the_batch(model):
    inputs = drawn()
    together = model(*inputs, 3)
    for b in range(3):
        alone = model(*(one[b : b + 1] for one in inputs), 3)
        if not alike([one[b : b + 1] for one in together], alone):
            return False
    return True


def everything(model):
    tests = (
        *(test_a__state_alone_decides, test_b__goes_on_from_there, test_d__shares),
        *(test_c__real_positions_have_the_weight, test_f__alone_as_in_the_batch),
    )
    return all(test(model) for test in tests)


def test_e__all_at_once(model):
    return torch.tensor(everything(model))


@wrong(*ALL)
def test_c__without_return(model):
    looks = model(*drawn(), 1)[2]
    assert float(looks.sum()) > 0


@wrong(*ALL)
def test_e__numbers_of_one_model(model):
    torch.manual_seed(0)
    states, _, _ = model(*drawn(), 1)
    return abs(float(states[0, 0, 0]) - 0.71) < CLOSE


@wrong(*ALL)
def test_f__error_in_the_test(model):
    states, contexts, looks = model(*drawn(), 2)
    return alike([contexts], [looks * states])


@wrong("finds_its_fault")
def test_e__without_padding(model):
    state, annotations, _ = drawn()
    looks = model(state, annotations, torch.full((3,), 5), 1)[2]
    return bool(((looks.sum(-1) - 1).abs() < CLOSE).all())


@wrong("finds_its_fault")
def test_e__all_of_one_length(model):
    state, annotations, _ = drawn()
    other = annotations.clone()
    other[:, 4] = 0
    lengths = torch.full((3,), 4)
    return alike(model(state, annotations, lengths, 2), model(state, other, lengths, 2))


@wrong(*ALL)
def test_f__with_one_sentence(model):
    state, annotations, _ = drawn(1)
    _, contexts, looks = model(state, annotations, torch.tensor([5]), 2)
    return torch.allclose(contexts, looks @ annotations, atol=CLOSE)


@wrong("finds_its_fault")
def test_b__first_step_only(model):
    state, annotations, lengths = drawn()
    states = model(state, annotations, lengths, 1)[0]
    looks = model(states[:, 0], annotations, lengths, 1)[2]
    return bool(((looks.sum(-1) - 1).abs() < CLOSE).all())


def test_b__two_steps_are_one_and_one(model):
    state, *rest = drawn()
    both = model(state, *rest, 2)
    once = model(both[0][:, 0], *rest, 1)
    return alike([one[:, 1] for one in both], [one[:, 0] for one in once])


def test_c__as_if_there_were_no_padding(model):
    state, annotations, lengths = drawn()
    contexts = model(state, annotations, lengths, 2)[1]
    alone = model(state[1:2], annotations[1:2, :2], lengths[1:2], 2)[1]
    return alike([contexts[1:2]], [alone])


def test_d__alone_as_in_the_batch(model):
    inputs = drawn()
    alone = model(*(one[:1] for one in inputs), 2)[2]
    return alike([model(*inputs, 2)[2][:1]], [alone])


wrong("finds_its_fault")(
    test_a__sums=lambda model: test_d__shares(model),
    test_c__sums=lambda model: test_d__shares(model),
    test_d__padding_has_no_weight=lambda model: test_e__padding_is_not_read(model),
    test_f__sums=lambda model: test_d__shares(model),
)
wrong(*ALL)(
    test_a__always_true=lambda model: True,
    test_a__every_position_must_be_read=lambda model: bool((model(*drawn(), 3)[2] > 0.01).all()),
    test_b__always_false=lambda model: False,
    test_c__always_true=lambda model: True,
    test_d__sums_compared_exactly=lambda model: bool((model(*drawn(), 7)[2].sum(-1) == 1).all()),
    test_d__no_position_has_it_all=lambda model: bool((model(*drawn(), 1)[2] < 0.999).all()),
)
