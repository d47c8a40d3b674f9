"""Exercises on from scores to attention weights, and masks."""
