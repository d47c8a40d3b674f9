"""Encoders and decoders, each built from the equations.

Read `encoder` first (annotations), then `bahdanau` (a decoder that looks before each
step), `luong` (one that looks after it), then `translator` (both in one model,
the frame that training and search work with).
"""
