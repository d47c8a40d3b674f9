"""Measurements too long for a chapter: one script each, with a small file in ``results/``.

Each folder has a question, which its experiments answer part by part, and what they share.
`attn_course.experiments.registry` says which chapter shows it.
"""
