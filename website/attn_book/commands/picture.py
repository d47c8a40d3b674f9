"""Draw the date reader of the built book's front page again, for the readme and other sites.

    python -m attn_book.commands.picture [_build/html]

``website/date-reader.webp`` moves: a date is typed, and then each digit is pointed at.
``website/assets/date-reader.png`` is what it looks like with the date typed. The dates to try are
left out.
"""

import io
import sys
from pathlib import Path

from PIL import Image

from attn_book.commands import serve
from attn_book.commands.browser import chromium

ROOT = Path(__file__).resolve().parents[3]
STILL = ROOT / "website" / "assets" / "date-reader.png"
MOVING = ROOT / "website" / "date-reader.webp"
TEXT = "domingo, 3 de abril de 2005"
WIDTH, HEIGHT, SCALE = 560, 670, 2  # of the window, and how many pixels of the still each has
COLOURS, QUALITY = 64, 70  # of the still, and of the moving picture
TYPED, WHOLE, POINTED = 140, 1800, 500  # milliseconds that a frame is shown
BARE = """() => {
  document.activeElement.blur();
  document.querySelector(".attn-opening .attn-samples").style.display = "none";
}"""


def frames(site: Path) -> list[tuple[Image.Image, int]]:
    """Each picture, with the time for which it is shown."""
    shots = []
    with serve.running(site) as address, chromium() as browser:
        size = {"viewport": {"width": WIDTH, "height": HEIGHT}, "device_scale_factor": SCALE}
        page = browser.new_page(**size, color_scheme="light", reduced_motion="reduce")
        page.goto(f"{address}book/index.html")
        place = page.locator(".attn-opening .attn-widget")
        place.locator(".attn-first").wait_for(state="detached")

        def shoot(milliseconds: int, wait: int = 300) -> None:
            page.evaluate(BARE)
            page.wait_for_timeout(wait)
            shot = Image.open(io.BytesIO(place.screenshot())).convert("RGB")
            shots.append((shot, milliseconds))

        for end in range(4, len(TEXT)):
            place.get_by_role("textbox").fill(TEXT[:end])
            shoot(TYPED)
        place.get_by_role("textbox").fill(TEXT)
        shoot(WHOLE, 1000)
        for digit in place.locator(".attn-arcs .attn-token.attn-target").all():
            digit.hover()
            shoot(POINTED)
    return shots


def main(site: Path = ROOT / "_build" / "html") -> None:
    shots = frames(site)
    still = max(shots, key=lambda shot: shot[1])[0]
    still.quantize(COLOURS, dither=Image.Dither.NONE).save(STILL, optimize=True)
    height = max(shot.height for shot, _ in shots) // SCALE
    first, *others = (halved(shot, height) for shot, _ in shots)
    times = [milliseconds for _, milliseconds in shots]
    first.save(
        MOVING, save_all=True, append_images=others, duration=times, quality=QUALITY, method=6
    )
    for path in (STILL, MOVING):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def halved(shot: Image.Image, height: int) -> Image.Image:
    """At the size of the page, on a ground as high as the highest of the pictures."""
    ground = Image.new("RGB", (shot.width // SCALE, height), shot.getpixel((0, 0)))
    ground.paste(shot.resize((ground.width, shot.height // SCALE), Image.Resampling.LANCZOS))
    return ground


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
