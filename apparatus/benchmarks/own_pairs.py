"""How long does a file of two million pairs take to read, and how much memory?

    python -m apparatus.benchmarks.own_pairs --lines 2000000

The lines are made up: an item number with its digits spelt out of order, 25 to 45 characters on
each side. The file is read in a separate process, so that the largest memory is that of reading
alone; what importing the package takes is subtracted.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_READ = """
import sys, resource, time
from pathlib import Path
from attn_own.own_corpus import Files, read_corpus
most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, begun = most(), time.process_time()
corpus = read_corpus(Files(Path(sys.argv[1])))
print(sum(corpus.counts), time.process_time() - begun, (most() - before) / 1024)
"""


def write(path: Path, lines: int) -> None:
    """A file of so many pairs."""
    rng = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for number in range(lines):
            text = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz ", k=rng.randint(18, 34)))
            file.write(f"{text.strip()} {number:>9}\t{number:<9} {text.strip()[::-1]}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=2_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        write(path, given.lines)
        size, begun = path.stat().st_size / 2**20, time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
        )
        pairs, seconds, most = map(float, done.stdout.split())
        print(
            f"{pairs:,.0f} pairs, {size:.0f} MB: {seconds:.1f} CPU s, "
            f"{time.perf_counter() - begun:.1f} s in all, {most:.0f} MB of memory"
        )


if __name__ == "__main__":
    main()
