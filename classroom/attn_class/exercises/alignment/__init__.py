"""Exercises on score functions."""
