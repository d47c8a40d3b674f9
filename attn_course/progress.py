"""A progress bar: drawn in Jupyter, plain lines elsewhere, and a single line when it is done."""

import time

from markupsafe import Markup

from attn_course._signature import checked
from attn_course._values import Count, CountOrZero

try:
    from IPython import get_ipython
    from IPython.display import HTML, display
except ModuleNotFoundError:  # it comes with the extra `views`: without it there is no notebook

    def get_ipython() -> None:
        return None


class Progress:
    """Shows how far a training run has got: step, loss, latest validation score and time left.

    In Jupyter, one line is redrawn at most twice a second; elsewhere, a line is printed after about
    every tenth of the steps. It does not use ipywidgets, so a published page keeps it as text.

    ``begun`` is how many of the steps an earlier run has done; they count as done, but the time
    left is estimated without them.
    """

    @checked
    def __init__(self, title: str, steps: Count, begun: CountOrZero = 0):
        self.title, self.steps = title, steps
        self.begun = self.step = begun
        self.seconds = 0.0
        self._text = "starting"
        self._handle = None

    def __enter__(self) -> "Progress":
        self._started = self._drawn = time.perf_counter()
        if getattr(get_ipython(), "kernel", None) is not None:
            self._handle = display(self._bar(), display_id=True)
        return self

    @checked
    def show(self, step: Count, loss: float, scores: list[float]) -> None:
        """Show that ``step`` steps are done, with the loss and the latest validation score."""
        now = time.perf_counter()
        self.step, self.seconds = step, now - self._started
        left = self.seconds / max(step - self.begun, 1) * (self.steps - step)
        score = f", score {scores[-1]:.3g}" if scores else ""
        self._text = f"step {step} of {self.steps}, loss {loss:.3f}{score}, {left:.0f} s left"
        if self._handle is not None:
            if now - self._drawn > 0.5:
                self._drawn = now
                self._handle.update(self._bar())
        elif step * 10 // self.steps > (step - 1) * 10 // self.steps:
            print(f"{self.title}: {self._text}", flush=True)

    def __exit__(self, kind, error, trace) -> None:
        self.seconds = time.perf_counter() - self._started
        end = self._text.rsplit(", ", 1)[0] + f", {self.seconds:.0f} s"
        if self.step < self.steps:
            end += " (stopped early)"
        if self._handle is not None:
            self._handle.update(self._html("", end))
        else:
            print(f"{self.title}: {end}", flush=True)

    def _bar(self) -> "HTML":
        bar = Markup("<progress value='{}' max='{}' aria-label='{}'></progress> ")
        return self._html(bar.format(self.step, self.steps, self.title), self._text)

    def _html(self, bar: str, text: str) -> "HTML":
        line = Markup("<p class='attn-progress'>{}{}: {}</p>")
        return HTML(line.format(bar, self.title, text))
