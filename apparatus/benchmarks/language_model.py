"""What do a token and the chapter cost? ``python -m apparatus.benchmarks.language_model``

With a cache, one more symbol is read; without it, the whole text is read anew. Both are done in
turn, so a ratio is of one moment: the median of the rounds, then the least and the most. Times are
CPU seconds of one thread, which hardly depend on what else the machine does.

The chapter is run once as a notebook, in a kernel of its own with as many threads as it likes: CPU
seconds of all of them, and the most memory that the kernel has held. The result goes into
``language_model.md``.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import torch

from apparatus.benchmarks.language_in_page import processor
from attn_course.model_file import model_file
from attn_course.models.language_file import load
from attn_course.models.language_model import LanguageModel

HERE = Path(__file__).parent
CHAPTER = HERE.parents[1] / "chapters" / "12-a-language-model.ipynb"
LENGTHS, ROUNDS = (16, 67, 256), 9


def main() -> None:
    chapter = run_chapter()
    rows = "".join(row(length, times) for length, times in times_per_token())
    measured = "".join(f"| {name} | {value:,.0f} |\n" for name, value in chapter.items())
    _, _, method = __doc__.partition("\n\n")
    HERE.joinpath("language_model.md").write_text(
        f"# A language model's token, and its chapter\n\nMade by `python -m "
        f"benchmarks.language_model` on {processor()}, with {model_file().name}.\n\n{method}\n"
        "| positions | CPU s with a cache | without | times as long |\n"
        f"| ---: | ---: | ---: | ---: |\n{rows}\n"
        f"| {CHAPTER.stem} | measured |\n| --- | ---: |\n{measured}",
        encoding="utf-8",
    )
    print(rows + measured)


def row(length: int, times: np.ndarray) -> str:
    cached, whole = np.median(times, axis=0)
    ratios = times[:, 1] / times[:, 0]
    least, middle, most = np.quantile(ratios, (0, 0.5, 1))
    return f"| {length} | {cached:.3f} | {whole:.3f} | {middle:.1f} ({least:.1f} to {most:.1f}) |\n"


@torch.inference_mode()
def times_per_token():
    """For each length, the CPU seconds (round way) to read its last symbol, in two ways."""
    torch.set_num_threads(1)
    model = load().model
    for length in LENGTHS:
        symbols = torch.randint(100, 40_000, (1, length))
        cache = model(symbols[:, :-1]).cache
        calls = ((symbols[:, -1:], cache), (symbols, None))
        assert torch.allclose(*(model(*arguments).logits[0, -1] for arguments in calls), atol=1e-3)
        times = [[seconds(model, *arguments) for arguments in calls] for _ in range(ROUNDS)]
        yield length, np.array(times)


def seconds(model: LanguageModel, *arguments) -> float:
    start = time.process_time()
    model(*arguments)
    return time.process_time() - start


def run_chapter() -> dict[str, float]:
    """Must come before this process has other children: the system keeps the largest of all."""
    execute = Path(sys.executable).with_name("jupyter-execute")
    subprocess.run([execute, "--timeout=600", CHAPTER], check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = used.ru_utime + used.ru_stime
    return {"CPU s": took, "MB at most": used.ru_maxrss * 1024 / 1e6}


if __name__ == "__main__":
    main()
