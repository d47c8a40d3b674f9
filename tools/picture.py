"""Draw ``book/assets/date-reader.png`` anew from the built book: ``python -m tools.picture``.

It is the widget of the front page, as readers of the readme and of other sites see it. Fonts for
all the scripts in it are needed:

    python -m tools.fonts --folder FOLDER --set scripts -- python -m tools.picture
"""

import io
from pathlib import Path

from PIL import Image

from tools import serve
from tools.browser import chromium

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "book" / "assets" / "date-reader.png"
TEXT = "domingo, 3 de abril de 2005"
WIDTH, SCALE = 560, 2  # of the window, in its pixels, and how many of the picture make one
COLOURS = 64


def main() -> None:
    with serve.running(ROOT / "_build" / "html") as address, chromium() as browser:
        page = browser.new_page(
            viewport={"width": WIDTH, "height": 900},
            device_scale_factor=SCALE,
            color_scheme="light",
            reduced_motion="reduce",
        )
        page.goto(f"{address}book/index.html")
        place = page.locator(".attn-opening .attn-widget")
        place.locator(".attn-first").wait_for(state="detached")
        place.get_by_role("textbox").fill(TEXT)
        page.wait_for_timeout(1000)
        page.evaluate("document.activeElement.blur()")
        shot = place.screenshot()
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {picture.size}, {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
