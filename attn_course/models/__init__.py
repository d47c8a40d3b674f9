"""Encoders and decoders, each built from the equations.

Read `encoder` first (annotations), then `bahdanau` (a decoder that attends), then `fixed_context`
(the decoder before attention), then `translator` (both in one model, the frame that training and
search work with).
"""
