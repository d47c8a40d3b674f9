"""Which parts of a chapter become slides, in which order, and with which notes."""

from bs4 import BeautifulSoup

from attn_book.slides import chapter, lecture

WIDGET = '<div class="attn-widget" {}><script type="{}">{{"model_id": "{}"}}</script></div>'
CLAIM = (
    '<div class="attn-claim"><p class="attn-claim-sentence">{0} holds <strong>7</strong>.</p>'
    "<details><summary>Measured; found by looking</summary></details></div>"
)
ENDS = """<section class="attn-exercises"><h2>Exercises</h2><section><h3>1. Add</h3>
<p class="attn-effort">About 5 minutes.</p><p>Add two numbers.</p></section></section>
<section class="attn-questions"><h2>What you should now be able to say</h2>
<details><summary>What is one?</summary><p>A number.</p></details></section>"""


def cell(output: str, *tags: str) -> str:
    classes = " ".join(f"tag_{tag}" for tag in tags)
    return f'<div class="cell {classes}"><div class="cell_output">{output}</div></div>'


def prediction(key: str = "m") -> str:
    return cell(WIDGET.format('data-question="k"', chapter.VIEW, key))


def code(lines: int, *tags: str) -> str:
    listed = f'<div class="highlight"><pre>{"x = 1" + chr(10)}'.replace(
        "x = 1\n", "x = 1\n" * lines
    )
    classes = " ".join(f"tag_{tag}" for tag in tags)
    return f'<div class="cell {classes}"><div class="cell_input">{listed}</pre></div></div></div>'


def claim(name: str, *tags: str) -> str:
    return cell(CLAIM.format(name), *tags)


def made(tmp_path, body: str, teaching: dict | None = None) -> list[lecture.Slide]:
    page = tmp_path / "03-name.html"
    page.write_text(
        f"<html><head></head><body><article><section><h1>Name</h1><p>Asked?</p>{body}{ENDS}"
        "</section></article></body></html>"
    )
    return lecture.lecture(chapter.read(page), teaching or {})


def kinds(slides: list[lecture.Slide]) -> list[str]:
    return [slide.kind for slide in slides[1:-2]]  # without title, exercises and questions


def test_a_prediction_comes_before_what_answers_it_and_its_notes_do_not_tell(tmp_path):
    body = f"<section><h2>One</h2><p>Before.</p>{prediction()}<p>After.</p></section>"
    body += f"<section><h2>Two</h2><p>Then.</p>{claim('It')}</section>"
    title, question, answer, *_ = made(tmp_path, body)
    assert (title.kind, question.kind, answer.kind) == ("title", "prediction", "claim")
    assert question.notes == ["<p>Before.</p>"]
    assert "".join(answer.notes) == "<p>After.</p><p>Then.</p>"
    assert "<strong>7</strong>" in answer.body


def test_claims_beside_a_figure_are_said_and_not_shown(tmp_path):
    drawing = cell('<figure><figcaption>It rises</figcaption><svg aria-label="A line"/></figure>')
    slides = made(tmp_path, f"<section><h2>One</h2>{drawing}{claim('It')}</section>")
    assert kinds(slides) == ["figure"]
    assert slides[1].heading == "It rises"
    assert "A line" in slides[1].notes[0]
    assert "It holds" in slides[1].notes[1]


def test_what_is_tagged_is_shown_or_left_out(tmp_path):
    body = "<section><h2>One</h2>" + "".join(
        (claim("A", "no-slide"), claim("B"), claim("C"), code(3), code(5, "slide"), "</section>")
    )
    slides = made(tmp_path, body)
    assert kinds(slides) == ["claim", "code"]
    assert "B holds" in slides[1].body
    assert slides[2].body.count("x = 1") == 5


def test_code_is_shown_only_where_nothing_else_is_and_only_if_it_is_short(tmp_path):
    short, long = code(lecture.LINES), code(lecture.LINES + 1)
    body = f"<section><h2>One</h2>{short}</section><section><h2>Two</h2>{long}</section>"
    body += f"<section><h2>Three</h2>{code(2)}{claim('It')}</section>"
    assert kinds(made(tmp_path, body)) == ["code", "claim"]


def test_a_lecture_has_all_predictions_and_no_more_slides_than_it_should(tmp_path):
    formula = "<section><h2>E</h2><div class='math'>x</div><p>Said.</p></section>"
    asks = "".join(f"<section><h2>Q</h2>{prediction()}{claim('Q')}</section>" for _ in range(9))
    slides = made(tmp_path, formula * 7 + asks + f"<section><h2>C</h2>{claim('C')}</section>" * 9)
    assert len(slides) == lecture.MOST
    counted = {kind: kinds(slides).count(kind) for kind in kinds(slides)}
    assert counted == {"equation": 7, "prediction": 9, "claim": 9 + 2}
    notes = "".join(note for slide in slides for note in slide.notes)
    assert notes.count("C holds") == 9 - 2  # what has no slide is still said


def test_a_lecture_ends_with_questions_exercises_and_what_to_say(tmp_path):
    words = "<p><strong>Ask.</strong> Why? And <em>how</em> so?</p>"
    teaching = {"Ask": BeautifulSoup(words, "html.parser").p}
    *_, ask, exercises, recall = made(tmp_path, "", teaching)
    assert ask.body.count("<li") == 2
    assert "About 5 minutes." in exercises.body
    assert "1. Add" in exercises.body
    assert "What is one?" in recall.body
    assert "A number." not in recall.body
    assert "A number." in recall.notes[0]


def test_nothing_leads_away_and_no_identity_occurs_twice(tmp_path):
    text = '<p id="here">See <a href="other.html">there</a>.</p>'
    slides = made(tmp_path, f"<section><h2>One</h2>{text}{claim('It')}</section>")
    assert slides[1].notes == ["<p>See there.</p>"]
