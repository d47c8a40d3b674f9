import heapq

import torch


def by_heap(step, end, width, longest):
    live, best = [(0.0, ())], None
    for _ in range(longest):
        grown = (
            (total + float(log), (*symbols, symbol))
            for total, symbols in live
            for symbol, log in enumerate(step(list(symbols)))
        )
        best_ones = heapq.nlargest(width, grown)
        for one in best_ones:
            if one[1][-1] == end and (best is None or one[0] > best[0]):
                best = one
        live = [one for one in best_ones if one[1][-1] != end]
        if not live:
            break
    return list(best[1][:-1] if best else live[0][1])


def with_tables(step, end, width, longest):
    sums, symbols, ended = torch.zeros(1), [[]], []
    for _ in range(longest):
        totals = sums[:, None] + torch.stack([step(one) for one in symbols])
        best = totals.flatten().topk(min(width, totals.numel()))
        grown = [
            (total, [*symbols[place // totals.shape[1]], place % totals.shape[1]])
            for total, place in zip(best.values.tolist(), best.indices.tolist(), strict=True)
        ]
        ended += [one for one in grown if one[1][-1] == end]
        rest = [one for one in grown if one[1][-1] != end]
        if not rest:
            break
        sums, symbols = torch.tensor([one[0] for one in rest]), [one[1] for one in rest]
    return max(ended)[1][:-1] if ended else symbols[0]


def by_recursion(step, end, width, longest):
    def best(live, left):
        """The likeliest that ends from here on, or the likeliest that is left."""
        grown = [
            (total + log, (*symbols, symbol))
            for total, symbols in live
            for symbol, log in enumerate(step(list(symbols)).tolist())
        ]
        best_ones = sorted(grown, reverse=True)[:width]
        ended = [(True, *one) for one in best_ones if one[1][-1] == end]
        live = [one for one in best_ones if one[1][-1] != end]
        if live and left > 1:
            return max([*ended, best(live, left - 1)])
        return max([*ended, *((False, *one) for one in live)])

    has_ended, _, symbols = best([(0.0, ())], longest)
    return symbols[:-1] if has_ended else symbols


def stops_when_nothing_can_overtake(step, end, width, longest):
    live, best = {(): 0.0}, (-float("inf"), None)
    for _ in range(longest):
        grown = {
            (*symbols, symbol): total + log.item()
            for symbols, total in live.items()
            for symbol, log in enumerate(step(list(symbols)))
        }
        live = {}
        for symbols in sorted(grown, key=grown.get)[-width:]:
            if symbols[-1] == end:
                best = max(best, (grown[symbols], symbols[:-1]))
            else:
                live[symbols] = grown[symbols]
        if not live or best[0] >= max(live.values()):
            break
    return torch.tensor(best[1] if best[1] is not None else max(live, key=live.get))
