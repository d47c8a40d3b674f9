"""Interactive figures, which work on a static page as they do in Jupyter.

    model_arrays         check that a model's arrays are complete and fit together
    folding              fold batch normalisation into the convolution before it
    joining              a script and the modules that it imports, as one text
    parts                what all widgets share: their sentence, script and style
    plane                points in the plane in which a query and keys can be moved
    alignment_viewer     which source positions each target step reads: a matrix, or arcs
    beam_tree            which beginnings of a translation a beam search keeps, and which it drops
    bottleneck_explorer  length and state size against measured accuracy
    context_mixer        weight some annotations, and see where their context goes
    date_reader          the trained model reads what the reader types
    drawn_prediction     draw a curve first, then see the measured one laid over it
    drawn_digit          the trained model reads a digit that the reader draws among clutter
    embedding_map        letters move in a plane while a network is trained
    glimpse_stepper      the looks of a reader, one after another, at a canvas with several digits
    gradient_paths       the paths from a loss back to a source position, and what each contributes
    heads_viewer         the trained Transformer reads a date; look into its heads, and silence some
    language_writer      a language model goes on with the reader's text, token by token
    memory_explorer      write pairs into a small matrix, and see which can be read back
    one_look             move a query, and follow its look at a few keys by hand
    own_reader           a model that was trained on the reader's own pairs reads what is typed
    player               watch two models copy letters, one move after another
    prediction           guess first, then see what was measured
    score_bars           drag the scores, and see the weights that result
    score_explorer       what each score function makes of one query and a few keys
    typo_finder          the trained model finds the mistake in a word that the reader types
    wall                 all maps of a language model side by side; choose one and see it large
    weight_scrubber      change where one step of the trained reader looks, and what it then writes

Each widget has a folder with its Python class, its JavaScript module and its style sheet; what
several of them use is in ``shared``. A widget's traits are its entire state, and everything that it
shows is computed from them in JavaScript, so it works on a page without a kernel. With a kernel,
the same traits are synchronised, and ``observe`` works.

They take arrays and strings, never models. Import a widget from its own module, as in
``from attn_course.views.widgets.date_reader import DateReader``.
"""
