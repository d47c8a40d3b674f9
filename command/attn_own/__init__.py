"""Train a model on your own pairs of texts, read with it, and write its report card.

    command      the command line, ``python -m attn_course``: its options
    actions      what its commands do: example, train, read and report

    lines        a file of pairs, one line at a time, and what is wrong with the bad ones
    suspicions   what a file looks like that it was not read as
    losses       what a file loses, and what would help
    own_corpus   a file of pairs, split into training, validation and test
    limits       what is known before any training: what cannot be right, and a simple table
    compact      many encoded pairs in a few bytes, and batches made from them

    devices      what a command computes on
    designs      the models to choose from, at a size
    links        links that IBM model 1 finds, towards which attention may be trained
    fitting      train on a corpus, and go on after a kill
    folder       a training's folder: files written whole or not at all, and a lock
    dropout      what is hidden from a model in training
    ensemble     several models that write together
    trained      a trained model with its symbols, to save, load and ask
    text_map     weights as text, for a terminal

    questions    four questions to a map, each answered by an intervention
    mistakes     symbols that are missing, superfluous, replaced or exchanged in an answer
    nearness     how near answers come: symbol error rate and chrF, with intervals
    findings     everything that a report card says, as numbers and texts
    verdicts     what the findings amount to, in sentences
    sentences    the template of all sentences, filled in
    wording      numbers and texts as a reader sees them, and refusals
    drawings     curves, as SVG
    record       the card's numbers as JSON
    page         one HTML file with widgets that work without a kernel
    card         the report card

``python -m attn_course --help`` says how to begin. From Python, ``load("corpus-bahdanau")`` gives a
model that ``train`` made, and its ``read(["a text"])`` the answers.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attn_own.trained import load

__all__ = ["load"]


def __getattr__(name: str) -> Any:
    """`load`, which is imported when it is asked for: ``--help`` needs no torch."""
    if name == "load":
        from attn_own.trained import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
