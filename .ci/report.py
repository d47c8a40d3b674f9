"""Report what broke in the weekly run in one issue: opened, added to, and closed when all is well.

``make report``, in weekly.yml. RESULTS contains what the workflow knows about its jobs. Needs gh.
"""

import json
import os
import subprocess
import sys

LABEL = "weekly"
TITLE = "The course no longer runs everywhere"
MEANING = {
    "newest": "with the newest versions of all it stands on (`make newest`)",
    "colab": "in an environment like Colab's (`make try-colab`)",
    "binder": "as Binder builds it (`make try-binder`)",
    "lab": "in JupyterLab and Notebook 7, in a browser (`make try-lab`)",
    "wheel": "installed, with the oldest and the newest that it allows (`make try-wheel`)",
    "grading": "as coursework in nbgrader, Otter and stand-ins for others (`make try-grading`)",
    "processor": "with the arithmetic of an older processor (`make try-processor`)",
    "macos": "on macOS (`make quick`)",
    "windows": "on Windows (by the steps in README.md)",
    "gpu": "on a GPU (`make quick`, `make nbval`)",
}


def main() -> None:
    here, run = (os.environ.get(name, "") for name in ("GITHUB_REPOSITORY", "GITHUB_RUN_ID"))
    if not here or not run or "RESULTS" not in os.environ:
        sys.exit("GITHUB_REPOSITORY, GITHUB_RUN_ID and RESULTS are to be set: weekly.yml does")
    failed = broken(json.loads(os.environ["RESULTS"]))
    link = f"https://github.com/{here}/actions/runs/{run}"
    issue = open_issue(here)
    if failed:
        tell(here, issue, text(failed, link))
    elif issue:
        gh("issue", "close", issue, "--comment", f"All runs again: {link}", "--repo", here)
    print(f"broken: {', '.join(failed)}" if failed else "all runs")


def broken(results: dict[str, dict]) -> list[str]:
    """The jobs that did not succeed; one that ran out of time counts as cancelled.

    One that is skipped is switched off, as that of the GPU is at first.
    """
    fine = ("success", "skipped")
    return sorted(job for job, outcome in results.items() if outcome["result"] not in fine)


def text(failed: list[str], link: str) -> str:
    lines = [f"- {MEANING.get(job, job)}" for job in failed]
    return "\n".join(["It does not run", "", *lines, "", f"What was said: {link}"])


def open_issue(here: str) -> str:
    """The number of the open issue about this, or nothing."""
    options = ("--label", LABEL, "--state", "open", "--limit", "1", "--json", "number")
    issues = json.loads(gh("issue", "list", *options, "--repo", here))
    return str(issues[0]["number"]) if issues else ""


def tell(here: str, issue: str, body: str) -> None:
    if issue:
        gh("issue", "comment", issue, "--body", body, "--repo", here)
        return
    why = "found by the weekly run"
    gh("label", "create", LABEL, "--description", why, "--force", "--repo", here)
    gh("issue", "create", "--title", TITLE, "--label", LABEL, "--body", body, "--repo", here)


def gh(*arguments: str) -> str:
    command = ["gh", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
