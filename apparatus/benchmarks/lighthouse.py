"""What does Lighthouse say about every page, on the phone that it simulates?

    python -m apparatus.benchmarks.lighthouse [--pages book/index.html ...]

The performance score is computed from the time that this machine needs for each task of a page,
times four. A run alongside other work therefore says little, so the load of the machine is recorded
with each score.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median

from apparatus.benchmarks.line import Line, serving
from apparatus.benchmarks.report import begun, head, machine, table, write
from apparatus.trials.environment import ROOT
from attn_book.commands.browser import FLAGS, NAMES

HERE = Path(__file__).parent
SITE = ROOT / "_build" / "html"
PLACE = ROOT / "_build" / "pages" / "lighthouse"
PIN = (HERE / "lighthouse-npm.txt").read_text(encoding="utf-8").strip()
CATEGORIES = ("performance", "accessibility", "best-practices")
AUDITS = {
    "first-contentful-paint": "first paint, s",
    "largest-contentful-paint": "largest paint, s",
    "total-blocking-time": "blocked, s",
    "cumulative-layout-shift": "layout shift",
}
PATIENCE = 300  # seconds per page
# node and npm come with the environment
OF_NODE = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def installed() -> Path:
    """Lighthouse's script, installed with all that it needs."""
    script = PLACE / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not script.exists():
        PLACE.mkdir(parents=True, exist_ok=True)
        quiet = ("--silent", "--no-audit", "--no-fund")
        command = ["npm", "install", *quiet, "--prefix", str(PLACE), PIN]
        subprocess.run(command, check=True, env=OF_NODE)
    return script


def measured(address: str) -> dict:
    """The scores of a page, from 0 to 100, and the measurements behind its performance."""
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not browser:
        sys.exit(f"Chromium is missing: apt-get install {NAMES[0]}, or set CHROMIUM to its path")
    flags = " ".join(("--headless=new", *FLAGS))
    command = ["node", str(installed()), address, "--quiet", "--output=json"]
    command += [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={flags}"]
    load = os.getloadavg()[0]
    where = OF_NODE | {"CHROME_PATH": browser}
    said = subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE, env=where)
    return taken(json.loads(said.stdout), load)


def taken(report: dict, load: float) -> dict:
    """The parts of a report that are kept."""
    if fault := report.get("runtimeError"):
        sys.exit(f"Lighthouse could not read {report['requestedUrl']}: {fault['message']}")
    audits = report["audits"]
    scores = {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}
    lost = {
        name
        for category in CATEGORIES[1:]
        for name in (each["id"] for each in report["categories"][category]["auditRefs"])
        if audits[name]["score"] not in (None, 1)
    }
    values = {name: audits[name]["numericValue"] for name in AUDITS}
    return {"scores": scores, "values": values, "lost": sorted(lost), "load": round(load, 1)}


def page(result: dict) -> str:
    """The medians of every page, and the rules that cost it points."""
    heads = ["page", *(name.replace("-", " ") for name in CATEGORIES), *AUDITS.values(), "load"]
    about = (
        f"Medians of {result['repetitions']} runs each: scores of 100, seconds of the simulated "
        "phone, and the load of this machine, of two cores, when a run began."
    )
    rows = (_row(name, [*runs.values()]) for name, runs in result["runs"].items() if runs)
    lines = [*head(result, result["cpu"], about), *table(heads, rows)]
    every = [run for runs in result["runs"].values() for run in runs.values()]
    lost = {rule for run in every for rule in run["lost"]}
    if lost:
        lines += ["", f"Points were lost by {', '.join(sorted(lost))}."]
    return "\n".join(lines) + "\n"


def _row(name: str, runs: list[dict]) -> list[str]:
    scores = [f"{median(run['scores'][each] for run in runs):.0f}" for each in CATEGORIES]
    values = {each: median(run["values"][each] for run in runs) for each in AUDITS}
    shown = [
        f"{value:.3f}" if each == "cumulative-layout-shift" else f"{value / 1000:.1f}"
        for each, value in values.items()
    ]
    return [name, *scores, *shown, f"{median(run['load'] for run in runs):.1f}"]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--pages", nargs="+", help="such as book/index.html; otherwise all")
    words.add_argument("--result", type=Path, default=HERE / "lighthouse.json")
    given = words.parse_args()
    pages = given.pages or sorted(
        path.relative_to(SITE).as_posix() for path in SITE.glob("[!_]*/*.html")
    )
    name, _, number = PIN.rpartition("@")
    how = machine()
    how["versions"] |= {name: number}
    how |= {
        "command": " ".join(["python -m apparatus.benchmarks.lighthouse", *sys.argv[1:]]),
        "repetitions": given.rounds,
        "contestants": pages,
    }
    result = begun(given.result, how)
    with serving(SITE, Line()) as host:
        for turn in range(given.rounds):
            for page in pages:
                runs = result["runs"][page]
                if str(turn) not in runs:
                    runs[str(turn)] = measured(host + page)
                    write(given.result, result)
    given.result.with_suffix(".md").write_text(page(result), encoding="utf-8")
    print(page(result))


if __name__ == "__main__":
    main()
