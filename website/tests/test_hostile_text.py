"""Whatever text a page is given, it shows as text: no element, attribute or comment comes of it."""

import json
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from markupsafe import escape

from attn_book.head import cards
from attn_book.notebooks import claims as listed
from attn_book.notebooks import course_map, exercises, progress
from attn_book.notebooks.course import Chapter
from attn_book.site import templates
from attn_book.site.edition import Edition
from attn_class.exercises.frame import Verdict
from attn_class.grading import report, similar
from attn_class.grading.roster import Sorted
from attn_course import claims
from attn_course.measures import Interval
from attn_course.progress import Progress
from attn_course.views import plots
from attn_course.views.diagrams import pieces
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_lab import expectations
from attn_own import card, drawings
from attn_own import page as card_page
from attn_own.findings import Row
from attn_own.mistakes import KINDS, Mistake
from attn_own.own_corpus import Pair

TURNED = "\u202e"  # what follows is read from right to left
HOSTILE = (
    f"<!--<script>a</script> &amp; \"b\" 'c' ]]> {{{{ 7*7 }}}} {{0}} %s <b onclick=d {TURNED}e"
)
HARMLESS = re.sub(r"[^\w\s]", "x", HOSTILE)


SHARE = Interval(0.5, 0.25, 0.75)


def record(text):
    wrong = {"points": 0, "maximum": 2, "claim": text, "said": text, "hint": text, "example": text}
    mark = {"call": text.replace(TURNED, ""), "points": 0, "maximum": 4, "isolated": True}
    mark |= {"note": text, "warning": text, "source": text, "properties": [wrong, wrong]}
    return {"student": text, "note": text, "warning": text, "marks": [mark]}


def overview(text):
    left = Sorted({}, [(text, text)], [text], [(text, text)])
    return report.overview([record(text)], left)


def similar_page(text):
    wrong = {"call": text, "source": text, "points": 0, "maximum": 1}
    return similar.page([{"student": f"{text}{one}", "marks": [wrong]} for one in range(3)])


def mistakes(text):
    """That part of the card which shows most of a user's texts."""
    report = SimpleNamespace(
        pairs=[Pair(text, text)] * 9,
        answers=[SimpleNamespace(text=text)] * 9,
        right=np.zeros(9, bool),
        mistakes=[Mistake(KINDS[0], (text,), (text,))],
        trained=SimpleNamespace(
            target_vocabulary=SimpleNamespace(separator=""), was_cut=bool, longest=9
        ),
    )
    return card._mistakes(report)


def claim_record(text):
    measured = {"values": [0.5, 0.25], "unit": "percent", "text": text}
    compared = {"text": text, "margin_text": text}
    texts = dict.fromkeys(["origin_text", "printed_text", "device"], text)
    versions = dict.fromkeys(["python", "torch", "numpy"], text)
    parts = {"values": {text: measured}, "comparisons": [compared], "versions": versions}
    return texts | parts | {"origin": "expected"}


def claim(text):
    return claims._html([(text, False), (f"{text} (1 to 2)", True)], claim_record(text))


def all_claims(text):
    page = SimpleNamespace(address=lambda file: f"../{file}")
    sentence = claims._html([(text, False)], claim_record(text))
    entry = listed.Claim(chapter(text).name, "a", "claim-a", sentence, claim_record(text))
    return listed._list([entry], page)


def expected(text):
    judged = [(expectations.Expectation(text, text, lambda: True), text)]
    return expectations._rich("bottleneck", judged)


def chapter(text):
    return Chapter("chapters/01-a", text, f"{text}?", (), text)


def bar(text):
    return Progress(text, 3)._bar().data


MAKERS = {
    "a student's page": lambda text: report.page(record(text), text),
    "the overview of a class": overview,
    "the page of similar answers": similar_page,
    "a card's mistakes": mistakes,
    "a card's table": lambda text: card.PARTS.shares(text, [Row(text, 5, SHARE)]),
    "a card's sentence": lambda text: card.PARTS.paragraph(f"It said “{text}”."),
    "a card's curves": lambda text: drawings.curves(
        {text: ([1, 2], [3, 4])}, name=text, unit="", most=5, last=2
    ),
    "the frame of a card": lambda text: card_page.page(text, escape(text), []),
    "a card's widget": lambda text: card_page.place(0, SimpleNamespace(summary=text)),
    "a wrong answer": lambda text: Verdict("wrong", "", text, text, text, (text,))._repr_html_(),
    "a right answer": lambda text: Verdict("right", passed=(text,))._repr_html_(),
    "no answer": lambda text: Verdict("not attempted", effort=text)._repr_html_(),
    "a claim": claim,
    "an expectation": expected,
    "a progress bar": bar,
    "a figure": lambda text: plots.Picture(text, "<svg></svg>", text)._repr_html_(),
    "a drawing": lambda text: pieces.drawing(
        text, [pieces.text(1, 2, text, "ink", size=9)], 9, text
    )._repr_html_(),
    "the page of claims": all_claims,
    "the way in": lambda text: course_map.begin([chapter(text)], "", text),
    "the map of the course": lambda text: course_map.course_map([chapter(text)], "", {}),
    "a reader's progress": lambda text: progress.your_progress([chapter(text)], ""),
    "an exercise on a page": lambda text: str(
        exercises._to_do(text, chapter(text).name, Edition("", "", None))
    ),
    "an address that leads nowhere": lambda text: templates.page(
        "missing.html", title=text, front="a"
    ),
    "the picture of a page": lambda text: cards.compose(cards.Drawing(text, "", "<svg/>", "")),
}


class Outline(HTMLParser):
    """The elements of a page with the names of their attributes, and all that it says."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.texts, self.inside = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, [name for name, _ in attributes]))
        self.texts += [value or "" for _, value in attributes]
        self.inside.append(tag)

    def handle_endtag(self, tag):
        self.elements.append(tag)
        while tag in self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        self.elements.append(data)


@pytest.mark.parametrize("name", MAKERS)
def test_a_text_changes_no_element_and_is_shown_as_it_is(name):
    outline = Outline(MAKERS[name](HOSTILE))
    assert outline.elements == Outline(MAKERS[name](HARMLESS)).elements
    text = "".join(outline.texts).replace("␣", " ")
    assert HOSTILE in text or HOSTILE.replace(TURNED, "") in text


@pytest.mark.parametrize("name", [name for name in MAKERS if "student" in name or "class" in name])
def test_no_letter_turns_what_a_teacher_reads(name):
    assert TURNED in HOSTILE
    assert TURNED not in MAKERS[name](HOSTILE)


def test_no_text_ends_or_hides_a_cards_data():
    example = {"name": f"{HOSTILE}</script>", "source": "a", "target": "b", "weights": [[1.0]]}
    html = card_page.page("", "", [AlignmentViewer(examples=[example])])
    data = re.search("data-models>(.*?)</script>", html)[1]
    assert "<" not in data
    assert json.loads(data)[0]["traits"]["examples"][0]["name"] == example["name"]
