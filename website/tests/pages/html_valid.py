"""Check HTML with html-validate; the rules are in html-validate.config.mjs."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from listing import ROOT

from attn_book.site.node import node

PROGRAM = ROOT / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
CONFIG = Path(__file__).with_name("html-validate.config.mjs")


def faults(pages: Iterable[Path]) -> str:
    """One line per fault. One process checks all pages, since it takes long to start."""
    if not PROGRAM.exists():
        pytest.fail("html-validate is missing: run `npm ci` (`make test` does)")
    command = [node(), PROGRAM, "--config", CONFIG, "--formatter", "text", *pages]
    process = subprocess.run(command, capture_output=True, encoding="utf-8")
    if process.stderr or process.returncode not in (0, 1):
        pytest.fail(f"html-validate did not run: {process.stderr or process.stdout}")
    if process.returncode and not process.stdout.strip():
        pytest.fail("html-validate found faults and named none")
    return process.stdout.strip()
