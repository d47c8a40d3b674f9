"""Other right answers to `attn_class.exercises.memory.in_chunks`."""

import torch


def chunked(queries, keys, values, decay, chunk, **how):
    """The right answer, or one that goes wrong as the names in ``how`` say."""
    size = len(queries)
    state, read = torch.zeros(values.shape[1], keys.shape[1]), []
    ends = range(0, size - size % chunk if how.get("whole_chunks") else size, chunk)
    for start in ends:
        q, k, v = (each[start : start + chunk] for each in (queries, keys, values))
        n = len(q)
        left = torch.zeros(n, n)
        for t in range(n):
            for j in range(n if how.get("sees_ahead") else t + 1):
                left[t, j] = decay ** (abs(t - j) + how.get("older", 0))
        if how.get("without_itself"):
            left = left.tril(diagonal=-1)
        if how.get("flat_inside"):
            left = left.sign()
        faded = torch.tensor([decay ** (t + how.get("since", 1)) for t in range(n)])
        if how.get("no_state"):
            faded = 0 * faded
        inside = (q @ k.T * left) @ v
        still = torch.tensor([decay ** (n - 1 - j) for j in range(n)])
        if how.get("flat_state"):
            still = torch.ones(n)
        new = (still[:, None] * v).T @ k
        old = decay ** (chunk if how.get("fades_by_the_chunk") else n) * state
        if how.get("old_state_stays"):
            old = state
        now = old + new if not how.get("forgets") else new
        out = now if how.get("reads_twice") else state
        read.append(faded[:, None] * (q @ out.T) + inside)
        state = now
    read = torch.cat(read)
    return (read, state.T.reshape(-1)) if how.get("flat") else (read, state)


def right_in_chunks(queries, keys, values, decay, chunk):
    return chunked(queries, keys, values, decay, chunk)


def by_steps(queries, keys, values, decay, chunk):
    state, read = torch.zeros(values.shape[1], keys.shape[1]), []
    for q, k, v in zip(queries, keys, values, strict=True):
        state = decay * state + torch.outer(v, k)
        read.append(state @ q)
    return torch.stack(read), state


def all_at_once(queries, keys, values, decay, chunk):
    places = torch.arange(len(queries))
    age = (places[:, None] - places).float()
    left = torch.where(age >= 0, decay ** age.clamp(min=0), 0.0)
    return (queries @ keys.T * left) @ values, (left[-1][:, None] * values).T @ keys


def with_a_list_of_states(queries, keys, values, decay, chunk):
    states = [torch.zeros(values.shape[1], keys.shape[1])]
    for k, v in zip(keys, values, strict=True):
        states.append(decay * states[-1] + v[:, None] * k)
    return torch.einsum("tvk,tk->tv", torch.stack(states[1:]), queries), states[-1]


RIGHT = [right_in_chunks, by_steps, all_at_once, with_a_list_of_states]
