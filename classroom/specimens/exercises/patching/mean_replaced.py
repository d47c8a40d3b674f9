import torch


def _put(outputs, others, heads):
    result = outputs.clone()
    for head in heads:
        result[:, head] = others[:, head].reshape(-1, others.shape[-1]).mean(0)
    return result


def _left(outputs, chosen):
    return [head for head in range(outputs.shape[1]) if head not in chosen]


def by_loops(outputs, others, chosen, seed):
    left = _left(outputs, chosen)
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(left), generator=generator)
    drawn = [left[place] for place in order[: len(chosen)]]
    return _put(outputs, others, chosen), _put(outputs, others, drawn)


def by_multinomial(outputs, others, chosen, seed):
    even = torch.ones(outputs.shape[1])
    even[chosen] = 0
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.multinomial(even, len(chosen), generator=generator)
    means = others.mean((0, 2))[None, :, None].expand_as(outputs)

    def where(heads):
        mask = torch.zeros(outputs.shape[1], dtype=torch.bool)
        mask[heads] = True
        return torch.where(mask[None, :, None, None], means, outputs)

    return where(chosen), where(drawn)


def _control_of_zeros(outputs, others, chosen, seed):
    first, _ = by_loops(outputs, others, chosen, seed)
    return first, by_loops(outputs, torch.zeros_like(others), chosen, seed)[1]


WRONG = {
    "two_of_one_shape": [("replaced(chosen), replaced(control)", "replaced(chosen)")],
    "chosen_are_replaced": [
        ("replaced(chosen)", "replaced(left)"),
        ("others.mean(dim=(0, 2))", "0 * others.mean(dim=(0, 2))"),
        ("others.mean", "found.mean"),
        ("(dim=(0, 2))", "(dim=(0, 1, 2)).expand(others.shape[1], -1)"),
        ("others.mean", "others[:1].mean"),
    ],
    "control_has_as_many_others": [
        (" if head not in chosen", ""),
        ("order[: len(chosen)]", "order[:1]"),
        ("torch.randperm(len(left)", "torch.randint(len(left), (len(chosen),)"),
        ("replaced(control)", "replaced([*chosen, *control])"),
    ],
    "control_is_replaced": [_control_of_zeros],
    "the_seed_decides": [
        ("[left[place] for place in order[: len(chosen)]]", "left[: len(chosen)]"),
        ("manual_seed(seed)", "manual_seed(0)"),
    ],
    "runs": [("torch.Generator().manual_seed(seed)", "torch.Generator(seed)")],
}
