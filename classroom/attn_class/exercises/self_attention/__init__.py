"""Exercises on heads, positions, blocks and the cache."""
