"""Figures that answer the reader, alive in the static page as in Jupyter.

    parts                one self-contained module and style sheet out of the files of a widget
    alignment_viewer     who reads whom: a matrix, or arcs
    bottleneck_explorer  length and state size against measured accuracy
    context_mixer        weigh some annotations, see where their context goes
    date_reader          the trained model reads what the reader types
    drawn_prediction     draw a curve first, then see what was measured laid over it
    gradient_paths       the ways from a loss back to a source position, and what comes along each
    prediction           guess first, then see what was measured
    score_bars           drag the scores, and see the weights that they come to
    score_explorer       what each score function makes of one query and a few keys

Each widget has a folder: its Python class, its JavaScript module and its style sheet. What several
of them use stands in ``shared``. A widget's traits are its whole state, and all that answers the
reader is computed from them in JavaScript, so it lives on a page with no kernel. With one, the same
traits sync, and ``observe`` works.

They take arrays and strings, never models. Import a widget from its own module, as in
``from attn_course.widgets.date_reader import DateReader``.
"""
