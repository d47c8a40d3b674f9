"""Right and wrong answers to `find-the-circuit`: changes of the solution, and what they lose."""

from specimens.coursework.tried import Changed

NEEDED = (
    *("class LanguageModel", "WEIGHTS = ", "VARIANT = ", "def own_model", "def mapped"),
    *("def maps(", "def prefix_scores", "def ablate(", "def copying_loss", "def rivals"),
    *("def patch(", "def route(", "def circuit"),
)
ANSWERS = Changed("find-the-circuit", lambda text: any(each in text for each in NEEDED))
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

TURNED = "q, k = rotate(q, 0, attention.base), rotate(k, 0, attention.base)"
MASKED = "future = torch.ones_like(scores).triu(1).bool()\n"
MASK = f"{MASKED}        found.append(scores.masked_fill(future, -torch.inf).softmax(-1))"
SCALED = "scores = q @ k.mT / attention.d**0.5"
KEPT = "read.append((module, inputs[0]))"
LATEST = "j = max(each for each in range(i) if row[each] == token)"
ADDED = "found.append(weights[:, text, :, i, j + 1])"
STACKED = "return torch.stack(found).mean(0)\n"
SILENCED = "replacing(model, b, h, found[b][:, :, h].mean((0, 1)))"
SILENCE = f"with hooks(*({SILENCED} for b, h in heads)):\n        return model(tokens)[0]"
PUT = "x[:, :, head] = value"
REMOVED = "each.remove()"
SAID = "said, wanted = logits[:, half:-1], tokens[:, half + 1 :]"
ENTROPY = "cross_entropy(said.flatten(0, 1), wanted.flatten())"
OTHERS = "others = [(block, each) for each in range(count) if (block, each) not in heads]"
DRAWN = "rng.sample(others, sum(each[0] == block for each in heads))"
RISES = "rises = [loss_without(each) - before for each in controls]"
RISE = "return loss_without(heads) - before, sum(rises) / len(rises)"
FOUND = "found = found_by_heads(model, corrupted)[block][:, :, number]"
RUN = "with hooks(replacing(model, block, number, found)):\n        return model(clean)[0]"
PATCHED = f"{FOUND}\n    {RUN}"
CLOSED = "output[:, :, heads] = without[-1][:, :, heads]"
SENT = "ablate(model, tokens, [sender])"
ROUTED = "with hooks(project.register_forward_hook(replace)):\n        return model(tokens)[0]"
MAPS = "first_block_is_right later_blocks_are_right"
SHARES = "just_behind_counts latest_occurrence_counts every_position_counts_the_same"
MEANS = "means_stand_for_a_head later_blocks_read_the_mean several_at_once"
WAYS = "way_through_queries way_through_keys way_through_values"
PATCHES = "last_block_is_patched first_block_is_patched"
# the properties that are lost, those that say it best first, by which changes, in pairs
WRONG: dict[str, dict[str, list[str]]] = {
    MAPS: {
        "maps_not_turned": [TURNED, ""],
        "queries_turned_alone": [TURNED, "q = rotate(q, 0, attention.base)"],
        "maps_not_scaled": [SCALED, "scores = q @ k.mT"],
        "heads_by_reshape": [
            "split(make(x), attention.d)",
            "make(x).reshape(len(x), -1, x.shape[1], attention.d)",
        ],
        "stream_without_its_norm": [
            "each.attention.register_forward_pre_hook(keep) for each",
            "each.norm1.register_forward_pre_hook(lambda norm, x, block=each: "
            "read.append((block.attention, x[0]))) for each",
        ],
    },
    f"rows_sum_to_one {MAPS}": {
        "maps_not_masked": [MASK, "found.append(scores.softmax(-1))"],
        "masked_after_the_softmax": [MASK, "found.append(scores.softmax(-1).tril())"],
        "softmax_over_those_who_ask": [
            MASK,
            MASK.replace("-torch.inf", "-1e9").replace("softmax(-1)", "softmax(-2)"),
        ],
        "asking_and_asked_exchanged": [MASK, MASK.replace("softmax(-1)", "softmax(-1).mT")],
    },
    "later_blocks_are_right": {
        "later_blocks_read_the_embeddings": [
            KEPT,
            "read.append((module, read[0][1] if read else inputs[0]))",
        ]
    },
    SHARES: {
        "at_the_occurrence": [ADDED, ADDED.replace("j + 1", "j")],
        "before_the_occurrence": [ADDED, ADDED.replace("j + 1", "max(j - 1, 0)")],
        "two_behind": [ADDED, ADDED.replace("j + 1", "min(j + 2, i)")],
        "column_for_row": [ADDED, ADDED.replace("i, j + 1", "j + 1, i")],
        "all_positions_in_the_divisor": [
            STACKED,
            "return torch.stack(found).sum(0) / tokens.numel()\n",
        ],
    },
    "latest_occurrence_counts every_position_counts_the_same": {
        "first_occurrence": [LATEST, "j = row.index(token)"],
        "every_occurrence": [
            f"{LATEST}\n                {ADDED}",
            "js = [each + 1 for each in range(i) if row[each] == token]\n"
            "                found.append(weights[:, text, :, i, js].sum(-1))",
        ],
        "largest_weight_decides": [
            ADDED,
            "found.append((weights[:, text, :, i].argmax(-1) == j + 1).float())",
        ],
    },
    f"{SHARES} a_share_for_each_head": {
        "summed_over_positions": [STACKED, "return torch.stack(found).sum(0)\n"]
    },
    f"a_share_for_each_head {SHARES}": {
        "mean_over_heads": [STACKED, "return torch.stack(found).mean(-1)\n"]
    },
    "every_position_counts_the_same": {
        "mean_of_the_texts_means": [
            "found = []\n    for text, row",
            "found, means = [], []\n    for text, row",
            STACKED,
            "means = []\n    for text in range(len(tokens)):\n"
            "        one, row = [], tokens[text].tolist()\n"
            "        for i, token in enumerate(row):\n"
            "            if token in row[:i]:\n"
            "                j = i - 1 - row[:i][::-1].index(token)\n"
            "                one.append(weights[:, text, :, i, j + 1])\n"
            "        means += [torch.stack(one).mean(0)] if one else []\n"
            "    return torch.stack(means).mean(0)\n",
        ]
    },
    f"{MEANS} {WAYS}": {
        "zeros": [SILENCED, "replacing(model, b, h, 0.0)"],
        "mean_of_each_position": [SILENCED, SILENCED.replace("mean((0, 1))", "mean(0)")],
        "mean_of_each_text": [SILENCED, SILENCED.replace("mean((0, 1))", "mean(1, keepdim=True)")],
        "mean_of_the_entries": [
            SILENCED,
            SILENCED.replace("mean((0, 1))", "mean(-1, keepdim=True)"),
        ],
        "mean_of_all_heads": [
            SILENCED,
            SILENCED.replace("[:, :, h].mean((0, 1))", ".mean((0, 1, 2))"),
        ],
        "after_the_output": [
            SILENCE,
            "handles = [model.blocks[b].attention.o.register_forward_hook(lambda m, i, y: "
            "y.mean((0, 1)).expand_as(y)) for b, h in heads]\n"
            "    with hooks(*handles):\n        return model(tokens)[0]",
        ],
    },
    f"{MEANS} {WAYS} {PATCHES} same_text_changes_nothing": {
        "all_heads_of_the_block": [
            PUT,
            "x[:, :, :] = value.unsqueeze(-2) if value.dim() > 1 else value",
        ]
    },
    "means_stand_for_a_head several_at_once last_block_is_patched same_text_changes_nothing": {
        "always_the_first_block": [
            "return model.blocks[block].attention.o.register_forward_pre_hook(replace)",
            "return model.blocks[0].attention.o.register_forward_pre_hook(replace)",
        ]
    },
    f"none_changes_nothing {MEANS} {WAYS}": {
        "all_but_these": [
            SILENCE,
            f"sizes = enumerate(each.shape[2] for each in found)\n"
            "    heads = [(b, h) for b, count in sizes for h in range(count) "
            f"if (b, h) not in {{*map(tuple, heads)}}]\n    {SILENCE}",
        ]
    },
    "several_at_once": {
        "the_first_of_the_list_alone": [SILENCE, SILENCE.replace("in heads", "in heads[:1]")],
        "measured_while_others_are_silent": [
            SILENCE,
            "handles = []\n    for b, h in heads:\n"
            "        mean = found_by_heads(model, tokens)[b][:, :, h].mean((0, 1))\n"
            "        handles.append(replacing(model, b, h, mean))\n"
            "    with hooks(*handles):\n        return model(tokens)[0]",
        ],
    },
    f"model_is_left_alone model_stays_as_it_was {WAYS} same_text_changes_nothing": {
        "hooks_stay": [REMOVED, "pass"]
    },
    "second_half_counts loss_is_right": {
        "loss_of_the_whole_text": [SAID, "said, wanted = logits[:, :-1], tokens[:, 1:]"],
        "first_token_of_the_half": [
            SAID,
            "said, wanted = logits[:, half - 1 : -1], tokens[:, half:]",
        ],
        "no_shift": [SAID, "said, wanted = logits[:, half:], tokens[:, half:]"],
        "loss_of_the_first_half": [SAID, "said, wanted = logits[:, : half - 1], tokens[:, 1:half]"],
    },
    "loss_is_right": {
        "last_token_left_out": [
            SAID,
            "said, wanted = logits[:, half:-2], tokens[:, half + 1 : -1]",
        ],
        "loss_summed": [ENTROPY, ENTROPY.replace("flatten())", "flatten(), reduction='sum')")],
        "softmax_twice": [ENTROPY, ENTROPY.replace("said.", "said.softmax(-1).")],
        "in_bits": ["return nn.functional." + ENTROPY, f"return nn.functional.{ENTROPY} / 0.6931"],
    },
    "none_is_one_of_them seed_draws_them": {
        "rivals_with_the_heads": [OTHERS, "others = [(block, each) for each in range(count)]"]
    },
    "as_many_of_each_block seed_draws_them": {
        "rivals_of_any_block": [
            f"{OTHERS}\n        found += {DRAWN}",
            "pass\n    others = [(b, h) for b in range(blocks) for h in range(count)]\n"
            "    found = rng.sample([each for each in others if each not in heads], len(heads))",
        ]
    },
    "as_many_of_each_block": {
        "one_rival_of_each_block": [
            DRAWN,
            "rng.sample(others, any(each[0] == block for each in heads))",
        ],
        "rivals_with_repeats": [DRAWN, DRAWN.replace("sample(others, ", "choices(others, k=")],
    },
    "seed_draws_them": {
        "rivals_without_the_seed": [
            "rng, found = random.Random(seed), []",
            "rng, found = random.Random(), []",
        ],
        "the_next_heads": [
            DRAWN,
            DRAWN.replace("rng.sample(others, ", "others[:(").replace("heads))", "heads))]"),
        ],
    },
    "together_they_cost controls_cost_on_average": {
        "sign_turned": [RISE, "return before - loss_without(heads), -sum(rises) / len(rises)"],
        "losses_for_rises": ["before = loss_without([])", "before = 0.0"],
        "one_by_one": [
            "before = loss_without([])",
            "before, ask = loss_without([]), loss_without\n\n    def loss_without(heads):\n"
            "        return before + sum(ask([each]) - before for each in heads)\n",
            "def effect(loss_without, heads, controls):",
            "def effect(given, heads, controls):\n    loss_without = given\n"
            "    return single(given, heads, controls)\n\n\n"
            "def single(loss_without, heads, controls):",
        ],
        "quotient": [RISE, "return loss_without(heads) / before, sum(rises) / len(rises) / before"],
    },
    "together_they_cost": {
        "control_subtracted": [
            RISE,
            RISE.replace("- before, ", "- before - sum(rises) / len(rises), "),
        ]
    },
    "controls_cost_on_average": {
        "controls_summed": [RISE, RISE.replace(" / len(rises)", "")],
        "first_control_only": [RISES, RISES.replace("controls]", "controls[:1]]")],
    },
    PATCHES: {
        "the_other_direction": [
            PATCHED,
            PATCHED.replace("clean", "C").replace("corrupted", "clean").replace("C", "corrupted"),
        ],
        "last_position_alone": [
            FOUND,
            f"{FOUND.replace('corrupted', 'clean').replace('found =', 'own =')}\n    {FOUND}\n"
            "    found = torch.cat([own[:, :-1], found[:, -1:]], 1)",
        ],
        "all_of_the_block": [
            PATCHED,
            "found = found_by_heads(model, corrupted)[block].flatten(-2)\n"
            "    out = model.blocks[block].attention.o\n"
            "    with hooks(out.register_forward_pre_hook(lambda *_: (found,))):\n"
            "        return model(clean)[0]",
        ],
        "nothing_patched": [FOUND, FOUND.replace("corrupted", "clean")],
    },
    f"{PATCHES} same_text_changes_nothing": {
        "mean_of_the_corrupted": [FOUND, f"{FOUND}.mean((0, 1))"]
    },
    "first_block_is_patched": {
        "all_that_follows": [
            PATCHED,
            "all = found_by_heads(model, corrupted)\n"
            "    with hooks(*(replacing(model, b, h, all[b][:, :, h]) for b in range(block, "
            "len(all)) for h in range(all[b].shape[2]) if b > block or h == number)):\n"
            "        return model(clean)[0]",
        ]
    },
    "way_through_queries way_through_keys": {
        "keys_for_queries": [
            "project, without = getattr(attention, part)",
            "project, without = getattr(attention, {'q': 'k', 'k': 'q', 'v': 'v'}[part])",
        ]
    },
    "way_through_queries way_through_values": {
        "always_the_keys": [
            "project, without = getattr(attention, part)",
            "project, without = attention.k",
        ]
    },
    WAYS: {
        "all_heads_of_the_block_read_it": [CLOSED, "output = without[-1]"],
        "first_receiver_alone": [CLOSED, CLOSED.replace("heads]", "heads[:1]]")],
        "sender_silenced_for_all": [ROUTED, f"return {SENT}"],
        "sender_silent_in_both": [
            ROUTED,
            f"with hooks(project.register_forward_hook(replace)):\n        return {SENT}",
        ],
        "without_the_receiver": [ROUTED, "return ablate(model, tokens, receivers)"],
        "every_part": [
            ROUTED,
            "with hooks(*(getattr(attention, each).register_forward_hook(replace) for each in "
            "'qkv')):\n        return model(tokens)[0]",
        ],
        "the_heads_beside": [CLOSED, CLOSED.replace("heads]", "[h - 1 for h in heads]]")],
    },
    "model_stays_as_it_was": {
        "route_leaves_its_hook": [
            ROUTED,
            "project.register_forward_hook(replace)\n    return model(tokens)[0]",
        ]
    },
}
for lost, styles in WRONG.items():
    for style, texts in styles.items():
        ANSWERS.note(style, ANSWERS.changed(style, *texts), lost, but=list(ANSWERS.exercises))

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
for style, (*found, lost) in CIRCUITS.items():
    ANSWERS.note(style, {"circuit": lambda found=found: ["a7811cc4", *found]}, lost)
another = {"circuit": lambda: ["00000000", COPIES, FEEDS, "k"]}
ANSWERS.note("another_code", another, f"variant_is_the_students {ALL}")
