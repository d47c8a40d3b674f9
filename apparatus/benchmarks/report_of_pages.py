"""The table of pages: medians, with the spread where seconds are given."""

from statistics import median

from apparatus.benchmarks.report import head, spread, table

OURS, PEERS = "the course", ("Jupyter Book", "JupyterLite")
OWN = ("figures", "weights")  # not counted against the goal
SHOWN = ("html", "css", "js", "fonts")


def page(result: dict) -> str:
    pages = [name.removeprefix("here: ") for name in result["contestants"] if ".html" in name]
    pages = [name for name in pages if not name.startswith("slow: ")]
    slowest = max(
        (name for name in pages if _ready(result, "here", name)),
        key=lambda name: median(_ready(result, "here", name)),
    )
    about = (
        f"Medians (least to most) of {result['repetitions']} cold loads each. *Here* is served by "
        "this machine, *slow* is a line of 10 Mbit/s with 40 ms to each answer. kB are 1000 bytes, "
        "gzipped."
    )
    heads = ("", "kB", "requests", "first answer here, s", "times the course's")
    heads += ("first answer on the slow line, s", "times the course's")
    heads += (f"times {slowest}, here", "slow", "longest task here, ms")
    own = ("page", "kB besides own figures and weights", *SHOWN, "own figures", "own weights")
    own += ("requests", "first answer here, s", "slow, s", "longest task here, ms")
    own += ("layout shift, 1280 px wide", "360 px wide")
    lines = [
        *head(result, f"a machine with two cores ({result['cpu']})", about),
        "## One question, three ways",
        "",
        *table(heads, (_peer(result, name, slowest) for name in (OURS, *PEERS))),
        "",
        f"{slowest} is the page of the book whose first widget answers last.",
        "",
        "## Every page of the book",
        "",
        *table(own, (_page(result, name) for name in pages)),
    ]
    return "\n".join(lines) + "\n"


def _peer(result: dict, name: str, slowest: str) -> list[str]:
    runs = _runs(result, "here", name)
    cells = [
        name,
        _kilobytes(median(sum(run["bytes"].values()) for run in runs)),
        f"{median(run['requests'] for run in runs):.0f}",
    ]
    for line in ("here", "slow"):
        cells += [_seconds(result, line, name), _times(result, line, name, OURS)]
    cells += [_times(result, line, name, slowest) for line in ("here", "slow")]
    return [*cells, _longest(runs)]


def _page(result: dict, name: str) -> list[str]:
    runs = _runs(result, "here", name)
    sizes = runs[0]["bytes"]
    counted = sum(size for kind, size in sizes.items() if kind not in OWN)
    return [
        name,
        *(_kilobytes(size) for size in [counted, *(sizes.get(kind, 0) for kind in SHOWN)]),
        *(_kilobytes(sizes.get(kind, 0)) for kind in OWN),
        f"{median(run['requests'] for run in runs):.0f}",
        *(_seconds(result, line, name) for line in ("here", "slow")),
        _longest(runs),
        *(_shift(result, name, width) for width in ("1280", "360")),
    ]


def _runs(result: dict, line: str, name: str) -> list[dict]:
    return list(result["runs"][f"{line}: {name}"].values())


def _ready(result: dict, line: str, name: str) -> list[float]:
    found = [run["ready"] for run in _runs(result, line, name)]
    return [] if None in found else found


def _seconds(result: dict, line: str, name: str) -> str:
    return spread([(ready / 1000, True) for ready in _ready(result, line, name)], ".2f")


def _times(result: dict, line: str, name: str, other: str) -> str:
    """How many times as long it takes, each ratio taken within a round."""
    pairs = zip(_ready(result, line, name), _ready(result, line, other), strict=True)
    return spread([(one / another, True) for one, another in pairs], ".1f")


def _longest(runs: list[dict]) -> str:
    """The longest task; the browser reports only those of 50 ms and more."""
    longest = median(run["longest"] for run in runs)
    return f"{longest:.0f}" if longest else "< 50"


def _shift(result: dict, name: str, width: str) -> str:
    """The largest shift of all loads, since a single load that moves is one too many."""
    largest = max(run["shift"][width] for run in _runs(result, "slow", name))
    return f"{largest:.4f}" if largest else "0"


def _kilobytes(size: float) -> str:
    return f"{size / 1000:.0f}" if size >= 1000 or not size else f"{size / 1000:.1f}"
