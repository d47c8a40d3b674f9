"""``report --json``: what stands on the card in numbers, for other programs."""

import json
import re
from html import unescape

import pytest
from capstone_corpora import pairs, written

from attn_course.measures import Paired, share
from attn_own import card, record, wording
from attn_own.command import main
from attn_own.findings import Alignment, Curve, Point, find
from attn_own.mistakes import KINDS
from attn_own.options import _HERE
from attn_own.trained import best_check

pytestmark = pytest.mark.slow

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?%?")
FORMATS = ("{:,}", "{:g}", "{:.1f}", "{:.3f}", "{:.3g}", "{:.0f}", "{:.1%}")
ALWAYS = {"95%", "1,000"}  # what intervals are, and from how many draws


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two guided models, with groups, links, long targets, and leaks and repeats in the test."""
    rows = [
        (source, target * 9, "abc"[at % 3] * 3, " ".join(f"{j}-{j}" for j in range(len(source))))
        for at, (source, target) in enumerate(pairs(220))
    ]
    at = tmp_path_factory.mktemp("corpus")
    test = written(at / "t.tsv", [*rows[:50], *rows[:9], ("abŵ", "ŴX"), ("ba", "Z" * 30, "ccc")])
    corpus = written(at / "a.tsv", [*rows, *rows[100:105]])
    options = ["--size", "12", "--epochs", "7", "--test", str(test)]
    assert main(["train", str(corpus), *options, "--ensemble", "2"]) == 0
    return at / "a-bahdanau"


@pytest.fixture
def findings(folder):
    """Those of the model, with an alignment and a learning curve, which it has not."""
    points = [Point(number, share(number, 4711)) for number in (1217, 2441, 4339)]
    curve = Curve(points, Paired(517, 283, 0.0123))
    return find(folder)._replace(alignment=Alignment(1234, 0.0514, 0.3177), curve=curve)


@pytest.fixture
def numbers(findings):
    return json.loads(record.record(findings), parse_constant=pytest.fail)


def leaves(value):
    """All numbers and texts in a JSON value."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [leaf for part in inner for leaf in leaves(part)]
    return [value]


def visible_text(text):
    """What a reader sees of a card's HTML, without its widgets, and the labels of its drawings."""
    text = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    text = re.sub(r'<div class="attn-card-widget".*?</div>', "", text, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*?(?:role=.img. aria-label=\"([^\"]*)\")?>", r" \1 ", text))


def test_every_number_of_the_card_is_there(findings, numbers):
    there, limits = set(), numbers["limits"]
    wrong = sum(not pair["right"] for pair in numbers["pairs"])
    sources = len({pair["source"] for pair in numbers["pairs"]})
    counted = [len(numbers["pairs"]), wrong, wrong - card._FIRST_WRONG, sources]
    counted += [
        sum(mistake["count"] for mistake in numbers["mistakes"] if mistake["kind"] == kind)
        for kind in KINDS
    ]
    counted += [limits[name] / limits["pairs"] for name in ("shared", "unread", "unwritten")]
    counted += [2 * numbers["choices"]["epochs"]]  # it is advised to train for twice as long
    for leaf in [*leaves(numbers), *counted]:
        if isinstance(leaf, str):
            there |= {*NUMBER.findall(leaf)}
        elif leaf is not None:
            there |= {form.format(leaf) for form in FORMATS}
            there |= {wording.percent(leaf, digits).split()[-1] for digits in (0, 1)}
    lacking = {*NUMBER.findall(visible_text(str(card.card(findings))))} - there
    assert lacking <= ALWAYS


def test_its_numbers_are_those_of_the_findings(findings, numbers):
    assert numbers["right"] == findings.overall._asdict()
    assert numbers["near"]["error_rate"] == findings.near.error_rate._asdict()
    assert numbers["near"]["chrf"] == findings.near.chrf._asdict()
    assert numbers["by_group"][0] == {
        **findings.by_group[0]._asdict(),
        "right": findings.by_group[0].right._asdict(),
    }
    assert [row["answer"] for row in numbers["pairs"]] == [a.text for a in findings.answers]
    assert [row["right"] for row in numbers["pairs"]] == findings.right.tolist()
    assert all(row["cut"] for row in numbers["pairs"])  # so little trained, it never ends
    assert sum(row["count"] for row in numbers["mistakes"]) == len(findings.mistakes)
    assert numbers["limits"] == findings.limits._asdict()
    assert numbers["questions"]["swaps"] == findings.questions.swaps
    assert [row["right"] for row in numbers["rivals"]] == [r.right for r in findings.rivals]
    assert numbers["lacking"] == findings.lacking != ""  # all targets are long
    history = findings.trained.history
    kept_at = best_check(history["scores"], history["validation_losses"])
    assert numbers["training"]["kept_at"] == history["checked_at"][kept_at]


def test_each_key_is_explained_and_there(numbers):
    explained = (_HERE / "json.txt").read_text("utf-8")
    keys = re.findall(r"^(\w+(?:, \w+)*)  ", explained, re.MULTILINE)
    assert {key for line in keys for key in line.split(", ")} == set(numbers)
    inner = [numbers[key] for key in ("training", "near", "made", "questions")]
    inner += [numbers[key][0] for key in ("pairs", "rivals", "by_length", "mistakes")]
    for name in {name for part in inner for name in part} - {"unwritten"}:
        assert re.search(rf"\b{name}\b", explained), name


def test_it_goes_to_a_file_or_to_the_standard_output(folder, tmp_path, say):
    output = say("report", folder, "--json", tmp_path / "n.json")
    assert "report.html: open it" in output.out
    printed = say("report", folder, "--json", "-")
    assert "report.html: open it" in printed.err
    assert (tmp_path / "n.json").read_text("utf-8") == printed.out
    assert '"abŵ"' in printed.out
