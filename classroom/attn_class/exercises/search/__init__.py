"""Exercises on search: getting an answer from a model."""
