"""Two models, each whole in one file, as the chapters build them: torch and nothing else.

seq2seq  Bahdanau's translator, chapters 01 to 05
gpt      a language model that holds a real one's weights

Elsewhere the package has the same models with their variants, and with errors that say what is
wrong. Here, what is wrong is PyTorch's error.
"""
