"""Where a chapter stands in the book: its number on its page and wherever the frame names it."""

from .course import Chapter
from .page import Page, described, own_files


def number(pages: dict[str, Page], course: list[Chapter]) -> None:
    """Number the chapters in menus and links to the next page, and on their own pages."""
    by_file = {f"{chapter.name}.html": chapter for chapter in course}
    for page in pages.values():
        for link in page.soup.select(".bd-links a, .prev-next-area a"):
            address = link["href"]
            file = page.file if address == "#" else (*own_files(page.file, [address]), "")[0]
            if file in by_file:
                title = link.select_one(".prev-next-title") or link
                title.insert(0, f"{by_file[file].number}. ")
    for chapter in course:
        head(pages[chapter.name], chapter)


def head(page: Page, chapter: Chapter) -> None:
    """The number above the title, and the question for those who find the page elsewhere."""
    above = page.soup.new_tag("div", attrs={"class": "attn-kicker"})
    above.string = f"Chapter {chapter.number}"
    page.soup.select_one("article h1").insert_before(above)
    if chapter.afterwards:
        described(page, f"{chapter.question} Afterwards you can {chapter.afterwards}.")
