"""Links to a former place lead on to the present one, which the table of moved places names."""

from pathlib import Path

import pytest
import yaml
from making import dead_ends, page_of
from sphinx.errors import ExtensionError

from attn_book.notebooks import moved
from attn_book.site import contents, page

BODIES = {
    "chapters/01-x": "<h1>X<a>#</a></h1><h2 id='new'>New</h2>",
    "chapters/02-y": "<h1>Y</h1><div id='claim-a'></div>",
    "book/claims": "<h1>All</h1><ol><li id='02-y-claim-a'></li></ol>",
}


def led_on(root: Path, table: dict) -> dict[str, list[tuple[str, str, str]]]:
    """The former places of each page with where they lead, and its name."""
    (root / "book").mkdir()
    (root / moved.TABLE).write_text(yaml.safe_dump(table))
    pages = {name: page_of(body, name) for name, body in BODIES.items()}
    former = moved.former(root, {name: page.heading(document) for name, document in pages.items()})
    for name, lines in former.items():
        moved.lead_on(pages[name], lines)
    dead_ends(*pages.values())
    lines = {name: page.soup.select("article > .attn-former") for name, page in pages.items()}
    return {
        name: [(line["id"], line["href"], line.get_text().partition(": ")[2]) for line in entries]
        for name, entries in lines.items()
    }


def test_a_heading_leads_on_within_its_page_and_to_another(tmp_path):
    table = {"chapters/01-x": {"old": "#new", "gone": "chapters/02-y"}}
    assert led_on(tmp_path, table)["chapters/01-x"] == [
        ("gone", "02-y.html", "Y"),
        ("old", "01-x.html#new", "X"),
    ]


def test_a_claim_leads_on_from_the_page_of_all_claims_too(tmp_path):
    former = led_on(tmp_path, {"chapters/01-x": {"claim-a": "chapters/02-y#claim-a"}})
    assert former["chapters/01-x"] == [("claim-a", "02-y.html#claim-a", "Y")]
    assert former["book/claims"] == [("01-x-claim-a", "claims.html#02-y-claim-a", "All")]


def test_a_claim_that_is_none_any_more_leads_where_its_subject_is(tmp_path):
    former = led_on(tmp_path, {"chapters/01-x": {"claim-a": "chapters/02-y"}})
    assert former["book/claims"] == [("01-x-claim-a", "../chapters/02-y.html", "Y")]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"chapters/01-x": {"new": "chapters/02-y"}}, "#new is said to have moved, and is there"),
        ({"chapters/01-x": {"old": "#nowhere"}}, "01-x.html#nowhere, where nothing is"),
    ],
)
def test_a_table_that_is_wrong_fails_the_build(tmp_path, table, message):
    with pytest.raises(ExtensionError, match=message):
        led_on(tmp_path, table)


def test_a_book_needs_no_table(tmp_path):
    assert moved.table(tmp_path) == moved.documents(tmp_path) == {}


def test_only_pages_of_the_book_are_named():
    root = Path(moved.__file__).parents[4]
    for name, places in moved.table(root).items():
        for document in {name, *(new.partition("#")[0] for new in places.values())}:
            assert list(root.glob(f"{document}.*")), document
    for old, new in moved.documents(root).items():
        assert not contents.source(root, old)
        assert contents.source(root, new).exists(), new
