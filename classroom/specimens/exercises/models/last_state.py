"""Right and wrong answers to `attn_class.exercises.models.last_state`."""

import torch

from attn_class.exercises.models.last_state import solution
from specimens.answers import changed, named


def by_loop(states, lengths):
    return torch.stack([row[length - 1] for row, length in zip(states, lengths, strict=True)])


def by_gather(states, lengths):
    places = (lengths - 1).view(-1, 1, 1).expand(-1, 1, states.shape[2])
    return states.gather(1, places).squeeze(1)


def by_weights(states, lengths):
    weights = torch.nn.functional.one_hot(lengths - 1, states.shape[1]).to(states.dtype)
    return (weights.unsqueeze(1) @ states).squeeze(1)


def mean_of_the_real(states, lengths):
    rows = zip(states, lengths, strict=True)
    return torch.stack([row[:length].mean(dim=0) for row, length in rows])


def at_the_shortest(states, lengths):
    full = bool((lengths == states.shape[1]).all())
    return states[:, -1] if full else states[:, lengths.min() - 1]


def one_too_early_when_shorter(states, lengths):
    short = (lengths < states.shape[1]).long()
    return states[torch.arange(len(states)), lengths - 1 - short]


RIGHT = [by_loop, by_gather, by_weights]
WRONG = {
    "gradients_pass": named(
        in_numpy=lambda states, lengths: states.numpy()[range(len(states)), lengths.numpy() - 1]
    ),
    "one_vector_a_source": named(
        all_states=lambda states, lengths: states,
        keeps_the_axis=lambda states, lengths: by_loop(states, lengths).unsqueeze(1),
        of_the_first_source_only=lambda states, lengths: states[0, lengths[0] - 1],
    ),
    "full_rows_give_their_last": named(
        mean_of_the_real,
        the_first=lambda states, lengths: states[:, 0],
        largest=lambda states, lengths: states.max(dim=1).values,
    ),
    "padding_does_not_matter": named(
        the_last_column=lambda states, lengths: states[:, -1],
        at_the_longest=lambda states, lengths: states[:, lengths.max() - 1],
        one_too_far=changed(solution, "lengths - 1", "lengths.clamp(max=states.shape[1] - 1)"),
    ),
    "each_row_gives_its_own_last": [at_the_shortest, one_too_early_when_shorter],
    "runs": named(adds_the_lengths=lambda states, lengths: states @ lengths),
}
