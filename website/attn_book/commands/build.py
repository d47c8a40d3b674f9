"""Build the book: ``python -m attn_book.commands.build`` writes it to ``_build/html``.

The build is strict: after a warning, a reference that leads nowhere, a chapter that fails or a
claim that is false, it fails and leaves the last complete site as it was.
"""

import argparse
import gc
import sys
from contextlib import contextmanager
from pathlib import Path

from attn_book import whole
from attn_book.address import read

ROOT = Path(__file__).resolve().parents[3]
STRICT = ("--warningiserror", "--nitpick", "--keep-going")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m attn_book.commands.build", description=__doc__)
    parser.add_argument("--quiet", action="store_true", help="print only what is wrong")
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="the book's folder")
    wanted = parser.parse_args(arguments)

    root, quiet = wanted.root.resolve(), ["--quiet"] if wanted.quiet else []
    if not quiet:
        say_where_it_will_stand(root)
    with one_at_a_time(root / "_build"):
        read = whole.read_by_a_build(root)
        if whole.is_whole(root, read):
            if not quiet:
                print("Nothing that the book is made of has changed since it was built.")
            return
        whole.means_at_first(root)  # before most of it is imported
        whole.forget(root)
        build([str(root), *STRICT, *quiet])
        whole.leave(root, read)


def build(arguments: list[str]) -> None:
    leave_out_grammars()
    gc.disable()  # in so short a process, garbage collection would take a fifth of the time
    from jupyter_book.cli.main import main as jupyter_book

    try:
        jupyter_book(["build", *arguments], standalone_mode=False)
    except RuntimeError:  # Sphinx has said what is wrong; a traceback would not help
        sys.exit("The book was not built; see above for the reason.")


def leave_out_grammars() -> None:
    """Spare jsonschema a check of international addresses, which nothing here needs.

    JupyterLab installs the package for it, which compiles 38 grammars as soon as it is imported.
    That is a third of the time that a build takes to start.
    """
    sys.modules.setdefault("rfc3987_syntax", None)


def say_where_it_will_stand(root: Path) -> None:
    """Say why a book that is built without an address has no launch buttons."""
    address = read(root)
    if address is None:
        print("No address is set, so no launch buttons: make address REPO=owner/name")
    else:
        print(f"For {address.site}, out of {address.github} at {address.tag}")


@contextmanager
def one_at_a_time(folder: Path):
    """Wait for a build of the same book that is already running."""
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    main()
