"""Exercises on interventions: change what a reader is given, and see what becomes of its answer."""
