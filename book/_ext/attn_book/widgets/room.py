"""The room that a prediction will take, kept by its own words.

How high a prediction is depends on how its words wrap, on how many answers it offers, and on
whether the reader has answered before. So its place holds the same words in the same style, unseen
and unheard, until the prediction stands there. All other widgets have heights in book.css.
"""

from bs4 import BeautifulSoup, Tag


def room(state: dict) -> Tag:
    """What is as high as the prediction with these traits, before and after a guess."""
    scale = state["scale"]
    choices = _slide(scale) if scale else [_answer(option) for option in state["options"]]
    before = _box("div", "attn-room-before", *choices) if scale else _box("div", "", *choices)
    after = _box("div", "attn-room-after", *_outcome(state))
    button = _box("span", "attn-button", "See what was measured")
    frame = _box(
        *("div", "attn-frame attn-prediction attn-room"),
        _box("div", "attn-question", state["question"]),
        *(before, after, _box("div", "attn-bar", button)),
    )
    frame["aria-hidden"] = "true"
    return frame


def _answer(option: str) -> Tag:
    return _box("div", "attn-choice", _box("i", ""), _box("span", "", option))


def _slide(scale: dict) -> list[Tag]:
    low, high = (_hint(_with_unit(scale[end], scale)) for end in ("low", "high"))
    slider = _box("span", "attn-slider")
    return [_box("div", "attn-slide", _box("span", "attn-value", "0"), low, slider, high)]


def _outcome(state: dict) -> list[Tag]:
    """With a place for the guess, which ``book/assets/early.js`` writes there.

    A guess on a scale is taken to have missed: one that has not saves a line on some screens.
    """
    scale, measured = state["scale"], state["measured"]
    if measured is None:
        return [_box("p", "", "Run on: the measurement follows below.")]
    if scale:
        number = _with_unit(round(measured, 2), scale)
        low, high = (_hint(_with_unit(scale[end], scale)) for end in ("low", "high"))
        shown = _box("div", "attn-slide", low, _box("div", "attn-number-line"), high)
        guess = _guess(f"{round(measured, 2):g}")
        unit = number.removeprefix(guess["data-usual"])
        words = _box("p", "", f"It came out at {number}, above your guess of ", guess, f"{unit}.")
    else:
        results = [_result("Your guess", _guess(measured)), _result("Measured", measured)]
        shown = _box("div", "attn-results", *results)
        words = _box("p", "", "It came out differently.")
    told = [shown, words]
    return [*told, _box("p", "", state["explanation"])] if state["explanation"] else told


def _guess(usual: str) -> Tag:
    place = _box("span", "attn-guess")
    place["data-usual"] = usual
    return place


def _result(name: str, text: Tag | str) -> Tag:
    return _box("div", "attn-result", _hint(name), _box("strong", "", text))


def _hint(text: str) -> Tag:
    return _box("span", "attn-hint", text)


def _with_unit(number: float, scale: dict) -> str:
    return f"{number:g}\u00a0{scale['unit']}".strip()


def _box(name: str, style: str, *children: Tag | str) -> Tag:
    made = BeautifulSoup("", "html.parser").new_tag(name)
    if style:
        made["class"] = style.split()
    made.extend(children)
    return made
