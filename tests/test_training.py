"""Training: seeds, schedule, interrupts; and that a model does learn."""

import io
import itertools
import math
from dataclasses import replace
from functools import partial

import jaxtyping
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.optimizer import register_optimizer_step_pre_hook

from attn_course import training
from attn_course.measures import exact_match
from attn_course.models.translator import bahdanau
from attn_course.search import answer
from attn_course.tasks.corpus import Batch, Corpus
from attn_course.tasks.vocabulary import PADDING, Vocabulary
from attn_course.training import Enough, Settings, loss_on, teacher_forced_loss, train

LETTERS = Vocabulary("abcdefg")


RANDOM = np.random.default_rng(0)
WORDS = ["".join(RANDOM.choice(list("abcdefg"), RANDOM.integers(2, 5))) for _ in range(701)]
PAIRS = [(word, word[::-1]) for word in WORDS]
CORPUS, FEW = (Corpus(pairs, LETTERS, LETTERS) for pairs in (PAIRS, PAIRS[:83]))
QUICK = Settings(epochs=1, batch_size=97)


def build():
    return bahdanau(len(LETTERS), len(LETTERS), embedding_size=11, encoder_size=13, state_size=17)


def watched(note):
    """Builds a model that tells `note` whenever it runs."""

    def make():
        model = build()
        model.register_forward_pre_hook(lambda model, _: note(model))
        return model

    return make


def assert_same(one, other):
    assert all(map(torch.equal, one.parameters(), other.parameters()))


def test_the_same_seed_gives_the_same_model_and_another_seed_another():
    before = torch.get_rng_state()
    one, first = train(build, CORPUS, seed=3, settings=QUICK)
    two, second = train(build, CORPUS, seed=3, settings=QUICK)
    _, third = train(build, CORPUS, seed=4, settings=QUICK)
    assert first.losses == second.losses != third.losses
    assert torch.equal(torch.get_rng_state(), before), "the caller's random state is left alone"
    assert_same(one, two)


def test_the_shapes_of_the_first_step_stand_for_all_and_are_checked_again_afterwards():
    unchecked = []
    model = watched(lambda _: unchecked.append(jaxtyping.config.jaxtyping_disable))
    train(model, CORPUS, settings=QUICK)
    assert unchecked == [False] + [True] * (len(unchecked) - 1)
    assert len(unchecked) > 2
    with pytest.raises(jaxtyping.TypeCheckError):
        build().decoder.look(torch.zeros(2, 3, 17), None)


def test_the_model_is_validated_as_it_will_be_used_and_trained_as_one_that_learns():
    validated, trained = [], []

    def validate(model):
        validated.append((model.training, torch.is_grad_enabled()))
        return 0.5

    settings = replace(QUICK, check_every=3)
    making = watched(lambda model: trained.append(model.training))
    model, history = train(making, CORPUS, validate, settings=settings)
    assert set(validated) == {(False, False)}
    assert set(trained) == {True}
    assert len(trained) > len(validated) > 2
    every = [*range(3, len(history.losses) + 1, 3), len(history.losses)]
    assert history.checked_at == sorted(set(every))
    assert torch.is_grad_enabled()
    assert not model.training


def steps_of(corpus=CORPUS, **settings):
    """The gradients' norms at each step, the parameters before and after, and the rates."""
    norms, places, rates = [], [], []

    def watch(optimiser, *_):
        [group] = optimiser.param_groups
        gradients = [p.grad for p in group["params"] if p.grad is not None]
        norms.append(torch.stack([gradient.norm() for gradient in gradients]).norm().item())
        places.append([p.detach().clone() for p in group["params"]])
        rates.append(group["lr"])

    hook = register_optimizer_step_pre_hook(watch)
    try:
        model, _ = train(build, corpus, settings=Settings(**settings))
    finally:
        hook.remove()
    places.append([p.detach().clone() for p in model.parameters()])
    return norms, places, rates


def test_without_memory_each_step_is_as_long_as_the_rate():
    # with betas of 0, Adam uses only the sign of the gradient, so the settings determine the step
    quick = {"epochs": 1, "batch_size": 701, "weight_decay": 0.0, "warm_up": 2}
    _, places, rates = steps_of(betas=(0.0, 0.0), **quick)
    assert len(places) == len(rates) + 1 > 3
    for before, after, rate in zip(places, places[1:], rates, strict=False):
        moved = torch.cat([(b - a).abs().flatten() for a, b in zip(before, after, strict=True)])
        moved = moved[moved > 0]
        assert moved.max() == pytest.approx(rate, rel=1e-3)
        assert moved.median() == pytest.approx(rate, rel=1e-2)
    _, places, rates = steps_of(**quick)
    moved = places[2][0] - places[1][0]
    assert (moved.abs() / rates[1] - 1).abs().max() > 0.1  # with memory it is not so


def test_a_symbol_that_never_comes_only_decays():
    quick = {"epochs": 1, "batch_size": 301, "learning_rate": 0.1, "warm_up": 3, "floor": 0.3}
    _, places, rates = steps_of(weight_decay=0.5, **quick)
    steps = len(rates)
    expected = [0.1 * min((n + 1) / 3, 0.3 + 0.7 * (1 - n / steps)) for n in range(steps)]
    assert rates == pytest.approx(expected)
    product = math.prod(1 - 0.5 * rate for rate in rates)
    before, after = places[0][0][PADDING], places[-1][0][PADDING]  # no source has padding in it
    torch.testing.assert_close(after, product * before)


def test_no_gradient_is_longer_than_it_may_be():
    quick = {"epochs": 1, "batch_size": 301}
    free, _, _ = steps_of(clip=1e6, **quick)
    clip = sorted(free)[len(free) // 2]
    clipped, _, _ = steps_of(clip=clip, **quick)
    assert clipped[0] == pytest.approx(min(free[0], clip), rel=1e-4)
    assert max(clipped) <= clip * 1.001
    assert max(free) > clip


def test_a_gradient_is_that_of_its_own_batch():
    # symbols that do not occur have no gradient, so nothing may be left over
    words = [("aa", "aa"), ("bbb", "bbb")]  # two batches, each of one length
    _, places, _ = steps_of(
        Corpus(words, LETTERS, LETTERS), epochs=1, weight_decay=0.0, betas=(0.0, 0.0)
    )
    numbers = [LETTERS.encode(letter)[0] for letter in "ab"]
    moved = [
        [bool((after[0][n] != before[0][n]).any()) for n in numbers]
        for before, after in itertools.pairwise(places)
    ]
    assert sorted(moved) == [[False, True], [True, False]]


def test_the_threads_are_given_back():
    threads, before = [], torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        making = watched(lambda _: threads.append(torch.get_num_threads()))
        train(making, CORPUS, settings=replace(QUICK, batch_size=701))
        assert ({*threads}, torch.get_num_threads()) == ({1}, 2)
    finally:
        torch.set_num_threads(before)


@pytest.mark.slow
def test_it_learns_to_reverse():
    def validate(model):
        sources, targets = zip(*PAIRS[:53], strict=True)
        answers = answer(model, list(sources), LETTERS, LETTERS)
        return exact_match([result.text for result in answers], targets)

    settings = Settings(epochs=20, batch_size=64, check_every=50)
    model, history = train(build, CORPUS, validate, settings=settings)
    assert history.scores[-1] > 0.9 > history.scores[0]
    assert history.losses[-1] < 0.1 < history.losses[0]
    assert history.checked_at[-1] == len(history.losses) == 20 * CORPUS.count_batches(64)
    assert not model.training


@pytest.mark.parametrize("scores", [[0.2, 0.7, 0.4], [0.7, 0.7, 0.1]])
def test_an_interrupt_keeps_the_best_so_far_and_the_last_of_those_as_good(scores):
    calls = []

    def validate(model):
        calls.append({name: part.clone() for name, part in model.state_dict().items()})
        if len(calls) == 4:
            raise KeyboardInterrupt
        return scores[len(calls) - 1]

    settings = Settings(epochs=3, batch_size=97, check_every=2)
    model, history = train(build, CORPUS, validate, settings=settings)
    assert history.interrupted
    assert history.scores == scores
    assert all(torch.equal(part, calls[1][name]) for name, part in model.state_dict().items())


@pytest.mark.parametrize("validated", [False, True])
def test_an_interrupt_before_any_model_was_validated_is_raised(validated):
    def stop(model):
        raise KeyboardInterrupt

    class Stopped(Corpus):
        def batches(self, *arguments):
            yield from list(super().batches(*arguments))[:2]
            raise KeyboardInterrupt

    corpus = CORPUS if validated else Stopped(PAIRS, LETTERS, LETTERS)
    with pytest.raises(KeyboardInterrupt):
        train(build, corpus, stop if validated else None, settings=replace(QUICK, check_every=1))


def test_the_rate_rises_and_falls():
    settings = Settings(warm_up=10, floor=0.1)
    rates = [settings.rate(step, 200) for step in range(200)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == pytest.approx(rates[9], abs=0.05)
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] == pytest.approx(0.1 + 0.9 / 200)
    with pytest.raises(ValueError, match="step must"):
        settings.rate(200, 200)


class Uniform(nn.Module):
    def forward(self, sources, lengths, targets):
        return torch.zeros(*targets.shape, len(LETTERS)), None


def test_the_loss_of_knowing_nothing_is_ln_of_the_symbols_and_padding_does_not_count():
    targets = torch.tensor([[5, 6, 2], [7, 2, PADDING]])
    batch = Batch(torch.ones(2, 3, dtype=torch.long), torch.tensor([3, 3]), targets)
    assert teacher_forced_loss(Uniform(), batch).item() == pytest.approx(math.log(len(LETTERS)))

    class KnowsAllButPadding(nn.Module):
        def forward(self, sources, lengths, targets):
            logits = 50 * torch.nn.functional.one_hot(targets, len(LETTERS)).float()
            logits[targets == PADDING] = torch.randn(len(LETTERS))
            return logits, None

    assert teacher_forced_loss(KnowsAllButPadding(), batch).item() < 1e-6


def test_the_loss_on_pairs_is_the_mean_over_all_their_symbols():
    torch.manual_seed(1)
    model, surprises = build().eval(), []
    for pair in PAIRS[:83]:  # more than one batch, of several lengths
        source, target = (
            torch.tensor([LETTERS.encode(text, end)])
            for text, end in zip(pair, (False, True), strict=True)
        )
        logits, _ = model(source, torch.tensor([source.shape[1]]), target)
        surprises += F.cross_entropy(logits[0], target[0], reduction="none").tolist()
    assert loss_on(model, FEW) == pytest.approx(np.mean(surprises), rel=1e-5)


def test_a_loss_that_is_not_finite_stops_the_training():
    def broken():
        model = build()
        nn.init.constant_(model.decoder.readout.bias, math.inf)
        return model

    with pytest.raises(FloatingPointError, match="learning rate"):
        train(broken, CORPUS)


def test_the_chapters_were_measured_with_these_settings():
    """Changing one of these changes what every chapter has measured, so it must be deliberate."""
    assert Settings() == Settings(
        **{"epochs": 2, "batch_size": 128, "check_every": 80},
        **{"learning_rate": 0.012, "warm_up": 30, "floor": 0.02},
        **{"weight_decay": 0.01, "betas": (0.9, 0.99), "clip": 1.0, "guidance": 0.0},
    )


def test_plain_lines_outside_of_jupyter(capsys):
    train(build, CORPUS, settings=QUICK, title="<words>")
    lines = capsys.readouterr().out.splitlines()
    assert 3 <= len(lines) <= 12
    assert all(line.startswith("<words>: step ") and "loss" in line for line in lines)
    assert "left" in lines[0]
    assert "left" not in lines[-1]


@pytest.mark.parametrize(("options", "seed"), [({"seed": 7}, 7), ({}, 0)])
def test_without_a_title_the_seed_is_told(options, seed, capsys):
    train(build, CORPUS, settings=Settings(epochs=1, batch_size=701), **options)
    printed = capsys.readouterr().out.splitlines()
    assert all(line.startswith(f"seed {seed}: ") for line in printed)


def test_it_takes_the_gpu_when_there_is_one(monkeypatch):
    for there, expected in ((True, "cuda"), (False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=there: there)
        assert training.device().type == expected


# ---- going on after a stop


class StoppingKeeper:
    """A keeper that writes the state down after some steps and stops there."""

    def __init__(self, stop):
        self.stop, self.steps, self.file = stop, [], io.BytesIO()

    def begin(self):
        if not self.file.tell():
            return None
        self.file.seek(0)
        return torch.load(self.file, weights_only=True)

    def after(self, done, state):
        self.steps.append(done)
        if done == self.stop:
            torch.save(state(), self.file)
            raise KeyboardInterrupt


def forgetful():
    """A model whose every step depends on the random state."""
    model = build()
    hook = lambda encoder, _, output: F.dropout(output, 0.3, encoder.training)  # noqa: E731
    model.encoder.register_forward_hook(hook)
    return model


def wavy(model):
    """A score that is neither the best at the end nor the same at any two steps."""
    return math.sin(1e4 * float(next(model.parameters()).sum()))


@pytest.mark.parametrize("stop", [1, 3, 4, 11])
def test_a_training_that_was_stopped_ends_as_one_that_was_not(stop):
    inputs = (forgetful, FEW, wavy)
    options = {"seed": 5, "settings": Settings(epochs=2, batch_size=17, check_every=2)}
    whole, history = train(*inputs, **options)
    steps, keeper = len(history.losses), StoppingKeeper(stop)
    assert stop < steps
    with pytest.raises(KeyboardInterrupt):
        train(*inputs, **options, keeper=keeper)
    keeper.stop = None
    again, later = train(*inputs, **options, keeper=keeper)
    assert keeper.steps == [*range(1, stop + 1), *range(stop + 1, steps + 1)]
    for name in ("losses", "scores", "checked_at", "interrupted"):
        assert getattr(later, name) == getattr(history, name), name
    assert_same(whole, again)


def test_a_training_that_was_stopped_after_its_last_step_is_done(capsys):
    inputs = {"corpus": FEW, "settings": Settings(epochs=1, batch_size=17)}
    whole, history = train(build, **inputs)
    keeper = StoppingKeeper(len(history.losses))
    with pytest.raises(KeyboardInterrupt):
        train(build, **inputs, keeper=keeper)
    capsys.readouterr()
    again, later = train(build, **inputs, keeper=keeper)
    assert "stopped early" not in capsys.readouterr().out
    assert later.losses == history.losses
    assert_same(whole, again)


def test_the_time_before_a_stop_counts(monkeypatch):
    keeper = StoppingKeeper(2)
    settings = QUICK
    with pytest.raises(KeyboardInterrupt):
        train(build, CORPUS, settings=settings, keeper=keeper)
    state = keeper.begin()
    state["history"]["seconds"] = 1e6
    monkeypatch.setattr(keeper, "begin", lambda: state)
    keeper.stop = None
    _, history = train(build, CORPUS, settings=settings, keeper=keeper)
    assert 1e6 < history.seconds < 1e6 + 1e3


@pytest.mark.parametrize("more", [0, 1])
def test_the_random_states_of_gpus_are_put_back_where_there_are_as_many(monkeypatch, more):
    states, put_back = [torch.get_rng_state()] * (torch.cuda.device_count() + more), []
    monkeypatch.setattr(torch.cuda, "get_rng_state_all", lambda: states)
    monkeypatch.setattr(torch.cuda, "set_rng_state_all", lambda new: put_back.append(len(new)))
    inputs, keeper = (build, CORPUS), StoppingKeeper(2)
    with pytest.raises(KeyboardInterrupt):
        train(*inputs, settings=QUICK, keeper=keeper)
    keeper.stop = None
    train(*inputs, settings=QUICK, keeper=keeper)
    assert put_back == ([] if more else [len(states)])


def test_an_interrupt_is_left_to_the_keeper():
    settings = Settings(epochs=1, batch_size=97, check_every=1)
    with pytest.raises(KeyboardInterrupt):  # though models have been validated
        train(build, CORPUS, wavy, settings=settings, keeper=StoppingKeeper(3))


def test_a_keeper_that_has_enough_ends_the_training_there(capsys):
    class Sated(StoppingKeeper):
        def after(self, done, state):
            super().after(done, state)
            if done == 3:
                raise Enough

    settings = Settings(epochs=2, batch_size=97)
    model, history = train(build, CORPUS, settings=settings, keeper=Sated(None))
    assert len(history.losses) == 3
    assert not model.training
    assert not history.interrupted
    assert "(stopped early)" in capsys.readouterr().out


class Half:
    """Half of a keeper, which knows one of the two methods."""

    def __init__(self, name):
        setattr(self, name, lambda *_: None)


# ---- guided alignment


def backwards(pair):
    return np.eye(len(pair.source), dtype=bool)[::-1]


GUIDED = Corpus(PAIRS, LETTERS, LETTERS, backwards)


def test_the_alignment_loss_by_hand():
    weights = torch.randn(2, 3, 5, dtype=torch.float64).softmax(dim=-1)
    links = torch.zeros(2, 3, 5, dtype=torch.bool)
    links[0, 0, 3] = links[0, 2, 1] = links[0, 2, 4] = links[1, 1, 0] = True  # two rows have none
    masses = [weights[0, 0, 3], weights[0, 2, 1] + weights[0, 2, 4], weights[1, 1, 0]]
    expected = -sum(math.log(mass) for mass in masses) / 3
    assert training.alignment_loss(weights, links).item() == pytest.approx(expected)
    on_the_link = links[:1, :1].double()
    assert training.alignment_loss(on_the_link, links[:1, :1]).item() == 0
    assert training.alignment_loss(weights, links & False).item() == 0


def test_a_weight_of_zero_has_a_finite_loss_and_no_gradient():
    weights = torch.zeros(1, 1, 3, requires_grad=True)
    loss = training.alignment_loss(weights, torch.tensor([[[False, True, False]]]))
    loss.backward()
    assert loss.item() == pytest.approx(-math.log(1e-9))
    assert weights.grad.abs().sum() == 0


def test_guidance_is_added_and_off_by_default():
    torch.manual_seed(1)
    model = build()
    [batch, *_] = Corpus(PAIRS[:7], LETTERS, LETTERS, backwards).batches(
        7, np.random.default_rng(0)
    )
    plain = teacher_forced_loss(model, batch)
    _, weights = model(*batch[:3])
    expected = plain + 0.7 * training.alignment_loss(weights, batch.links)
    torch.testing.assert_close(teacher_forced_loss(model, batch, 0.7), expected)
    assert expected > plain
    torch.testing.assert_close(teacher_forced_loss(model, batch._replace(links=None)), plain)


@pytest.mark.slow
def test_a_guided_model_looks_where_it_is_told():
    def looks_right(guidance):
        settings = Settings(epochs=2, batch_size=23, guidance=guidance)
        model, _ = train(build, GUIDED, settings=settings)
        batches = GUIDED.batches(701, np.random.default_rng(0))
        with torch.no_grad():
            parts = [(model(*batch[:3])[1], batch.links) for batch in batches]
        return [training.alignment_loss(*part).item() for part in parts]

    for guided, free in zip(looks_right(1.0), looks_right(0.0), strict=True):  # by length
        assert guided < 0.8 * free


REFUSED = {
    Settings: [
        *(
            ({"betas": betas}, (ValueError, TypeError), "betas")
            for betas in ((0.9, 1.0), (1.5, 0.9), (-0.1, 0.9))
        ),
        ({"guidance": math.inf}, r"guidance must be .* finite; got inf"),
    ],
    partial(train, build, CORPUS): [
        ({"settings": Settings(guidance=0.5)}, "guidance needs gold links"),
        *(
            ({"keeper": wrong}, TypeError, "keeper must be of the type Keeper")
            for wrong in (3, Half("begin"), Half("after"))
        ),
    ],
    training.alignment_loss: [
        (
            (torch.full((1, 3, 5), wrong), torch.ones(1, 3, 5) > 0),
            "weights must be shares from 0 to 1",
        )
        for wrong in (-0.1, 1.1, math.nan)
    ],
}
