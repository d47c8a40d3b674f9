"""Right and wrong answers to `attn_course.classroom.exercises.alignment.additive_score`."""

import numpy as np
import torch

from attn_course.alignment import AdditiveScore


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


def without_v(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s + h @ U_a.T)


def as_a_column(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s + h @ U_a.T) @ v.unsqueeze(1)


def as_a_list(s, h, W_a, U_a, v):
    return [torch.tanh(W_a @ s + U_a @ h_j) @ v for h_j in h]


def summed_over_the_source(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s + h @ U_a.T).sum(dim=0)


def keys_ignored(s, h, W_a, U_a, v):
    return (torch.tanh(W_a @ s) @ v).expand(len(h))


def first_key_only(s, h, W_a, U_a, v):
    return (torch.tanh(W_a @ s + U_a @ h[0]) @ v).expand(len(h))


def made_once(s, h, W_a, U_a, v):
    return torch.linspace(-1, 1, len(h))


def mean_of_the_keys(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s + (h + h.mean(dim=0)) @ U_a.T) @ v


def softmaxed(s, h, W_a, U_a, v):
    return torch.softmax(by_loop(s, h, W_a, U_a, v), dim=0)


def running_sum(s, h, W_a, U_a, v):
    return by_loop(s, h, W_a, U_a, v).cumsum(dim=0)


def query_ignored(s, h, W_a, U_a, v):
    return torch.tanh(h @ U_a.T) @ v


def stacked(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s) @ v + torch.tanh(h @ U_a.T) @ v


def tanh_of_the_key_alone(s, h, W_a, U_a, v):
    return (W_a @ s + torch.tanh(h @ U_a.T)) @ v


def no_tanh_and_so_no_meeting(s, h, W_a, U_a, v):
    return (W_a @ s + h @ U_a.T) @ v


def relu_for_tanh(s, h, W_a, U_a, v):
    return torch.relu(W_a @ s + h @ U_a.T) @ v


def product_for_sum_without_tanh(s, h, W_a, U_a, v):
    return ((W_a @ s) * (h @ U_a.T)) @ v


def v_left_out(s, h, W_a, U_a, v):
    return (
        torch.tanh(W_a @ s + h @ U_a.T).sum(dim=1) * v.abs().sum() / len(v) / v.abs().sum() * 1e-3
    )


def tanh_again(s, h, W_a, U_a, v):
    return torch.tanh(torch.tanh(W_a @ s + h @ U_a.T) @ v)


def v_inside(s, h, W_a, U_a, v):
    return torch.tanh((W_a @ s + h @ U_a.T) @ v)


def minus(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s - h @ U_a.T) @ v


def sigmoid_for_tanh(s, h, W_a, U_a, v):
    return torch.sigmoid(W_a @ s + h @ U_a.T) @ v


def product_for_sum(s, h, W_a, U_a, v):
    return torch.tanh((W_a @ s) * (h @ U_a.T)) @ v


def scaled(s, h, W_a, U_a, v):
    return torch.tanh(W_a @ s + h @ U_a.T) @ v / len(v) ** 0.5


def in_place(s, h, W_a, U_a, v):
    h -= h.mean(dim=0)
    return torch.tanh(W_a @ s + h @ U_a.T) @ v


def transposed(s, h, W_a, U_a, v):
    return torch.tanh(W_a.T @ s + h @ U_a) @ v


RIGHT = [by_loop, by_einsum, by_concatenation, in_double, by_the_package, as_a_list]
WRONG = {
    in_numpy: "gradients_pass",
    without_v: "one_score_each",
    as_a_column: "one_score_each",
    summed_over_the_source: "one_score_each",
    keys_ignored: "reads_the_annotation",
    first_key_only: "reads_the_annotation",
    made_once: "reads_the_annotation",
    mean_of_the_keys: "reads_no_other_annotation",
    softmaxed: "reads_no_other_annotation",
    running_sum: "reads_no_other_annotation",
    query_ignored: "reads_the_state",
    stacked: "state_and_annotation_meet",
    tanh_of_the_key_alone: "state_and_annotation_meet",
    no_tanh_and_so_no_meeting: "state_and_annotation_meet",
    relu_for_tanh: "bounded_by_tanh",
    product_for_sum_without_tanh: "bounded_by_tanh",
    v_left_out: "v_is_the_last_factor",
    tanh_again: "v_is_the_last_factor",
    v_inside: "v_is_the_last_factor",
    minus: "is_the_definition",
    sigmoid_for_tanh: "is_the_definition",
    product_for_sum: "is_the_definition",
    scaled: "is_the_definition",
    in_place: "leaves_its_inputs_alone",
    transposed: "runs",
}
