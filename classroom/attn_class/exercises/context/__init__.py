"""Exercises on contexts: what an average of annotations is."""
