"""Wrong answers told by what is wrong with them: an expression, or a change of a right answer."""

from collections.abc import Callable

from attn_class.exercises.frame import changed

__all__ = ["after", "changed", "named"]


def named(*functions: Callable, **others: Callable) -> list[Callable]:
    """All of them; those without a name of their own get that of their keyword."""
    for name, answer in others.items():
        answer.__name__ = name
    return [*functions, *others.values()]


def after(right: Callable, change: Callable) -> Callable:
    """The function that gives what this change makes of the results of another."""
    return lambda *given: change(*right(*given))
