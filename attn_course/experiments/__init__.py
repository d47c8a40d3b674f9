"""Measurements too long for a chapter: one script each, with a small file in ``results/``."""
