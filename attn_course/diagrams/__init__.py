"""Drawings of how a model computes, made from the very arrays of one run.

    step           one step of an attentive decoder, from top to bottom
    pieces         what all drawings are made of

Filled shapes are data, outlined boxes are what is done with them; a colour means what it means
everywhere in the course.
"""

from attn_course.diagrams.step import step_diagram

__all__ = ["step_diagram"]
