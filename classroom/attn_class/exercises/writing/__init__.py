"""Exercises on a language model: its block, its loss, how it writes, its tokens."""
