"""The result file, from which a stopped run resumes, and the table made from it."""

import datetime
import json
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

COURSE = "the course, three epochs"  # two, the default, end near the bar, above or below it
PEERS = ("JoeyNMT", "D2L")

# what a run may add to a file from which it resumes
GROWING = ("command", "repetitions", "contestants")


def machine(*packages: str) -> dict:
    """What the results were measured on: the processor's name and the versions."""
    versions = {"python": platform.python_version()}
    return {"cpu": _cpu(), "versions": versions | {name: version(name) for name in packages}}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def begun(path: Path, how: dict) -> dict:
    """The contents of the file, if they were measured in the same way on the same machine."""
    result = how | {"runs": {name: {} for name in how["contestants"]}}
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        for name, value in how.items():
            if name not in GROWING and found.get(name) != value:
                was = f"{name} {found.get(name)!r}, now {value!r}"
                sys.exit(f"{path.name} has {was}: delete it, or name another with --result")
        result["runs"] |= found["runs"]
        result["date"] = found.get("date")
    return result


def write(path: Path, result: dict) -> None:
    """Date the result, and write the whole file or nothing: no interruption loses a result."""
    result["date"] = datetime.date.today().isoformat()
    fresh = path.with_suffix(".tmp")
    fresh.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, path)


def write_page(path: Path, result: dict) -> str:
    """Write the page of a result beside its file."""
    text = page(result, COURSE, PEERS)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return text


def head(result: dict, where: str, about: str) -> list[str]:
    """When, where and by which command it was measured, and what the numbers are."""
    versions = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    return [f"{result['date']}, {where}; {versions}", "", f"    {result['command']}", "", about, ""]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    lines = [f"| {' | '.join(row).lstrip()} |" for row in (heads, *rows)]
    return [lines[0], f"|{'---|' * len(heads)}", *lines[1:]]


def page(result: dict, course: str, peers: Sequence[str]) -> str:
    """The result to read: what was measured, how, and the medians with their spread."""
    ours = result["runs"][course]
    faster = _ratios([result["runs"][peer] for peer in peers], ours)
    about = (
        f"The bar is an exact match of {result['bar']:.4f}, 99 % of the ceiling. Median (least to "
        f"most) of {result['repetitions']} repetitions; > where the bar was not reached."
    )
    heads = ("", "parameters", "reached the bar", "CPU s to the bar", f"times those of {course}")
    heads += ("characters/s in training", "strings/s, greedy")
    lines = [
        *head(result, f"one thread of {result['cpu']}", about),
        *table(heads, ([name, *_row(runs, ours)] for name, runs in result["runs"].items())),
        "",
        f"The faster of {' and '.join(peers)} needs {spread(faster, '.2f')} times the CPU seconds "
        f"of {course}, which was at the bar in {len(faster)} of {len(ours)} repetitions; "
        "a ratio is taken in those.",
    ]
    return "\n".join(lines) + "\n"


def _row(runs: dict, ours: dict) -> list[str]:
    own = list(runs.values())
    return [
        f"{own[0]['parameters']:,}",
        f"{sum(one['reached'] for one in own)} of {len(own)}",
        spread([(one["seconds"], one["reached"]) for one in own], ".1f"),
        spread(_ratios([runs], ours), ".2f"),
        spread([(one["training_characters_per_second"], True) for one in own], ",.0f"),
        spread([(one["greedy_strings_per_second"], True) for one in own], ",.0f"),
    ]


def _ratios(candidates: Sequence[dict], ours: dict) -> list[tuple[float, bool]]:
    """For each repetition, the seconds of the fastest candidate divided by the course's."""
    ratios = []
    for seed, one in ours.items():
        if one["reached"]:
            seconds, reached = min(
                (runs[seed]["seconds"], runs[seed]["reached"]) for runs in candidates
            )
            ratios.append((seconds / one["seconds"], reached))
    return ratios


def spread(numbers: Sequence[tuple[float, bool]], form: str) -> str:
    """Median (least to most) of numbers that are exact or, if not, lower bounds."""
    if not numbers:
        return "-"
    shown = [f"{'' if exact else '> '}{number:{form}}" for number, exact in sorted(numbers)]
    return f"{shown[len(shown) // 2]} ({shown[0]} to {shown[-1]})"
