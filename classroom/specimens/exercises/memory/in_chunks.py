import torch


def right_in_chunks(queries, keys, values, decay, chunk):
    state, read = torch.zeros(values.shape[1], keys.shape[1]), []
    for start in range(0, len(queries), chunk):
        q, k, v = (part[start : start + chunk] for part in (queries, keys, values))
        places = torch.arange(len(q))
        left = (decay ** (places[:, None] - places).float()).tril()
        faded = decay ** (1 + places[:, None])
        read.append(faded * (q @ state.T) + (q @ k.T * left) @ v)
        state = decay ** len(q) * state + (decay ** places.flip(0)[:, None] * v).T @ k
    return torch.cat(read), state


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
