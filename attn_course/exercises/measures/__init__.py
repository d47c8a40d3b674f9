"""Exercises on how good an answer is."""
