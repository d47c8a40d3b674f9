"""Right and wrong answers to `attn_class.exercises.patching.find_head`."""

from functools import partial

import torch

from specimens.answers import changed, named


def _share(maps, gold):
    """Share of hits of maps (example target source)."""
    asked = gold >= 0
    return (maps.argmax(-1)[asked] == gold[asked]).float().mean().item()


def _best(maps, gold, share=_share):
    blocks, heads = maps.shape[1:3]
    every = [(b, h) for b in range(blocks) for h in range(heads)]
    return max(every, key=lambda at: share(maps[:, at[0], at[1]], gold))


def by_loops(maps, gold):
    half = len(maps) // 2
    b, h = _best(maps[:half], gold[:half])
    rest = maps[half:]
    return (b, h), _share(rest[:, b, h], gold[half:]), _share(rest.mean((1, 2)), gold[half:])


def by_counting(maps, gold):
    half, table = len(maps) // 2, torch.zeros(maps.shape[1], maps.shape[2])
    for e in range(half):
        for t in range(maps.shape[3]):
            if gold[e, t] >= 0:
                table += maps[e, :, :, t].argmax(-1) == gold[e, t]
    b, h = (int(each) for each in (table == table.max()).nonzero()[0])
    hits = mean_hits = asked = 0
    for e in range(half, len(maps)):
        for t in range(maps.shape[3]):
            if gold[e, t] >= 0:
                asked += 1
                hits += int(maps[e, b, h, t].argmax() == gold[e, t])
                mean_hits += int(maps[e, :, :, t].mean((0, 1)).argmax() == gold[e, t])
    return (b, h), hits / asked, mean_hits / asked


def by_flattening(maps, gold):
    half = len(maps) // 2
    flat, asked = maps.flatten(1, 2), gold >= 0
    hits = (flat.argmax(-1) == gold[:, None]) & asked[:, None]
    number = int(hits[:half].sum((0, 2)).argmax())
    tested = hits[half:, number].sum() / asked[half:].sum()
    mean = (flat[half:].mean(1).argmax(-1) == gold[half:]) & asked[half:]
    return divmod(number, maps.shape[2]), tested, mean.sum() / asked[half:].sum()


def by_sums_of_maps(maps, gold):
    half = len(maps) // 2
    b, h = _best(maps[:half], gold[:half])
    total = maps[half:].sum(2).sum(1)
    return (b, h), _share(maps[half:, b, h], gold[half:]), _share(total, gold[half:])


def counts_for_shares(maps, gold):
    at, tested, control = by_loops(maps, gold)
    asked = (gold[len(maps) // 2 :] >= 0).sum().item()
    return at, 2 + tested * asked, control * asked


def by_mean_weight(maps, gold):
    half = len(maps) // 2
    asked = gold >= 0

    def weight(some, wanted):
        at = some.gather(-1, wanted.clamp(min=0)[..., None]).squeeze(-1)
        return at[wanted >= 0].mean().item()

    b, h = _best(maps[:half], gold[:half], weight)
    del asked
    rest = maps[half:]
    return (b, h), weight(rest[:, b, h], gold[half:]), weight(rest.mean((1, 2)), gold[half:])


def _share_of_all_rows(maps, gold):
    return (maps.argmax(-1) == gold).float().mean().item()


def mean_of_shares(maps, gold):
    at, tested, _ = by_loops(maps, gold)
    rest, wanted = maps[len(maps) // 2 :], gold[len(maps) // 2 :]
    every = [
        _share(rest[:, b, h], wanted) for b in range(maps.shape[1]) for h in range(maps.shape[2])
    ]
    return at, tested, sum(every) / len(every)


but = partial(changed, by_loops)
RIGHT = [by_loops, by_counting, by_flattening, by_sums_of_maps]
WRONG = {
    "three_results": named(
        counts_for_shares, no_control=lambda maps, gold: by_loops(maps, gold)[:2]
    ),
    "the_rest_judges": named(
        by_mean_weight,
        judged_on_all=but("rest[:, b, h], gold[half:]", "maps[:, b, h], gold"),
        judged_where_chosen=but("rest[:, b, h], gold[half:]", "maps[:half, b, h], gold[:half]"),
    ),
    "a_perfect_head_is_found": named(
        head_and_block=but("return (b, h)", "return (h % maps.shape[1], b % maps.shape[2])"),
        worst_head=but("gold[:half])", "gold[:half], lambda *each: -_share(*each))"),
    ),
    "rows_without_gold_are_left_out": named(
        divided_by_all_rows=but(
            "_share(rest[", "_share_of_all_rows(rest[", "_share(rest.", "_share_of_all_rows(rest."
        ),
        last_position_for_none=lambda maps, gold: by_loops(
            maps, torch.where(gold < 0, maps.shape[-1] - 1, gold)
        ),
    ),
    "the_first_half_chooses": named(
        chosen_on_all=but("maps[:half], gold[:half]", "maps, gold"),
        chosen_on_the_rest=but("maps[:half], gold[:half]", "maps[half:], gold[half:]"),
    ),
    "the_control_is_the_mean_map": named(
        mean_of_shares,
        mean_of_its_block=but("rest.mean((1, 2))", "rest[:, b].mean(1)"),
        control_on_all=but("rest.mean((1, 2)), gold[half:]", "maps.mean((1, 2)), gold"),
    ),
    "runs": named(not_a_head=lambda maps, gold: maps.argmax(-1) == gold),
}
