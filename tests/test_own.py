"""What a student's code stands for: the same for everybody who asks, and as hard for all."""

import hashlib

import pytest
from babel import Locale
from sweeps import every

from attn_course.tasks import own
from attn_course.tasks.date_ceiling import ceiling

CODES = [hashlib.sha256(str(n).encode()).hexdigest()[:8] for n in range(200)]


def test_a_code_has_one_locale_of_each_group():
    for code in CODES:
        locales = own.own_locales(code)
        assert locales == own.own_locales(code)
        assert all(each in group for each, group in zip(locales, own.LOCALE_GROUPS, strict=True))


def test_every_locale_and_every_rule_is_drawn():
    locales = {each for code in CODES for each in own.own_locales(code)}
    assert locales == {each for group in own.LOCALE_GROUPS for each in group}
    assert {own.own_task(code).rule for code in CODES} == set(own.RULES)


@pytest.mark.parametrize("group", own.LOCALE_GROUPS)
def test_every_locale_is_known(group):
    for name in group:
        assert str(Locale.parse(name)) == name


def test_a_code_stands_for_the_same_in_every_release():
    """A student may train with one release and be graded with the next."""
    held = [(own.own_locales(code), tuple(own.own_task(code))) for code in CODES]
    assert hashlib.sha256(repr(held).encode()).hexdigest()[:16] == "e1d9e6d29f3ce86c"


@pytest.mark.parametrize("code", every(3, CODES[:4]))
def test_the_ceiling_is_nearly_the_same_for_all(code):
    assert 0.97 < ceiling(own.own_locales(code)).overall < 0.985


def test_a_task_has_distinct_letters_and_seeds():
    for code in CODES:
        _, letters, lengths, seeds = own.own_task(code)
        assert sorted(set(letters)) == list(letters)
        assert 14 <= len(letters) <= 18
        assert lengths[0] == 2
        assert 12 <= lengths[-1] <= 14
        assert sorted(set(seeds)) == list(seeds)
        assert len(seeds) == 3


@pytest.mark.parametrize("code", ["12345", "0123456g", "123456789", "ABCDEF01", "00c0ffee\n"])
def test_what_is_no_code_is_said(code):
    with pytest.raises(ValueError, match="eight of the digits"):
        own.own_task(code)
