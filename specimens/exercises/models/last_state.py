"""Right and wrong answers to `attn_course.classroom.exercises.models.last_state`."""

import torch


def by_loop(states, lengths):
    return torch.stack([row[length - 1] for row, length in zip(states, lengths, strict=True)])


def by_gather(states, lengths):
    places = (lengths - 1).view(-1, 1, 1).expand(-1, 1, states.shape[2])
    return states.gather(1, places).squeeze(1)


def by_weights(states, lengths):
    weights = torch.nn.functional.one_hot(lengths - 1, states.shape[1]).to(states.dtype)
    return (weights.unsqueeze(1) @ states).squeeze(1)


def in_numpy(states, lengths):
    return states.numpy()[range(len(states)), lengths.numpy() - 1]


def all_states(states, lengths):
    return states


def keeps_the_axis(states, lengths):
    return by_loop(states, lengths).unsqueeze(1)


def of_the_first_source_only(states, lengths):
    return states[0, lengths[0] - 1]


def mean_of_the_real(states, lengths):
    rows = zip(states, lengths, strict=True)
    return torch.stack([row[:length].mean(dim=0) for row, length in rows])


def the_first(states, lengths):
    return states[:, 0]


def largest(states, lengths):
    return states.max(dim=1).values


def the_last_column(states, lengths):
    return states[:, -1]


def at_the_longest(states, lengths):
    return states[:, lengths.max() - 1]


def one_too_far(states, lengths):
    return states[torch.arange(len(states)), lengths.clamp(max=states.shape[1] - 1)]


def at_the_shortest(states, lengths):
    full = bool((lengths == states.shape[1]).all())
    return states[:, -1] if full else states[:, lengths.min() - 1]


def one_too_early_when_shorter(states, lengths):
    short = (lengths < states.shape[1]).long()
    return states[torch.arange(len(states)), lengths - 1 - short]


def adds_the_lengths(states, lengths):
    return states @ lengths


def overwrites_the_padding(states, lengths):
    for row, length in zip(states, lengths, strict=True):
        row[length:] = row[length - 1]
    return states[:, -1]


RIGHT = [by_loop, by_gather, by_weights]
WRONG = {
    in_numpy: "gradients_pass",
    all_states: "one_vector_a_source",
    keeps_the_axis: "one_vector_a_source",
    of_the_first_source_only: "one_vector_a_source",
    mean_of_the_real: "full_rows_give_their_last",
    the_first: "full_rows_give_their_last",
    largest: "full_rows_give_their_last",
    the_last_column: "padding_does_not_matter",
    at_the_longest: "padding_does_not_matter",
    one_too_far: "padding_does_not_matter",
    at_the_shortest: "each_row_gives_its_own_last",
    one_too_early_when_shorter: "each_row_gives_its_own_last",
    adds_the_lengths: "runs",
    overwrites_the_padding: "leaves_its_inputs_alone",
}
