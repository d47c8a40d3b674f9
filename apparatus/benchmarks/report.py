"""The result file, from which a stopped run resumes, and the table made from it."""

import datetime
import json
import os
import platform
import sys
from collections.abc import Sequence
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
        result |= {name: found[name] for name in ("date", "steps", "shares") if name in found}
    return result


def write(path: Path, result: dict) -> None:
    """Date the result, and write the whole file or nothing: no interruption loses a result."""
    result["date"] = datetime.date.today().isoformat()
    replace(path, result)


def replace(path: Path, result: dict) -> None:
    """Put a result in the place of the file, whole."""
    fresh = path.with_suffix(".tmp")
    fresh.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, path)


def add(path: Path, name: str, command: str, turns: int, found: dict) -> None:
    """Put what was measured in turns into the result file, dated, and that into its page."""
    result = json.loads(path.read_text(encoding="utf-8"))
    date = datetime.date.today().isoformat()
    how = {"command": command, "date": date, **machine("torch"), "turns": turns}
    result[name] = how | {"found": found}
    replace(path, result)
    write_page(path, result)


def write_page(path: Path, result: dict) -> str:
    """Write the page of a result beside its file."""
    text = page(result, COURSE, PEERS)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return text


def page(result: dict, course: str, peers: Sequence[str]) -> str:
    """The result to read: what was measured, how, and the medians with their spread."""
    ours = result["runs"][course]
    versions = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    faster = _ratios([result["runs"][peer] for peer in peers], ours)
    lines = [
        f"{result['date']}, one thread of {result['cpu']}; {versions}",
        "",
        f"    {result['command']}",
        "",
        f"The bar is an exact match of {result['bar']:.4f}, 99 % of the ceiling. Median (least to "
        f"most) of {result['repetitions']} repetitions; > where the bar was not reached.",
        "",
        f"| | parameters | reached the bar | CPU s to the bar | times those of {course} "
        "| characters/s in training | strings/s, greedy |",
        "|---|---|---|---|---|---|---|",
        *(f"| {' | '.join([name, *_row(runs, ours)])} |" for name, runs in result["runs"].items()),
        "",
        f"The faster of {' and '.join(peers)} needs {spread(faster, '.2f')} times the CPU seconds "
        f"of {course}, which was at the bar in {len(faster)} of {len(ours)} repetitions; "
        "a ratio is taken in those.",
        *(_steps(result["steps"]) if "steps" in result else ()),
        *(_shares(result["shares"]) if "shares" in result else ()),
    ]
    return "\n".join(lines) + "\n"


def _steps(steps: dict) -> list[str]:
    """What a step takes, how much of the machine it uses, and why it is not made faster."""
    return [
        "",
        "## A single step, and its limit",
        "",
        *_taken(steps),
        f"Batches of 128 pairs; medians of {steps['turns']} turns. *Times faster* than the version "
        "in FOLDER, call by call in turn: median (quartiles). *Share of the peak*: the "
        "multiplications and additions of a step per CPU second, divided by those of a product of "
        "two matrices of 1,024 by 1,024 taken right after it. Other work on the machine disturbs "
        "both versions alike, but makes all times longer.",
        "",
        "| | ms | times faster | share of the peak |",
        "|---|---|---|---|",
        *(f"| {name} | {' | '.join(_step(row))} |" for name, row in steps["found"].items()),
    ]


def _taken(turns: dict) -> list[str]:
    """When, where and how it was measured."""
    head = f"{turns['date']}, one thread of {turns['cpu']}; torch {turns['versions']['torch']}"
    return [head, "", f"    {turns['command']}", ""]


def _shares(shares: dict) -> list[str]:
    """The share of the peak of every contestant, in one run."""
    return [
        "",
        "## The share of the peak, beside the peers",
        "",
        *_taken(shares),
        f"A step of training of each in turn, with its own number of pairs; medians of "
        f"{shares['turns']} turns.",
        "",
        "| | pairs a step | ms | share of the peak |",
        "|---|---|---|---|",
        *(
            f"| {name} | {row['pairs']} | {row['milliseconds']:.1f} "
            f"| {100 * row['share_of_peak']:.0f} % |"
            for name, row in shares["found"].items()
        ),
        "",
        "A larger share is not a faster step. D2L's published sizes make larger products; and with "
        "our settings, too, it projects all keys anew at every step of the decoder.",
    ]


def _step(row: dict) -> list[str]:
    low, middle, high = row.get("times_faster", (0, 0, 0))
    return [
        f"{row['milliseconds']:.1f}",
        f"{middle:.2f} ({low:.2f} to {high:.2f})" if middle else "-",
        f"{100 * row['share_of_peak']:.0f} %" if "share_of_peak" in row else "-",
    ]


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
