"""After any edits, kills and builds, the site equals one that is built from scratch.

``make try-builds`` draws ten sequences of ten edits; here one of three (a sample: of one).
"""

import os
import random
import shutil
import signal
import subprocess

import pytest
from small_book import Book
from sweeps import every, examples

from apparatus.trials.builds import differing
from attn_book import address

SEQUENCES = int(os.environ.get("SEQUENCES", "1"))
EDITS = 10 if SEQUENCES > 1 else examples(3, 1)
SEED = int(os.environ.get("SEED", "0"))
CITATIONS = (
    "[Cho et al. (2014)](../book/bibliography.md#cho2014)",
    "[Bahdanau et al. (2015)](../book/bibliography.md#bahdanau2015)",
    "[(Luong et al., 2015)](../book/bibliography.md#luong2015)",
)
COUNT = """
import time

from IPython.display import HTML, display

from attn_course.counted import COUNT

print(COUNT, {number})
display(HTML(f"<p class='attn-progress'>step 3 of 3, {time.time_ns()} s</p>"))
"""


class Course(Book):
    """A book of two chapters, and the edits that can be made to it, each with a number to write."""

    def __init__(self, root):
        super().__init__(root)
        self.chapters["02-other"], self.titles["02-other"] = COUNT, "Other"
        self.module(0)
        self.contents(0)
        self.chapter("02-other", 0)

    def prose(self, number: int) -> None:
        self.chapter("01-small", 0, CITATIONS[number % 3])

    def reference(self, number: int) -> None:
        self.chapter("02-other", 0, f"{CITATIONS[number % 2]} and {CITATIONS[2]}")

    def cell(self, number: int) -> None:
        self.chapter("02-other", number)

    def question(self, number: int) -> None:
        self.chapter("01-small", number)

    def module(self, number: int) -> None:
        (self.root / "attn_course" / "counted.py").write_text(f"COUNT = {number}\n")

    def widget(self, number: int) -> None:
        room = "attn_course/views/widgets/prediction/prediction"
        self.add(f"{room}.js", f"export const number{number} = {number};\n")
        self.add(f"{room}.css", f".attn-prediction {{ --number: {number} }}\n")

    def asset(self, number: int) -> None:
        self.add("website/assets/book.css", f"body {{ --number: {number} }}\n")
        self.add("website/assets/book.js", f"// {number}\n")

    def extension(self, number: int) -> None:
        self.add("website/attn_book/head/sharing.py", f"ABOUT = '{number}'\n")

    def program(self, number: int) -> None:
        path = self.root / "website" / "attn_book" / "widgets" / "prerendered.mjs"
        end = "return el.innerHTML"
        path.write_text(path.read_text("utf-8").replace(end, f"{end} + '<!--{number}-->'"), "utf-8")

    def address(self, number: int) -> None:
        address.main([f"ada/book{number}", "--root", str(self.root)])

    def config(self, number: int) -> None:
        self.set_title(f"Book {number}")

    def title(self, number: int) -> None:
        self.titles["02-other"] = f"Other {number}"
        self.chapter("02-other", 0)

    def new_chapter(self, number: int) -> None:
        name = f"{number:02}-new"
        self.chapters[name], self.titles[name] = COUNT, f"New {number}"
        self.chapter(name, number)
        self.contents(number)

    def removed_chapter(self, number: int) -> None:
        for name in [name for name in self.chapters if name.endswith("-new")][:1]:
            del self.chapters[name]
            (self.root / "chapters" / f"{name}.ipynb").unlink()
        self.contents(number)

    def fault(self, number: int) -> None:
        """An edit that makes the next build fail."""
        self.write("02-other", "raise ValueError('no result')")

    EDITS = (Book.sentence, prose, reference, cell, question, module, widget, asset, config, title)
    EDITS += (new_chapter, removed_chapter, fault, extension, program, address)

    def add(self, name: str, text: str) -> None:
        path = self.root / name
        path.write_text(path.read_text("utf-8") + text, "utf-8")

    def killed(self, after: float, how: signal.Signals) -> None:
        """Start a build and kill it, unless it ends first."""
        process = self.start()
        try:
            process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, how)
            process.communicate(timeout=600)


INPUTS = (Course.address, Course.extension, Course.asset, Course.contents, Course.program)


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    """One book for all tests: each goes on with what those before it have left."""
    course = Course(tmp_path_factory.mktemp("edited") / "a book")
    course.built()
    return course


def from_nothing(course: Course) -> dict[str, bytes]:
    """The site built from the same sources in an empty folder."""
    place = course.root.with_name("another place")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(course.root, place, symlinks=True, ignore=shutil.ignore_patterns("_build"))
    fresh = Course.__new__(Course)
    fresh.root = place
    fresh.built()
    return fresh.site()


def test_whatever_kept_results_depend_on_reaches_the_site_and_a_sentence_its_pages_alone(course):
    """Each kind of input, one after the other; nothing is thrown away between them."""
    course.sentence(1)
    course.killed(4, signal.SIGKILL)
    for number, edit in enumerate(every(2, INPUTS), start=2):
        edit(course, number)
        course.built()
    assert (course.root / "_build" / ".answers").exists()
    raw = {path: path.stat().st_mtime_ns for path in course.root.glob("_build/raw/*/*.html")}
    course.chapter("02-other", 0, "Zyzzyva, a word that no other page has.")
    course.built()
    written = {path.stem for path, time in raw.items() if path.stat().st_mtime_ns != time}
    # Sphinx always writes the front page; that of the claims is made of all chapters
    assert written == {"02-other", "index", "claims"}
    assert differing(course.site(), from_nothing(course)) == []


@pytest.mark.parametrize("seed", range(SEED, SEED + SEQUENCES))
def test_a_site_that_has_seen_everything_is_one_that_has_seen_nothing(course, seed):
    draw, history = random.Random(seed), []
    # every kind of edit is used before one is repeated
    edits = draw.sample(Course.EDITS, EDITS)
    for number, edit in enumerate(edits, start=3):
        edit(course, number)
        history.append(edit.__name__)
        after = draw.choice([None, draw.uniform(0, 12)])
        if after is not None:
            how = draw.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
            course.killed(after, how)
            history.append(f"{how.name} after {after:.1f} s")
        else:
            chapter = (course.root / "chapters" / "02-other.ipynb").read_text("utf-8")
            assert bool(course.build()[0]) == ("no result" in chapter), history
    course.cell(99)  # mends a fault
    course.built()
    assert differing(course.site(), from_nothing(course)) == [], history
