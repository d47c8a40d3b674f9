"""Formulas have fewer elements than KaTeX writes, and look the same."""

import json
import re
import subprocess
from html import unescape

from listing import ROOT
from sweeps import every

from attn_book.site import katex
from attn_book.site.node import node, package

AS_KATEX_WRITES = """
const katex = require(process.argv[1]);
const formulas = JSON.parse(require("node:fs").readFileSync(0));
const html = ([latex, displayMode]) =>
  katex.renderToString(latex, { displayMode, trust: true, strict: false });
console.log(JSON.stringify(formulas.map(html)));
"""
PLACES = """(paragraph) => {
  const from = paragraph.getBoundingClientRect(), places = [from.height];
  for (const formula of paragraph.querySelectorAll(".katex-html")) {
    const letters = document.createTreeWalker(formula, NodeFilter.SHOW_TEXT);
    while (letters.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(letters.currentNode);
      const { x, y, width, height } = range.getBoundingClientRect();
      if (width) places.push(x - from.x, y - from.y, width, height);
    }
  }
  return places;
}"""
MOST = 0.05  # px; Chromium counts in sixty-fourths


def test_each_formula_of_the_book_looks_as_katex_sets_it(folder, browser, tmp_path):
    raw = "".join(path.read_text("utf-8") for path in folder.with_name("raw").rglob("*.html"))
    matches = katex._PLACE.finditer(raw)
    formulas = sorted({(unescape(match[2]), match[1] == "true") for match in matches})
    assert len(formulas) > 300
    formulas = every(3, formulas)
    inputs = [(display, latex) for latex, display in formulas]
    ours = katex.typeset(inputs, ROOT, "the pages")
    request = json.dumps([[katex.coloured(latex), display] for latex, display in formulas])
    command = [node(), "-e", AS_KATEX_WRITES, package(ROOT, "katex")]
    plain = json.loads(subprocess.check_output(command, input=request, encoding="utf-8"))

    style = (
        f'<link rel="stylesheet" href="{(package(ROOT, "katex") / "dist/katex.min.css").as_uri()}">'
    )
    places = []
    for version in (plain, ours):
        page = tmp_path / "formulas.html"
        lines = (f"<p>so {one}</p>" for one in version)
        page.write_text(f"<!doctype html><meta charset=utf-8>{style}{''.join(lines)}", "utf-8")
        view = browser.new_page(viewport={"width": 3000, "height": 800})
        view.goto(page.as_uri())
        view.evaluate("document.fonts.ready")
        places.append([one.evaluate(PLACES) for one in view.query_selector_all("p")])
        view.close()
    for formula, one, other in zip(formulas, *places, strict=True):
        assert len(one) == len(other), formula
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < MOST, formula
    elements = [len(re.findall("<[a-z]", "".join(version))) for version in (plain, ours)]
    assert elements[1] < 0.75 * elements[0]
