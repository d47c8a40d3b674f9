"""The book's Sphinx extension: widgets, the policy, and builds that were interrupted."""

import base64
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from making import ROOT, make_page
from sphinx.errors import ExtensionError

from attn_book import publish
from attn_book.head import loading, policy
from attn_book.notebooks import build
from attn_book.site import folder as site
from attn_book.site import katex, page, theme
from attn_book.widgets import directives
from attn_book.widgets import install as widgets
from attn_course.views import palette

MODULE = "export default { render({ model, el }) { el.textContent = model.get('text'); } };"


def any_widget(name="Reader", module=MODULE, buffers=(), **traits) -> dict:
    state = {"_esm": module, "_css": ".reader { color: red }", "layout": "IPY_MODEL_l", **traits}
    state["_anywidget_id"] = f"made_up.widgets.{name}"
    arrays = [
        {"path": [key], "encoding": "base64", "data": base64.b64encode(data).decode()}
        for key, data in buffers
    ]
    kind = {"model_name": "AnyModel", "model_module": "anywidget"}
    return kind | {"state": state, "buffers": arrays}


LAYOUT = {"model_name": "LayoutModel", "model_module": "@jupyter-widgets/base", "state": {}}
SLIDER = {"model_name": "IntSliderModel", "model_module": "@jupyter-widgets/controls"}
SLIDER |= {"state": {"value": 3}}


@pytest.fixture
def target(tmp_path) -> site.Site:
    raw, folder = tmp_path / "raw", tmp_path / "html"
    raw.mkdir()
    folder.mkdir()
    return site.Site(ROOT, raw, folder)


# ---- which widgets may be shown


def test_an_anywidget_may_be_shown_beside_models_that_are_not():
    widgets.refuse_plain(
        make_page(models={"a": any_widget(), "l": LAYOUT, "s": SLIDER}, views=["a"])
    )


@pytest.mark.parametrize(
    ("models", "message"),
    [({"s": SLIDER}, r"chapters/01-x shows IntSliderModel.*no kernel"), ({}, "closed")],
)
def test_a_widget_that_needs_a_kernel_or_has_no_state_is_refused_with_its_reason(models, message):
    with pytest.raises(ExtensionError, match=message):
        widgets.refuse_plain(make_page(models={"a": any_widget(), **models}, views=["a", "s"]))


# ---- widgets of a chapter on another page


def borrower(widget="Reader", chapter="01-x", traits="") -> page.Page:
    directive = directives.ChapterWidget.__new__(directives.ChapterWidget)
    directive.arguments, directive.content = [chapter, widget], traits.splitlines()
    (place,) = directive.run()
    return make_page(body=place.astext(), name="book/index")


def test_a_page_borrows_the_first_widget_of_that_class():
    models = {"v": any_widget("Viewer"), "a": any_widget(text="1"), "b": any_widget(text="2")}
    chapter, front = make_page(models=models, views=["v", "a", "b"]), borrower()
    widgets.borrow(front, {"chapters/01-x": chapter, "book/index": front})
    assert [key for _, key in widgets.displayed(front)] == ["a"]
    assert set(widgets.models(front)) == {"a"}
    assert set(widgets.models(chapter)) == set(models)


def test_a_page_that_borrows_may_set_traits_which_the_chapter_keeps():
    chapter = make_page(models={"a": any_widget(text="1", view="map")}, views=["a"])
    front = borrower(traits='view: "<arcs>"')
    widgets.borrow(front, {"chapters/01-x": chapter, "book/index": front})
    assert widgets.models(front)["a"]["state"]["view"] == "<arcs>"
    assert widgets.models(front)["a"]["state"]["text"] == "1"
    assert widgets.models(chapter)["a"]["state"]["view"] == "map"
    with pytest.raises(ExtensionError, match=r"sets \['veiw'\], which no Reader has"):
        widgets.borrow(borrower(traits="veiw: arcs"), {"chapters/01-x": chapter})


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({"a": any_widget("Viewer")}, "shows no Reader to borrow; it shows Viewer"),
        ({}, "no widget at all"),
        (None, "chapters/01-x, which is not a page"),
    ],
)
def test_a_widget_that_is_not_there_cannot_be_borrowed(models, message):
    pages = {} if models is None else {"chapters/01-x": make_page(models=models, views=models)}
    with pytest.raises(ExtensionError, match=message):
        widgets.borrow(borrower(), pages)


# ---- code and weights as files


def test_code_and_large_arrays_move_out_of_the_page(target):
    large, small = bytes(range(256)) * 50, b"\x00\x01\x02"
    model = any_widget(text="hello", buffers=[("weights", large), ("bits", small)])
    chapter = make_page(models={"a": model, "b": any_widget(), "l": LAYOUT}, views=["a", "a", "b"])
    widgets.install(chapter, target)
    chapter.head.write()

    state = widgets.models(chapter)
    assert set(state) == {"a", "b"}
    assert state["a"]["state"]["text"] == "hello"
    assert len(json.dumps(state)) < 1500
    key = state["a"]["state"]["_esm"]
    assert (target.folder / f"_static/widgets/{key}.js").read_text().count(
        "attnCourse.register"
    ) == 1
    weights, bits = state["a"]["buffers"]
    assert base64.b64decode(bits["data"]) == small
    stored = (target.folder / f"_static/widgets/{weights['file']}.bytes.js").read_text()
    assert base64.b64encode(large).decode() in stored

    scripts = [script["src"] for script in chapter.soup.find_all("script", src=True)]
    assert scripts[0] == "../_static/host.js"
    assert len(scripts) == len(set(scripts)) == 2
    assert len(chapter.soup.select("link[rel=stylesheet]")) == 1


def test_an_array_inside_a_list_waits_until_it_is_asked_for(target):
    large = bytes(range(256)) * 50
    model = any_widget(models=[{}, {}])
    model["buffers"] = [
        {"path": ["models", 1, "weights"], "data": base64.b64encode(large).decode()}
    ]
    chapter = make_page(models={"a": model}, views=["a"])
    widgets.install(chapter, target)
    chapter.head.write()

    (weights,) = widgets.models(chapter)["a"]["buffers"]
    assert weights["data"] == ""
    assert not chapter.soup.find_all("script", src=weights["address"])
    name = site.own_files(chapter.file, [weights["address"]])[0]
    stored = (target.folder / name).read_text()
    assert stored.startswith(f'window.attnCourse.bytes("{weights["file"]}"')
    assert base64.b64encode(large).decode() in stored


def test_the_palette_is_left_to_the_sheet_that_every_page_loads(target):
    model = any_widget()
    model["state"]["_css"] = f"{palette.css()}\n.reader {{ color: red }}"
    chapter = make_page(models={"a": model}, views=["a"])
    widgets.install(chapter, target)
    (sheet,) = (target.folder / "_static/widgets").glob("*.css")
    assert sheet.read_text().strip() == ".reader{color:red}"


def test_a_module_shared_by_two_pages_is_one_file(target):
    for name, text in (("chapters/01-x", "1"), ("chapters/02-y", "2")):
        widgets.install(
            make_page(models={"a": any_widget(text=text)}, views=["a"], name=name), target
        )
    assert len(list((target.folder / "_static/widgets").glob("*.js"))) == 1


def test_a_module_that_is_not_self_contained_is_refused(target):
    broken = any_widget(module="import './elsewhere.js'; export default {};")
    with pytest.raises(ExtensionError, match=r"(?s)module of Reader cannot.*elsewhere\.js"):
        widgets.install(make_page(models={"a": broken}, views=["a"]), target)


def test_a_place_holds_the_widget_s_summary_as_text(target):
    chapter = make_page(models={"a": any_widget(summary="1 < 2 </script>")}, views=["a"])
    widgets.install(chapter, target)
    again = page.Page(chapter.name, str(chapter.soup))
    assert (
        again.soup.select_one(".attn-widget[data-widget=Reader] p").get_text() == "1 < 2 </script>"
    )
    assert widgets.models(again)["a"]["state"]["summary"] == "1 < 2 </script>"


def test_a_page_without_widgets_loads_nothing_for_them(target):
    chapter = make_page()
    before = str(chapter.soup)
    widgets.install(chapter, target)
    assert str(chapter.soup) == before


# ---- scripts, addresses, markup


def test_stock_scripts_are_left_out_and_the_widgets_state_is_not():
    def script(filename=None, **attributes):
        return SimpleNamespace(filename=filename, attributes=attributes)

    dropped = [
        script("scripts/sphinx-book-theme.js?digest=1"),
        script(body="DOCUMENTATION_OPTIONS.pagename = 'x';"),
    ]
    remaining = [script("_static/book.js"), script(type=widgets.STATE, body='{"_esm": "toggle"}')]
    context = {"script_files": [*dropped, *remaining]}
    theme.leave_out(None, "", "", context, None)
    assert context["script_files"] == remaining


def test_data_in_a_script_and_a_link_to_another_host_are_allowed():
    link = '<a href="https://doi.org/10.1">paper</a>'
    policy.refuse_forbidden(make_page(models={"a": any_widget()}, views=["a"], body=link))


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ('<button onclick="print()">Print</button>', "onclick"),
        ('<img src="https://example.org/a.png">', "own host only"),
        ('<script src="//example.org/a.js"></script>', "own host only"),
        ('<link rel="stylesheet" href="http://example.org/a.css">', "own host only"),
        ("<script>let a = 1;</script>", "inline script.*'let a = 1;'"),
        ('<script type="module">import "./a.mjs";</script>', "inline script"),
        ('<script type="text/JavaScript">let a = 1;</script>', "inline script"),
        ('<script type="importmap">{}</script>', "inline script"),
        ('<script type="text/x-unheard-of">{}</script>', "inline script"),
    ],
)
def test_what_the_policy_forbids_fails_the_build(markup, message):
    with pytest.raises(ExtensionError, match=message):
        policy.refuse_forbidden(make_page(body=markup))


def test_no_browser_is_told_to_load_the_next_page_ahead_which_the_policy_forbids():
    chapter = make_page(head='<link rel="next" href="b.html"><link rel="prev" href="a.html">')
    policy.enforce(chapter)
    chapter.head.write()
    assert [link["rel"] for link in chapter.soup.find_all("link")] == [["prev"]]


def test_a_description_is_the_beginning_of_the_page_unless_its_author_wrote_one():
    chapter, own = make_page(), make_page(head='<meta name="description" content="own">')
    for one in (chapter, own):
        page.described(one)
        one.head.write()
    assert chapter.soup.find("meta", attrs={"name": "description"})["content"] == "First words."
    assert len(own.soup.find_all("meta", attrs={"name": "description"})) == 1


TITLE = '<p class="admonition-title">Show</p>'


@pytest.mark.parametrize(
    ("body", "summary"),
    [
        (f'<div class="admonition dropdown">{TITLE}<p>Add.</p></div>', "Show"),
        ("<details><summary><p>Show</p></summary><p>x</p></details>", "<span>Show</span>"),
    ],
)
def test_a_fold_needs_no_script_and_its_summary_holds_no_paragraph(body, summary):
    chapter = make_page(body=body)
    page.mend_markup(chapter)
    assert chapter.soup.select_one("details > summary").decode_contents() == summary


def test_files_that_a_page_leads_to_come_along_and_no_others(target):
    (target.raw / "_static").mkdir()
    (target.raw / "_static/a.js").write_text("")
    (target.raw / "_static/unused.js").write_text("")
    chapter = make_page(head='<script src="../_static/a.js?v=2"></script>')
    target.fetch(chapter.leads_to(), chapter.name)
    names = {path.name for path in target.folder.rglob("*") if path.is_file()}
    assert names == {"a.js"}


def test_a_link_that_leads_nowhere_fails_the_build(target):
    chapter = make_page(body='<a href="../book/gone.html">gone</a>')
    with pytest.raises(ExtensionError, match=r"chapters/01-x leads to book/gone\.html"):
        target.fetch(chapter.leads_to(), chapter.name)


# ---- what a page loads, and when


@pytest.fixture
def styled(target):
    static = target.raw / "_static"
    texts = {"a.css": '@import "b.css"; p { background: url(f.woff2) }', "f.woff2": "font"}
    texts |= {"b.css": "@font-face { src: url(gone.ttf) }", "gone.ttf": "font"}
    texts |= {"c.css": "p { color: red }"}
    for name in texts | dict.fromkeys(["early.js", "host.js", "x.js", "fonts/OFL.txt"], ""):
        (static / name).parent.mkdir(parents=True, exist_ok=True)
        (static / name).write_text(texts.get(name, ""))
    return target


def arranged(chapter, target) -> str:
    """The text of the page's joined style sheet."""
    loading.make_scripts_small(site.own_files(chapter.file, chapter.head.scripts), target)
    loading.arrange(chapter, SHEETS, loading.join(SHEETS, target))
    chapter.head.write()
    (sheet,) = (name for name in chapter.leads_to() if "/styles/" in name and ".css" in name)
    return " ".join((target.folder / sheet).read_text("utf-8").split())


SHEETS = ["_static/a.css", "_static/c.css"]
HEAD = """
<script src="../_static/early.js"></script>
<link rel="stylesheet" href="../_static/a.css?v=2">
<script src="../_static/x.js"></script>
"""


def test_sheets_are_joined_in_their_order_and_files_that_they_ask_for_lie_beside_them(styled):
    sheet = arranged(make_page(head=HEAD), styled)
    names = set(re.findall(r"url\(\W*([\w.-]+)", sheet))
    assert {Path(name).suffix for name in names} == {".ttf", ".woff2"}
    assert sheet.index("@font-face") < sheet.index("background") < sheet.index("color:red")
    assert all((styled.folder / "_static/styles" / name).read_text() == "font" for name in names)


def test_one_script_alone_is_waited_for_and_it_comes_first(styled):
    chapter = make_page(models={"a": any_widget()}, views=["a"], head=HEAD)
    widgets.install(chapter, styled)
    arranged(chapter, styled)
    head = chapter.soup.head.select("link[rel=stylesheet], script")
    waits = ["css" if tag.name == "link" else "defer" in tag.attrs for tag in head]
    assert waits == ["css", "css", False, True, True, True]
    assert head[2]["src"] == "../_static/early.js"
    assert "/styles/" in head[0]["href"]
    assert "/widgets/" in head[1]["href"]


def test_a_sheet_that_asks_for_a_file_that_is_not_there_fails_the_build(styled):
    (styled.raw / "_static/f.woff2").unlink()
    with pytest.raises(ExtensionError, match=r"cannot be joined:(?s:.*)f\.woff2"):
        arranged(make_page(head=HEAD), styled)


# ---- mathematics


ARROW = r"\overleftarrow{h}_{j+1}"


@pytest.mark.parametrize(
    ("latex", "coloured"),
    [
        ("c_i = h_j", r"\htmlClass{attn-is-context}{c_i} = \htmlClass{attn-is-source}{h_j}"),
        (r"\tanh(W_a s_{i-1})", r"\tanh(W_a \htmlClass{attn-is-target}{s_{i-1}})"),
        (ARROW, rf"\htmlClass{{attn-is-source}}{{{ARROW}}}"),
        *((other, other) for other in (r"e_{ij}", r"\alpha_{ij}", r"\mathbf{c}", r"\cs_x", "x")),
    ],
)
def test_symbols_of_the_notation_get_their_colour_and_others_stay(latex, coloured):
    assert katex.coloured(latex) == coloured


def test_formulas_in_outputs_are_set_and_the_text_round_them_stays_text():
    chapter = make_page(
        body=r'<div class="cell_output"><p>a &lt;i&gt; b, \(x^2\) &amp; \[y\]</p>'
        r"<pre>\(z\)</pre></div>"
    )
    katex.render_outputs(chapter.soup)
    output = BeautifulSoup(chapter.html(ROOT), "html.parser").select_one(".cell_output")
    assert len(output.p.select(".katex")) == 2
    assert len(output.p.select(".katex-display")) == 1
    assert output.p.get_text().startswith("a <i> b, ")
    assert output.pre.get_text() == r"\(z\)"


def test_marks_beside_a_formula_stay_on_its_line():
    chapter = make_page(
        body='<p>A point (<span class="math">x</span>), then <span class="math">y</span>!<b>?</b>'
        "</p>"
    )
    for span in chapter.soup.select("span.math"):
        latex = span.string
        span.clear()
        span.append(BeautifulSoup(katex.place(latex, display=False), "html.parser"))
    text = chapter.soup.select("p")[1].get_text()
    paragraph = BeautifulSoup(chapter.html(ROOT), "html.parser").select("p")[1]
    for formula in paragraph.select(".katex"):
        assert formula.annotation is None  # its TeX would only add to the page
        formula.string = formula.select_one(".katex-html").get_text()
    assert paragraph.get_text() == text
    assert [span.get_text() for span in paragraph.select("span.math")] == ["(x),", "y!"]


def test_drawings_come_back_as_they_were_and_what_is_asked_for_is_parsed():
    figure = '<figure class="attn-figure"><svg viewBox="0 0 1 1"><path d="{}"/></svg></figure>'
    inert = [figure.format(r"M0 \1 $h_j$"), figure.format('M1"/></svg><svg x="2"><path d="M2')]
    parsed = [figure.format('M0"/><a href="#x'), figure.format('M0" onload="x')]
    chapter = make_page(body="".join([*inert, *parsed, "<p>formulas</p>"]))
    html = chapter.html(ROOT)
    assert all(part in html for part in inert)
    assert "attn-sealed" not in html
    assert len(chapter.soup.select("svg")) == 2
    assert chapter.soup.select_one("svg a")["href"] == "#x"


def test_a_formula_that_cannot_be_set_is_a_fault():
    for wrong in (r"\frac{1", r"é_i"):
        with pytest.raises(
            ExtensionError, match=f"formula on a/page is none:\n{re.escape(wrong)}: "
        ):
            katex.typeset([(False, "x"), (False, wrong)], ROOT, "a/page")


@pytest.mark.parametrize(
    ("latex", "element", "children"),
    [
        (r"\alpha_{\max}", "msub", 2),
        (r"x^{\operatorname{softmax}}", "msup", 2),
        (r"\sin^2_{\cos}", "msubsup", 3),
        (r"\frac{1}{\exp}", "mfrac", 2),
        (r"\overrightarrow{\max}", "mover", 2),
        (r"\underline{\max}", "munder", 2),
        (r"\sqrt[\max]{2}", "mroot", 2),
    ],
)
def test_the_name_of_a_function_is_one_element_where_mathml_counts_them(latex, element, children):
    chapter = BeautifulSoup(*katex.typeset([(False, latex)], ROOT, "a/page"), "html.parser")
    assert len(chapter.math.find(element).find_all(True, recursive=False)) == children


def test_the_style_of_formulas_asks_only_for_fonts_that_are_there(tmp_path):
    katex.copy_style(ROOT, tmp_path)
    style = (tmp_path / "katex.min.css").read_text()
    fonts = site.own_files("katex.min.css", re.findall(r"url\(([^)]+)", style))
    assert len(fonts) > 10
    assert {Path(font).suffix for font in fonts} == {".woff2"}
    assert all((tmp_path / font).is_file() for font in fonts)


# ---- builds that were interrupted


@pytest.mark.parametrize("first", [False, True])
def test_a_new_site_takes_the_old_one_s_place_whole_if_there_is_one(tmp_path, first):
    new, old = tmp_path / "html.new", tmp_path / "html"
    for folder, text in ((new, "new"), (old, "old"))[: 1 if first else 2]:
        folder.mkdir()
        (folder / "index.html").write_text(text)
        (folder / text).touch()
    publish.replace(new, old)
    assert [path.name for path in tmp_path.iterdir()] == ["html"]
    assert {path.name for path in old.iterdir()} == {"index.html", "new"}
    assert (old / "index.html").read_text() == "new"


def test_a_digest_follows_names_and_contents_and_nothing_else(tmp_path):
    (tmp_path / "a").mkdir()
    path = tmp_path / "a" / "one.py"
    path.write_text("1")
    before = build.digest(tmp_path, ["a/**/*"])
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "one.pyc").write_text("x")
    (tmp_path / "elsewhere").write_text("x")
    assert build.digest(tmp_path, ["a/**/*"]) == before
    path.write_text("2")
    changed = build.digest(tmp_path, ["a/**/*"])
    path.rename(path.with_name("two.py"))
    assert len({before, changed, build.digest(tmp_path, ["a/**/*"])}) == 3


def test_the_order_in_which_pages_were_read_changes_nothing_that_they_share():
    parts = "titles longtitles tocs toctree_includes metadata toc_secnumbers toc_fignumbers"
    env = SimpleNamespace(**{name: {} for name in [*parts.split(), "images", "dlfiles"]})

    def shared(*citations):
        env.domaindata = {"cite": {"citation_refs": [*citations]}}
        return build.shared(env)

    assert shared("a", "b") == shared("b", "a") != shared("a", "c")


def test_clearing_up_keeps_the_site_and_the_chapters_results(tmp_path):
    for name in ("html", ".executed", "raw", ".doctrees", "jupyter_execute", "assets"):
        (tmp_path / name).mkdir()
    build.clear(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".executed", "html"]


def test_a_widget_of_the_course_has_its_code_from_the_package_and_no_other_has():
    from attn_course.views.widgets.prediction import Prediction

    old = any_widget("Prediction", question="?", options=["a", "b"], scale={}, measured=None)
    other = {**old, "state": {**old["state"]}}
    old["state"]["_anywidget_id"] = f"{Prediction.__module__}.Prediction"
    state = widgets.models(make_page(models={"a": old, "b": other}, views=["a", "b"]))
    actual = (state["a"]["state"]["_esm"], state["a"]["state"]["_css"])
    assert actual == (Prediction._esm, Prediction._css)
    assert state["a"]["state"]["question"] == "?"
    assert state["b"] == other
