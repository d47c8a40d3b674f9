"""Slides for each chapter, made from its page in the built book."""
