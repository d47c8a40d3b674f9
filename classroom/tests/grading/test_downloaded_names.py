"""A name is the same name in whatever way Moodle, Canvas, a disk or a person writes it."""

import hashlib
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_class.grading import variants
from attn_class.grading.names import called, downloaded, plain, shown, words

SEED = "a secret of many characters"
LETTERS = st.characters(exclude_categories=["Cs", "Cn", "Co"])
NAME = st.text(LETTERS, min_size=1, max_size=20)


def cleaned(name, old=False):
    """What Moodle's clean_filename makes of a name, in its newer and its older versions."""
    name = re.sub(r"[\x00-\x1f\x7f-\x9f&<>\"`|':\\/]", "", name.replace("_", " "))
    name = re.sub(r"\.\.+", "", name) if old else name
    return "" if name in (".", "..") else name


def ways(name, old=False):
    """The names of files that Moodle may give to a student of this name, as disks keep them."""
    for form in ("NFC", "NFD"):
        for ending in ("", "_", "_answers"):
            file = f"{cleaned(name, old)}_123_assignsubmission_file{ending}"
            yield unicodedata.normalize(form, file)


@given(first=NAME, last=NAME, old=st.booleans())
def test_whatever_moodle_leaves_of_a_name_means_the_same(first, last, old):
    name = f"{first} {last}".strip()
    for file in ways(name, old) if words(name) else ():
        assert words(downloaded(file).name) == words(name)


@given(name=NAME)
def test_the_plain_form_does_not_change_again(name):
    assert plain(plain(name)) == plain(name)
    assert words(words(name)) == words(name)
    for form in ("NFC", "NFD"):
        assert plain(unicodedata.normalize(form, name)) == plain(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Siobhán O'Brien", "Siobhán OBrien_12_assignsubmission_file_"),
        ("Siobhán O'Brien", "SIOBHÁN O\u2019BRIEN"),
        ("Jürgen Müller", unicodedata.normalize("NFD", "Jürgen Müller_7_assignsubmission_file")),
        ("Ada Lovelace", "ada\u00a0\u2009LOVELACE"),
        ("Ada Lovelace", "Lovelace, Ada"),
        ("Ada Lovelace", "\u202eAda\u200b Lovelace"),
        ('Jo "Jojo" Mc_Kay', "Jo Jojo Mc Kay_9_assignsubmission_onlinetext_"),
        ("Straße Weiß", "STRASSE WEISS"),
        ("Hana ﬁ", "ℋana FI"),
        ("J..R Smith", "JR Smith_9_assignsubmission_file_"),
        ("101", "van_der_berg_LATE_101_9_a"),
        ("101", "doejane_101_text"),
        ("anon 17", "anon_LATE_17_9_a"),
        ("101", "lovelaceada_101_5566_reader"),
        ("101", "lovelaceada_LATE_101_5566_reader-1"),
        ("ada lovelace", "Ada Lovelace_12345_assignsubmission_file"),
    ],
)
def test_a_code_belongs_to_the_student_and_not_to_a_spelling(one, other):
    assert variants.own(one, SEED) == variants.own(other, SEED)


@pytest.mark.parametrize("name", ["ada", "Kim Lee", "Zoë Müller", "kim_1", "a@x, b@x", "1001"])
def test_codes_that_were_given_out_stay(name):
    """They were drawn from the lower-case name itself before anything was left out of names."""
    digest = hashlib.sha256()
    for part in ("variant", SEED, " ".join(name.split()).casefold()):
        text = part.encode()
        digest.update(len(text).to_bytes(8, "big") + text)
    assert variants.own(name, SEED) == digest.hexdigest()


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Eda"), ("kim_1", "kim1"), ("a b", "ab"), ("101", "102"), ("é", "e")]
)
def test_names_that_differ_stay_apart(one, other):
    assert called(one) != called(other)


@pytest.mark.parametrize(
    ("file", "system", "text"),
    [
        ("Ada_17_assignsubmission_file_", "Moodle", False),
        ("Ada_17_assignsubmission_onlinetext_", "Moodle", True),
        ("anon_101_9_a.ipynb", "Canvas, anonymous", False),
        ("anon_LATE_abC12_9_a.ipynb", "Canvas, anonymous", False),
        ("doejane_101_9_text.ipynb", "Canvas", False),
        ("doejane_101_text.html", "Canvas", True),
    ],
)
def test_systems_and_texts_typed_online_are_known(file, system, text):
    assert (downloaded(file).system, downloaded(file).is_text) == (system, text)


@pytest.mark.parametrize("name", ["ada", "Report_2024", "x_12", "2024_11_25 Ada", "a_b_c.ipynb"])
def test_other_names_are_no_downloads(name):
    assert downloaded(name) is None


@given(text=st.text(max_size=30))
def test_nothing_that_is_shown_turns_or_hides_the_text(text):
    categories = {
        unicodedata.category(letter) for letter in shown(text) if letter not in "\t\n\u200c\u200d"
    }
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_what_may_be_read_is_shown_as_it_is():
    assert shown("علی\u200cرضا Müller\n\tx = 1") == "علی\u200cرضا Müller\n\tx = 1"
    assert shown("a\u202eb\x1b[31mc\u2066\u061c\ud800") == "ab[31mc?"
