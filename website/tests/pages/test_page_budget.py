"""No page grows unseen: its size and its number of elements are stored beside this test.

`page_budget.tsv` holds, for each page, kilobytes of its HTML, gzipped and without what is drawn in
it, and elements. A page may exceed what is stored by 5 %; whoever lets one grow, or mends one,
stores the new line, which the failing test prints.
"""

import csv
import gzip
import re
from pathlib import Path

KILOBYTES, ELEMENTS = 60, 6_000  # at most, for pages that are not
OVER = {
    "book/claims",
    *(f"chapters/{name}" for name in ("01-fixed-context", "03-alignment-scores")),
    *(f"chapters/{name}" for name in ("04-context-vectors", "05-reading-dates")),
    *(f"chapters/{name}" for name in ("06-gradient-paths", "b-typos")),
    *(f"chapters/{name}" for name in ("c-seeing", "07-self-attention", "12-a-language-model")),
}
STORED = Path(__file__).with_name("page_budget.tsv")
# figures, and pictures that are written into the page
DRAWN = re.compile(r"<svg\b.*?</svg>|(?<=[\"'(])data:image/[^\"')]*", re.DOTALL)


def stored() -> dict[str, tuple[float, int]]:
    with STORED.open(encoding="utf-8") as lines:
        return {
            name: (float(size), int(count)) for name, size, count in csv.reader(lines, "excel-tab")
        }


def test_a_page_stays_within_its_budget(folder, parsed, page_name):
    name = page_name.removesuffix(".html")
    text = DRAWN.sub("", (folder / page_name).read_text("utf-8"))
    size = round(len(gzip.compress(text.encode(), mtime=0)) / 1000, 1)
    count = len(parsed[page_name].find_all(True))
    line = f"{name}\t{size}\t{count}"
    most_size, most_count = stored().get(name, (0, 0))
    assert size <= 1.05 * most_size, f"{line!r}: stored are {most_size} kB"
    assert count <= 1.05 * most_count, f"{line!r}: stored are {most_count} elements"
    assert (size > KILOBYTES or count > ELEMENTS) == (name in OVER), (
        f"{line!r}: at most {KILOBYTES} kB and {ELEMENTS:,} elements, or it stands in OVER"
    )
