"""Right and wrong answers to `attn_class.exercises.alignment.additive_score`."""

import numpy as np
import torch

from attn_course.alignment import AdditiveScore
from specimens.answers import named


def by_loop(s, h, W_a, U_a, v):
    scores = []
    for j in range(len(h)):
        scores.append(v.dot(torch.tanh(W_a @ s + U_a @ h[j])))
    return torch.stack(scores)


def by_einsum(s, h, W_a, U_a, v):
    inside = torch.einsum("ks,s->k", W_a, s) + torch.einsum("ka,ja->jk", U_a, h)
    return torch.einsum("k,jk->j", v, torch.tanh(inside))


def by_concatenation(s, h, W_a, U_a, v):
    pairs = torch.cat([s.expand(len(h), -1), h], dim=1)
    return (torch.tanh(pairs @ torch.cat([W_a, U_a], dim=1).T) * v).sum(dim=1)


def in_double(s, h, W_a, U_a, v):
    return torch.tanh(W_a.double() @ s.double() + h.double() @ U_a.double().T) @ v.double()


def in_numpy(s, h, W_a, U_a, v):
    s, h, W_a, U_a, v = (part.numpy() for part in (s, h, W_a, U_a, v))
    return np.tanh(W_a @ s + h @ U_a.T) @ v


def by_the_package(s, h, W_a, U_a, v):
    score = AdditiveScore(len(s), h.shape[1], len(v))
    weights = {
        "query_projection.weight": W_a,
        "key_projection.weight": U_a,
        "energy.weight": v.unsqueeze(0),
    }
    queries, keys = s.view(1, 1, -1), h.unsqueeze(0)
    return torch.func.functional_call(score, weights, (queries, keys), strict=False).flatten()


def as_a_list(s, h, W_a, U_a, v):
    return [torch.tanh(W_a @ s + U_a @ h_j) @ v for h_j in h]


RIGHT = [by_loop, by_einsum, by_concatenation, in_double, by_the_package, as_a_list]
WRONG = {
    "gradients_pass": [in_numpy],
    "one_score_each": named(
        without_v=lambda s, h, W_a, U_a, v: torch.tanh(W_a @ s + h @ U_a.T),
        as_a_column=lambda s, h, W_a, U_a, v: torch.tanh(W_a @ s + h @ U_a.T) @ v.unsqueeze(1),
        summed_over_the_source=lambda s, h, W_a, U_a, v: torch.tanh(W_a @ s + h @ U_a.T).sum(dim=0),
    ),
    "reads_the_annotation": named(
        keys_ignored=lambda s, h, W_a, U_a, v: (torch.tanh(W_a @ s) @ v).expand(len(h)),
        first_key_only=lambda s, h, W_a, U_a, v: (torch.tanh(W_a @ s + U_a @ h[0]) @ v).expand(
            len(h)
        ),
        made_once=lambda s, h, W_a, U_a, v: torch.linspace(-1, 1, len(h)),
    ),
    "reads_no_other_annotation": named(
        mean_of_the_keys=lambda s, h, W_a, U_a, v: (
            torch.tanh(W_a @ s + (h + h.mean(dim=0)) @ U_a.T) @ v
        ),
        softmaxed=lambda s, h, W_a, U_a, v: torch.softmax(by_loop(s, h, W_a, U_a, v), dim=0),
        running_sum=lambda s, h, W_a, U_a, v: by_loop(s, h, W_a, U_a, v).cumsum(dim=0),
    ),
    "reads_the_state": named(query_ignored=lambda s, h, W_a, U_a, v: torch.tanh(h @ U_a.T) @ v),
    "state_and_annotation_meet": named(
        stacked=lambda s, h, W_a, U_a, v: torch.tanh(W_a @ s) @ v + torch.tanh(h @ U_a.T) @ v,
        tanh_of_the_key_alone=lambda s, h, W_a, U_a, v: (W_a @ s + torch.tanh(h @ U_a.T)) @ v,
        no_tanh_and_so_no_meeting=lambda s, h, W_a, U_a, v: (W_a @ s + h @ U_a.T) @ v,
    ),
    "bounded_by_tanh": named(
        relu_for_tanh=lambda s, h, W_a, U_a, v: torch.relu(W_a @ s + h @ U_a.T) @ v,
        product_for_sum_without_tanh=lambda s, h, W_a, U_a, v: ((W_a @ s) * (h @ U_a.T)) @ v,
    ),
    "v_is_the_last_factor": named(
        v_left_out=lambda s, h, W_a, U_a, v: (
            torch.tanh(W_a @ s + h @ U_a.T).sum(dim=1) / len(v) * 1e-3
        ),
        tanh_again=lambda s, h, W_a, U_a, v: torch.tanh(torch.tanh(W_a @ s + h @ U_a.T) @ v),
        v_inside=lambda s, h, W_a, U_a, v: torch.tanh((W_a @ s + h @ U_a.T) @ v),
    ),
    "is_the_definition": named(
        minus=lambda s, h, W_a, U_a, v: torch.tanh(W_a @ s - h @ U_a.T) @ v,
        sigmoid_for_tanh=lambda s, h, W_a, U_a, v: torch.sigmoid(W_a @ s + h @ U_a.T) @ v,
        product_for_sum=lambda s, h, W_a, U_a, v: torch.tanh((W_a @ s) * (h @ U_a.T)) @ v,
        scaled=lambda s, h, W_a, U_a, v: torch.tanh(W_a @ s + h @ U_a.T) @ v / len(v) ** 0.5,
    ),
    "runs": named(transposed=lambda s, h, W_a, U_a, v: torch.tanh(W_a.T @ s + h @ U_a) @ v),
}
