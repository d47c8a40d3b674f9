"""Exercises on encoders and decoders, with attention and without."""
