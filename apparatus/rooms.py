"""What each room holds, and which room imports which: ``python -m apparatus.rooms``.

Lines are those that are not blank; the tests of all rooms count as one room. The command ends with
1 if a room has more lines than rooms.toml allows, or imports from its own floor or a higher one.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT, TABLE = Path(__file__).resolve().parents[1], Path(__file__).with_suffix(".toml")
KINDS = {"Python": ["*.py"], "JS and CSS": ["*.js", "*.css"]}
FLOOR = {"textbook": 0, "views": 1, "laboratory": 2, "classroom": 2, "command": 2}
FLOOR |= {"website": 3, "apparatus": 4}
SITE = "address|archive|browser|build|head_maps|language_page|model|picture|reading|serve|slides"
PLACES = {  # the first that a path begins with, as files lie now and as they lay in one package
    "tests": "(.*/)?(tests/|conftest)",
    "views": "attn_course/(views|widgets|diagrams|plots|palette|source|canvas_pictures)",
    "laboratory": "(laboratory/)?attn_lab|attn_course/experiments",
    "classroom": "classroom/|attn_class|specimens|attn_course/(classroom|exercises|grading)"
    "|coursework|tools/coursework",
    "command": "(command/)?attn_own|attn_course/(capstone|__main__)",
    "website": f"website/|attn_book|book/|tools/({SITE}|small_book|widgets_harness)",
    "textbook": "attn_course",
    "apparatus": "apparatus|benchmarks|tools|[.]ci/",
}
IMPORT = re.compile(r"\s*(?:from (\S+) import (\w+)|import (\S+))")
Arrows = set[tuple[str, str]]


def room_of(path: str) -> str:
    return next((room for room, start in PLACES.items() if re.match(start, path)), "elsewhere")


def lines(commit: str, kind: str, *options: str) -> list[list[str]]:
    """The paths of files of this kind, new ones too, each with what git grep says of it."""
    before, after = ([], [commit]) if commit else (["--untracked"], [])
    command = ["git", "grep", "-E", *before, *options, *after, "--", *KINDS[kind]]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [line.removeprefix(f"{commit}:").split(":", 1) for line in output.splitlines()]


def counted(commit: str) -> tuple[Counter[tuple[str, str]], Arrows]:
    """Files and lines by room and kind, and the pairs of which the first imports the second."""
    numbers, arrows = Counter[tuple[str, str]](), Arrows()
    for kind in KINDS:
        for path, number in lines(commit, kind, "-c", "[^[:space:]]"):
            numbers[room_of(path), "files"] += 1
            numbers[room_of(path), kind] += int(number)
    for path, text in lines(commit, "Python", r"^\s*(from|import) "):
        if match := IMPORT.match(text):
            name = f"{match[1]}.{match[2]}" if match[1] else match[3]
            arrows.add((room_of(path), room_of(name.replace(".", "/"))))
    return numbers, {pair for pair in arrows if len({*pair}) == 2 and {*pair} <= {*FLOOR}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--than", metavar="COMMIT", help="the numbers of a commit before today's")
    parser.add_argument("--lower", action="store_true", help="lower what may be to what there is")
    options = parser.parse_args()
    columns = [counted(commit) for commit in (options.than, "") if commit is not None]
    numbers, arrows = columns[-1]
    text = TABLE.read_text("utf-8")
    wrong = []
    print("| room | files | Python | at most | in the end | JS and CSS | at most | in the end |")
    print("|---|" + "---:|" * 7)
    for room, limits in tomllib.loads(text).items():
        cells, now = [" → ".join(f"{counts[room, 'files']}" for counts, _ in columns)], []
        for kind, most, end in zip(KINDS, limits[::2], limits[1::2], strict=True):
            cells += [" → ".join(f"{counts[room, kind]:,}" for counts, _ in columns), most, end]
            now += [min(most, numbers[room, kind]), end]
            if numbers[room, kind] > most:
                wrong.append(
                    f"{room}: {numbers[room, kind]} lines of {kind}; {TABLE.name} allows {most}"
                )
        print(f"| {room} |", " | ".join(map(str, cells)), "|")
        text = text.replace(f"{room} = {limits}", f"{room} = {now}")
    for kind in KINDS:
        sums = (sum(counts[room, kind] for room in PLACES) for counts, _ in columns)
        print(f"all {kind}:", *sums)
    print("imports:", ", ".join(f"{one} from {other}" for one, other in sorted(arrows)))
    up = [pair for pair in sorted(arrows) if FLOOR[pair[0]] <= FLOOR[pair[1]]]
    wrong += [f"{one} imports from {other}; expected a lower floor" for one, other in up]
    if options.lower:
        TABLE.write_text(text, "utf-8")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
