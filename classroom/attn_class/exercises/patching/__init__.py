"""Exercises on the inside of a language model: find a head, change it, and count what is kept."""
