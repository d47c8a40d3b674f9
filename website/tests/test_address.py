"""One address, set in one place: all that is derived agrees, and a bad one changes nothing."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from making import ROOT

from attn_book import address

VERSION = "2.3.4"
ADA = address.Address("ada/attention", "https://ada.github.io/attention/", f"v{VERSION}")
PACKAGE = "attn_course/__init__.py"


def raise_version(project: Path, version: str) -> None:
    """As a maintainer does before a release: in one place."""
    path = project / "pyproject.toml"
    text = path.read_text("utf-8")
    assert text.count('\nversion = "') == 1
    path.write_text(re.sub(r'\nversion = ".*"', f'\nversion = "{version}"', text), "utf-8")


@pytest.fixture
def project(tmp_path):
    """A copy of the files that contain the address or the version, which is a made-up one."""
    (tmp_path / "attn_course").mkdir()
    (tmp_path / ".github" / "ISSUE_TEMPLATE").mkdir(parents=True)
    for name in (address._FORMS, "pyproject.toml", "CITATION.cff", "README.md", PACKAGE):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(
        ROOT / "chapters", tmp_path / "chapters", ignore=shutil.ignore_patterns(".*", "__pycache__")
    )
    raise_version(tmp_path, VERSION)
    address.main(["none", "--root", str(tmp_path)])
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def test_every_file_agrees_with_the_one_place():
    wanted = address.derived(ROOT, address.read(ROOT))
    wrong = [path.name for path, text in wanted.items() if path.read_text("utf-8") != text]
    assert wrong == [], "run `make address` again"


@pytest.mark.parametrize("folder", ["attn_course", "book", "website"])
def test_no_address_is_written_by_hand(folder):
    """GitHub repositories and sites are named only where they are derived, or as the example."""
    hand = re.compile(r"github\.com/(?!ada/)[\w-]+/[\w.-]+|(?<!ada)\.github\.io")
    deriving = Path(address.__file__)
    for path in (ROOT / folder).rglob("*.*"):
        if path.suffix in {".py", ".md", ".js", ".html", ".css"} and path != deriving:
            assert not hand.search(path.read_text("utf-8")), path


def test_setting_it_and_taking_it_away_leaves_all_as_it_was(project, capsys):
    before = texts(project)
    address.main(["--root", str(project), "--", "ada/attention", ""])
    assert "changed README.md" in capsys.readouterr().out
    assert address.read(project) == ADA
    after = texts(project)
    assert set(after) == set(before)
    changed = {name for name in after if after[name] != before[name]}
    assert changed >= {"pyproject.toml", "CITATION.cff", "README.md"}
    assert "chapters/01-fixed-context.ipynb" in changed
    address.main(["bob/book", "https://read.example/here", "--root", str(project)])
    assert address.read(project).site == "https://read.example/here/"
    assert "ada" not in "".join(texts(project)[name] for name in ("CITATION.cff", "README.md"))
    address.main(["none", "--root", str(project)])
    assert texts(project) == before


@pytest.mark.parametrize("site", ["https://read.example/here/", ""])
def test_a_new_version_is_followed_at_the_same_address_and_without_one(project, site):
    address.main([*(["ada/attention", site] if site else ["none"]), "--root", str(project)])
    raise_version(project, "7.3.0")
    address.main([*([] if site else ["none"]), "--root", str(project)])
    expected = address.Address("ada/attention", site, "v7.3.0") if site else None
    assert address.read(project) == expected
    assert yaml.safe_load((project / "CITATION.cff").read_text("utf-8"))["version"] == "7.3.0"
    chapter = (project / "chapters" / "01-fixed-context.ipynb").read_text("utf-8")
    assert ("v7.3.0.zip" in chapter) == bool(site)
    assert '\n__version__ = "7.3.0"\n' in (project / PACKAGE).read_text("utf-8")


def test_the_newest_of_what_changed_is_the_version_with_the_day_of_its_release():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert f'\nversion = "{cited["version"]}"\n' in (ROOT / "pyproject.toml").read_text("utf-8")
    versions = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    released = [version for version in versions if version != "Unreleased"]
    assert versions[-len(released) :] == released, "what is not released yet comes first"
    assert released[0] == f"{cited['version']} ({cited['date-released']})"


def test_a_chapter_opened_alone_installs_the_release_that_it_belongs_to(project):
    address.main(["ada/attention", "--root", str(project)])
    for path in (project / "chapters").glob("*.ipynb"):
        title, second, *_ = json.loads(path.read_text("utf-8"))["cells"]
        assert title["source"][0].startswith("# "), "a notebook begins with its title"
        assert second["id"] == "install"
        assert second["metadata"]["tags"] == ["remove-cell"]
        code = "".join(second["source"])
        archive = f"https://github.com/ada/attention/archive/refs/tags/v{VERSION}.zip"
        assert f'course = "{archive}"' in code
        assert '"attn-course[tasks,views] @ {course}"' in code
        for room in ("laboratory", "classroom", "command"):
            assert f"@ {{course}}#subdirectory={room}" in code
        assert code.index("find_spec") < code.index("%pip")


def test_the_readme_of_an_address_needs_no_file_beside_it(project):
    address.main(["ada/attention", "--root", str(project)])
    readme = (project / "README.md").read_text("utf-8")
    targets = re.findall(r"\]\((.*?)\)", readme)
    assert all(target.startswith("https://") for target in targets)
    for target in (
        "https://ada.github.io/attention/",
        "https://ada.github.io/attention/chapters/02-softmax.html",
        "https://ada.github.io/attention/book/teach.html",
        f"https://github.com/ada/attention/blob/v{VERSION}/LICENSE-CC-BY-4.0",
        f"https://raw.githubusercontent.com/ada/attention/v{VERSION}/website/date-reader.webp",
        ADA.colab("chapters/a-searching.ipynb"),
        ADA.binder("chapters/13-capstone.ipynb"),
    ):
        assert target in targets
    address.main(["--root", str(project)])
    assert (project / "README.md").read_text("utf-8") == readme, "done twice, it is the same"
    assert re.search(rf"pip install .*attn-own @ {re.escape(ADA.archive)}#sub", readme)
    forms = yaml.safe_load((project / address._FORMS).read_text("utf-8"))
    assert forms["contact_links"][0]["url"] == ADA.site
    raise_version(project, "7.3.0")
    address.main(["--root", str(project)])
    later = (project / "README.md").read_text("utf-8")
    assert later == readme.replace(f"v{VERSION}", "v7.3.0")


LINKS = {
    "[x](02-softmax.ipynb)": "[x](https://ada.github.io/attention/chapters/02-softmax.html)",
    "[x](../book/notation.md)": "[x](https://ada.github.io/attention/book/notation.html)",
    "[x](../book/a.md#b2014), [y](c.ipynb#d)": "[x](https://ada.github.io/attention/book/a.html"
    "#b2014), [y](https://ada.github.io/attention/chapters/c.html#d)",
}


@pytest.mark.parametrize("files", LINKS)
def test_links_of_a_chapter_lead_to_the_site_and_back(files):
    assert address.to_site(files, ADA) == LINKS[files]
    assert address.to_files(LINKS[files], ADA) == files
    assert address.to_site(files, None) == address.to_files(files, None) == files


@pytest.mark.parametrize(
    "link", ["https://doi.org/1.ipynb", "#here", "../LICENSE", "a.png", "x.md"]
)
def test_other_links_of_a_chapter_stay(link):
    text = f"[x]({link})"
    assert address.to_site(text, ADA) == address.to_files(text, ADA) == text


def test_no_chapter_leads_to_another_site_of_the_course():
    """As it would after a merge from a copy with an address of its own."""
    own = address.read(ROOT)
    links = re.findall(r"\]\((https?:[^)]*?)((?:book|chapters)/[\w-]+)\.html[#)]", prose(ROOT))
    files = {path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("*/*.*")}
    assert {site for site, page in links if page in files} <= ({own.site} if own else set())


def prose(project) -> str:
    notebooks = [json.loads(path.read_text("utf-8")) for path in project.glob("chapters/*.ipynb")]
    cells = [cell for notebook in notebooks for cell in notebook["cells"]]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_a_chapter_opened_alone_has_no_link_to_a_file_beside_it(project):
    beside = re.compile(r"\]\((?!https?:|#)[^)]*\)")
    assert len(beside.findall(prose(project))) > 20
    for site in ("https://ada.github.io/attention/", "https://read.example/here/"):
        address.main(["ada/attention", site, "--root", str(project)])
        assert not beside.findall(prose(project))
        assert prose(project).count(f"]({site}") > 20
    assert "ada.github.io" not in prose(project)


@pytest.mark.parametrize(
    ("repository", "site", "words"),
    [
        ("", "", "REPO must be .* got ''"),
        ("ada", "", "REPO must be .* got 'ada'"),
        *((wrong, "", "REPO must be") for wrong in ("ada/", "-ada/x", "a b/x", "ada/x;rm")),
        ("https://github.com/ada/x", "", "REPO must be"),
        ("ada/x", "ada.github.io", "SITE must be .* got 'ada.github.io/'"),
        ("ada/x", "ftp://ada", "SITE must be"),
        *(("ada/x", f"https://ada.io/{end}", "SITE must be") for end in ("?q=1", "a b", '"')),
    ],
)
def test_nonsense_says_what_is_expected_and_changes_nothing(project, repository, site, words):
    before = texts(project)
    with pytest.raises(SystemExit, match=f"{words}.*Nothing was changed"):
        address.main(["--root", str(project), "--", repository, site])
    assert texts(project) == before


def test_the_usual_site_is_that_of_pages():
    assert address.usual_site("Ada/attention") == "https://ada.github.io/attention/"
    assert address.usual_site("Ada/ada.github.io") == "https://ada.github.io/"


def test_links_are_quoted():
    assert ADA.colab("chapters/01-x.ipynb") == (
        "https://colab.research.google.com/github/ada/attention/blob/v2.3.4/chapters/01-x.ipynb"
    )
    assert ADA.binder("chapters/01 x.ipynb").endswith(
        "v2.3.4?urlpath=lab%2Ftree%2Fchapters%2F01+x.ipynb"
    )
    assert ADA.issue("a & b", "c\nd").endswith("title=a+%26+b&body=c%0Ad")
