"""Train a model on your own pairs of texts, read with it, and write its report card.

    refusal      why something cannot be done, in one sentence
    opening      what a file is that holds no text, and how its lines end
    formats      files of pairs that are no tables: lines of JSON, and PO
    lines        the lines of a file, one at a time, and what is wrong with the bad ones
    losses       what a file loses, and what would help
    suspicions   what a file looks like that it was not read as
    compact      many texts in two arrays, and batches made from them
    links        links that IBM model 1 finds, towards which attention may be trained
    rival        a baseline without a network: a table of single symbols
    limits       what is known about a test before any training
    own_corpus   a file of pairs, split into training, validation and test
    designs      the models to choose from, at a size
    folder       a training's folder: files written whole or not at all, and a lock
    trained      a trained model with its symbols, to save, load and ask
    fitting      train on a corpus, and go on after a kill
    text_map     weights as text, for a terminal
    mistakes     symbols that are missing, superfluous, replaced or exchanged in an answer
    questions    four questions to a map, each answered by an intervention
    findings     everything that a report card says, as numbers and texts
    verdicts     what the findings amount to, in sentences
    wording      numbers and texts as a reader sees them
    drawings     curves and intervals, as SVG
    page         one HTML file with widgets that work without a kernel
    card         the report card
    command      ``python -m attn_course train``, ``read`` and ``report``

``python -m attn_course --help`` says how to begin.
"""
