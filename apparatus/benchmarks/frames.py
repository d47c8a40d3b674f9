"""How much of a frame does a widget's response take? ``python -m apparatus.benchmarks.frames``

A browser draws a frame every 16.7 ms. A trait is set over and over, as when a reader drags, and the
page is laid out after each change. The result is the median time of a response, as a share of a
frame. The Transformer of chapter 10 never ends its answer here, so that each response has 32
decoding steps; a single one must fit into a frame.
"""

import tempfile
from pathlib import Path

import numpy as np
import torch

from attn_book.commands import widgets_harness as harness
from attn_book.commands.browser import chromium
from attn_course.models.one_look import MaskReader
from attn_course.models.translator import transformer
from attn_course.tasks.vocabulary import END, Vocabulary
from attn_course.views.widgets.context_mixer import ContextMixer
from attn_course.views.widgets.drawn_digit import DrawnDigit
from attn_course.views.widgets.heads_viewer import HeadsViewer
from attn_course.views.widgets.score_bars import ScoreBars

FRAME = 1000 / 60
ANSWERS = 40
MEASURE = """([trait, values]) => {
  const times = values.map((value) => {
    const start = performance.now();
    window.models[0].set(trait, value);
    document.querySelector(".attn-frame").getBoundingClientRect(); // lay it out
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[times.length >> 1];
}"""


def bars():
    """Five words, the first of which is dragged up."""
    widget = ScoreBars(["old", "men", "tell", "ancient", "jokes"], [12, -1, 0.4, 5, 2])
    return widget, "scores", [[run / 4, -1, 0.4, 5, 2] for run in range(ANSWERS)]


def mixer():
    """Twenty annotations of 128 entries; all the weight moves from one to the next."""
    rows = np.random.default_rng(1).normal(size=(20, 128))
    widget = ContextMixer(annotations=rows, source=list("abcdefghijklmnopqrst"), steps=())
    return widget, "weights", [np.eye(20)[run % 20].tolist() for run in range(ANSWERS)]


def digit():
    """A digit among six pieces, moved over a canvas of 32 by 32, which is read at every place."""
    arrays = {name: part.numpy() for name, part in MaskReader().state_dict().items()}
    widget = DrawnDigit(arrays, [np.full((5, 5), 0.75)])
    return widget, "place", [[run % 24, 3 * run % 24] for run in range(1, ANSWERS)]


def heads():
    """A date of 20 characters, one of which changes, and a Transformer of chapter 10's sizes."""
    source, target = Vocabulary("0123456789. /-MaiprlJunéж"), Vocabulary("0123456789-")
    torch.manual_seed(1)
    model = transformer(len(source), len(target), size=64, heads=4, hidden_size=128)
    with torch.no_grad():
        model.decoder.readout.bias[END] = -1e9
    arrays = {name: part.numpy() for name, part in model.state_dict().items()}
    widget = HeadsViewer(arrays, source.symbols, target.symbols)
    return widget, "text", [f"Mai Juni, {run:02d}. 4. 1998"[:20] for run in range(ANSWERS)]


def main() -> None:
    with chromium() as browser:
        for widget, trait, values in (bars(), mixer(), digit(), heads()):
            with tempfile.TemporaryDirectory() as folder:
                harness.write_page(Path(folder), [widget])
                with harness.serve(folder) as address:
                    page = browser.new_page()
                    page.goto(f"{address}/index.html")
                    page.wait_for_function("window.ready")
                    took = page.evaluate(MEASURE, [trait, values])
            print(f"{type(widget).__name__}: {took:.1f} ms, {took / FRAME:.0%} of a frame")


if __name__ == "__main__":
    main()
