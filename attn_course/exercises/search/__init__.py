"""Exercises on reading an answer off a model."""
