"""Drawings of how a model computes, made from the arrays of one run.

    pieces         the elements of all drawings
    two_ways       one vector between encoder and decoder, beside attention
    weighted_sum   annotations, scaled by their weights and added up
    context_entry  the context enters the cell and the readout
    every_step     a whole target: at every step the decoder sees all states
    step           one step of an attentive decoder, from top to bottom
    block          what a block of a Transformer adds to the stream of the last token
    rotary         rotary positions as hands of dials
    groups         heads that share keys and values, and the bytes that are kept

Filled shapes are data, and outlined boxes are operations. Colours have the same meaning as
everywhere in the course.
"""

from attn_course.views.diagrams.block import block_diagram
from attn_course.views.diagrams.context_entry import context_entry_diagram
from attn_course.views.diagrams.every_step import every_step_diagram
from attn_course.views.diagrams.groups import groups_diagram
from attn_course.views.diagrams.rotary import rotary_diagram
from attn_course.views.diagrams.step import step_diagram
from attn_course.views.diagrams.two_ways import two_ways_diagram
from attn_course.views.diagrams.weighted_sum import weighted_sum_diagram

__all__ = [
    "block_diagram",
    "context_entry_diagram",
    "every_step_diagram",
    "groups_diagram",
    "rotary_diagram",
    "step_diagram",
    "two_ways_diagram",
    "weighted_sum_diagram",
]
