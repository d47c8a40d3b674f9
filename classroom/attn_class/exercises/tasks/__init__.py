"""Exercises on data and its gold alignment."""
