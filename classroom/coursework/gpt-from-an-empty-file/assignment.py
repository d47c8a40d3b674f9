# %% [markdown]
# # GPT from an empty file
#
# You write a language model of the kind that GPT, Llama and SmolLM are, in one cell of at most 100
# lines. It takes three to four hours. You need the chapters *Self-attention*, *Write a language model*
# and *Cheaper attention* of *Attention, measured*.
#
# **What you hand in** is this notebook: your file in the first cell of code, `take` in Part 9, and your answers where a cell says
# *Your answer*. Import nothing but torch and what comes with Python: the package of the course is
# not available during grading. `nn.Linear`, `nn.Embedding`, `nn.RMSNorm`, `nn.LayerNorm` and PyTorch's softmax and cross entropy are
# allowed. PyTorch's ready-made attention and Transformers (`scaled_dot_product_attention`,
# `nn.MultiheadAttention`, `nn.TransformerEncoderLayer`) are not. The file has at most 100 lines that are not blank.
#
# **What must be in the file**, by these names and with these arguments:
#
# | name | what it is |
# |---|---|
# | `Config(tokens, size, heads, groups, blocks, hidden, base, epsilon)` | sizes, in this order, later found under these names: how many tokens there are; the entries of a position's vector; heads; groups of heads that share keys and values; blocks; hidden entries of the feed-forward network; the base of the rotary angles; the epsilon of the norms. `size` is a multiple of `heads`, `heads` of `groups`, and `size / heads` is even. |
# | `rotate(x, first, base)` | rotary positions: turns `x` (…, position, d), whose first position is number `first` |
# | `attend(q, k, v)` | causal attention: `q` (batch, head, asking, d), `k` and `v` (batch, group, asked, d) |
# | `Attention(config)` | a module; called with `x` (batch, position, size) and perhaps what it kept before; returns what it found (batch, position, size) and what it keeps |
# | `Block(config)` | a module; called in the same way |
# | `LanguageModel(config)` | a module; called with `tokens` (batch, position), whole numbers, and perhaps a cache; returns logits (batch, position, tokens) and a cache |
# | `generate(model, tokens, count, temperature, top)` | returns `tokens` (batch, position) and `count` new ones behind them |
# | `loss(model, tokens)` | the loss that such a model is trained with, one number |
#
# What a cache looks like is up to you. So are the names of weights, biases, one matrix for queries,
# keys and values or three, a readout of its own or the embeddings once more, dropout (which must
# be off in `eval()`), and how you write it: with `einsum`, with loops over heads, or in another way.
#
# **How it is marked.** By what the file does, never by how it reads. Part by part, your functions are
# called on small inputs, with sizes and numbers other than those shown here, and every property that
# holds earns its points, even if others fail. A property that an answer can have without computing anything
# counts only beside one that takes computing. A mistake in `attend` or `rotate` also shows in the parts that are
# built from them, so begin there. All parts together have two minutes by the clock; your own file
# needs some ten seconds of them. A person reads the answers in words.

# %%
import torch

# %%
# Run this cell. What Part 2 forbids then raises an error in its example, too.
### INSERT ../../attn_class/forbidden.py

# %% [markdown]
# ## Your file (2 points)
#
# Replace everything in this cell. Until then all names below stand for what is not written yet.
#
# ### BEGIN RUBRIC
# - 1 point: at most 100 lines that are not blank, none of which holds several statements to save lines
# - 1 point: nothing is imported but torch and the standard library, and no ready-made attention or Transformer is used
# ### END RUBRIC


# %%
### BEGIN SOLUTION
### INSERT ../../../attn_course/from_scratch/gpt.py
def loss(model, tokens):
    logits, _ = model(tokens[:, :-1])
    return nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


### STUB
# class Unwritten:
#     def __init__(self, *_, **__):
#         raise NotImplementedError
#
#
# Config = rotate = attend = Attention = Block = LanguageModel = generate = loss = Unwritten
### END SOLUTION

# %% [markdown]
# The functions of the next cell call yours. They are the only ones that the grader calls, so leave them as they are.
# `drawn` fills all matrices of one of your modules with random numbers: what is tested does not depend on how you begin.


# %%
def drawn(kind, sizes, scale=1.0):
    """One of your modules, whose matrices hold random numbers, and all numbers times ``scale``."""
    torch.manual_seed(1)
    module = kind(Config(*sizes)).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() > 1:
                parameter.normal_(std=parameter.shape[-1] ** -0.5)
            parameter.mul_(scale)
    return module


def turned(x, first, base):
    return rotate(x, first, base)


def attended(q, k, v):
    return attend(q, k, v)


def looked(sizes, x):
    """What your attention finds, and how many numbers it has to learn."""
    attention = drawn(Attention, sizes)
    return attention(x)[0], sum(part.numel() for part in attention.parameters())


def passed(sizes, x, scale):
    """What your block makes of x."""
    return drawn(Block, sizes, scale)(x)[0]


def read(sizes, tokens, cuts):
    """The logits of your model, which reads the tokens in pieces that end at these cuts."""
    model, cache, parts = drawn(LanguageModel, sizes), None, []
    for piece in tokens.tensor_split(cuts, dim=1):
        logits, cache = model(piece, cache) if parts else model(piece)
        parts.append(logits)
    return torch.cat(parts, dim=1)


class Sums(torch.nn.Module):
    """A model without attention: its logits are the sums of a table's rows, of all tokens so far."""

    def __init__(self, table):
        super().__init__()
        self.table = table

    def forward(self, tokens, cache=None):
        sums = (0 if cache is None else cache) + self.table[tokens].cumsum(dim=1)
        return sums, sums[:, -1:].clone()


def lost(table, tokens):
    """Your loss of that model, and the gradient that reaches the table."""
    table = table.clone().requires_grad_()
    value = loss(Sums(table), tokens)
    return value.detach(), torch.autograd.grad(value, table)[0]


def written(table, tokens, count, temperature, top):
    """What you generate with that model."""
    return generate(Sums(table), tokens, count, temperature, top)


def trained(sizes, texts, answers, test, steps):
    """The logits for the test, after so many steps in which the texts are read."""
    model = LanguageModel(Config(*sizes))
    optimizer = torch.optim.AdamW(model.parameters(), 0.01)
    for _ in range(steps):
        logits = model(texts)[0].flatten(0, 1)
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(logits, answers.flatten()).backward()
        optimizer.step()
    return model.eval()(test)[0].detach()


def compared(sizes, names, weights, tokens):
    """The logits of your model with the weights of another one."""
    model = LanguageModel(Config(*sizes)).eval()
    take(model, dict(zip(names, weights, strict=True)))
    return model(tokens)[0].detach()


# %% [markdown]
# ## Part 1: rotary positions (6 points)
#
# $d / 2$ pairs of entries are turned, the pair $m$ of position $p$ by the angle $p \cdot
# \text{base}^{-2m/d}$ in radians, from the first entry of the pair towards the second. Which entries are a pair is up to you: $(2m, 2m + 1)$, or $(m, m + d/2)$.
# Only Part 9 needs the first kind, which is what its weights were made for.

# %%
result = turned(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), 0, 10_000.0)
assert torch.allclose(result, torch.tensor([[1.0, 0.0], [0.5403, 0.8415]]), atol=1e-4), result

# %%
### BEGIN HIDDEN TESTS
from functools import partial

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, case, same, shaped
from attn_course.models.language_model import LanguageModel, Shape

_BATCH, _POSITION, _HALF, _GROUPS = Size(1, 5), Size(4, 7), Size(2, 3), Size(2, 3)
_turned = Exercise("turned(x, first, base)")


@_turned.draws
def _to_turn(draw: Draw) -> dict:
    x = draw.normal(_BATCH, _GROUPS, _POSITION, 2 * draw[_HALF], scale=1.0)
    return {"x": x, "first": 1 + draw.integer(9), "base": 100.0 + draw.integer(900)}


@_turned.must_also(
    "Position 0 stays as it is.",
    hint="Its angles are all 0. Do positions begin with 1? Is `first` added twice?",
)
def position_0_stays(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs |= {"first": 0, "x": inputs["x"][..., :1, :]}
    return answer.gives(inputs["x"], **inputs)


@_turned.must_also(
    "What is turned keeps its length.",
    hint="(a, b) becomes (a cos − b sin, a sin + b cos): one sign is a minus.",
)
def lengths_stay(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs).norm(dim=-1), inputs["x"].norm(dim=-1))


@_turned.must_also(
    "The product of two vectors depends on the difference of their positions only.",
    hint="Turn each vector by its own position: the angles of a pair are subtracted in the product. "
    "Is an angle a square or a root of the position, or are positions counted from the end?",
)
def differences_count(answer: Answer, draw: Draw, inputs: dict) -> bool:
    both = []
    for first in (inputs["first"], inputs["first"] + 7):
        result = answer(**inputs | {"first": first})
        both.append(result @ result.transpose(-1, -2))
    return torch.allclose(*both, atol=1e-3)


@_turned.must(
    "The first pair turns by one radian per position.",
    hint="Its two entries are 0 and 1, or 0 and d/2. Is `first` left out, so that a token behind a cache is taken for the "
    "first one? Is it turned from the second entry to the first, or in degrees?",
)
def first_pair_turns(answer: Answer, draw: Draw, inputs: dict) -> bool:
    result = answer(**inputs)
    return any(same(result[..., pair], wanted[..., pair]) for wanted, pair in _both_ways(**inputs))


@_turned.must(
    "Every pair is turned by its own angle: position · base^(−2m/d).",
    hint="The first pair turns by one radian per position, the next ones more slowly. Is the exponent "
    "positive, is it m/d instead of 2m/d, or is 10,000 written where `base` was given?",
    points=2,
)
def angles_are_right(answer: Answer, draw: Draw, inputs: dict) -> bool:
    result = answer(**inputs)
    return any(same(result, wanted) for wanted, _ in _both_ways(**inputs))


def _both_ways(x: Tensor, first: int, base: float) -> list[tuple[Tensor, list[int]]]:
    """With pairs of neighbours and of halves: what is turned, and the entries of the first pair."""
    entries, both = torch.arange(x.shape[-1]), []
    frequencies = base ** (-2 * torch.arange(len(entries) // 2) / len(entries))
    angles = (first + torch.arange(x.shape[-2]))[:, None] * frequencies
    for a, b in (entries.view(-1, 2).T, entries.view(2, -1)):
        turned = torch.complex(x[..., a], x[..., b]) * torch.exp(1j * angles)
        result = x.clone()
        result[..., a], result[..., b] = turned.real, turned.imag
        both.append((result, [int(a[0]), int(b[0])]))
    return both


### END HIDDEN TESTS

# %% [markdown]
# ## Part 2: attention (11 points)
#
# $$\text{head}_h = \text{softmax}\!\left(\frac{q_h k_g^\top}{\sqrt d} + \text{mask}\right) v_g$$
#
# The heads of a group share keys and values: with 6 heads and 2 groups, heads 0, 1, 2 read group 0, and heads 3, 4, 5 read group 1.
# Each position reads itself and those before it. There may be fewer queries than keys, as there are when a cache holds what was read before: the queries then belong to
# the *last* positions. Return (batch, head, asking, d). PyTorch's own attention, such as `scaled_dot_product_attention`, raises an error here.

# %%
with without("attention"):
    result = attended(torch.zeros(1, 1, 2, 2), torch.ones(1, 1, 3, 2), torch.eye(3, 2)[None, None])
assert torch.allclose(result[0, 0], torch.tensor([[1 / 2, 1 / 2], [1 / 3, 1 / 3]])), result


# %%
### BEGIN HIDDEN TESTS
_attended = Exercise("attended(q, k, v)", without=["attention"])


@_attended.draws
def _to_attend(draw: Draw) -> dict:
    heads, d = 2 * draw[_GROUPS], 2 * draw[_HALF]
    q = draw.normal(_BATCH, heads, _POSITION, d, scale=1.0)
    k, v = (draw.normal(_BATCH, _GROUPS, _POSITION, d, scale=1.0) for _ in range(2))
    return {"q": q, "k": k, "v": v}


def _by_loops(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Query by query, without a mask."""
    contexts, before = torch.zeros_like(q), k.shape[2] - q.shape[2]
    for b, h, i in torch.cartesian_prod(*map(torch.arange, q.shape[:3])).tolist():
        g, read = h * k.shape[1] // q.shape[1], before + i + 1
        powers = ((k[b, g, :read] @ q[b, h, i]) / q.shape[-1] ** 0.5).exp()
        contexts[b, h, i] = (powers / powers.sum()) @ v[b, g, :read]
    return contexts


@_attended.must_also(
    "A later position changes nothing that earlier ones find.",
    hint="In row i of the scores, the columns behind i are masked, before the softmax. Is the mask upside "
    "down (tril for triu)? Is it applied to the weights, whose sum the later scores have changed already?",
    points=2,
)
def attention_is_causal(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, place = answer(**inputs), 1 + draw.integer(draw[_POSITION] - 1)
    for name in ("k", "v"):
        inputs[name] = torch.cat([inputs[name][:, :, :place], -inputs[name][:, :, place:]], dim=2)
    return same(answer(**inputs)[:, :, :place], before[:, :, :place])


@_attended.must_also(
    "The first position finds its own value.",
    hint="It reads itself and nothing else. NaN: its whole row is masked, so the mask begins one too "
    "early; triu(0) takes the diagonal, too. Another value: the mask begins too late, or is upside down.",
)
def first_finds_itself(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["k"], inputs["v"] = (inputs[name].repeat_interleave(2, dim=1) for name in ("k", "v"))
    return same(answer(**inputs)[:, :, 0], inputs["v"][:, :, 0])


@_attended.must_also(
    "If all values are equal, that value is found.",
    hint="The weights of a query sum to one over the positions that are asked, the last axis of the scores. "
    "Is the softmax over another axis, or are weights masked after it?",
)
def weights_sum_to_one(answer: Answer, draw: Draw, inputs: dict) -> bool:
    value = draw.normal(inputs["v"].shape[-1])
    result = answer(**inputs | {"v": value.expand_as(inputs["v"]).clone()})
    return same(result, value.expand_as(inputs["q"]))


@_attended.must(
    "A group's keys and values reach its own heads and no others.",
    hint="With 2 groups, the first half of the heads reads group 0. `repeat_interleave` gives 0 0 0 1 1 1; "
    "`repeat`, `expand` and `tile` give 0 1 0 1 0 1. Does anything add up or normalise over heads?",
    points=2,
)
def groups_have_their_heads(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, group = answer(**inputs), draw.integer(_GROUPS)
    changed = {name: inputs[name].clone() for name in ("k", "v")}
    for tensor in changed.values():
        tensor[:, group] = draw.normal(*tensor[:, group].shape, scale=2.0)
    moved = ((answer(**inputs | changed) - before).abs() > 1e-5).any(-1).any(-1)
    heads = torch.arange(2 * draw[_GROUPS]) // 2 == group
    return same(moved, heads.expand_as(moved))


@_attended.must_also(
    "Fewer queries than keys are those of the last positions.",
    hint="With a cache, one query meets all keys so far, and nothing of them is masked: query i of n may read "
    "the first m − n + i + 1 of m keys. `torch.ones(n, m).triu(1 + m - n)` is the future.",
)
def queries_are_the_last(answer: Answer, draw: Draw, inputs: dict) -> bool:
    last = 1 + draw.integer(draw[_POSITION] - 1)
    whole = answer(**inputs)[:, :, -last:]
    return answer.gives(whole, **inputs | {"q": inputs["q"][:, :, -last:]})


@_attended.must(
    "The last position reads every position, itself included.",
    hint="Another value at any of them changes what it finds, in every head. Is the mask upside down, does it "
    "take the diagonal, or is it a window?",
)
def last_reads_all(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["q"] /= 4  # no weight is next to nothing
    before = answer(**inputs)
    for place in range(draw[_POSITION]):
        v = inputs["v"].clone()
        v[:, :, place] += 10.0
        result = answer(**inputs | {"v": v})
        if not ((result - before)[:, :, -1].abs().amax(-1) > 1e-4).all():
            return False
    return True


@_attended.must(
    "Weights are a softmax of q · k / √d.",
    hint="If everything else holds, it is the scale: d is the size of one head, not of all, and its root "
    "divides the scores once. Without it the softmax saturates in wide heads.",
    points=3,
)
def attention_is_right(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(_by_loops, **inputs)


### END HIDDEN TESTS

# %% [markdown]
# ## Part 3: a module of attention (7 points)
#
# It makes queries, keys and values of `x`, turns queries and keys by their positions, attends, and mixes what the heads
# found with one more matrix. `groups` sets of keys and values are made, no more.

# %%
result, numbers = looked((11, 12, 2, 1, 1, 8, 100.0, 1e-5), torch.ones(1, 3, 12))
assert result.shape == (1, 3, 12), result.shape

# %%
### BEGIN HIDDEN TESTS
_TOKENS, _HIDDEN = Size(6, 11), Size(7, 13)
_looked = Exercise("looked(sizes, x)")


def _sizes(draw: Draw, **changed: float) -> dict:
    heads = 2 * draw[_GROUPS]
    sizes = {"tokens": draw[_TOKENS], "size": heads * 2 * draw[_HALF], "heads": heads}
    sizes |= {"groups": draw[_GROUPS], "blocks": 2, "hidden": draw[_HIDDEN]}
    return sizes | {"base": 50.0 + draw.integer(100), "epsilon": 1e-5} | changed


@_looked.draws
def _to_look(draw: Draw) -> dict:
    sizes = _sizes(draw)
    x = draw.normal(_BATCH, _POSITION, sizes["size"], scale=1.0)
    return {"sizes": tuple(sizes.values()), "x": x}


@_looked.must_also(
    "A later position changes nothing that earlier ones find.",
    hint="If `attended` is causal and this is not, the heads are cut wrongly: view(batch, heads, position, d) mixes "
    "positions with heads. Cut the last axis in two, view(batch, position, heads, d), then transpose(1, 2).",
    points=2,
)
def module_is_causal(answer: Answer, draw: Draw, inputs: dict) -> bool:
    (before, _), place = answer(**inputs), 1 + draw.integer(draw[_POSITION] - 1)
    inputs["x"] = torch.cat([inputs["x"][:, :place], -inputs["x"][:, place:]], dim=1)
    return same(answer(**inputs)[0][:, :place], before[:, :place])


@_looked.must_also(
    "Where all positions hold the same vector, all find the same.",
    hint="An average of equal values is that value, whatever the weights are. Are the values turned, too? "
    "Only queries and keys are. Are weights divided by a sum over another axis?",
    points=2,
)
def equals_find_the_same(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["x"] = inputs["x"][:, :1].expand_as(inputs["x"]).clone()
    result, _ = answer(**inputs)
    return torch.allclose(result, result[:, :1].expand_as(result), atol=1e-4)


@_looked.must(
    "The order of the earlier positions counts.",
    hint="Exchanging two of them must change what the last one finds. Without rotary positions it cannot: are queries and "
    "keys turned, each with its own positions, and is the result of `rotate` used?",
)
def order_counts(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, _ = answer(**inputs)
    order = [1, 0, *range(2, draw[_POSITION])]
    result, _ = answer(**inputs | {"x": inputs["x"][:, order]})
    return bool(((result - before)[:, -1].abs().amax(-1) > 1e-4).all())


@_looked.must(
    "Every group that is left out saves its matrices of keys and values.",
    hint="With g groups, keys and values have g · d entries each, and queries have heads · d. Are all heads "
    "made, and only some of them used?",
    points=2,
)
def groups_save_numbers(answer: Answer, draw: Draw) -> bool:
    sizes = _sizes(draw)
    x, few, many = torch.ones(1, 2, sizes["size"]), sizes["groups"], sizes["heads"]
    numbers = [
        answer(sizes=tuple((sizes | {"groups": groups}).values()), x=x)[1] for groups in (few, many)
    ]
    rows = 2 * (many - few) * sizes["size"] // many
    return numbers[1] - numbers[0] in (rows * sizes["size"], rows * (sizes["size"] + 1))


### END HIDDEN TESTS

# %% [markdown]
# ## Part 4: a block (4 points)
#
# A vector for each position, the *residual stream*, runs through all blocks. A block adds to it what attention finds, and then what a
# feed-forward network of `hidden` entries makes of the sum. Attention and network are given what a norm makes of the stream; the stream itself is never normalised.

# %%
x = torch.randn(1, 3, 12)
assert torch.equal(passed((11, 12, 2, 1, 1, 8, 100.0, 1e-5), x, 0.0), x)

# %%
### BEGIN HIDDEN TESTS
_passed = Exercise("passed(sizes, x, scale)")


@_passed.must_also(
    "A block whose matrices are zero changes nothing.",
    hint="x + attention(norm(x)), then x + network(norm(x)). Is x left out of a sum, replaced by norm(x), or "
    "is the sum normalised? norm(x + ..) is the order of 2017; here the norm comes first.",
    points=2,
)
def zeros_change_nothing(answer: Answer, draw: Draw) -> bool:
    inputs = _to_look(draw)
    return answer.gives(inputs["x"], **inputs, scale=0.0)


@_passed.must(
    "What a block adds does not depend on how long the vectors are.",
    hint="A norm makes vectors of one length of whatever attention and network are given. Is one of the two given x itself? (The vectors here are so long that what is added changes them by little.)",
    points=2,
)
def norms_come_first(answer: Answer, draw: Draw) -> bool:
    inputs, added = _to_look(draw), []
    for length in (2_000.0, 6_000.0):
        x = length * inputs["x"]
        added.append(answer(**inputs | {"x": x}, scale=1.0) - x)
    return bool(added[0].abs().mean() > 0.05) and torch.allclose(*added, atol=0.05)


### END HIDDEN TESTS

# %% [markdown]
# ## Part 5: the model and its cache (9 points)
#
# Embeddings, blocks, one more norm, and logits of the *next* token at every position. The second result goes into the next call,
# with the tokens that follow: these may be one or several. What was read before is not read again.

# %%
tokens, sizes = torch.randint(11, (1, 5)), (11, 12, 2, 1, 2, 8, 100.0, 1e-5)
whole, pieces = read(sizes, tokens, ()), read(sizes, tokens, (2, 3))
assert whole.shape == (1, 5, 11), whole.shape
assert torch.allclose(whole, pieces, atol=1e-4)

# %%
### BEGIN HIDDEN TESTS
_read = Exercise("read(sizes, tokens, cuts)")


@_read.draws
def _to_read(draw: Draw) -> dict:
    sizes = _sizes(draw)
    return {"sizes": tuple(sizes.values()), "tokens": _drawn_tokens(draw), "cuts": ()}


def _drawn_tokens(draw: Draw) -> Tensor:
    rows, columns, tokens = draw[_BATCH, _POSITION, _TOKENS]
    return torch.tensor([[draw.integer(tokens) for _ in range(columns)] for _ in range(rows)])


def _with_another(draw: Draw, inputs: dict, place: int) -> dict:
    """One token of each row exchanged for another."""
    tokens = inputs["tokens"].clone()
    tokens[:, place] = (tokens[:, place] + 1) % draw[_TOKENS]
    return inputs | {"tokens": tokens}


@_read.must_also(
    "A later token changes no earlier logit.",
    hint="A model that sees what it is to predict learns to copy it, its loss is almost 0, and what it "
    "generates is noise. Look at `attended` and `looked` first. If they hold: does anything else "
    "mix positions, such as a norm over the wrong axis?",
    points=2,
)
def model_is_causal(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, place = answer(**inputs), 1 + draw.integer(draw[_POSITION] - 1)
    after = answer(**_with_another(draw, inputs, place))
    return torch.allclose(after[:, :place], before[:, :place], atol=1e-4)


@_read.must(
    "The first token changes the logits of every position.",
    hint="One row of logits for each position, (batch, position, tokens), all of which have read the first. "
    "Do all blocks come one after the other, and is what the last one returns read out?",
    points=2,
)
def first_token_is_read(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before, after = answer(**inputs), answer(**_with_another(draw, inputs, 0))
    is_whole = shaped(before, *draw[_BATCH, _POSITION, _TOKENS])
    return is_whole and bool(((after - before).abs().amax(-1) > 1e-5).all())


@_read.must_also(
    "Each text of a batch is read as if it were alone.",
    hint="Is the batch mixed with another axis, by a reshape or a transpose too many, or averaged over?",
)
def texts_are_alone(answer: Answer, draw: Draw, inputs: dict) -> bool:
    together = answer(**inputs)[-1:]
    alone = answer(**inputs | {"tokens": inputs["tokens"][-1:]})
    return torch.allclose(alone, together, atol=1e-4)


@_read.must_also(
    "One token at a time, with the cache, gives what all at once give.",
    hint="The new token's position is the number of those in the cache: does `rotate` begin with 0 again? "
    "Are the keys of the cache turned a second time? Does each block have a cache of its own, and does the new query read all of it, and itself?",
    points=2,
)
def one_by_one(answer: Answer, draw: Draw, inputs: dict) -> bool:
    whole, cuts = answer(**inputs), tuple(range(1, draw[_POSITION]))
    return torch.allclose(answer(**inputs | {"cuts": cuts}), whole, atol=1e-4)


@_read.must_also(
    "Several tokens at a time, with the cache, give what all at once give.",
    hint="If one at a time is right, it is the mask: several new tokens read all of the cache, but not what comes "
    "after each of them. Is there no mask as soon as there is a cache?",
    points=2,
)
def piece_by_piece(answer: Answer, draw: Draw, inputs: dict) -> bool:
    whole, cuts = answer(**inputs), (1 + draw.integer(draw[_POSITION] - 2),)
    return torch.allclose(answer(**inputs | {"cuts": cuts}), whole, atol=1e-4)


### END HIDDEN TESTS

# %% [markdown]
# ## Part 6: the loss (5 points)
#
# `loss(model, tokens)` calls `model(tokens)` for its logits and a cache. It is the mean of $-\log p(\text{next token})$, in nats, over all
# tokens of the batch that have one before them. Here the model is one whose logits are sums of a table's rows.

# %%
result, gradient = lost(torch.zeros(4, 4), torch.tensor([[0, 1, 2]]))
assert torch.allclose(result, torch.tensor(4.0).log()), result


# %%
### BEGIN HIDDEN TESTS
def _loss(table: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Token by token; the gradient is that of the sums."""
    total, gradient = 0.0, torch.zeros_like(table)
    for row in tokens.tolist():
        for place in range(1, len(row)):
            shares = table[row[:place]].sum(0).softmax(0)
            total -= float(shares[row[place]].log())
            for token in row[:place]:
                gradient[token] += shares - torch.eye(len(table))[row[place]]
    count = tokens[:, 1:].numel()
    return torch.tensor(total / count), gradient / count


def _to_lose(draw: Draw) -> dict:
    return {"table": draw.normal(_TOKENS, draw[_TOKENS]), "tokens": _drawn_tokens(draw)}


def _sure(draw: Draw) -> dict:
    """A text in an order that each row of the table says, and takes back what was said before."""
    order = draw.shuffled(range(draw[_TOKENS]))
    table = torch.zeros(len(order), len(order))
    for place in range(len(order) - 1):
        table[order[place], order[place + 1]] = 50.0
        table[order[place], order[place]] -= 50.0 * (place > 0)
    return {"table": table, "tokens": torch.tensor([order])}


def _parallel(one: Tensor, two: Tensor) -> bool:
    return float(one.flatten() @ two.flatten()) > 0.99 * float(one.norm() * two.norm()) > 0


_lost = Exercise(
    "lost(table, tokens)",
    solution=_loss,
    cases={
        "sure_and_right": case(_sure, lambda both: both[0] < 1e-3, weak=True, points=2)(
            "A model that is sure of the next token, and right, has a loss of 0.",
            "The logits at position i are about token i + 1: logits[:, :-1] beside tokens[:, 1:]. Without that shift a "
            "model learns to repeat what it has just read; with a shift the other way, to say what came before.",
        ),
        "loss_is_right": case(_to_lose, lambda both: both[0], points=2)(
            "It is the mean of −log p over all tokens but the first of each text.",
            "A softmax over the tokens, the last axis; natural logarithms; a mean, not a sum; every position counts the same. "
            "Was a softmax taken before a function that takes logits?",
        ),
        "loss_has_a_gradient": case(_to_lose, lambda both: both[1], alike=_parallel)(
            "Its gradient reaches the logits.",
            "A model learns through it. If the loss is right and this is not, something cuts the graph: item(), detach(), "
            "no_grad(), or a tensor made anew from numbers.",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 7: generation (9 points)
#
# The first call reads the given tokens, each further one the token that has just been written, with the cache. With `temperature=0` the
# likeliest token is taken; otherwise one is drawn from softmax(logits / temperature), and if `top` is not 0, from the `top` likeliest only.

# %%
result = written(torch.eye(3).roll(1, 1) - torch.eye(3), torch.tensor([[0]]), 2, 0.0, 0)
assert result.tolist() == [[0, 1, 2]], result

# %%
### BEGIN HIDDEN TESTS
_written = Exercise("written(table, tokens, count, temperature, top)")
_COUNT, _MANY = Size(3, 7), 1_500


@_written.draws
def _to_write(draw: Draw) -> dict:
    inputs = {
        "table": draw.normal(_TOKENS, draw[_TOKENS], scale=1.0),
        "tokens": _drawn_tokens(draw),
    }
    return inputs | {"count": draw[_COUNT], "temperature": 0.0, "top": 0}


@_written.must_also(
    "The given tokens come first, and `count` new ones behind them.",
    hint="Concatenate along the positions, dim=1, with a new column (batch, 1) in each step.",
)
def count_are_added(answer: Answer, draw: Draw, inputs: dict) -> bool:
    result, tokens = answer(**inputs), inputs["tokens"]
    is_whole = shaped(result, len(tokens), tokens.shape[1] + inputs["count"])
    return is_whole and same(result[:, : tokens.shape[1]], tokens)


@_written.must(
    "At temperature 0 each new token is the likeliest after all that stands before it.",
    hint="The argmax of the last position's logits, for each text of the batch. After the first call only the new token is read, "
    "together with the cache that the last call returned: without the cache the past is forgotten; with all tokens *and* the cache it is read twice.",
    points=3,
)
def likeliest_are_taken(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs |= {"tokens": inputs["tokens"][:, :2], "count": inputs["count"] + 5}
    wanted = inputs["tokens"]
    for _ in range(inputs["count"]):
        new = inputs["table"][wanted].sum(1).argmax(-1, keepdim=True)
        wanted = torch.cat([wanted, new], dim=1)
    return answer.gives(wanted, **inputs)


def _shares(answer: Answer, draw: Draw, temperature: float, top: int) -> tuple[Tensor, Tensor]:
    """What is drawn after each of two tokens, as shares of many texts, and what should be."""
    tokens = draw[_TOKENS]
    table = torch.stack([_spread(draw, tokens) + 5.0 * row for row in range(tokens)])
    prompts = torch.arange(2).repeat(_MANY)[:, None]
    result = answer(table=table, tokens=prompts, count=1, temperature=temperature, top=top)
    counted = torch.stack([result[row::2, -1].long().bincount(minlength=tokens) for row in (0, 1)])
    likely = table[:2].argsort(-1, descending=True).argsort(-1) < (top or tokens)
    wanted = (table[:2] / temperature).masked_fill(~likely, -torch.inf).softmax(-1)
    return counted / _MANY, wanted


def _spread(draw: Draw, tokens: int) -> Tensor:
    return torch.tensor(draw.shuffled(torch.linspace(-4.0, 4.0, tokens).tolist()))


@_written.must(
    "A temperature divides the logits: below 1 the likeliest gain, above 1 the others do.",
    hint="softmax(logits / temperature), then torch.multinomial. Is the temperature multiplied, does it divide "
    "the shares, or is it left out? Is the likeliest always taken?",
    points=2,
)
def temperature_divides(answer: Answer, draw: Draw) -> bool:
    for temperature in (0.4, 3.0):
        shares, wanted = _shares(answer, draw, temperature, 0)
        if (shares - wanted).abs().max() > 0.08:
            return False
    return True


@_written.must(
    "Of the `top` likeliest each is drawn, and no other.",
    hint="What is smaller than the top-th largest logit becomes −infinity, *before* the softmax: a logit of 0 is no chance of 0. "
    "The top-th itself is kept, and each text of a batch has its own. Is one too many or too few kept?",
    points=2,
)
def top_are_kept(answer: Answer, draw: Draw) -> bool:
    top = 2 + draw.integer(2)
    shares, wanted = _shares(answer, draw, 2.0, top)
    return same(shares > 0, wanted > 0)


@_written.must(
    "Among the `top` likeliest, chances are those of their logits.",
    hint="Filter, divide by the temperature, then the softmax: the chances of those that are left sum to one. Are all of them drawn alike?",
)
def top_have_their_chances(answer: Answer, draw: Draw) -> bool:
    shares, wanted = _shares(answer, draw, 1.0, 4)
    return bool((shares - wanted).abs().max() < 0.1)


### END HIDDEN TESTS

# %% [markdown]
# ## Part 8: it learns (4 points)
#
# `trained` makes a small model and trains it for 80 steps on a text that repeats itself. Counted pairs cannot tell which token follows: they see one
# token only. A model that reads what came before can.

# %%
text = torch.tensor([0, 1, 0, 2, 3, 1, 3, 0, 2, 1] * 12)
windows = text.unfold(0, 20, 7)
logits = trained(
    (4, 32, 4, 2, 2, 48, 100.0, 1e-5), windows[:, :-1], windows[:, 1:], windows[:2, :-1], 80
)
print(torch.nn.functional.cross_entropy(logits.flatten(0, 1), windows[:2, 1:].flatten()))

# %%
### BEGIN HIDDEN TESTS
_trained = Exercise("trained(sizes, texts, answers, test, steps)")


def _nats(answer: Answer, draw: Draw) -> tuple[float, float]:
    """The loss of counted pairs, and of the model where half of the text has been read."""
    period = torch.tensor(draw.shuffled([0, 1, 2, 3] * 3))
    pairs = torch.zeros(4, 4).index_put((period, period.roll(-1)), torch.ones(()), accumulate=True)
    counted = -(pairs / 12 * (pairs / pairs.sum(1, keepdim=True)).clamp(min=1e-9).log()).sum()
    windows = torch.stack([period.roll(-shift).repeat(3)[:25] for shift in range(12)])
    sizes = (4, 32, 4, 2, 2, 48, 100.0, 1e-5)
    test = windows[draw.integer(12)][None]
    inputs = {"sizes": sizes, "texts": windows[:, :-1], "answers": windows[:, 1:]}
    logits = answer(**inputs, test=test[:, :-1], steps=80)
    chances = logits.double().log_softmax(-1)[0].gather(-1, test[0, 1:, None])
    return float(counted), float(-chances[12:].mean())


@_trained.must(
    "After 80 steps its loss is below that of counted pairs.",
    hint="It reads no more than the last token, if as much. Do gradients reach all weights, or is something detached? "
    "Does attention see earlier positions? Is the loss NaN? Are first logits so large that training only makes them smaller: what is the "
    "spread of the embeddings, if they also read out?",
    points=2,
)
def beats_pairs(answer: Answer, draw: Draw) -> bool:
    counted, trained = _nats(answer, draw)
    return trained < counted


@_trained.must(
    "After 80 steps its loss is below a tenth of that of counted pairs.",
    hint="It learns, and slowly: is a part missing on the way, such as positions, a residual connection, or the network?",
    points=2,
)
def knows_the_text(answer: Answer, draw: Draw) -> bool:
    counted, trained = _nats(answer, draw)
    return trained < counted / 10


### END HIDDEN TESTS

# %% [markdown]
# ## Part 9: the weights of another model (7 points)
#
# Now your model takes trained weights, as it could take those of SmolLM2. Write `take(model, weights)`, which copies them into your model. `weights` has a tensor for each
# of these names, where *b* is the number of a block, and matrices are written as `nn.Linear` has them, (out, in):
#
# | name | what it is |
# |---|---|
# | `embedding.weight` | the embeddings (tokens, size), which also read out: logits are their products with what the last norm returns |
# | `blocks.`*b*`.norm.weight`, `blocks.`*b*`.network_norm.weight` | of the two norms; these are RMSNorms: $g \circ x / \sqrt{\text{mean}(x^2) + \epsilon}$ |
# | `blocks.`*b*`.query_projection.weight`, `…key_projection…`, `…value_projection…` | queries, keys and values, head by head |
# | `blocks.`*b*`.output_projection.weight` | mixes what the heads found |
# | `blocks.`*b*`.network.gate.weight`, `…up…`, `…down…` | the network: $W_\text{down}(\text{silu}(W_\text{gate}\,x) \circ W_\text{up}\,x)$ |
# | `norm.weight` | of the last norm |
#
# There are no biases: if your model has some, make them zero. **This part, and only this one, needs the same
# model**: RMSNorm, this network, and rotary pairs of neighbours, $(2m, 2m + 1)$. `take` is not counted among the 100 lines.


# %%
### BEGIN SOLUTION
MINE = {".network_norm.": ".norm2.", ".norm.": ".norm1.", ".network.": "."} | {
    f".{theirs}_projection.": f".attention.{theirs[0]}."
    for theirs in ("query", "key", "value", "output")
}


def take(model, weights):
    for name, weight in weights.items():
        for theirs, mine in MINE.items():
            name = name.replace(theirs, mine)
        model.get_parameter(name).data.copy_(weight)


### STUB
# def take(model, weights):
#     raise NotImplementedError
### END SOLUTION


# %%
### BEGIN HIDDEN TESTS
def _logits(sizes: tuple, names: tuple, weights: tuple, tokens: Tensor) -> Tensor:
    """Those of the course's model with these weights."""
    model = _other_model(sizes)
    for name, weight in zip(names, weights, strict=True):
        model.get_parameter(name).data = weight
    return model(tokens).logits.detach()


def _other_model(sizes: tuple) -> LanguageModel:
    named = ("symbols", "size", "heads", "groups", "blocks", "hidden_size", "base", "epsilon")
    return LanguageModel(Shape(**dict(zip(named, sizes, strict=True))))


def _to_take(draw: Draw, off: tuple = (), **changed: float) -> dict:
    """Weights of such a model; the matrices called ``off`` are zero."""
    sizes, weights = tuple(_sizes(draw, **changed).values()), {}
    for name, old in _other_model(sizes).named_parameters():
        numbers = draw.normal(*old.shape, scale=1.0)
        matrix = numbers * (not any(part in name for part in off)) / old.shape[-1] ** 0.5
        weights[name] = matrix if old.dim() > 1 else 1 + numbers / 3
    names, numbers = tuple(weights), tuple(weights.values())
    return {"sizes": sizes, "names": names, "weights": numbers, "tokens": _drawn_tokens(draw)}


_taken = partial(case, alike=lambda one, two: torch.allclose(one.float(), two, atol=1e-3))
_compared = Exercise(
    "compared(sizes, names, weights, tokens)",
    solution=_logits,
    cases={
        "embeddings_are_taken": _taken(lambda draw: _to_take(draw, ("output_projection", "down")))(
            "Without attention and network, logits are those of the other model.",
            "What is left are embeddings, the last norm and the readout, which is the matrix of embeddings once more. "
            "Does the last norm have its weights? Does your readout take the embeddings, too?",
        ),
        "network_is_taken": _taken(
            lambda draw: _to_take(draw, ("output_projection",), epsilon=0.1), points=2
        )(
            "With the network alone, logits are those of the other model.",
            "down(silu(gate(x)) · up(x)): are gate and up exchanged, or is it another network? Does `network_norm` belong to it, and is its epsilon that of the Config?",
        ),
        "attention_is_taken": _taken(
            lambda draw: _to_take(draw, ("down",), groups=2 * draw[_GROUPS]), points=2
        )(
            "With attention alone, logits are those of the other model.",
            "If Parts 1 to 3 hold: are pairs halves instead of neighbours in `rotate`? Is one matrix for all made of "
            "queries, keys and values in this order, and cut in this order? Is a weight transposed?",
        ),
        "all_is_taken": _taken(_to_take, points=2)(
            "With all of it, and shared keys and values, logits are those of the other model.",
            "If the three above hold, it is the groups, as in Part 2; or the network reads x without what attention has added.",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 1: what you wrote (5 points)
#
# (a) Somebody leaves the mask out. What happens to the loss in training, and what does the model generate afterwards? Why does nothing raise an error?
# (b) Keys lie in the cache turned. Why need they not be turned again when the text grows? (c) A model has 30 blocks, 9 heads, 3 groups, and 64 entries
# for each head. How many bytes does its cache take for a text of 8,192 tokens in 16 bits, and how many without groups?
#
# ### BEGIN SOLUTION
# (a) The loss falls almost to 0, since position i reads token i + 1, which it is to predict. In generation there is no such token yet, so the model
# writes noise. Shapes are the same with and without a mask, so PyTorch has nothing to complain about.
#
# (b) A key is turned by its own position, which does not change. The product with a later query depends on the difference of both
# positions, and only the query's position is new.
#
# (c) 2 · 30 · 3 · 64 · 8,192 · 2 bytes = 188,743,680, or 180 MiB; without groups three times as much, 540 MiB.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: (a) the loss falls to almost nothing, because the answer is read
# - 1 point: (a) noise is generated, and shapes do not tell
# - 1 point: (b) a key's position never changes, and the query's difference does the rest
# - 1 point: (c) 188.7 million bytes (180 MiB), with the 2 for keys and values
# - 1 point: (c) three times as much without groups
# ### END RUBRIC

# %% [markdown]
# ## Open-ended task: a text of your own (8 points)
#
# Train your model on a text of your own, for a minute: characters will do as tokens. Put beside its loss that of counted
# pairs, on a part of the text that neither has seen. Then change one thing in your model, with three seeds each, after you have written down what you expect. Let the better one write at temperatures
# .2, .8 and 1.5. Hand in at most one page.

# %%
### BEGIN SOLUTION
# Expected: with four heads the loss is lower than with one by at least .1 nat, with each seed.
words = "the mask hides the next token; the query asks the past; the key keeps its place; "
known = sorted(set(words))
text = torch.tensor([known.index(letter) for letter in words * 6])
for seed in range(3):
    for heads in (1, 4):
        torch.manual_seed(seed)
        model = LanguageModel(Config(len(known), 32, heads, heads, blocks=1, hidden=48))
        optimizer = torch.optim.AdamW(model.parameters(), 0.01)
        for _ in range(20):
            optimizer.zero_grad()
            one = loss(model, text.unfold(0, 40, 17))
            one.backward()
            optimizer.step()
        print(seed, heads, f"{float(one.detach()):.2f}")
### END SOLUTION

# %% [markdown]
# ### BEGIN SOLUTION
# *I expected* a loss that is lower by at least .1 nat with four heads. *I found* what the cell above prints, in training, after 20 steps: too few for a claim
# about trained models, on a text that repeats itself. It is a start, whose two sides differ in one thing only. With a thousand steps on a book, a part of it
# that was not seen, and counted pairs, the comparison is complete.
# ### STUB
# *Your expectation, what you found, what follows, and what the model wrote*
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: counted pairs beside the model, on the same part, which neither has seen
# - 2 points: the expectation is a number, written before, that could have come out otherwise
# - 2 points: the two sides differ in one thing only, with three seeds each, whose spread is shown
# - 1 point: what was written at three temperatures, and what differs
# - 1 point: the conclusion says no more than was measured
# ### END RUBRIC
