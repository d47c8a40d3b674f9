"""Every concept of *Attention, measured*, built step by step in PyTorch.

Read the modules in this order; each imports only from those above it.

equations    alignment        how well a query and a key match: e_ij
             masks            which positions may be read
             weights          scores to attention weights: α_ij
             context          the weighted sum of annotations: c_i
             self_attention   heads, positions and a cache, for a sequence that asks itself
             gradients        how a loss reaches a state: by which paths, and how strongly
             memory           attention with a state of fixed size
             crosstalk        what the pairs in such a state do to one another
tasks        tasks            data with exact gold alignments, from installed libraries
models       model_file       where the language model's file is
             models           encoders and decoders
experiment   progress         how far a training is
             training         fit a model, the same way every time
             search           read a model's answer
             interventions    other weights or annotations, and what is written then
             patching         one thing changed inside a language model, and what it writes then
             measures         how good the answer is, and how well it is aligned
             claims           sentences that fail the run when they stop being true
whole        from_scratch     a translator and a language model, each in one file
views        views            colours, plots, diagrams, listings and widgets: they take arrays
shared       symbols          the symbols that every vocabulary has
             packing          arrays as bytes, for widgets

Any of them may import the last two. Importing the package imports none of them; each comes when it
is first asked for, as ``attn_course.alignment`` or ``from attn_course.alignment import DotScore``.

To use them for something of your own: a score, and pairs of texts::

    from itertools import product

    from attn_course.alignment import Score
    from attn_course.models.translator import bahdanau
    from attn_course.search import answer
    from attn_course.tasks.corpus import Corpus
    from attn_course.tasks.vocabulary import Vocabulary
    from attn_course.training import Settings, train

    class Distance(Score):  # e_ij = -|s_i - h_j|²
        def compare(self, queries, keys):
            return -(queries.unsqueeze(2) - keys.unsqueeze(1)).square().sum(-1)

    words = map("".join, product("abcd", repeat=3))
    pairs = [(word, word[::-1]) for word in words]
    letters = Vocabulary("abcd")  # Vocabulary.from_texts(texts) collects those of texts
    make = lambda: bahdanau(len(letters), len(letters), Distance())
    corpus = Corpus(pairs, letters, letters)
    model, history = train(make, corpus, settings=Settings(epochs=40, batch_size=16))
    print(answer(model, ["cab"], letters, letters)[0].text)  # bac

What is measured, marked and told with it has homes of its own, which import from here and never the
other way: ``attn_lab`` (experiments and their results), ``attn_class`` (exercises, assignments and
marks) and ``attn_own`` (models of your own pairs).
"""

__version__ = "1.1.0"


def __dir__() -> list[str]:
    from inspect import getmodulename
    from os import listdir

    names = {getmodulename(file) or file for file in listdir(__path__[0])}
    modules = {name for name in names if name.isidentifier() and not name.startswith("_")}
    return sorted(modules | {*globals()})


def __getattr__(name: str) -> object:
    from pkgutil import resolve_name

    if name.startswith("_") or name not in __dir__():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve_name(f"{__name__}.{name}:")


def check_shapes() -> None:
    """Check the shapes in the signatures of models and search, too, from now on.

    Those of equations and interventions are checked anyway. In the loops of search, and in all
    steps of training but the first, no shapes are checked. A call whose tensors do not fit raises
    ``jaxtyping.TypeCheckError`` (a ``TypeError``), which gives the shapes that came and those
    expected. Modules that are already imported would stay unchecked, so call it before you import
    them; otherwise it raises a RuntimeError.
    """
    import sys

    from jaxtyping import install_import_hook

    checked = [f"{__name__}.{part}" for part in ("models", "search")]
    late = [name for name in checked if name in sys.modules]
    if late:
        raise RuntimeError(
            f"check_shapes() must come before the imports it checks; already here: {late}"
        )
    install_import_hook(checked, "beartype.beartype")
