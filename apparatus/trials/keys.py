"""The keys that operate each widget of the book, and the values Python must have afterwards.

There is one function per widget. It takes the traits as they are before the first key, and returns
steps. The keys of a step are those that a notebook would take as its own commands: arrows, Enter,
Space and letters. Every widget ends with its reset.
"""

import math
from dataclasses import dataclass

RESET = "button.attn-quiet"
# in a notebook's command mode, these move, insert above and below, delete, cut, ...
COMMANDS = "j k a b d d x m y ArrowDown ArrowUp ArrowRight ArrowLeft"


@dataclass(frozen=True)
class Step:
    """Focus the first ``place`` in the widget ("": leave the focus alone), and press the keys."""

    place: str  # a CSS selector
    keys: str  # their names, separated by spaces
    expected: dict  # the values that traits must have in Python
    kernel: bool = False  # whether nothing but a kernel answers


@dataclass(frozen=True)
class Other:
    """Any value except this one."""

    value: object


SECOND = {"side": "target", "index": 1}
IN_MATRIX = [
    Step(".attn-matrix [tabindex='0']", "ArrowDown", {"selected": SECOND}),
    Step("", "ArrowRight", {"selected": Other(SECOND)}),
]


def steps_of(kind: str, traits: dict) -> list[Step]:
    """The steps for a widget of this class; the last one resets it."""
    if kind not in STEPS:
        raise LookupError(f"no keys are known for a {kind}: name them in apparatus/trials/keys.py")
    steps = STEPS[kind](traits)
    before = {name: traits[name] for step in steps for name in step.expected if name != "result"}
    return [*steps, Step(RESET, f"{COMMANDS} Enter", before)]


def agree(expected: object, actual: object) -> bool:
    """Whether two values are equal up to rounding."""
    if isinstance(expected, Other):
        return not agree(expected.value, actual)
    if isinstance(expected, float) and isinstance(actual, int | float):
        return math.isclose(expected, actual, abs_tol=1e-6)
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(agree, expected, actual))
    return expected == actual


def alignment_viewer(traits: dict) -> list[Step]:
    steps = [*IN_MATRIX]
    if any(example["gold"] for example in traits["examples"]):
        box = {"show_gold": not traits["show_gold"]}
        steps.append(Step("input[type=checkbox]", "Space", box))
    if len(traits["examples"]) > 1:
        steps.append(Step("select", "ArrowDown", {"index": traits["index"] + 1, "selected": {}}))
    return [*steps, Step(".attn-switch button:nth-of-type(2)", "Enter", {"view": "arcs"})]


def beam_tree(traits: dict) -> list[Step]:
    width, samples = traits["width"], traits["samples"]
    text = samples[0] if samples else traits["text"]
    return [
        Step(".attn-bar input[aria-label='Width']", "ArrowRight", {"width": width + 1, "shown": 0}),
        Step(
            "input[aria-label='Length normalisation α']",
            "ArrowRight",
            {"alpha": traits["alpha"] + 0.1},
        ),
        Step(".attn-tree-place", "ArrowRight ArrowDown", {"width": width + 1}),
        *([Step(".attn-samples button", "Enter", {"text": text})] if samples else []),
        Step(".attn-question input", "End d d a b j m x", {"text": f"{text}ddabjmx"}),
    ]


def bottleneck_explorer(traits: dict) -> list[Step]:
    task = traits["tasks"][traits["task"]]
    size, steps = (_aside(task[f"{name.rstrip('s')}s"], traits[name]) for name in ("size", "steps"))
    length = _neighbours(task["lengths"], traits["length"])
    typed = {"text": f"{traits['text']}ddabjmx"}
    return [
        Step("[aria-label='State size']", size[0], {"size": size[1]}),
        Step("[aria-label='Length']", "ArrowRight ArrowDown ArrowDown", {"length": length[0]}),
        Step("[aria-label='Training']", steps[0], {"steps": steps[1]}),
        *([Step(".attn-own input", "d d a b j m x", typed)] if task["symbols"] else []),
        Step(RESET, "Space", {name: traits[name] for name in ("size", "steps", "length", "text")}),
        *([Step("select", "ArrowDown", {"task": 1})] if len(traits["tasks"]) > 1 else []),
    ]


def context_mixer(traits: dict) -> list[Step]:
    count = len(traits["source"])
    first = round(1 / count, 2) + 0.01  # the slider moves in hundredths
    return [
        Step(".attn-weight-row .attn-token", "Enter", {"weights": [1.0] + [0.0] * (count - 1)}),
        Step(".attn-given button", "Space", {"weights": [1 / count] * count}),
        Step(
            ".attn-weight-row input",
            "ArrowRight ArrowRight ArrowDown",
            {"weights": [first] + [(1 - first) / (count - 1)] * (count - 1)},
        ),
    ]


def date_reader(traits: dict) -> list[Step]:
    typed = {"text": f"{traits['text']} ddabjmx", "result": Other(traits["result"])}
    second = traits["samples"][1]
    return [
        Step("input", "End Space d d a b j m x", typed),
        Step(".attn-switch button:nth-of-type(1)", "Enter", {"view": "matrix"}),
        *IN_MATRIX,
        Step(".attn-bar button:nth-of-type(2)", "Enter", {"text": second}),
    ]


def drawn_digit(traits: dict) -> list[Step]:
    strokes, (top, left) = traits["strokes"], traits["place"]
    bent = [[14.0, 14.0], [18.0, 14.0], [18.0, 18.0]]
    samples = [sample["strokes"] for sample in traits["samples"]]
    return [
        Step(
            ".attn-pad svg", "d Space ArrowRight ArrowDown Space a", {"strokes": [*strokes, bent]}
        ),
        Step("", "Backspace", {"strokes": strokes}),
        Step(".attn-scene svg", "ArrowUp ArrowLeft b", {"place": [top - 1, left - 1]}),
        *([Step("", "Enter", {"chosen": 1})] if traits["clutter"] else []),
        Step("input[aria-label=Noise]", "Home ArrowRight", {"noise": 0.05}),
        *(Step(".attn-samples button", "Enter", {"strokes": one}) for one in samples[:1]),
    ]


def drawn_prediction(traits: dict) -> list[Step]:
    low, high = traits["y"]["low"], traits["y"]["high"]
    middle = math.sqrt(low * high) if traits["y"]["log"] else (low + high) / 2
    count = len(traits["positions"])
    drawn = [float(f"{middle:.3g}")] * count
    return [
        Step("[role=slider]", " ".join(["Space ArrowRight"] * count), {"drawn": drawn}),
        Step("button.attn-primary", "Enter", {"committed": True}),
    ]


def embedding_map(traits: dict) -> list[Step]:
    marked = traits["marked"]
    other = next(n for n in range(len(traits["tokens"])) if n not in marked)
    return [
        Step("input[type=range]", "ArrowLeft", {"frame": traits["frame"] - 1}),
        Step(
            f".attn-toggle:nth-of-type({other + 1})",
            "Space",
            {"marked": sorted([*marked, other]), "pointed": other},
        ),
        Step("", "Enter", {"marked": marked}),
    ]


def glimpse_stepper(traits: dict) -> list[Step]:
    examples = traits["examples"]
    readers = examples[traits["index"]]["readers"]
    looks = readers[traits["reader"]]["looks"]
    return [
        Step("input[type=range]", "End ArrowLeft", {"look": max(looks - 2, 0)}),
        Step(".attn-next", "Enter", {"look": looks - 1}),
        Step("", "Space", {"look": 0}),
        Step("input[type=checkbox]", "Space", {"show_boxes": not traits["show_boxes"]}),
        *(
            [Step(".attn-switch button:nth-of-type(2)", "Enter", {"reader": 1})]
            if len(readers) > 1
            else []
        ),
        *([Step("select", "ArrowDown", {"index": 1, "look": 0})] if len(examples) > 1 else []),
        *([Step("select", "ArrowUp", {"index": 0})] if len(examples) > 1 else []),
        Step("input[type=range]", "Home", {"look": 0}),
    ]


def gradient_paths(traits: dict) -> list[Step]:
    return [
        Step("input[name=source]:checked", "ArrowDown", {"source": traits["source"] + 1}),
        Step("", "ArrowRight", {"source": traits["source"] + 2}),
        Step("input[type=checkbox]", "Space", {"attention": not traits["attention"]}),
        Step(".attn-switch button:nth-of-type(2)", "Enter", {"stage": 1}),
    ]


def head_wall(traits: dict) -> list[Step]:
    block, head = traits["chosen"]
    arrow, beside = _aside(list(range(traits["blocks"])), block)
    return [
        Step(".attn-wall-cell", arrow, {"chosen": [beside, head]}),
        Step(".attn-matrix [tabindex='0']", "Home", {"selected": {"side": "target", "index": 0}}),
        Step("", "ArrowDown", {"selected": SECOND}),
        # its own sentence comes behind those given, once Python has read it
        Step(
            ".attn-typing input",
            "d Space d a b j m x Enter",
            {"index": len(traits["sentences"]), "selected": {}, "problem": ""},
            kernel=True,
        ),
    ]


def heads_viewer(traits: dict) -> list[Step]:
    first, text = traits["chosen"], traits["text"]
    every = [
        [kind, layer, head]
        for kind in ("encoder", "decoder", "cross")
        for layer in range(traits["layers"][kind])
        for head in range(traits["heads"])
    ]
    arrow, beside = _aside(every, first)
    silence = ".attn-bar:not(.attn-samples) button"
    return [
        Step(".attn-thumb[tabindex='0']", arrow, {"chosen": beside}),
        Step(silence, "Enter", {"silenced": [*traits["silenced"], beside]}),
        Step(".attn-arcs [tabindex='0']", "Home", {"selected": {"side": "target", "index": 0}}),
        Step("", "ArrowRight", {"selected": SECOND}),
        Step("", "ArrowUp", {"selected": Other(SECOND)}),
        Step("input", "End d d a b j m x", {"text": f"{text}ddabjmx", "selected": {}}),
    ]


def language_writer(traits: dict) -> list[Step]:
    text = traits["text"]
    below = "ArrowDown " * text.count("\n")
    return [
        Step("input[type=range]", "End ArrowLeft", {"temperature": 1.9}),
        Step(".attn-switch button", "Enter", {"top": 1}),
        Step(".attn-choice", "Enter", {"written": Other([])}),
        Step("textarea", f"{below}End d d a b j m x", {"text": f"{text}ddabjmx", "written": []}),
        Step(".attn-primary + button", "Space", {"written": Other([])}),
    ]


def memory_explorer(traits: dict) -> list[Step]:
    size = _aside(traits["sizes"], traits["size"])
    counts = list(range(len(traits["pairs"]) + 1))
    written = _aside(counts, traits["written"])
    initial = {name: traits[name] for name in ("pairs", "written", "size", "rule")}
    return [
        Step("[aria-label='Size']", size[0], {"size": size[1]}),
        Step("[aria-label='Pairs written']", written[0], {"written": written[1]}),
        Step("select", "ArrowDown", {"rule": Other(traits["rule"])}),
        Step(".attn-own-pair button", "Enter", {"written": written[1] + 1, "asked": 0}),
        Step(RESET, "Space", initial),
    ]


def player(traits: dict) -> list[Step]:
    return [Step("input[type=range]", "Home ArrowRight", {"at": 1})]


def prediction(traits: dict) -> list[Step]:
    commit = Step("button.attn-primary", "Enter", {"committed": True})
    if not traits["scale"]:
        first, second, *_ = traits["options"]
        return [
            Step("input[type=radio]", "Space", {"guess": first}),
            Step("", "ArrowDown", {"guess": second}),
            Step("", "ArrowLeft", {"guess": first}),
            commit,
        ]
    low, high, step = (traits["scale"][name] for name in ("low", "high", "step"))
    # halves are rounded up, as on the page
    middle = low + step * math.floor((high - low) / step / 2 + 0.5)
    moved = {"guess": float(middle + step)}
    return [Step("input[type=range]", "ArrowRight ArrowRight ArrowDown", moved), commit]


def score_bars(traits: dict) -> list[Step]:
    scores, readable = traits["scores"], traits["readable"]
    raised = {"scores": [scores[0] + 0.1, *scores[1:]]}
    return [
        Step(".attn-track input", "ArrowRight ArrowRight ArrowDown", raised),
        Step(".attn-read input", "Space", {"readable": [not readable[0], *readable[1:]]}),
        Step("button.attn-weight", "Enter", {"selected": 0}),
    ]


def score_explorer(traits: dict) -> list[Step]:
    x, y = traits["query"]
    names = list(traits["matrices"])
    return [
        Step(".attn-handle.attn-query", "ArrowRight", {"query": [x + 0.1, y]}),
        Step("", "ArrowDown", {"query": [x + 0.1, y - 0.1]}),
        Step(".attn-card:nth-of-type(2) button", "Enter", {"selected": names[1]}),
        Step(".attn-card:last-of-type button", "Space", {"selected": names[-1]}),
    ]


def one_look(traits: dict) -> list[Step]:
    if traits["askers"]:
        return [
            Step(".attn-switch button:nth-of-type(2)", "Enter", {"asker": 2}),
            Step(".attn-switch button:last-of-type", "Space", {"asker": 0}),
        ]
    x, y = traits["query"]
    return [
        Step(".attn-handle.attn-query", "ArrowRight", {"query": [x + 0.1, y]}),
        Step("", "ArrowDown", {"query": [x + 0.1, y - 0.1]}),
    ]


def own_reader(traits: dict) -> list[Step]:
    typed = {"text": f"{traits['text']}ddabjmx", "result": Other(traits["result"])}
    return [
        Step("input", "End d d a b j m x", typed),
        IN_MATRIX[0],
        *(Step(".attn-samples button", "Enter", {"text": one}) for one in traits["samples"][:1]),
    ]


def typo_finder(traits: dict) -> list[Step]:
    typed = {"text": f"{traits['text']}abdx", "result": Other(traits["result"])}
    first = traits["samples"][0]
    return [
        Step("input", "End a b d x", typed),
        Step(".attn-letter:nth-of-type(2)", "Enter", {"looked": 1}),
        Step("", "Space", {"looked": -1}),
        Step(".attn-samples button:nth-of-type(1)", "Enter", {"text": first}),
    ]


def weight_scrubber(traits: dict) -> list[Step]:
    step, text = traits["step"], traits["text"]
    initial = {name: traits[name] for name in ("text", "step", "change", "places", "other")}
    even = "none" if traits["change"] == "even" else "even"
    return [
        Step(".attn-switch + button + button", "Enter", {"change": even}),
        Step(".attn-digits [tabindex='0']", "Home", {"step": 0}),
        Step("", "ArrowRight ArrowDown", {"step": 1}),
        Step(".attn-column[tabindex='0']", "Home ArrowRight Enter", {"places": [1]}),
        Step("", "End ArrowLeft ArrowUp Home Space", {"change": "all", "places": [0]}),
        Step(".attn-switch button:nth-of-type(2)", "Space", {"change": "hidden", "places": [0]}),
        Step(".attn-other-date input", "d d a b j m x", {"other": f"{traits['other']}ddabjmx"}),
        Step(
            ".attn-typing input",
            "End d d a b j m x",
            {"text": f"{text}ddabjmx", "change": "none", "places": [], "other": ""},
        ),
        Step(RESET, "Space", initial | {"step": step}),
    ]


def _aside(values: list, value: object) -> tuple[str, object]:
    """An arrow key that moves a slider away from a value, and the value that it reaches."""
    place = values.index(value)
    if place + 1 < len(values):
        return "ArrowRight", values[place + 1]
    return "ArrowLeft", values[place - 1]


def _neighbours(values: list, value: object) -> tuple:
    """The value before and the value after; at either end, the value itself."""
    place = values.index(value)
    return values[max(place - 1, 0)], values[min(place + 1, len(values) - 1)]


STEPS = {
    "AlignmentViewer": alignment_viewer,
    "BeamTree": beam_tree,
    "BottleneckExplorer": bottleneck_explorer,
    "ContextMixer": context_mixer,
    "DateReader": date_reader,
    "DrawnDigit": drawn_digit,
    "DrawnPrediction": drawn_prediction,
    "EmbeddingMap": embedding_map,
    "GlimpseStepper": glimpse_stepper,
    "GradientPaths": gradient_paths,
    "HeadWall": head_wall,
    "HeadsViewer": heads_viewer,
    "LanguageWriter": language_writer,
    "MemoryExplorer": memory_explorer,
    "OneLook": one_look,
    "OwnReader": own_reader,
    "Player": player,
    "Prediction": prediction,
    "ScoreBars": score_bars,
    "ScoreExplorer": score_explorer,
    "TypoFinder": typo_finder,
    "WeightScrubber": weight_scrubber,
}
