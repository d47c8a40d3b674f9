"""The reader's own progress: kept in the browser, shown, saved, loaded and erased."""

import datetime
import json
import re
from pathlib import Path

import pytest
from browsing import FILL, FORBIDDEN, KEY, NEARBY, REST, axe, open_side_roads, progress_of, unveil
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sweeps import every

FRONT, BOARD = "book/index.html", "book/your-progress.html"
CHAPTER, NEXT = "02-softmax", "03-alignment-scores"
PAGE = f"chapters/{CHAPTER}.html"
SEEN_IN = [(1280, "light"), (360, "dark")]
KINDS = (FRONT, PAGE, BOARD, "book/claims.html", "book/reference/weights.html", "search.html")


@pytest.fixture
def page(page):
    """No page has anything to say in its console."""
    views = []

    def visit(*where, **options):
        views.append(page(*where, **options))
        return views[-1]

    yield visit
    assert [message for view in views for message in view.messages] == []


def progress(**chapters) -> dict:
    """A saved progress: ``progress(**{CHAPTER: {"read": True}})``."""
    untouched = {"read": False, "seen": [], "guesses": {}, "questions": []}
    by_name = {name: untouched | parts for name, parts in chapters.items()}
    return {"course": "attention-measured", "version": 1, "chapters": by_name}


def begin(view, **of_chapter) -> None:
    """Let a reader come who has done this in the chapter."""
    keep(view, progress(**{CHAPTER: of_chapter}))
    view.reload()


def of_chapter(view) -> dict:
    return progress_of(view)["chapters"][CHAPTER]


def keep(view, saved) -> None:
    text = saved if isinstance(saved, str) else json.dumps(saved)
    view.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])


def link(view, chapter=CHAPTER):
    return view.locator(f".bd-links a[data-chapter='{chapter}']")


def words(view, chapter=CHAPTER) -> str:
    return link(view, chapter).locator(".attn-done-words").text_content().strip()


def keys(view, kind, chapter=CHAPTER) -> list[str]:
    return (link(view, chapter).get_attribute(f"data-{kind}") or "").split()


def knows(view, what: str) -> None:
    """Wait until a page says this of the chapter."""
    words = link(view).locator(".attn-done-words").filter(has_text=what)
    words.wait_for(state="attached")


def predictions(view):
    places = view.locator(".attn-widget[data-widget=Prediction]")
    places.last.locator("form").wait_for(state="attached")
    return places


def guess_second(view) -> str:
    """Commit to the second answer of the second guess of the chapter; return the answer."""
    open_side_roads(view)
    place = predictions(view).nth(1)
    choice = place.get_by_role("radio").nth(1)
    choice.check()
    place.get_by_role("button", name="See what was measured").click()
    return choice.get_attribute("value")


def guess_first(view):
    """Commit to what is next to the middle of the scale of the first guess; return its place."""
    place = predictions(view).first
    place.get_by_role("slider").press("ArrowRight")
    place.get_by_role("button", name="See what was measured").click()
    return place


def unfold_first_question(view):
    fold = view.locator("details[data-question]").first
    fold.locator("summary").focus()
    view.keyboard.press("Enter")
    return fold


def scroll_through(view, start=0.0, end=1.0) -> None:
    """Scroll as a reader does, screen by screen."""
    view.evaluate(
        """async ([start, end]) => {
          const height = () => document.documentElement.scrollHeight; // known better on the way
          const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
          for (let y = start * height(); y < end * height(); y += 0.8 * innerHeight) {
            const [before, ended] = [scrollY, new Promise((end) => {
              addEventListener("scrollend", end, { once: true });
            })];
            scrollTo({ top: y, behavior: "instant" });
            if (scrollY !== before) await ended;
            for (const _ of "thrice") await frame(); // it is seen what has come into view
          }
        }""",
        [start, end],
    )


# ---- guesses


def test_guesses_are_there_again_after_a_reload_and_reset_takes_one_back(page):
    view = page(PAGE)
    answer = guess_second(view)
    (key, *_) = keys(view, "guesses")[1:]
    assert of_chapter(view)["guesses"] == {key: answer}
    view.reload()
    open_side_roads(view)
    place = predictions(view).nth(1)
    assert place.get_by_role("radio").nth(1).is_checked()
    place.get_by_text("Your guess").wait_for()
    assert not predictions(view).nth(2).get_by_text("Your guess").is_visible()
    assert words(view).startswith(f"(1 of {len(keys(view, 'guesses'))} guesses")
    guess_first(view)
    assert of_chapter(view)["guesses"] == {key: answer, keys(view, "guesses")[0]: 50.5}
    view.reload()
    place = predictions(view).first
    assert "50.5" in place.inner_text()
    place.get_by_role("button", name="Reset").click()
    assert of_chapter(view)["guesses"] == {key: answer}
    view.reload()
    assert predictions(view).first.get_by_role("slider").is_visible()
    for guess in ("no such answer", 1e9, -3):  # which is no answer any more
        begin(view, guesses=dict.fromkeys(keys(view, "guesses"), guess))
        assert predictions(view).get_by_text("Your guess").count() == 0


# ---- questions


def test_a_question_counts_when_the_reader_says_so_by_keyboard(page):
    view = page(PAGE)
    box = unfold_first_question(view).get_by_role("checkbox", name="I knew it")
    assert progress_of(view) is None or of_chapter(view)["questions"] == []
    names = view.locator(".attn-knew input").evaluate_all("all => all.map((box) => box.ariaLabel)")
    assert len({*names}) == len(names) > 3
    box.press("Space")
    assert of_chapter(view)["questions"] == keys(view, "questions")[:1]
    view.reload()
    box = unfold_first_question(view).get_by_role("checkbox", name="I knew it")
    assert box.is_checked()
    assert f"1 of {len(keys(view, 'questions'))} questions" in words(view)
    box.press("Space")
    assert of_chapter(view)["questions"] == []


# ---- read to the end


def test_a_chapter_is_read_when_it_was_scrolled_through_without_veils_and_jumps(page):
    view = page(PAGE)
    for unveils, start, read in ((False, 0, False), (True, 0.97, False), (True, 0, True)):
        if unveils:
            unveil(view)
        scroll_through(view, start)
        assert of_chapter(view)["read"] is read
    assert words(view).endswith(", read to the end)")


NEAR = """() => [...document.querySelectorAll("article section section[id]")]
  .filter((part) => Math.abs(part.getBoundingClientRect().top) < 2 * innerHeight)
  .map((part) => part.id)"""


def test_what_a_jump_passes_on_its_way_has_not_been_read(page):
    view = page(PAGE)
    unveil(view)
    near = set(view.evaluate(NEAR))
    view.evaluate(
        """new Promise((end) => {
          addEventListener("scrollend", end, { once: true });
          scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: "smooth" });
        })"""
    )
    view.evaluate(REST)
    near |= set(view.evaluate(NEAR))
    assert view.locator("article section section[id]").count() - len(near) > 3
    assert set(of_chapter(view)["seen"]) <= near


def test_a_chapter_can_be_read_on_two_days(page, site):
    view = page(PAGE)
    unveil(view)
    scroll_through(view, 0, 0.55)
    view.goto(f"{site}/{BOARD}")
    view.goto(f"{site}/{PAGE}")
    scroll_through(view, 0.45, 1)
    assert of_chapter(view)["read"] is True
    assert of_chapter(view)["seen"] == []


# ---- the side bar, the front page


def everything(view) -> dict:
    """A progress in which everything on this site is done."""
    script = """all => all.map(({ dataset: { chapter, guesses, questions } }) => [chapter, {
      guesses: Object.fromEntries(guesses.split(" ").filter(Boolean).map((key) => [key, 0])),
      questions: questions.split(" ").filter(Boolean), read: true }])"""
    return progress(**dict(view.locator(".bd-links a[data-chapter]").evaluate_all(script)))


def test_the_side_bar_says_what_is_done_in_words_and_by_shape(page):
    view = page(FRONT)
    sign, shape = (
        link(view).locator(".attn-done"),
        "(sign) => getComputedStyle(sign).backgroundImage",
    )
    assert words(view) == ""
    assert not sign.is_visible()
    begin(view, read=True)
    guesses, questions = (len(keys(view, kind)) for kind in ("guesses", "questions"))
    assert words(view) == f"(0 of {guesses} guesses, 0 of {questions} questions, read to the end)"
    assert sign.is_visible()
    half = sign.evaluate(shape)
    keep(view, everything(view))
    view.reload()
    assert words(view) == "(all done)"
    assert sign.evaluate(shape) != half
    assert view.get_by_role("link", name=re.compile(r"^2\. Softmax \(all done\)")).count() == 1
    view.set_viewport_size({"width": 360, "height": 800})
    view.get_by_role("button", name="Chapters").click()
    assert sign.is_visible()


def test_the_front_page_leads_on(page, site):
    view = page(FRONT)
    line = view.locator(".attn-go-on")
    assert line.get_by_role("link").get_attribute("href") == "../chapters/01-fixed-context.html"
    assert "training" in line.inner_text()

    view.goto(f"{site}/{PAGE}")
    unveil(view)
    section = view.locator("article section section[id]").nth(5)
    section.evaluate("(node) => node.scrollIntoView({ behavior: 'instant' })")
    name = section.get_attribute("id")
    view.goto(f"{site}/{FRONT}")
    line.get_by_role("link", name="Continue with 2. Softmax").click()
    view.wait_for_url(f"**/{PAGE}#{name}")

    saved = progress(**{CHAPTER: {"read": True, "questions": keys(view, "questions")[:3]}})
    keep(view, {**saved, "place": progress_of(view)["place"]})
    view.goto(f"{site}/{FRONT}")
    text = line.inner_text()
    assert "Your progress (3 questions are due)" in text
    assert text.split("\n")[0] == "Continue"
    assert "Next: 3. Alignment scores." in text

    keep(view, everything(view))
    view.reload()
    due = sum(len(chapter["questions"]) for chapter in progress_of(view)["chapters"].values())
    text = f"You have read every chapter to the end; {due} questions are due."
    assert text in line.inner_text()
    line.get_by_role("link", name="Your progress").click()
    view.wait_for_url(f"**/{BOARD}")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", [FRONT, BOARD])
def test_what_is_done_moves_nothing(page, name, width):
    view = page(name, width=width)
    boxes = """() => [...document.querySelectorAll(".bd-links a, article h2, article dt")]
      .map((part) => part.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))"""
    view.evaluate(REST)
    before = view.evaluate(boxes)
    for saved in (progress(**{CHAPTER: {"read": True}}), everything(view)):
        keep(view, saved)
        view.reload()
        view.evaluate(REST)
        assert view.evaluate(boxes) == before


# ---- questions that are due again

WAITS = [1, 3, 7, 21, 60, 60]


@pytest.fixture
def calendar(page):
    """The page of due questions, and a way to open it on another day."""
    view = page(BOARD)

    def on(date: str):
        view.clock.set_fixed_time(f"{date}T21:30:00")
        view.reload()
        return view.locator(".attn-recall")

    return on


def entry(view, key):
    return of_chapter(view).get("recall", {}).get(key)


def item_of(recall, key):
    return recall.locator(f"li[data-recall='{key}']")


def judge(recall, key, words) -> None:
    """Unfold the answer to a question that is due, and say this of one's own."""
    button = item_of(recall, key).get_by_role("button", name=words)
    assert not button.is_visible()
    item_of(recall, key).locator("summary").press("Enter")
    button.press("Enter")


def test_the_waits_are_those_that_the_page_states(page):
    text = page(BOARD).locator("section#questions-that-are-due").inner_text()
    first, others = re.search(r"after (\d+) day, then after ([\d, and]+) days", text).groups()
    assert [int(first), *map(int, re.findall(r"\d+", others))] == WAITS[:-1]
    assert f"every {WAITS[-1]} days" in text


def test_a_question_that_was_known_comes_back_after_longer_and_longer_waits(calendar, site):
    recall = calendar(TODAY)
    view = recall.page
    key = keys(view, "questions")[2]
    assert recall.locator("li").locator("visible=true").count() == 0
    assert "No question is due. Tick one" in recall.inner_text()
    view.goto(f"{site}/{PAGE}")
    fold = view.locator(f"details[data-question='{key}']")
    fold.locator("summary").press("Enter")
    fold.get_by_role("checkbox", name="I knew it").check()

    date = datetime.date.fromisoformat(TODAY)
    view.goto(f"{site}/{BOARD}")
    for times, wait in enumerate(WAITS, start=1):
        due = date + datetime.timedelta(days=wait)
        assert entry(view, key) == {"times": times, "due": due.isoformat()}
        recall = calendar((due - datetime.timedelta(days=1)).isoformat())
        assert not item_of(recall, key).is_visible()
        assert f"The next one is on {due}." in recall.inner_text()
        date = due + datetime.timedelta(days=times % 2)  # on the day, or a day late
        recall = calendar(date.isoformat())
        assert "1 question is due." in recall.inner_text()
        judge(recall, key, "I knew it")
        assert not item_of(recall, key).is_visible()
    assert of_chapter(view)["questions"] == [key]


def test_a_question_that_was_not_known_is_due_the_next_day_and_begins_anew(calendar, site):
    view = calendar(TODAY).page
    key, other, *_ = keys(view, "questions")
    begin(view, questions=[key, other], recall={key: {"times": 4, "due": TODAY}})
    recall = calendar(TODAY)
    assert "2 questions are due." in recall.inner_text()  # of one nobody knows when it was ticked
    judge(recall, key, "I did not")
    assert of_chapter(view)["questions"] == [other]
    assert entry(view, key) == {"times": 0, "due": "2026-12-31"}
    assert "You will be asked again on 2026-12-31. 1 question is due." in recall.inner_text()
    summary = item_of(recall, other).locator("summary")
    assert summary.evaluate("(it) => it === document.activeElement")
    recall = calendar("2026-12-31")
    judge(recall, key, "I knew it")
    assert entry(view, key) == {"times": 1, "due": "2027-01-01"}
    assert set(of_chapter(view)["questions"]) == {key, other}
    view.goto(f"{site}/{PAGE}")  # whose tick is cleared is not asked again
    unfold_first_question(view).get_by_role("checkbox").uncheck()
    assert entry(view, key) is None
    assert not item_of(calendar("2027-05-01"), key).is_visible()


# ---- the page


def bring(view, name, content) -> str:
    """Load a file; return what the page says about it."""
    raw = content if isinstance(content, bytes) else content.encode()
    status = view.locator(".attn-your-progress [role=status]")
    status.evaluate("(line) => (line.textContent = '')")
    file = {"name": name, "mimeType": "application/json", "buffer": raw}
    view.locator("input[type=file]").set_input_files(file)
    status.get_by_text(name).wait_for()
    return status.inner_text()


def test_the_page_shows_saves_erases_and_brings_back(page):
    view = page(BOARD)
    row = view.get_by_role("row", name="2. Softmax")
    questions = keys(view, "questions")
    begin(view, read=True, questions=questions[:2])
    saved = progress_of(view)
    cells = [cell.inner_text() for cell in row.get_by_role("cell").all()]
    assert cells == ["yes", f"0 of {len(keys(view, 'guesses'))}", f"2 of {len(questions)}"]

    with view.expect_download() as download:
        view.get_by_role("button", name="Save as a file").press("Enter")
    assert download.value.suggested_filename == "attention-measured-progress.json"
    text = Path(download.value.path()).read_text("utf-8")
    assert json.loads(text) == saved

    view.once("dialog", lambda dialog: dialog.dismiss())
    view.get_by_role("button", name="Erase everything").click()
    assert progress_of(view) == saved
    view.once("dialog", lambda dialog: dialog.accept())
    view.get_by_role("button", name="Erase everything").click()
    assert progress_of(view) is None
    assert row.get_by_role("cell").first.inner_text() == "no"

    with view.expect_file_chooser():
        view.get_by_role("button", name="Load a file").press("Enter")
    assert "questions known: 2 new, chapters read: 1 new" in bring(view, "mine.json", text)
    assert progress_of(view) == saved
    assert row.get_by_role("cell").first.inner_text() == "yes"
    assert "questions known: 0 new" in bring(view, "again.json", text)


def broken(**changes) -> str:
    return json.dumps(progress(**{CHAPTER: {}}) | changes)


def chapter(**changes) -> str:
    return json.dumps(progress(**{CHAPTER: changes}))


TODAY = "2026-12-30"
NONSENSE = [
    ("", "should be JSON", '""'),
    ("<!DOCTYPE html><html>", "should be JSON", "<!DOCTYPE html>"),
    (b"\x89PNG\r\n\x1a\n\xff\xfe", "should be JSON", "PNG"),
    ("null", "the file should be a record", "it is null"),
    ("[1, 2]", "the file should be a record", "[1,2]"),
    (broken(course="another"), '`course` should be "attention-measured"', '"another"'),
    (broken(version=2), "`version` should be 1", "it is 2"),
    (broken(name="me"), "course, version, chapters, place", '"name"'),
    (broken(chapters=[]), "`chapters` should be a record", "[]"),
    (broken(chapters={"Softmax": {}}), 'like "02-softmax"', '"Softmax"'),
    (broken(place={"chapter": CHAPTER}), "`place.section` should be", "it is nothing"),
    (broken(place="home"), "`place` should be a record", '"home"'),
    (chapter(read="yes"), "02-softmax, `read` should be true or false", '"yes"'),
    (chapter(seen=[3]), "`seen` should be a list of short texts", "[3]"),
    (chapter(questions="abc123"), "`questions` should be a list of keys", '"abc123"'),
    (chapter(questions=[123456]), "`questions` should be a list of keys", "[123456]"),
    (chapter(skipped=[7]), "`skipped` should be a list of keys", "[7]"),
    (chapter(guesses={"abc": 1}), "a key of six digits", '"abc"'),
    (chapter(guesses={"abc123": None}), "guess abc123 should be a number", "null"),
    (chapter(guesses={"abc123": "x" * 501}), "a short text", "xxx"),
    (chapter(guesses={"abc123": [1, "x"]}), "a list of numbers", '[1,"x"]'),
    (chapter(recall=[]), "02-softmax, `recall` should be a record", "[]"),
    (chapter(recall={"x": {}}), "a name in `recall` should be a key of six digits", '"x"'),
    (
        chapter(recall={"abc123": {"day": 1}}),
        "recall abc123 should be a record of times, due",
        "day",
    ),
    (chapter(recall={"abc123": {"times": -1, "due": TODAY}}), "should be a whole number", "-1"),
    (chapter(recall={"abc123": {"times": 1, "due": "soon"}}), 'like "2026-03-31"', '"soon"'),
    ('{"a": "' + "x" * 1_100_000 + '"}', "the file should be at most 1 MB", "1100009"),
]


def test_a_file_that_is_no_progress_changes_nothing_and_the_page_says_why(page):
    view = page(BOARD)
    keep(view, progress(**{CHAPTER: {"read": True}}))
    before = view.evaluate("JSON.stringify({...localStorage})")
    for number, (content, *parts) in enumerate(NONSENSE):
        words = bring(view, f"file{number}.json", content)
        assert [part for part in ("nothing was changed", *parts) if part not in words] == [], words
        assert view.evaluate("JSON.stringify({...localStorage})") == before


ENTRY = {"times": 2, "due": TODAY}
some_keys = st.sampled_from(["abc123", "0a0a0a", "ffffff", "123456"])
due = st.sampled_from([TODAY, "2027-01-02"])
recalled = st.dictionaries(
    some_keys, st.fixed_dictionaries({"times": st.integers(0, 9), "due": due})
)
parts = {
    "read": st.booleans(),
    "seen": st.lists(st.sampled_from(["a", "b", "c"]), unique=True),
    "guesses": st.dictionaries(some_keys, st.integers(0, 9) | st.text(max_size=5)),
    "questions": st.lists(some_keys, unique=True),
}
some_chapters = st.dictionaries(
    st.sampled_from([CHAPTER, NEXT, "90-elsewhere"]),
    st.fixed_dictionaries(parts, optional={"recall": recalled}),
)


def test_what_was_done_in_a_chapter_stays_when_it_gets_another_name(page):
    """A stored progress, and a file; both may know the chapter by both names."""
    view = page(BOARD)
    recall, old, now = {"abc123": ENTRY}, "12-one-vector-again", "09-cheaper-attention"
    mine = progress(**{old: {"seen": ["a"], "guesses": {"abc123": 1, "0a0a0a": 1}}})
    mine["chapters"] |= progress(**{now: {"guesses": {"abc123": 2}}})["chapters"]
    keep(view, mine | {"place": {"chapter": old, "section": "a"}})
    bring(
        view, "old.json", json.dumps(progress(**{old: {"questions": ["ffffff"], "recall": recall}}))
    )
    both = {"seen": ["a"], "guesses": {"0a0a0a": 1, "abc123": 2}}
    both |= {"questions": ["ffffff"], "recall": recall}
    assert progress_of(view)["chapters"] == progress(**{now: both})["chapters"]
    assert progress_of(view)["place"] == {"chapter": now, "section": "a"}


def test_bringing_in_a_file_loses_nothing(page):
    view, nothing = page(BOARD), progress(none={})["chapters"]["none"]

    @example({CHAPTER: nothing | {"read": True}}, {CHAPTER: nothing})
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(some_chapters, some_chapters)
    def both_are_there(mine, other):
        keep(view, progress(**mine))
        bring(view, "other.json", json.dumps(progress(**other)))
        both = progress_of(view)
        assert set(both["chapters"]) == set(mine) | set(other)
        for name, chapter in both["chapters"].items():
            one, two = mine.get(name, nothing), other.get(name, nothing)
            assert chapter["read"] == (one["read"] or two["read"])
            assert set(chapter["questions"]) == {*one["questions"], *two["questions"]}
            assert chapter["guesses"] == two["guesses"] | one["guesses"]
            assert chapter.get("recall", {}) == two.get("recall", {}) | one.get("recall", {})
            if not chapter["read"]:
                assert set(chapter["seen"]) == {*one["seen"], *two["seen"]}
        bring(view, "other.json", json.dumps(progress(**other)))
        assert progress_of(view) == both

    both_are_there()


# ---- where nothing can be kept, or what was kept is damaged


def test_where_storage_is_forbidden_a_page_works_without(page, site):
    """One page of each kind: the scripts that use storage are those of all pages, as is below."""
    view = page("about:blank")
    view.context.add_init_script(FORBIDDEN)
    for name in KINDS:
        view.goto(f"{site}/{name}")
        scroll_through(view, 0, 0.1)
        assert view.messages == [], name


def test_only_scripts_of_all_pages_use_storage(folder):
    """No widget does, nor anything else that some pages have and others lack."""
    scripts = {path.name: path.read_text("utf-8") for path in folder.rglob("*.js")}
    using = {name for name, text in scripts.items() if re.search(r"(local|session)Storage", text)}
    assert using == {"early.js", "progress.js", "search.js", "sphinx_highlight.js"}


@pytest.mark.parametrize("storage", ["forbidden", "full"])
def test_without_room_what_is_done_lasts_as_long_as_the_page(page, site, storage):
    view = page(NEARBY)
    if storage == "forbidden":
        view.context.add_init_script(FORBIDDEN)
    else:
        view.evaluate(FILL)
    view.goto(f"{site}/{PAGE}")
    guess_second(view)
    unfold_first_question(view).get_by_role("checkbox").check()
    assert words(view).startswith(f"(1 of {len(keys(view, 'guesses'))} guesses, 1 of ")
    view.goto(f"{site}/{BOARD}")
    assert "keeps nothing" in view.locator(".attn-progress-status").inner_text()
    assert words(view) == ""
    assert "keeps nothing" in bring(view, "mine.json", chapter(read=True))
    assert words(view) != ""


def test_a_damaged_progress_is_set_aside(page):
    view = page(BOARD)
    damaged = [content for content, *_ in NONSENSE[:-1] if isinstance(content, str)]
    assert len(damaged) > 15
    for text in damaged:
        view.evaluate("localStorage.clear()")
        keep(view, text)
        view.reload()
        status = view.locator(".attn-progress-status")
        assert "set aside" in status.inner_text()
        assert progress_of(view) is None
        assert view.evaluate("(key) => localStorage.getItem(key)", f"{KEY}.damaged.1") == text
        with view.expect_download() as download:
            status.get_by_role("button", name="Save what was set aside").click()
        assert Path(download.value.path()).read_text("utf-8") == text


@pytest.mark.parametrize("full", [False, True])
def test_a_damaged_progress_is_set_aside_for_a_new_one_where_there_is_room(page, site, full):
    view = page(NEARBY)
    keep(view, "{damaged")
    if full:
        view.evaluate(FILL)
    view.goto(f"{site}/{PAGE}")
    guess_second(view)
    aside = KEY if full else f"{KEY}.damaged.1"
    assert view.evaluate("(key) => localStorage.getItem(key)", aside) == "{damaged"
    assert words(view).startswith("(1 of ")
    if not full:
        assert len(of_chapter(view)["guesses"]) == 1
        view.goto(f"{site}/{BOARD}")
        assert "set aside" in view.locator(".attn-progress-status").inner_text()
        assert words(view).startswith("(1 of ")


# ---- two windows


def test_two_windows_do_not_undo_each_other(page, site):
    one = page(PAGE)
    two = one.context.new_page()
    two.goto(f"{site}/{PAGE}")
    guess_second(one)
    knows(two, "1 of")  # each hears of the other before its reader goes there
    unfold_first_question(two).get_by_role("checkbox").press("Space")
    knows(one, f"1 of {len(keys(one, 'questions'))} questions")
    guess_first(one)
    saved = progress_of(one)["chapters"][CHAPTER]
    assert (len(saved["guesses"]), len(saved["questions"])) == (2, 1)
    assert one.locator("details[data-question] input").first.is_checked()


# ---- for everybody


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    every(3, [(name, *view) for name in (FRONT, BOARD, PAGE) for view in SEEN_IN]),
)
def test_axe_finds_nothing_where_something_is_done(page, name, width, scheme):
    view = page(name, width=width, scheme=scheme)
    keep(view, everything(view) | {"place": {"chapter": NEXT, "section": ""}})
    view.reload()
    if name == PAGE:
        predictions(view)
        unfold_first_question(view)
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(view) == []


def test_without_javascript_the_page_says_what_it_would_do(page):
    view = page(BOARD, java_script_enabled=False)
    assert view.get_by_text("This needs JavaScript.").is_visible()
    assert view.get_by_role("button", name="Erase everything").is_disabled()
    assert view.get_by_role("row").count() > 5
