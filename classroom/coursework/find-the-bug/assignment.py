# %% [markdown]
# # Find the bug
#
# Here are six models with attention, each with one classic fault. All of them run, and none raises an error.
# You find the fault in each, and write a test that would have caught it. It takes three to five
# hours. You need chapters 01 to 05 of *Attention, measured*.
#
# **What you hand in** is this notebook: six tests, answers in words, and a broken model with a test of your own. Write your code where a function says
# `raise NotImplementedError`, and your answers where a cell says *Your answer*. Keep the names of the tests.
# Import nothing but torch, NumPy and what comes with Python: the package of the course is not
# available during grading.
#
# **How it is marked.** All functions together have two minutes by the clock: what was found before they are over counts. A test is a function of a model that returns True if the model has a certain
# property, and False if it does not. Your tests are run on models that you have not seen: on
# several *sound* ones, written in other styles, with other scores, cells and parameters, and on
# broken ones with the faults of A to F. A test counts only if it returns True for *every* sound
# model. So do not compare with numbers of the sound model below, and do not test for anything that other sound models need
# not do: test what must hold for all of them. A person reads the answers in words and the open-ended task.
#
# **What a model is.** A function `model(state, annotations, lengths, steps)`, with
#
# | name | shape | what it is |
# |---|---|---|
# | `state` | (batch, 6) | the first state of the decoder |
# | `annotations` | (batch, source, 6) | the encoder's vector for each position |
# | `lengths` | (batch) | how many positions are real, at least 1; the rest is padding, which holds numbers too |
# | `steps` | a whole number, at least 1 | how many steps the decoder takes |
#
# It returns three tensors: the states after each step (batch, steps, 6), the contexts (batch, steps, 6),
# and the weights (batch, steps, source). During grading, a model takes at most 64 sentences, 256 positions and 64 steps, and one call of a test may use five CPU seconds. At each step a sound model
#
# 1. scores each annotation with the state before the step, by some score that reads both,
# 2. turns the scores into weights, by a softmax over the real positions,
# 3. averages the annotations with these weights: the context,
# 4. computes the next state from the state before the step and the context, by some cell that reads both.
#
# The sentences of a batch do not affect each other. Score and cell have parameters inside,
# different ones in each model. Computation is in float32, so results may be off by up to 0.0001. If you
# draw your inputs with `torch.randn`, any input that must have an effect has a larger one than that, but not on every single
# number: compare whole tensors, and draw more than once.

# %%
import torch

generator = torch.Generator().manual_seed(1)
W, U, A, C = (torch.randn(6, 6, generator=generator) for _ in range(4))
v = torch.randn(6, generator=generator)


def score(state, annotations):
    return torch.tanh((state @ W.T).unsqueeze(1) + annotations @ U.T) @ v


def cell(state, context):
    return torch.tanh(state @ A.T + context @ C.T)


def stacked(*results):
    return tuple(torch.stack(result, dim=1) for result in results)


def sound(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    real = torch.arange(annotations.shape[1]) < lengths.unsqueeze(1)
    for _ in range(steps):
        scores = score(state, annotations).masked_fill(~real, -1e9)
        look = torch.softmax(scores, dim=1)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        state = cell(state, context)
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


# %% [markdown]
# ## The six


# %%
def model_a(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    source = annotations.shape[1]
    places = torch.sin(torch.arange(source).unsqueeze(1) * torch.arange(1.0, 7.0))
    real = torch.arange(source) < lengths.unsqueeze(1)
    for _ in range(steps):
        scores = score(state, places.expand(len(state), -1, -1)).masked_fill(~real, -1e9)
        look = torch.softmax(scores, dim=1)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        state = cell(state, context)
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


def model_b(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    real = torch.arange(annotations.shape[1]) < lengths.unsqueeze(1)
    for _ in range(steps):
        scores = score(state, annotations).masked_fill(~real, -1e9)
        look = torch.softmax(scores, dim=1)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        new = cell(state, context)
        states.append(new)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


def model_c(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    real = torch.arange(annotations.shape[1]) < lengths.unsqueeze(1)
    for _ in range(steps):
        scores = score(state, annotations).masked_fill(real, -1e9)
        look = torch.softmax(scores, dim=1)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        state = cell(state, context)
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


def model_d(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    real = torch.arange(annotations.shape[1]) < lengths.unsqueeze(1)
    for _ in range(steps):
        scores = score(state, annotations).masked_fill(~real, -1e9)
        look = torch.softmax(scores, dim=0)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        state = cell(state, context)
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


def model_e(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    longest = int(lengths.max())
    real = torch.arange(annotations.shape[1]) < longest
    for _ in range(steps):
        scores = score(state, annotations).masked_fill(~real, -1e9)
        look = torch.softmax(scores, dim=1)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        state = cell(state, context)
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


def model_f(state, annotations, lengths, steps):
    states, contexts, looks = [], [], []
    batch, source, _ = annotations.shape
    real = torch.arange(source) < lengths.unsqueeze(1)
    for _ in range(steps):
        scores = score(state, annotations).masked_fill(~real, -1e9)
        look = torch.softmax(scores, dim=1)
        by_position = annotations.reshape(source, batch, 6)
        context = torch.einsum("bs,sbx->bx", look, by_position)
        state = cell(state, context)
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


# %% [markdown]
# This shows what a test says about each model:


# %%
MODELS = [sound, model_a, model_b, model_c, model_d, model_e, model_f]


def try_out(test):
    """What a test says about each model; about the sound one it should say True."""
    for model in MODELS:
        print(f"{test.__name__} says {bool(test(model))!s:5} of {model.__name__}")


# %% [markdown]
# ## Question 1: the faults (6 points)
#
# For each of A to F: which line is wrong, and what should it be? Answer in one sentence each.
#
# ### BEGIN SOLUTION
# A scores `places`, which depend on the positions only, instead of the annotations. B starts from the first
# state at every step; it should be `state = cell(...)`. C masks `real` instead of `~real`. D takes the softmax over the batch, `dim=0`, instead of
# the source, `dim=1`. E masks by the longest length of the batch, so the padding of shorter sentences counts; it should be `lengths.unsqueeze(1)`. F reshapes
# where it should exchange two axes: `annotations.transpose(0, 1)`.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: A scores positions, not annotations
# - 1 point: B never updates the state
# - 1 point: C masks what is real
# - 1 point: D normalises over the batch
# - 1 point: E masks by the longest sentence, so padding counts
# - 1 point: F reshapes where it should transpose, so sentences are mixed
# ### END RUBRIC

# %% [markdown]
# ## Six tests (24 points)
#
# Write a test for each fault: `test_a` must return False for models with the fault of A, and True for
# every sound model; the same holds for the others. What it returns for other faults does not matter. Draw your inputs with `torch.randn`, and
# choose the sizes with care: some faults cannot be seen in a batch of one sentence, some where no sentence is
# padded, some in the first step. Each test earns one point if it returns True for all sound models and
# False for at least one broken one, and three more if it also returns False for all models with its own
# fault.


# %%
def test_a(model):
    """True if the model does not have the fault of A."""
    ### BEGIN SOLUTION
    state, lengths = torch.randn(2, 6), torch.tensor([5, 3])
    _, _, one = model(state, torch.randn(2, 5, 6), lengths, 1)
    _, _, two = model(state, torch.randn(2, 5, 6), lengths, 1)
    return not torch.allclose(one, two, atol=1e-4)
    ### END SOLUTION


def test_b(model):
    """True if the model does not have the fault of B."""
    ### BEGIN SOLUTION
    annotations, lengths = torch.randn(2, 5, 6), torch.tensor([5, 3])
    states, _, _ = model(torch.randn(2, 6), annotations, lengths, 2)
    again, _, _ = model(states[:, 0], annotations, lengths, 1)
    return torch.allclose(states[:, 1], again[:, 0], atol=1e-4)
    ### END SOLUTION


def test_c(model):
    """True if the model does not have the fault of C."""
    ### BEGIN SOLUTION
    _, _, looks = model(torch.randn(2, 6), torch.randn(2, 5, 6), torch.tensor([3, 2]), 2)
    return bool((looks[0, :, 3:].abs() < 1e-4).all() and (looks[1, :, 2:].abs() < 1e-4).all())
    ### END SOLUTION


def test_d(model):
    """True if the model does not have the fault of D."""
    ### BEGIN SOLUTION
    _, _, looks = model(torch.randn(3, 6), torch.randn(3, 5, 6), torch.tensor([5, 4, 2]), 2)
    return torch.allclose(looks.sum(dim=2), torch.ones(3, 2), atol=1e-4)
    ### END SOLUTION


def test_e(model):
    """True if the model does not have the fault of E."""
    ### BEGIN SOLUTION
    state, annotations, lengths = torch.randn(2, 6), torch.randn(2, 5, 6), torch.tensor([5, 2])
    before = model(state, annotations, lengths, 2)
    annotations[1, 2:] = torch.randn(3, 6)
    after = model(state, annotations, lengths, 2)
    return all(torch.allclose(one, two, atol=1e-4) for one, two in zip(before, after, strict=True))
    ### END SOLUTION


def test_f(model):
    """True if the model does not have the fault of F."""
    ### BEGIN SOLUTION
    annotations = torch.randn(3, 4, 6)
    _, contexts, looks = model(torch.randn(3, 6), annotations, torch.tensor([4, 3, 2]), 2)
    return torch.allclose(contexts, looks @ annotations, atol=1e-4)
    ### END SOLUTION


# %%
try_out(test_a)

# %%
### BEGIN HIDDEN TESTS
from functools import partial

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise

_D = 6
_STYLES = ("additive", "bilinear", "scaled", "precise")
_MOST = {"sentences": 64, "positions": 256, "steps": 64}


def _model(draw: Draw, style: str, fault: str = ""):
    """A model in one of four styles, sound or with one fault."""
    strong = partial(draw.normal, scale=1.0)
    W, U, B = (strong(_D, _D) for _ in range(3))
    v = strong(_D)
    A, C, gate = (strong(_D, _D) for _ in range(3))
    places = strong(_MOST["positions"], _D)

    def score(state: Tensor, annotations: Tensor) -> Tensor:
        if style in ("additive", "precise"):
            return torch.tanh((state @ W.T)[:, None] + annotations @ U.T) @ v
        scores = torch.einsum("bx,xy,bsy->bs", state, B, annotations)
        return scores / _D**0.5 if style == "scaled" else scores / 2

    def cell(state: Tensor, context: Tensor) -> Tensor:
        new = torch.tanh(state @ A.T + context @ C.T)
        if style == "additive":
            return new
        share = torch.sigmoid(state @ gate.T) / 2
        return share * state.clamp(-1, 1) + (1 - share) * new

    def shares(scores: Tensor, real: Tensor) -> Tensor:
        longest = real.any(0, keepdim=True).expand_as(real)
        real = {"C": ~real, "E": longest}.get(fault, real)
        axis = 0 if fault == "D" else 1
        if style == "bilinear":
            scores = scores.masked_fill(~real, -1e9)  # large numbers in the padding do no harm
            powers = torch.exp(scores - scores.amax(axis, keepdim=True)) * real
            return powers / powers.sum(axis, keepdim=True).clamp(min=1e-20)
        return torch.softmax(scores.masked_fill(~real, -1e9), axis)

    def steps_of(state: Tensor, annotations: Tensor, lengths: Tensor, steps: int):
        batch, source = annotations.shape[:2]
        real = torch.arange(source) < lengths[:, None]
        outputs, first = [], state
        for _ in range(steps):
            before = first if fault == "B" else state
            read = places[:source].expand(batch, -1, -1) if fault == "A" else annotations
            look = shares(score(before, read), real)
            averaged = annotations
            if fault == "F":
                averaged = annotations.reshape(source, batch, _D).transpose(0, 1)
            context = torch.einsum("bs,bsx->bx", look, averaged)
            state = cell(before, context)
            outputs.append((state, context, look))
        return tuple(torch.stack(part, 1) for part in zip(*outputs, strict=True))

    def one_by_one(state: Tensor, annotations: Tensor, lengths: Tensor, steps: int):
        """Without any padding: each sentence is cut to its length."""
        rows = []
        for s, h, length in zip(state, annotations, lengths, strict=True):
            cut = h[None, : int(length)]
            states, contexts, looks = steps_of(s[None], cut, length[None], steps)
            padded = torch.zeros(1, steps, len(h))
            padded[..., : int(length)] = looks
            rows.append((states, contexts, padded))
        return tuple(torch.cat(part) for part in zip(*rows, strict=True))

    # without padding and batch, C to F would not show
    flow = one_by_one if style == "precise" and fault in ("", "A", "B") else steps_of

    def model(state: Tensor, annotations: Tensor, lengths: Tensor, steps: int):
        steps = _checked(state, annotations, lengths, steps)
        return flow(state.float(), annotations.float(), lengths, steps)

    kind = f"broken model, fault {fault}" if fault else "sound model"
    model.__name__ = f"a {kind} ({style})"
    return model


def _checked(state: Tensor, annotations: Tensor, lengths: Tensor, steps: int) -> int:
    """The steps, if inputs are what the text says and small: a test decides how much is computed.

    All models refuse the same inputs, so that errors do not tell them apart.
    """
    steps, (batch, source) = int(steps), annotations.shape[:2]
    for name, number in (("sentences", batch), ("positions", source), ("steps", steps)):
        if not 0 < number <= _MOST[name]:
            raise ValueError(
                f"the model was given {number} {name}, and takes 1 to {_MOST[name]} of them"
            )
    shapes = tuple(tuple(tensor.shape) for tensor in (state, annotations, lengths))
    if shapes != ((batch, _D), (batch, source, _D), (batch,)) or int(lengths.min()) < 1:
        raise ValueError(f"the model was given shapes {shapes}, or a length below 1")
    return steps


_HINTS = {
    "A": "With the same state, other annotations must give other weights. Do you change the annotations "
    "and compare the weights, and nothing that changes anyway?",
    "B": "The first step cannot show it. What the model does in step 2 is what it would do in step 1 if it began with "
    "the state in which step 1 ended.",
    "C": "Pad a sentence, and look at the weights of its padding and of its real positions.",
    "D": "The weights of one sentence at one step sum to one over the source. A batch of one "
    "shows the fault too, if the source has more than one position.",
    "E": "It shows only where a sentence is shorter than the longest of its batch: other numbers in "
    "its padding must change nothing.",
    "F": "A batch of one hides it. The context is the average of the annotations of the same sentence. "
    "So a sentence must give the same results alone as in its batch.",
}


# No answer can know which models are sound but by calling them: every model is new in each round of
# each property, all come in an order that is drawn, how many are sound is drawn as well, and sound
# and broken models have the same four styles.


def _new(draw: Draw, fault: str = ""):
    return _model(draw, _STYLES[draw.integer(len(_STYLES))], fault)


def _sound(draw: Draw, least: int) -> list:
    """So many sound models or one more, in all styles."""
    first = [_model(draw, style) for style in _STYLES]
    return first + [_new(draw) for _ in range(least + draw.integer(2) - len(first))]


def _must_find(exercise: Exercise, fault: str) -> None:
    @exercise.must(
        "It returns True for every sound model, and False for a broken one.",
        hint="The sound models here have other scores, cells and parameters than the one in the "
        "notebook, and sum in another order. Is something compared exactly, with too small a "
        "tolerance, or with numbers of one model? A test that always returns True finds nothing.",
    )
    def tells_sound_from_broken(answer: Answer, draw: Draw) -> bool:
        # each is asked twice: a False by chance would have to fall on both turns of a broken one
        sound, broken = _sound(draw, 4), [_new(draw, kind) for kind in _HINTS]
        caught = {id(model): 0 for model in broken}
        for model in draw.shuffled([*sound, *broken] * 2):
            passed = bool(answer(model=model))
            if id(model) in caught:
                caught[id(model)] += not passed
            elif not passed:
                return False
        return 2 in caught.values()

    def finds_its_fault(answer: Answer, draw: Draw) -> bool:
        broken = [_new(draw, fault) for _ in range(2 + draw.integer(2))]
        cases = [(model, True) for model in _sound(draw, 5)] + [(model, False) for model in broken]
        return all(bool(answer(model=model)) == true for model, true in draw.shuffled(cases))

    claim = (
        f"It returns False for every model with the fault of {fault}, and True for every sound one."
    )
    exercise.must(claim, hint=_HINTS[fault], points=3)(finds_its_fault)


_test_a = Exercise("test_a(model)")
_test_b = Exercise("test_b(model)")
_test_c = Exercise("test_c(model)")
_test_d = Exercise("test_d(model)")
_test_e = Exercise("test_e(model)")
_test_f = Exercise("test_f(model)")
for _fault, _exercise in zip(
    "ABCDEF", (_test_a, _test_b, _test_c, _test_d, _test_e, _test_f), strict=True
):
    _must_find(_exercise, _fault)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2: why nobody noticed (4 points)
#
# (a) Which of the six could still learn to translate well, and how would it get around its fault? Name
# one, and say what its weights would then explain. (b) Somebody tries all models on one sentence at a
# time, so that there is no padding. Which faults can then not be seen by any test, and why?
#
# ### BEGIN SOLUTION
# (a) A: its scores compare the state with positions, not with annotations. The annotations of a recurrent encoder contain what came before them, so
# their average still carries much of the sentence, above all where words keep their order. Its weights say which positions the state asked for, and not that the annotations there matched. (b) E and F. Without padding all positions are
# real, so no mask is needed. With a batch of one, a reshape from (1, source, 6) to (source, 1, 6) is the same as exchanging the two axes.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: (a) names a model and a way around its fault that exists in that model
# - 1 point: (a) says what its weights then explain, and what they do not
# - 1 point: (b) E, since without padding nothing has to be masked
# - 1 point: (b) F, since with one sentence the reshape is the same as exchanging the axes
# ### END RUBRIC

# %% [markdown]
# ## Open-ended task: a seventh fault (6 points)
#
# Break the sound model in a way of your own that would matter in practice, so that it still passes all six of your tests. Say how somebody could make this mistake. Write a seventh test that finds it, and
# argue that no sound model would fail it.


# %%
### BEGIN SOLUTION
def model_g(state, annotations, lengths, steps):
    """The cell never reads the context: attention without effect, though its weights are sound."""
    states, contexts, looks = [], [], []
    real = torch.arange(annotations.shape[1]) < lengths.unsqueeze(1)
    for _ in range(steps):
        look = torch.softmax(score(state, annotations).masked_fill(~real, -1e9), dim=1)
        context = (look.unsqueeze(1) @ annotations).squeeze(1)
        state = cell(state, torch.zeros_like(context))
        states.append(state)
        contexts.append(context)
        looks.append(look)
    return stacked(states, contexts, looks)


def test_g(model):
    state, lengths = torch.randn(2, 6), torch.tensor([5, 3])
    one, _, _ = model(state, torch.randn(2, 5, 6), lengths, 1)
    two, _, _ = model(state, torch.randn(2, 5, 6), lengths, 1)
    return not torch.allclose(one, two, atol=1e-4)


assert test_g(sound)
assert not test_g(model_g)
### END SOLUTION

# %% [markdown]
# ### BEGIN SOLUTION
# The context was to be concatenated with the embedding of the last symbol, and this line was forgotten when the
# code was moved. A sound cell reads the context, so another source must give another state.
# ### STUB
# *How somebody makes this mistake, and why no sound model fails the test*
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: the broken model runs, passes the student's six tests, and is broken in a way that matters
# - 2 points: the seventh test tells it apart from the sound model of the notebook
# - 1 point: a believable way to make the mistake
# - 1 point: an argument for every sound model, not for the one in the notebook
# ### END RUBRIC
