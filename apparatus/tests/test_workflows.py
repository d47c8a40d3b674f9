"""The workflows: their permissions, that they only call make, and what their scripts decide."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(path: Path) -> dict:
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    flow["on"] = flow.pop(True)  # YAML 1.1 reads `on` as true
    return flow


def steps(flow: dict) -> list[dict]:
    return [step for job in flow["jobs"].values() for step in job.get("steps", [])]


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.stem)
def flow(request) -> dict:
    return read(request.param)


def test_all_four_are_here():
    assert [path.stem for path in WORKFLOWS] == ["publish", "release", "tests", "weekly"]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))


def test_a_step_calls_a_make_target_that_exists(flow):
    targets = make_targets()
    without_make = steps({"jobs": {"windows": flow["jobs"].get("windows", {})}})
    for step in steps(flow):
        if "run" in step and step not in without_make:
            assert re.fullmatch(r"make ([a-z-]+)", step["run"]), step["run"]
            assert step["run"].removeprefix("make ") in targets, step["run"]


def test_windows_is_tried_by_the_steps_of_the_readme():
    flow = read(ROOT / ".github" / "workflows" / "weekly.yml")
    readme = (ROOT / "README.md").read_text("utf-8")
    *prepared, tested = [step["run"] for step in flow["jobs"]["windows"]["steps"] if "run" in step]
    assert all(f"\n{command}\n" in readme for command in prepared)
    assert "pytest" in tested


def test_the_page_for_teachers_names_what_exists():
    page = (ROOT / "book" / "publish.md").read_text("utf-8")
    named = set(re.findall(r"(?:^ *|`)make ([a-z-]+)", page, re.M))
    assert len(named) > 8
    assert named <= make_targets()
    for path in WORKFLOWS:
        assert path.stem == "release" or f"*{path.stem}*" in page, path.stem


def test_one_action_has_one_commit_everywhere():
    lines = re.findall(
        r"uses: (actions/\S+ # \S+)", "".join(p.read_text("utf-8") for p in WORKFLOWS)
    )
    pins = dict(line.split("@") for line in lines)
    assert {f"{action}@{pin}" for action, pin in pins.items()} == set(lines)


def test_every_job_has_an_end(flow):
    for name, job in flow["jobs"].items():
        assert "timeout-minutes" in job or "uses" in job, name


def test_what_may_write_installs_nothing(flow):
    for name, job in flow["jobs"].items():
        if "write" in job["permissions"].values():
            ran = {step["run"] for step in job.get("steps", []) if "run" in step}
            assert ran <= {"make release", "make report"}, name


def test_a_pull_request_sees_no_secret_and_writes_nothing():
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert not [word for word in ("secrets.", "token", "write") if word in text]


# ---- the scripts, with a made-up repository and a gh that writes down what it is asked


class Repository:
    def __init__(self, root: Path):
        self.root = root / "a clone"
        self.root.mkdir()
        self.calls = root / "calls"
        self.answers = root / "answers"
        self.answers.mkdir()
        tools = root / "tools"
        tools.mkdir()
        (tools / "gh").write_text(
            f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{self.calls}'\n"
            f'cat \'{self.answers}/\'"$1-$2" 2> /dev/null || [ "$1-$2" != release-view ]\n'
        )
        (tools / "gh").chmod(0o755)
        self.environment = {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_REPOSITORY": "ada/attention",
            "GITHUB_OUTPUT": str(root / "output"),
            "GITHUB_SHA": "c0ffee",
            "GITHUB_RUN_ID": "17",
        }
        self.output = root / "output"
        self.git("init", "--quiet")
        self.write(version="0.1.0", address="ada/attention")

    def git(self, *arguments: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "tag.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True)

    def write(self, version: str, address: str = "", **files: str) -> None:
        urls = f'[project.urls]\nRepository = "https://github.com/{address}"\n' if address else ""
        files["pyproject.toml"] = f'[project]\nversion = "{version}"\n{urls}'
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")

    def run(self, script: str, *arguments: str, **environment: str):
        return subprocess.run(
            [sys.executable, ROOT / ".ci" / script, *arguments],
            cwd=self.root,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
        )

    def gh(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def repository(tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is missing")
    return Repository(tmp_path)


def due(repository: Repository) -> tuple[str, str]:
    process = repository.run("release.py", "due")
    assert process.returncode == 0, process.stderr
    return repository.output.read_text().splitlines()[-1], process.stdout


def test_a_version_without_a_tag_is_to_be_released(repository):
    assert due(repository)[0] == "due=true"
    repository.git("tag", "v0.1.0")
    assert due(repository) == ("due=false", "due=false\n")
    repository.write(version="0.2.0", address="ada/attention")
    assert due(repository)[0] == "due=true"


@pytest.mark.parametrize(
    ("address", "words"), [("", "is not set"), ("bob/attention", "is that of bob/attention")]
)
def test_no_release_before_the_address_is_that_of_the_repository(repository, address, words):
    repository.write(version="0.1.0", address=address)
    line, output = due(repository)
    assert line == "due=false"
    assert words in output
    assert "make address REPO=ada/attention" in output


def test_a_change_after_the_release_is_reported(repository):
    repository.git("tag", "v0.1.0")
    repository.write("0.1.0", "ada/attention", **{"book/page.md": "prose alone"})
    assert "Raise the version" not in due(repository)[1]
    repository.write("0.1.0", "ada/attention", **{"chapters/01.ipynb": "{}"})
    line, output = due(repository)
    assert line == "due=false"
    assert "Raise the version" in output


FILES = {"dist/a.whl": "w", "dist/a.tar.gz": "t", "dist/a.zip": "z"}


def test_a_release_brings_all_three_files(repository):
    repository.write("0.1.0", "ada/attention", **FILES)
    process = repository.run("release.py", "make")
    assert process.returncode == 0, process.stderr
    view, create = repository.gh()
    assert view == "release view v0.1.0 --repo ada/attention"
    assert create.startswith("release create v0.1.0 dist/a.tar.gz dist/a.whl dist/a.zip --target")
    assert "--target c0ffee " in create


def test_a_release_that_was_begun_gets_its_files(repository):
    repository.write("0.1.0", "ada/attention", **FILES)
    (repository.answers / "release-view").write_text("v0.1.0")
    repository.run("release.py", "make")
    assert repository.gh()[-1].startswith("release upload v0.1.0 dist/a.tar.gz")


@pytest.mark.parametrize("lacking", FILES)
def test_a_release_that_lacks_a_file_is_none(repository, lacking):
    repository.write("0.1.0", "ada/attention", **{k: v for k, v in FILES.items() if k != lacking})
    process = repository.run("release.py", "make")
    assert process.returncode != 0
    assert f"no {lacking.removeprefix('dist/a')}:" in process.stderr
    assert repository.gh() == []


def test_a_tag_that_is_not_the_version_releases_nothing(repository):
    repository.write("0.1.0", "ada/attention", **FILES)
    process = repository.run("release.py", "make", GITHUB_REF_TYPE="tag", GITHUB_REF_NAME="v9")
    assert process.returncode != 0
    assert "The tag is v9, but pyproject.toml makes it v0.1.0" in process.stderr
    assert repository.gh() == []


def test_every_weekly_job_is_awaited_and_has_its_words():
    jobs = read(ROOT / ".github" / "workflows" / "weekly.yml")["jobs"]
    checks = set(jobs) - {"report"}
    assert set(jobs["report"]["needs"]) == checks
    words = (ROOT / ".ci" / "report.py").read_text("utf-8")
    assert [name for name in checks if f'"{name}": ' not in words] == []


ISSUE = [{"number": 5}]
LINK = "https://github.com/ada/attention/actions/runs/17"
REPORTS = {  # the issues that are open, how the jobs ended, and what gh is asked to do
    "the first fault opens an issue": (
        *([], {"newest": "failure", "colab": "success"}),
        ["label create weekly", "issue create --title", "make newest", LINK],
    ),
    "out of time is a fault": ([], {"newest": "cancelled"}, ["issue create --title", LINK]),
    "the next one adds to it": (ISSUE, {"newest": "failure"}, ["issue comment 5", LINK]),
    "all is well, and none is open": ([], {"newest": "success", "gpu": "skipped"}, []),
    "all is well again": (ISSUE, {"newest": "success"}, ["issue close 5"]),
}


@pytest.mark.parametrize(("issues", "results", "expected"), REPORTS.values(), ids=REPORTS)
def test_the_weekly_report(repository, issues, results, expected):
    (repository.answers / "issue-list").write_text(json.dumps(issues))
    jobs = {job: {"result": result, "outputs": {}} for job, result in results.items()}
    process = repository.run("report.py", RESULTS=json.dumps(jobs))
    assert process.returncode == 0, process.stderr
    text = "\n".join(repository.gh()[1:])
    assert [phrase for phrase in expected if phrase not in text] == []
    assert expected or not text
    assert "make try-colab" not in text


def test_a_report_outside_of_a_workflow_says_what_it_needs(repository):
    process = repository.run("report.py")
    assert process.returncode != 0
    assert "RESULTS" in process.stderr
