"""Exercises on interventions: change what a reader is given, and see how its answer changes."""
