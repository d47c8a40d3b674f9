"""Exercises on measuring how good answers are."""
