"""The language model with parts left out, the tables that rival it, and what a budget buys."""

import math
from collections import Counter

import pytest
import torch

from attn_course.from_scratch import gpt
from attn_course.tasks.dates import date_pairs
from attn_course.tasks.vocabulary import Vocabulary
from attn_lab.writing import dates_in_a_line as dates
from attn_lab.writing import signs
from attn_lab.writing import staircase as stairs
from attn_lab.writing.partial_models import SIZE, Partial, Parts, Training, next_token_loss
from attn_lab.writing.signs import Text

TOKENS = 13
READ = torch.randint(11, (97,), generator=torch.Generator().manual_seed(0))


@pytest.fixture
def small_text():
    return Text([""] * TOKENS, [], READ.repeat(5), READ, 150)


def whole_of(theirs, **shape):
    """A model of the file with the weights of a partial one."""
    ours = gpt.LanguageModel(gpt.Config(TOKENS, **shape))
    weights = {
        name: weight for name, weight in theirs.state_dict().items() if "readout" not in name
    }
    ours.load_state_dict(weights, strict=False)
    return ours


def nothing(x):
    return x.new_zeros(*x.shape[:-1], SIZE)


def itself(x):
    return x


@pytest.mark.parametrize(("parts", "names", "does"), [
    (Parts(), (), None),
    (Parts(network=False), ("down",), nothing),
    (Parts(looks="none"), ("o",), nothing),
    (Parts(looks="mean"), ("q",), nothing),
    (Parts(norms=False), ("norm", "norm1", "norm2"), itself),
])  # fmt: skip
def test_a_model_without_a_part_is_the_file_s_whose_part_does_nothing(parts, names, does):
    theirs = Partial(parts, TOKENS)
    ours = whole_of(theirs)
    for name, module in ours.named_modules():
        if name.rpartition(".")[2] in names:
            module.forward = does
    torch.testing.assert_close(theirs(READ[None]), ours(READ[None])[0])


@pytest.mark.parametrize(("parts", "order", "future"), [
    (Parts(blocks=1), True, False),
    (Parts(blocks=1, rotary=False), False, False),
    (Parts(blocks=1, looks="mean"), False, False),
    (Parts(blocks=1, mask=False), True, True),
    (Parts(looks="none"), False, False),
], ids=str)  # fmt: skip
def test_who_sees_order_and_who_the_future(parts, order, future):
    model = Partial(parts, TOKENS)
    turned = READ[[1, 0, *range(2, 19)]][None]
    later = torch.cat([READ[:18], (READ[18:19] + 1) % TOKENS])[None]
    logits = model(READ[None, :19])
    assert ((logits - model(turned))[0, -1].abs().max() > 1e-6) == order
    assert ((logits - model(later))[0, 5].abs().max() > 1e-6) == future


def test_an_unknown_way_to_look_is_refused():
    with pytest.raises(ValueError, match="got 'none of these'"):
        Partial(Parts(looks="none of these"), TOKENS)


def test_budgets_are_spent_by_all_in_turn(small_text):
    kinds = [Training(parts, small_text, 0.01, 0) for parts in (Parts(), Parts(network=False))]
    turns = []
    for kind in kinds:
        kind.step = lambda over, kind=kind, step=kind.step: (turns.append(kind), step(over))
    stairs.trained(kinds, stairs.Budget("steps", 3))
    assert turns == kinds * 3
    stairs.trained(kinds, stairs.Budget("seconds", 0.2))
    assert all(0.2 <= kind.seconds < 1 for kind in kinds)


def test_the_held_out_loss_is_per_character(small_text):
    training = Training(Parts(), small_text, 0.01, 0)
    nats = next_token_loss(training.model, READ[None, :65]).item()
    assert training.held_out() == pytest.approx(nats * len(READ) / 150)


# ---- the text and the tables


def test_pairs_are_joined_inside_words_and_the_commonest_first():
    merges, parts = signs.joined("ab abc\nab-bc\n", 3)
    assert merges[0] == ("a", "b")
    assert all(" " not in b and "\n" not in a + b and "-" not in a + b for a, b in merges)
    assert parts[" abc"] == [" ab", "c"]
    assert signs.cut("xabc", merges, parts) == ["x", "ab", "c"]
    assert signs.join([*"aaaaa"], "a", "a") == ["aa", "aa", "a"]


def test_every_tenth_group_is_held_out_and_each_once():
    held_out = [signs.lines(seed)[1] for seed in range(10)]
    assert sorted("".join(held_out).splitlines()) == sorted("".join(signs.lines(3)).splitlines())
    assert "latin capital letter a\n" in held_out[1]


@pytest.mark.parametrize("known", [True, False])
def test_a_table_gives_each_token_a_share(known):
    """The shares of all that may come after a context sum to one, whether or not it was seen."""
    before = READ[:4] if known else torch.tensor([12, 12, 12, 12])
    totals = [0.0, 0.0]
    for token in range(TOKENS):
        held_out = torch.cat([before, torch.tensor([token])])
        text = Text([""] * TOKENS, [], READ, held_out, 1)
        short = text._replace(held_out=before)
        nats = [
            signs.counted(text)[-1] - signs.counted(short)[-1],
            signs.well_counted(text)[0] - signs.well_counted(short)[0],
        ]
        totals = [total + math.exp(-loss) for total, loss in zip(totals, nats, strict=True)]
    assert totals == pytest.approx([1, 1])


def test_a_text_that_repeats_is_counted_well():
    held_out = READ[:40]
    text = Text([""] * TOKENS, [], READ, held_out, 40)
    one, two, three = signs.counted(text)
    assert one > two > three
    shares = Counter(READ.tolist())
    left = len(shares) / (len(READ) + len(shares)) / TOKENS
    by_hand = [
        math.log(shares[token] / (len(READ) + len(shares)) + left) for token in held_out.tolist()
    ]
    assert one == pytest.approx(-sum(by_hand) / 40)
    loss, right = signs.well_counted(text, share=0.0)
    assert loss < three
    assert sum(right) > 30


# ---- dates in a line


def test_only_the_answer_is_asked_for():
    pairs = date_pairs(17, 0)
    known = Vocabulary.from_texts(pair.source + "=" + pair.target for pair in pairs)
    rows, is_answer = dates.lines(pairs, known)
    for pair, row, at in zip(pairs, rows, is_answer, strict=True):
        assert known.decode(row[at].tolist()) == pair.target
    model = gpt.LanguageModel(gpt.Config(len(known)))
    row, at = rows[:1], is_answer[:1]
    first = int(at[0].int().argmax())
    logits = model(row[:, :-1])[0][0, first - 1 : first + 9]
    by_hand = -logits.log_softmax(-1).gather(1, row[0, first : first + 10, None]).mean()
    torch.testing.assert_close(dates.answer_loss(model, row, at), by_hand)
