"""The built book in each engine that readers have; missing ones are skipped, but never in CI."""

import contextlib

import chromium
import firefox
import pytest
import webkit
from browsing import without

from attn_book.commands.browser import NoBrowser

ENGINES = [  # each in its own process, side by side
    pytest.param(each, id=each.__name__, marks=pytest.mark.xdist_group(each.__name__))
    for each in (chromium, firefox, webkit)
]


@pytest.fixture(scope="session", params=ENGINES)
def engine(request, folder):
    with contextlib.ExitStack() as stack:
        try:
            started = stack.enter_context(request.param.started(folder))
        except NoBrowser as missing:
            without(str(missing))
        yield started
