import torch


def _share(maps, gold):
    """Share of hits of maps (example target source)."""
    counts = gold >= 0
    return (maps.argmax(-1)[counts] == gold[counts]).float().mean().item()


def _best(maps, gold):
    blocks, heads = maps.shape[1:3]
    every = [(b, h) for b in range(blocks) for h in range(heads)]
    return max(every, key=lambda at: _share(maps[:, at[0], at[1]], gold))


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
    b, h = (int(number) for number in (table == table.max()).nonzero()[0])
    hits = mean_hits = count = 0
    for e in range(half, len(maps)):
        for t in range(maps.shape[3]):
            if gold[e, t] >= 0:
                count += 1
                hits += int(maps[e, b, h, t].argmax() == gold[e, t])
                mean_hits += int(maps[e, :, :, t].mean((0, 1)).argmax() == gold[e, t])
    return (b, h), hits / count, mean_hits / count


def by_flattening(maps, gold):
    half = len(maps) // 2
    flat, counts = maps.flatten(1, 2), gold >= 0
    hits = (flat.argmax(-1) == gold[:, None]) & counts[:, None]
    number = int(hits[:half].sum((0, 2)).argmax())
    tested = hits[half:, number].sum() / counts[half:].sum()
    mean = (flat[half:].mean(1).argmax(-1) == gold[half:]) & counts[half:]
    return divmod(number, maps.shape[2]), tested, mean.sum() / counts[half:].sum()


def by_sums_of_maps(maps, gold):
    half = len(maps) // 2
    b, h = _best(maps[:half], gold[:half])
    total = maps[half:].sum(2).sum(1)
    return (b, h), _share(maps[half:, b, h], gold[half:]), _share(total, gold[half:])
