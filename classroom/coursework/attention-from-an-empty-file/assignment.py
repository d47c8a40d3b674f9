# %% [markdown]
# # Attention from an empty file
#
# You build attention with additive scores from matrix products, sums and elementwise functions:
# the forward pass, the backward pass, and the loop of a decoder. It takes four to six hours. You need chapters 01 to
# 04 of *Attention, measured*, the chain rule, and PyTorch's tensors.
#
# **What you hand in** is this notebook. Write your code where a function says
# `raise NotImplementedError`, and your answers where a cell says *Your answer*. You may add cells and
# functions of your own. Keep the names and the order of the arguments. Do not change the arguments
# in place. Import nothing but torch, NumPy and what comes with Python: the package of the course is
# not available during grading.
#
# **How it is marked.** Each function is called with sizes and numbers other than those shown here.
# They always include a batch of one sentence and a batch of sentences of different lengths. Every property that holds earns its points, even if others fail. All functions together have two minutes by the clock: what was found before they are over counts. The exception is a property that an answer can have without computing anything, such as weights that sum to one: it counts only beside one that takes computing. A model learns through Parts 1,
# 3 and 4, so gradients must reach their inputs: no `detach` where a gradient should pass, and no detour through
# NumPy. Parts 5 to 7 are given what they need of earlier parts, so a mistake there does not cost you points
# twice, with two exceptions: `attend` in Part 4 uses your own Parts 1 to 3, and if your Part 6 calls your Part 5, it
# inherits the mistakes of Part 5. The asserts below each function show one example and prove nothing. A person reads the answers in words, with a list of what earns points.
#
# **Shapes.** We write the axes of a tensor in brackets:
#
# | name | shape | what it is |
# |---|---|---|
# | `queries` | (batch, target, query) | a vector for each position that is written |
# | `keys` | (batch, source, key) | a vector for each position that is read |
# | `values` | (batch, source, value) | what is averaged |
# | `lengths` | (batch) | how many positions of each sentence are real; the rest is padding at the end |
# | `W` | (hidden, query) | a parameter |
# | `U` | (hidden, key) | a parameter |
# | `v` | (hidden) | a parameter |
#
# Each length is at least 1. The functions must work in float32 and in float64, and return results
# in the precision of their inputs.

# %%
import torch

# %%
# Run this cell. What a part forbids then raises an error in the example below its function, too.
### INSERT ../../attn_class/forbidden.py

# %% [markdown]
# ## Part 1: scores (5 points)
#
# The score of query $i$ and key $j$ of the same sentence is
#
# $$e_{ij} = v^\top \tanh(W q_i + U k_j).$$
#
# Return all scores, with the shape (batch, target, source). A loop over the positions is right but
# slow; broadcasting needs none.


# %%
def additive_scores(queries, keys, W, U, v):
    """The additive score of each query with each key."""
    ### BEGIN SOLUTION
    query = (queries @ W.T).unsqueeze(2)
    key = (keys @ U.T).unsqueeze(1)
    return torch.tanh(query + key) @ v
    ### END SOLUTION


# %% [markdown]
# Try it. One query and two keys with a single feature, all parameters 1: the scores are tanh(1 + 0)
# and tanh(1 + 2).

# %%
one = torch.ones(1, 1)
result = additive_scores(
    torch.tensor([[[1.0]]]), torch.tensor([[[0.0], [2.0]]]), one, one, torch.ones(1)
)
assert result.shape == (1, 1, 2), f"expected the shape (1, 1, 2), got {tuple(result.shape)}"
assert torch.allclose(result, torch.tanh(torch.tensor([[[1.0, 3.0]]]))), result

# %%
### BEGIN HIDDEN TESTS
import torch
from torch import Tensor

from attn_class.exercises.frame import Draw, Exercise, Size, case, same, shaped, small

_BATCH, _TARGET, _SOURCE = Size(1, 3), Size(2, 7), Size(3, 11)
_QUERY, _KEY, _VALUE, _HIDDEN = Size(2, 13), Size(2, 13), Size(2, 13), Size(2, 17)


def _drawn(draw: Draw) -> dict[str, Tensor]:
    """Inputs of attention; sizes that are drawn first are small."""
    return {
        "queries": draw.normal(_BATCH, _TARGET, _QUERY, scale=1.0),
        "keys": draw.normal(_BATCH, _SOURCE, _KEY, scale=1.0),
        "values": draw.normal(_BATCH, _SOURCE, _VALUE, scale=1.0),
        "lengths": _lengths(draw),
        "W": draw.normal(_HIDDEN, _QUERY),
        "U": draw.normal(_HIDDEN, _KEY),
        "v": draw.normal(_HIDDEN, scale=1.0),
    }


def _lengths(draw: Draw) -> Tensor:
    """At least one sentence is padded; of several, one is not."""
    batch, source = draw[_BATCH, _SOURCE]
    lengths = [1 + draw.integer(source) for _ in range(batch)]
    lengths[0] = source
    lengths[-1] = 1 + draw.integer(source - 1)
    return torch.tensor(lengths)


def _shapes(results: tuple[Tensor, ...]) -> list[torch.Size]:
    return [result.shape for result in results]


def _scored(queries: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    """Pair by pair, as the equation says."""
    return torch.stack(
        [
            torch.stack([torch.stack([v @ torch.tanh(W @ q + U @ k) for k in ks]) for q in qs])
            for qs, ks in zip(queries, keys, strict=True)
        ]
    )


def _for_scores(draw: Draw) -> dict[str, Tensor]:
    inputs = _drawn(draw)
    return {name: inputs[name] for name in ("queries", "keys", "W", "U", "v")}


def _another_key(draw: Draw) -> list[dict[str, Tensor]]:
    inputs = _for_scores(draw)
    inputs["v"] /= 5  # should anything saturate, then not here
    keys = inputs["keys"].clone()
    keys[-1, draw.integer(_SOURCE)] = draw.normal(_KEY, scale=1.0)
    return [inputs, inputs | {"keys": keys}]


_scores = Exercise(
    "additive_scores(queries, keys, W, U, v)",
    solution=_scored,
    cases={
        "one_score_for_each_pair": case(_for_scores, lambda scores: scores.shape, weak=True)(
            "There is one score for each query and each key of a sentence: (batch, target, source).",
            "Bring W q to (batch, target, 1, hidden) and U k to (batch, 1, source, hidden): their sum "
            "has all pairs. The product with v removes the last axis.",
        ),
        "a_key_has_its_own_column": case(
            _another_key, lambda before, after: (after - before).abs() > 1e-6
        )(
            "Another key changes the scores of that key, and no others.",
            "Row i belongs to query i, and column j to key j of the same sentence. Is a tensor reshaped "
            "where two axes should be exchanged, or is something summed or normalised over the keys?",
        ),
        "scores_are_additive": case(_for_scores, points=2)(
            "Each score is v · tanh(W q + U k).",
            "The tanh is applied once, to the sum of the two products, before the product with v. W belongs to the "
            "queries and U to the keys. Nothing is divided by anything.",
        ),
    },
    gradients=_for_scores,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 2: which positions are real (3 points)
#
# The sentences of a batch are padded to a common width, `longest`, which may be larger than all the
# lengths. Return a tensor of booleans with the shape (batch, longest): True where a position is real,
# False where it is padding.


# %%
def real_positions(lengths, longest):
    """True for each position of a sentence, False for its padding."""
    ### BEGIN SOLUTION
    return torch.arange(longest) < lengths.unsqueeze(1)
    ### END SOLUTION


# %%
result = real_positions(torch.tensor([1, 3]), 3)
assert result.tolist() == [[True, False, False], [True, True, True]], result


# %%
### BEGIN HIDDEN TESTS
def _real(lengths: Tensor, longest: int) -> Tensor:
    return torch.tensor(
        [[place < length for place in range(longest)] for length in lengths.tolist()]
    )


_readable = Exercise(
    "real_positions(lengths, longest)",
    solution=_real,
    cases={
        "booleans_for_each_position": case(
            lambda draw: {"lengths": _lengths(draw), "longest": draw[_SOURCE] + 2},
            lambda mask: [mask.shape, mask.dtype],
            weak=True,
        )(
            "It returns booleans of the shape (batch, longest).",
            "A comparison gives booleans. The mask is as wide as `longest` says, even if no sentence of "
            "the batch is that long.",
        ),
        "real_positions_come_first": case(
            lambda draw: {"lengths": _lengths(draw), "longest": draw[_SOURCE]},
            lambda mask: mask.bool(),
            points=2,
        )(
            "The first positions are real, as many as the length says, and no others.",
            "Position j, counted from 0, is real if j < length. Off by one? True and False exchanged? "
            "Padding at the front?",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 3: weights (7 points)
#
# The weights are a softmax of the scores over the source that leaves out the padding:
#
# $$\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{j' \text{ real}} \exp(e_{ij'})} \quad\text{if } j
# \text{ is real, else } 0.$$
#
# Write the softmax yourself. PyTorch's softmax functions are blocked under any name in Parts 3 and 4, and so are `logsumexp`, `logcumsumexp` and functions that contain a softmax, such as `cross_entropy` and `scaled_dot_product_attention`.
# They raise an error in the examples below, as they do when your functions are graded. The numbers must be right also where scores are large
# (think of 1,000), and however large or small the scores of the padding are. `scores` has the shape
# (batch, target, source), and `mask` (batch, source) is what Part 2 returns. Return the weights (batch, target, source).


# %%
def masked_softmax(scores, mask):
    """The softmax of the scores over the real positions."""
    ### BEGIN SOLUTION
    hidden = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    powers = torch.exp(hidden - hidden.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)
    ### END SOLUTION


# %%
with without("softmax", "logsumexp"):
    result = masked_softmax(torch.tensor([[[0.0, 0.0, 5.0]]]), torch.tensor([[True, True, False]]))
assert torch.allclose(result, torch.tensor([[[0.5, 0.5, 0.0]]])), result


# %%
### BEGIN HIDDEN TESTS
def _softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Without padding, sentence by sentence."""
    rows = []
    for table, real in zip(scores, mask, strict=True):
        powers = torch.exp(table[:, real] - table[:, real].detach().amax(-1, keepdim=True))
        row = torch.zeros_like(table)
        row[:, real] = powers / powers.sum(-1, keepdim=True)
        rows.append(row)
    return torch.stack(rows)


def _masked(draw: Draw) -> dict[str, Tensor]:
    mask = torch.arange(draw[_SOURCE]) < _lengths(draw)[:, None]
    return {"scores": draw.normal(_BATCH, _TARGET, _SOURCE, scale=2.0), "mask": mask}


def _extreme(draw: Draw) -> list[dict[str, Tensor]]:
    """Padding that scores much, or real positions that score little, or both little."""
    inputs = _masked(draw)
    padded, scores = ~inputs["mask"][:, None], inputs["scores"].round()
    shifts = ((1e4, 0.0), (0.0, -5e3), (-1e4, 0.0))
    filled = [(scores + shift).masked_fill(padded, extreme) for extreme, shift in shifts]
    return [inputs | {"scores": scores} for scores in filled]


def _roughly(one: Tensor, two: Tensor) -> bool:
    return torch.allclose(one, two, rtol=1e-2, atol=1e-3)


_weights = Exercise(
    "masked_softmax(scores, mask)",
    without=["softmax", "logsumexp"],
    solution=_softmax,
    cases={
        "weights_sum_to_one": case(_masked, lambda weights: weights.sum(dim=-1), weak=True)(
            "For each query the weights sum to one.",
            "The softmax runs over the source, the last axis. Weights that are masked only after they "
            "have been divided by their sum no longer sum to one.",
        ),
        "padding_weighs_nothing": case(
            _masked, weak=True, alike=lambda one, two: bool((one[two == 0] == 0).all())
        )(
            "The weight of padding is exactly zero.",
            "exp(-inf) is exactly 0; exp(0) is 1. Is the mask the wrong way round?",
        ),
        "weights_are_a_softmax": case(_masked, points=2)(
            "The weights of the real positions are the softmax of their scores.",
            "Powers of e, divided by the sum over the real positions. Does the padding still count in "
            "that sum?",
        ),
        "large_scores_give_weights": case(
            lambda draw: [
                (inputs := _masked(draw)) | {"scores": inputs["scores"] - 1000},
                inputs | {"scores": inputs["scores"] + 1000},
            ],
            alike=_roughly,
        )(
            "Adding 1,000 to every score, or subtracting it, does not change the weights.",
            "exp(1000) is infinite in floating point. Subtract the largest score first: this does not change "
            "the weights.",
        ),
        "padding_may_score_anything": case(_extreme, alike=_roughly)(
            "The scores of padding do not matter, however large or small they are.",
            "Subtract the largest score of the real positions, not of all: if padding has 10,000, everything "
            "else becomes exp(-10,000) = 0. And a mask of -1000 is not -infinity: scores may be lower. If the largest "
            "score is not subtracted, real scores of -5,000 all give exp(-5,000) = 0.",
        ),
    },
    gradients=_masked,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 1: the mask after the softmax (4 points)
#
# A colleague computes the softmax over all positions, sets the weights of padding to zero, and
# divides the others by their sum. (a) Show that in exact arithmetic these are the weights of Part 3. (b) Name
# scores for which the colleague's program fails in float32 and yours does not, and say what the program returns.
# (c) What must be true of the scores of padding for this to happen in a real model?
#
# ### BEGIN SOLUTION
# (a) The softmax over all positions is exp(e_j)/Z, where Z is the sum over all of them. With the padding set to zero and the rest divided by
# its sum, this becomes exp(e_j)/Z / (Σ_real exp(e_j')/Z). Z cancels.
#
# (b) Padding at 200, real positions at 0 and 1: after the largest score is subtracted, the real positions have exp(-200) and
# exp(-199), which are 0 in float32. What is left sums to 0, and 0/0 is NaN.
#
# (c) The score of the padding must exceed that of every real position by about 104. With additive scores this takes
# a v whose absolute values sum to more than 52; with dot products it takes long vectors, and padding
# whose embedding is not zero.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: (a) shows that the sum over all positions cancels
# - 1 point: (b) gives scores where padding exceeds every real score by more than about 104, so that the powers of the real positions are 0
# - 1 point: (b) says that the result is 0/0, NaN
# - 1 point: (c) names the size of the difference, and relates it to what bounds a score (the absolute values of v here; the length of vectors for dot products)
# ### END RUBRIC

# %% [markdown]
# ## Part 4: attention (6 points)
#
# The context of a query is the average of the values $x_j$, taken with its weights: $c_i = \sum_j \alpha_{ij}
# x_j$. Put your Parts 1 to 3 together. Return two tensors, in this order: the contexts
# (batch, target, value) and the weights (batch, target, source).


# %%
def attend(queries, keys, values, lengths, W, U, v):
    """The context of each query, and the weights of the average."""
    ### BEGIN SOLUTION
    mask = real_positions(lengths, keys.shape[1])
    shares = masked_softmax(additive_scores(queries, keys, W, U, v), mask)
    return shares @ values, shares
    ### END SOLUTION


# %% [markdown]
# If all queries and keys are zero, all scores are equal, and the context is the mean of the real
# values.

# %%
zeros = torch.zeros(1, 3, 2)
values = torch.tensor([[[1.0], [2.0], [6.0]]])
ones = torch.ones(4, 2)
with without("softmax", "logsumexp"):
    contexts, shares = attend(zeros, zeros, values, torch.tensor([2]), ones, ones, ones[:, 0])
assert torch.allclose(contexts, torch.full((1, 3, 1), 1.5)), contexts


# %%
### BEGIN HIDDEN TESTS
def _attended(queries, keys, values, lengths, W, U, v) -> tuple[Tensor, Tensor]:
    return _averaged(queries, keys, values, _real(lengths, keys.shape[1]), W, U, v)


def _averaged(queries, keys, values, mask, W, U, v) -> tuple[Tensor, Tensor]:
    weights = _softmax(_scored(queries, keys, W, U, v), mask)
    return torch.einsum("bij,bjx->bix", weights, values), weights


def _units(draw: Draw) -> dict[str, Tensor]:
    """The values of sentence b are unit vectors times b + 2, which weigh what they are given."""
    scales = torch.arange(2.0, 2 + draw[_BATCH])[:, None, None]
    return _drawn(draw) | {"values": scales * torch.eye(draw[_SOURCE])}


def _beside_weights(both: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """What contexts of `_units` are besides the weights that come with them: nothing."""
    contexts, weights = both
    scales = torch.arange(2.0, 2 + len(contexts))[:, None, None]
    return contexts / scales - weights, contexts.any()


def _other_padding(draw: Draw) -> list[dict[str, Tensor]]:
    inputs = _drawn(draw)
    padded = ~_real(inputs["lengths"], draw[_SOURCE])[..., None]
    read = {"keys": _KEY, "values": _VALUE}
    other = {name: draw.normal(_BATCH, _SOURCE, size, scale=3.0) for name, size in read.items()}
    changed = {name: torch.where(padded, other[name], inputs[name]) for name in read}
    return [inputs, inputs | changed]


_attend = Exercise(
    "attend(queries, keys, values, lengths, W, U, v)",
    without=["softmax", "logsumexp"],
    solution=_attended,
    cases={
        "contexts_then_weights": case(_drawn, _shapes, weak=True)(
            "It returns the contexts (batch, target, value), then the weights (batch, target, source).",
            "Two tensors, the contexts first; if one is missing, the properties below cannot hold either. "
            "The values may have a different number of features than the keys.",
        ),
        "contexts_are_averages": case(_units, _beside_weights)(
            "Each context is the sum of the values of its sentence, each times its weight.",
            "For each sentence, multiply (target, source) by (source, value): weights @ values. "
            "Are the keys averaged instead of the values? Is the sum divided by a length?",
        ),
        "padding_changes_nothing": case(
            _other_padding, lambda before, after: all(map(same, before, after)), weak=True
        )(
            "The contents of the padding change nothing.",
            "Make the mask from the lengths, and use it before the weights are divided by their sum. "
            "If Part 2 or 3 lost points, begin there.",
        ),
        "attention_is_as_defined": case(_drawn, points=2)(
            "Contexts and weights are those of the equations.",
            "The parts fit together, but the numbers differ. Which of Parts 1 to 3 lost points? If none "
            "did: are queries and keys, or W and U, exchanged on the way?",
        ),
    },
    gradients=_drawn,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 5: backward through the softmax (4 points)
#
# In Parts 5 and 6 you differentiate by hand. Automatic differentiation is blocked in these two
# functions, in the examples below as well as when they are graded: `backward()`, `torch.autograd.grad`, `torch.func` and
# the like, and the backward functions of PyTorch's own softmax. Inputs are float64 and results are compared to twelve digits, so finite differences and float32 fail too.
#
# Let $L$ be any number computed from the weights. You are given `upstream`, which holds
# $\partial L / \partial \alpha_{ij}$, and `weights`, $\alpha_{ij}$, both (batch, target, source). Return
# $\partial L / \partial e_{ij}$, of the same shape. Do not build the Jacobian matrix.


# %%
def softmax_backward(upstream, weights):
    """The gradient of the scores, given that of the weights."""
    ### BEGIN SOLUTION
    mean = (upstream * weights).sum(dim=-1, keepdim=True)
    return weights * (upstream - mean)
    ### END SOLUTION


# %% [markdown]
# The same upstream gradient everywhere gives zero, since the weights always sum to one.

# %%
shares = torch.tensor([[[0.2, 0.8, 0.0]]], dtype=torch.float64)
with without("autograd"):
    result = softmax_backward(torch.ones_like(shares), shares)
assert torch.allclose(result, torch.zeros_like(shares), rtol=0, atol=1e-12), result
upstream = torch.tensor([[[1.0, 0.0, 7.0]]], dtype=torch.float64)
result = softmax_backward(upstream, shares)
assert torch.allclose(result, torch.tensor([[[0.16, -0.16, 0.0]]], dtype=torch.float64)), result


# %%
### BEGIN HIDDEN TESTS
def _to_twelve_digits(one: object, two: Tensor) -> bool:
    """Finite differences reach ten digits."""
    if not shaped(one, *two.shape) or one.dtype != torch.float64:
        return False
    return bool((one - two).abs().max() <= 1e-12 * (1 + two.abs().max()))


def _double(inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    """Numbers that need all the digits of float64."""
    return {
        name: value.double() * (1 + 1e-9 / 3) if value.is_floating_point() else value
        for name, value in inputs.items()
    }


def _shares(draw: Draw) -> dict[str, Tensor]:
    inputs = _double(_masked(draw))
    inputs["mask"][:, 1] = True  # since a weight of 1 has no gradient either
    upstream = draw.normal(_BATCH, _TARGET, _SOURCE, scale=1.0).double() / 3
    return {"upstream": upstream, "weights": _softmax(**inputs)}


def _by_jacobian(upstream: Tensor, weights: Tensor) -> Tensor:
    jacobian = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return torch.einsum("bijk,bij->bik", jacobian, upstream)


_weights_backward = Exercise(
    "softmax_backward(upstream, weights)",
    without=["autograd"],
    solution=_by_jacobian,
    cases={
        "equal_gradients_cancel": case(
            lambda draw: (
                (inputs := _shares(draw)) | {"upstream": torch.full_like(inputs["upstream"], 0.7)}
            ),
            weak=True,
        )(
            "The same upstream gradient for all positions gives zero.",
            "If all weights count equally, moving weight from one to another changes nothing. Subtract the mean of the "
            "upstream gradient, taken with the weights.",
        ),
        "padding_gets_no_gradient": case(
            _shares, weak=True, alike=lambda one, two: bool((one[two == 0] == 0).all())
        )(
            "A position whose weight is zero gets no gradient.",
            "Every derivative of the softmax has the position's own weight as a factor.",
        ),
        "softmax_is_differentiated": case(_shares, points=2, alike=_to_twelve_digits)(
            "The gradient is that of the softmax, to twelve digits.",
            "dL/de_j = α_j (g_j - Σ_k α_k g_k), where g is the upstream gradient. The sum runs over the "
            "source positions for one query, and adds up the products, not g alone.",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 6: backward through attention (12 points)
#
# Now differentiate the whole of `attend`. You are given `upstream`, $\partial L / \partial c_i$ with the shape
# (batch, target, value), all inputs of `attend` except for the lengths, and the `weights` that the
# forward pass found, which are zero for padding. Return six gradients, in this order: those of `queries`, `keys`,
# `values`, `W`, `U` and `v`, each with the shape of what it belongs to. Each earns two points.
#
# One way: write down the forward pass as a list of small steps, with a name for each result, and go
# through the list backwards. Where the forward pass *copied* (broadcast) along an axis,
# the backward pass *sums* over it.


# %%
def attend_backward(upstream, queries, keys, values, weights, W, U, v):
    """The gradients of queries, keys, values, W, U and v."""
    ### BEGIN SOLUTION
    d_values = weights.mT @ upstream
    d_scores = softmax_backward(upstream @ values.mT, weights)
    bent = torch.tanh((queries @ W.T).unsqueeze(2) + (keys @ U.T).unsqueeze(1))
    d_v = (d_scores.unsqueeze(-1) * bent).sum(dim=(0, 1, 2))
    d_sums = d_scores.unsqueeze(-1) * v * (1 - bent**2)
    d_asked, d_offered = d_sums.sum(dim=2), d_sums.sum(dim=1)
    d_W = (d_asked.mT @ queries).sum(dim=0)
    d_U = (d_offered.mT @ keys).sum(dim=0)
    return d_asked @ W, d_offered @ U, d_values, d_W, d_U, d_v
    ### END SOLUTION


# %% [markdown]
# Compare it with automatic differentiation of your own `attend`, which has to be right for this. Each
# line should show a number below 1e-12.

# %%
generator = torch.Generator().manual_seed(0)
shapes = [(2, 3, 5), (2, 7, 4), (2, 7, 6), (8, 5), (8, 4), (8,)]
inputs = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
for leaf in inputs:
    leaf.requires_grad_()
q, k, x, W, U, v = inputs
contexts, shares = attend(q, k, x, torch.tensor([7, 4]), W, U, v)
upstream = torch.randn(contexts.shape, generator=generator, dtype=torch.float64)
wanted = torch.autograd.grad((contexts * upstream).sum(), inputs)
with torch.no_grad(), without("autograd"):
    ours = attend_backward(*(part.detach() for part in (upstream, q, k, x, shares, W, U, v)))
for name, one, two in zip(["queries", "keys", "values", "W", "U", "v"], ours, wanted, strict=True):
    assert one.shape == two.shape, f"{name}: expected {tuple(two.shape)}, got {tuple(one.shape)}"
    print(f"{name}: the largest difference is {float((one - two).abs().max()):.0e}")

# %%
### BEGIN HIDDEN TESTS
_BACKWARD_HINTS = {
    "queries": "W q_i is copied to all keys, so its gradient is summed over the source, and then goes "
    "back through W: multiply by W, not by its transpose. The derivative of tanh is 1 - tanh².",
    "keys": "U k_j is copied to all queries, so its gradient is summed over the target, and then goes "
    "back through U.",
    "values": "c_i = Σ_j α_ij x_j: the gradient of a value is a sum over all queries, each times its weight. That is "
    "the product of the transposed weights and upstream.",
    "W": "A parameter is shared by all sentences and positions: sum over the batch, the target and "
    "(before that) the source. The shape is (hidden, query).",
    "U": "A parameter is shared by all sentences and positions: sum over the batch, the source and "
    "(before that) the target. The shape is (hidden, key).",
    "v": "e = v · tanh(...): the gradient of v is the sum of tanh(...), each times the gradient of its "
    "score. The derivative of tanh plays no part here.",
}


def _for_backward(draw: Draw) -> dict[str, Tensor]:
    inputs = _double(_drawn(draw))
    _, weights = _attended(**inputs)
    upstream = draw.normal(_BATCH, _TARGET, _VALUE, scale=1.0).double() / 3
    first, last = ({name: inputs[name] for name in names} for names in (_ORDER[:3], _ORDER[3:]))
    return {"upstream": upstream, **first, "weights": weights, **last}


def _differentiated(upstream, queries, keys, values, weights, W, U, v) -> tuple[Tensor, ...]:
    """The six gradients that automatic differentiation finds."""
    leaves = [leaf.requires_grad_() for leaf in (queries, keys, values, W, U, v)]
    mask = (weights > 0).any(dim=1)
    contexts, _ = _averaged(queries, keys, values, mask, W, U, v)
    return torch.autograd.grad((contexts * upstream).sum(), leaves)


_ORDER = tuple(_BACKWARD_HINTS)
_attend_backward = Exercise(
    "attend_backward(upstream, queries, keys, values, weights, W, U, v)",
    without=["autograd"],
    solution=_differentiated,
    cases={
        f"gradient_of_{name}": case(
            _for_backward,
            lambda all_six, at=at: all_six[at] if len(all_six) == 6 else None,
            points=2,
            alike=_to_twelve_digits,
        )(f"The gradient of {name} is right, to twelve digits.", hint)
        for at, (name, hint) in enumerate(_BACKWARD_HINTS.items())
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2: the derivation (6 points)
#
# (a) Derive your formula of Part 5 from $\partial \alpha_j / \partial e_k = \alpha_j (\delta_{jk} -
# \alpha_k)$, and prove the formula for this derivative itself. (b) How many multiplications does your function
# take for a source of length $J$, and how many would the Jacobian take? (c) Derive your gradients of
# $W$ and of `keys`, and explain for each axis that you sum over *why* you do.
#
# ### BEGIN SOLUTION
# (a) With $Z = \sum_l \exp e_l$: $\partial \alpha_j/\partial e_k = \delta_{jk}\exp(e_j)/Z - \exp(e_j)\exp(e_k)/Z^2$,
# which is the formula. Then $\partial L/\partial e_k = \sum_j g_j \alpha_j(\delta_{jk}-\alpha_k) = \alpha_k
# (g_k - \sum_j \alpha_j g_j)$.
#
# (b) About $2J$ for each query, instead of about $2J^2$: $J^2$ to build the Jacobian, and $J^2$ to multiply by it.
#
# (c) With $z_{ij} = Wq_i + Uk_j$, $\partial L/\partial z_{ij} = \partial L/\partial e_{ij}\; v \odot (1 - \tanh^2
# z_{ij}) =: d_{ij}$. $W$ takes part in every $z_{ij}$ of every sentence: $\partial L/\partial W = \sum_{b,i,j} d_{ij} q_i^\top$.
# The key $k_j$ takes part in $z_{ij}$ for all queries $i$: $\partial L/\partial k_j = U^\top \sum_i d_{ij}$.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: (a) proves the derivative of the softmax, with the two cases or the delta
# - 1 point: (a) sums over all weights that a score affects, and arrives at the formula
# - 1 point: (b) a multiple of J, compared with J squared
# - 1 point: (c) names the gradient of the sum before the tanh, with its derivative
# - 1 point: (c) the gradient of W, summed over sentences, queries and keys, because W is used for each pair
# - 1 point: (c) the gradient of the keys, summed over the queries only, because each query reads the key
# ### END RUBRIC

# %% [markdown]
# ## Part 7: the loop of a decoder (11 points)
#
# A decoder writes one symbol after another. At each step it looks at the source with the state that
# it has, and only then moves on:
#
# 1. $c_t$ and $\alpha_t$ come from attention, with $s_{t-1}$ as its only query and the keys as values;
# 2. $s_t$ and the scores of the symbols come from `step`, called with $s_{t-1}$, $c_t$ and the previous symbol, which is
#    `start` at first;
# 3. $y_t$ is the symbol with the highest score (greedy search).
#
# You are given
#
# - `state` (batch, state), $s_0$; `keys` (batch, source, key); `lengths` (batch);
# - `attend(queries, keys, values, lengths)`, which is attention with its parameters inside: for queries
#   (batch, 1, state) it returns contexts (batch, 1, key) and weights (batch, 1, source);
# - `step(state, context, symbols)`, which takes (batch, state), (batch, key) and a tensor of whole
#   numbers (batch), and returns the next state (batch, state) and scores (batch, symbols);
# - the numbers `start` and `end` of two symbols, and `longest`, the number of steps to take.
#
# Both functions also accept a part of the batch. Return the symbols (batch, longest), as whole numbers,
# and the weights (batch, longest, source). A sentence ends when `end` has been written; this symbol
# still has its weights. In all later steps the symbols of the sentence are `end` and its weights zero,
# whatever the model would say. The other sentences of the batch go on.


# %%
def decode(state, keys, lengths, attend, step, start, end, longest):
    """Write greedily; return the symbols and the weights of each step."""
    ### BEGIN SOLUTION
    batch = len(state)
    symbols = torch.full((batch,), start)
    over = torch.zeros(batch, dtype=torch.bool)
    written, looks = [], []
    for _ in range(longest):
        context, look = attend(state.unsqueeze(1), keys, keys, lengths)
        state, symbol_scores = step(state, context.squeeze(1), symbols)
        symbols = symbol_scores.argmax(dim=-1).masked_fill(over, end)
        written.append(symbols)
        looks.append(look.squeeze(1).masked_fill(over.unsqueeze(1), 0.0))
        over = over | (symbols == end)
    return torch.stack(written, dim=1), torch.stack(looks, dim=1)
    ### END SOLUTION


# %% [markdown]
# A tiny model to try it on: its state counts the steps, and it writes what it has counted. Symbol 3
# ends a sentence.


# %%
def evenly(queries, keys, values, lengths):
    shares = torch.full((len(keys), 1, keys.shape[1]), 1 / keys.shape[1])
    return shares @ values, shares


def counting(state, context, symbols):
    state = state + 1
    return state, torch.eye(6)[state[:, 0].long()]


symbols, looks = decode(
    torch.zeros(2, 1), torch.ones(2, 4, 1), torch.tensor([4, 4]), evenly, counting, 0, 3, 5
)
assert symbols.tolist() == [[1, 2, 3, 3, 3]] * 2, symbols
assert looks[:, :3].sum() == 6, looks
assert looks[:, 3:].sum() == 0, looks

# %%
### BEGIN HIDDEN TESTS
_STATE, _SYMBOLS, _LONGEST = Size(2, 11), Size(5, 13), Size(3, 7)


def _model(draw: Draw) -> dict:
    """A small model with parameters of its own, which never ends a sentence."""
    keys = draw.normal(_BATCH, _SOURCE, _KEY, scale=1.0)
    asking, offering = draw.normal(_HIDDEN, _STATE), draw.normal(_HIDDEN, _KEY)
    v = draw.normal(_HIDDEN, scale=2.0)
    keep = draw.normal(_STATE, _STATE)
    read = draw.normal(_STATE, _KEY, scale=1.0)
    symbol = draw.normal(_SYMBOLS, _STATE, scale=1.0)
    speak = draw.normal(_SYMBOLS, _STATE, scale=2.0)
    start, end = 0, 1

    def attend(queries: Tensor, keys: Tensor, values: Tensor, lengths: Tensor):
        sums = (queries @ asking.T)[:, :, None] + (keys @ offering.T)[:, None]
        scores = torch.tanh(sums) @ v
        mask = torch.arange(keys.shape[1]) < lengths[:, None]
        weights = scores.masked_fill(~mask[:, None], -torch.inf).softmax(-1)
        return weights @ values, weights

    def step(state: Tensor, context: Tensor, symbols: Tensor):
        state = torch.tanh(state @ keep.T + context @ read.T + symbol[symbols.long()])
        logits = (state @ speak.T).clone()
        logits[:, [start, end]] = -100.0
        return state, logits

    return {
        "state": draw.normal(_BATCH, _STATE, scale=1.0),
        "keys": keys,
        "lengths": _lengths(draw),
        "attend": small(attend),
        "step": small(step),
        "start": start,
        "end": end,
        "longest": draw[_LONGEST],
    }


def _ending(draw: Draw) -> dict:
    """A model in which the sentence of row b ends with the symbol of step b + 1."""
    inputs = _model(draw)
    inputs["state"] = torch.cat(
        [torch.arange(1.0, 1 + draw[_BATCH])[:, None], inputs["state"][:, 1:]], dim=1
    )
    symbols = draw[_SYMBOLS]

    def step(state: Tensor, context: Tensor, symbol: Tensor):
        state = torch.cat([state[:, :1] - 1, state[:, 1:]], dim=1)
        logits = torch.zeros(len(state), symbols)
        logits[:, 3] = 1.0
        logits[state[:, 0] == 0, inputs["end"]] = 2.0
        return state, logits

    return inputs | {"step": small(step), "longest": draw[_BATCH] + 3}


def _deaf(draw: Draw) -> dict:
    """A model that does not hear which symbol came before."""
    inputs = _model(draw)

    def step(state: Tensor, context: Tensor, symbols: Tensor):
        return inputs["step"](state, context, torch.zeros(len(state), dtype=torch.long))

    return inputs | {"step": small(step)}


def _next_one(draw: Draw) -> dict:
    """A model that hears nothing else, and writes the symbols in an order of its own."""
    inputs = _model(draw)
    order = draw.shuffled(range(2, draw[_SYMBOLS]))
    follows = dict(zip(order, order[1:] + order[:1], strict=True)) | {0: order[0], 1: order[0]}

    def step(state: Tensor, context: Tensor, before: Tensor):
        following = [follows[symbol] for symbol in before.long().tolist()]
        return state, torch.eye(draw[_SYMBOLS])[following]

    return inputs | {"step": small(step)}


def _decoded(state, keys, lengths, attend, step, start, end, longest):
    """Each sentence alone."""
    rows = []
    for s, k, length in zip(state, keys, lengths, strict=True):
        s, symbol, over = s[None], torch.tensor([start]), False
        written, looks = [], []
        for _ in range(longest):
            if over:
                written.append(end)
                looks.append(torch.zeros(len(k)))
                continue
            context, look = attend(s[None], k[None], k[None], length[None])
            s, logits = step(s, context[0], symbol)
            symbol = logits.argmax(-1)
            over = int(symbol) == end
            written.append(int(symbol))
            looks.append(look[0, 0])
        rows.append((torch.tensor(written), torch.stack(looks)))
    symbols, looks = zip(*rows, strict=True)
    return torch.stack(symbols), torch.stack(looks)


_decode = Exercise(
    "decode(state, keys, lengths, attend, step, start, end, longest)",
    solution=_decoded,
    cases={
        "symbols_and_weights": case(_ending, _shapes, weak=True)(
            "It returns symbols (batch, longest), as whole numbers, and weights (batch, longest, source).",
            "Collect what each step gives in two lists, and stack them along a new axis after that of the "
            "batch. There are always `longest` columns, even if all sentences end earlier.",
        ),
        "looks_before_it_steps": case(_model, lambda both: both[1][:, 0], points=2)(
            "The first look is made with the first state, before anything else.",
            "Attention comes first in each step, and its query is the state before the step. Looking "
            "with the new state is Luong's order. Did keys, values and lengths go to `attend`?",
        ),
        "first_symbol_is_the_best": case(_model, lambda both: both[0][:, 0])(
            "The first symbol is the best one after `start`, the first state and its context.",
            "step(state, context, symbols) with the symbol `start` for every sentence, a tensor of whole "
            "numbers (batch). The best symbol is the argmax over the last axis.",
        ),
        "state_is_carried_on": case(_deaf, lambda both: both[1], points=2)(
            "Each step begins with the state that the step before it returned.",
            "The state that `step` returns replaces the old one. Is the first state used at every step?",
        ),
        "symbols_are_fed_back": case(_next_one, lambda both: both[0])(
            "Each step reads the symbol that the step before it wrote.",
            "The argmax of one step is the third argument of the next. Is `start` given every time?",
        ),
        "sentences_end": case(_ending, points=2)(
            "From the step after `end` on, the symbols of a sentence are `end` and its weights are zero.",
            "Keep a boolean for each sentence, and set it after the step in which it wrote `end`: that "
            "step still has its weights. The other sentences of the batch go on.",
        ),
        "whole_sentences_are_right": case(_model, points=2)(
            "Symbols and weights are right for every sentence of a batch, as if it were alone.",
            "Everything at once: look, step, choose, feed back. If the other properties hold, sentences "
            "affect each other: is the axis of the batch reshaped or averaged away?",
        ),
    },
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3: what to compute once (4 points)
#
# In a decoder with additive scores, some of the work of `attend` is the same at each step. (a) Which
# work, and why? (b) Count the multiplications that the scores take, for a source of length $J$, a target of
# length $T$, keys and states of size $d$, and $h$ hidden units, with and without repeating that work.
# (c) For $J = T = 30$ and $d = h = 256$, by what factor does the count shrink? How much memory does this
# cost?
#
# ### BEGIN SOLUTION
# (a) $Uk_j$: neither keys nor $U$ change while a sentence is decoded.
#
# (b) With repetition, $T(hd + Jhd + Jh)$: $Wq$, $Uk$ for all keys, and the product with $v$. Without, $Jhd + T(hd + Jh)$.
#
# (c) $30 (65{,}536 \cdot 31 + 7{,}680) = 61{,}178{,}880$ compared with $65{,}536 \cdot 60 + 230{,}400 = 4{,}162{,}560$:
# a factor of about 14.7. It costs $Jh$ numbers per sentence, 7,680.
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: (a) U k, since keys and U stay the same during decoding
# - 1 point: (b) both counts, with the terms Jhd and hd and Jh in the right places
# - 1 point: (c) a factor of 14 to 15 (or what follows from the student's own counts)
# - 1 point: (c) J times h numbers for each sentence
# ### END RUBRIC

# %% [markdown]
# ## Open-ended task: change one thing (8 points)
#
# Change one thing in your attention, and find out what the change does. Ideas: leave the tanh out; use a
# bilinear score with as many parameters; scale $v$; replace the softmax with something sparser; use a wrong mask on purpose. First write down what you expect, as a number. Then measure it
# in a comparison in which *only* this differs, with at least three seeds. Random vectors will do as
# data, if they can answer your question. Two hours are enough. Hand in at most one page and
# one plot. An expectation that failed earns as much as one that held.

# %%
### BEGIN SOLUTION
# Expected: without the tanh, the score is a sum of a term of the query and a term of the key, so all
# queries of a sentence have the same weights: the largest difference between queries is 0, by algebra. With it, I expect more than 0.3 with each of three seeds.
for seed in range(3):
    generator = torch.Generator().manual_seed(seed)
    shapes = [(1, 5, 4), (1, 9, 4), (16, 4), (16, 4), (16,)]
    q, k, W, U, v = (torch.randn(shape, generator=generator) for shape in shapes)
    everything = torch.ones(1, 9, dtype=torch.bool)
    bent = masked_softmax(additive_scores(q, k, W, U, v), everything)
    straight = masked_softmax(((q @ W.T)[:, :, None] + (k @ U.T)[:, None]) @ v, everything)
    for name, weights in {"with tanh": bent, "without": straight}.items():
        print(seed, name, f"{float((weights - weights[:, :1]).abs().max()):.1e}")
### END SOLUTION

# %% [markdown]
# ### BEGIN SOLUTION
# *I expected* weights that do not depend on the query without the tanh, so that the largest difference between queries is 0, and with it a difference of more than 0.3 with each seed. *I found*, with three seeds, differences of the order of float32's rounding
# without the tanh, and with it of 0.97, 0.47 and 0.45: both expectations held. The control is the same draw with the tanh. The reason: without the tanh the query adds
# the same number to every score of its row, and the softmax ignores that.
# ### STUB
# *Your expectation, what you found, and what follows*
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 2 points: the expectation is written down as a number that could have come out otherwise
# - 2 points: the two sides of the comparison differ in one thing only, and the answer says which
# - 1 point: at least three seeds, and their spread is shown
# - 1 point: the plot or table can be read without the text
# - 2 points: the conclusion says no more than was measured, and whether the expectation held; it gives a reason or says that none is known yet
# ### END RUBRIC
