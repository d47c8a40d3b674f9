"""Right and wrong files for `gpt-from-an-empty-file`: changes of the solution, and what they lose.

A file answers every part; a wrong one is right in all parts but those that are named beside it.
"""

from specimens.coursework.tried import Changed

# the file, the functions that are given, and `take`
ANSWERS = Changed(
    "gpt-from-an-empty-file",
    lambda text: any(words in text for words in ("class LanguageModel", "def looked", "def take")),
)
LEARNING = "trained"  # takes a second, and is tried where it is lost, or where all is right


RIGHT = {
    "solution": "",
    "one_matrix_for_all": """
class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.d, self.base, self.heads = config.size // config.heads, config.base, config.heads
        self.qkv = nn.Linear(config.size, config.size + 2 * config.groups * self.d)
        self.o = nn.Linear(config.size, config.size)

    def forward(self, x, past=None):
        all = self.qkv(x).unflatten(-1, (-1, self.d)).transpose(1, 2)
        q, k, v = all.tensor_split([self.heads, (self.heads + all.shape[1]) // 2], dim=1)
        first = past[0].shape[2] if past else 0
        q, k = rotate(q, first, self.base), rotate(k, first, self.base)
        if past:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        return self.o(attend(q, k, v).transpose(1, 2).reshape(x.shape)), (k, v)


def take(model, weights):
    with torch.no_grad():
        for block, one in enumerate(model.blocks):
            mine = f"blocks.{block}."
            kinds = [f"{mine}{each}_projection.weight" for each in ("query", "key", "value")]
            one.attention.qkv.weight.copy_(torch.cat([weights[each] for each in kinds]))
            one.attention.o.weight.copy_(weights[f"{mine}output_projection.weight"])
            one.attention.qkv.bias.zero_(), one.attention.o.bias.zero_()
            one.norm1.weight.copy_(weights[f"{mine}norm.weight"])
            one.norm2.weight.copy_(weights[f"{mine}network_norm.weight"])
            for each in ("gate", "up", "down"):
                getattr(one, each).weight.copy_(weights[f"{mine}network.{each}.weight"])
        model.embedding.weight.copy_(weights["embedding.weight"])
        model.norm.weight.copy_(weights["norm.weight"])
""",
    "einsum_and_complex_numbers": """
def attend(q, k, v):
    asking, asked, groups = q.shape[2], k.shape[2], k.shape[1]
    q = q.unflatten(1, (groups, -1))
    scores = torch.einsum("bghid,bgjd->bghij", q, k) * q.shape[-1] ** -0.5
    i, j = torch.arange(asked - asking, asked)[:, None], torch.arange(asked)
    weights = torch.softmax(torch.where(j <= i, scores, -1e9), dim=-1)
    return torch.einsum("bghij,bgjd->bghid", weights, v).flatten(1, 2)


def rotate(x, first, base):
    d, positions = x.shape[-1], first + torch.arange(x.shape[-2])
    angles = torch.outer(positions, base ** (-torch.arange(0, d, 2) / d))
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def loss(model, tokens):
    chances = model(tokens)[0].log_softmax(-1)
    return -chances[:, :-1].gather(-1, tokens[:, 1:, None]).mean()
""",
    "a_cache_of_its_own": """
class Cache:
    def __init__(self, blocks):
        self.kept, self.read = [()] * blocks, 0


class Attention(Attention):
    def forward(self, x, past=None):
        cache, block = past or (Cache(1), 0)
        q, k, v = (split(make(x), self.d) for make in (self.q, self.k, self.v))
        first = cache.read
        new = rotate(k, first, self.base), v
        if cache.kept[block]:
            new = tuple(torch.cat(each, 2) for each in zip(cache.kept[block], new))
        cache.kept[block] = new
        return self.o(attend(rotate(q, first, self.base), *new).transpose(1, 2).flatten(2)), past


class LanguageModel(LanguageModel):
    def forward(self, tokens, cache=None):
        x, cache = self.embedding(tokens), cache or Cache(len(self.blocks))
        for i, block in enumerate(self.blocks):
            x, _ = block(x, (cache, i))
        cache.read += tokens.shape[1]
        return self.norm(x) @ self.embedding.weight.T, cache
""",
    "own_readout_and_loops": """
def attend(q, k, v):
    heads, groups = q.shape[1], k.shape[1]
    found = []
    for h in range(heads):
        g = h // (heads // groups)
        scores = q[:, h] @ k[:, g].transpose(1, 2) / math.sqrt(q.shape[-1])
        readable = torch.ones(scores.shape[1:]).tril(k.shape[2] - q.shape[2]) == 1
        found.append((scores - 1e9 * ~readable).softmax(2) @ v[:, g])
    return torch.stack(found, dim=1)


class LanguageModel(LanguageModel):
    def __init__(self, config):
        super().__init__(config)
        self.readout = nn.Linear(config.size, config.tokens)
        self.dropout = nn.Dropout(0.05)

    def forward(self, tokens, cache=None):
        x, kept = self.dropout(self.embedding(tokens)), []
        for block, past in zip(self.blocks, cache or [None] * len(self.blocks)):
            x, new = block(x, past)
            kept.append(new)
        return self.readout(self.norm(x)), kept


@torch.no_grad()
def generate(model, tokens, count, temperature=0, top=0):
    for _ in range(count):
        logits = model(tokens)[0][:, -1]
        if temperature == 0:
            new = logits.max(-1).indices
        else:
            best, which = logits.topk(top or logits.shape[-1])
            drawn = torch.distributions.Categorical(logits=best / temperature).sample()
            new = which.gather(1, drawn[:, None])[:, 0]
        tokens = torch.cat([tokens, new[:, None]], dim=1)
    return tokens


names, take_all = MINE, take


def take(model, weights):
    with torch.no_grad():
        model.readout.bias.zero_()
    take_all(model, weights | {"readout.weight": weights["embedding.weight"]})


import math
""",
}
for style, more in RIGHT.items():
    ANSWERS.note(style, ANSWERS.changed(style, more=more))

WRONG = r"""
CACHE = one_by_one piece_by_piece
NOT_TAKEN = attention_is_taken all_is_taken
NONE_TAKEN = embeddings_are_taken network_is_taken NOT_TAKEN
CHANCES = top_are_kept temperature_divides top_have_their_chances
UNTURNED = first_pair_turns angles_are_right NOT_TAKEN
LEAKS = module_is_causal model_is_causal CACHE NOT_TAKEN
MIXED = LEAKS equals_find_the_same
attention_is_causal first_finds_itself last_reads_all attention_is_right order_counts
first_token_is_read LEAKS
    mask_upside_down: triu(1 + asked - asking) → tril(asked - asking - 1)
first_finds_itself attention_is_causal weights_sum_to_one last_reads_all attention_is_right
zeros_change_nothing norms_come_first first_token_is_read beats_pairs knows_the_text MIXED
NONE_TAKEN
    mask_takes_itself: triu(1 + asked → triu(asked
attention_is_causal first_finds_itself attention_is_right LEAKS
    mask_one_too_late: triu(1 + → triu(2 +
queries_are_the_last CACHE
    mask_forgets_the_cache: triu(1 + asked - asking) → triu(1)
piece_by_piece queries_are_the_last
    no_mask_with_a_cache: triu(1 + asked - asking) → triu(1 if asked == asking else asked)
weights_sum_to_one attention_is_causal first_finds_itself attention_is_right MIXED
    mask_after_the_softmax: scores.masked_fill(future, -torch.inf).softmax(-1)
        → scores.softmax(-1).masked_fill(future, 0)
weights_sum_to_one first_finds_itself queries_are_the_last attention_is_right MIXED
    softmax_over_the_queries: scores.masked_fill(future, -torch.inf).softmax(-1)
        → scores.masked_fill(future, -1e9).softmax(-2)
weights_sum_to_one attention_is_causal first_finds_itself groups_have_their_heads attention_is_right
MIXED
    softmax_over_the_heads: scores.masked_fill(future, -torch.inf).softmax(-1)
        → scores.masked_fill(future, -1e9).softmax(1)
attention_is_right NOT_TAKEN
    not_scaled: q @ k.mT / q.shape[-1] ** 0.5 → q @ k.mT
    scaled_by_d: q.shape[-1] ** 0.5 → q.shape[-1]
groups_have_their_heads attention_is_right all_is_taken
    groups_in_turns: x.repeat_interleave(q.shape[1] // x.shape[1], 1)
        → x.repeat(1, q.shape[1] // x.shape[1], 1, 1)
MIXED
    heads_by_reshape: unflatten(-1, (-1, d)).transpose(1, 2) → reshape(len(x), -1, x.shape[1], d)
    heads_put_back_by_reshape: transpose(1, 2).flatten(2) → reshape(x.shape)
groups_save_numbers embeddings_are_taken network_is_taken all_is_taken
    keys_for_every_head: super().__init__()
        |         self.d
        → super().__init__()
        |         config = Config(**vars(config) | {"groups": config.heads})
        |         self.d
equals_find_the_same NOT_TAKEN
    values_turned: torch.stack([k, v]) → torch.stack([k, rotate(v, first, self.base)])
order_counts NOT_TAKEN
    nothing_turned: q, k = rotate(q, first, self.base), rotate(k, first, self.base) →
CACHE
    from_0_with_a_cache: 0 if past is None else past.shape[-2] → 0
    queries_from_0_with_a_cache: q, first → q, 0
    one_cache_for_all_blocks: cache[i] → cache[0]
NOT_TAKEN
    pairs_of_halves: x[..., ::2], x[..., 1::2] → x.tensor_split(2, -1)
        torch.stack(turned, -1).flatten(-2) → torch.cat(turned, -1)
    result_normalised: self.attention(self.norm1(x), past) → self.attention(x, past)
        x + found → x + self.norm1(found)
UNTURNED
    turned_backwards: - b * sin, a * sin + b * cos → + b * sin, b * cos - a * sin
lengths_stay differences_count UNTURNED
    one_sign_wrong: a * cos - b * sin → a * cos + b * sin
position_0_stays first_pair_turns angles_are_right
    positions_from_1: torch.arange(first → 1 + torch.arange(first
differences_count UNTURNED
    positions_squared: positions[:, None] → positions[:, None] ** 2
angles_are_right NOT_TAKEN
    exponent_halved: len(pairs) → x.shape[-1]
    base_of_its_own: * base → * 10_000.0
zeros_change_nothing norms_come_first NONE_TAKEN
    norm_after_the_sum: self.attention(self.norm1(x), past) → self.attention(x, past)
        x + found → self.norm1(x + found)
        y = self.norm2(x) → y = x
        x + self.down(silu(self.gate(y)) * self.up(y))
        → self.norm2(x + self.down(silu(self.gate(y)) * self.up(y)))
    stream_cut_by_the_network: return x + self.down → return self.down
norms_come_first network_is_taken all_is_taken
    network_without_a_norm: self.norm2(x) → x
all_is_taken
    network_beside_attention: x = x + found → x, y = x + found, self.norm2(x)
        y = self.norm2(x) →
network_is_taken all_is_taken
    gate_and_up_exchanged: self.gate(y)) * self.up(y) → self.up(y)) * self.gate(y)
first_token_is_read beats_pairs knows_the_text NOT_TAKEN
    attention_left_out: x = x + found →
texts_are_alone NONE_TAKEN
    batch_in_the_norm: self.norm(x) → self.norm(x + x.mean(0))
NONE_TAKEN
    last_norm_left_out: self.norm(x) → x
first_token_is_read beats_pairs knows_the_text NONE_TAKEN
    last_position_only: self.norm(x) → self.norm(x[:, -1:])
sure_and_right loss_is_right loss_has_a_gradient
    no_shift: tokens[:, :-1] → tokens
        tokens[:, 1:] → tokens
    shifted_the_other_way: tokens[:, 1:].flatten → tokens[:, :-1].flatten
        model(tokens[:, :-1]) → model(tokens[:, 1:])
loss_is_right
    summed: tokens[:, 1:].flatten() → tokens[:, 1:].flatten(), reduction='sum'
loss_is_right sure_and_right loss_has_a_gradient
    softmax_twice: logits.flatten → logits.softmax(-1).flatten
loss_is_right loss_has_a_gradient
    softmax_over_positions: cross_entropy(logits.flatten → nll_loss(logits.log_softmax(1).flatten
loss_has_a_gradient
    made_anew_from_a_number: tokens[:, 1:].flatten())
        → tokens[:, 1:].flatten()).item() + 0 * logits.sum()
likeliest_are_taken
    cache_not_passed: model(new, cache) → model(new)
    all_tokens_and_the_cache: tokens = torch.cat → new = tokens = torch.cat
    first_position_s_logits: logits[:, -1] → logits[:, 0]
count_are_added likeliest_are_taken
    new_tokens_only: tokens = torch.cat([tokens, new], 1)
        |     return tokens
        → tokens = torch.cat([tokens, new], 1)
        |     return tokens[:, -count:]
count_are_added likeliest_are_taken CHANCES
    new_tokens_in_front: [tokens, new] → [new, tokens]
temperature_divides
    temperature_multiplied: logits / temperature → logits * temperature
    temperature_of_the_shares: (logits / temperature).softmax(-1)
        → logits.softmax(-1) / temperature
CHANCES
    always_the_likeliest: if temperature: → if temperature > 9:
top_are_kept
    one_too_many: topk(top) → topk(top + 1)
    one_too_few: < logits → <= logits
    a_logit_of_0: = -torch.inf → = 0
    top_of_the_first_text: values[:, -1:] → values[0, -1]
    top_left_out: if top: → if top > 99:
top_have_their_chances
    top_drawn_alike: logits[logits < logits.topk(top).values[:, -1:]] = -torch.inf
        → best = logits.topk(top).values[:, -1:]
        |             logits = torch.where(logits < best, -torch.inf, 0)
beats_pairs knows_the_text
    nothing_learns: self.norm(x) @ self.embedding.weight.T
        → (self.norm(x) @ self.embedding.weight.T).detach()
"""
ANSWERS.note_wrong(WRONG, but=[LEARNING])
