"""The wall of maps, its Python side: what it accepts, refuses and carries."""

import numpy as np
import pytest
import torch

from attn_course.models.language_model import LanguageModel, Shape
from attn_course.patching import all_weights
from attn_course.views.widgets import wall as package
from attn_course.views.widgets.wall import LONGEST, SHARES, HeadWall, Sentence, stored, stored_runs

BLOCKS, HEADS = 4, 3
PIECES = ["The", " old", " lamp", ",", " the", " old", " lamp"]


def sentence(pieces=PIECES, blocks=BLOCKS, heads=HEADS, seed=0, name="A phrase"):
    """Random causal weights, some of them sharp."""
    size = (blocks, heads, len(pieces), len(pieces))
    scores = 3 * torch.randn(size, generator=torch.Generator().manual_seed(seed))
    later = torch.ones(size[2:], dtype=torch.bool).triu(1)
    return Sentence(name, pieces, scores.masked_fill(later, -torch.inf).softmax(-1).numpy())


def effects(seed=1):
    return np.random.default_rng(seed).normal(size=(BLOCKS, HEADS))


def wall(*sentences, **changes):
    return HeadWall(sentences or [sentence()], {"effect on copying": effects()}, **changes)


def unpacked(packed, pieces, heads=BLOCKS * HEADS):
    """The weights out of a sentence's bytes, written down here once more."""
    bytes_, weights = iter(packed), np.zeros((heads, pieces, pieces))
    for head in range(heads):
        for i in range(pieces):
            for j in range(i + 1):
                weights[head, i, j] = next(bytes_) / 255
    assert next(bytes_, None) is None
    return weights


def test_its_bytes_are_the_weights_to_half_a_step():
    usual = sentence()
    (carried,) = wall(usual).sentences
    assert (carried["name"], carried["pieces"]) == (usual.name, usual.pieces)
    back = unpacked(carried["weights"], len(PIECES)).reshape(usual.weights.shape)
    assert np.abs(back - usual.weights).max() <= 0.5 / 255 + 1e-6


def test_what_it_begins_with():
    widget = wall()
    assert (widget.blocks, widget.heads, widget.index, widget.chosen) == (BLOCKS, HEADS, 0, [0, 0])
    assert (widget.colour, widget.selected, widget.own) == (SHARES[0], {}, {})
    assert "12 maps, one for each of the 3 heads in each of the 4 blocks" in widget.summary
    (table,) = widget.tables
    assert table["name"] == "effect on copying"
    np.testing.assert_allclose(table["values"], effects().ravel(), rtol=1e-3)


def test_one_more_sentence_can_be_shown_and_is_cut():
    widget, long = wall(), sentence(["a"] * (LONGEST + 2), seed=3)
    widget.show(long.pieces, long.weights)
    assert (widget.index, len(widget.own["pieces"]), widget.own["count"]) == (1, LONGEST, 1)
    back = unpacked(widget.own["weights"], LONGEST)
    cut = long.weights[..., :LONGEST, :LONGEST].reshape(back.shape)
    assert np.abs(back - cut).max() <= 0.5 / 255 + 1e-6
    widget.show(PIECES, sentence().weights)
    assert widget.own["count"] == 2


def test_what_a_reader_types_is_read_and_what_cannot_be_is_told():
    def read(text):
        if text == "no":
            raise ValueError("this cannot be read")
        return text.split(), sentence(text.split()).weights

    widget = wall(read=read)
    widget.text = "  "
    assert widget.own == {}
    widget.text = "two words"
    assert (widget.own["pieces"], widget.index, widget.problem) == (["two", "words"], 1, "")
    widget.text = "no"
    assert (widget.own["pieces"], widget.problem) == (["two", "words"], "this cannot be read")
    widget.text = "three more words"
    assert (len(widget.own["pieces"]), widget.problem) == (3, "")


@pytest.mark.parametrize("read", [None, lambda text: None])
def test_only_what_can_read_answers_a_page(read, monkeypatch):
    sent = []
    widget = wall(read=read)
    monkeypatch.setattr(widget, "send", sent.append)
    widget._handle_custom_msg({"reads": None}, [])
    assert sent == ([{"reads": True}] if read else [])


def other(**changes):
    return sentence()._replace(**changes)


def later():
    weights = sentence().weights.copy()
    weights[0, 0, 2, 4] = 0.1
    return weights


def alone(**changes):
    return HeadWall(**{"sentences": [sentence()], **changes})


REFUSED = {
    alone: [
        ({"tables": {"effect": effects().T}}, r"effect must be \(block head\) \(4, 3\)"),
        ({"tables": {"effect": effects() * np.nan}}, "finite"),
        ({"tables": {"one back": effects()}}, "must be another than"),
        ({"tables": {"effect": (effects().T, "nats")}}, r"effect must be \(block head\) \(4, 3\)"),
        ({"index": 1}, "index must be"),
        ({"chosen": (4, 0)}, "block must be"),
        ({"chosen": (0, 3)}, "head must be"),
        ({"chosen": (0,)}, "chosen must be a block and a head"),
        ({"colour": "two back"}, "colour must be one of"),
        ({"sentences": []}, "sentences must hold at least 1; got 0"),
        ({"sentences": [sentence(), sentence(heads=2)]}, "the same blocks and heads"),
        ({"sentences": [other(name=3)]}, TypeError, "name must be a string; got 3"),
        ({"sentences": [other(pieces="The old")]}, TypeError, "pieces must be a list"),
        ({"sentences": [other(pieces=PIECES[1:])]}, r"block head 6 6.*\(4, 3, 7, 7\)"),
        ({"sentences": [other(weights=sentence().weights[0])]}, r"block head 7 7.*\(3, 7, 7\)"),
        (
            {"sentences": [other(weights=sentence().weights > 0)]},
            TypeError,
            "floating-point numbers; got bool",
        ),
        ({"sentences": [other(weights=2 * sentence().weights)]}, "from 0 to 1"),
        ({"sentences": [other(weights=np.nan * sentence().weights)]}, "from 0 to 1"),
        ({"sentences": [other(weights=sentence().weights / 2)]}, "must sum to 1"),
        ({"sentences": [other(weights=later())]}, "causal"),
    ],
}


def test_a_sentence_of_other_heads_is_not_shown():
    widget, fewer = wall(), sentence(heads=2)
    with pytest.raises(ValueError, match="4 blocks and 3 heads"):
        widget.show(fewer.pieces, fewer.weights)
    assert (widget.own, widget.index) == ({}, 0)


def test_the_weights_of_a_model_can_be_shown():
    torch.manual_seed(0)
    shape = Shape(symbols=11, blocks=2, size=12, heads=3, groups=1, hidden_size=7)
    weights = all_weights(LanguageModel(shape), torch.tensor([[3, 1, 4, 1]]))
    assert weights.shape == (2, 3, 4, 4)
    widget = HeadWall([Sentence("Tiny", list("3141"), weights.numpy())])
    assert (widget.blocks, widget.heads) == (2, 3)


# ---- what travels with the package


def test_nine_sentences_are_stored_and_each_is_small():
    widget = HeadWall(stored())
    assert (len(widget.sentences), widget.blocks, widget.heads) == (9, 30, 9)
    assert package.STORED.stat().st_size < 500_000
    assert max(len(one["weights"]) for one in widget.sentences) < 200_000
    assert all(4 < len(one["pieces"]) <= LONGEST for one in widget.sentences)
    assert len({one["pieces"][0] for one in widget.sentences}) > 4
    assert any(one["pieces"][:8] == one["pieces"][8:] for one in widget.sentences)


def test_six_sentences_have_runs_and_every_experiment_an_answer():
    runs, experiments = stored_runs()
    widget = HeadWall(stored(), runs=runs, experiments=experiments)
    names = {one["name"]: one["pieces"] for one in widget.sentences}
    assert (len(runs), len(experiments)) == (6, 8)
    for name, run in runs.items():
        ways = 1 + 270 + len(package.PARTS) * 30 * len(run.places)
        assert len(run.shares) == 2 * ways * len(run.tokens)
        assert len(run.other) == len(names[name])
        pairs = enumerate(zip(run.other, names[name], strict=True))
        assert run.places == [i for i, (other, own) in pairs if other != own]
    for experiment in experiments:
        assert experiment["sentence"] in names
        assert len(experiment["was"]) == len(experiment["now"]) == len(experiment["tokens"])
        widget.changes = experiment["changes"]
    with pytest.raises(ValueError, match="from 0 to 29; got 30"):
        widget.changes = {"silenced": [[30, 0]]}


# ---- with a kernel

IN_THE_KERNEL = """
import numpy as np
from attn_course.views.widgets.wall import HeadWall, Sentence
def read(text):
    pieces = text.split()
    return pieces, np.eye(len(pieces))[None, None]
shown = HeadWall([Sentence("One", *read("a b"))], read=read)
print("model", shown.model_id)
"""


@pytest.mark.slow
def test_a_kernel_answers_a_page_and_reads_what_is_typed(kernel):
    printed = []

    def run(code):
        kernel.execute_interactive(code, output_hook=hear, timeout=600)

    def hear(message):
        assert message["msg_type"] != "error", message["content"]
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    def tell(**data):
        content = {"comm_id": model_id, "data": data}
        kernel.shell_channel.send(kernel.session.msg("comm_msg", content))

    run(IN_THE_KERNEL)
    model_id = "".join(printed).split("model ")[1].strip()
    tell(method="custom", content={"reads": None})
    message = kernel.get_iopub_msg(timeout=600)
    while message["msg_type"] != "comm_msg":
        message = kernel.get_iopub_msg(timeout=600)
    assert message["content"]["data"] == {"method": "custom", "content": {"reads": True}}
    tell(method="update", state={"text": "three more words"}, buffer_paths=[])
    run("print(shown.index, shown.own['pieces'])")
    assert printed[-1].strip() == "1 ['three', 'more', 'words']"
