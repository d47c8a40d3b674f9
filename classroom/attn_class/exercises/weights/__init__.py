"""Exercises on turning scores into attention weights, and on masks."""
