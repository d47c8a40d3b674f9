"""Measurements too long for a chapter: one script each, its small result file beside it."""
