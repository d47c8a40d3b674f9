"""Exercises on how a loss reaches a state."""
