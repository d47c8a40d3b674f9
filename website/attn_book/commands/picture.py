"""Draw ``website/assets/date-reader.png`` again from the built book.

    python -m attn_book.commands.picture

It shows the widget of the front page, without the dates to try, to readers of the readme and of
other sites. The text is drawn in the fonts of this machine.
"""

import io
from pathlib import Path

from PIL import Image

from attn_book.commands import serve
from attn_book.commands.browser import chromium

ROOT = Path(__file__).resolve().parents[3]
PICTURE = ROOT / "website" / "assets" / "date-reader.png"
TEXT = "domingo, 3 de abril de 2005"
WIDTH, HEIGHT, SCALE = 560, 670, 2  # of the window, and how many pixels of the picture each has
COLOURS = 64
BARE = """() => {
  document.activeElement.blur();
  document.querySelector(".attn-opening .attn-samples").style.display = "none";
}"""


def main() -> None:
    with serve.running(ROOT / "_build" / "html") as address, chromium() as browser:
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT},
            device_scale_factor=SCALE,
            color_scheme="light",
            reduced_motion="reduce",
        )
        page.goto(f"{address}book/index.html")
        place = page.locator(".attn-opening .attn-widget")
        place.locator(".attn-first").wait_for(state="detached")
        place.get_by_role("textbox").fill(TEXT)
        page.wait_for_timeout(1000)
        page.evaluate(BARE)
        shot = place.screenshot()
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {picture.size}, {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
