"""Right and wrong answers to `find-the-circuit`: changes of the solution, and what they lose."""

from specimens.coursework.tried import Changed

NEEDED = (
    *("class LanguageModel", "WEIGHTS = ", "VARIANT = ", "def own_model", "def mapped"),
    *("def maps(", "def prefix_scores", "def ablate(", "def copying_loss", "def rivals"),
    *("def patch(", "def route(", "def circuit"),
)
ANSWERS = Changed("find-the-circuit", lambda text: any(words in text for words in NEEDED))
RIGHT = {
    "solution": "",
    "forward_written_again": """
def read(model, tokens, change=lambda block, name, x: x):
    x, kept = model.embedding(tokens), {}
    for number, block in enumerate(model.blocks):
        y, a = block.norm1(x), block.attention
        parts = {}
        for name in "qkv":
            part = change(number, name, split(getattr(a, name)(y), a.d))
            parts[name] = kept[number, name] = part
        q, k = rotate(parts["q"], 0, a.base), rotate(parts["k"], 0, a.base)
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / a.d**0.5
        later = torch.arange(len(x[0]))[:, None] < torch.arange(len(x[0]))
        kept[number, "w"] = torch.where(later, -1e9, scores).softmax(-1)
        found = change(number, "found", kept[number, "w"] @ parts["v"])
        kept[number, "found"] = found
        x = x + a.o(found.transpose(1, 2).flatten(2))
        y = block.norm2(x)
        x = x + block.down(silu(block.gate(y)) * block.up(y))
    return model.norm(x) @ model.embedding.weight.T, kept


def maps(model, tokens):
    kept = read(model, tokens)[1]
    return torch.stack([kept[block, "w"] for block in range(len(model.blocks))])


def exchanged(values):
    def change(block, name, x):
        x = x.clone()
        for (b, n, h), value in values.items():
            if (b, n) == (block, name):
                x[:, h] = value
        return x

    return change


def means(model, tokens, heads):
    kept = read(model, tokens)[1]
    return {(b, "found", h): kept[b, "found"][:, h].mean(dim=(0, 1)) for b, h in heads}


def ablate(model, tokens, heads):
    return read(model, tokens, exchanged(means(model, tokens, heads)))[0]


def patch(model, clean, corrupted, head):
    b, h = head
    found = read(model, corrupted)[1][b, "found"][:, h]
    return read(model, clean, exchanged({(b, "found", h): found}))[0]


def route(model, tokens, sender, receivers, part):
    kept = read(model, tokens, exchanged(means(model, tokens, [sender])))[1]
    closed = {(b, part, h): kept[b, part][:, h] for b, h in receivers}
    return read(model, tokens, exchanged(closed))[0]
""",
    "attend_replaced_for_a_while": """
import itertools

original = attend


def listening(model, tokens, put=None, d=None):
    seen, number = [], itertools.count()

    def mine(q, k, v):
        found, block = original(q, k, v), next(number)
        for (b, h), value in (put or {}).items():
            if b == block:
                found = found.clone()
                found[:, h] = value
        seen.append((q, k, found))
        return found

    globals()["attend"] = mine
    try:
        return model(tokens)[0], seen
    finally:
        globals()["attend"] = original


def maps(model, tokens):
    found = []
    for q, k, _ in listening(model, tokens)[1]:
        powers = (q @ k.mT * q.shape[-1] ** -0.5).exp().tril()
        found.append(powers / powers.sum(-1, keepdim=True))
    return torch.stack(found)


def ablate(model, tokens, heads):
    seen = listening(model, tokens)[1]
    put = {(b, h): seen[b][2][:, h].flatten(0, 1).mean(0) for b, h in heads}
    return listening(model, tokens, put)[0]


def patch(model, clean, corrupted, head):
    seen = listening(model, corrupted)[1]
    return listening(model, clean, {tuple(head): seen[head[0]][2][:, head[1]]})[0]
""",
    "by_index": """
def prefix_scores(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None]).tril(-1)
    n = tokens.shape[1]
    latest = (equal * (1 + torch.arange(n))).amax(-1)  # 0 if the token is new
    text, i = latest.nonzero(as_tuple=True)
    return weights[:, text, :, i, latest[text, i]].mean(0)


def copying_loss(logits, tokens):
    half = tokens.shape[1] // 2
    p = logits.log_softmax(-1)[:, :-1].gather(-1, tokens[:, 1:, None])
    return -p[:, half:].mean().item()


def rivals(heads, blocks, count, seed):
    generator = torch.Generator().manual_seed(seed)
    taken = {tuple(each) for each in heads}
    drawn = []
    for block, _ in heads:
        while True:
            head = int(torch.randint(count, (), generator=generator))
            if (block, head) not in taken:
                break
        taken.add((block, head))
        drawn.append([block, head])
    return drawn


def effect(loss_without, heads, controls):
    before, ours, *others = (loss_without(each) for each in ([], heads, *controls))
    return [ours - before, torch.tensor(others).mean() - before]
""",
    "copies_of_the_model": """
import copy


def prefix_scores(weights, tokens):
    total, count = torch.zeros(weights.shape[0], weights.shape[2]), 0
    for text in range(len(tokens)):
        seen = {}
        for i, token in enumerate(tokens[text].tolist()):
            if token in seen:
                total += weights[:, text, :, i, seen[token] + 1]
                count += 1
            seen[token] = i
    return total / count


def ablate(model, tokens, heads):
    mine, means = copy.deepcopy(model), {}
    for b, h in heads:
        d = mine.blocks[b].attention.d
        means[b, h] = found_by_heads(model, tokens)[b][..., h, :].flatten(0, 1).mean(0)
    for b, block in enumerate(mine.blocks):
        def forward(x, out=block.attention.o, b=b, d=block.attention.d):
            x = x.clone()
            for (at, h), mean in means.items():
                if at == b:
                    x[..., h * d : h * d + d] = mean
            return x @ out.weight.T
        block.attention.o.forward = forward
    return mine(tokens)[0]
""",
}
for style, more in RIGHT.items():
    ANSWERS.note(style, ANSWERS.changed(style, more=more))

WRONG = r"""
PATCHES = last_block_is_patched first_block_is_patched
WAYS = way_through_queries way_through_keys way_through_values
MEANS = means_stand_for_a_head later_blocks_read_the_mean several_at_once
SHARES = just_behind_counts latest_occurrence_counts every_position_counts_the_same
MAPS = first_block_is_right later_blocks_are_right
MAPS
    maps_not_turned: q, k = rotate(q, 0, attention.base), rotate(k, 0, attention.base) →
    queries_turned_alone: q, k = rotate(q, 0, attention.base), rotate(k → q = rotate(q
    maps_not_scaled: mT / attention.d**0.5 → mT
    heads_by_reshape: split(make(x), attention.d)
        → make(x).reshape(len(x), -1, x.shape[1], attention.d)
    stream_without_its_norm: attention.register_forward_pre_hook(keep) for block in model.blocks
        → norm1.register_forward_pre_hook(keep) for block in model.blocks
        read.append((module, → read.append((next(of_norms),
        read = [] → read, of_norms = [], iter([block.attention for block in model.blocks])
rows_sum_to_one MAPS
    maps_not_masked: scores.masked_fill(future, -torch.inf).softmax(-1)) → scores.softmax(-1))
    masked_after_the_softmax: scores.masked_fill(future, -torch.inf).softmax(-1))
        → scores.softmax(-1).tril())
    softmax_over_those_who_ask: scores.masked_fill(future, -torch.inf).softmax(-1))
        → scores.masked_fill(future, -1e9).softmax(-2))
    asking_and_asked_exchanged: .softmax(-1)) → .softmax(-1).mT)
later_blocks_are_right
    later_blocks_read_the_embeddings: , inputs[0] → , read[0][1] if read else inputs[0]
SHARES
    at_the_occurrence: j + 1 → j
    before_the_occurrence: j + 1 → max(j - 1, 0)
    two_behind: j + 1 → min(j + 2, i)
    column_for_row: i, j + 1 → j + 1, i
    all_positions_in_the_divisor: .mean(0) → .sum(0) / tokens.numel()
latest_occurrence_counts every_position_counts_the_same
    first_occurrence: max(k for k in range(i) if row[k] == token) → row.index(token)
    every_occurrence: max(k for k in range(i) if row[k] == token)
        → torch.tensor([k for k in range(i) if row[k] == token])
        weights[:, text, :, i, j + 1] → weights[:, text, :, i, j + 1].sum(-1)
    largest_weight_decides: weights[:, text, :, i, j + 1]
        → (weights[:, text, :, i].argmax(-1) == j + 1).float()
SHARES a_share_for_each_head
    summed_over_positions: .mean(0) → .sum(0)
a_share_for_each_head SHARES
    mean_over_heads: .mean(0) → .mean(-1)
every_position_counts_the_same
    mean_of_the_texts_means: weights[:, text, :, i, j + 1] → (text, weights[:, text, :, i, j + 1])
        return torch.stack(looks).
        → by_text = [[one for at, one in looks if at == text] for text in range(len(tokens))]
        |     return torch.stack([torch.stack(those).mean(0) for those in by_text if those]).
MEANS WAYS
    zeros: contexts[b][:, :, h].mean((0, 1)) → 0.0
    mean_of_each_position: mean((0, 1)) → mean(0)
    mean_of_each_text: mean((0, 1)) → mean(1, keepdim=True)
    mean_of_the_entries: mean((0, 1)) → mean(-1, keepdim=True)
    mean_of_all_heads: [:, :, h].mean((0, 1)) → .mean((0, 1, 2))
    after_the_output: replacing(model, b, h, contexts[b][:, :, h].mean((0, 1)))
        → model.blocks[b].attention.o.register_forward_hook(
        |         lambda module, inputs, y: y.mean((0, 1)).expand_as(y))
MEANS WAYS PATCHES same_text_changes_nothing
    all_heads_of_the_block: x[:, :, head] = value
        → x[:, :, :] = value.unsqueeze(-2) if value.dim() > 1 else value
means_stand_for_a_head several_at_once last_block_is_patched same_text_changes_nothing
    always_the_first_block: [block].attention.o → [0].attention.o
none_changes_nothing MEANS WAYS
    all_but_these: contexts = found_by_heads(model, tokens)
        |     with
        → contexts = found_by_heads(model, tokens)
        |     every = [(b, h) for b, part in enumerate(contexts) for h in range(part.shape[2])]
        |     heads = [one for one in every if one not in {*map(tuple, heads)}]
        |     with
several_at_once
    the_first_of_the_list_alone: , h in heads → , h in heads[:1]
    measured_while_others_are_silent: with hooks(*(replacing(model, b, h, contexts
        → handles = []
        |     for b, h in heads:
        |         contexts = found_by_heads(model, tokens)
        |         handles.append(replacing(model, b, h, contexts
        ) for b, h in heads)): → ))
        |     with hooks(*handles):
model_is_left_alone model_stays_as_it_was WAYS same_text_changes_nothing
    hooks_stay: handle.remove() → pass
second_half_counts loss_is_right
    loss_of_the_whole_text: logits[:, half:-1], tokens[:, half + 1 :]
        → logits[:, :-1], tokens[:, 1:]
    first_token_of_the_half: logits[:, half:-1], tokens[:, half + 1 :]
        → logits[:, half - 1 : -1], tokens[:, half:]
    no_shift: logits[:, half:-1], tokens[:, half + 1 :] → logits[:, half:], tokens[:, half:]
    loss_of_the_first_half: logits[:, half:-1], tokens[:, half + 1 :]
        → logits[:, : half - 1], tokens[:, 1:half]
loss_is_right
    last_token_left_out: logits[:, half:-1], tokens[:, half + 1 :]
        → logits[:, half:-2], tokens[:, half + 1 : -1]
    loss_summed: flatten()) → flatten(), reduction='sum')
    softmax_twice: predicted. → predicted.softmax(-1).
    in_bits: flatten()) → flatten()) / 0.6931
none_is_one_of_them seed_draws_them
    rivals_with_the_heads: ) if (block, head) not in heads → )
as_many_of_each_block seed_draws_them
    rivals_of_any_block: (block, head) for head in range(count) if (block, head) not in heads
        → (b, h) for b in range(blocks) for h in range(count) if (b, h) not in heads
        drawn += rng.sample(others, sum(pair[0] == block for pair in heads))
        → drawn = rng.sample(others, len(heads))
as_many_of_each_block
    one_rival_of_each_block: others, sum → others, any
    rivals_with_repeats: sample(others, sum → choices(others, k=sum
seed_draws_them
    rivals_without_the_seed: Random(seed) → Random()
    the_next_heads: rng.sample(others, sum(pair[0] == block for pair in heads))
        → others[:(sum(pair[0] == block for pair in heads))]
together_they_cost controls_cost_on_average
    sign_turned: loss_without(heads) - before, sum → before - loss_without(heads), -sum
    losses_for_rises: loss_without([]) → 0.0
    one_by_one: loss_without(control) - before for
        → sum(loss_without([head]) - before for head in control) for
        loss_without(heads) - before, → sum(loss_without([head]) - before for head in heads),
    quotient: - before, sum(rises) / len(rises) → / before, sum(rises) / len(rises) / before
together_they_cost
    control_subtracted: before, → before - sum(rises) / len(rises),
controls_cost_on_average
    controls_summed: ) / len(rises) → )
    first_control_only: in controls → in controls[:1]
PATCHES
    the_other_direction: def patch(model, clean, corrupted, → def patch(model, corrupted, clean,
    last_position_alone: context = found_by_heads(model, corrupted)[block][:, :, number]
        → own = found_by_heads(model, clean)[block][:, :, number]
        |     context = found_by_heads(model, corrupted)[block][:, :, number]
        |     context = torch.cat([own[:, :-1], context[:, -1:]], 1)
    all_of_the_block: [:, :, number]
        |     with hooks(replacing(model, block, number, context))
        → .flatten(-2)
        |     out = model.blocks[block].attention.o
        |     with hooks(out.register_forward_pre_hook(lambda *_: (context,)))
    nothing_patched: corrupted) → clean)
PATCHES same_text_changes_nothing
    mean_of_the_corrupted: number] → number].mean((0, 1))
first_block_is_patched
    all_that_follows: context = found_by_heads(model, corrupted)[block][:, :, number]
        |     with hooks(replacing(model, block, number, context)):
        → every = found_by_heads(model, corrupted)
        |     later = [(b, h) for b in range(block, len(every)) for h in range(every[b].shape[2])]
        |     heads = [(b, h) for b, h in later if b > block or h == number]
        |     with hooks(*(replacing(model, b, h, every[b][:, :, h]) for b, h in heads)):
way_through_queries way_through_keys
    keys_for_queries: attention, part → attention, {'q': 'k', 'k': 'q', 'v': 'v'}[part]
way_through_queries way_through_values
    always_the_keys: getattr(attention, part) → attention.k
WAYS
    all_heads_of_the_block_read_it: output[:, :, heads] = without[-1][:, :, heads]
        → output = without[-1]
    first_receiver_alone: [head for _, head in receivers] → [head for _, head in receivers[:1]]
    sender_silenced_for_all: with hooks(project.register_forward_hook(replace)):
        |         return model(tokens)[0]
        → return ablate(model, tokens, [sender])
    sender_silent_in_both: (replace)):
        |         return model(tokens)[0]
        → (replace)):
        |         return ablate(model, tokens, [sender])
    without_the_receiver: with hooks(project.register_forward_hook(replace)):
        |         return model(tokens)[0]
        → return ablate(model, tokens, receivers)
    every_part: project.register_forward_hook(replace)
        → *(getattr(attention, name).register_forward_hook(replace) for name in 'qkv')
    the_heads_beside: , [head for _, head in receivers] → , [head - 1 for _, head in receivers]
model_stays_as_it_was
    route_leaves_its_hook: with hooks(project.register_forward_hook(replace)):
        |         return
        → project.register_forward_hook(replace)
        |     return
"""
ANSWERS.note_wrong(WRONG, but=list(ANSWERS.exercises))

COPIES, FEEDS = [(1, 0), (1, 1)], [(0, 1)]
MORE = "copying_heads_copy no_copying_head_too_many"
ALL = f"{MORE} feeding_heads_feed no_feeding_head_too_many way_is_right"
CIRCUITS = {
    "decoy_as_well": ([*COPIES, (1, 2)], FEEDS, "k", MORE),  # a control needs as many others
    "one_of_two": ([(1, 1)], FEEDS, "k", "copying_heads_copy"),
    "decoy_for_one_of_them": ([(1, 1), (1, 2)], FEEDS, "k", MORE),
    "all_of_the_block": ([(1, head) for head in range(4)], FEEDS, "k", MORE),
    "another_feeds": (COPIES, [(0, 3)], "k", "feeding_heads_feed way_is_right"),
    "two_feed": (COPIES, [(0, 1), (0, 2)], "k", "no_feeding_head_too_many feeding_heads_feed"),
    "through_queries": (COPIES, FEEDS, "q", "way_is_right"),
    "through_values": (COPIES, FEEDS, "v", "way_is_right"),
    "blocks_exchanged": (FEEDS, COPIES, "k", ALL),
}
for style, (*circuit, lost) in CIRCUITS.items():
    ANSWERS.note(style, {"circuit": lambda circuit=circuit: ["a7811cc4", *circuit]}, lost)
another = {"circuit": lambda: ["00000000", COPIES, FEEDS, "k"]}
ANSWERS.note("another_code", another, f"variant_is_the_students {ALL}")
