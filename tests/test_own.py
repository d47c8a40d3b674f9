"""What a student's code stands for: the same for everybody who asks, and as hard for all."""

import hashlib

from attn_course.tasks import own

CODES = [hashlib.sha256(str(n).encode()).hexdigest()[:8] for n in range(200)]


def test_every_rule_is_drawn():
    assert {own.own_task(code).rule for code in CODES} == set(own.RULES)


def test_a_code_stands_for_the_same_in_every_release():
    """A student may train with one release and be graded with the next."""
    tasks = [tuple(own.own_task(code)) for code in CODES]
    assert hashlib.sha256(repr(tasks).encode()).hexdigest()[:16] == "1970ca4b0e83d6fc"


def test_a_task_has_distinct_letters_and_seeds():
    for code in CODES:
        _, letters, lengths, seeds = own.own_task(code)
        assert sorted(set(letters)) == list(letters)
        assert 14 <= len(letters) <= 18
        assert lengths[0] == 2
        assert 12 <= lengths[-1] <= 14
        assert sorted(set(seeds)) == list(seeds)
        assert len(seeds) == 3


REFUSED = {
    own.own_task: [
        ((code,), "eight of the digits")
        for code in ("12345", "0123456g", "123456789", "ABCDEF01", "00c0ffee\n")
    ],
}
