"""Links in the text that set a widget of their page to a state.

    <span data-set="BottleneckExplorer: {size: 16, steps: 1200}">set the size to 16</span>

The attribute is YAML: the class of the widget, and the traits to set. ``BottleneckExplorer 2`` is
the second widget of that class on the page. Every trait that the new values depend on has to be
named too, since readers may have changed it. The words should say what the link does.

``links.js`` makes links of these elements when the widget runs. Without JavaScript, on
paper and in Jupyter the words are plain words.
"""

import json

import yaml
from bs4 import Tag
from sphinx.errors import ExtensionError

from ..site.find import with_attribute
from ..site.page import Page
from .install import KERNEL_ONLY, class_name, displayed, identity, models

SCRIPT = "_static/links.js"


def make(page: Page) -> None:
    """Make the links of a page, whose widgets have not been installed yet."""
    for number, words in enumerate(with_attribute(page.soup, "data-set"), start=1):
        name, traits = _setting(page, words)
        place, model = _named(page, name)
        _check(page, name, model, traits)
        words.name = "a"  # without an address it is no link yet
        words.attrs = {"class": "attn-set", "id": f"set-{number}", "data-widget": place}
        words["data-traits"] = json.dumps(traits)
        page.head.load(SCRIPT)


def _setting(page: Page, words: Tag) -> tuple[str, dict]:
    """The widget that a link names, and the traits that it sets."""
    text = words["data-set"]
    fault = ExtensionError(
        f"{page.name} has a link with data-set={text!r}; expected a widget and its traits, "
        'such as "BottleneckExplorer: {size: 16}"'
    )
    try:
        setting = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise fault from error
    if not isinstance(setting, dict) or len(setting) != 1:
        raise fault
    ((name, traits),) = setting.items()
    if not isinstance(traits, dict) or not traits:
        raise fault
    return str(name), traits


def _named(page: Page, name: str) -> tuple[str, dict]:
    """The id of a widget's place, and its model."""
    carried, numbers = models(page), {}
    for number, (_, key) in enumerate(displayed(page), start=1):
        numbers.setdefault(key, number)
    names, counts = {}, {}
    for key, number in numbers.items():
        kind = class_name(carried[key])
        counts[kind] = counts.get(kind, 0) + 1
        names[kind if counts[kind] == 1 else f"{kind} {counts[kind]}"] = (number, key)
    if name not in names:
        listed = ", ".join(names) or "no widget at all"
        raise ExtensionError(f"{page.name} has a link that sets {name!r}; the page shows {listed}")
    number, key = names[name]
    return identity(number), carried[key]


def _check(page: Page, name: str, model: dict, traits: dict) -> None:
    """Require that the widget has these traits."""
    private = {trait for trait in model["state"] if trait.startswith("_")} | KERNEL_ONLY
    public = sorted(set(model["state"]) - private)
    if unknown := sorted(map(str, set(traits) - set(public))):
        raise ExtensionError(
            f"{page.name} has a link that sets {unknown}; the traits of {name} are {public}"
        )
