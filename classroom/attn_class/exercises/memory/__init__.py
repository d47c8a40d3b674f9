"""Exercises on memories: what is kept of a source, and how it is read."""
