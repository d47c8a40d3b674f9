"""Wrong answers told by what is wrong with them: an expression, or a change of a right answer."""

import inspect
import textwrap
from collections.abc import Callable


def named(*functions: Callable, **others: Callable) -> list[Callable]:
    """All of them; those without a name of their own get that of their keyword."""
    for name, answer in others.items():
        answer.__name__ = name
    return [*functions, *others.values()]


def changed(right: Callable, *texts: str) -> Callable:
    """The function whose text is that of another, without decorators, one part exchanged.

    texts  what is there, what comes into its place, and so on in pairs

    Raises ValueError if the text does not hold a part exactly once.
    """
    text = textwrap.dedent(inspect.getsource(right))
    text = text[text.index("def ") :]
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        if text.count(old) != 1:
            raise ValueError(f"{old!r} is {text.count(old)} times in {right.__name__}")
        text = text.replace(old, new)
    names: dict[str, Callable] = {}
    exec(text, right.__globals__, names)
    answer = names[right.__name__]
    answer.text = text
    return answer


def after(right: Callable, change: Callable) -> Callable:
    """The function that gives what this change makes of the results of another."""
    return lambda *given: change(*right(*given))
