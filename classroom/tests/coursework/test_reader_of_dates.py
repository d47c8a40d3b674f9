"""Assignment 2: components by their properties, and a trained network on hidden days."""

import hashlib

import pytest
import torch
from courseworks import OWN, marks, solved

from attn_class.grading import variants
from attn_course.tasks.own import own_locales
from specimens.coursework.tried import findings, hidden_tests

NAME = "a-reader-of-dates"


@pytest.fixture(scope="module")
def solved_names():
    """The solution's own code for Part 8, without its training."""
    return solved(NAME, "WEIGHTS =", "VARIANT =", "def unpacked", "def trained")


@pytest.fixture(scope="module")
def network(solved_names):
    """What the solution hands in: the code, the alphabet and the weights."""
    return tuple(solved_names["trained"]())


def test_the_network_of_the_solution_gets_full_marks(network):
    assert network[0] == OWN[:8]
    assert marks(NAME, "trained", list(network)) == (14, set())


def test_its_mark_is_the_same_for_other_hidden_days_of_the_same_locales(network):
    for number in range(4):
        other = OWN[:8] + hashlib.sha256(str(number).encode()).hexdigest()[8:]
        assert marks(NAME, "trained", network, other)[0] == 14


def spoilt(network, share):
    """The network with noise in it."""
    generator = torch.Generator().manual_seed(0)
    code, alphabet, weights = network
    noisy = [each + share * torch.randn(each.shape, generator=generator) for each in weights]
    return code, alphabet, noisy


def test_worse_networks_get_fewer_points(network):
    points = [marks(NAME, "trained", spoilt(network, share))[0] for share in (0.0, 0.05, 0.1, 0.5)]
    assert points == sorted(points, reverse=True)
    assert points[0] == 14
    assert points[-1] == 3  # it is a network, and the student's own
    assert len(set(points)) > 2


def test_another_students_network_reads_other_locales(network):
    other = next(
        own
        for own in (variants.own(f"student {n}", "seed") for n in range(99))
        if not set(own_locales(own[:8])[1:]) & set(own_locales(OWN[:8]))
    )
    points, failed = marks(NAME, "trained", network, other)
    assert "variant_is_the_students" in failed
    assert points <= 2 + 3


def replaced(network, place, tensor):
    code, alphabet, weights = network
    return code, alphabet, [*weights[:place], tensor, *weights[place + 1 :]]


WHOLE = {"network_is_whole", *(f"reaches_{each}_percent" for each in (40, 75, 90, 95))}


@pytest.mark.parametrize(
    "broken",
    [
        lambda network: (network[0], network[1], network[2][:9]),
        lambda network: (network[0], network[1] + "!", network[2]),
        lambda network: replaced(network, 0, network[2][0][:, :-1]),
        lambda network: replaced(network, 0, torch.full_like(network[2][0], torch.nan)),
        lambda network: replaced(network, 7, torch.zeros(0)),
        lambda network: (network[0], "", [torch.zeros(300, 300) for _ in range(10)]),
        lambda network: (network[0], network[2]),
        lambda network: (network[0], 3.0, network[2]),
        lambda network: network[0],
    ],
)
def test_what_is_no_network_keeps_the_point_for_the_code_at_most(network, broken):
    points, failed = marks(NAME, "trained", broken(network))
    assert failed >= WHOLE
    assert points <= 1


def test_weights_that_are_missing_or_cut_off_are_said(solved_names):
    unpacked, text = solved_names["unpacked"], solved_names["WEIGHTS"]
    for came, said in (("", "WEIGHTS is empty"), (text[: len(text) // 2], "was it cut off")):

        def trained(came=came):
            return [OWN[:8], *unpacked(came)]

        found = findings(hidden_tests(NAME)["trained"], trained, OWN)
        assert not any(each.holds for each in found)
        assert said in found[0].example


def test_too_large_a_network_is_not_packed(solved_names):
    with pytest.raises(ValueError, match="60,000 are allowed"):
        solved_names["packed"]("abc", [torch.zeros(60_001)])


def test_what_is_packed_comes_back_with_sixteen_bits(solved_names):
    weights = [torch.randn(3, 5), torch.randn(7)]
    alphabet, found = solved_names["unpacked"](solved_names["packed"]('a"\\\u200f\n', weights))
    assert alphabet == 'a"\\\u200f\n'
    for one, two in zip(found, weights, strict=True):
        assert torch.equal(one, two.half().float())
