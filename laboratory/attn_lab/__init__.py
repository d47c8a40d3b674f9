"""Measurements too long for a chapter: one script each, with a small file in ``results/``.

Each folder holds the experiments on one question, and what they share;
`attn_lab.registry` says which chapter shows them.
"""
